"""PivotWMF: one language trained alone, any number of others added in closed form (x-WMF)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from tacit.compute.threads import usable_threads
from tacit.crosslingual.chance import sampled
from tacit.crosslingual.codes import check_code
from tacit.crosslingual.language import Language, check_text_regularization
from tacit.crosslingual.lexicon import Lexicon
from tacit.crosslingual.model import CrosslingualModel
from tacit.sentences.wtmf import WTMF

if TYPE_CHECKING:
    from tacit.storage import Stored


class PivotWMF(CrosslingualModel):
    """x-WMF (Aldarmaki & Diab, SemEval 2016): a monolingual model, then ``add_language`` for each other one.

    Parameters
    ----------
    pivot : the model of the pivot language, fitted or not; by default ``WTMF()``, English.
    language : the pivot's code; by default that of its vectorizer.
    text_regularization : what long vectors cost when texts are encoded; by default as in training, which
        is the paper's. Four times as much was better across languages on the dev sets.
    n_threads : None for every core.

    >>> from tacit import TextVectorizer
    >>> texts = ["a cat sleeps on the mat", "the kitten sleeps", "a kitten is a young cat",
    ...          "stocks fell sharply", "the market fell", "stocks trade on the market"]
    >>> pairs = [("a cat sleeps", "un gato duerme"), ("the kitten sleeps", "el gatito duerme"),
    ...          ("stocks fell", "las acciones cayeron"), ("the market fell", "el mercado cayó")]
    >>> pivot = WTMF(TextVectorizer(min_df=1), n_components=3, missing_weight=0.1, regularization=1.0)
    >>> model = PivotWMF(pivot).fit(texts).add_language("es", pairs)
    >>> model.similarity(["my cat"], ["gatitos", "mercados"], language_b="es").round(1)
    array([[1. , 0.1]], dtype=float32)
    """

    def __init__(
        self,
        pivot: WTMF | None = None,
        *,
        language: str | None = None,
        text_regularization: float | None = None,
        n_threads: int | None = None,
    ) -> None:
        """Store the parameters."""
        self.pivot = pivot
        self.language = language
        self.text_regularization = text_regularization
        self.n_threads = n_threads

    pivot_: WTMF

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Train the pivot from texts of its language."""
        given = self.pivot or WTMF()
        model = WTMF(**{**given.get_params(deep=False), "n_threads": self.n_threads})
        code = self._code(model)
        check_text_regularization(self.text_regularization)
        return self._stand_on(model.fit(texts), code)

    @classmethod
    def of(cls, model: WTMF, language: str | None = None, text_regularization: float | None = None) -> Self:
        """Stand on a fitted model, which stays as it is, to the bit."""
        model._check_fitted()
        found = cls(
            model, language=language, text_regularization=text_regularization, n_threads=model.n_threads
        )
        return found._stand_on(model, found._code(model))

    def _code(self, model: WTMF) -> str:
        vectorizer = model.vectorizer
        return check_code(self.language or (vectorizer.language if vectorizer else "en"))

    def _stand_on(self, model: WTMF, code: str) -> Self:
        check_text_regularization(self.text_regularization)
        self.pivot_ = model
        vectorizer, vectors = model.vectorizer_, model.word_vectors_
        language = Language(
            code,
            vectorizer,
            vectors,
            model.n_trained_words_,
            Lexicon.identity(len(vectors)),
            model.missing_weight,
            model.regularization,
            usable_threads(self.n_threads),
            text_regularization=self.text_regularization,
        )
        language.sample = sampled(model.sample_)
        self.languages_ = {code: language}
        self._forget_tables()
        return self

    @classmethod
    def from_stored(cls, stored: Stored, **given: Any) -> Self:
        """Rebuild a model from what ``tacit.storage`` has read and checked."""
        from tacit.crosslingual.stored import restore_pivot

        return restore_pivot(cls, stored, **given)
