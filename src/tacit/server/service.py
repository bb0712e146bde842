"""What routes work with: the models, the batcher, the limits; and the checks they share."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Query, Request

from tacit.server.batching import Batcher, Work
from tacit.server.collection_registry import CollectionRegistry
from tacit.server.collection_store import CollectionStore
from tacit.server.http_errors import ApiError
from tacit.server.jobs import JobQueue
from tacit.server.monitoring import Metrics
from tacit.server.request_limits import Shutdown
from tacit.server.schemas import Name, ProblemAnswer
from tacit.server.served_classifier import ServedClassifier
from tacit.server.served_collection import ServedCollection
from tacit.server.server_settings import Settings
from tacit.server.uploads import Uploads

_REASONS = {
    400: "The body is no JSON.",
    401: "The token is missing or wrong.",
    403: "The host's name is foreign, or this is not allowed here.",
    404: "Nothing loaded can answer this, or there is no such thing.",
    408: "The request arrived too slowly.",
    409: "There is one of this name already.",
    413: "The body is too large.",
    415: "The body is of another kind than it has to be.",
    422: "The question is not as it has to be.",
    429: "Too many jobs wait.",
    500: "A fault of the service.",
    503: "Too many requests wait, or the answer took too long.",
    507: "The disk is full.",
}
ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemAnswer, "description": reason} for status, reason in _REASONS.items()
}


@dataclass
class Service:
    """Everything a route needs."""

    library: CollectionRegistry
    settings: Settings
    metrics: Metrics
    batcher: Batcher
    jobs: JobQueue
    uploads: Uploads
    classifiers: dict[str, ServedClassifier]
    ending: Shutdown
    is_warm: bool = False

    async def collection(self, name: str | None, needs: str | None = None) -> ServedCollection:
        """Return the collection of a name, or the default one; a 404 if it cannot do what is needed."""
        models = await self.library.find(name)
        if needs is not None:
            models.need(needs)
        return models

    async def model(self, name: str, collection: str | None) -> ServedCollection:
        """The collection of this name, or the one a model is called by; any other model is the default."""
        if collection is None and name in self.library.names():
            return await self.library.find(name)
        return await self.library.find(collection)

    async def warm(self) -> None:
        """Compile, map and derive what first questions would otherwise wait for; then all is ready."""
        try:
            for models in list(self.library.given.values()):
                await asyncio.to_thread(models.warm)
        finally:
            self.is_warm = True

    @property
    def may_write(self) -> bool:
        """Whether collections can be made here."""
        return self.library.home is not None

    def home(self) -> CollectionStore:
        """Where collections are kept, if they may be made."""
        if self.library.home is None:
            raise ApiError(
                403,
                "no collections are made here: that needs a home (tacit serve --home DIR), and a token "
                "where others than this machine can reach it",
            )
        return self.library.home

    async def ask(
        self, work: Work, items: list[Any], *options: Hashable, costs: Sequence[int] | None = None
    ) -> list[Any]:
        """Let the batcher do work; ``costs`` are in characters read, for items that may be large."""
        return await self.batcher.ask(work, items, *options, costs=costs)

    def check_count(self, number: int, what: str = "texts") -> None:
        """Refuse too many texts in one request."""
        most = self.settings.limits.max_texts_per_request
        if number > most:
            raise ApiError(422, f"{number:,} {what} in one request: at most {most:,}; send several requests")


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


ServiceDep = Annotated[Service, Depends(_service)]
"""The service that was asked, as a route is given it."""
CollectionQuery = Annotated[Name | None, Query(description="The collection; left out, the default one.")]
"""The name of a collection in an address."""
