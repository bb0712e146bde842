"""The forms of questions and answers about collections, files and jobs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

from tacit.models.measures import DEFAULT_MEASURE
from tacit.search.duplicates import JOIN_MEASURES
from tacit.server.schemas import Asked, Language, Name, OneOf, Question, Text
from tacit.server.worker import BACKGROUNDS

Id = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
ColumnName = Annotated[str, StringConstraints(max_length=1000)]
Backing = Annotated[str, OneOf(BACKGROUNDS)]


class ColumnAnswer(BaseModel):
    """A column and what it holds: text, number, boolean, link or other."""

    name: str
    kind: str


class CollectionAnswer(BaseModel):
    """A collection: its texts, languages and columns, and what was noticed as it was learnt."""

    name: str
    texts: int | None
    languages: list[str] | None
    columns: list[ColumnAnswer] | None
    created: str | None
    source: str | None
    notes: list[str] | None
    deletable: bool


class CollectionsAnswer(BaseModel):
    """The collections, which is meant where none is named, and what may be made here."""

    collections: list[CollectionAnswer]
    default: str | None
    may_write: bool
    limits: dict[Literal["upload_bytes", "texts", "collections", "jobs"], int]
    backgrounds: list[str]
    languages: list[str]


class UploadAnswer(BaseModel):
    """What a file looks like; every guess may be corrected when a collection is made of it."""

    upload: str
    format: str
    rows: int | None
    columns: list[ColumnAnswer]
    text: str
    id: str | None
    language: str | None
    language_name: str | None
    header: bool | None
    encoding: str | None
    note: str | None
    preview: list[dict[str, Any]]


class NewCollection(Question):
    """A collection to be made: of an uploaded file, or of texts.

    ``text`` names the column of the texts, or several whose cells are joined; ``columns`` those to keep, all
    where it is left out. What is left out otherwise is as it was guessed.
    """

    name: Annotated[str, StringConstraints(min_length=1, max_length=60)] = Field(examples=["my notes"])
    upload: Annotated[str, StringConstraints(min_length=32, max_length=32)] | None = None
    texts: Annotated[list[Text], Field(min_length=1)] | None = None
    text: ColumnName | Annotated[list[ColumnName], Field(min_length=1, max_length=20)] | None = None
    id: ColumnName | None = None
    columns: Annotated[list[ColumnName], Field(max_length=200)] | None = None
    language: Language = None
    header: bool | None = None
    background: Backing | None = None


class StartedAnswer(BaseModel):
    """The job that was begun: ask GET /jobs/{job}."""

    job: str


class JobAnswer(BaseModel):
    """How far a long work is (``done`` of ``total``), and what came of it."""

    id: str
    kind: str
    collection: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    done: float
    total: float
    message: str
    result: dict[str, Any] | None
    error: str | None


class JobsAnswer(BaseModel):
    """The jobs, the oldest first."""

    jobs: list[JobAnswer]


class ResultAnswer(BaseModel):
    """A part of the list that a job has found."""

    offset: int
    found: int
    groups: list[dict[str, Any]]


class DuplicatesQuestion(Asked):
    """Which texts say nearly the same, from a score on."""

    threshold: Annotated[float, Field(ge=0.5, le=1)] = 0.9
    measure: Annotated[str, OneOf(JOIN_MEASURES)] = DEFAULT_MEASURE


class ClustersQuestion(Asked):
    """Which groups there are; left out, about sqrt(n / 2)."""

    n_clusters: Annotated[int, Field(ge=1, le=1000)] | None = None


class Document(Question):
    """A text to add; without an id it is numbered."""

    text: Text
    id: Id | None = None
    columns: dict[Name, Any] | None = None


class NewDocuments(Question):
    """Texts to add."""

    documents: Annotated[list[Document], Field(min_length=1)]


class OldDocuments(Question):
    """The ids of texts to take out."""

    ids: Annotated[list[Id], Field(min_length=1)]


class AddedAnswer(BaseModel):
    """The ids of the texts that were added, in their order."""

    ids: list[str]


class DeletedAnswer(BaseModel):
    """How many texts were taken out."""

    deleted: int
