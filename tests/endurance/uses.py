"""What people do with a loaded folder: a few calls that are always made, and others of which some are."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

Call = Callable[[], Any]
TEXTS = ["my card was declined", "el gato duerme en el banco", "the cat sleeps at the bank", "zzz", ""]
SOME = 3
FEW = "ENDURANCE_FEW"
"""Set in the environment, calls that need further kernels are left out: those take long to compile."""


def uses_of(loaded: Any, out: Path, chance: random.Random) -> Iterator[tuple[str, Call]]:
    """The calls, by name; one may raise only tacit's own errors."""
    always, others = calls_of(loaded)
    others |= {"save": lambda: loaded.save(out)}
    chosen = chance.sample(sorted(others), min(SOME, len(others)))
    yield from always.items()
    yield from ((name, others[name]) for name in chosen)


def model_calls(model: Any) -> tuple[dict[str, Call], dict[str, Call]]:
    model.n_threads = 1
    code = list(model.languages)[-1]
    always = {
        "encode": lambda: model.encode(TEXTS),
        "blend": lambda: model.similarity(TEXTS, TEXTS[:2]),
    }
    measures = ("latent", "lexical", "ngram", "characters", "alignment", "matching", "inner")
    others = {
        **{name: lambda name=name: model.similarity(TEXTS, TEXTS[:2], measure=name) for name in measures},
        "compare": lambda: model.compare(TEXTS[0], TEXTS[2]),
        "percentile": lambda: model.percentile([0.1, 0.9]),
        "explain": lambda: model.explain(TEXTS[0], "payment failed"),
        "explain latent": lambda: model.explain(TEXTS[2], "the bank", measure="latent"),
        "explain matching": lambda: model.explain(TEXTS[2], TEXTS[1], measure="matching"),
        "unsaid": lambda: model.unsaid(TEXTS[2], 3),
        "nearest": lambda: model.nearest_words("cat", 3, min_df=1),
        "translations": lambda: model.translations("cat", k=3, to=code),
        "detect": lambda: model.detect(TEXTS),
        "add_words": lambda: model.add_words(["a voucher card cat", "voucher payment bank"], min_df=1),
    }
    return always, others


def index_calls(index: Any) -> tuple[dict[str, Call], dict[str, Call]]:
    index.n_threads = 1
    always = {
        "search": lambda: index.search("my card late cat bank", 3, "search"),
        "blend": lambda: index.search("my card late cat bank", 3),
    }
    others = {
        "latent": lambda: index.search("my card late cat", 3, "latent"),
        "lexical": lambda: index.search("my card late cat", 3, "lexical"),
        "many": lambda: index.search_many(TEXTS, 5),
        "similar": lambda: index.similar(index.ids[0] if len(index.ids) else "1", 3),
        "percentile": lambda: index.percentile([0.1, 0.9], "search"),
        "nearest": lambda: index.nearest(index.model.encode(TEXTS), 3),
        "duplicates": lambda: index.duplicates(0.5),
        "duplicates latent": lambda: index.duplicates(0.9, "latent"),
        "groups": lambda: index.duplicate_groups(0.7),
        "clusters": lambda: index.clusters(2),
        "layout": index.layout,
        "add": lambda: (index.add(["a new text about cards"]), index.search("new cards", 3, "search")),
        "delete": lambda: (index.delete(["2"]), index.search("new cards", 3, "search")),
        "explain": lambda: [hit.words for hit in index.search("my card late", 3, "search")],
    }
    return always, others


def senses_calls(model: Any) -> tuple[dict[str, Call], dict[str, Call]]:
    always = {
        "senses": lambda: model.senses("chip"),
        "disambiguate": lambda: model.disambiguate("chip", "salt and potato chip"),
    }
    others = {
        "explain": lambda: model.explain("chip", "a chip of silicon memory"),
        "other word": lambda: model.senses("potato"),
        "every word": lambda: [model.senses(word) for word in model.words_],
    }
    return always, others


def classifier_calls(model: Any) -> tuple[dict[str, Call], dict[str, Call]]:
    always = {"predict": lambda: model.predict(TEXTS)}
    others = {
        "probabilities": lambda: model.predict_proba(TEXTS),
        "features": lambda: model.features(TEXTS),
        "decision": lambda: model.decision_function(TEXTS),
    }
    return always, others


def kernel_calls(kernel: Any) -> tuple[dict[str, Call], dict[str, Call]]:
    new = TEXTS if kernel.vectorizer is not None else np.eye(kernel.n_features_in_)[:3]
    always = {"transform": lambda: kernel.transform(new)}
    others = {
        "features": lambda: kernel.features(new),
        "related": lambda: kernel.related_terms("card", n=3),
        "lambda": lambda: kernel.set_lambda(0.1, relative=True).transform(new),
    }
    return always, others


CALLS: dict[str, Callable[[Any], tuple[dict[str, Call], dict[str, Call]]]] = {
    "TextModel": model_calls,
    "Index": index_calls,
    "SenseModel": senses_calls,
    "LocalSenseModel": senses_calls,
    "TextClassifier": classifier_calls,
    "ExponentialKernel": kernel_calls,
    "VonNeumannKernel": kernel_calls,
}


def calls_of(loaded: Any) -> tuple[dict[str, Call], dict[str, Call]]:
    """The calls that are always made, and the others."""
    always, others = CALLS[type(loaded).__name__](loaded)
    if FEW in os.environ:
        others = {
            name: call for name, call in others.items() if name in ("add", "delete", "similar", "features")
        }
    return always, others
