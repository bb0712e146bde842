"""An index as plain arrays and numbers, its model among them, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

import tacit
from tacit.errors import InputError, ModelError
from tacit.search.strings import Strings
from tacit.storage import Stored, write_model

if TYPE_CHECKING:
    from tacit.search.index import Index

AnIndex = TypeVar("AnIndex", bound="Index")

_TABLES = ("ids", "texts", "records")
_MODEL = "model."


def save_index(index: Index, folder: str | Path) -> None:
    """Write an index without its deleted rows."""
    if not hasattr(index.model, "to_stored"):
        raise InputError(f"a {type(index.model).__name__} cannot be kept with an index: it has no to_stored")
    model: Stored = index.model.to_stored()
    kept = index.compacted()
    arrays = {f"{_MODEL}{name}": array for name, array in model.arrays.items()}
    arrays |= {"vectors": kept.vectors, "chance": index.chance, **kept.words.arrays()}
    for name in _TABLES:
        arrays |= getattr(kept, name).arrays(name)
    if kept.graph is not None:
        arrays["graph"] = kept.graph.stored()
    parameters = {
        "model": {"class": model.kind, "parameters": model.parameters, "training": model.training},
        "next_number": kept.next_number,
    }
    training = {"texts": len(kept), "corpus": model.training.get("corpus")}
    write_model(folder, Stored("Index", parameters, training, arrays, model.vocabulary), _card(kept))


def restore_index(cls: type[AnIndex], stored: Stored, **given: Any) -> AnIndex:
    """Build an index again; ``given`` goes to its model."""
    arrays = stored.arrays
    try:
        index = cls(_restore_model(stored, given))
        index.vectors, index.chance = arrays["vectors"], arrays["chance"]
        for name in _TABLES:
            setattr(index, name, Strings.from_arrays(arrays, name))
        index.next_number = int(stored.parameters["next_number"])
        n = len(index.texts)
        index.words = index.words.restored(arrays, n)
        index.alive = np.ones(n, np.bool_)
        _check_shapes(index, n)
        if "graph" in arrays:
            from tacit.search.approximate import Graph

            index.graph = Graph.restored(arrays["graph"], index.vectors)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise ModelError(f"the index's parts do not fit together ({error}): build it again") from None
    return index


def _restore_model(stored: Stored, given: dict[str, Any]) -> Any:
    inner = stored.parameters["model"]
    kind = inner["class"]
    if kind not in tacit._STORABLE or kind == "Index":
        raise ModelError(
            f"the index has a model of class {kind!r}, which this tacit does not know: upgrade tacit"
        )
    arrays = {
        name.removeprefix(_MODEL): array for name, array in stored.arrays.items() if name.startswith(_MODEL)
    }
    parts = Stored(kind, inner["parameters"], inner["training"], arrays, stored.vocabulary, stored.version)
    return getattr(tacit, kind).from_stored(parts, **given)


def _check_shapes(index: Index, n: int) -> None:
    K = index.model.encode([]).shape[1]
    if index.vectors.shape != (n, K) or index.vectors.dtype != np.float32:
        raise ModelError(
            f"vectors are {index.vectors.dtype} {index.vectors.shape}, not float32 {(n, K)}: "
            "build the index again"
        )
    if index.chance.ndim != 1 or not len(index.chance):
        raise ModelError(
            f"chance has the shape {index.chance.shape}, not that of a list: build the index again"
        )
    if len(index.ids) != n or len(index.records) != n:
        raise ModelError(
            f"{len(index.ids)} ids and {len(index.records)} records for {n} texts: build it again"
        )


def _card(index: Index) -> str:
    return f"""# A tacit index

{len(index):,} texts with their vectors of {index.vectors.shape[1]} components, and the model that made these.
The texts themselves are in it.

```python
import tacit

index = tacit.load("this-folder")
index.search("what you look for")
```

Written by tacit {tacit.__version__}. Reading it runs no code of the folder.
"""
