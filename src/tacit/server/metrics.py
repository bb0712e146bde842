"""Counters and histograms in the text format of Prometheus."""

from __future__ import annotations

import time
from collections import Counter
from threading import Lock
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit import __version__

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_HUNG_UP = 499


class Histogram:
    """How many values lie below each bound, their sum and their number.

    >>> seen = Histogram()
    >>> seen.add(0.002)
    >>> seen.lines("waited", "")[1], seen.lines("waited", "")[-1]
    ('waited_bucket{le="0.0025"} 1', 'waited_count 1')
    """

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.counts, self.total, self.number = [0] * len(BUCKETS), 0.0, 0

    def add(self, value: float) -> None:
        """Count a value."""
        self.total += value
        self.number += 1
        for place, bound in enumerate(BUCKETS):
            self.counts[place] += value <= bound

    def lines(self, name: str, labels: str) -> list[str]:
        """The lines of a histogram, with its labels in each."""
        joined = f"{labels}," if labels else ""
        own = f"{{{labels}}}" if labels else ""
        buckets = [
            f'{name}_bucket{{{joined}le="{b:g}"}} {n}' for b, n in zip(BUCKETS, self.counts, strict=True)
        ]
        return [
            *buckets,
            f'{name}_bucket{{{joined}le="+Inf"}} {self.number}',
            f"{name}_sum{own} {self.total:.6f}",
            f"{name}_count{own} {self.number}",
        ]


class Metrics:
    """What the service has done since it began."""

    def __init__(self) -> None:
        """Start at zero."""
        self._lock = Lock()
        self.started = time.time()
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.seconds: dict[str, Histogram] = {}
        self.in_flight = 0
        self.batches = self.batched_questions = self.batched_items = 0

    def saw_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        with self._lock:
            self.requests[method, route, status] += 1
            self.seconds.setdefault(route, Histogram()).add(seconds)

    def saw_batch(self, items: int, questions: int) -> None:
        """Count a batch."""
        with self._lock:
            self.batches += 1
            self.batched_items += items
            self.batched_questions += questions

    def render(self, waiting: int) -> str:
        """All of it, as text."""
        with self._lock:
            lines = _named("tacit_info", "gauge", "The version that runs.", [(f'version="{__version__}"', 1)])
            lines += _named(
                "tacit_start_time_seconds", "gauge", "When it began.", [("", round(self.started, 3))]
            )
            lines += _named(
                "tacit_requests_in_flight", "gauge", "Requests being answered.", [("", self.in_flight)]
            )
            lines += _named("tacit_questions_waiting", "gauge", "Questions in the queue.", [("", waiting)])
            lines += _named("tacit_batches_total", "counter", "Batches worked on.", [("", self.batches)])
            lines += _named(
                "tacit_batched_questions_total",
                "counter",
                "Questions in them.",
                [("", self.batched_questions)],
            )
            lines += _named(
                "tacit_batched_items_total", "counter", "Items in them.", [("", self.batched_items)]
            )
            rows = [
                (f'method="{method}",route="{route}",status="{status}"', number)
                for (method, route, status), number in sorted(self.requests.items())
            ]
            lines += _named("tacit_requests_total", "counter", "Requests answered.", rows)
            name = "tacit_request_seconds"
            lines += [
                f"# HELP {name} Time from a request's headers to its answer's end.",
                f"# TYPE {name} histogram",
            ]
            for route, histogram in sorted(self.seconds.items()):
                lines += histogram.lines(name, f'route="{route}"')
        return "\n".join(lines) + "\n"


def _named(name: str, kind: str, about: str, rows: list[tuple[str, Any]]) -> list[str]:
    values = [f"{name}{{{labels}}} {value}" if labels else f"{name} {value}" for labels, value in rows]
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}", *values]


class Watch:
    """Counts the requests that pass through to an application."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        """Stand before ``app``."""
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, started = _HUNG_UP, time.perf_counter()

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self.metrics.in_flight += 1
        try:
            await self.app(scope, receive, noted)
        finally:
            self.metrics.in_flight -= 1
            # the route, not the path: a label takes few values whatever is asked for
            route = getattr(scope.get("route"), "path", "other")
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self.metrics.saw_request(method, route, status, time.perf_counter() - started)
