"""Load or train a background model, with a cache."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tacit.corpora.reading import is_named_corpus, read_named_texts
from tacit.errors import InputError
from tacit.models.text_model import TextModel, as_text_model
from tacit.storage import fingerprint
from tacit.text.vectorizer import TextVectorizer
from tacit.training.wtmf import WTMF
from tacit.workflows.cache import BACKGROUNDS, cache_entry, load_or_build
from tacit.workflows.loading import load
from tacit.workflows.progress import Progress, single_step
from tacit.workflows.python_records import as_source
from tacit.workflows.records import RecordOptions, RecordSource
from tacit.workflows.training_settings import TrainingSettings

_CORPUS_LANGUAGE = "en"  # of all named corpora


def load_background(
    source: Any, language: str | None, settings: TrainingSettings, cache_dir: str | Path | None = None,
    progress: Progress | None = None, options: RecordOptions | None = None,
) -> TextModel:  # fmt: skip
    """Load a background model, or train one on a named corpus, a file or texts.

    A model of a named corpus is stored in the cache and loaded from there the next time.

    Parameters
    ----------
    source : str, Path, TextModel, RecordSource or iterable of str
        A model or its folder; a named corpus such as ``wordnet`` or ``wordnet:FOLDER``; or texts, as `learn`
        takes them.
    language : str, optional
        Language of the texts that get the background; None for plain words.
    settings : TrainingSettings
        Its options for words are used; those of the factorization are chosen from the data.
    cache_dir : path, optional
        Folder of the cache; None takes the user's cache folder.
    progress : callable, optional
        Receives events of the stage "background".
    options : RecordOptions, optional
        How a file is read.

    Returns
    -------
    TextModel
        The background model.

    Raises
    ------
    InputError
        If the file cannot be read, or the corpus is in another language.
    """
    if isinstance(source, TextModel) or hasattr(source, "model_"):
        return as_text_model(source)
    is_name = isinstance(source, str | Path)
    if is_name and Path(source, "config.json").is_file():
        return as_text_model(load(source, "model", settings.n_threads))
    with single_step(progress, "background", str(source) if is_name else ""):
        if is_named_corpus(source):
            return as_text_model(_cached_corpus_model(source, language, settings, cache_dir))
        if is_name:
            source = RecordSource((str(source),), options=options or RecordOptions())
        return _train(as_source(source).texts(), language, settings)


def _cached_corpus_model(
    name: str, language: str | None, settings: TrainingSettings, cache_dir: str | Path | None
) -> Any:
    """Load the model of a named corpus from the cache, or train it and store it there."""
    if language not in (_CORPUS_LANGUAGE, None):
        raise InputError(
            f"background={name} is in English, the texts are in {language!r}: leave it out",
            parameter="background",
        )
    key = _cache_key(name, settings.create_vectorizer(language))
    folder = cache_entry(BACKGROUNDS, key) if cache_dir is None else Path(cache_dir, key)
    return load_or_build(
        folder, "model", lambda: _train(read_named_texts(name), language, settings), settings.n_threads
    )


def _cache_key(name: str, vectorizer: TextVectorizer) -> str:
    """Name the folder of a corpus model: the corpus, and a digest of its settings and folder unless default.

    >>> from tacit import TextVectorizer
    >>> _cache_key("wordnet", TextVectorizer())
    'wordnet'
    >>> _cache_key("wordnet", TextVectorizer(min_df=3)) != _cache_key("wordnet", TextVectorizer(min_df=4))
    True
    >>> _cache_key("wordnet:a", TextVectorizer()) != _cache_key("wordnet:b", TextVectorizer())
    True
    """
    corpus, _, source = name.partition(":")
    parameters, default = (sorted(v.get_params().items()) for v in (vectorizer, TextVectorizer()))
    parts = [] if parameters == default else [repr(parameters)]
    parts += [os.path.abspath(source)] if source else []
    return f"{corpus}-{fingerprint([part.encode() for part in parts])[:16]}" if parts else corpus


def _train(texts: Any, language: str | None, settings: TrainingSettings) -> TextModel:
    vectorizer = settings.create_vectorizer(language)
    return WTMF(vectorizer, language=language, n_threads=settings.n_threads).fit(texts).model_
