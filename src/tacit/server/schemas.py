"""The forms of questions and answers, as the OpenAPI document tells them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import core_schema

from tacit.models.measures import DEFAULT_MEASURE
from tacit.search.filters import OPERATORS
from tacit.server.server_settings import MAX_EXPLAINED_CHARS, MAX_OFFSET, MAX_RESULTS, MAX_TEXT_CHARS
from tacit.server.text_model import measure_names

Text = Annotated[str, StringConstraints(max_length=MAX_TEXT_CHARS)]
ShortText = Annotated[str, StringConstraints(max_length=MAX_EXPLAINED_CHARS)]


def whole_number(given: Any) -> Any:
    """In JSON 3.0 is a whole number too."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


Count = Annotated[int, Field(ge=1, le=MAX_RESULTS), BeforeValidator(whole_number)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Code = Annotated[str, StringConstraints(min_length=2, max_length=35)]
Language = Annotated[Code | None, Field(examples=[None])]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
"""Of a collection."""
Value = str | int | float | bool | None
Values = Value | Annotated[list[Value], Field(max_length=200)]
Comparisons = Annotated[dict[str, Values], Field(json_schema_extra={"propertyNames": {"enum": [*OPERATORS]}})]
"""Values by operator; ``Filter`` refuses other operators, with an error that lists them."""


@dataclass(frozen=True)
class OneOf:
    """As ``Literal``, for names that are known only when the service starts."""

    names: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.literal_schema(list(self.names))


Measure = Annotated[str, OneOf(measure_names()["compare"])]
ExplainMeasure = Annotated[str, OneOf(measure_names()["explain"])]
SearchMeasure = Annotated[str, OneOf(measure_names()["search"])]


class Question(BaseModel):
    """Unknown fields are refused: a misspelt option would do nothing in silence."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Asked(Question):
    """A question to a collection; without its name, to the default one."""

    collection: Name | None = Field(None, examples=[None])


class TextPair(Question):
    """Two texts."""

    a: Text
    b: Text
    language_a: Language = None
    language_b: Language = None


class SimilarityQuestion(Asked):
    """Pairs to compare."""

    pairs: list[TextPair] = Field(examples=[[{"a": "my card was declined", "b": "the payment failed"}]])
    measure: Measure = DEFAULT_MEASURE


class Score(BaseModel):
    """How alike a pair is, and how many of a hundred random pairs score no higher."""

    score: float
    percentile: float


class SimilarityAnswer(BaseModel):
    """A score for each pair, in their order."""

    results: list[Score]
    measure: str
    model: str


class ExplainQuestion(TextPair, Asked):
    """Two texts whose score is to be split."""

    a: ShortText
    b: ShortText
    measure: ExplainMeasure = DEFAULT_MEASURE


class ExplainAnswer(Score):
    """``table[i][j]`` is what word i of ``a`` and word j of ``b`` add; the table sums to the score."""

    measure: str
    words_a: list[str]
    words_b: list[str]
    table: list[list[float]]
    parts: dict[str, list[list[float]]]
    known_a: bool
    known_b: bool
    language_a: str
    language_b: str


class UnsaidQuestion(Asked):
    """A text."""

    text: Text
    k: Count = 10
    language: Language = None


class WeightedWord(BaseModel):
    """A word and its weight."""

    word: str
    weight: float


class WordsAnswer(BaseModel):
    """Words, the weightiest first."""

    words: list[WeightedWord]


class ClassifyQuestion(Question):
    """Texts whose class is asked for."""

    texts: Annotated[list[Text], Field(min_length=1)] = Field(examples=[["my card was declined"]])
    classifier: Name | None = None


class ClassifyAnswer(BaseModel):
    """The class of each text, and the probability of each of ``classes``."""

    classifier: str
    classes: list[str]
    labels: list[str]
    probabilities: list[list[float]]


class HitsQuestion(Asked):
    """Which hits, and how many."""

    k: Count = 10
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET), BeforeValidator(whole_number)] = 0
    measure: SearchMeasure = DEFAULT_MEASURE
    explain: bool = True
    language: Language = None
    where: dict[Name, Values | Comparisons] | None = Field(None, examples=[None])
    counts: bool = False


class SearchQuestion(HitsQuestion):
    """A query."""

    query: ShortText = Field(examples=["reset password"])


class SimilarQuestion(HitsQuestion):
    """The id of a text."""

    id: Annotated[str, StringConstraints(max_length=1000)] = Field(examples=["1"])


class MatchedWords(BaseModel):
    """A word of the query, a word of the text, and what they add."""

    query: str
    text: str
    share: float


class HitAnswer(Score):
    """A text that was found, and the words that made the match; ``row`` is its place in the collection."""

    id: str
    text: str
    words: list[MatchedWords]
    columns: dict[str, Any]
    row: int


class ValueCount(BaseModel):
    """How many texts have a value."""

    value: Value
    n: int


class SearchAnswer(BaseModel):
    """The texts most like the query, best first.

    ``searched`` is among how many they are the best, ``more`` whether others follow.
    """

    hits: list[HitAnswer]
    offset: int
    more: bool
    searched: int
    counts: dict[str, list[ValueCount]] | None
    language: str


class SensesQuestion(Asked):
    """A word, and a text in which it is to be understood; ``at`` is the number of its token there."""

    word: Word
    text: ShortText | None = None
    at: Annotated[int | None, Field(ge=0, le=1_000_000), BeforeValidator(whole_number)] = None


class SenseAnswer(BaseModel):
    """A sense: words used like it, its topics, its share of the word's uses, contexts."""

    number: int
    weight: float
    words: list[str]
    topics: list[list[str]]
    examples: list[str]


class SensesAnswer(BaseModel):
    """The senses of a word; ``here`` says which one it has in the text."""

    word: str
    senses: list[SenseAnswer]
    here: dict[str, Any] | None


class LanguageAnswer(BaseModel):
    """A language of the model and how many words it has."""

    code: str
    words: int


class LanguagesAnswer(BaseModel):
    """The languages, the pivot first."""

    languages: list[LanguageAnswer]


class TranslationsQuestion(Asked):
    """A word, its language and the language wanted; left out, they are found where that is possible."""

    word: Word
    language: Language = None
    to: Language = None
    k: Count = 10


class HealthAnswer(BaseModel):
    """Up."""

    status: Literal["ok"] = "ok"
    version: str


class ReadyAnswer(BaseModel):
    """Questions are answered."""

    status: Literal["ready"] = "ready"


class AboutAnswer(BaseModel):
    """What is served, and what a request may hold; ``words`` is the sum over the languages."""

    name: str
    collection: str | None
    version: str
    abilities: list[str]
    words: int
    texts: int
    languages: list[LanguageAnswer]
    examples: list[str]
    words_to_try: list[str]
    classifiers: list[str]
    may_write: bool
    limits: dict[Literal["text", "explained", "batch", "body", "results"], int]


class Problem(BaseModel):
    """What is wrong."""

    message: str
    type: str
    param: str | None
    code: str | None


class ProblemAnswer(BaseModel):
    """A refusal and its reason."""

    error: Problem
