"""Train a model on records, with language detection, notes on the data, a self-check and suggestions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, TypeVar

from tacit.corpora.inspection import CorpusInspector, ReservoirSample
from tacit.models.isotropy import Isotropy
from tacit.models.outside import as_encoder
from tacit.models.percentiles import learn_score_quantiles
from tacit.models.text_model import TextModel
from tacit.text import languages
from tacit.training.self_check import MAX_SAMPLED_TEXTS, MIN_GOOD_GAIN, SelfCheck, run_self_check
from tacit.training.tuning import Trial
from tacit.training.wtmf import WTMF
from tacit.workflows.background_cache import load_background
from tacit.workflows.out_of_core import choose_engine, fit_out_of_core
from tacit.workflows.progress import Progress, notify, single_step
from tacit.workflows.python_records import as_source, read_labelled
from tacit.workflows.records import RecordSource
from tacit.workflows.training_settings import EngineOptions, TrainingSettings, TuningOptions, parse_duration

T = TypeVar("T")

_REPORT_EVERY = 1000  # texts

SMALL_COLLECTION = 5000
"""Below this number of English texts, a background is suggested."""

MAX_WORDS_FOR_BACKGROUND, MAX_GAIN_FOR_BACKGROUND = 20, 4
"""Mean number of words in a text, and gain of the self-check, up to which a background is suggested.

Longer texts, and texts that predict each other's words better, gained nothing on the development sets.
"""


@dataclass
class Learned:
    """Result of `learn`, `learn_parallel` and `add_language`.

    Parameters
    ----------
    model : TextModel
        The trained model.
    language : str or None
        Language code of the texts; None if the caller asked for plain words.
    language_note : str
        How the language was detected; empty if the caller named it.
    notes : list of str
        Possible problems of the data: empty or repeated texts, HTML, several languages, an unclear language.
    self_check : SelfCheck or None
        How well hidden words of held-out texts are predicted; None for too few texts.
    suggestions : list of str
        Changes that would improve the model.
    engine : str
        Engine of the training: "memory", "disk" or "dask".
    seconds : float
        Time of training, self-check and saving.
    trials : list of Trial
        Settings that the search tried, with their scores.
    folder : str or None
        Folder of the saved model; None if it is not saved.
    remove_work_dir : callable, optional
        Removes the work folder of a training on disk or on Dask; `save` calls it.
    """

    model: TextModel
    language: str | None = None
    language_note: str = ""
    notes: list[str] = field(default_factory=list)
    self_check: SelfCheck | None = None
    suggestions: list[str] = field(default_factory=list)
    engine: str = "memory"
    seconds: float = 0.0
    trials: list[Trial] = field(default_factory=list)
    folder: str | None = None
    remove_work_dir: Callable[[], None] | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        """Describe the model, its language and its self-check."""
        parts = [repr(self.model), f"language {self.language}", str(self.self_check or "no self-check")]
        return f"<Learned: {'; '.join(parts)}>"

    def save(self, folder: str | Path) -> None:
        """Save the model, then remove the work folder of a training on disk or on Dask.

        Parameters
        ----------
        folder : str or Path
            The folder to write; an earlier model there is replaced as a whole.
        """
        started = time.perf_counter()
        self.model.save(folder)
        self.folder = str(folder)
        if self.remove_work_dir is not None:
            self.remove_work_dir()
        self.seconds += time.perf_counter() - started

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values, as ``tacit train --json`` prints them.

        Returns
        -------
        dict
            For a model of one language its counts, settings, loss, self-check and suggestions; for several
            languages the counts of each.
        """
        model, provenance = self.model, self.model.provenance
        seconds, check = round(self.seconds, 3), self.self_check
        if len(model.languages) > 1:
            counts = {
                code: {"words": language.n_trained_words, "texts": language.vectorizer.n_texts_}
                for code, language in model.languages.items()
            }
            report = {"model": self.folder, "trainer": provenance["trainer"], "languages": counts}
            return report | {"seconds": seconds}
        report = {"model": self.folder, "texts": model.pivot.vectorizer.n_texts_, "words": model.n_words}
        report |= {"components": model.n_components, "language": self.language, "engine": self.engine}
        report |= {name: provenance.get(name) for name in ("settings", "auto", "spread", "background")}
        report |= {"sweeps": len(provenance["loss"]), "loss": provenance["loss"], "seconds": seconds}
        prediction = None if check is None else {"gain": round(check.gain, 3), "hidden_words": check.n_hidden}
        return report | {"prediction": prediction, "remedies": self.suggestions}


def learn(
    records: Any, *, text: str | Sequence[str] | None = None, language: str | None = "auto",
    background: Any = None, engine: str | EngineOptions = "auto", settings: TrainingSettings | None = None,
    tuning: TuningOptions | None = None, cache_dir: str | Path | None = None, encoder: Any = None,
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
    encoder : object, str or Path, optional
        An encoder whose vectors are compared as well, or its folder; see ``TextModel.with_encoder``.
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
    encoder = None if encoder is None else as_encoder(encoder)
    if tuning is not None:
        tuning.check()
    needs = "a background" if background is not None else "tuning" if tuning is not None else None
    options = choose_engine(source, EngineOptions(engine) if isinstance(engine, str) else engine, needs)
    started, in_memory = time.perf_counter(), options.engine == "memory"
    texts: Iterable[str]
    labels = None
    if tuning is not None and tuning.label_column is not None:
        texts, labels = read_labelled(source, tuning.label_column)
    else:
        texts = count_texts(source.texts(), progress) if in_memory else source.texts()
    texts, language, language_note, notes = _detect_language(texts, language)
    if background is not None:
        columns = source.options if isinstance(source, RecordSource) else None
        background = load_background(background, language, settings, cache_dir, progress, columns)
    trainer = settings.create_trainer(language, background)
    if tuning is not None:
        texts = list(texts)
        trainer = _tune(trainer, texts, labels, tuning, progress)
    inspector, remove_work_dir = CorpusInspector(), None
    if in_memory:
        reservoir = ReservoirSample(MAX_SAMPLED_TEXTS)
        watched = reservoir.pass_through(inspector.observe_all(texts))
        fit_with_progress(trainer, watched, settings.n_sweeps, progress)
        sample = reservoir.texts
    else:
        assert isinstance(source, RecordSource)
        sample, remove_work_dir = fit_out_of_core(trainer, source, options, progress)
        sample = list(inspector.observe_all(sample))
    notes += [note if in_memory else f"in a sample: {note}" for note in inspector.notes(language)]
    with single_step(progress, "self-check"):
        self_check = run_self_check(trainer, sample)
    model = trainer.model_ if encoder is None else trainer.model_.with_encoder(encoder, texts=sample)
    learn_score_quantiles(model)
    suggestions, trials = suggest_improvements(model, self_check), getattr(trainer, "trials_", [])
    learned = Learned(model, language, language_note, notes, self_check, suggestions, options.engine)
    learned.trials, learned.remove_work_dir = trials, remove_work_dir
    learned.seconds = time.perf_counter() - started
    return learned


def _tune(
    trainer: WTMF, texts: list[str], labels: list[str] | None, tuning: TuningOptions,
    progress: Progress | None,
) -> WTMF:  # fmt: skip
    """Return a trainer with the best settings of a search; its other parameters are those of ``trainer``."""
    numbers = count(1)
    return WTMF.tune(
        texts,
        labels=labels,
        scored_pairs=tuning.read_judged_pairs(),
        budget=parse_duration(tuning.budget),
        progress=lambda trial: notify(progress, "tuning", next(numbers), None, "settings tried"),
        **trainer.get_params(deep=False),
    )


def _detect_language(
    texts: Iterable[str], language: str | None
) -> tuple[Iterable[str], str | None, str, list[str]]:
    """Check a language code, or detect the language on the first texts.

    Returns all texts, the code, a sentence on how it was detected, and notes on possible problems.
    """
    if language is None:
        return texts, None, "", []
    if language != "auto":
        code, detection, notes = languages.check_language_code(language), "", []
    else:
        texts = iter(texts)
        first = list(islice(texts, languages.SAMPLE_TEXTS))
        texts = chain(first, texts)
        code, is_sure, detection, _ = languages.detect_collection_language(first)
        notes = [] if is_sure else [detection]
    return texts, code, detection, [*notes, *filter(None, [languages.missing_stemmer_note(code)])]


def fit_with_progress(trainer: Any, texts: Iterable[Any], n_sweeps: int, progress: Progress | None) -> None:
    """Fit a trainer; reports the stage "sweeps", from its start after the texts are read."""

    def report(done: int, loss: float | None = None) -> None:
        notify(progress, "sweeps", done, n_sweeps, "" if loss is None else f"loss {loss:,.0f}")

    def read() -> Iterator[Any]:
        yield from texts
        report(0)

    trainer.callback = report
    trainer.fit(read())


def count_texts(
    texts: Iterable[T], progress: Progress | None, stage: str = "reading", total: int | None = None
) -> Iterator[T]:
    """Pass texts on and report how many have been read."""
    number = 0
    notify(progress, stage, 0, total, "texts")
    for number, text in enumerate(texts, 1):
        if number % _REPORT_EVERY == 0:
            notify(progress, stage, number, total, "texts")
        yield text
    notify(progress, stage, number, total, "texts")


def suggest_improvements(model: TextModel, self_check: SelfCheck | None) -> list[str]:
    """Suggest what would make a trained model better.

    Parameters
    ----------
    model : TextModel
        A model of one language.
    self_check : SelfCheck or None
        Its self-check.

    Returns
    -------
    list of str
        One sentence each; empty for a good model of many texts.
    """
    suggestions, provenance = [], model.provenance
    n_texts, spread = model.pivot.vectorizer.n_texts_, Isotropy(**provenance["spread"])
    if spread.is_low and n_texts > 2:
        are_auto = set(provenance["settings"]) <= set(provenance["auto"])
        suggestions.append(
            f"the vectors of the texts hardly differ (mean cosine {spread.mean_cosine:.2f}): comparisons "
            "rest on words and letters; give more varied texts"
            + ("" if are_auto else ", or leave the settings to the data")
        )
    is_poor = self_check is None or self_check.gain < MIN_GOOD_GAIN
    has_knowledge = "background" in provenance or model.outside is not None
    words_per_text = model.pivot.vectorizer.words_.df.sum() / max(n_texts, 1)
    knows_enough = self_check is not None and self_check.gain > MAX_GAIN_FOR_BACKGROUND
    needs_background = words_per_text <= MAX_WORDS_FOR_BACKGROUND and not (has_knowledge or knows_enough)
    if n_texts < SMALL_COLLECTION and model.pivot.code == "en" and needs_background:
        why = "these texts alone teach little" if is_poor else f"{n_texts:,} texts are few"
        suggestions.append(
            f"{why}: --background wordnet (background='wordnet' in Python) may help; compare both"
        )
    elif is_poor:
        suggestions.append("these texts alone teach little: give more of them, or a --background FILE")
    return suggestions
