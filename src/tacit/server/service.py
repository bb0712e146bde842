"""State shared by the routes, and their common checks."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Query, Request

from tacit.server.batching import Batcher
from tacit.server.collection_registry import CollectionRegistry
from tacit.server.collection_store import CollectionStore
from tacit.server.http_errors import ApiError
from tacit.server.jobs import JobQueue
from tacit.server.monitoring import Metrics
from tacit.server.request_limits import Shutdown
from tacit.server.request_schemas import CollectionName
from tacit.server.response_schemas import ErrorResponse
from tacit.server.served_collection import Pair, ServedClassifier, ServedCollection
from tacit.server.server_settings import Settings
from tacit.server.uploads import Uploads

logger = logging.getLogger(__name__)

_PAIR_COST, _CHAR_PAIRS_PER_COST = 2000, 150  # a cost of 1 is the time to read one character

OCTET_STREAM = "application/octet-stream"
BINARY_CONTENT: dict[str, Any] = {
    "content": {OCTET_STREAM: {"schema": {"type": "string", "format": "binary"}}}
}
"""A file in the OpenAPI document."""

ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorResponse}
    for status in (400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503, 507)
}


class Service:
    """The state that all routes share."""

    def __init__(
        self,
        settings: Settings,
        registry: CollectionRegistry,
        classifiers: Mapping[str, ServedClassifier],
        work_dir: Path,
        metrics: Metrics,
        shutdown: Shutdown,
    ) -> None:
        limits = settings.limits
        self.settings, self.registry, self.classifiers = settings, registry, classifiers
        self.work_dir, self.metrics, self.shutdown = work_dir, metrics, shutdown
        self.uploads, self.jobs = Uploads(work_dir, limits), JobQueue(limits.max_pending_jobs)
        self.batcher = Batcher(max_pending=limits.max_pending_requests, on_batch=metrics.observe_batch)
        metrics.waiting.set_function(self.batcher.__len__)
        self.is_ready = False

    async def collection(self, name: str | None, needs: str | None = None) -> ServedCollection:
        """Return a collection, None is the default one; raise a 404 error if it lacks what is needed."""
        collection = await self.registry.get(name)
        if needs is not None:
            collection.require(needs)
        return collection

    async def comparing_collection(self, model: str | None, collection: str | None) -> ServedCollection:
        """Return the collection of an OpenAI or Cohere request; ``model`` may be its name."""
        is_name = collection is None and self.registry.exists(model)
        return await self.collection(model if is_name else collection, needs="compare")

    def warm_up(self) -> None:
        """Do all work that would delay the first requests, then report readiness."""
        try:
            for owner in self.registry.preloaded.values():
                if owner.served is not None:
                    owner.served.warm_up()
        except Exception:
            logger.exception("the models could not be prepared")
        finally:
            self.is_ready = True

    def require_store(self) -> CollectionStore:
        """Return the store of collections; raise a 403 error if there is none."""
        if self.registry.store is None:
            raise ApiError(
                403,
                "creating collections is disabled: start the service with --home DIR, and with --token-file "
                "if other machines can reach it",
            )
        return self.registry.store

    def check_batch_size(self, n_items: int, noun: str = "texts") -> None:
        """Raise a 422 error if one request has too many texts."""
        limit = self.settings.limits.max_texts_per_request
        if n_items > limit:
            message = f"{n_items:,} {noun} in one request: at most {limit:,}; send several requests"
            raise ApiError(422, message)

    async def compare(
        self, collection: ServedCollection, pairs: list[Pair], measure: str, noun: str = "pairs"
    ) -> list[tuple[float, float | None]]:
        """Return the score and percentile of each pair; raise a 422 error beyond the limits."""
        self.check_batch_size(len(pairs), noun)
        sizes = [len(a) * len(b) for a, b, _, _ in pairs]
        limit = self.settings.limits.max_character_pairs
        if sum(sizes) > limit:
            message = f"these pairs have {sum(sizes):,} pairs of characters, at most {limit:,} per request"
            raise ApiError(422, f"{message}: send fewer")
        costs = [_PAIR_COST + size // _CHAR_PAIRS_PER_COST for size in sizes]
        return await self.batcher.submit(collection.compare, pairs, measure, costs=costs)


def _service(request: Request) -> Service:
    return request.app.state.service


ServiceDep = Annotated[Service, Depends(_service)]
"""The type of a route's parameter that gets the service."""
CollectionQuery = Annotated[
    CollectionName | None, Query(description="The collection; by default the default collection.")
]
