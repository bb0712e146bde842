"""Collections by name: loaded on demand, reloaded, changed and deleted."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from tacit.errors import ModelError
from tacit.search.filters import column_types
from tacit.server.collection_store import INDEX_DIR, CollectionStore, read_info, write_info
from tacit.server.http_errors import ApiError
from tacit.server.response_schemas import CollectionResponse
from tacit.server.served_collection import ServedCollection, load_collection
from tacit.storage import lock_for_writing

if TYPE_CHECKING:
    from tacit.search.index import Index

T = TypeVar("T")

MAX_OPEN = 8  # collections from disk that are kept in memory


class CollectionRegistry:
    """Collections by name: those loaded when the service started, and those of the store.

    >>> CollectionRegistry([ServedCollection("faq")]).names()
    ['faq']
    """

    def __init__(
        self,
        preloaded: Sequence[ServedCollection],
        store: CollectionStore | None = None,
        n_threads: int | None = None,
    ) -> None:
        self.preloaded = {collection.name: collection for collection in preloaded}
        self.store, self.n_threads = store, n_threads
        self._open: OrderedDict[str, ServedCollection] = OrderedDict()
        self._load_lock = asyncio.Lock()

    def names(self) -> list[str]:
        """Return the names of all collections, the preloaded ones first."""
        stored = [] if self.store is None else self.store.list_names()
        return [*self.preloaded, *(name for name in stored if name not in self.preloaded)]

    @property
    def default(self) -> str | None:
        """The name of the default collection: the first preloaded one, else the newest of the store."""
        if self.preloaded:
            return next(iter(self.preloaded))
        return max(self.names(), key=lambda name: str(self._read_info(name).get("created")), default=None)

    async def get(self, name: str | None) -> ServedCollection:
        """Return a collection; None is the default one, or an empty one if there are none."""
        name = self.default if name is None else name
        if name is None:
            return ServedCollection()
        if name in self.preloaded:
            return self.preloaded[name]
        async with self._load_lock:
            if name not in self._open:
                self._open[name] = await asyncio.to_thread(self._load_stored, name)
            self._open.move_to_end(name)
            while len(self._open) > MAX_OPEN:
                self._open.popitem(last=False)
            return self._open[name]

    async def reload(self, name: str) -> None:
        """Load a collection from disk again; running requests keep the old one."""
        if name not in self.preloaded:
            self._open.pop(name, None)
            await self.get(name)
            return
        load_again = self.preloaded[name].load_again
        if load_again is None:
            raise ApiError(422, f"{name!r} was created in memory: there is no folder to load it from")
        self.preloaded[name] = await asyncio.to_thread(_load, name, load_again)

    async def update(self, name: str, change: Callable[[Index], T]) -> T:
        """Change the index of a stored collection, save it, and update its description."""
        store = self._require_writable(name)
        collection = await self.get(name)
        index, folder = collection.required_index, store.folder_of(name)

        def work() -> T:
            with lock_for_writing(folder / INDEX_DIR):
                result = change(index)
                index.save(folder / INDEX_DIR)
            write_info(folder, {**read_info(folder), "texts": len(index)})
            return result

        result = await asyncio.to_thread(work)
        collection.__dict__.pop("examples", None)
        return result

    async def delete(self, name: str) -> None:
        """Delete a stored collection."""
        store = self._require_writable(name)
        self._open.pop(name, None)
        await asyncio.to_thread(store.delete, name)

    def _require_writable(self, name: str) -> CollectionStore:
        """Return the store of a collection; raise an error if it is preloaded or does not exist."""
        if name in self.preloaded:
            message = f"{name!r} was loaded at the start: change it with tacit index, then POST .../reload"
            raise ApiError(403, message)
        return self._store_of(name)

    def _store_of(self, name: str) -> CollectionStore:
        """Return the store of a collection; raise a 404 error if the collection does not exist."""
        if self.store is None or name not in self.store.list_names():
            raise ApiError(404, f"there is no collection {name[:80]!r}: GET /collections lists all")
        return self.store

    def _load_stored(self, name: str) -> ServedCollection:
        """Load a collection of the store."""
        index = str(self._store_of(name).folder_of(name) / INDEX_DIR)
        return _load(name, partial(load_collection, index=index, n_threads=self.n_threads, name=name))

    def _read_info(self, name: str) -> dict[str, Any]:
        return {} if self.store is None else read_info(self.store.folder_of(name))

    def describe(self, name: str) -> dict[str, Any]:
        """Return the fields of ``CollectionResponse`` without loading the collection."""
        collection = self.preloaded.get(name)
        if collection is None:
            info = self._read_info(name)
        else:
            index = collection.index
            info = {
                "texts": 0 if index is None else len(index),
                "languages": [language["code"] for language in collection.languages],
                "columns": [] if index is None else column_types(index.snapshot),
            }
        fields = {field: info.get(field) for field in CollectionResponse.model_fields}
        return fields | {"name": name, "deletable": collection is None}


def _load(name: str, load: Callable[[], ServedCollection]) -> ServedCollection:
    """Load and warm up a collection; raise a 503 error if that fails."""
    try:
        collection = load()
    except ModelError as error:
        raise ApiError(503, f"cannot load the collection {name!r}: {error}") from None
    collection.warm_up()
    return collection
