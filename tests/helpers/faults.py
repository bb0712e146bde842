"""Fault injection: the n-th call of a kind fails, for every n.

``for fault in every_fault("fsync"):`` gives one fault after another; inside ``with fault:`` the n-th call
fails, and the loop ends after the first pass in which there was no n-th call. A test thus meets every place
at which the disk can refuse, without knowing where these are.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from types import TracebackType
from typing import Any, Self
from unittest.mock import patch

import numpy as np

OPERATIONS = ("open", "write", "fsync", "replace", "unlink", "mkdir", "listdir", "read")
"""Operations that can fail: opening (`open`, `os.open`), a write (half of it is done), and calls of `os`."""

ALLOCATE = "allocate"
"""And, with MemoryError, a function of numpy that makes an array; kernels must have been compiled before."""


def no_space() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Fault:
    """The ``number``-th call of one operation fails; ``met`` says whether there was one."""

    def __init__(self, operation: str, number: int, error: Callable[[], BaseException]) -> None:
        self.operation, self.number, self.error = operation, number, error
        self.calls, self._patches = 0, ExitStack()

    @property
    def met(self) -> bool:
        return self.calls >= self.number

    def __enter__(self) -> Self:
        for place, name in _PLACES.get(self.operation, [(os, self.operation)]):
            real = getattr(place, name)
            self._patches.enter_context(patch.object(place, name, self._counting(real)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._patches.close()

    def fails(self) -> bool:
        """Count a call; say whether it is the one."""
        self.calls += 1
        return self.calls == self.number

    def _counting(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if self.operation in ("write", "read"):
                file = real(*args, **kwargs)
                return _File(file, self) if isinstance(file, io.BufferedIOBase) else file
            if self.fails():
                raise self.error()
            return real(*args, **kwargs)

        return call


class _File:
    """A file of which a write or a read may fail."""

    def __init__(self, file: Any, fault: Fault) -> None:
        self._file, self._fault = file, fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> int:
        if self._fault.operation == "write" and self._fault.fails():
            self._file.write(data[: len(data) // 2])
            self._file.flush()
            raise self._fault.error()
        return int(self._file.write(data))

    def read(self, *args: Any) -> Any:
        if self._fault.operation == "read" and self._fault.fails():
            raise self._fault.error()
        return self._file.read(*args)


_MAKERS = (
    "empty",
    "zeros",
    "ones",
    "full",
    "concatenate",
    "array",
    "arange",
    "zeros_like",
    "repeat",
    "unique",
)
_PLACES: dict[str, list[tuple[Any, str]]] = {
    ALLOCATE: [(np, name) for name in _MAKERS],
    "open": [(builtins, "open"), (os, "open")],
    "write": [(builtins, "open"), (io, "open")],
    "read": [(builtins, "open"), (io, "open"), (os, "fdopen")],
}


def every_fault(operation: str, error: Callable[[], BaseException] = no_space) -> Iterator[Fault]:
    """Give the fault of the first call, of the second, and so on, until there are no more calls."""
    for number in count(1):
        fault = Fault(operation, number, error)
        yield fault
        if not fault.met:
            return


def all_faults(operation: str, work: Callable[[], Any]) -> list[Fault]:
    """The fault of every call that ``work`` makes."""
    error = MemoryError if operation == ALLOCATE else no_space
    counting = Fault(operation, 0, error)
    with counting:
        work()
    return [Fault(operation, number, error) for number in range(1, counting.calls + 1)]
