"""The map of a collection."""

from __future__ import annotations

import json
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Path
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from tacit.search.map import Map, map_metadata, summarize_selection
from tacit.server import request_schemas as requests
from tacit.server import response_schemas as responses
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.service import BINARY_CONTENT, ERROR_RESPONSES, CollectionQuery, Service, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES, tags=["map"])


@router.get(
    "/map",
    response_model=responses.MapResponse,
    responses={202: {"model": responses.MapProgressResponse}},
)
async def get_map(service: ServiceDep, collection: CollectionQuery = None) -> JsonResponse:
    """Return the names of the groups and the labels; 202 while the map is being drawn.

    The first request starts drawing. The map is saved with the index until texts are added or deleted. After
    an error (503) the next request tries again.
    """
    builder = (await service.collection(collection, needs="map")).map_builder
    builder.start()
    if (current := builder.current_map()) is not None:
        return JsonResponse({"points": len(current), **map_metadata(current)})
    if (error := builder.take_error()) is not None:
        raise ApiError(503, error)
    return JsonResponse({"done": builder.progress}, 202, {"retry-after": "1"})


@router.get("/map/points", response_class=Response, responses={200: BINARY_CONTENT})
async def get_points(service: ServiceDep, collection: CollectionQuery = None) -> Response:
    """Return the points in binary, little-endian.

    First x and y of each point as 32-bit floats, then the row of each text as a 32-bit unsigned integer, then
    the number of each point's group as a byte.
    """
    current = await _require_map(service, collection)
    parts = (
        current.points.astype("<f4"),
        current.rows.astype("<u4"),
        np.asarray(current.group_ids, np.uint8),
    )
    return Response(b"".join(part.tobytes() for part in parts), media_type="application/octet-stream")


@router.post("/map/selection", response_model=responses.SelectionResponse)
async def select_points(request: requests.SelectionRequest, service: ServiceDep) -> JsonResponse:
    """Return the number of points inside a polygon, their distinctive words, and the first fifty texts."""
    current = await _require_map(service, request.collection)
    return JsonResponse(await run_in_threadpool(summarize_selection, current, request.line, request.group))


@router.get("/map/points/{number}", response_model=responses.PointResponse)
async def get_point(
    number: Annotated[int, Path(ge=0, le=2**31)], service: ServiceDep, collection: CollectionQuery = None
) -> JsonResponse:
    """Return the text of a point; points are counted from 0."""
    current = await _require_map(service, collection)
    if number >= len(current):
        message = f"there is no point {number}: the map has {len(current)} points, counted from 0"
        raise ApiError(404, message)
    columns = json.loads(current.snapshot.records[int(current.rows[number])])
    group = current.group_names[int(current.group_ids[number])]
    return JsonResponse(
        {"id": current.id(number), "text": current.text(number), "group": group, "columns": columns}
    )


async def _require_map(service: Service, collection_name: str | None) -> Map:
    """Return the current map of a collection; raise a 404 error if it is not drawn."""
    collection = await service.collection(collection_name, needs="map")
    current = collection.map_builder.current_map()
    if current is None:
        raise ApiError(404, "the map is not drawn yet: request /map first")
    return current
