"""Write a model to a folder and read it back with all arrays checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.checks import check_float, format_count
from tacit.errors import ModelError
from tacit.factorize.wmf_settings import check_settings
from tacit.models.incremental import append_borrowed_words
from tacit.models.language import Background, Language
from tacit.models.lexicon import Lexicon
from tacit.models.measures import SCORE_VERSIONS
from tacit.models.outside import outside_from_stored, outside_to_stored
from tacit.models.percentiles import N_QUANTILES, learn_score_quantiles
from tacit.models.text_model import TextModel
from tacit.storage.stored_model import ArrayReader, StoredModel, model_card, restoring
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary

_PERCENTILES = "percentiles."
_SETTINGS = ("missing_weight", "regularization", "text_regularization")
_BACKGROUND = ("missing_weight", "regularization", "share")


def model_to_stored(model: TextModel) -> StoredModel:
    """Return the contents of the folder of a model."""
    learn_score_quantiles(model)
    arrays: dict[str, Any] = {}
    vocabulary: list[tuple[str, ...]] = []
    for code, language in model.languages.items():
        arrays |= _language_arrays(language, language is model.pivot)
        rows = language.vectorizer.words_.to_rows(language.n_own_words)
        vocabulary += [(code, *row) for row in rows]
    parameters = {
        "n_components": int(model.pivot.word_vectors.shape[1]),
        "languages": {code: _language_parameters(language) for code, language in model.languages.items()},
    }
    if model.outside is not None:
        parameters["outside"], outside_arrays = outside_to_stored(model.outside)
        arrays |= outside_arrays
    return StoredModel("TextModel", parameters, model.provenance, arrays, vocabulary)


def _language_parameters(language: Language) -> dict[str, Any]:
    vectorizer, background = language.vectorizer, language.background
    return {
        **vectorizer.fitted_state(),
        "words": language.n_own_words,
        "trained_words": language.n_trained_words,
        **{name: getattr(language, name) for name in _SETTINGS},
        "background": background and {name: getattr(background, name) for name in _BACKGROUND},
        "vectorizer": vectorizer.params_to_dict(),
        "score_versions": SCORE_VERSIONS,
    }


def _language_arrays(language: Language, is_pivot: bool) -> dict[str, Any]:
    n, lexicon = language.n_own_words, language.lexicon
    end = lexicon.indptr[n]
    arrays = {
        "word_vectors": language.word_vectors[:n],
        "word_weights": language.vectorizer.idf_[:n],
        "text_gram": language.text_gram,
        **{f"{_PERCENTILES}{name}": row for name, row in language.score_quantiles.items()},
    }
    if language.background is not None:
        arrays["background_vectors"] = language.background.word_vectors
        if language.background.text_gram is not None:
            arrays["joint_text_gram"] = language.background.text_gram
    if not is_pivot:
        arrays |= {
            "borrowed": language.borrowed_ids,
            "lexicon_starts": lexicon.indptr[: n + 1],
            "lexicon_words": lexicon.indices[:end],
            "lexicon_weights": lexicon.data[:end],
        }
    return {f"{language.code}.{name}": array for name, array in arrays.items()}


def model_from_stored(stored: StoredModel, tokenizer: Any = None) -> TextModel:
    """Rebuild a model; a custom tokenizer cannot be stored and must be passed."""
    words: dict[str, list[tuple[str, ...]]] = {}
    languages: dict[str, Language] = {}
    with restoring():
        for code, *word in stored.vocabulary:
            words.setdefault(code, []).append(tuple(word))
        for code in stored.parameters["languages"]:
            pivot = next(iter(languages.values()), None)
            vocabulary = Vocabulary.from_rows(words[code])
            languages[code] = _read_language(stored, code, vocabulary, tokenizer, pivot)
        if not languages:
            raise ModelError("the model has no language: train it again")
        model = TextModel(languages, dict(stored.training))
        model.outside = outside_from_stored(stored)
        return model


def _read_language(
    stored: StoredModel, code: str, words: Vocabulary, tokenizer: Any, pivot: Language | None
) -> Language:
    parameters, reader = stored.parameters["languages"][code], ArrayReader(stored.arrays, f"{code}.")
    n_components, n = int(stored.parameters["n_components"]), len(words)
    trained = int(parameters["trained_words"])
    vectorizer = TextVectorizer.from_params_dict(parameters["vectorizer"], tokenizer)
    vectorizer.set_fitted_state(parameters, words, reader.floats("word_weights", np.float64, (n,)))
    if not 0 < trained <= n:
        raise ModelError(f"{code} has {trained} trained words and {n} in all: train the model again")
    missing_weight, regularization, text_regularization = (parameters[name] for name in _SETTINGS)
    check_settings(n_components, missing_weight, regularization, text_regularization=text_regularization)
    vectors = reader.floats("word_vectors", np.float32, (n, n_components))
    lexicon = Lexicon.identity(n) if pivot is None else _read_lexicon(reader, n, len(pivot.word_vectors))
    gram = reader.floats("text_gram", np.float64, (n_components, n_components))
    quantiles = _read_percentiles(reader, parameters.get("score_versions", {}))
    language = Language(
        code, vectorizer, vectors, trained, lexicon, float(missing_weight), float(regularization), gram,
        text_regularization=text_regularization, score_quantiles=quantiles,
        background=_read_background(reader, vectors, parameters["background"]),
    )  # fmt: skip
    if pivot is None:
        return language
    borrowed = reader.indices("borrowed", np.int64, (None,), len(pivot.word_vectors))
    return append_borrowed_words(language, pivot, borrowed) if len(borrowed) else language


def _read_lexicon(reader: ArrayReader, n: int, n_pivot: int) -> Lexicon:
    words = reader.indices("lexicon_words", np.int32, (None,), n_pivot)
    starts = reader.offsets("lexicon_starts", n, len(words))
    return Lexicon(starts, words, reader.floats("lexicon_weights", np.float32, (len(words),)))


def _read_percentiles(reader: ArrayReader, versions: Any) -> dict[str, Any]:
    """Read the quantiles of each measure in its present version."""
    if not isinstance(versions, dict):
        raise ModelError(f"score_versions {versions!r:.80} are no versions by measure: train the model again")
    quantiles = {}
    for name in reader.names(_PERCENTILES):
        row = reader.floats(name, np.float32, (N_QUANTILES + 1,))
        if np.any(np.diff(row) < 0):
            raise ModelError(f"array {reader.prefix + name!r} is not sorted: train the model again")
        measure = name.removeprefix(_PERCENTILES)
        if versions.get(measure, 1) == SCORE_VERSIONS.get(measure, 1):
            quantiles[measure] = row
    return quantiles


def _read_background(
    reader: ArrayReader, own_vectors: Any, parameters: dict[str, Any] | None
) -> Background | None:
    if parameters is None:
        return None
    vectors = reader.floats("background_vectors", np.float32, (len(own_vectors), None))
    missing_weight, regularization, share = (parameters[name] for name in _BACKGROUND)
    check_settings(vectors.shape[1], missing_weight, regularization)
    n_components, gram = own_vectors.shape[1] + vectors.shape[1], None
    if "joint_text_gram" in reader.names(""):  # earlier models do not have it
        gram = reader.floats("joint_text_gram", np.float64, (n_components, n_components))
    return Background(vectors, missing_weight, regularization, check_float("share", share, max_value=1), gram)


def card_of(model: TextModel) -> str:
    """Return the README of a model folder."""
    languages = "\n".join(
        f"- {code}: {format_count(language.n_own_words, 'word')}, learned from "
        f"{format_count(language.vectorizer.n_texts_, 'text')}; "
        f"missing weight {language.missing_weight:g}, regularization {language.regularization:g}"
        for code, language in model.languages.items()
    )
    trainer = model.provenance.get("trainer", "tacit")
    summary = f"Trained by {trainer}, {model.n_components} dimensions.\n\n{languages}"
    return model_card("A tacit model", summary, 'model.compare("one text", "another text")')
