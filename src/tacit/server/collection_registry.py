"""The collections that are served: those given at the start, and those of the home, read when asked for."""

from __future__ import annotations

import asyncio
import shutil
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from uuid import uuid4

from tacit.errors import ModelError
from tacit.search.filters import column_types
from tacit.server.collection_store import CollectionStore
from tacit.server.http_errors import ApiError
from tacit.server.served_collection import ServedCollection
from tacit.workflows.loading import load

OPEN = 8
"""Collections of the home that are held open at once."""


class CollectionRegistry:
    """Collections by name; ``given`` are those of the start, the first of them the default.

    >>> CollectionRegistry([ServedCollection("faq")]).names()
    ['faq']
    """

    def __init__(
        self,
        given: Sequence[ServedCollection],
        home: CollectionStore | None = None,
        threads: int | None = None,
    ) -> None:
        self.given = {models.name: models for models in given}
        self.home, self.threads = home, threads
        self._open: OrderedDict[str, ServedCollection] = OrderedDict()
        self._reading = asyncio.Lock()
        self._rooms: Path | None = None

    def names(self) -> list[str]:
        """All collections, those given at the start first."""
        kept = [] if self.home is None else self.home.names()
        return [*self.given, *(name for name in kept if name not in self.given)]

    @property
    def default(self) -> str | None:
        """The collection that is meant where none is named: the first given, or the newest of the home."""
        if self.given:
            return next(iter(self.given))
        names = self.names()
        return max(names, key=lambda name: str(self._about(name).get("created")), default=None)

    async def find(self, name: str | None) -> ServedCollection:
        """A collection by its name; None is the default, which may be empty."""
        wanted = self.default if name is None else name
        if wanted is None:
            return ServedCollection()
        if wanted in self.given:
            return self.given[wanted]
        async with self._reading:
            if wanted not in self._open:
                self._open[wanted] = await asyncio.to_thread(self._read, wanted)
            self._open.move_to_end(wanted)
            while len(self._open) > OPEN:
                self._open.popitem(last=False)
            return self._open[wanted]

    def owned(self, name: str) -> CollectionStore:
        """The home, if it holds this collection; those given at the start are not the service's to change."""
        if self.home is not None and name in self.home.names() and name not in self.given:
            return self.home
        if name in self.given:
            raise ApiError(
                403, f"{name!r} was given at the start: change it with tacit index, then POST .../reload"
            )
        raise _absent(name)

    async def reload(self, name: str) -> ServedCollection:
        """Read a collection's folder anew; questions under way keep what they had."""
        if name not in self.given:
            self._open.pop(name, None)
            return await self.find(name)
        old = self.given[name]
        if old.folder is None:
            raise ApiError(422, f"{name!r} was made in memory: there is no folder to read it from")
        self.given[name] = await asyncio.to_thread(old.read_again)
        return self.given[name]

    def forget(self, name: str) -> None:
        """Let go of a collection that changed or is gone."""
        self._open.pop(name, None)

    def _read(self, name: str) -> ServedCollection:
        if self.home is None or name not in self.home.names():
            raise _absent(name)
        try:
            index = load(self.home.index(name), "index", self.threads)
        except ModelError as error:
            raise ApiError(503, f"the collection {name!r} cannot be read: {error}") from None
        models = ServedCollection(name, index.model, index, folder=self.home.index(name))
        models.warm()
        return models

    def _about(self, name: str) -> dict[str, Any]:
        return {} if self.home is None else self.home.about(name)

    def described(self, name: str) -> dict[str, Any]:
        """What is known of a collection without searching it."""
        models = self.given.get(name)
        if models is None:
            about = self._about(name)
            known = ("texts", "languages", "columns", "created", "source", "notes")
            facts = {key: about.get(key) for key in known}
        else:
            facts = {
                "texts": 0 if models.index is None else len(models.index),
                "languages": [language["code"] for language in models.languages],
                "columns": [] if models.index is None else column_types(models.index.snapshot),
                "created": None,
                "source": None,
                "notes": None,
            }
        return {"name": name, **facts, "deletable": models is None}

    def room(self) -> Path:
        """A new folder to work in, in the home or among the system's temporary ones."""
        if self.home is not None:
            return self.home.room()
        if self._rooms is None:
            self._rooms = Path(mkdtemp(prefix="tacit-"))
        made = self._rooms / uuid4().hex
        made.mkdir()
        return made

    def close(self) -> None:
        """Remove what was temporary."""
        if self._rooms is not None:
            shutil.rmtree(self._rooms, ignore_errors=True)
            self._rooms = None


def _absent(name: str) -> ApiError:
    return ApiError(404, f"there is no collection {name[:80]!r}: GET /collections lists those there are")
