"""Convert sense models to arrays and vocabulary rows, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tacit.senses.topics import LatentTopics
from tacit.storage.stored_model import ArrayReader, StoredModel, model_card, restoring

if TYPE_CHECKING:
    from tacit.senses.base_model import BaseSenseModel

Model = TypeVar("Model", bound="BaseSenseModel")
Row = tuple[str, str, str]

_NOT_STORED = ("n_threads", "callback", "random_state")


class VocabularyTable:
    """The vocabulary of a sense model: rows of a kind, a key and a value.

    >>> VocabularyTable([("member", "1", "fish"), ("member", "0", "cache")]).group_by_list("member", 2)
    [['cache'], ['fish']]
    """

    def __init__(self, rows: Iterable[tuple[str, ...]]) -> None:
        """Group rows by kind."""
        self._kinds: dict[str, list[tuple[str, str]]] = {}
        for kind, key, value in rows:
            self._kinds.setdefault(kind, []).append((key, value))

    def pairs(self, kind: str) -> list[tuple[str, str]]:
        """Return the keys and values of a kind."""
        return self._kinds.get(kind, [])

    def group_by_list(self, kind: str, n: int) -> list[list[str]]:
        """Return ``n`` lists of values; the key of a row is the number of its list."""
        lists: list[list[str]] = [[] for _ in range(n)]
        for number, value in self.pairs(kind):
            lists[int(number)].append(value)
        return lists


def lists_to_rows(kind: str, lists: list[list[str]]) -> list[Row]:
    """Return a row for each value, with the number of its list as the key."""
    return [(kind, str(number), value) for number, values in enumerate(lists) for value in values]


def to_stored(model: BaseSenseModel) -> StoredModel:
    """Return the contents of the folder of a fitted sense model."""
    topics = model.topics_
    parameters = {name: value for name, value in model.get_params().items() if name not in _NOT_STORED}
    if not isinstance(parameters["stop_words"], str | None):
        parameters["stop_words"] = sorted(parameters["stop_words"])
    arrays, sense_rows = model._senses_to_arrays()
    rows: list[Row] = [("context", term, "") for term in topics.context_words]
    rows += [("stop", term, "") for term in sorted(topics.stop_words)]
    rows += [("form", form, term) for form, term in topics.lemma_of_form.items()]
    rows += [("shown", term, form) for term, form in topics.surface_forms.items()]
    rows += [("count", word, str(count)) for word, count in model.counts_.items()]
    training = {
        "seed": model.random_state,
        "passages": model.n_passages_,
        "parsed": model.is_parsed_,
        "loss": model.divergence_,
    }
    return StoredModel(
        kind=type(model).__name__,
        parameters=parameters,
        training=training,
        arrays={"context_loads": topics.loadings, **arrays},
        vocabulary=[_sanitize_row(row) for row in (*rows, *sense_rows)],
    )


def from_stored(cls: type[Model], stored: StoredModel) -> Model:
    """Restore a sense model from the contents of a folder."""
    with restoring():
        table, reader = VocabularyTable(stored.vocabulary), ArrayReader(stored.arrays)
        model = cls(**stored.parameters)
        model.random_state = stored.training["seed"]
        contexts = [term for term, _ in table.pairs("context")]
        loadings = reader.floats("context_loads", np.float32, (len(contexts), None))
        stop = frozenset(term for term, _ in table.pairs("stop"))
        model.topics_ = LatentTopics(
            contexts, loadings, stop, dict(table.pairs("form")), dict(table.pairs("shown"))
        )
        model.counts_ = {word: int(count) for word, count in table.pairs("count")}
        model.is_parsed_ = bool(stored.training["parsed"])
        model.n_passages_ = int(stored.training["passages"])
        model.divergence_ = list(stored.training["loss"])
        model._senses_from_arrays(reader, table)
        model._check(list(model.words_))
        return model


def _sanitize_row(row: Row) -> Row:
    """Replace white space by single blanks and lone surrogates by question marks, to fit a row on a line."""
    kind, key, value = (" ".join(cell.encode("utf-8", "replace").decode().split()) for cell in row)
    return kind, key, value


def card(model: BaseSenseModel) -> str:
    """Return the README of a folder with a sense model."""
    known = [model.topics_.surface_form(term) for term in model.words_]
    words = ", ".join(known[:20]) + (" ..." if len(known) > 20 else "")
    summary = (
        f"{type(model).__name__}, the senses of {len(known):,} words ({words}), learned from "
        f"{model.n_passages_:,}\npassages, with {model.topics_.n_components} latent dimensions over "
        f"{len(model.topics_.context_words):,} context words."
    )
    return model_card("A tacit model of word senses", summary, f"model.senses({known[0]!r})")
