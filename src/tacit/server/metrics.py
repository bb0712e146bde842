"""What the service has done since it began, for Prometheus."""

from __future__ import annotations

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit import __version__

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_HUNG_UP = 499


class Metrics:
    """Counters and histograms in a registry of their own: two applications in a process share nothing.

    >>> metrics = Metrics()
    >>> metrics.saw_batch(items=3, questions=2)
    >>> "tacit_batched_items_total 3.0" in metrics.render()
    True
    """

    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        Info("tacit", "The version that runs.", registry=own).info({"version": __version__})
        Gauge("tacit_start_time_seconds", "When it began.", registry=own).set_to_current_time()
        self.in_flight = Gauge("tacit_requests_in_flight", "Requests being answered.", registry=own)
        self.waiting = Gauge("tacit_questions_waiting", "Questions in the queue.", registry=own)
        self.batches = Counter("tacit_batches", "Batches worked on.", registry=own)
        self.questions = Counter("tacit_batched_questions", "Questions in them.", registry=own)
        self.items = Counter("tacit_batched_items", "Items in them.", registry=own)
        labels = ("method", "route", "status")
        self.requests = Counter("tacit_requests", "Requests answered.", labels, registry=own)
        about = "Time from a request's headers to its answer's end."
        self.seconds = Histogram("tacit_request_seconds", about, ("route",), buckets=_BUCKETS, registry=own)

    def saw_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        self.requests.labels(method, route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def saw_batch(self, items: int, questions: int) -> None:
        """Count a batch."""
        self.batches.inc()
        self.items.inc(items)
        self.questions.inc(questions)

    def render(self) -> str:
        """All of it, in the text format of Prometheus."""
        return generate_latest(self.registry).decode("utf-8")


class RequestCounter:
    """Counts the requests that pass through to an application."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
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

        try:
            with self.metrics.in_flight.track_inprogress():
                await self.app(scope, receive, noted)
        finally:
            # the route, not the path: a label takes few values whatever is asked for
            route = getattr(scope.get("route"), "path", "other")
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self.metrics.saw_request(method, route, status, time.perf_counter() - started)
