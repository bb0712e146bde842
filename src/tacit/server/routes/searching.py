"""Search in the index, and its map."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from tacit.search.map import map_points
from tacit.server.desk import REFUSALS, Desk, Here
from tacit.server.drawing import Drawing
from tacit.server.errors import Json, RefusedError
from tacit.server.schemas import DrawingAnswer, MapAnswer, PointAnswer, SearchAnswer, SearchQuestion

router = APIRouter(responses=REFUSALS, tags=["searching"])


@router.post("/search", response_model=SearchAnswer)
async def search(question: SearchQuestion, desk: Here) -> Json:
    """The texts of the index most like the query, each with the words that made the match."""
    desk.shelf.need("search")
    index = desk.shelf.index
    assert index is not None
    hits = await desk.ask(desk.shelf.search, [question.query], question.k, question.measure, question.explain)
    return Json({"hits": hits[0], "searched": len(index)})


@router.get("/map", response_model=MapAnswer, responses={202: {"model": DrawingAnswer}})
async def map_of_index(desk: Here) -> Json:
    """The index as points in a plane; 202 while it is being drawn, which the first question begins."""
    drawing = _drawing(desk)
    drawing.start()
    if drawing.error is not None:
        raise RefusedError(503, drawing.error)
    if drawing.map is None:
        return Json({"done": drawing.done}, 202, {"retry-after": "1"})
    return Json(map_points(drawing.map))


@router.get("/map/{number}", response_model=PointAnswer)
async def point(number: Annotated[int, Path(ge=0, le=2**31)], desk: Here) -> Json:
    """The text of a point of the map, counted from 0."""
    drawn = _drawing(desk).map
    if drawn is None:
        raise RefusedError(404, "the map is not drawn yet: ask for /map first")
    if number >= len(drawn.ids):
        raise RefusedError(404, f"there is no point {number}: the map has {len(drawn.ids)}, counted from 0")
    group = drawn.groups[int(drawn.group[number])]
    return Json({"id": drawn.ids[number], "text": drawn.texts[number], "group": group})


def _drawing(desk: Desk) -> Drawing:
    desk.shelf.need("map")
    assert desk.drawing is not None
    return desk.drawing
