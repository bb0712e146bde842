"""Convert a sense model to the contents of a folder and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tacit.senses.topics import Topics
from tacit.storage.stored_model import ArrayReader, StoredModel, model_card, restoring

if TYPE_CHECKING:
    from tacit.senses.inducer import SenseInducer

Model = TypeVar("Model", bound="SenseInducer")
Row = tuple[str, str, str]

_NOT_STORED = ("n_threads", "callback", "random_state")


class Table:
    """The vocabulary table of a sense model: rows of a kind, a key and a value.

    >>> Table([("member", "1", "fish"), ("member", "0", "cache")]).lists("member", 2)
    [['cache'], ['fish']]
    """

    def __init__(self, rows: Iterable[tuple[str, ...]]) -> None:
        """Group rows by their kind."""
        self._kinds: dict[str, list[tuple[str, str]]] = {}
        for kind, key, value in rows:
            self._kinds.setdefault(kind, []).append((key, value))

    def pairs(self, kind: str) -> list[tuple[str, str]]:
        """Return the keys and values of a kind."""
        return self._kinds.get(kind, [])

    def lists(self, kind: str, n: int) -> list[list[str]]:
        """Return ``n`` lists of values; the key of a row is the number of its list."""
        lists: list[list[str]] = [[] for _ in range(n)]
        for number, value in self.pairs(kind):
            lists[int(number)].append(value)
        return lists


def listed(kind: str, lists: list[list[str]]) -> list[Row]:
    """Return a row for each value, with the number of its list as the key."""
    return [(kind, str(number), value) for number, values in enumerate(lists) for value in values]


def to_stored(model: SenseInducer) -> StoredModel:
    """Return the contents of the folder of a fitted sense model."""
    topics = model.topics_
    parameters = {name: value for name, value in model.get_params().items() if name not in _NOT_STORED}
    if not isinstance(parameters["stop_words"], str | None):
        parameters["stop_words"] = sorted(parameters["stop_words"])
    arrays, sense_rows = model._pack()
    rows: list[Row] = [("context", term, "") for term in topics.contexts]
    rows += [("stop", term, "") for term in sorted(topics.stop_words)]
    rows += [("form", form, term) for form, term in topics.forms.items()]
    rows += [("shown", term, form) for term, form in topics.shown.items()]
    rows += [("count", word, str(count)) for word, count in model.counts_.items()]
    training = {
        "seed": model.random_state,
        "passages": model.n_passages_,
        "parsed": model.parsed_,
        "loss": model.divergence_,
    }
    return StoredModel(
        kind=type(model).__name__,
        parameters=parameters,
        training=training,
        arrays={"context_loads": topics.loads, **arrays},
        vocabulary=[_clean(row) for row in (*rows, *sense_rows)],
    )


def from_stored(cls: type[Model], stored: StoredModel) -> Model:
    """Rebuild a sense model."""
    with restoring():
        table, reader = Table(stored.vocabulary), ArrayReader(stored.arrays)
        model = cls(**stored.parameters)
        model.random_state = stored.training["seed"]
        contexts = [term for term, _ in table.pairs("context")]
        loads = reader.floats("context_loads", np.float32, (len(contexts), None))
        stop = frozenset(term for term, _ in table.pairs("stop"))
        model.topics_ = Topics(contexts, loads, stop, dict(table.pairs("form")), dict(table.pairs("shown")))
        model.counts_ = {word: int(count) for word, count in table.pairs("count")}
        model.parsed_ = bool(stored.training["parsed"])
        model.n_passages_ = int(stored.training["passages"])
        model.divergence_ = list(stored.training["loss"])
        model._unpack(reader, table)
        model._check(list(model.words_))
        return model


def _clean(row: Row) -> Row:
    """Make a row fit on one line: runs of white space become one blank, lone surrogates a question mark."""
    kind, key, value = (" ".join(cell.encode("utf-8", "replace").decode().split()) for cell in row)
    return kind, key, value


def card(model: SenseInducer) -> str:
    """Return the README of a folder with a sense model."""
    known = [model.topics_.surface(term) for term in model.words_]
    words = ", ".join(known[:20]) + (" ..." if len(known) > 20 else "")
    summary = (
        f"{type(model).__name__}, the senses of {len(known):,} words ({words}), learned from "
        f"{model.n_passages_:,}\npassages, with {model.topics_.n_components} latent dimensions over "
        f"{len(model.topics_.contexts):,} context words."
    )
    return model_card("A tacit model of word senses", summary, f"model.senses({known[0]!r})")
