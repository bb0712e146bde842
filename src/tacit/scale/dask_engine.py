"""Passes on the workers of a Dask cluster, which schedules, retries and ships data; nothing of ours does.

What all calls share is scattered once; a partition's rows lie in the work folder, which every worker must be
able to read; what comes back is added up where it is, in the one tree that every engine has.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from tacit.errors import InputError, TacitError, import_extra
from tacit.scale.sums import FAN_IN, add_neighbours

T = TypeVar("T")

TIMEOUT = "10s"
"""How long a scheduler may take to answer, at first and after the connection is lost."""


class ClusterError(TacitError):
    """The cluster is gone, or its workers die of the work."""


class DaskEngine:
    """Passes on a cluster, through a ``dask.distributed.Client``."""

    name = "dask"

    def __init__(self, client: Any, n_threads: int) -> None:
        """Keep the client; ``n_threads`` are for the work between passes, which is done here."""
        self.client, self.n_threads = client, n_threads

    def share(self, value: Any) -> Any:
        """Send a value to every worker."""
        with _cluster_named(self.client):
            return self.client.scatter(value, broadcast=True, hash=False)

    def run(
        self,
        work: Callable[..., T],
        items: Sequence[Any],
        shared: tuple[Any, ...],
        add: Callable[[T, T], T],
        tell: Callable[[Any], None],
    ) -> T:
        """The sum over the items; groups of neighbours are told together."""
        from dask.distributed import as_completed

        submit, name = self.client.submit, f"{work.__name__}-{secrets.token_hex(4)}"
        with _cluster_named(self.client):
            leaves = [submit(work, item, *shared, key=f"{name}-{n}") for n, item in enumerate(items)]
            nodes = self._added(add, leaves, f"{name}-sum-0")
            groups = {node.key: items[n * FAN_IN : (n + 1) * FAN_IN] for n, node in enumerate(nodes)}
            del leaves  # the cluster lets go of what is added up
            level = nodes
            for depth in range(1, 64):
                if len(level) == 1:
                    break
                level = self._added(add, level, f"{name}-sum-{depth}")
            (total,) = level
            waiting = as_completed(nodes, loop=self.client.loop)
            del nodes, level
            for node in waiting:
                node.result() if node.status != "finished" else None
                for item in groups[node.key]:
                    tell(item)
            return total.result()  # type: ignore[no-any-return]

    def _added(self, add: Callable[[T, T], T], values: list[Any], name: str) -> list[Any]:
        """The next level of the tree."""
        groups = [values[n : n + FAN_IN] for n in range(0, len(values), FAN_IN)]
        return [
            self.client.submit(add_neighbours, add, group, key=f"{name}-{n}")
            for n, group in enumerate(groups)
        ]


@contextmanager
def _cluster_named(client: Any) -> Iterator[None]:
    """Turn what the cluster raises of itself into one line; errors of the work pass."""
    from asyncio import CancelledError
    from concurrent.futures import CancelledError as Cancelled

    from dask.distributed import KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm.core import CommClosedError

    where = getattr(client.scheduler, "address", "")
    remedy = "give the same command again: it goes on after the last whole sweep"
    try:
        yield
    except KilledWorker as error:
        raise ClusterError(
            f"workers of the cluster at {where} died of the same task again and again ({error.task}): give "
            f"them more memory, or fewer threads each; then {remedy}"
        ) from error
    except (CancelledError, Cancelled, FutureCancelledError, CommClosedError, TimeoutError, OSError) as error:
        if isinstance(error, TacitError):
            raise
        raise ClusterError(
            f"the cluster at {where} is gone ({type(error).__name__}): start it again, then {remedy}"
        ) from error


@contextmanager
def connected(scheduler: str | None, n_workers: int, memory: int) -> Iterator[Any]:
    """A client of the scheduler at an address; without one, of worker processes of this machine."""
    distributed = import_extra("dask.distributed", "training on Dask", "scale")
    if scheduler is not None:
        with _client_of(scheduler) as client:
            yield client
        return
    limit = memory // n_workers
    with (
        distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, memory_limit=limit, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def _client_of(scheduler: str) -> Any:
    """A client of the scheduler at an address."""
    from dask.distributed import Client
    from distributed.comm.addressing import get_address_host_port

    try:
        get_address_host_port(scheduler)
    except ValueError:  # a client would leave a thread behind
        raise InputError(
            f"scheduler={scheduler} is no address: give one as tcp://HOST:8786", parameter="scheduler"
        ) from None
    try:
        return Client(scheduler, timeout=TIMEOUT, set_as_default=False)
    except OSError as error:
        raise InputError(
            f"no Dask scheduler answers at {scheduler} ({type(error).__name__}); check the address"
        ) from error
