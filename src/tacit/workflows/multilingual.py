"""Train a model of several languages on translation pairs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from tacit.checks import check_choice
from tacit.corpora.reading import read_parallel as stream_pairs
from tacit.corpora.table_rows import DEFAULT_OPTIONS, ReadOptions
from tacit.errors import InputError
from tacit.models.incremental import make_vectorizer
from tacit.models.percentiles import learn_score_quantiles
from tacit.models.text_model import TextModel
from tacit.storage import check_target, lock_for_writing, read_config
from tacit.text.languages import check_language_code, check_language_codes, describe_mismatch
from tacit.training.bilingual import BilingualWMF
from tacit.workflows.learning import Learned, count_texts, fit_with_progress
from tacit.workflows.loading import load
from tacit.workflows.progress import Progress, single_step
from tacit.workflows.python_records import as_source
from tacit.workflows.training_settings import TrainingSettings

Pair = tuple[str, str]
Sentences = Sequence[tuple[str, Sequence[Pair]]]
"""Pairs of the pivot and another language, with the code of the other."""


METHODS = ("bilingual", "pivot")


def learn_parallel(
    pairs: Sequence[str | Sequence[Pair]], languages: Sequence[str | Pair], method: str = "pivot", *,
    monolingual: Any = (), settings: TrainingSettings | None = None, reading: ReadOptions = DEFAULT_OPTIONS,
    progress: Progress | None = None,
) -> Learned:  # fmt: skip
    """Train a model of several languages on translation pairs.

    Parameters
    ----------
    pairs : sequence of str or sequences of (str, str)
        For each entry of ``languages``, texts with their translations: pairs, or files as `read_parallel`
        takes them.
    languages : sequence of (str, str) or str
        Language codes of each entry of ``pairs``, such as ``("en", "es")`` or ``"en,es"``; the first is the
        pivot and the same in all.
    method : {"pivot", "bilingual"}
        Train the pivot, then add the others in closed form (x-WMF), or train all jointly (b-WMF).
    monolingual : RecordSource or iterable of str
        More texts in the pivot language.
    settings : TrainingSettings, optional
        Settings of the training; by default chosen from the data.
    reading : ReadOptions
        Delimiter, encoding and header of the files.
    progress : callable, optional
        Receives events of the stages "reading pairs", "sweeps" and "adding CODE".

    Returns
    -------
    Learned
        The model and notes on the pairs; it has no self-check and no suggestions.

    Raises
    ------
    InputError
        If an option is out of range, a file cannot be read, or there is nothing to learn from.

    Examples
    --------
    >>> pairs = [("a cat sleeps", "un gato duerme"), ("the kitten sleeps", "el gatito duerme"),
    ...          ("stocks fell", "las acciones cayeron"), ("the market fell", "el mercado cayó")]
    >>> settings = TrainingSettings(min_df=1, n_components=3)
    >>> list(learn_parallel([pairs], ["en,es"], settings=settings).model.languages)
    ['en', 'es']
    """
    started, settings = time.perf_counter(), settings or TrainingSettings()
    settings.check()
    train = _train_pivot if check_choice("method", method, METHODS) == "pivot" else _train_bilingual
    codes, notes, sentences = _parse_languages(languages, len(pairs)), [], []
    more_texts = as_source(monolingual).texts()
    for entry, pair in zip(pairs, codes, strict=True):
        if isinstance(entry, str):
            entry, notes_of_file = read_parallel(entry, pair, reading, progress)
            notes += notes_of_file
        sentences.append((pair[1], entry))
    model = train(codes[0][0], sentences, list(more_texts), settings, progress)
    learn_score_quantiles(model)
    return Learned(model, codes[0][0], notes=notes, seconds=time.perf_counter() - started)


def _parse_languages(languages: Sequence[str | Pair], n_files: int) -> list[Pair]:
    """Return the pivot and the other language of each file; all must have the same pivot.

    >>> _parse_languages(["en,es", ("en", "de")], 2)
    [('en', 'es'), ('en', 'de')]
    """
    if not n_files or len(languages) != n_files:
        raise InputError(
            f"{n_files} --parallel and {len(languages)} --languages: name the languages of each file, "
            "as --parallel FILE.tsv --languages en,es"
        )
    pairs: list[Pair] = []
    for entry in languages:
        codes = check_language_codes(entry.split(",") if isinstance(entry, str) else entry)
        problem = "give the two of the file, such as en,es" if len(codes) != 2 else ""
        if not problem and pairs and codes[0] != pairs[0][0]:
            problem = f"the first language must be {pairs[0][0]!r} in every file"
        if problem:
            raise InputError(f"languages={entry}: {problem}", parameter="languages")
        pairs.append((codes[0], codes[1]))
    return pairs


def _train_bilingual(
    pivot: str, sentences: Sentences, texts: list[str], settings: TrainingSettings, progress: Progress | None
) -> TextModel:
    """Train all languages jointly (b-WMF)."""
    if settings.text_regularization is not None:
        problem = f"text_regularization={settings.text_regularization} is only for the method pivot"
        raise InputError(problem, parameter="text_regularization")
    others = list(dict.fromkeys(code for code, _ in sentences))
    vectorizer = settings.create_vectorizer(pivot).set_params(accents="strip")
    trainer = BilingualWMF([pivot, *others], vectorizer, **settings.trainer_options())

    def rows() -> Iterator[tuple[str | None, ...]]:
        for code, pairs in sentences:
            for left, right in pairs:
                yield (left, *(right if other == code else None for other in others))
        for text in texts:
            yield (text, *(None for _ in others))

    fit_with_progress(trainer, rows(), settings.n_sweeps, progress)
    return trainer.model_


def _train_pivot(
    pivot: str, sentences: Sentences, texts: list[str], settings: TrainingSettings, progress: Progress | None
) -> TextModel:
    """Train the pivot on its own texts, or on its side of the pairs; then add the other languages (x-WMF)."""
    trainer = settings.create_trainer(pivot)
    assert trainer.vectorizer is not None
    trainer.vectorizer.set_params(accents="strip")
    pivot_texts = texts or [left for _, pairs in sentences for left, _ in pairs]
    fit_with_progress(trainer, pivot_texts, settings.n_sweeps, progress)
    for code in dict.fromkeys(code for code, _ in sentences):
        joined = [pair for other, pairs in sentences if other == code for pair in pairs]
        with single_step(progress, f"adding {code}"):
            trainer.model_.add_language(code, joined)
    return trainer.model_


def read_parallel(
    files: str | Sequence[str], languages: Pair, reading: ReadOptions = DEFAULT_OPTIONS,
    progress: Progress | None = None,
) -> tuple[list[Pair], list[str]]:  # fmt: skip
    """Read translation pairs.

    Parameters
    ----------
    files : str or sequence of str
        A table of two columns or a TMX file; or two files with as many lines, also as ``FILE.en,FILE.es``.
    languages : (str, str)
        Language codes of the two sides.
    reading : ReadOptions
        Delimiter, encoding and header, where the file does not show them.
    progress : callable, optional
        Receives events of the stage "reading pairs".

    Returns
    -------
    tuple of list of (str, str) and list of str
        The pairs, and notes on texts that look like another language.

    Raises
    ------
    InputError
        If a file cannot be read, has no pairs, or a side of a pair is empty.
    """
    if isinstance(files, str):
        first, comma, second = files.partition(",")
        files = [first, second] if comma and not Path(files).exists() else [files]
    name = " and ".join(files)
    pairs = list(count_texts(stream_pairs(files, languages, reading), progress, "reading pairs"))
    if not pairs:
        raise InputError(f"{name}: no pairs; put a text, a tab and its translation on each line")
    sides = zip(languages, zip(*pairs, strict=True), ("first", "second"), strict=True)
    notes = (describe_mismatch(list(texts), code, f"the {nth} texts of {name}") for code, texts, nth in sides)
    return pairs, [*filter(None, notes)]


def add_language(
    folder: str | Path, code: str, files: Sequence[str], *, into: str | Path | None = None,
    pivot: str | None = None, missing_weight: float | None = None, min_df: int | None = None,
    reading: ReadOptions = DEFAULT_OPTIONS, n_threads: int | None = None, progress: Progress | None = None,
) -> Learned:  # fmt: skip
    """Add a language to a saved model and save it again.

    Parameters
    ----------
    folder : str or Path
        The model.
    code : str
        Language code of the new language.
    files : sequence of str
        Translation pairs, as `read_parallel` takes them; the language of the model is first.
    into : str or Path, optional
        Folder for the extended model; None replaces the model.
    pivot : str, optional
        Language code of the model, where its stemmer does not show it.
    missing_weight : float, optional
        Missing weight of the closed form; None takes a tenth of the model's.
    min_df : int, optional
        Drop words found in fewer texts.
    reading : ReadOptions
        How the files are read.
    n_threads : int, optional
        Number of threads.
    progress : callable, optional
        Receives events of the stages "reading pairs" and "adding CODE".

    Returns
    -------
    Learned
        The extended model and its folder.

    Raises
    ------
    InputError
        If the model has that language already, or a file cannot be read.
    """
    if not files:
        raise InputError("name a file of pairs: FILE.tsv, FILE.tmx, or two files with equally many lines")
    code, target, started = check_language_code(code), into or folder, time.perf_counter()
    read_config(folder)
    check_target(target)
    # no other writer between reading and saving
    with lock_for_writing(folder) if into is None else nullcontext():
        model: TextModel = load(folder, "model", n_threads)
        if pivot is not None:
            model.rename_pivot(pivot)
        if code in model.languages:
            names = ", ".join(model.languages)
            raise InputError(f"{folder} has the language {code!r} already: it has {names}")
        pairs, notes = read_parallel(files, (model.pivot.code, code), reading, progress)
        vectorizer = make_vectorizer(model.pivot.vectorizer, code)
        vectorizer.min_df = min_df or vectorizer.min_df
        with single_step(progress, f"adding {code}"):
            model.add_language(code, pairs, vectorizer=vectorizer, missing_weight=missing_weight)
        learned = Learned(model, model.pivot.code, notes=notes, seconds=time.perf_counter() - started)
        learned.save(target)
    return learned
