"""What is served: a model of texts, an index, a model of senses, any of which may be absent."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.errors import InputError, ModelError
from tacit.models.measures import DEFAULT
from tacit.server.refusals import RefusedError
from tacit.server.text_model import ServedTextModel

if TYPE_CHECKING:
    from tacit.search.index import Index

_SPREAD, _SHORTEST, _LONGEST, _EXAMPLES = 200, 12, 90, 40
_REMEDIES = {
    "compare": "a model: tacit serve --model FOLDER",
    "search": "an index: tacit serve --index FOLDER",
    "map": "an index with texts: tacit serve --index FOLDER",
    "senses": "a model of senses: tacit serve --senses FOLDER",
    "languages": "a model of several languages: tacit serve --model FOLDER",
}


@dataclass
class ServedModels:
    """The model that compares, the index that is searched, the model that knows senses.

    >>> ServedModels().abilities()
    []
    """

    name: str = "tacit"
    model: Any = None
    index: Index | None = None
    senses: Any = None

    @cached_property
    def texts(self) -> ServedTextModel:
        """The model of texts, asked in lists."""
        return ServedTextModel(self.model)

    @property
    def languages(self) -> list[dict[str, Any]]:
        """The languages of the model of texts, with the number of words of each."""
        words = {} if self.model is None else self.texts.languages
        return [{"code": code, "words": count} for code, count in words.items()]

    @cached_property
    def examples(self) -> list[str]:
        """Some texts of the index, spread over it, none too long: what the page offers to try."""
        if self.index is None or not len(self.index):
            return []
        rows = np.flatnonzero(self.index.now.alive)
        chosen = rows[np.linspace(0, len(rows) - 1, _SPREAD).astype(int)].tolist()
        texts = dict.fromkeys(self.index.texts[row] for row in chosen)
        return [text for text in texts if _SHORTEST <= len(text) <= _LONGEST][:_EXAMPLES]

    def warm(self) -> None:
        """Compile, map and derive what the first request would otherwise wait for."""
        if self.model is not None:
            pair = ("a b", "a b", None, None)
            self.texts.compare([pair], DEFAULT)
            self.texts.explain([pair], DEFAULT)
        if self.index is not None and len(self.index):
            self.search([self.index.texts[0]], 1, DEFAULT, True)

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
            raise RefusedError(404, f"no such model is loaded; this needs {_REMEDIES[ability]}")

    def search(self, queries: list[str], k: int, measure: str, explain: bool) -> list[list[dict[str, Any]]]:
        """What the index finds for each query."""
        assert self.index is not None
        found = self.index.search_many(queries, k, measure)
        return [[hit.to_dict(explain) for hit in hits] for hits in found]

    def find_senses(self, items: list[tuple[str, str | None, int | None]]) -> list[dict[str, Any]]:
        """The senses of each word, and which one it has in a text where one is given."""
        return [self._senses(*item) for item in items]

    def _senses(self, word: str, text: str | None, at: int | None) -> dict[str, Any]:
        senses = [asdict(sense) for sense in self.senses.senses(word)]
        here = self.senses.disambiguate(word, text, at=at).to_dict() if text else None
        return {"word": word, "senses": senses, "here": here}


def load_served_models(
    model: str | None = None, index: str | None = None, senses: str | None = None, threads: int | None = None
) -> ServedModels:
    """Read what is to be served; an index brings its model along.

    A folder of another kind than its option says is an error that tells where it belongs.
    """
    import tacit
    from tacit.search.index import Index

    if model is None and index is None and senses is None:
        raise InputError("nothing to serve: name --model, --index or --senses, or use --demo")
    served = ServedModels(Path(model or index or senses or "").absolute().name)
    if index is not None:
        found = tacit.load(index)
        if not isinstance(found, Index):
            raise ModelError(f"{index} is no index: make one with tacit index OUT FILE --model {index}")
        found.n_threads = threads
        served.index, served.model = found, found.model
    if model is not None:
        served.model = _loaded(model, "compare", "compares no texts")
        served.model.n_threads = threads
    if senses is not None:
        served.senses = _loaded(senses, "disambiguate", "knows no senses")
    return served


def _loaded(folder: str, method: str, failing: str) -> Any:
    """What a folder holds, if it can do what it is wanted for."""
    import tacit

    found = tacit.load(folder)
    if not hasattr(found, method):
        kind = type(found).__name__
        raise ModelError(f"{folder} holds a {kind}, which {failing}: give it by its own option")
    return found
