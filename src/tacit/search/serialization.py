"""An index as plain arrays and numbers, its model among them, and back."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit import __version__
from tacit.errors import InputError, ModelError
from tacit.models.percentiles import STEPS
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.models.token_table import TokenTable
from tacit.search.collection import Collection
from tacit.search.strings import Strings
from tacit.storage import Stored, write_model

if TYPE_CHECKING:
    from tacit.search.index import Index

logger = logging.getLogger(__name__)

AnIndex = TypeVar("AnIndex", bound="Index")

_TABLES = ("ids", "texts", "records")
_MODEL = "model."


def save_index(index: Index, folder: str | Path) -> None:
    """Write an index without its deleted rows."""
    model, now = index.model.to_stored(), index.now.compacted()
    arrays = {f"{_MODEL}{name}": array for name, array in model.arrays.items()}
    arrays |= {
        "vectors": now.vectors,
        "quantiles": index.quantiles,
        "token_ids": now.seen.ids,
        "token_counts": now.seen.counts,
        "spoken": now.seen.spoken,
        **Strings.of(now.seen.tokens.strings).arrays("tokens"),
    }
    for name in _TABLES:
        arrays |= getattr(now, name).arrays(name)
    if index.now.graph is not None:
        from tacit.search.approximate import Graph

        graph = now.graph or Graph.of(now.vectors, index.n_threads)  # rows have moved up: link them anew
        arrays["graph"] = graph.to_bytes()
    parameters = {
        "model": {"parameters": model.parameters, "training": model.training},
        "next_number": now.next_number,
    }
    training = {"texts": len(now), "corpus": model.training.get("corpus")}
    write_model(folder, Stored("Index", parameters, training, arrays, model.vocabulary), _card(now))


def restore_index(
    cls: type[AnIndex], stored: Stored, trusted: bool = False, tokenizer: Any = None
) -> AnIndex:
    """Build an index again. Its graph is read only from a folder that is ``trusted``."""
    arrays = stored.arrays
    try:
        inner = stored.parameters["model"]
        own = {name.removeprefix(_MODEL): a for name, a in arrays.items() if name.startswith(_MODEL)}
        parts = Stored("TextModel", inner["parameters"], inner["training"], own, stored.vocabulary)
        index = cls(TextModel.from_stored(parts, tokenizer=tokenizer))
        ids, texts, records = (Strings.from_arrays(arrays, name) for name in _TABLES)
        n = len(texts)
        if len(ids) != n or len(records) != n:
            raise ModelError(f"{len(ids)} ids and {len(records)} records for {n} texts: build it again")
        seen = _seen(index.model, arrays, n)
        next_number = int(stored.parameters["next_number"])
        index.now = Collection(seen, np.ones(n, np.bool_), ids, texts, records, next_number)
        index.quantiles = _checked(arrays, "quantiles", np.float32, (STEPS + 1,))
        if "graph" in arrays:
            _restore_graph(index, arrays["graph"], trusted)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise ModelError(f"the index's parts do not fit together ({error}): build it again") from None
    return index


def _seen(model: TextModel, arrays: dict[str, Any], n: int) -> TextSet:
    """The tokens and vectors of n texts, checked for what the kernels assume."""
    tokens = list(Strings.from_arrays(arrays, "tokens"))
    counts = _checked(arrays, "token_counts", np.int64, (n,))
    if n and (int(counts.min()) < 0 or int(counts.max()) > len(arrays["token_ids"])):
        raise ModelError("the texts of the index have no possible length: build it again")
    ids = _checked(arrays, "token_ids", np.int32, (int(counts.sum()),))
    spoken = _checked(arrays, "spoken", np.int64, (n,))
    vectors = _checked(arrays, "vectors", np.float32, (n, model.n_components))
    for name, numbers, end in (("token_ids", ids, len(tokens)), ("spoken", spoken, len(model.languages))):
        if len(numbers) and (int(numbers.min()) < 0 or int(numbers.max()) >= end):
            raise ModelError(f"{name} of the index point to what is not there: build it again")
    if len(set(tokens)) != len(tokens):
        raise ModelError("a token of the index stands there twice: build it again")
    if not np.isfinite(vectors).all():
        raise ModelError("the vectors of the index hold what is no number: build it again")
    seen = TextSet(model, TokenTable(list(model.languages.values()), tokens), ids, counts)
    seen.spoken, seen.vectors = spoken, vectors
    return seen


def _checked(arrays: dict[str, Any], name: str, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    array: NDArray[Any] = arrays[name]
    if array.dtype != dtype or array.shape != shape:
        raise ModelError(
            f"{name} of the index is {array.dtype} {array.shape}, not {np.dtype(dtype)} {shape}: "
            "build it again"
        )
    return array


def _restore_graph(index: Index, data: Any, trusted: bool) -> None:
    from dataclasses import replace

    from tacit.search.approximate import Graph

    if not trusted:
        logger.info("the index has a graph, which only load(folder, trusted=True) reads: searching exactly")
        return
    index.now = replace(index.now, graph=Graph.from_bytes(data, index.now.vectors))


def _card(now: Collection) -> str:
    return f"""# A tacit index

{len(now):,} texts with their vectors of {now.vectors.shape[1]} components, and the model that made these.
The texts themselves are in it.

```python
import tacit

index = tacit.load("this-folder")
index.search("what you look for")
```

Written by tacit {__version__}. Reading it runs no code of the folder.
"""
