"""Run passes on the workers of a Dask cluster, which schedules, retries and ships data.

Shared arguments are scattered once. The rows of a partition are in the work folder, which every worker must
be able to read. Results are added on the workers, in the same tree as on threads.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from tacit.errors import InputError, TacitError, import_extra
from tacit.scale.engines import FAN_IN, add_group

T = TypeVar("T")

CONNECT_TIMEOUT = "10s"
"""Time that a scheduler may take to answer, at first and after the connection is lost."""


class ClusterError(TacitError):
    """The cluster does not answer, or its workers die repeatedly."""


class DaskEngine:
    """Runs passes on a cluster through a ``dask.distributed.Client``.

    ``n_threads`` is for the work between passes, which is done in this process.
    """

    name = "dask"

    def __init__(self, client: Any, n_threads: int) -> None:
        self.client, self.n_threads = client, n_threads

    def broadcast(self, value: Any) -> Any:
        """Send a value to every worker; return the future to pass to ``run`` in its place."""
        with _convert_cluster_errors(self.client):
            return self.client.scatter(value, broadcast=True, hash=False)

    def run(
        self, function: Callable[..., T], items: Sequence[Any], shared: tuple[Any, ...],
        add: Callable[[T, T], T], on_done: Callable[[Any], None],
    ) -> T:  # fmt: skip
        """Return the sum of ``function(item, *shared)`` over the items, in the order of the tree.

        ``on_done`` is called for the items of a node of the tree when they are added.
        """
        from dask.distributed import as_completed

        submit, name = self.client.submit, f"{function.__name__}-{secrets.token_hex(4)}"
        with _convert_cluster_errors(self.client):
            leaves = [submit(function, item, *shared, key=f"{name}-{n}") for n, item in enumerate(items)]
            nodes = self._add_level(add, leaves, f"{name}-sum-0")
            groups = {node.key: items[n * FAN_IN : (n + 1) * FAN_IN] for n, node in enumerate(nodes)}
            del leaves  # so that the cluster frees what has been added
            level, depth = nodes, 0
            while len(level) > 1:
                depth += 1
                level = self._add_level(add, level, f"{name}-sum-{depth}")
            (total,) = level
            waiting = as_completed(nodes, loop=self.client.loop)
            del nodes, level
            for node in waiting:
                if node.status != "finished":
                    node.result()  # raises the error of the task
                for item in groups[node.key]:
                    on_done(item)
            return total.result()

    def _add_level(self, add: Callable[[T, T], T], values: list[Any], name: str) -> list[Any]:
        """Submit the nodes of the next level of the tree."""
        groups = [values[n : n + FAN_IN] for n in range(0, len(values), FAN_IN)]
        return [
            self.client.submit(add_group, add, group, key=f"{name}-{n}") for n, group in enumerate(groups)
        ]


@contextmanager
def _convert_cluster_errors(client: Any) -> Iterator[None]:
    """Convert errors of Dask to one-line errors; errors of our own tasks propagate."""
    from asyncio import CancelledError
    from concurrent.futures import CancelledError as Cancelled

    from dask.distributed import KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm.core import CommClosedError

    address = getattr(client.scheduler, "address", "")
    remedy = "the same command resumes the training after the last complete sweep"
    try:
        yield
    except KilledWorker as error:
        raise ClusterError(
            f"workers of the cluster at {address} died repeatedly of the same task ({error.task}): give them "
            f"more memory, or fewer threads each; then {remedy}"
        ) from error
    except (CancelledError, Cancelled, FutureCancelledError, CommClosedError, TimeoutError, OSError) as error:
        if isinstance(error, TacitError):
            raise
        raise ClusterError(
            f"the cluster at {address} does not answer ({type(error).__name__}): restart it; then {remedy}"
        ) from error


@contextmanager
def connect(scheduler: str | None, n_workers: int, memory: int) -> Iterator[Any]:
    """Connect to the scheduler at an address, or start worker processes on this machine if it is None."""
    distributed = import_extra("dask.distributed", "training on Dask", "scale")
    with ExitStack() as stack:
        if scheduler is not None:
            client = _connect_to_scheduler(scheduler)
        else:
            options = {"n_workers": n_workers, "threads_per_worker": 1, "memory_limit": memory // n_workers}
            cluster = stack.enter_context(distributed.LocalCluster(**options, dashboard_address=":0"))
            client = distributed.Client(cluster, set_as_default=False)
        yield stack.enter_context(client)


def _connect_to_scheduler(scheduler: str) -> Any:
    """Return a client of the scheduler at an address."""
    from dask.distributed import Client
    from distributed.comm.addressing import get_address_host_port

    try:
        get_address_host_port(scheduler)
    except ValueError:  # checked here because a client with a wrong address leaves a thread behind
        raise InputError(
            f"scheduler={scheduler} is not an address: give one such as tcp://HOST:8786",
            parameter="scheduler",
        ) from None
    try:
        return Client(scheduler, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except OSError as error:
        raise InputError(
            f"no Dask scheduler answers at {scheduler} ({type(error).__name__}); check the address"
        ) from error
