"""The map of a collection: its points, their texts, and what lies within a line."""

from __future__ import annotations

import json
from typing import Annotated
from weakref import WeakKeyDictionary

import numpy as np
from fastapi import APIRouter, Path
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from tacit.search.index import Index
from tacit.search.map import Map, map_metadata, summarize_selection
from tacit.server import map_schemas as schemas
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.map_builder import MapBuilder
from tacit.server.service import ERROR_RESPONSES, CollectionQuery, Service, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES, tags=["map"])

_BYTES = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
_DRAWINGS: WeakKeyDictionary[Index, MapBuilder] = WeakKeyDictionary()


@router.get("/map", response_model=schemas.MapAnswer, responses={202: {"model": schemas.DrawingAnswer}})
async def map_of_index(service: ServiceDep, collection: CollectionQuery = None) -> JsonResponse:
    """The names of groups and places on the map; 202 while it is drawn, which the first question begins.

    A map is drawn once and kept with its index, until texts are added or deleted. After a failure (503) the
    next question begins again.
    """
    drawing = await _drawing(service, collection)
    drawing.start()
    if drawing.ready() is None:
        if (error := drawing.error) is not None:
            raise ApiError(503, error)
        return JsonResponse({"done": drawing.done}, 202, {"retry-after": "1"})
    drawn = await _drawn(service, collection)
    return JsonResponse({"points": len(drawn), **map_metadata(drawn)})


@router.get("/map/points", response_class=Response, responses={200: _BYTES})
async def points(service: ServiceDep, collection: CollectionQuery = None) -> Response:
    """The points, as bytes, lowest first: x and y of each as 32-bit floats, then the row of each text as a
    32-bit whole number, then the number of each group as a byte.
    """
    drawn = await _drawn(service, collection)
    parts = (drawn.points.astype("<f4"), drawn.rows.astype("<u4"), np.asarray(drawn.group_ids, np.uint8))
    return Response(b"".join(part.tobytes() for part in parts), media_type="application/octet-stream")


@router.post("/map/selection", response_model=schemas.SelectionAnswer)
async def selection(question: schemas.SelectionQuestion, service: ServiceDep) -> JsonResponse:
    """What lies within a line: how many texts, the words that set them apart, the first fifty texts."""
    drawn = await _drawn(service, question.collection)
    return JsonResponse(await run_in_threadpool(summarize_selection, drawn, question.line, question.group))


@router.get("/map/points/{number}", response_model=schemas.PointAnswer)
async def point(
    number: Annotated[int, Path(ge=0, le=2**31)], service: ServiceDep, collection: CollectionQuery = None
) -> JsonResponse:
    """The text of a point of the map, counted from 0."""
    drawn = await _drawn(service, collection)
    if number >= len(drawn):
        raise ApiError(404, f"there is no point {number}: the map has {len(drawn)}, counted from 0")
    columns = json.loads(drawn.snapshot.records[int(drawn.rows[number])])
    group = drawn.group_names[int(drawn.group_ids[number])]
    return JsonResponse(
        {"id": drawn.id(number), "text": drawn.text(number), "group": group, "columns": columns}
    )


async def _drawing(service: Service, collection: str | None) -> MapBuilder:
    models = await service.collection(collection, needs="map")
    assert models.index is not None
    return _DRAWINGS.setdefault(models.index, MapBuilder(models.index, models.folder))


async def _drawn(service: Service, collection: str | None) -> Map:
    drawn = (await _drawing(service, collection)).ready()
    if drawn is None:
        raise ApiError(404, "the map is not drawn yet: ask for /map first")
    return drawn
