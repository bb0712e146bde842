"""What is served: a model of texts, an index, a model of senses, any of which may be absent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tacit.errors import InputError
from tacit.models.measures import DEFAULT_MEASURE
from tacit.server.http_errors import ApiError
from tacit.server.served_classifier import ServedClassifier
from tacit.server.text_model import BatchTextModel
from tacit.workflows.loading import load

if TYPE_CHECKING:
    from tacit.search.filters import Filter
    from tacit.search.index import Index

_SPREAD, _SHORTEST, _LONGEST, _EXAMPLES = 200, 12, 90, 40
_FREQUENT, _WORDS = 200, 12
_REMEDIES = {
    "compare": "a model: tacit serve --model FOLDER",
    "search": "an index: tacit serve --index FOLDER",
    "map": "an index with texts: tacit serve --index FOLDER",
    "senses": "a model of senses: tacit serve --senses FOLDER",
    "languages": "a model of several languages: tacit serve --model FOLDER",
}


class Query(NamedTuple):
    """A text to search for, and the ids of texts that are no hits."""

    text: str
    exclude_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class SearchOptions:
    """Options of ``Index.search_many``, and whether to explain hits; requests with equal ones are batched."""

    k: int = 10
    measure: str = DEFAULT_MEASURE
    where: Filter | None = None
    offset: int = 0
    counts: bool = False
    language: str | None = None
    explain: bool = True


@dataclass
class ServedCollection:
    """The model that compares, the index that is searched, the model that knows senses.

    >>> ServedCollection().abilities()
    []
    """

    name: str = "tacit"
    model: Any = None
    index: Index | None = None
    senses: Any = None
    folder: Path | None = None

    @cached_property
    def texts(self) -> BatchTextModel:
        """The model of texts, asked in lists."""
        return BatchTextModel(self.model)

    @property
    def languages(self) -> list[dict[str, Any]]:
        """The languages of the model of texts, with the number of words of each."""
        words = {} if self.model is None else self.texts.languages
        return [{"code": code, "words": count} for code, count in words.items()]

    @cached_property
    def examples(self) -> list[str]:
        """Some texts of the index, spread over it, none too long: what the page offers to try."""
        if self.index is None or not len(now := self.index.snapshot):
            return []
        rows = np.flatnonzero(now.alive)
        chosen = rows[np.linspace(0, len(rows) - 1, _SPREAD).astype(int)].tolist()
        texts = list(dict.fromkeys(now.texts[row] for row in chosen))
        fitting = [text for text in texts if _SHORTEST <= len(text) <= _LONGEST]
        return (fitting or sorted(texts, key=len))[:_EXAMPLES]

    @cached_property
    def words_to_try(self) -> list[str]:
        """Some words the page offers: of several senses where there is a model of them, else of the model."""
        if self.senses is not None:
            words = sorted(self.senses.words_, key=lambda word: -self.senses.counts_.get(word, 0))
            return [word for word in words[:_FREQUENT] if len(self.senses.senses(word)) > 1][:_WORDS]
        if self.model is None:
            return []
        words = self.model.pivot.vectorizer.words_.surface_forms
        start = min(_FREQUENT, len(words) // 20)  # the most frequent words say little
        telling = (word for word in words[start : start + 20 * _WORDS] if len(word) > 3 and word.isalpha())
        return list(islice(telling, _WORDS))

    def warm(self) -> None:
        """Compile, map and derive what the first request would otherwise wait for."""
        if self.model is not None:
            pair = ("a b", "a b", None, None)
            self.texts.compare([pair], DEFAULT_MEASURE)
            self.texts.explain([pair], DEFAULT_MEASURE)
        if self.index is not None and len(self.index):
            self.search([Query(self.index.texts[0])], SearchOptions(k=1))

    def read_again(self) -> ServedCollection:
        """The same from its folder as it is now."""
        assert self.folder is not None
        folder = str(self.folder)
        again = load_collection(folder) if self.index is None else load_collection(index=folder)
        again.name, again.senses = self.name, self.senses
        if again.index is not None and self.index is not None:
            again.index.n_threads = self.index.n_threads
        again.warm()
        return again

    def abilities(self) -> list[str]:
        """What can be asked."""
        able = {
            "compare": self.model is not None,
            "search": self.index is not None,
            "map": self.index is not None and len(self.index) > 0,
            "senses": self.senses is not None,
            "languages": len(self.languages) > 1,
        }
        return [name for name, has in able.items() if has]

    def need(self, ability: str) -> None:
        """Refuse a question that nothing loaded can answer."""
        if ability not in self.abilities():
            raise ApiError(404, f"no such model is loaded; this needs {_REMEDIES[ability]}")

    def search(self, queries: list[Query], options: SearchOptions) -> list[dict[str, Any]]:
        """Search the index for each query."""
        assert self.index is not None
        search = vars(options) | {"exclude_ids": [query.exclude_ids for query in queries]}
        explain = search.pop("explain")
        pages = self.index.search_many([query.text for query in queries], **search)
        return [page.to_dict(explain) for page in pages]

    def find_senses(self, items: list[tuple[str, str | None, int | None]]) -> list[dict[str, Any]]:
        """The senses of each word, and which one it has in a text where one is given."""
        return [self._senses(*item) for item in items]

    def _senses(self, word: str, text: str | None, at: int | None) -> dict[str, Any]:
        senses = [asdict(sense) for sense in self.senses.senses(word)]
        here = self.senses.disambiguate(word, text, at=at).to_dict() if text else None
        return {"word": word, "senses": senses, "here": here}


def load_collection(
    model: str | None = None, index: str | None = None, senses: str | None = None, threads: int | None = None
) -> ServedCollection:
    """Read what is to be served; an index brings its model along.

    A folder of another kind than its option says is an error that tells where it belongs.
    """
    if model is None and index is None and senses is None:
        raise InputError("nothing to serve: name --model, --index or --senses, or use --demo")
    served = ServedCollection(Path(model or index or senses or "").absolute().name)
    if index is not None:
        served.index = loaded = load(index, "index", threads)
        served.model, served.folder = loaded.model, Path(index)
    if model is not None:
        served.model = load(model, "model", threads)
        served.folder = served.folder or Path(model)
    if senses is not None:
        served.senses = load(senses, "senses")
    return served


def load_collections(
    models: Sequence[str],
    indexes: Sequence[str],
    senses: str | None = None,
    classifiers: Sequence[str] = (),
    threads: int | None = None,
) -> tuple[list[ServedCollection], dict[str, ServedClassifier]]:
    """Read folders given as NAME=FOLDER or FOLDER; indexes come first, and the senses go with the first.

    A model beside a single index compares in its place, as the index's own model searches.
    """
    given: list[tuple[str, str | None, str | None]] = []
    if len(models) == len(indexes) == 1:
        given.append((indexes[0], models[0], indexes[0]))
    else:
        given += [(each, None, each) for each in indexes] + [(each, each, None) for each in models]
    found: list[ServedCollection] = []
    for label, model, index in given:
        one = load_collection(_folder(model), _folder(index), senses if not found else None, threads)
        one.name = _name(label)
        found.append(one)
    if senses is not None and not found:
        found.append(load_collection(senses=senses, threads=threads))
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two folders are called {name!r}: name them, as NAME=FOLDER")
    loaded = {_name(each): load(_folder(each) or "", "classifier") for each in classifiers}
    return found, {name: ServedClassifier(classifier) for name, classifier in loaded.items()}


def _name(given: str) -> str:
    name, equals, _ = given.partition("=")
    return name if equals and name and "/" not in name else Path(given).absolute().name


def _folder(given: str | None) -> str | None:
    if given is None:
        return None
    name, equals, folder = given.partition("=")
    return folder if equals and name and "/" not in name else given
