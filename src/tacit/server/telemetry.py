"""Traces for OpenTelemetry, by its own packages; where they go is told by its own variables (OTEL_...)."""

from __future__ import annotations

from typing import Any

from tacit.errors import MissingExtraError


def trace(app: Any, exporter: Any = None) -> Any:
    """Let each request be a span; without an ``exporter`` spans go to OTEL_EXPORTER_OTLP_ENDPOINT, by HTTP.

    Returns the provider, whose ``shutdown`` sends what is left.
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
