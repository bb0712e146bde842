"""The forms of questions and answers about maps."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from tacit.server.schemas import Asked

Place = Annotated[list[Annotated[float, Field(ge=-100, le=100)]], Field(min_length=2, max_length=2)]


class LabelAnswer(BaseModel):
    """A name of a place: level 0 has the groups, each further level smaller neighbourhoods."""

    level: int
    x: float
    y: float
    name: str
    size: int


class MapAnswer(BaseModel):
    """How many points there are, the groups' names, and the names of places; /map/points has the points."""

    points: int
    groups: list[str]
    labels: list[LabelAnswer]


class DrawingAnswer(BaseModel):
    """How much of the map is drawn, from 0 to 1."""

    done: float


class PointAnswer(BaseModel):
    """The text of a point, and what came with it."""

    id: str
    text: str
    group: str
    columns: dict[str, Any]


class SelectionQuestion(Asked):
    """A closed line around points, and the number of the group that is meant, if one is."""

    line: Annotated[list[Place], Field(min_length=3, max_length=10_000)] = Field(
        examples=[[[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]]]
    )
    group: Annotated[int, Field(ge=0, le=255)] | None = None


class SelectedText(BaseModel):
    """A text within the line, and the number of its point."""

    number: int
    id: str
    text: str


class SelectionAnswer(BaseModel):
    """How many points lie within the line, the words that set their texts apart, and the first texts."""

    count: int
    words: list[str]
    texts: list[SelectedText]
