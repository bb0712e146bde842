"""Train a model on records, with language detection, notes on the data and a self-check."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tacit.workflows.background_cache import load_background
from tacit.workflows.learned import Learned, suggest_improvements
from tacit.workflows.out_of_core import choose_engine, fit_out_of_core
from tacit.workflows.progress import Progress, notify, single_step
from tacit.workflows.python_records import Source, as_source
from tacit.workflows.records import RecordSource, read_labelled
from tacit.workflows.training_settings import (
    EngineOptions,
    TrainingSettings,
    TuningOptions,
    parse_duration,
)

if TYPE_CHECKING:
    from tacit.training.tuning import Trial
    from tacit.training.wtmf import WTMF

T = TypeVar("T")

_REPORT_EVERY = 1000  # texts


def learn(
    records: Any, *, text: str | Sequence[str] | None = None, language: str | None = "auto",
    background: Any = None, engine: str | EngineOptions = "auto", settings: TrainingSettings | None = None,
    tuning: TuningOptions | None = None, cache_dir: str | Path | None = None,
    progress: Progress | None = None,
) -> Learned:  # fmt: skip
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
    settings, source = settings or TrainingSettings(), as_source(records, text)
    settings.check()
    if tuning is not None:
        tuning.check()
    options = EngineOptions(engine) if isinstance(engine, str) else engine
    needs = "a background" if background is not None else "tuning" if tuning is not None else None
    options = choose_engine(source, options, needs)
    return _Training(source, language, background, options, settings, tuning, cache_dir, progress).run()


@dataclass
class _Training:
    """One call of `learn`, after its options were checked."""

    source: Source
    language: str | None
    background: Any
    engine: EngineOptions
    settings: TrainingSettings
    tuning: TuningOptions | None
    cache_dir: str | Path | None
    progress: Progress | None
    language_note: str = ""
    notes: list[str] = field(default_factory=list)
    remove_work_dir: Callable[[], None] | None = None

    def run(self) -> Learned:
        """Train, check the model on hidden words, and learn score quantiles."""
        from tacit.models.percentiles import learn_score_quantiles
        from tacit.training.self_check import run_self_check

        started = time.perf_counter()
        fit = self._fit_in_memory if self.engine.engine == "memory" else self._fit_out_of_core
        trainer, sample = fit()
        with single_step(self.progress, "self-check"):
            self_check = run_self_check(trainer, sample)
        model = trainer.model_
        learn_score_quantiles(model)
        return Learned(
            model,
            self.language,
            self.language_note,
            self.notes,
            self_check,
            suggest_improvements(model, self_check),
            self.engine.engine,
            time.perf_counter() - started,
            getattr(trainer, "trials_", []),
            remove_work_dir=self.remove_work_dir,
        )

    def _fit_in_memory(self) -> tuple[WTMF, list[str]]:
        """Return a trainer fitted to all texts, and a sample of the texts."""
        from tacit.corpora.inspection import CorpusInspector, ReservoirSample
        from tacit.training.self_check import MAX_SAMPLED_TEXTS

        texts: Iterable[str]
        background, labels = self.background, None
        if self.tuning is not None and self.tuning.label_column is not None:
            texts, labels = read_labelled(self.source, self.tuning.label_column)
        else:
            texts = count_texts(self.source.texts(), self.progress)
        texts = self._detect_language(texts)
        if background is not None:
            options = self.source.options if isinstance(self.source, RecordSource) else None
            common = self.settings, self.cache_dir, self.progress, options
            background = load_background(background, self.language, *common)
        trainer = self.settings.create_trainer(self.language, background)
        if self.tuning is not None:
            texts = list(texts)
            trainer = self._tune(trainer, self.tuning, texts, labels)
        inspection, sample = CorpusInspector(), ReservoirSample(MAX_SAMPLED_TEXTS)
        watched = sample.pass_through(inspection.observe_all(texts))
        fit_with_progress(trainer, watched, self.settings.n_sweeps, self.progress)
        self.notes += inspection.notes(self.language)
        return trainer, sample.texts

    def _fit_out_of_core(self) -> tuple[WTMF, list[str]]:
        """Return a trainer fitted on disk or on Dask, and a sample of the texts."""
        from tacit.corpora.inspection import CorpusInspector

        assert isinstance(self.source, RecordSource)
        self._detect_language(self.source.texts())
        trainer = self.settings.create_trainer(self.language)
        sample, self.remove_work_dir = fit_out_of_core(trainer, self.source, self.engine, self.progress)
        inspection = CorpusInspector()
        for text in sample:
            inspection.observe(text)
        self.notes += [f"in a sample: {note}" for note in inspection.notes(self.language)]
        return trainer, sample

    def _detect_language(self, texts: Iterable[str]) -> Iterable[str]:
        """Check the language code, or detect it on the first texts; returns all texts."""
        from tacit.text.languages import (
            SAMPLE_TEXTS,
            check_language_code,
            detect_collection_language,
            missing_stemmer_note,
        )

        if self.language is None:
            return texts
        if self.language != "auto":
            self.language = check_language_code(self.language)
        else:
            texts = iter(texts)
            first = list(islice(texts, SAMPLE_TEXTS))
            texts = chain(first, texts)
            self.language, is_sure, self.language_note, _ = detect_collection_language(first)
            self.notes += [] if is_sure else [self.language_note]
        self.notes += filter(None, [missing_stemmer_note(self.language)])
        return texts

    def _tune(self, trainer: WTMF, tuning: TuningOptions, texts: list[str], labels: list[str] | None) -> WTMF:
        """Create a trainer with the settings that were best on the texts."""
        numbers = count(1)

        def report(trial: Trial) -> None:
            notify(self.progress, "tuning", next(numbers), None, "settings tried")

        budget, judged = parse_duration(tuning.budget), tuning.read_judged_pairs()
        options: dict[str, Any] = {
            "labels": labels,
            "scored_pairs": judged,
            "budget": budget,
            "progress": report,
        }
        return type(trainer).tune(texts, **options, **trainer.get_params(deep=False))


def fit_with_progress(trainer: Any, texts: Iterable[Any], n_sweeps: int, progress: Progress | None) -> None:
    """Fit a trainer; reports the stage "sweeps", from its start after the texts are read."""

    def report(done: int, loss: float | None = None) -> None:
        notify(progress, "sweeps", done, n_sweeps, "" if loss is None else f"loss {loss:,.0f}")

    def read() -> Iterator[Any]:
        yield from texts
        report(0)

    trainer.callback = report
    trainer.fit(read())


def count_texts(texts: Iterable[T], progress: Progress | None, stage: str = "reading") -> Iterator[T]:
    """Pass texts on and report how many have been read."""
    number = 0
    notify(progress, stage, 0, None, "texts")
    for number, text in enumerate(texts, 1):
        if number % _REPORT_EVERY == 0:
            notify(progress, stage, number, None, "texts")
        yield text
    notify(progress, stage, number, None, "texts")
