"""A crosslingual model as plain arrays, numbers and words, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tacit import __version__
from tacit.compute.threads import usable_threads
from tacit.crosslingual.growth import with_borrowed
from tacit.crosslingual.language import Language, check_text_regularization
from tacit.crosslingual.lexicon import Lexicon
from tacit.crosslingual.measures import MEASURES
from tacit.errors import InputError, ModelError
from tacit.sentences.chance import STEPS
from tacit.sentences.wtmf import WTMF
from tacit.storage import Stored, write_model
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tacit.crosslingual.bilingual import BilingualWMF
    from tacit.crosslingual.model import CrosslingualModel
    from tacit.crosslingual.pivot import PivotWMF

Pivot = TypeVar("Pivot", bound="PivotWMF")
Bilingual = TypeVar("Bilingual", bound="BilingualWMF")

_NUMBERS = ("n_components", "missing_weight", "regularization", "n_iter", "tol")


def save_model(model: CrosslingualModel, folder: str | Path) -> None:
    """Write a fitted model of either class."""
    write_model(folder, model_to_stored(model), _card(model))


def model_to_stored(model: CrosslingualModel) -> Stored:
    """A fitted model of either class as what a folder holds."""
    from tacit.crosslingual.pivot import PivotWMF

    trained: Any = model.pivot_ if isinstance(model, PivotWMF) else model
    seed = trained.random_state
    languages = model.languages_.values()
    arrays = {"text_gram": trained.text_gram_} if isinstance(model, PivotWMF) else {}
    own = {"text_regularization": model.text_regularization} if isinstance(model, PivotWMF) else {}
    for language in languages:
        arrays |= _arrays(model, language)
    return Stored(
        kind=type(model).__name__,
        parameters={name: getattr(trained, name) for name in _NUMBERS}
        | own
        | {"languages": [_described(language) for language in languages]},
        training={
            "seed": seed if isinstance(seed, int | None) else repr(seed),
            "corpus": trained.corpus_,
            "loss": trained.loss_,
        },
        arrays=arrays,
        vocabulary=[row for language in languages for row in _vocabulary(language)],
        version=__version__,
    )


def _own(language: Language) -> int:
    """How many words are the language's own; those it borrowed are found again from their columns."""
    return len(language.word_vectors) - len(language.borrowed)


def _described(language: Language) -> dict[str, Any]:
    vectorizer = language.vectorizer
    text = {name: value for name, value in vectorizer.get_params().items() if name != "tokenizer"}
    return {
        "code": language.code,
        "texts": vectorizer.n_texts_,
        "trained_words": language.n_trained,
        "vectorizer": text | {"own_tokenizer": vectorizer.tokenizer is not None},
    }


def _arrays(model: CrosslingualModel, language: Language) -> dict[str, Any]:
    n, lexicon = _own(language), language.lexicon
    end = lexicon.indptr[n]
    found = {
        "word_vectors": language.word_vectors[:n],
        "word_weights": language.vectorizer.idf_[:n],
        "borrowed": language.borrowed,
        "chance": model.chance(language.code),
    }
    if language.code != model.pivot_language:
        found |= {
            "lexicon_starts": lexicon.indptr[: n + 1],
            "lexicon_words": lexicon.indices[:end],
            "lexicon_weights": lexicon.data[:end],
        }
    return {f"{language.code}.{name}": array for name, array in found.items()}


def _vocabulary(language: Language) -> list[tuple[str, ...]]:
    words, n = language.vectorizer.words_, _own(language)
    df = map(str, words.df[:n].tolist())
    codes = [language.code] * n
    return list(zip(codes, words.terms[:n], words.surfaces[:n], df, strict=True))


def restore_pivot(cls: type[Pivot], stored: Stored, tokenizer: Any = None) -> Pivot:
    """Build an x-WMF model again."""
    try:
        languages = _languages(stored, tokenizer)
        first = next(iter(languages.values()))
        numbers = {name: stored.parameters[name] for name in _NUMBERS}
        wtmf = WTMF(first.vectorizer, **numbers, random_state=stored.training["seed"])
        wtmf.vectorizer_, wtmf.word_vectors_ = first.vectorizer, first.word_vectors
        wtmf.text_gram_ = stored.arrays["text_gram"]
        wtmf.n_trained_words_ = first.n_trained
        wtmf.loss_, wtmf.corpus_ = list(stored.training["loss"]), str(stored.training["corpus"])
        wtmf.sample_ = []
        check_text_regularization(first.text_regularization)
        model = cls(wtmf, language=first.code, text_regularization=first.text_regularization)
        model.pivot_, model.languages_ = wtmf, languages
    except (KeyError, TypeError, ValueError, StopIteration, IndexError) as error:
        raise _unfit(error) from None
    return model


def restore_bilingual(cls: type[Bilingual], stored: Stored, tokenizer: Any = None) -> Bilingual:
    """Build a b-WMF model again."""
    try:
        languages = _languages(stored, tokenizer)
        first = next(iter(languages.values()))
        numbers = {name: stored.parameters[name] for name in _NUMBERS}
        seed = stored.training["seed"]
        model = cls(list(languages), first.vectorizer, **numbers, random_state=seed)
        model.languages_ = languages
        model.loss_, model.corpus_ = list(stored.training["loss"]), str(stored.training["corpus"])
    except (KeyError, TypeError, ValueError, StopIteration, IndexError) as error:
        raise _unfit(error) from None
    return model


def _unfit(error: Exception) -> Exception:
    if isinstance(error, InputError):
        return error
    return ModelError(f"the model's parts do not fit together ({error}): train it again")


def _languages(stored: Stored, tokenizer: Any) -> dict[str, Language]:
    words: dict[str, list[tuple[str, ...]]] = {}
    for code, *word in stored.vocabulary:
        words.setdefault(code, []).append(tuple(word))
    languages: dict[str, Language] = {}
    for described in stored.parameters["languages"]:
        code = str(described["code"])
        pivot = next(iter(languages.values()), None)
        languages[code] = _language(stored, described, words[code], pivot, tokenizer)
    return languages


def _language(
    stored: Stored,
    described: dict[str, Any],
    words: list[tuple[str, ...]],
    pivot: Language | None,
    tokenizer: Any,
) -> Language:
    text = dict(described["vectorizer"])
    if text.pop("own_tokenizer") and tokenizer is None:
        raise InputError("the model was trained with a tokeniser of its own: load(folder, tokenizer=...)")
    vectorizer = TextVectorizer(**text, tokenizer=tokenizer)
    terms, surfaces, df = zip(*words, strict=True)
    vectorizer.words_ = Vocabulary(list(terms), list(surfaces), np.array(df, np.int64))
    vectorizer.n_texts_ = int(described["texts"])
    arrays = {name.partition(".")[2]: array for name, array in stored.arrays.items()
              if name.partition(".")[0] == described["code"]}  # fmt: skip
    vectorizer.idf_ = arrays["word_weights"]
    vectors = arrays["word_vectors"]
    lexicon = Lexicon.identity(len(vectors))
    if pivot is not None:
        lexicon = Lexicon(arrays["lexicon_starts"], arrays["lexicon_words"], arrays["lexicon_weights"])
    numbers = stored.parameters
    language = Language(
        str(described["code"]),
        vectorizer,
        vectors,
        int(described["trained_words"]),
        lexicon,
        float(numbers["missing_weight"]),
        float(numbers["regularization"]),
        usable_threads(None),
        chance=arrays["chance"],
        text_regularization=numbers.get("text_regularization"),
    )
    _check(language, int(numbers["n_components"]), pivot)
    borrowed = arrays["borrowed"]
    if pivot is None or not len(borrowed):
        return language
    if borrowed.min() < 0 or borrowed.max() >= len(pivot.word_vectors):
        raise ModelError(f"{language.code} borrows words that {pivot.code} has not: train the model again")
    return with_borrowed(language, pivot, borrowed)


def _check(language: Language, n_components: int, pivot: Language | None) -> None:
    n, lexicon = len(language.vectorizer.words_), language.lexicon
    shapes = {
        "word_vectors": (language.word_vectors.shape, (n, n_components)),
        "word_weights": (language.vectorizer.idf_.shape, (n,)),
        "lexicon_starts": (lexicon.indptr.shape, (n + 1,)),
        "lexicon_weights": (lexicon.data.shape, lexicon.indices.shape),
        "chance": (() if language.chance is None else language.chance.shape, (len(MEASURES), STEPS + 1)),
    }
    for name, (found, expected) in shapes.items():
        if found != expected:
            raise ModelError(f"{language.code}.{name} is {found}, not {expected}: train the model again")
    width = n if pivot is None else len(pivot.word_vectors)
    starts, words = lexicon.indptr, lexicon.indices
    sound = starts[0] == 0 and starts[-1] == len(words) and np.all(np.diff(starts) >= 0)
    if not sound or (len(words) and not 0 <= words.min() <= words.max() < width):
        raise ModelError(
            f"the lexicon of {language.code} names words that are not there: train the model again"
        )
    if not 0 < language.n_trained <= n:
        raise ModelError(
            f"{language.n_trained} trained words of {n} in {language.code}: train the model again"
        )


def _card(model: CrosslingualModel) -> str:
    lines = "\n".join(
        f"- {language.code}: {_own(language):,} words, learnt from {language.vectorizer.n_texts_:,} texts"
        for language in model.languages_.values()
    )
    pivot = model.languages_[model.pivot_language]
    return f"""# A tacit model of several languages

{type(model).__name__}, {pivot.word_vectors.shape[1]} dimensions (missing weight {pivot.missing_weight:g},
regularization {pivot.regularization:g}); the pivot language is {pivot.code}.

{lines}

```python
import tacit

model = tacit.load("this-folder")
model.similarity(["one text"], ["another text"], measure="blend")
```

Written by tacit {__version__}. Reading it runs no code of the folder.
"""
