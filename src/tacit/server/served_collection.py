"""A model, an index and a sense model served under one name, and how they are loaded.

Methods that take lists of items return a result for each, in the same order. They run on the batcher's
thread, with the items of several requests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tacit.compute.cosine import normalize_rows
from tacit.errors import InputError
from tacit.models.comparison import compare_pairs, explain_pair
from tacit.models.measures import DEFAULT_MEASURE, get_measure
from tacit.models.text_model import as_text_model
from tacit.models.text_set import TextSet
from tacit.server.http_errors import ApiError
from tacit.server.map_builder import MapBuilder
from tacit.types import Array
from tacit.workflows.loading import load

if TYPE_CHECKING:
    from tacit.search.filters import Filter
    from tacit.search.index import Index
    from tacit.search.snapshot import Snapshot

LanguageCode = str | None
"""None: the model detects the language."""
Pair = tuple[str, str, LanguageCode, LanguageCode]
"""Two texts and their languages."""
_N_SAMPLED, _N_EXAMPLES = 200, 40
_MIN_EXAMPLE_CHARS, _MAX_EXAMPLE_CHARS = 12, 90
_N_FREQUENT_WORDS, _N_EXAMPLE_WORDS = 200, 12
_REQUIREMENTS = {
    "compare": "a model: tacit serve --model FOLDER",
    "search": "an index: tacit serve --index FOLDER",
    "map": "an index with texts: tacit serve --index FOLDER",
    "senses": "a sense model: tacit serve --senses FOLDER",
    "languages": "a multilingual model: tacit serve --model FOLDER",
}


class Query(NamedTuple):
    """A text to search for, the ids of texts to leave out, and the outside vector of the text."""

    text: str
    exclude_ids: tuple[str, ...] = ()
    outside_vector: Any = None


@dataclass(frozen=True)
class SearchOptions:
    """Options of ``Index.search_many``, and whether to explain hits; requests with equal ones are batched.

    ``has_vectors`` says whether the queries have outside vectors.
    """

    k: int = 10
    measure: str = DEFAULT_MEASURE
    where: Filter | None = None
    offset: int = 0
    counts: bool = False
    language: str | None = None
    explain: bool = True
    has_vectors: bool = False


@dataclass
class ServedCollection:
    """A text model, an index and a sense model; each may be missing. An index brings its text model.

    ``load_again`` loads the collection from its folders once more; None if it was created in memory. Only a
    folder that ``is_stored`` by the service is written.

    >>> ServedCollection().capabilities()
    []
    """

    name: str = "tacit"
    model: Any = None
    index: Index | None = None
    senses: Any = None
    folder: Path | None = None
    load_again: Callable[[], ServedCollection] | None = None
    is_stored: bool = False

    def __post_init__(self) -> None:
        self._examples: tuple[Snapshot | None, list[str]] = None, []
        model = self.index.model if self.model is None and self.index is not None else self.model
        self.model = None if model is None else as_text_model(model)

    @cached_property
    def map_builder(self) -> MapBuilder:
        """The builder of the index's map."""
        return MapBuilder(self.required_index, self.folder, self.is_stored)

    @property
    def required_index(self) -> Index:
        """The index, once ``require("search")`` has been called."""
        assert self.index is not None
        return self.index

    @property
    def languages(self) -> list[dict[str, Any]]:
        """The languages of the text model, with the number of words of each."""
        languages = {} if self.model is None else self.model.languages
        return [{"code": code, "words": len(part.vectorizer.words_)} for code, part in languages.items()]

    @property
    def examples(self) -> list[str]:
        """Short texts from all parts of the index, offered by the page as examples."""
        if self.index is None or not len(snapshot := self.index.snapshot):
            return []
        if self._examples[0] is not snapshot:
            self._examples = snapshot, self._select_examples(snapshot)
        return self._examples[1]

    @staticmethod
    def _select_examples(snapshot: Snapshot) -> list[str]:
        rows = np.flatnonzero(snapshot.alive)
        sampled = rows[np.linspace(0, len(rows) - 1, _N_SAMPLED).astype(int)].tolist()
        texts = list(dict.fromkeys(snapshot.texts[row] for row in sampled))
        short = [text for text in texts if _MIN_EXAMPLE_CHARS <= len(text) <= _MAX_EXAMPLE_CHARS]
        return (short or sorted(texts, key=len))[:_N_EXAMPLES]

    @cached_property
    def example_words(self) -> list[str]:
        """Frequent words: ambiguous ones if there is a sense model, else words of the text model."""
        if self.senses is not None:
            words = sorted(self.senses.words_, key=lambda word: -self.senses.counts_.get(word, 0))
            ambiguous = (word for word in words[:_N_FREQUENT_WORDS] if len(self.senses.senses(word)) > 1)
            return list(islice(ambiguous, _N_EXAMPLE_WORDS))
        if self.model is None:
            return []
        words = self.model.pivot.vectorizer.words_.surface_forms
        start = min(_N_FREQUENT_WORDS, len(words) // 20)  # the most frequent words are function words
        candidates = words[start : start + 20 * _N_EXAMPLE_WORDS]
        return list(islice((w for w in candidates if len(w) > 3 and w.isalpha()), _N_EXAMPLE_WORDS))

    def warm_up(self) -> None:
        """Compile, map and derive what the first request would otherwise wait for."""
        if self.model is not None:
            pair = ("a b", "a b", None, None)
            self.compare([pair], DEFAULT_MEASURE)
            self.explain(pair, DEFAULT_MEASURE)
        if self.index is not None and len(self.index):
            self.search([Query(self.index.texts[0])], SearchOptions(k=1))

    def capabilities(self) -> list[str]:
        """Return what the collection can do, in the terms of ``require``."""
        capabilities = {
            "compare": self.model is not None,
            "search": self.index is not None,
            "map": self.index is not None and len(self.index) > 0,
            "senses": self.senses is not None,
            "languages": len(self.languages) > 1,
        }
        return [name for name, is_present in capabilities.items() if is_present]

    def require(self, capability: str) -> None:
        """Raise a 404 error if the collection lacks a capability."""
        if capability not in self.capabilities():
            raise ApiError(404, f"this needs {_REQUIREMENTS[capability]}")

    def encode(
        self, items: list[tuple[str, LanguageCode]], normalize: bool = False, dimensions: int | None = None
    ) -> list[tuple[Array, int]]:
        """Return the vector and the number of words of each text.

        With ``dimensions``, vectors are coordinates on that many principal axes of the word vectors.
        """
        texts = TextSet.from_texts(self.model, [text for text, _ in items], [code for _, code in items])
        vectors = texts.vectors
        if dimensions is not None:  # not by BLAS, where the rounding of a row depends on the other rows
            vectors = np.einsum("ij,jk->ik", vectors, self.principal_axes[:, :dimensions], optimize=False)
        if normalize:
            vectors = normalize_rows(vectors)
        return list(zip(vectors, texts.lengths.tolist(), strict=True))

    @cached_property
    def principal_axes(self) -> Array:
        """Principal axes of the word vectors."""
        return self.model.pivot.principal_axes()

    def compare(self, pairs: list[Pair], measure: str) -> list[tuple[float, float | None]]:
        """Return the score of each pair and its percentile among random pairs."""
        a, b, languages_a, languages_b = (list(column) for column in zip(*pairs, strict=True))
        comparisons = self.model.compare_pairs(a, b, measure, languages_a, languages_b)
        return [(comparison.score, comparison.percentile) for comparison in comparisons]

    def explain(self, pair: Pair, measure: str) -> dict[str, Any]:
        """Return the score of a pair with the contributions of its word pairs."""
        a, b, *languages = pair
        texts, chosen = TextSet.from_texts(self.model, [a, b], languages), get_measure(measure)
        [comparison] = compare_pairs(texts, np.array([0]), np.array([1]), chosen)
        known = {"known_a": comparison.known_a > 0, "known_b": comparison.known_b > 0}
        return asdict(comparison) | explain_pair(texts, chosen).to_dict() | known | {"measure": measure}

    def search(self, queries: list[Query], options: SearchOptions) -> list[dict[str, Any]]:
        """Return the page of hits of each query."""
        arguments = vars(options) | {"exclude_ids": [query.exclude_ids for query in queries]}
        explain = arguments.pop("explain")
        if arguments.pop("has_vectors"):
            arguments["outside_vectors"] = [query.outside_vector for query in queries]
        pages = self.required_index.search_many([query.text for query in queries], **arguments)
        return [page.to_dict(explain) for page in pages]

    def find_senses(self, word: str, text: str | None, position: int | None) -> dict[str, Any]:
        """Return the senses of a word, and the sense that it has in a text, if there is one."""
        senses = [asdict(sense) for sense in self.senses.senses(word)]
        here = self.senses.disambiguate(word, text, at=position).to_dict() if text else None
        return {"word": word, "senses": senses, "here": here}


class ServedClassifier:
    """A classifier and the names of its classes."""

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier
        self.classes = [str(name) for name in classifier.classes_]

    def classify(self, texts: list[str]) -> list[tuple[str, list[float]]]:
        """Return the class of each text and the probability of every class."""
        probabilities = self.classifier.predict_proba(texts)
        best = probabilities.argmax(axis=1).tolist()
        rows = probabilities.round(6).tolist()
        return [(self.classes[number], row) for number, row in zip(best, rows, strict=True)]


def load_collection(
    model: str | None = None,
    index: str | None = None,
    senses: str | None = None,
    n_threads: int | None = None,
    name: str | None = None,
) -> ServedCollection:
    """Load a collection from folders; without ``model``, the model of the index is used."""
    folder = index or model or senses
    if folder is None:
        raise InputError("nothing to serve: name --model, --index or --senses, or use --demo")
    return ServedCollection(
        name or Path(model or folder).absolute().name,
        None if model is None else load(model, "model", n_threads),
        None if index is None else load(index, "index", n_threads),
        None if senses is None else load(senses, "senses"),
        Path(folder) if index or model else None,
        partial(load_collection, model, index, senses, n_threads, name),
    )


def load_collections(
    models: Sequence[str],
    indexes: Sequence[str],
    senses: str | None = None,
    classifiers: Sequence[str] = (),
    n_threads: int | None = None,
) -> tuple[list[ServedCollection], dict[str, ServedClassifier]]:
    """Load collections and classifiers from NAME=FOLDER or FOLDER; indexes come before models.

    The sense model belongs to the first collection. One model with one index is one collection, in which the
    model compares texts and the index searches with its own model.
    """
    named_models = [parse_named_folder(folder) for folder in models]
    sources: list[tuple[str | None, str | None, str | None]]  # name, model, index
    sources = [(name, None, index) for name, index in map(parse_named_folder, indexes)]
    if len(models) == len(indexes) == 1:
        sources = [(sources[0][0], named_models[0][1], sources[0][2])]
    else:
        sources += [(name, model, None) for name, model in named_models]
    if senses is not None and not sources:
        sources = [(None, None, None)]
    collections = [
        load_collection(model, index, None if number else senses, n_threads, name)
        for number, (name, model, index) in enumerate(sources)
    ]
    names = [collection.name for collection in collections]
    if len(set(names)) < len(names):
        name = max(names, key=names.count)
        raise InputError(f"two folders have the name {name!r}: give NAME=FOLDER")
    named = map(parse_named_folder, classifiers)
    return collections, {name: ServedClassifier(load(folder, "classifier")) for name, folder in named}


def parse_named_folder(value: str) -> tuple[str, str]:
    """Split NAME=FOLDER; the name of a folder without one is its last part.

    >>> parse_named_folder("faq=data/faq.index"), parse_named_folder("data/faq.index")
    (('faq', 'data/faq.index'), ('faq.index', 'data/faq.index'))
    """
    name, equals, folder = value.partition("=")
    return (name, folder) if equals and name and "/" not in name else (Path(value).absolute().name, value)
