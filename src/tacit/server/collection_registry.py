"""Collections by name, each with its owner; the least recently used ones are unloaded."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from tacit.search.filters import column_types
from tacit.server.collection_owner import CollectionOwner, missing_collection_error
from tacit.server.collection_store import INDEX_DIR, CollectionStore
from tacit.server.http_errors import ApiError
from tacit.server.response_schemas import CollectionResponse
from tacit.server.served_collection import ServedCollection, load_collection

if TYPE_CHECKING:
    from tacit.search.index import Index

T = TypeVar("T")

MAX_OPEN = 8  # collections from disk that are kept in memory


class CollectionRegistry:
    """Collections by name: those loaded when the service started, and those of the store.

    ``lock_timeout`` bounds the seconds that a change waits for other writers of its collection.

    >>> CollectionRegistry([ServedCollection("faq")]).names()
    ['faq']
    """

    def __init__(
        self,
        preloaded: Sequence[ServedCollection],
        store: CollectionStore | None = None,
        n_threads: int | None = None,
        lock_timeout: float = 10.0,
    ) -> None:
        self.preloaded = {
            served.name: CollectionOwner(served.name, served.load_again, served=served)
            for served in preloaded
        }
        self.store, self.n_threads, self.lock_timeout = store, n_threads, lock_timeout
        self._stored: OrderedDict[str, CollectionOwner] = OrderedDict()  # the last one was used last

    async def stop(self) -> None:
        """Wait for the loads and changes under way."""
        for owner in (*self.preloaded.values(), *self._stored.values()):
            await asyncio.to_thread(owner.stop)

    def names(self) -> list[str]:
        """Return the names of all collections, the preloaded ones first."""
        stored = [] if self.store is None else self.store.list_names()
        return [*self.preloaded, *(name for name in stored if name not in self.preloaded)]

    def exists(self, name: str | None) -> bool:
        """Return whether there is a collection with this name."""
        return name in self.preloaded or (self.store is not None and self.store.exists(name))

    async def default(self) -> str | None:
        """Return the name of the default collection: the first preloaded one, else the newest stored one."""
        if self.preloaded or self.store is None:
            return next(iter(self.preloaded), None)
        return await asyncio.to_thread(self.store.newest_name)

    async def get(self, name: str | None) -> ServedCollection:
        """Return a collection; None is the default one, or an empty one if there are none."""
        name = await self.default() if name is None else name
        if name is None:
            return ServedCollection()
        served = await self._owner(name).get()
        self._unload_oldest()
        return served

    async def reload(self, name: str) -> None:
        """Load a collection from disk again; running requests keep the old one."""
        await self._owner(name).reload()
        self._unload_oldest()

    async def update(self, name: str, change: Callable[[Index], T]) -> T:
        """Change the index of a stored collection, and return the result once it is committed."""
        self._require_writable(name)
        result = await self._owner(name).change(change)
        self._unload_oldest()
        return result

    async def delete(self, name: str) -> None:
        """Delete a stored collection."""
        store, owner = self._require_writable(name), self._owner(name)
        await owner.delete(partial(store.delete, name))
        if owner.n_waiting == 0:  # a change that waits must find this owner, and then no folder
            self._stored.pop(name, None)
            owner.stop(wait=False)

    def _require_writable(self, name: str) -> CollectionStore:
        """Return the store of a collection; raise an error if it is preloaded or does not exist."""
        if name in self.preloaded:
            message = f"{name!r} was loaded at the start: change it with tacit index, then POST .../reload"
            raise ApiError(403, message)
        if self.store is None or not self.store.exists(name):
            raise missing_collection_error(name)
        return self.store

    def _owner(self, name: str) -> CollectionOwner:
        """Return the one owner of a collection; raise a 404 error if the collection does not exist."""
        if name in self.preloaded:
            return self.preloaded[name]
        folder = self._require_writable(name).folder_of(name) / INDEX_DIR
        if name not in self._stored:
            load = partial(self._load_stored, name, str(folder))
            self._stored[name] = CollectionOwner(name, load, folder, lock_timeout=self.lock_timeout)
        self._stored.move_to_end(name)
        return self._stored[name]

    def _load_stored(self, name: str, folder: str) -> ServedCollection:
        served = load_collection(index=folder, n_threads=self.n_threads, name=name)
        return replace(served, is_stored=True)

    def _unload_oldest(self) -> None:
        """Unload the collections that were not used for the longest time, if too many are in memory."""
        loaded = [owner for owner in self._stored.values() if owner.served is not None]
        for owner in loaded[: max(0, len(loaded) - MAX_OPEN)]:
            owner.unload()

    def list_descriptions(self) -> list[dict[str, Any]]:
        """Return the fields of ``CollectionResponse`` for all collections, without loading them."""
        stored = [] if self.store is None else self.store.list_names(readable=False)
        return [self.describe(name) for name in dict.fromkeys([*self.preloaded, *stored])]

    def describe(self, name: str) -> dict[str, Any]:
        """Return the fields of ``CollectionResponse`` for a collection, without loading it."""
        owner = self.preloaded.get(name)
        if owner is None:
            info = {} if self.store is None else self.store.describe(name)
        else:
            assert owner.served is not None
            index = owner.served.index
            info = {
                "texts": 0 if index is None else len(index),
                "languages": [language["code"] for language in owner.served.languages],
                "columns": [] if index is None else column_types(index.snapshot),
            }
        fields = {field: info.get(field) for field in CollectionResponse.model_fields}
        return fields | {"name": name, "deletable": self.exists(name) and owner is None}
