"""Request bodies of the HTTP API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import core_schema

from tacit.models.measures import DEFAULT_MEASURE, get_measure, measure_names
from tacit.search.duplicates import JOIN_MEASURES
from tacit.search.filters import OPERATORS
from tacit.search.ranking import HYBRID, SEARCH_MEASURES
from tacit.server.served_collection import Pair
from tacit.server.server_settings import (
    MAX_DIMENSIONS,
    MAX_EXPLAINED_CHARS,
    MAX_OFFSET,
    MAX_RESULTS,
    MAX_TEXT_CHARS,
)
from tacit.server.worker import BACKGROUNDS


@dataclass(frozen=True)
class RuntimeLiteral:
    """A literal type whose values are known only when the service starts."""

    values: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.literal_schema(list(self.values))


def accept_integral_float(value: Any) -> Any:
    """Convert a float without a fraction to an int: in JSON, 3.0 is an integer too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def stop_at_errors(items: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    """Validate a long list in parts up to the first with errors, whose number is thus bounded."""
    if not isinstance(items, list) or len(items) <= _LIST_PART:
        return validate(items)
    valid: list[Any] = []
    for start in range(0, len(items), _LIST_PART):
        try:
            valid += validate(items[start : start + _LIST_PART])
        except ValidationError as error:
            problems = error.errors(include_url=False)
            shifted: Any = [{**problem, "loc": _shift(problem["loc"], start)} for problem in problems]
            raise ValidationError.from_exception_data(error.title, shifted) from None
    return valid


def _shift(location: tuple[int | str, ...], start: int) -> tuple[int | str, ...]:
    return (start + int(location[0]), *location[1:])


def limit_fields(value: Any) -> Any:
    """Raise an error for an object of many fields before each of them can cause errors."""
    if isinstance(value, dict) and len(value) > MAX_FIELDS:
        raise ValueError(f"an object of {len(value):,} fields, at most {MAX_FIELDS}: give fewer")
    return value


MAX_FIELDS = 200  # of a request, and columns of a filter
_LIST_PART = 1000  # items that are validated together
BoundedErrors = WrapValidator(stop_at_errors)
FewFields = BeforeValidator(limit_fields)
Integer = BeforeValidator(accept_integral_float)
_COLUMN_OPERATORS: dict[str, Any] = {"propertyNames": {"enum": [*OPERATORS]}}

Text = Annotated[str, StringConstraints(max_length=MAX_TEXT_CHARS)]
Texts = Annotated[list[Text], Field(min_length=1), BoundedErrors]
ShortText = Annotated[str, StringConstraints(max_length=MAX_EXPLAINED_CHARS)]
Count = Annotated[int, Field(ge=1, le=MAX_RESULTS), Integer]
Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Language = Annotated[
    Annotated[str, StringConstraints(min_length=2, max_length=35)] | None, Field(examples=[None])
]
CollectionName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
DocumentId = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
ColumnName = Annotated[str, StringConstraints(max_length=1000)]
TextColumns = Annotated[list[ColumnName], Field(min_length=1, max_length=20, fail_fast=True)]
ColumnValue = str | int | float | bool | None
ColumnValues = ColumnValue | Annotated[list[ColumnValue], Field(max_length=200, fail_fast=True)]
# ``Filter`` rejects other operators, with an error that lists them
Comparisons = Annotated[dict[str, ColumnValues], Field(json_schema_extra=_COLUMN_OPERATORS), FewFields]
Point = Annotated[
    list[Annotated[float, Field(ge=-100, le=100)]], Field(min_length=2, max_length=2, fail_fast=True)
]
Vector = Annotated[list[FiniteFloat], Field(min_length=1, max_length=MAX_DIMENSIONS, fail_fast=True)]
_EXPLAINABLE = tuple(name for name in measure_names() if get_measure(name).is_explainable)
Measure = Annotated[str, RuntimeLiteral(tuple(measure_names()))]
ExplainMeasure = Annotated[str, RuntimeLiteral(_EXPLAINABLE)]
SearchMeasure = Annotated[str, RuntimeLiteral(tuple(SEARCH_MEASURES))]
DuplicatesMeasure = Annotated[str, RuntimeLiteral(JOIN_MEASURES)]
BackgroundName = Annotated[str, RuntimeLiteral(BACKGROUNDS)]
JobId = Annotated[Annotated[str, StringConstraints(max_length=64)] | None, Field(examples=[None])]
ReportFormat = Literal["html", "md", "json", "xlsx"]
ThemeId = Annotated[str, StringConstraints(max_length=20)]
ThemeName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
MAX_JUDGEMENTS, MAX_STORED_JUDGEMENTS = 10_000, 100_000
"""Judgements of a request, and those that are stored of a collection or of two collections to link."""


class StrictRequest(BaseModel):
    """A request that may have no other fields, so that a misspelled option is an error."""

    model_config = ConfigDict(extra="forbid", strict=True)
    _limit_fields = model_validator(mode="before")(limit_fields)


class CollectionRequest(StrictRequest):
    """A request to a collection, by default to the default one."""

    collection: CollectionName | None = Field(None, examples=[None])


class TextPair(StrictRequest):
    """Two texts."""

    a: Text
    b: Text
    language_a: Language = None
    language_b: Language = None

    def as_tuple(self) -> Pair:
        """Return the texts and their languages."""
        return self.a, self.b, self.language_a, self.language_b


class SimilarityRequest(CollectionRequest):
    """Pairs of texts to compare."""

    pairs: Annotated[list[TextPair], BoundedErrors] = Field(
        examples=[[{"a": "my card was declined", "b": "the payment failed"}]]
    )
    measure: Measure = DEFAULT_MEASURE


class ExplainRequest(TextPair, CollectionRequest):
    """Two texts whose score is split into the contributions of word pairs."""

    a: ShortText
    b: ShortText
    measure: ExplainMeasure = DEFAULT_MEASURE


class UnsaidRequest(CollectionRequest):
    """A text, and how many related words to return."""

    text: Text
    k: Count = 10
    language: Language = None


class ClassifyRequest(StrictRequest):
    """Texts to classify."""

    texts: Texts = Field(examples=[["my card was declined"]])
    classifier: CollectionName | None = None


class ThemeFilter(StrictRequest):
    """The job that found the themes of a collection, and the id of the theme that hits must have."""

    job: Annotated[str, StringConstraints(max_length=64)]
    theme: ThemeId


class HitsRequest(CollectionRequest):
    """Which hits to return, and how many."""

    k: Count = 10
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET), Integer] = 0
    measure: SearchMeasure = HYBRID
    explain: bool = True
    language: Language = None
    where: Annotated[dict[CollectionName, ColumnValues | Comparisons], FewFields] | None = Field(
        None, examples=[None]
    )
    counts: bool = False
    theme: ThemeFilter | None = Field(None, examples=[None])


class SearchRequest(HitsRequest):
    """A text to search for, and its outside vector, if the texts of the collection were added with theirs."""

    query: ShortText = Field(examples=["reset password"])
    outside_vector: Vector | None = Field(None, examples=[None])


class SimilarRequest(HitsRequest):
    """The id of a text whose similar texts are searched."""

    id: Annotated[str, StringConstraints(max_length=1000)] = Field(examples=["1"])


class SensesRequest(CollectionRequest):
    """A word, and a text that contains it; ``at`` is the number of its token there, counted from 0."""

    word: Word
    text: ShortText | None = None
    at: Annotated[int | None, Field(ge=0, le=1_000_000), Integer] = None


class TranslationsRequest(CollectionRequest):
    """A word, its language and the target language; by default they are detected if possible."""

    word: Word
    language: Language = None
    to: Language = None
    k: Count = 10


class CreateCollectionRequest(StrictRequest):
    """A collection to create from an uploaded file or from texts.

    ``text`` names the text column, or several columns whose cells are joined; ``columns`` are the columns to
    keep, by default all. Other fields that are missing have the values that were detected.
    """

    name: Annotated[str, StringConstraints(min_length=1, max_length=60)] = Field(examples=["my notes"])
    upload: Annotated[str, StringConstraints(min_length=32, max_length=32)] | None = None
    texts: Texts | None = None
    text: ColumnName | TextColumns | None = None
    id: ColumnName | None = None
    columns: Annotated[list[ColumnName], Field(max_length=200, fail_fast=True)] | None = None
    language: Language = None
    header: bool | None = None
    background: BackgroundName | None = None


class Document(StrictRequest):
    """A text to add; by default its id is a number."""

    text: Text
    id: DocumentId | None = None
    columns: dict[CollectionName, Any] | None = None


class AddDocumentsRequest(StrictRequest):
    """Texts to add to a collection."""

    documents: Annotated[list[Document], Field(min_length=1), BoundedErrors]


class DeleteDocumentsRequest(StrictRequest):
    """The ids of texts to delete."""

    ids: Annotated[list[DocumentId], Field(min_length=1), BoundedErrors]


class DuplicatesRequest(CollectionRequest):
    """The minimum score of near-duplicates."""

    threshold: Annotated[float, Field(ge=0.5, le=1)] = 0.9
    measure: DuplicatesMeasure = DEFAULT_MEASURE


class ClustersRequest(CollectionRequest):
    """The number of groups, by default about sqrt(n / 2)."""

    n_clusters: Annotated[int, Field(ge=1, le=1000)] | None = None


class Judgement(StrictRequest):
    """Two ids, and 1 if their texts match or 0 if they do not."""

    id_a: DocumentId
    id_b: DocumentId
    label: Annotated[int, Field(ge=0, le=1), Integer]


class StoredJudgement(Judgement):
    """A judgement; a label of null withdraws the one that is stored."""

    label: Annotated[int, Field(ge=0, le=1), Integer] | None  # type: ignore[assignment]


class JudgementsRequest(CollectionRequest):
    """Judgements to store: of pairs of a collection, or of pairs of a collection and another one."""

    other: CollectionName | None = Field(None, examples=[None])
    judgements: Annotated[list[StoredJudgement], Field(min_length=1, max_length=MAX_JUDGEMENTS)]


class DecisionRequest(CollectionRequest):
    """At most one limit for accepting pairs, and judgements for this request besides those that are stored.

    ``job`` is the id of an earlier job for the same texts, whose model and candidates are used again.
    """

    job: JobId = None
    threshold: Annotated[float, Field(ge=-1000, le=1000)] | None = None
    precision: Annotated[float, Field(gt=0, le=1)] | None = None
    recall: Annotated[float, Field(gt=0, le=1)] | None = None
    judgements: Annotated[list[Judgement], Field(max_length=MAX_JUDGEMENTS)] = []


class LinkRequest(DecisionRequest):
    """The collection to link with; ``many`` lets a text match several texts of the other collection."""

    other: CollectionName
    many: bool = False


class DedupeRequest(DecisionRequest):
    """A collection that may have copies of texts."""


class ThemesRequest(CollectionRequest):
    """The number of themes, by default the most stable one, and names of your own by theme id.

    ``job`` is the id of an earlier job for the same collection, which is changed without training again.
    """

    job: JobId = None
    n_themes: Annotated[int, Field(ge=2, le=500), Integer] | None = None
    names: dict[ThemeId, ThemeName] = {}


class ReportRequest(ThemesRequest):
    """The title and the format of a report, and the columns to compare, by default those with few values."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    columns: Annotated[list[ColumnName], Field(max_length=20)] | None = None
    format: ReportFormat = "html"


class SelectionRequest(CollectionRequest):
    """A polygon on the map, and the number of a group to select only its points."""

    line: Annotated[list[Point], Field(min_length=3, max_length=10_000, fail_fast=True)] = Field(
        examples=[[[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]]]
    )
    group: Annotated[int, Field(ge=0, le=255)] | None = None
