"""A model as plain arrays, numbers and words, and back, checked for what the kernels assume."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit import __version__
from tacit.checks import number
from tacit.errors import ModelError
from tacit.factorize.parameters import check_parameters
from tacit.models.adding import with_borrowed
from tacit.models.background import Background
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon
from tacit.models.percentiles import STEPS, learn_percentiles
from tacit.models.text_model import TextModel
from tacit.storage import Stored
from tacit.text.tokenizers import TokenizerNeededError
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary

_PERCENTILES = "percentiles."


def model_to_stored(model: TextModel) -> Stored:
    """A model as what a folder holds."""
    arrays: dict[str, Any] = {}
    for language in model.languages.values():
        learn_percentiles(model, language.code)
        arrays |= _arrays(language, language is model.pivot)
    return Stored(
        kind="TextModel",
        parameters={
            "n_components": int(model.pivot.word_vectors.shape[1]),
            "languages": {code: _described(language) for code, language in model.languages.items()},
        },
        training=model.provenance,
        arrays=arrays,
        vocabulary=[row for language in model.languages.values() for row in _vocabulary(language)],
        version=__version__,
    )


def _own(language: Language) -> int:
    """How many words are the language's own; those it borrowed are found again from their columns."""
    return len(language.word_vectors) - len(language.borrowed)


def _described(language: Language) -> dict[str, Any]:
    vectorizer = language.vectorizer
    return {
        **vectorizer.learnt(),
        "words": _own(language),
        "trained_words": language.n_trained,
        "missing_weight": language.missing_weight,
        "regularization": language.regularization,
        "text_regularization": language.text_regularization,
        "background": _background(language.background),
        "vectorizer": vectorizer.to_plain(),
    }


def _background(background: Background | None) -> dict[str, float] | None:
    names = ("missing_weight", "regularization", "share")
    return None if background is None else {name: getattr(background, name) for name in names}


def _arrays(language: Language, is_pivot: bool) -> dict[str, Any]:
    n, lexicon = _own(language), language.lexicon
    end = lexicon.indptr[n]
    found = {
        "word_vectors": language.word_vectors[:n],
        "word_weights": language.vectorizer.idf_[:n],
        "text_gram": language.text_gram,
        **{f"{_PERCENTILES}{name}": row for name, row in language.percentiles.items()},
    }
    if language.background is not None:
        found["background_vectors"] = language.background.word_vectors
    if not is_pivot:
        found |= {
            "borrowed": language.borrowed,
            "lexicon_starts": lexicon.indptr[: n + 1],
            "lexicon_words": lexicon.indices[:end],
            "lexicon_weights": lexicon.data[:end],
        }
    return {f"{language.code}.{name}": array for name, array in found.items()}


def _vocabulary(language: Language) -> list[tuple[str, ...]]:
    return [(language.code, *row) for row in language.vectorizer.words_.to_rows(_own(language))]


def model_from_stored(stored: Stored, tokenizer: Any = None) -> TextModel:
    """Build a model again; a tokeniser of the user's own cannot be stored and must be given."""
    try:
        words: dict[str, list[tuple[str, ...]]] = {}
        for code, *word in stored.vocabulary:
            words.setdefault(code, []).append(tuple(word))
        languages: dict[str, Language] = {}
        for code, described in dict(stored.parameters["languages"]).items():
            pivot = next(iter(languages.values()), None)
            parts = _Parts(stored, code, int(stored.parameters["n_components"]))
            languages[code] = _language(parts, described, words[code], pivot, tokenizer)
        if not languages:
            raise ModelError("the model has no language: train it again")
        return TextModel(languages, dict(stored.training))
    except TokenizerNeededError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"the model's parts do not fit together ({error}): train it again") from None


class _Parts:
    """The arrays of one language, each checked when it is taken."""

    def __init__(self, stored: Stored, code: str, n_components: int) -> None:
        self.code, self.n_components = code, n_components
        self.arrays = {
            name.partition(".")[2]: array
            for name, array in stored.arrays.items()
            if name.partition(".")[0] == code
        }

    def take(self, name: str, dtype: Any, shape: tuple[int | None, ...]) -> Any:
        """An array of this type and shape, None for any length, with finite numbers."""
        array = self.arrays[name]
        fits = len(shape) == array.ndim and all(
            n is None or n == found for n, found in zip(shape, array.shape, strict=True)
        )
        if array.dtype != dtype or not fits:
            raise ModelError(
                f"{self.code}.{name} is {array.dtype} {array.shape}, not {np.dtype(dtype)} {shape}: "
                "train the model again"
            )
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ModelError(f"{self.code}.{name} holds what is no number: train the model again")
        return array

    def percentiles(self) -> dict[str, Any]:
        """The quantiles by measure, in order."""
        names = [name for name in self.arrays if name.startswith(_PERCENTILES)]
        found = {name.removeprefix(_PERCENTILES): self.take(name, np.float32, (STEPS + 1,)) for name in names}
        for name, row in found.items():
            if np.any(np.diff(row) < 0):
                raise ModelError(f"{self.code}.{_PERCENTILES}{name} is out of order: train the model again")
        return found

    def background(self, n: int, described: dict[str, Any] | None) -> Background | None:
        """The vectors of the background, if there is one."""
        if described is None:
            return None
        vectors = self.take("background_vectors", np.float32, (n, None))
        missing, strength = described["missing_weight"], described["regularization"]
        check_parameters(vectors.shape[1], missing, strength, 1, 0.0)
        return Background(vectors, missing, strength, number("share", described["share"], most=1))

    def lexicon(self, n: int, n_pivot: int) -> Lexicon:
        """Which words of the pivot the words stand for."""
        starts = self.take("lexicon_starts", np.int64, (n + 1,))
        words = self.take("lexicon_words", np.int32, (None,))
        sound = starts[0] == 0 and starts[-1] == len(words) and np.all(np.diff(starts) >= 0)
        if not sound or not _within(words, n_pivot):
            raise ModelError(
                f"the lexicon of {self.code} names words that are not there: train the model again"
            )
        return Lexicon(starts, words, self.take("lexicon_weights", np.float32, (len(words),)))


def _within(numbers: Any, end: int) -> bool:
    return not len(numbers) or (int(numbers.min()) >= 0 and int(numbers.max()) < end)


def _language(
    parts: _Parts,
    described: dict[str, Any],
    words: list[tuple[str, ...]],
    pivot: Language | None,
    tokenizer: Any,
) -> Language:
    n, K = len(words), parts.n_components
    vectorizer = TextVectorizer.from_plain(described["vectorizer"], tokenizer)
    idf = parts.take("word_weights", np.float64, (n,))
    vectorizer.restore(described, Vocabulary.from_rows(words), idf)
    trained = int(described["trained_words"])
    if not 0 < trained <= n:
        raise ModelError(f"{trained} trained words of {n} in {parts.code}: train the model again")
    missing_weight, regularization = described["missing_weight"], described["regularization"]
    own = described["text_regularization"]
    check_parameters(K, missing_weight, regularization, 1, 0.0, own)
    language = Language(
        parts.code,
        vectorizer,
        parts.take("word_vectors", np.float32, (n, K)),
        trained,
        Lexicon.identity(n) if pivot is None else parts.lexicon(n, len(pivot.word_vectors)),
        float(missing_weight),
        float(regularization),
        parts.take("text_gram", np.float64, (K, K)),
        text_regularization=own,
        percentiles=parts.percentiles(),
        background=parts.background(n, described["background"]),
    )
    if pivot is None:
        return language
    borrowed = parts.take("borrowed", np.int64, (None,))
    if not _within(borrowed, len(pivot.word_vectors)):
        raise ModelError(f"{parts.code} borrows words that {pivot.code} has not: train the model again")
    if not len(borrowed):
        return language

    return with_borrowed(language, pivot, borrowed)


def model_card(model: TextModel) -> str:
    """What a person reads in the folder."""
    lines = "\n".join(
        f"- {each.code}: {_own(each):,} words, learnt from {each.vectorizer.n_texts_:,} texts; "
        f"missing weight {each.missing_weight:g}, regularization {each.regularization:g}"
        for each in model.languages.values()
    )
    return f"""# A tacit model

Trained by {model.provenance.get("trainer", "tacit")}, {model.n_components} dimensions.

{lines}

```python
import tacit

model = tacit.load("this-folder")
model.compare("one text", "another text")
```

Written by tacit {__version__}. Reading it runs no code of the folder.
"""
