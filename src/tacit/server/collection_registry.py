"""Collections by name; those on disk are loaded on demand."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from tacit.errors import ModelError
from tacit.search.filters import column_types
from tacit.server.collection_store import CollectionStore
from tacit.server.http_errors import ApiError
from tacit.server.response_schemas import CollectionResponse
from tacit.server.served_collection import ServedCollection, load_collection

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
                self._open[name] = await asyncio.to_thread(self._load, name)
            self._open.move_to_end(name)
            while len(self._open) > MAX_OPEN:
                self._open.popitem(last=False)
            return self._open[name]

    def require_writable(self, name: str) -> CollectionStore:
        """Return the store of a collection; raise an error if it is preloaded or does not exist."""
        if name in self.preloaded:
            message = f"{name!r} was loaded at the start: change it with tacit index, then POST .../reload"
            raise ApiError(403, message)
        if self.store is None or name not in self.store.list_names():
            raise _not_found(name)
        return self.store

    async def reload(self, name: str) -> None:
        """Load a collection from disk again; running requests keep the old one."""
        if name not in self.preloaded:
            self.evict(name)
            await self.get(name)
            return
        old = self.preloaded[name]
        if old.folder is None:
            raise ApiError(422, f"{name!r} was created in memory: there is no folder to load it from")
        self.preloaded[name] = await asyncio.to_thread(old.reload)

    def evict(self, name: str) -> None:
        """Remove a collection from memory."""
        self._open.pop(name, None)

    def _load(self, name: str) -> ServedCollection:
        if self.store is None or name not in self.store.list_names():
            raise _not_found(name)
        try:
            index = str(self.store.index_dir(name))
            collection = load_collection(index=index, n_threads=self.n_threads, name=name)
        except ModelError as error:
            raise ApiError(503, f"cannot load the collection {name!r}: {error}") from None
        collection.warm_up()
        return collection

    def _read_info(self, name: str) -> dict[str, Any]:
        return {} if self.store is None else self.store.read_info(name)

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


def _not_found(name: str) -> ApiError:
    return ApiError(404, f"there is no collection {name[:80]!r}: GET /collections lists all")
