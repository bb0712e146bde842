"""Train a model on records, with language detection, notes on the data and a self-check."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tacit.workflows.background_cache import load_background
from tacit.workflows.learned import Learned, suggest_improvements
from tacit.workflows.out_of_core import choose_engine, fit_out_of_core
from tacit.workflows.progress import Progress, ProgressEvent, single_step
from tacit.workflows.python_records import Source, as_source
from tacit.workflows.records import RecordSource, read_labelled
from tacit.workflows.training_settings import (
    EngineOptions,
    TrainingSettings,
    TuningOptions,
    parse_duration,
)

if TYPE_CHECKING:
    from tacit.training.hidden_words import HiddenWords
    from tacit.training.tuning import Trial
    from tacit.training.wtmf import WTMF

T = TypeVar("T")
logger = logging.getLogger(__name__)

_REPORT_EVERY = 1000  # texts


def learn(
    records: Any,
    *,
    text: str | Sequence[str] | None = None,
    language: str | None = "auto",
    background: Any = None,
    engine: str | EngineOptions = "auto",
    settings: TrainingSettings | None = None,
    tuning: TuningOptions | None = None,
    cache_dir: str | Path | None = None,
    progress: Progress | None = None,
) -> Learned:
    """Train a model on texts.

    Parameters
    ----------
    records : RecordSource, path, iterable of str or Record, Series or DataFrame
        The texts. Files may be larger than memory; anything else is trained in memory.
    text : str or sequence of str, optional
        The text column of a file, a DataFrame or dicts; several are joined by a newline.
    language : str, optional
        Language code, which chooses the stemmer; "auto" detects it on the first 1,000 texts, None trains on
        plain words.
    background : str, Path, TextModel or iterable of str, optional
        More training data: ``wordnet``, a text file, a model or its folder. A file is read with the options
        of ``records``, such as the text column, where these are files too.
    engine : str or EngineOptions
        "memory", "disk" or "dask"; "auto" chooses memory or disk.
    settings : TrainingSettings, optional
        Settings of the training; by default chosen from the data.
    tuning : TuningOptions, optional
        Search for the best settings before training.
    cache_dir : path, optional
        Where a background trained on a named corpus is stored; None takes the user's cache folder.
    progress : callable, optional
        Receives a `ProgressEvent` of the stages "background", "reading", "tuning", "sweeps" and "self-check";
        on disk and on Dask each pass over the texts is a stage.

    Returns
    -------
    Learned
        The model, its language, notes on the data, a self-check and suggestions.

    Raises
    ------
    InputError
        If there are no texts, a file cannot be read, or an option is out of range.

    Examples
    --------
    >>> import tacit
    >>> learned = tacit.learn(["a cat sleeps", "the kitten sleeps", "a kitten is a young cat",
    ...                        "stocks fell", "the market fell", "stocks trade on the market"])
    >>> learned.language, learned.model.n_words
    ('en', 12)
    """
    from tacit.models.percentiles import learn_score_quantiles

    started = time.perf_counter()
    source, settings = as_source(records, text), settings or TrainingSettings()
    settings.check()
    if tuning is not None:
        tuning.check()
    options = EngineOptions(engine) if isinstance(engine, str) else engine
    needs = "a background" if background is not None else "tuning" if tuning is not None else None
    chosen, reason = choose_engine(source, options, needs)
    if reason is not None:
        logger.info(reason)
    if chosen == "memory":
        fit = _fit_in_memory(source, language, background, settings, tuning, cache_dir, progress)
    else:
        fit = _fit_out_of_core(source, language, settings, replace(options, engine=chosen), progress)
    model, self_check = fit.trainer.model_, _run_self_check(fit.trainer, fit.sample, progress)
    learn_score_quantiles(model)
    return Learned(
        model,
        fit.language.code,
        fit.language.note,
        fit.notes,
        self_check,
        suggest_improvements(model, self_check),
        chosen,
        time.perf_counter() - started,
        getattr(fit.trainer, "trials_", []),
        remove_work_dir=fit.remove_work_dir,
    )


class _Language(NamedTuple):
    code: str | None
    note: str = ""
    warnings: tuple[str, ...] = ()


class _Fit(NamedTuple):
    trainer: WTMF
    language: _Language
    sample: list[str]
    notes: list[str]
    remove_work_dir: Callable[[], None] | None = None


def _fit_in_memory(
    source: Source,
    language: str | None,
    background: Any,
    settings: TrainingSettings,
    tuning: TuningOptions | None,
    cache_dir: str | Path | None,
    progress: Progress | None,
) -> _Fit:
    from tacit.corpora.inspection import CorpusInspector, ReservoirSample
    from tacit.training.hidden_words import MOST_TEXTS

    texts: Iterable[str]
    labels = None
    if tuning is not None and tuning.label_column is not None:
        texts, labels = read_labelled(source, tuning.label_column)
    else:
        texts = count_texts(source.texts(), progress)
    resolved, texts = _resolve_language(language, texts)
    model = None
    if background is not None:
        options = source.options if isinstance(source, RecordSource) else None
        model = load_background(background, resolved.code, settings, cache_dir, progress, options)
    trainer = settings.create_trainer(resolved.code, model)
    if tuning is not None:
        texts = list(texts)
        trainer = _tune(trainer, texts, labels, tuning, progress)
    inspection, sample = CorpusInspector(), ReservoirSample(MOST_TEXTS)
    fit_with_progress(
        trainer, sample.pass_through(inspection.observe_all(texts)), settings.n_sweeps, progress
    )
    return _Fit(trainer, resolved, sample.texts, [*resolved.warnings, *inspection.notes(resolved.code)])


def _fit_out_of_core(
    source: Source,
    language: str | None,
    settings: TrainingSettings,
    options: EngineOptions,
    progress: Progress | None,
) -> _Fit:
    from tacit.corpora.inspection import CorpusInspector

    assert isinstance(source, RecordSource)
    resolved = _Language(language) if language is None else _resolve_language(language, source.texts())[0]
    trainer = settings.create_trainer(resolved.code)
    sample, remove_work_dir = fit_out_of_core(trainer, source, options, progress)
    inspection = CorpusInspector()
    for text in sample:
        inspection.observe(text)
    notes = [f"in a sample: {note}" for note in inspection.notes(resolved.code)]
    return _Fit(trainer, resolved, sample, [*resolved.warnings, *notes], remove_work_dir)


def _resolve_language(language: str | None, texts: Iterable[str]) -> tuple[_Language, Iterable[str]]:
    """Check a language code, or detect it on the first texts; returns it and all texts."""
    from tacit.text.languages import (
        SAMPLE_TEXTS,
        check_language_code,
        detect_collection_language,
        missing_stemmer_note,
    )

    if language is None:
        return _Language(None), texts
    if language != "auto":
        code, note, warnings = check_language_code(language), "", []
    else:
        texts = iter(texts)
        first = list(islice(texts, SAMPLE_TEXTS))
        texts = chain(first, texts)
        code, is_sure, note, _ = detect_collection_language(first)
        warnings = [] if is_sure else [note]
    missing = missing_stemmer_note(code)
    return _Language(code, note, (*warnings, *([] if missing is None else [missing]))), texts


def _tune(
    trainer: WTMF,
    texts: list[str],
    labels: list[str] | None,
    tuning: TuningOptions,
    progress: Progress | None,
) -> WTMF:
    """Create a trainer with the settings that were best on the texts."""
    budget, judged, trials = parse_duration(tuning.budget), tuning.judged_pairs, []
    if isinstance(judged, str | Path):
        from tacit.evaluation.tasks import read_scored_pairs

        pairs = read_scored_pairs(judged)
        judged = list(zip(pairs.gold, pairs.a, pairs.b, strict=True))

    def report(trial: Trial) -> None:
        trials.append(trial)
        if progress is not None:
            progress(ProgressEvent("tuning", len(trials), None, "settings tried"))

    parameters = trainer.get_params(deep=False)
    return type(trainer).tuned(
        texts, labels=labels, judged=judged, budget=budget, progress=report, **parameters
    )


def fit_with_progress(trainer: Any, texts: Iterable[Any], n_sweeps: int, progress: Progress | None) -> None:
    """Fit a trainer; reports the stage "sweeps", from its start after the texts are read."""

    def report(done: int, loss: float | None = None) -> None:
        if progress is not None:
            progress(ProgressEvent("sweeps", done, n_sweeps, "" if loss is None else f"loss {loss:,.0f}"))

    def read() -> Iterator[Any]:
        yield from texts
        report(0)

    trainer.callback = report
    trainer.fit(read())


def count_texts(texts: Iterable[T], progress: Progress | None, stage: str = "reading") -> Iterator[T]:
    """Pass texts on and report how many have been read."""
    number = 0
    if progress is not None:
        progress(ProgressEvent(stage, 0, None, "texts"))
    for number, text in enumerate(texts, 1):
        if progress is not None and number % _REPORT_EVERY == 0:
            progress(ProgressEvent(stage, number, None, "texts"))
        yield text
    if progress is not None:
        progress(ProgressEvent(stage, number, None, "texts"))


def _run_self_check(trainer: WTMF, sample: list[str], progress: Progress | None) -> HiddenWords | None:
    from tacit.training.hidden_words import predict_hidden_words

    with single_step(progress, "self-check"):
        return predict_hidden_words(trainer, sample)
