"""Read parsed or plain text and induce the senses of its words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from tacit.corpora.passages import Passage, TextsOrPassages, load_spacy_pipeline, parse_with_spacy
from tacit.corpora.reading import read_passages as read_conllu_passages
from tacit.senses.base_model import BaseSenseModel
from tacit.senses.cluster_model import SenseModel
from tacit.senses.local_model import LocalSenseModel
from tacit.workflows.progress import Progress, notify
from tacit.workflows.records import RecordSource

_STAGES = {"passages": "reading", "iterations": "factorizing", "words": "clustering words"}


def read_passages(
    source: RecordSource, features: str = "positions", pipeline: str = "en_core_web_sm"
) -> Iterator[str] | Iterator[Passage]:
    """Read the passages of files, one after the other.

    Parameters
    ----------
    source : RecordSource
        Files, and how they are read.
    features : {"positions", "conllu", "spacy"}
        Plain text, text parsed in the CoNLL-U format, or plain text to be parsed with spaCy.
    pipeline : str
        Name of the spaCy pipeline.

    Returns
    -------
    iterator of str or Passage
        Texts, or parsed passages.

    Raises
    ------
    InputError
        If a file cannot be read.
    MissingExtraError
        If spaCy or its pipeline is not installed.
    """
    if features == "conllu":
        return source.open_each(read_conllu_passages)
    nlp = load_spacy_pipeline(pipeline) if features == "spacy" else None
    return source.texts() if nlp is None else parse_with_spacy(source.texts(), nlp)


def induce_senses(
    corpus: TextsOrPassages, words: Collection[str] | None = None, *, method: str = "liberal",
    language: str | None = "en", n_senses: int | None = 8, n_clusters: int | str = "auto",
    threshold: float = 0.12, progress: Progress | None = None, **settings: Any,
) -> BaseSenseModel:  # fmt: skip
    """Induce the senses of words from a corpus.

    Parameters
    ----------
    corpus : iterable of str or Passage
        Texts, or parsed passages of `read_passages`.
    words : collection of str, optional
        The words to induce senses for; None takes the most frequent ones.
    method : {"liberal", "conservative", "local"}
        How senses are selected; "local" learns each word separately.
    language : str, optional
        Language of the stemmer; None uses plain words. English stop words are dropped for "en".
    n_senses : int, optional
        Number of senses for the method "local"; None or 0 chooses it.
    n_clusters : int or "auto"
        Number of word clusters, for the other methods.
    threshold : float
        Minimum cosine of a sense, for the method "liberal".
    progress : callable, optional
        Receives a `ProgressEvent` for each step.
    **settings
        Further parameters of `SenseModel` and `LocalSenseModel`, such as ``n_components``.

    Returns
    -------
    SenseModel or LocalSenseModel
        The fitted model.

    Raises
    ------
    InputError
        If a setting is out of its range or a word is too rare.
    """

    def report(unit: str, done: int, divergence: float) -> None:
        total = {"iterations": model.n_iter, "words": len(words or []) or None}.get(unit)
        detail = unit if divergence != divergence else f"divergence {divergence:,.0f}"  # NaN: no value
        notify(progress, _STAGES[unit], done, total, detail)

    settings |= {"language": language, "stop_words": "english" if language == "en" else None}
    model: BaseSenseModel
    if method == "local":
        model = LocalSenseModel(n_senses=n_senses or None, **settings)
    else:
        model = SenseModel(selection=method, n_clusters=n_clusters, threshold=threshold, **settings)
    model.callback = report
    return model.fit(corpus, words)
