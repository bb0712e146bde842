"""The questions that each stored folder is asked, and the answers as plain values.

An answer is one of two sorts. ``vectors`` are what a folder holds or what follows from it by encoding: they
must never change. ``scores`` are what measures and searches make of them: a change that is meant to alter a
measure rewrites them (see ``write_folders``).
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
import numpy as np
import scipy
import sklearn
from llvmlite import binding
from scipy.sparse import issparse

from tacit.search.map import load_or_draw_map

Answers = dict[str, dict[str, Any]]

TEXTS = ["my card was declined", "el gato duerme en el banco", "the cat sleeps at the bank", "zzz", ""]
QUERIES = ["the invoice and a refund do not work", "parcel late", "zzz"]
MEASURES = ("blend", "latent", "lexical", "ngram", "characters", "alignment", "matching", "inner")
SEARCHED = ("blend", "latent", "search", "lexical")


def machine() -> dict[str, str]:
    """Return the CPU and the versions of the libraries; two runs that agree in them have the same bits."""
    features = os.environ.get("NUMBA_CPU_FEATURES") or binding.get_host_cpu_features().flatten()
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cpu": os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name(),
        "cpu_features": sha256(features.encode()).hexdigest()[:16],
        "blas": os.environ.get("OPENBLAS_CORETYPE", "by cpu"),
        **{library.__name__: library.__version__ for library in (np, numba, scipy, sklearn)},
    }


def plain(value: Any) -> Any:
    """A value as JSON can hold it: an array with its type and shape, a float with all its digits."""
    if isinstance(value, np.ndarray):
        return {"dtype": str(value.dtype), "shape": list(value.shape), "values": value.ravel().tolist()}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def ask_model(model: Any, folder: Path) -> Answers:
    """Vectors of words and texts, every measure, and what the words are near to."""
    vectors: dict[str, Any] = {"texts": model.encode(TEXTS), "languages": model.detect(TEXTS)}
    scores: dict[str, Any] = {
        measure: model.similarity(TEXTS, TEXTS[:3], measure=measure) for measure in MEASURES
    }
    scores["percentile"] = model.percentile([0.1, 0.5, 0.9], "latent")
    scores["explanation"] = model.explain(TEXTS[0], "payment by card", measure="blend").to_dict()
    scores["unsaid"] = model.unsaid(TEXTS[2], 3)
    scores["nearest words"] = model.nearest_words(_known_word(folder), 3, min_df=1)
    for code in list(model.languages)[1:]:
        vectors[f"texts as {code}"] = model.encode(TEXTS, language=code)
        scores[f"translations to {code}"] = model.translations("cat", k=3, to=code)
    return {"vectors": vectors, "scores": scores}


def _known_word(folder: Path) -> str:
    return "card" if folder.name in ("model", "background") else "bank"


def ask_index(index: Any, folder: Path) -> Answers:
    """Rows, vectors, hits of each measure with words and columns, duplicates, clusters."""
    vectors = {"ids": list(index.ids), "texts": list(index.texts), "rows": index.vectors, "n": len(index)}
    scores: dict[str, Any] = {
        f"search by {measure}": [
            [_hit(hit) for hit in hits] for hits in index.search_many(QUERIES, 4, measure=measure)
        ]
        for measure in SEARCHED
    }
    scores["similar"] = [_hit(hit) for hit in index.similar(index.ids[0], 3, measure="blend")]
    scores["percentile"] = index.percentile([0.1, 0.5, 0.9], "search")
    for measure, threshold in (("blend", 0.85), ("latent", 0.995)):
        pairs = index.duplicates(threshold, measure)
        scores[f"duplicates by {measure}"] = [[pair.id_a, pair.id_b, pair.score] for pair in pairs]
    scores["clusters"] = [[each.size, each.said, each.unsaid, each.ids] for each in index.clusters(3)]
    if (folder / "map").is_dir():
        vectors["map"] = _map(index, folder)
    return {"vectors": vectors, "scores": scores}


def _hit(hit: Any) -> dict[str, Any]:
    names = ("id", "text", "score", "percentile", "columns", "row")
    words = hit.words[:4]  # the weaker ones are often equal, and another machine has them in another order
    return {name: getattr(hit, name) for name in names} | {"words": words}


def _map(index: Any, folder: Path) -> dict[str, Any]:
    saved = folder / "map" / "config.json"
    before = os.stat(saved)
    drawn = load_or_draw_map(index, folder)
    assert os.path.samestat(os.stat(saved), before), "the stored map was not read: it was drawn again"
    labels = [asdict(label) for label in drawn.labels]
    return {"points": drawn.points, "group": drawn.group_ids, "groups": drawn.group_names, "labels": labels}


def ask_senses(model: Any, folder: Path) -> Answers:
    """The senses of each word, and the sense of a word in two texts."""
    texts = ["salt and potato chip", "a chip of silicon memory", "nothing known"]
    found = {
        word: {
            "senses": [sense.to_dict() for sense in model.senses(word)],
            "decisions": [model.disambiguate(word, f"{text} {word}").to_dict() for text in texts],
        }
        for word in model.words_
    }
    return {"vectors": found, "scores": {}}


def ask_kernel(kernel: Any, folder: Path) -> Answers:
    """Coordinates, kernel values and related terms."""
    new = TEXTS if kernel.vectorizer is not None else np.eye(kernel.n_features_in_)[:3]
    vectors = {"coordinates": kernel.coordinates(new), "lambda": kernel.lambda_}
    scores: dict[str, Any] = {"transform": kernel.transform(new)}
    if kernel.vectorizer is not None:
        scores["related terms"] = kernel.related_terms("card", n=3)
    return {"vectors": vectors, "scores": scores}


def ask_classifier(model: Any, folder: Path) -> Answers:
    """Labels, distances and probabilities."""
    scores = {
        "classes": model.classes_,
        "labels": model.predict(TEXTS),
        "distances": model.decision_function(TEXTS),
        "probabilities": model.predict_proba(TEXTS),
    }
    rows = model.features(TEXTS)
    return {"vectors": {"features": rows.toarray() if issparse(rows) else rows}, "scores": scores}


ASK: dict[str, Callable[[Any, Path], Answers]] = {
    "TextModel": ask_model,
    "Index": ask_index,
    "SenseModel": ask_senses,
    "LocalSenseModel": ask_senses,
    "TextClassifier": ask_classifier,
    "ExponentialKernel": ask_kernel,
    "VonNeumannKernel": ask_kernel,
}


def answers_of(loaded: Any, folder: Path) -> Answers:
    """All answers of a loaded folder, as JSON holds them."""
    found: Answers = plain(ASK[type(loaded).__name__](loaded, folder))
    return found
