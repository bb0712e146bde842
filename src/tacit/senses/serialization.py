"""A model of senses as plain arrays, numbers and words, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tacit import __version__
from tacit.errors import ModelError
from tacit.senses.topics import Topics
from tacit.storage import Stored

if TYPE_CHECKING:
    from tacit.senses.inducer import SenseInducer

Model = TypeVar("Model", bound="SenseInducer")
Row = tuple[str, str, str]

_NOT_STORED = ("n_threads", "callback", "random_state")


class Table:
    """The words of a model, rows of a kind, a key and a value.

    >>> Table([("member", "1", "fish"), ("member", "0", "cache")]).lists("member", 2)
    [['cache'], ['fish']]
    """

    def __init__(self, rows: Iterable[tuple[str, ...]]) -> None:
        """Sort rows by their kind."""
        self._kinds: dict[str, list[tuple[str, str]]] = {}
        for kind, key, value in rows:
            self._kinds.setdefault(kind, []).append((key, value))

    def pairs(self, kind: str) -> list[tuple[str, str]]:
        """The rows of a kind."""
        return self._kinds.get(kind, [])

    def lists(self, kind: str, n: int) -> list[list[str]]:
        """Rows that name the list, of ``n``, to which they belong."""
        found: list[list[str]] = [[] for _ in range(n)]
        for place, value in self.pairs(kind):
            found[int(place)].append(value)
        return found


def listed(kind: str, lists: list[list[str]]) -> list[Row]:
    """Lists as rows, each with the number of its list."""
    return [(kind, str(place), value) for place, values in enumerate(lists) for value in values]


def expect(name: str, array: Any, shape: tuple[int, ...]) -> None:
    """Raise an error unless an array has its shape and holds numbers."""
    if array.shape != shape:
        raise ModelError(f"{name} is {array.shape}, not {shape}: train the model again")
    if array.dtype.kind != "f" or not np.isfinite(array).all():
        raise ModelError(f"{name} holds what is no finite number: train the model again")


def to_stored(model: SenseInducer) -> Stored:
    """What both kinds of model keep, and what is their own."""
    topics = model.topics_
    parameters = {name: value for name, value in model.get_params().items() if name not in _NOT_STORED}
    if not isinstance(parameters["stop_words"], str | None):
        parameters["stop_words"] = sorted(parameters["stop_words"])
    arrays, own = model._pack()
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
    return Stored(
        kind=type(model).__name__,
        parameters=parameters,
        training=training,
        arrays={"context_loads": topics.loads, **arrays},
        vocabulary=[_clean(row) for row in (*rows, *own)],
        version=__version__,
    )


def from_stored(cls: type[Model], stored: Stored) -> Model:
    """Build a model again, or say that its parts do not fit together."""
    try:
        table = Table(stored.vocabulary)
        model = cls(**stored.parameters)
        model.random_state = stored.training["seed"]
        contexts = [term for term, _ in table.pairs("context")]
        loads = stored.arrays["context_loads"]
        expect("context_loads", loads, (len(contexts), loads.shape[-1]))
        stop = frozenset(term for term, _ in table.pairs("stop"))
        model.topics_ = Topics(contexts, loads, stop, dict(table.pairs("form")), dict(table.pairs("shown")))
        model.counts_ = {word: int(count) for word, count in table.pairs("count")}
        model.parsed_ = bool(stored.training["parsed"])
        model.n_passages_ = int(stored.training["passages"])
        model.divergence_ = list(stored.training["loss"])
        model._unpack(stored.arrays, table)
        model._check(list(model.words_))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelError(f"the model's parts do not fit together ({error}): train it again") from None
    return model


def _clean(row: Row) -> Row:
    """A row that fits on a line: white space is single blanks, and lone surrogates are marked."""
    kind, key, value = (" ".join(cell.encode("utf-8", "replace").decode().split()) for cell in row)
    return kind, key, value


def card(model: SenseInducer) -> str:
    """What a model is, for people who find its folder."""
    known = [model.topics_.surface(term) for term in model.words_]
    listed = ", ".join(known[:20]) + (" ..." if len(known) > 20 else "")
    return f"""# A tacit model of word senses

{type(model).__name__}, the senses of {len(known):,} words ({listed}), learnt from {model.n_passages_:,}
passages, with {model.topics_.n_components} latent dimensions over {len(model.topics_.contexts):,} context
words.

```python
import tacit

model = tacit.load("this-folder")
model.senses({known[0]!r})
```

Written by tacit {__version__}. Reading it runs no code of the folder.
"""
