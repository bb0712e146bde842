"""The owner of a collection's state: the only place that loads, changes and deletes the collection.

Its steps run one at a time on a thread of its own, so that no collection waits for another. A change is
applied to a copy, committed to disk under the lock of the folder, published to readers, and acknowledged. A
request that is cancelled before its step has begun is withdrawn; a step that has begun is always awaited,
because only its result says whether the change happened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from tacit.errors import InputError, ModelError
from tacit.server.http_errors import ApiError
from tacit.server.served_collection import ServedCollection
from tacit.storage import FolderLockedError, lock_for_writing, read_checksum

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.search.index import Index

T = TypeVar("T")

MAX_WAITING = 8  # changes of one collection
_POLL_SECONDS = 0.05


class CollectionOwner:
    """Loads one collection; changes and deletes it if it has a ``folder``, which holds its index.

    ``lock_timeout`` bounds the seconds that a request waits for earlier requests and for other processes.
    """

    def __init__(
        self,
        name: str,
        load: Callable[[], ServedCollection] | None,
        folder: Path | None = None,
        served: ServedCollection | None = None,
        lock_timeout: float = 10.0,
    ) -> None:
        self.name, self.folder, self.lock_timeout = name, folder, lock_timeout
        self.served = served
        """The published state that readers use; None while the collection is not in memory."""
        self.n_waiting = 0
        self._load = load
        self._write_lock = asyncio.Lock()  # held by the change that waits for the folder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tacit-collection")

    async def get(self) -> ServedCollection:
        """Return the collection, loaded if it is not in memory; never waits for another process."""
        if self.served is not None:
            return self.served
        return await asyncio.wrap_future(self._thread.submit(self._load_if_needed))

    async def reload(self) -> None:
        """Load the collection again; running requests keep the old one."""
        if self._load is None:
            raise ApiError(422, f"{self.name!r} was created in memory: there is no folder to load it from")
        with self._count_waiting():
            await self._run_to_end(partial(self._load_if_needed, is_forced=True))

    async def change(self, change: Callable[[Index], T]) -> T:
        """Apply a change to the index, commit it, publish it, and return its result."""
        return await self._write(partial(self._apply, change))

    async def delete(self, remove: Callable[[], None]) -> None:
        """Call ``remove``, which moves the folder away; another process may write it for ``lock_timeout``.

        After that, its write fails, because the folder is not where it was.
        """

        def forget() -> None:
            remove()
            self.served = None

        def delete() -> None:
            try:
                with lock_for_writing(self._existing_folder(), timeout=0, create=False):
                    forget()
            except (InputError, ModelError) as error:
                if isinstance(error, FolderLockedError):
                    raise
                forget()  # a damaged collection cannot be locked

        await self._write(delete, at_timeout=forget)

    def unload(self) -> None:
        """Release the memory of the collection after the steps under way; the next request loads it again."""
        self._thread.submit(setattr, self, "served", None)

    def stop(self, wait: bool = True) -> None:
        """End the thread after the steps under way."""
        self._thread.shutdown(wait)

    async def _write(self, step: Callable[[], T], at_timeout: Callable[[], T] | None = None) -> T:
        """Run a step that locks the folder, in the order of the requests."""
        clock = asyncio.get_running_loop().time
        end = clock() + self.lock_timeout
        with self._count_waiting():
            try:
                async with asyncio.timeout_at(end):
                    await self._write_lock.acquire()
            except TimeoutError:
                raise self._busy("other changes of it are waiting") from None
            try:
                while True:
                    try:
                        return await self._run_to_end(step)
                    except FolderLockedError:
                        if clock() >= end and at_timeout is not None:
                            return await self._run_to_end(at_timeout)
                        if clock() >= end:
                            raise self._busy("another process is writing it") from None
                    await asyncio.sleep(_POLL_SECONDS)
            finally:
                self._write_lock.release()

    @contextmanager
    def _count_waiting(self) -> Iterator[None]:
        """Count a request; raise a 503 error if too many are waiting."""
        if self.n_waiting >= MAX_WAITING:
            raise self._busy(f"{MAX_WAITING} changes of it are waiting")
        self.n_waiting += 1
        try:
            yield
        finally:
            self.n_waiting -= 1

    async def _run_to_end(self, step: Callable[[], T]) -> T:
        """Run a step on the thread; once it has begun, it is awaited even if the request is cancelled."""
        future = self._thread.submit(step)
        result = asyncio.wrap_future(future)
        while True:
            try:
                return await asyncio.shield(result)
            except asyncio.CancelledError:
                if future.cancel():
                    raise

    def _load_if_needed(self, is_forced: bool = False) -> ServedCollection:
        """Load, warm up and publish the collection; one of the store only if another state is committed."""
        if self.served is None or (is_forced and (self.folder is None or not self._is_current(self.folder))):
            served = self._read()
            served.warm_up()
            self.served = served
        return self.served

    def _read(self) -> ServedCollection:
        """Read the committed state of the collection."""
        assert self._load is not None
        try:
            return self._load()
        except ModelError as error:
            if self.folder is not None:
                self._existing_folder()
            raise ApiError(503, f"cannot load the collection {self.name!r}: {error}") from None

    def _apply(self, change: Callable[[Index], T]) -> T:
        """Change the committed state of the index, which another process may have changed."""
        folder = self._existing_folder()
        try:
            with lock_for_writing(folder, timeout=0, create=False):
                if self.served is None or not self._is_current(folder):
                    self.served = self._read()
                return self.served.required_index.update(folder, change)
        except InputError as error:
            if isinstance(error.__cause__, OSError):
                raise ApiError(507, error.problem) from error
            raise

    def _is_current(self, folder: Path) -> bool:
        """Return whether the collection in memory is the committed state of its folder."""
        committed = None if self.served is None else self.served.required_index.committed
        return committed is not None and committed[1] == read_checksum(folder)

    def _existing_folder(self) -> Path:
        """Return the folder of the index; raise a 404 error if the collection was deleted."""
        if self.folder is None or not self.folder.exists():
            raise missing_collection_error(self.name)
        return self.folder

    def _busy(self, reason: str) -> ApiError:
        return ApiError(503, f"the collection {self.name!r} is busy: {reason}; try again", retry_after="2")


def missing_collection_error(name: str) -> ApiError:
    """Return the 404 error for a collection that does not exist."""
    return ApiError(404, f"there is no collection {name[:80]!r}: GET /collections lists all")
