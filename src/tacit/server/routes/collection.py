"""Search in the index, and its map."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from tacit.search.map import map_points
from tacit.server import schemas
from tacit.server.map_drawing import MapDrawing
from tacit.server.refusals import Json, RefusedError
from tacit.server.service import REFUSALS, Here, Service

router = APIRouter(responses=REFUSALS, tags=["collection"])


@router.post("/search", response_model=schemas.SearchAnswer)
async def search(question: schemas.SearchQuestion, service: Here) -> Json:
    """The texts of the index most like the query, each with the words that made the match."""
    service.models.need("search")
    index = service.models.index
    assert index is not None
    options = (question.k, question.measure, question.explain)
    hits = await service.ask(service.models.search, [question.query], *options)
    return Json({"hits": hits[0], "searched": len(index)})


@router.get("/map", response_model=schemas.MapAnswer, responses={202: {"model": schemas.DrawingAnswer}})
async def map_of_index(service: Here) -> Json:
    """The index as points in a plane; 202 while it is being drawn, which the first question begins."""
    drawing = _drawing(service)
    drawing.start()
    if drawing.error is not None:
        raise RefusedError(503, drawing.error)
    if drawing.map is None:
        return Json({"done": drawing.done}, 202, {"retry-after": "1"})
    return Json(map_points(drawing.map))


@router.get("/map/{number}", response_model=schemas.PointAnswer)
async def point(number: Annotated[int, Path(ge=0, le=2**31)], service: Here) -> Json:
    """The text of a point of the map, counted from 0."""
    drawn = _drawing(service).map
    if drawn is None:
        raise RefusedError(404, "the map is not drawn yet: ask for /map first")
    if number >= len(drawn.ids):
        raise RefusedError(404, f"there is no point {number}: the map has {len(drawn.ids)}, counted from 0")
    group = drawn.groups[int(drawn.group[number])]
    return Json({"id": drawn.ids[number], "text": drawn.texts[number], "group": group})


def _drawing(service: Service) -> MapDrawing:
    service.models.need("map")
    assert service.drawing is not None
    return service.drawing
