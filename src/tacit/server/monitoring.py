"""Prometheus metrics, access log and OpenTelemetry traces."""

from __future__ import annotations

import json
import logging
import time
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit import __version__
from tacit.errors import MissingExtraError

access_logger = logging.getLogger("tacit.access")

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
CLIENT_CLOSED_REQUEST = 499
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Metrics:
    """Counters and histograms of one application; each application has its own registry.

    >>> metrics = Metrics()
    >>> metrics.observe_batch(n_items=3, n_requests=2)
    >>> "tacit_batched_items_total 3.0" in metrics.render()
    True
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        Info("tacit", "The version that runs.", registry=registry).info({"version": __version__})
        Gauge("tacit_start_time_seconds", "Start time.", registry=registry).set_to_current_time()
        self.in_flight = Gauge("tacit_requests_in_flight", "Requests being answered.", registry=registry)
        self.waiting = Gauge("tacit_questions_waiting", "Requests waiting for a batch.", registry=registry)
        self.batches = Counter("tacit_batches", "Batches processed.", registry=registry)
        self.questions = Counter("tacit_batched_questions", "Requests in batches.", registry=registry)
        self.items = Counter("tacit_batched_items", "Items in batches.", registry=registry)
        labels = ("method", "route", "status")
        self.requests = Counter("tacit_requests", "Requests answered.", labels, registry=registry)
        self.seconds = Histogram(
            "tacit_request_seconds",
            "Time from the headers of a request to the end of its response.",
            ("route",),
            buckets=_BUCKETS,
            registry=registry,
        )

    def observe_batch(self, n_items: int, n_requests: int) -> None:
        """Count a batch."""
        self.batches.inc()
        self.items.inc(n_items)
        self.questions.inc(n_requests)

    def render(self) -> str:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry).decode("utf-8")


class RequestMonitor:
    """Middleware that counts requests, and logs each one if ``log_format`` is "text" or "json".

    Metrics and log name the route, not the path: a label then takes few values, and paths and query strings
    may contain names of files and collections.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, log_format: str | None = None) -> None:
        self.app, self.metrics, self.log_format = app, metrics, log_format

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and record how it was answered."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, n_bytes, started = CLIENT_CLOSED_REQUEST, 0, time.perf_counter()

        async def send_and_record(message: Message) -> None:
            nonlocal status, n_bytes
            if message["type"] == "http.response.start":
                status = message["status"]
            n_bytes += len(message.get("body", b""))
            await send(message)

        try:
            with self.metrics.in_flight.track_inprogress():
                await self.app(scope, receive, send_and_record)
        finally:
            seconds = time.perf_counter() - started
            route = getattr(scope.get("route"), "path", "other")
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self.metrics.requests.labels(method, route, str(status)).inc()
            self.metrics.seconds.labels(route).observe(seconds)
            if self.log_format is not None:
                self._log(scope, route, status, n_bytes, seconds)

    def _log(self, scope: Scope, route: str, status: int, n_bytes: int, seconds: float) -> None:
        """Write one line of the access log."""
        entry = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "client": (scope.get("client") or ("-", 0))[0],
            "method": scope["method"][:10],
            "route": route,
            "status": status,
            "bytes": n_bytes,
            "ms": round(seconds * 1000, 1),
        }
        is_json = self.log_format == "json"
        access_logger.info(json.dumps(entry) if is_json else " ".join(map(str, entry.values())))


def log_access_to_stderr() -> None:
    """Print the lines of the access log on stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    access_logger.handlers, access_logger.propagate = [handler], False
    access_logger.setLevel(logging.INFO)


def install_tracing(app: Any, exporter: Any = None) -> Any:
    """Record each request as an OpenTelemetry span, configured by the OTEL_ environment variables.

    Without an ``exporter``, spans are sent to OTEL_EXPORTER_OTLP_ENDPOINT by HTTP. Returns the provider,
    whose ``shutdown`` sends the remaining spans.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation.fastapi import FastAPIInstrumentor
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingExtraError("OpenTelemetry", "telemetry") from None
    provider = TracerProvider(resource=Resource.create({"service.name": "tacit"}))
    provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter()))
    FastAPIInstrumentor.instrument_app(app, tracer_provider=provider, exclude_spans=["receive", "send"])
    return provider
