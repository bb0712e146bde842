"""What routes work with: the models, the batcher, the limits; and the checks they share."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request

from tacit.server.batching import Batcher, Work
from tacit.server.map_drawing import MapDrawing
from tacit.server.metrics import Metrics
from tacit.server.refusals import RefusedError
from tacit.server.schemas import ProblemAnswer
from tacit.server.served_models import ServedModels
from tacit.server.settings import Settings

_REASONS = {
    400: "The body is no JSON.",
    401: "The token is missing or wrong.",
    403: "The host's name is foreign.",
    404: "Nothing loaded can answer this.",
    408: "The request arrived too slowly.",
    413: "The body is too large.",
    422: "The question is not as it has to be.",
    500: "A fault of the service.",
    503: "Too many requests wait, or the answer took too long.",
}
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemAnswer, "description": reason} for status, reason in _REASONS.items()
}


@dataclass
class Service:
    """Everything a route needs."""

    models: ServedModels
    settings: Settings
    metrics: Metrics
    batcher: Batcher
    drawing: MapDrawing | None

    async def ask(self, work: Work, items: list[Any], *options: Hashable) -> list[Any]:
        """Let the batcher do work."""
        return await self.batcher.ask(work, items, *options)

    def check_count(self, number: int, what: str = "texts") -> None:
        """Refuse too many texts in one request."""
        most = self.settings.limits.batch
        if number > most:
            raise RefusedError(
                422, f"{number:,} {what} in one request: at most {most:,}; send several requests"
            )


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


Here = Annotated[Service, Depends(_service)]
"""The service that was asked, as a route is given it."""
