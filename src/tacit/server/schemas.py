"""The forms of questions and answers, as the OpenAPI document tells them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import core_schema

from tacit.models.measures import DEFAULT
from tacit.server.settings import EXPLAINED, RESULTS, TEXT
from tacit.server.text_model import measure_names

Text = Annotated[str, StringConstraints(max_length=TEXT)]
ShortText = Annotated[str, StringConstraints(max_length=EXPLAINED)]


def _whole(given: Any) -> Any:
    """In JSON 3.0 is a whole number too."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


Count = Annotated[int, Field(ge=1, le=RESULTS), BeforeValidator(_whole)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Language = Annotated[str, StringConstraints(min_length=2, max_length=35)] | None


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


def _no_tokens(given: Any) -> Any:
    """OpenAI's clients may send token numbers: say why they are no use here."""
    first = given[0] if isinstance(given, list) and given else None
    if isinstance(first, int | list):
        raise ValueError("these are token numbers of another model, which mean nothing here: send text")
    return given


class EmbeddingsQuestion(BaseModel):
    """OpenAI's form. ``dimensions`` must be the model's own; its other fields are taken and ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)
    input: Annotated[Text | Annotated[list[Text], Field(min_length=1)], BeforeValidator(_no_tokens)]
    model: str = "tacit"
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: Annotated[int | None, Field(ge=1), BeforeValidator(_whole)] = None
    user: str | None = None
    language: Language = None


class Embedding(BaseModel):
    """One vector; in base64 its numbers are 32-bit floats, lowest byte first."""

    object: Literal["embedding"] = "embedding"
    index: int
    embedding: list[float] | str


class EmbeddingsAnswer(BaseModel):
    """A vector for each text, in their order; ``usage`` says how many words were read."""

    object: Literal["list"] = "list"
    data: list[Embedding]
    model: str
    usage: dict[Literal["prompt_tokens", "total_tokens"], int]


class TextPair(Question):
    """Two texts."""

    a: Text
    b: Text
    language_a: Language = None
    language_b: Language = None


class SimilarityQuestion(Question):
    """Pairs to compare."""

    pairs: list[TextPair] = Field(examples=[[{"a": "my card was declined", "b": "the payment failed"}]])
    measure: Measure = DEFAULT


class Score(BaseModel):
    """How alike a pair is, and how many of a hundred random pairs score no higher."""

    score: float
    percentile: float


class SimilarityAnswer(BaseModel):
    """A score for each pair, in their order."""

    results: list[Score]
    measure: str
    model: str


class ExplainQuestion(TextPair):
    """Two texts whose score is to be split."""

    a: ShortText
    b: ShortText
    measure: ExplainMeasure = DEFAULT


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


class UnsaidQuestion(Question):
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


class SearchQuestion(Question):
    """A query."""

    query: ShortText = Field(examples=["reset password"])
    k: Count = 10
    measure: SearchMeasure = DEFAULT
    explain: bool = True


class MatchedWords(BaseModel):
    """A word of the query, a word of the text, and what they add."""

    query: str
    text: str
    share: float


class HitAnswer(Score):
    """A text that was found, and the words that made the match."""

    id: str
    text: str
    words: list[MatchedWords]
    columns: dict[str, Any]


class SearchAnswer(BaseModel):
    """The texts most like the query, best first."""

    hits: list[HitAnswer]
    searched: int


class SensesQuestion(Question):
    """A word, and a text in which it is to be understood; ``at`` is the number of its token there."""

    word: Word
    text: ShortText | None = None
    at: Annotated[int | None, Field(ge=0, le=1_000_000), BeforeValidator(_whole)] = None


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


class TranslationsQuestion(Question):
    """A word, its language and the language wanted; left out, they are found where that is possible."""

    word: Word
    language: Language = None
    to: Language = None
    k: Count = 10


class MapAnswer(BaseModel):
    """Points as pairs of little-endian 16-bit numbers and groups as bytes, in base64."""

    points: str
    group: str
    groups: list[str]


class DrawingAnswer(BaseModel):
    """How much of the map is drawn, from 0 to 1."""

    done: float


class PointAnswer(BaseModel):
    """The text of a point."""

    id: str
    text: str
    group: str


class HealthAnswer(BaseModel):
    """Up."""

    status: Literal["ok"] = "ok"
    version: str


class AboutAnswer(BaseModel):
    """What is served, and what a request may hold; ``words`` is the sum over the languages."""

    name: str
    version: str
    abilities: list[str]
    words: int
    texts: int
    languages: list[LanguageAnswer]
    examples: list[str]
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
