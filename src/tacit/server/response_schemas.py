"""Response bodies of the HTTP API."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from tacit.search.map import Label
from tacit.senses.disambiguation import Sense


class ErrorDetail(BaseModel):
    """The error message, and the field with the invalid value."""

    message: str
    type: str
    param: str | None
    code: str | None


class ErrorResponse(BaseModel):
    """An error in OpenAI's format."""

    error: ErrorDetail


class Score(BaseModel):
    """The similarity of two texts, and the percentage of random pairs that score no higher, or null."""

    score: float
    percentile: float | None


class SimilarityResponse(BaseModel):
    """The score of each pair, in the order of the request."""

    results: list[Score]
    measure: str
    model: str


class ExplainResponse(Score):
    """``table[i][j]`` is the contribution of word i of ``a`` and word j of ``b``; it sums to the score.

    ``outside`` is the part of the score of vectors that do not split into words; it is missing if it is 0.
    """

    measure: str
    words_a: list[str]
    words_b: list[str]
    table: list[list[float]]
    parts: dict[str, list[list[float]]]
    outside: float | None = None
    known_a: bool
    known_b: bool
    language_a: str
    language_b: str


class WeightedWord(BaseModel):
    """A word and its weight."""

    word: str
    weight: float


class WordsResponse(BaseModel):
    """Words, the one with the highest weight first."""

    words: list[WeightedWord]


class ClassifyResponse(BaseModel):
    """The class of each text, and the probability of each of ``classes``."""

    classifier: str
    classes: list[str]
    labels: list[str]
    probabilities: list[list[float]]


class MatchedWords(BaseModel):
    """A word of the query, a word of the text, and their contribution to the score."""

    query: str
    text: str
    share: float


class HitResponse(Score):
    """A text, the words that match the query, and its row in the collection.

    ``match`` says how well the text fits the query: ``strong``, ``possible``, ``weak`` or ``no good match``;
    it is null for other measures than ``hybrid``, for models of several languages, and with outside vectors.
    ``outside`` is the part of the score that comes from outside vectors; it is missing without them.
    """

    id: str
    text: str
    match: str | None
    words: list[MatchedWords]
    columns: dict[str, Any]
    outside: float | None = None
    row: int


class ValueCount(BaseModel):
    """The number of texts with a value."""

    value: str | int | float | bool | None
    n: int


class SearchResponse(BaseModel):
    """The texts that are most similar to the query, best first.

    ``searched`` is the number of texts that fulfil the conditions, ``more`` says whether there are more hits,
    ``match`` how well the query fits the collection: ``no good match`` recognizes unrelated queries.
    ``unknown_words`` are those of the query that neither the model nor a text has.
    """

    hits: list[HitResponse]
    match: str | None
    offset: int
    more: bool
    searched: int
    counts: dict[str, list[ValueCount]] | None
    language: str
    unknown_words: list[str]


class SensesResponse(BaseModel):
    """The senses of a word; ``here`` is the one that it has in the text."""

    word: str
    senses: list[Sense]
    here: dict[str, Any] | None


class LanguageResponse(BaseModel):
    """A language of the model and the number of its words."""

    code: str
    words: int


class LanguagesResponse(BaseModel):
    """The languages of the model, the pivot first."""

    languages: list[LanguageResponse]


class HealthResponse(BaseModel):
    """The service is running."""

    status: Literal["ok"] = "ok"
    version: str


class ReadyResponse(BaseModel):
    """The service responds without delay."""

    status: Literal["ready"] = "ready"


class AboutResponse(BaseModel):
    """The loaded models, and the limits of a request; ``words`` is the sum over the languages."""

    name: str
    collection: str | None
    version: str
    abilities: list[str]
    words: int
    texts: int
    languages: list[LanguageResponse]
    examples: list[str]
    words_to_try: list[str]
    classifiers: list[str]
    may_write: bool
    limits: dict[Literal["text", "explained", "batch", "body", "results"], int]


class ColumnResponse(BaseModel):
    """A column and the kind of its values: text, number, boolean, link or other."""

    name: str
    kind: str


class CollectionResponse(BaseModel):
    """A collection: its texts, languages and columns, and notes on its training."""

    name: str
    texts: int | None
    languages: list[str] | None
    columns: list[ColumnResponse] | None
    created: str | None
    source: str | None
    notes: list[str] | None
    deletable: bool
    error: str | None = Field(description="Why the collection cannot be read.")


class CollectionsResponse(BaseModel):
    """All collections, the name of the default one, and how collections can be created."""

    collections: list[CollectionResponse]
    default: str | None
    may_write: bool
    limits: dict[Literal["upload_bytes", "texts", "collections", "jobs"], int]
    backgrounds: list[str]
    languages: list[str]
    language_names: dict[str, str]


class UploadResponse(BaseModel):
    """The detected properties of a file; the request that creates a collection can override it."""

    upload: str
    format: str
    rows: int | None
    columns: list[ColumnResponse]
    text: str
    id: str | None
    language: str | None
    language_name: str | None
    header: bool | None
    encoding: str | None
    note: str | None
    preview: list[dict[str, Any]]


class AddedResponse(BaseModel):
    """The ids of the added texts, in the order of the request."""

    ids: list[str]


class DeletedResponse(BaseModel):
    """The number of deleted texts."""

    deleted: int


class JobCreatedResponse(BaseModel):
    """The id of a new job, see GET /jobs/{job}."""

    job: str


class JobResponse(BaseModel):
    """The progress of a job (``done`` of ``total``) and its result."""

    id: str
    kind: str
    collection: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    done: float
    total: float
    message: str
    result: dict[str, Any] | None
    error: str | None


class JobsResponse(BaseModel):
    """The jobs, the oldest first."""

    jobs: list[JobResponse]


class JobResultResponse(BaseModel):
    """A page of the list of groups that a job found."""

    offset: int
    found: int
    groups: list[dict[str, Any]]


class JudgementResponse(BaseModel):
    """The ids of two texts, and 1 if they match or 0 if they do not."""

    id_a: str
    id_b: str
    label: float


class JudgementsResponse(BaseModel):
    """The judgements that are stored."""

    judgements: list[JudgementResponse]


class StoredResponse(BaseModel):
    """The number of judgements that are stored."""

    stored: int


class MapResponse(BaseModel):
    """The number of points, the names of the groups, and the labels; /map/points returns the points."""

    points: int
    groups: list[str]
    labels: list[Label]


class MapProgressResponse(BaseModel):
    """The part of the map that is drawn, from 0 to 1."""

    done: float


class PointResponse(BaseModel):
    """The text of a point, its group and its columns."""

    id: str
    text: str
    group: str
    columns: dict[str, Any]


class SelectedText(BaseModel):
    """A text inside the polygon, and the number of its point."""

    number: int
    id: str
    text: str


class SelectionResponse(BaseModel):
    """The number of points inside the polygon, their distinctive words, and the first texts."""

    count: int
    words: list[str]
    texts: list[SelectedText]
