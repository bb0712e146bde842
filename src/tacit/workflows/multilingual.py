"""Train a model of several languages on translation pairs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.corpora.options import AS_FOUND, ReadOptions
from tacit.errors import InputError
from tacit.workflows.learned import Learned
from tacit.workflows.learning import count_texts, fit_with_progress
from tacit.workflows.progress import Progress, single_step
from tacit.workflows.training_settings import TrainingSettings

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel

Pair = tuple[str, str]

METHODS = ("bilingual", "pivot")


def parse_language_pairs(languages: Sequence[str], n_files: int) -> list[Pair]:
    """Parse the language codes of each file of pairs, such as ``en,es``; all must have the same pivot first.

    Parameters
    ----------
    languages : sequence of str
        Two codes separated by a comma, one entry for each file.
    n_files : int
        Number of files.

    Returns
    -------
    list of (str, str)
        The pivot and the other language of each file.

    Raises
    ------
    InputError
        If there is not one entry for each file, or a code is unknown.

    Examples
    --------
    >>> parse_language_pairs(["en,es", "en,de"], 2)
    [('en', 'es'), ('en', 'de')]
    """
    from tacit.text.languages import check_language_codes

    if not n_files or len(languages) != n_files:
        raise InputError(
            f"{n_files} --parallel and {len(languages)} --languages: name the languages of each file, "
            "as --parallel FILE.tsv --languages en,es"
        )
    pairs: list[Pair] = []
    for entry in languages:
        codes = check_language_codes(entry.split(","))
        if len(codes) != 2:
            raise InputError(
                f"languages={entry}: give the two of the file, such as en,es", parameter="languages"
            )
        if pairs and codes[0] != pairs[0][0]:
            raise InputError(
                f"languages={entry}: the first language must be {pairs[0][0]!r} in every file",
                parameter="languages",
            )
        pairs.append((codes[0], codes[1]))
    return pairs


def read_parallel(
    files: str | Sequence[str],
    languages: Pair,
    options: ReadOptions = AS_FOUND,
    progress: Progress | None = None,
) -> tuple[list[Pair], list[str]]:
    """Read translation pairs.

    Parameters
    ----------
    files : str or sequence of str
        A table of two columns or a TMX file; or two files with as many lines, also as ``FILE.en,FILE.es``.
    languages : (str, str)
        Language codes of the two sides.
    options : ReadOptions
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
    from tacit.corpora.parallel import read_parallel as stream_pairs
    from tacit.text.languages import describe_mismatch

    paths = _split_file_pair(files) if isinstance(files, str) else list(files)
    pairs = list(count_texts(stream_pairs(paths, languages, options), progress, "reading pairs"))
    name = " and ".join(paths)
    if not pairs:
        raise InputError(f"{name}: no pairs; put a text, a tab and its translation on each line")
    notes = [
        describe_mismatch([pair[side] for pair in pairs], code, f"the {order} texts of {name}")
        for side, (code, order) in enumerate(zip(languages, ("first", "second"), strict=True))
    ]
    return pairs, [note for note in notes if note]


def _split_file_pair(files: str) -> list[str]:
    """One file, or two that are separated by a comma."""
    first, comma, second = files.partition(",")
    return [first, second] if comma and not Path(files).exists() else [files]


def learn_parallel(
    pairs: Sequence[Sequence[Pair]],
    languages: Sequence[Pair],
    method: str = "pivot",
    *,
    monolingual: Iterable[str] = (),
    settings: TrainingSettings | None = None,
    progress: Progress | None = None,
) -> Learned:
    """Train a model of several languages on translation pairs.

    Parameters
    ----------
    pairs : sequence of sequences of (str, str)
        For each entry of ``languages``, texts with their translations.
    languages : sequence of (str, str)
        Language codes of each entry of ``pairs``; the first is the pivot and the same in all.
    method : {"pivot", "bilingual"}
        Train the pivot, then add the others in closed form (x-WMF), or train all jointly (b-WMF).
    monolingual : iterable of str
        More texts in the pivot language.
    settings : TrainingSettings, optional
        Settings of the training; by default chosen from the data.
    progress : callable, optional
        Receives events of the stages "sweeps" and "adding CODE".

    Returns
    -------
    Learned
        The model; it has no self-check and no suggestions.

    Raises
    ------
    InputError
        If an option is out of range, or there is nothing to learn from.

    Examples
    --------
    >>> pairs = [("a cat sleeps", "un gato duerme"), ("the kitten sleeps", "el gatito duerme"),
    ...          ("stocks fell", "las acciones cayeron"), ("the market fell", "el mercado cayó")]
    >>> settings = TrainingSettings(min_df=1, n_components=3)
    >>> list(learn_parallel([pairs], [("en", "es")], settings=settings).model.languages)
    ['en', 'es']
    """
    from tacit.checks import check_choice
    from tacit.models.percentiles import learn_score_quantiles

    started, settings = time.perf_counter(), settings or TrainingSettings()
    settings.check()
    train = {"pivot": _learn_pivot, "bilingual": _learn_bilingual}[check_choice("method", method, METHODS)]
    model = train(pairs, languages, monolingual, settings, progress)
    learn_score_quantiles(model)
    return Learned(model, languages[0][0], seconds=time.perf_counter() - started)


def _learn_bilingual(
    pairs: Sequence[Sequence[Pair]],
    languages: Sequence[Pair],
    monolingual: Iterable[str],
    settings: TrainingSettings,
    progress: Progress | None,
) -> TextModel:
    from tacit.training.bilingual import BilingualWMF

    if settings.text_regularization is not None:
        value = settings.text_regularization
        raise InputError(
            f"text_regularization={value} is not for the method bilingual: leave it out",
            parameter="text_regularization",
        )
    pivot, others = languages[0][0], list(dict.fromkeys(code for _, code in languages))
    vectorizer = settings.create_vectorizer(pivot).set_params(accents="strip")
    trainer = BilingualWMF([pivot, *others], vectorizer, **settings.trainer_options())

    def rows() -> Iterator[tuple[str | None, ...]]:
        for (_, code), sentences in zip(languages, pairs, strict=True):
            position = others.index(code)
            for left, right in sentences:
                yield (left, *(right if number == position else None for number in range(len(others))))
        for text in monolingual:
            yield (text, *(None for _ in others))

    fit_with_progress(trainer, rows(), settings.n_sweeps, progress)
    return trainer.model_


def _learn_pivot(
    pairs: Sequence[Sequence[Pair]],
    languages: Sequence[Pair],
    monolingual: Iterable[str],
    settings: TrainingSettings,
    progress: Progress | None,
) -> TextModel:
    """Train the pivot on its own texts, or on its side of the pairs; then add the other languages."""
    trainer = settings.create_trainer(languages[0][0])
    assert trainer.vectorizer is not None
    trainer.vectorizer.set_params(accents="strip")
    texts = list(monolingual) or [left for sentences in pairs for left, _ in sentences]
    fit_with_progress(trainer, texts, settings.n_sweeps, progress)
    by_code: dict[str, list[Pair]] = {}
    for (_, code), sentences in zip(languages, pairs, strict=True):
        by_code.setdefault(code, []).extend(sentences)
    for code, joined in by_code.items():
        with single_step(progress, f"adding {code}"):
            trainer.model_.add_language(code, joined)
    return trainer.model_


def add_language(
    folder: str | Path,
    code: str,
    files: Sequence[str],
    *,
    into: str | Path | None = None,
    pivot: str | None = None,
    missing_weight: float | None = None,
    min_df: int | None = None,
    options: ReadOptions = AS_FOUND,
    n_threads: int | None = None,
    progress: Progress | None = None,
) -> Learned:
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
    options : ReadOptions
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
    from tacit.models.incremental import make_vectorizer
    from tacit.storage import check_target, read_config, writing
    from tacit.text.languages import check_language_code
    from tacit.workflows.loading import load

    if not files:
        raise InputError("name a file of pairs: FILE.tsv, FILE.tmx, or two files of equally many lines")
    code, target, started = check_language_code(code), into or folder, time.perf_counter()
    read_config(folder)
    check_target(target)
    with writing(folder) if into is None else nullcontext():  # no other writer between reading and saving
        model: TextModel = load(folder, "model", n_threads)
        if pivot is not None:
            model.rename_pivot(pivot)
        if code in model.languages:
            raise InputError(
                f"{folder} has the language {code!r} already: it has {', '.join(model.languages)}"
            )
        pairs, notes = read_parallel(files, (model.pivot.code, code), options, progress)
        vectorizer = make_vectorizer(model.pivot.vectorizer, code)
        vectorizer.min_df = min_df or vectorizer.min_df
        with single_step(progress, f"adding {code}"):
            model.add_language(code, pairs, vectorizer=vectorizer, missing_weight=missing_weight)
        learned = Learned(model, model.pivot.code, notes=notes, seconds=time.perf_counter() - started)
        learned.save(target)
    return learned
