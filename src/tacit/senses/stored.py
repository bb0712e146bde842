"""Models of senses as plain arrays, numbers and words, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tacit import __version__
from tacit.errors import ModelError
from tacit.senses.inventory import Inventory
from tacit.senses.localfeatures import Columns
from tacit.senses.mixture import Mixture
from tacit.senses.space import Space
from tacit.senses.wordmixture import WordMixture
from tacit.storage import Stored, write_model

if TYPE_CHECKING:
    from tacit.senses.base import SenseInducer
    from tacit.senses.local import LocalSenseModel
    from tacit.senses.model import SenseModel

Model = TypeVar("Model", bound="SenseInducer")
Row = tuple[str, str, str]

_NOT_STORED = ("n_threads", "callback", "random_state")


def save_senses(model: SenseInducer, folder: str | Path) -> None:
    """Write a fitted model."""
    write_model(folder, model.to_stored(), _card(model))


def stored_global(model: SenseModel) -> Stored:
    """A global model as plain parts."""
    inventory = model.inventory_
    arrays = {"profiles": inventory.profiles, "weights": inventory.weights.astype(np.float32)}
    rows = [("sense", word, str(last - first)) for word, (first, last) in inventory.spans.items()]
    rows += _listed("member", inventory.members) + _listed("example", inventory.examples)
    return _stored(model, arrays, rows)


def restore_global(cls: type[SenseModel], stored: Stored) -> SenseModel:
    """A global model from its parts."""

    def fill(model: SenseModel, table: _Table) -> None:
        counts = [int(n) for _, n in table.pairs("sense")]
        ends = np.cumsum([0, *counts]).tolist()
        words = [word for word, _ in table.pairs("sense")]
        spans = dict(zip(words, pairwise(ends), strict=True))
        profiles, weights = stored.arrays["profiles"], stored.arrays["weights"]
        _expect("profiles", profiles.shape, (ends[-1], model.n_components))
        _expect("weights", weights.shape, (ends[-1],))
        members, examples = (table.lists(kind, ends[-1]) for kind in ("member", "example"))
        model.inventory_ = Inventory(spans, profiles, weights, members, examples)

    return _restored(cls, stored, fill)


def stored_local(model: LocalSenseModel) -> Stored:
    """A local model as plain parts."""
    arrays: dict[str, Any] = {}
    rows: list[Row] = []
    for number, (word, found) in enumerate(model.mixtures_.items()):
        arrays[f"columns.{number}"] = found.mixture.log_columns.astype(np.float32)
        arrays[f"weights.{number}"] = found.mixture.log_weights
        arrays[f"shares.{number}"] = found.shares
        arrays[f"background.{number}"] = found.background.astype(np.float32)
        rows.append(("sense", word, str(number)))
        rows += [(f"column.{number}", name, "") for name in found.columns.names]
        rows += _listed(f"example.{number}", found.examples)
    return _stored(model, arrays, rows)


def restore_local(cls: type[LocalSenseModel], stored: Stored) -> LocalSenseModel:
    """A local model from its parts."""

    def fill(model: LocalSenseModel, table: _Table) -> None:
        model.mixtures_ = {}
        for word, number in table.pairs("sense"):
            names = [name for name, _ in table.pairs(f"column.{number}")]
            parts = (
                stored.arrays[f"{part}.{number}"] for part in ("columns", "weights", "shares", "background")
            )
            logs, weights, shares, background = parts
            n_senses = len(weights)
            _expect("columns", logs.shape, (len(names), n_senses))
            _expect("shares", shares.shape, (n_senses,))
            _expect("background", background.shape, (len(names),))
            examples = table.lists(f"example.{number}", n_senses)
            columns = Columns(names, model.n_components)
            model.mixtures_[word] = WordMixture(columns, Mixture(logs, weights), shares, background, examples)

    return _restored(cls, stored, fill)


def _stored(model: SenseInducer, arrays: dict[str, Any], rows: list[Row]) -> Stored:
    """What both kinds keep, and what is their own."""
    space = model.space_
    parameters = {name: value for name, value in model.get_params().items() if name not in _NOT_STORED}
    if not isinstance(parameters["stop_words"], str | None):
        parameters["stop_words"] = sorted(parameters["stop_words"])
    shared: list[Row] = [("context", term, "") for term in space.contexts]
    shared += [("stop", term, "") for term in sorted(space.stop_words)]
    shared += [("form", form, term) for form, term in space.forms.items()]
    shared += [("shown", term, form) for term, form in space.shown.items()]
    shared += [("count", word, str(count)) for word, count in model.counts_.items()]
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
        arrays={"context_loads": space.context_loads, **arrays},
        vocabulary=[_clean(row) for row in (*shared, *rows)],
        version=__version__,
    )


def _restored(cls: type[Model], stored: Stored, fill: Callable[[Any, _Table], None]) -> Model:
    """Build a model again, or say that its parts do not fit together."""
    try:
        table = _Table(stored.vocabulary)
        model = cls(**stored.parameters)
        model.random_state = stored.training["seed"]
        contexts = [term for term, _ in table.pairs("context")]
        loads = stored.arrays["context_loads"]
        _expect("context_loads", loads.shape, (len(contexts), model.n_components))
        stop = frozenset(term for term, _ in table.pairs("stop"))
        model.space_ = Space(contexts, loads, stop, dict(table.pairs("form")), dict(table.pairs("shown")))
        model.counts_ = {word: int(count) for word, count in table.pairs("count")}
        model.parsed_ = bool(stored.training["parsed"])
        model.n_passages_ = int(stored.training["passages"])
        model.divergence_ = list(stored.training["loss"])
        fill(model, table)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelError(f"the model's parts do not fit together ({error}): train it again") from None
    return model


class _Table:
    """The rows of a model's table by their kind."""

    def __init__(self, rows: Iterable[tuple[str, ...]]) -> None:
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


def _listed(kind: str, lists: list[list[str]]) -> list[Row]:
    return [(kind, str(place), value) for place, values in enumerate(lists) for value in values]


def _clean(row: Row) -> Row:
    """A row that fits on a line: white space is single blanks, and lone surrogates are marked."""
    kind, key, value = (" ".join(cell.encode("utf-8", "replace").decode().split()) for cell in row)
    return kind, key, value


def _expect(name: str, found: tuple[int, ...], expected: tuple[int, ...]) -> None:
    if found != expected:
        raise ModelError(f"{name} is {found}, not {expected}: train the model again")


def _card(model: SenseInducer) -> str:
    known = [model.space_.surface(term) for term in model.words_]
    listed = ", ".join(known[:20]) + (" ..." if len(known) > 20 else "")
    return f"""# A tacit model of word senses

{type(model).__name__}, the senses of {len(known):,} words ({listed}), learnt from {model.n_passages_:,}
passages, with {model.n_components} latent dimensions over {len(model.space_.contexts):,} context words.

```python
import tacit

model = tacit.load("this-folder")
model.senses({known[0]!r})
```

Written by tacit {__version__}. Reading it runs no code of the folder.
"""
