"""A WTMF model as plain arrays, numbers and words, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tacit import __version__
from tacit.errors import InputError, ModelError
from tacit.sentences.chance import STEPS
from tacit.sentences.measures import MEASURES
from tacit.storage import Stored, write_model
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tacit.sentences.wtmf import WTMF

Model = TypeVar("Model", bound="WTMF")

_NUMBERS = ("n_components", "missing_weight", "regularization", "n_iter", "tol")


def save_wtmf(model: WTMF, folder: str | Path) -> None:
    """Write a fitted model."""
    write_model(folder, wtmf_to_stored(model), _card(model))


def wtmf_to_stored(model: WTMF) -> Stored:
    """A fitted model as what a folder holds."""
    vectorizer = model.vectorizer_
    words = vectorizer.words_
    text = {name: value for name, value in vectorizer.get_params().items() if name != "tokenizer"}
    return Stored(
        kind="WTMF",
        parameters={name: getattr(model, name) for name in _NUMBERS}
        | {"vectorizer": text | {"own_tokenizer": vectorizer.tokenizer is not None}},
        training={
            "seed": model.random_state
            if isinstance(model.random_state, int | None)
            else repr(model.random_state),
            "corpus": model.corpus_,
            "texts": vectorizer.n_texts_,
            "trained_words": model.n_trained_words_,
            "loss": model.loss_,
        },
        arrays={
            "word_vectors": model.word_vectors_,
            "word_weights": vectorizer.idf_,
            "text_gram": model.text_gram_,
            "chance": model.chance,
        },
        vocabulary=list(zip(words.terms, words.surfaces, map(str, words.df.tolist()), strict=True)),
        version=__version__,
    )


def restore_wtmf(cls: type[Model], stored: Stored, tokenizer: Any = None) -> Model:
    """Build the model again; a tokeniser of the user's own cannot be stored and must be given."""
    parameters, training = dict(stored.parameters), stored.training
    try:
        text = dict(parameters.pop("vectorizer"))
        if text.pop("own_tokenizer") and tokenizer is None:
            raise InputError("the model was trained with a tokeniser of its own: load(folder, tokenizer=...)")
        vectorizer = TextVectorizer(**text, tokenizer=tokenizer)
        model = cls(vectorizer, **parameters, random_state=training["seed"])
        terms, surfaces, df = zip(*stored.vocabulary, strict=True)
        vectorizer.words_ = Vocabulary(list(terms), list(surfaces), np.array(df, np.int64))
        vectorizer.idf_ = stored.arrays["word_weights"]
        vectorizer.n_texts_ = int(training["texts"])
        model.vectorizer_ = vectorizer
        model.word_vectors_ = stored.arrays["word_vectors"]
        model.text_gram_ = stored.arrays["text_gram"]
        model.chance = stored.arrays["chance"]
        model.sample_ = []
        model.loss_ = list(training["loss"])
        model.n_trained_words_ = int(training["trained_words"])
        model.corpus_ = str(training["corpus"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise ModelError(f"the model's parts do not fit together ({error}): train it again") from None
    _check_shapes(model)
    return model


def _check_shapes(model: WTMF) -> None:
    n, K = len(model.vectorizer_.words_), model.n_components
    chance = (len(MEASURES), STEPS + 1)
    expected = {"word_vectors": (n, K), "word_weights": (n,), "text_gram": (K, K), "chance": chance}
    found = {
        "word_vectors": model.word_vectors_.shape,
        "word_weights": model.vectorizer_.idf_.shape,
        "text_gram": model.text_gram_.shape,
        "chance": model.chance.shape,
    }
    for name, shape in expected.items():
        if found[name] != shape:
            raise ModelError(f"{name} is {found[name]}, not {shape}, for {n} words: train the model again")
    if not 0 < model.n_trained_words_ <= n:
        raise ModelError(f"{model.n_trained_words_} trained words of {n}: train the model again")


def _card(model: WTMF) -> str:
    words, vectorizer = len(model.word_vectors_), model.vectorizer_
    return f"""# A tacit model

WTMF, {model.n_components} dimensions, {words:,} words, learnt from {vectorizer.n_texts_:,} texts
(language {vectorizer.language}, missing weight {model.missing_weight:g}, regularization
{model.regularization:g}, {len(model.loss_)} sweeps, final loss {model.loss_[-1]:.6g}).

```python
import tacit

model = tacit.load("this-folder")
model.similarity(["one text"], ["another text"])
```

Texts: sha256 {model.corpus_}. Written by tacit {__version__}. Reading it runs no code of the folder.
"""
