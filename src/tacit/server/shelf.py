"""What is served: a model, an index, a model of senses; and the work they do for lists of items.

A model is asked by its methods, not by its class, so that models of one language and of several are served
alike. Every method here runs on the batcher's thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.server.errors import RefusedError

if TYPE_CHECKING:
    from tacit.search.index import Index

Array = NDArray[Any]
Spoken = str | None
Pair = tuple[str, str, Spoken, Spoken]
"""Two texts and their languages, None where the model has one language or finds out itself."""

_SPREAD, _SHORTEST, _LONGEST, _EXAMPLES = 200, 12, 90, 40


@dataclass
class Shelf:
    """The model that compares, the index that is searched, the model that knows senses: any may be absent."""

    name: str = "tacit"
    model: Any = None
    index: Index | None = None
    senses: Any = None

    @cached_property
    def languages(self) -> list[str]:
        """The codes of a model of several languages, the pivot first."""
        return list(getattr(self.model, "languages_", {}))

    @cached_property
    def examples(self) -> list[str]:
        """Some texts of the index, spread over it, none too long: what the page offers to try."""
        if self.index is None or not len(self.index):
            return []
        rows = np.flatnonzero(self.index.alive)
        chosen = rows[np.linspace(0, len(rows) - 1, _SPREAD).astype(int)].tolist()
        texts = dict.fromkeys(self.index.texts[row] for row in chosen)
        return [text for text in texts if _SHORTEST <= len(text) <= _LONGEST][:_EXAMPLES]

    def warm(self) -> None:
        """Compile, map and derive what the first request would otherwise wait for."""
        if self.model is not None:
            text = "a b"
            self.compare([(text, text, None, None)], "blend")
            self.explain([(text, text, None, None)], "blend")
        if self.index is not None and len(self.index):
            self.search([self.index.texts[0]], 1, "search", True)

    def abilities(self) -> list[str]:
        """What can be asked."""
        able = {
            "compare": self.model is not None,
            "search": self.index is not None,
            "map": self.index is not None and len(self.index) > 0,
            "senses": self.senses is not None,
            "languages": bool(self.languages),
        }
        return [name for name, has in able.items() if has]

    def need(self, ability: str) -> None:
        """Refuse a question that nothing loaded can answer."""
        if ability in self.abilities():
            return
        remedy = {
            "compare": "a model: tacit serve --model FOLDER",
            "search": "an index: tacit serve --index FOLDER",
            "map": "an index with texts: tacit serve --index FOLDER",
            "senses": "a model of senses: tacit serve --senses FOLDER",
            "languages": "a model of several languages: tacit serve --model FOLDER",
        }[ability]
        raise RefusedError(404, f"no such model is loaded; this needs {remedy}")

    def speak(self, *codes: Spoken) -> None:
        """Refuse languages that the model does not have."""
        for code in codes:
            if code is None:
                continue
            if not self.languages:
                raise InputError(f"language {code!r}: the model has one language; leave the language out")
            if code.lower() not in self.languages:
                raise InputError(f"language {code!r}: the model has {', '.join(self.languages)}")

    def encode(self, items: list[tuple[str, Spoken]]) -> list[Array]:
        """The vector of each text."""
        texts = [text for text, _ in items]
        return list(self.model.encode(texts, **self._spoken(language=[code for _, code in items])))

    def compare(self, pairs: list[Pair], measure: str) -> list[tuple[float, float]]:
        """The score of each pair, and its percentile among random pairs."""
        a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        left = self._settled(a, [pair[2] for pair in pairs])
        right = self._settled(b, [pair[3] for pair in pairs])
        spoken = self._spoken(language_a=left, language_b=right)
        scores = np.asarray(self.model.similarity_pairwise(a, b, measure=measure, **spoken), np.float64)
        chances = self._chances(scores, measure, left, right)
        return [(float(s), float(c)) for s, c in zip(scores, chances, strict=True)]

    def explain(self, pairs: list[Pair], measure: str) -> list[dict[str, Any]]:
        """The word-by-word parts of each pair's score."""
        return [self._explanation(*pair, measure) for pair in pairs]

    def _explanation(self, a: str, b: str, left: Spoken, right: Spoken, measure: str) -> dict[str, Any]:
        left, right = self._settled([a, b], [left, right])
        spoken = self._spoken(language_a=left, language_b=right)
        explained = self.model.explain(a, b, measure=measure, **spoken)
        known = [bool(vector.any()) for vector in self.encode([(a, left), (b, right)])]
        return {
            **explained.to_dict(),
            "percentile": float(self._chances(np.array([explained.score]), measure, [left], [right])[0]),
            "measure": measure,
            "known_a": known[0],
            "known_b": known[1],
            "language_a": left,
            "language_b": right,
        }

    def _settled(self, texts: list[str], given: list[Spoken]) -> list[Spoken]:
        """The languages of texts: as given, else as the model finds them, if it has several."""
        if not self.languages or None not in given:
            return given
        return [code or found for code, found in zip(given, self.model.detect(texts), strict=True)]

    def _chances(self, scores: Array, measure: str, left: list[Spoken], right: list[Spoken]) -> Array:
        """The percentiles of scores, among random pairs of the pivot and the pair's other language."""
        if not self.languages:
            return np.asarray(self.model.percentile(scores, measure=measure))
        pivot = self.languages[0]
        others = np.array([b if a in (None, pivot) else a for a, b in zip(left, right, strict=True)])
        chances = np.zeros(len(scores))
        for code in np.unique(others).tolist():
            mine = others == code
            chances[mine] = self.model.percentile(scores[mine], measure=measure, language=code)
        return chances

    def unsaid(self, items: list[tuple[str, Spoken]], k: int) -> list[list[tuple[str, float]]]:
        """The words each text is about but does not say."""
        return [self.model.unsaid(text, k, **self._spoken(language=code)) for text, code in items]

    def search(self, queries: list[str], k: int, measure: str, explain: bool) -> list[list[dict[str, Any]]]:
        """What the index finds for each query."""
        assert self.index is not None
        return [
            [hit.to_dict() for hit in hits]
            for hits in self.index.search_many(queries, k, measure=measure, explain=explain)
        ]

    def find_senses(self, items: list[tuple[str, str | None, int | None]]) -> list[dict[str, Any]]:
        """The senses of each word, and which one it has in a text where one is given."""
        return [self._senses(*item) for item in items]

    def _senses(self, word: str, text: str | None, at: int | None) -> dict[str, Any]:
        from dataclasses import asdict

        senses = [asdict(sense) for sense in self.senses.senses(word)]
        here = self.senses.disambiguate(word, text, at=at).to_dict() if text else None
        return {"word": word, "senses": senses, "here": here}

    def translate(self, items: list[tuple[str, Spoken, Spoken]], k: int) -> list[list[tuple[str, float]]]:
        """The words of another language used like each word."""
        return [self.model.translations(word, language=code, k=k, to=to) for word, code, to in items]

    def count_words(self, texts: list[str]) -> list[int]:
        """How many words each text has."""
        from tacit.text.tokens import tokenize

        return [len(tokenize(text)) for text in texts]

    def _spoken(self, **languages: Any) -> dict[str, Any]:
        """The languages as arguments, for a model that takes them."""
        return languages if self.languages else {}


def load_shelf(
    model: str | None = None, index: str | None = None, senses: str | None = None, threads: int | None = None
) -> Shelf:
    """Read what is to be served; an index brings its model along.

    A folder of another kind than its option says is an error that tells where it belongs.
    """
    import tacit
    from tacit.errors import ModelError
    from tacit.search.index import Index

    if model is None and index is None and senses is None:
        raise InputError("nothing to serve: name --model, --index or --senses, or use --demo")
    shelf = Shelf()
    if index is not None:
        found = tacit.load(index)
        if not isinstance(found, Index):
            raise ModelError(f"{index} is no index: make one with tacit index OUT FILE --model {index}")
        found.n_threads = found.model.n_threads = threads
        shelf.index, shelf.model = found, found.model
    if model is not None:
        shelf.model = tacit.load(model)
        if not hasattr(shelf.model, "similarity_pairwise"):
            kind = type(shelf.model).__name__
            raise ModelError(f"{model} holds a {kind}, which compares no texts: give it by its own option")
        shelf.model.n_threads = threads
    if senses is not None:
        shelf.senses = tacit.load(senses)
        if not hasattr(shelf.senses, "disambiguate"):
            kind = type(shelf.senses).__name__
            raise ModelError(f"{senses} holds a {kind}, which knows no senses: give it by its own option")
    shelf.name = Path(model or index or senses or "tacit").absolute().name
    return shelf
