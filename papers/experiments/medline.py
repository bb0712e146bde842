"""The MEDLINE experiments of NIPS 2002."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.specs import Experiment
from tacit.corpora import read_pairs
from tacit.evaluation.metrics import f1
from tacit.evaluation.tasks import find_files
from tacit.kernels.alignment import (
    dense_alignment,
    one_vs_rest_signs,
    prior_alignment,
    search_lambda,
    target_alignment,
)
from tacit.kernels.paper_kernels import ExponentialKernel, VonNeumannKernel
from tacit.kernels.semantic import SemanticKernel
from tacit.kernels.spectrum import FAMILIES
from tacit.text.tokenizers import tokenize
from tacit.text.vectorizer import TextVectorizer

_RECORDED_ELSEWHERE = ("background", "lambda_", "vectorizer")
"""Not recorded with the kernel: the background is never used, the others have keys of their own."""


def kernel_settings(kernel: SemanticKernel, vectorizer: TextVectorizer, tokenizer: str) -> dict[str, Any]:
    """Return the parameters of both objects, defaults included; those of the kernel begin with ``kernel__``.

    ``tokenizer`` is the name to record, as the vectorizer's own may be a function.

    >>> words = TextVectorizer.paper(tf="log1p")
    >>> settings = kernel_settings(SemanticKernel(0.0), words, "letters")
    >>> settings["tf"], settings["normalize"], settings["kernel__normalize"], settings["kernel__power"]
    ('log1p', 'stem', True, 1.0)
    """
    kernel_params = kernel.get_params(deep=False)
    return {
        **vectorizer.get_params(),
        "tokenizer": tokenizer,
        **{
            f"kernel__{name}": value
            for name, value in kernel_params.items()
            if name not in _RECORDED_ELSEWHERE
        },
    }


Array = NDArray[np.float64]

FILES = ("kernels/med/docs.tsv", "kernels/med/qrels.tsv")
N_QUERIES = 30
STOP_WORDS = frozenset(
    # function words; the paper does not print its list
    """a about above after again against all also am an and any are as at be because been before being
    below between both but by can cannot could did do does doing don down during each few for from
    further had has have having he her here hers herself him himself his how i if in into is it its
    itself just me more most my myself no nor not now of off on once only or other our ours
    ourselves out over own same she should so some such than that the their theirs them themselves
    then there these they this those through to too under until up very was we were what when where
    which while who whom why will with would you your yours yourself yourselves""".split()  # noqa: SIM905
)
_MAX_KERNELS = 12
COSTS = (0.1, 1.0, 10.0, 100.0)
FOLDS = 10
LATENT_COMPONENTS = 100
_KERNEL_PARAMETERS = ("kernel", "strength", "centred", "power", "relative", "divided")
MAKERS: Mapping[str, type[SemanticKernel]] = {
    "exponential": ExponentialKernel,
    "vonneumann": VonNeumannKernel,
}


class Med:
    """The documents with their relevance judgments and cached decompositions."""

    def __init__(self, data: str | Path | None) -> None:
        """Read the files."""
        docs, judgments = find_files("med", FILES, data)
        names, texts = zip(*read_pairs(docs), strict=True)
        row_of = {name: number for number, name in enumerate(names)}
        self.relevant = np.zeros((len(names), N_QUERIES), dtype=int)
        for query, doc in read_pairs(judgments):
            self.relevant[row_of[doc], int(query) - 1] = 1
        self.X = _make_vectorizer().fit_transform(texts)
        self.bases: dict[tuple[str, bool, float], SemanticKernel] = {}
        self.kernels: dict[tuple[Any, ...], Array] = {}
        self.costs: dict[tuple[Any, ...], float] = {}

    def base(self, family: str, centred: bool, power: float) -> SemanticKernel:
        """Return a kernel fitted on all documents, from the cache if there is one."""
        key = (family, centred, power)
        if key not in self.bases:
            self.bases[key] = _make_kernel(family, centred, power).fit(self.X)
        return self.bases[key]

    def kernel(self, parameters: Mapping[str, Any]) -> Array:
        """Return the kernel matrix of all documents for the parameters of a model."""
        key = tuple(sorted((name, parameters[name]) for name in parameters if name in _KERNEL_PARAMETERS))
        if key not in self.kernels:
            if len(self.kernels) > _MAX_KERNELS:
                self.kernels.clear()
            self.kernels[key] = self._compute_kernel(**dict(key))
        return self.kernels[key]

    def _compute_kernel(
        self,
        kernel: str,
        strength: float = 0.0,
        centred: bool = False,
        power: float = 1.0,
        relative: bool = False,
        divided: bool = True,
    ) -> Array:
        if kernel == "latent":
            Z = self.base("exponential", False, 1.0).coordinates(self.X)[:, :LATENT_COMPONENTS]
            Z = Z / np.linalg.norm(Z, axis=1, keepdims=True)
            return np.asarray(Z @ Z.T)
        if kernel == "lexical":
            return self.base("exponential", False, 1.0).set_lambda(0.0).transform(self.X)
        base = self.base(kernel, centred, power).set_lambda(strength, relative)
        base.cosine = divided
        K = base.transform(self.X)
        base.cosine = True
        return K

    def search_lambda(self, family: str, train: NDArray[np.int64], y: Array, divided: bool) -> float:
        """Search for lambda on the training block of the kernel, divided to a diagonal of ones or not."""
        base = self.base(family, False, 1.0)
        lexical, Z = self.kernel({"kernel": "lexical"}), base.coordinates(self.X)[train]
        C, x = lexical[np.ix_(train, train)], base.basis_.eigenvalues
        kind = FAMILIES[family]
        signs, bound = one_vs_rest_signs(y[train]), kind.max_searched_lambda / base.lambda_scale_
        curve = dense_alignment(C, Z, x, kind, signs, "uncentred", cosine=divided)
        result = search_lambda(curve, bound, prior_alignment(y[train]))
        return round(result.lambda_, 4)  # so that few kernels are computed

    def shared_cost(self, parameters: Mapping[str, Any]) -> float:
        """Choose C by ten-fold cross-validation on all documents, with lambda searched on all labels."""
        key = tuple(sorted((name, parameters[name]) for name in parameters if name != "train"))
        if key not in self.costs:
            y, all_rows = self.relevant[:, parameters["query"] - 1], np.arange(len(self.relevant))
            K = self.kernel(with_lambda(self, parameters, all_rows, y))
            self.costs[key] = _best_cost(K, y)
        return self.costs[key]


def with_lambda(
    med: Med, parameters: Mapping[str, Any], train: NDArray[np.int64], y: NDArray[Any]
) -> dict[str, Any]:
    """Return the parameters with the searched lambda, if it is to be searched."""
    if parameters.get("strength") != "search":
        return dict(parameters)
    divided = parameters.get("searched") == "divided"
    return {**parameters, "strength": med.search_lambda(parameters["kernel"], train, y, divided)}


def resolve_med(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return every setting of a measurement on MEDLINE, defaults included.

    >>> settings = resolve_med({"kernel": "vonneumann", "query": 20, "power": 0.5})
    >>> settings["tf"], settings["min_df"], settings["kernel__power"], settings["kernel__normalize"]
    ('log1p', 2, 0.5, True)
    """
    defaults = {"strength": 0.0, "centred": False, "power": 1.0, "relative": False, "divided": True}
    choices = {"cost": "each split", "searched": "plain"}
    settings = {**defaults, **choices, **parameters}
    family = (
        settings["kernel"] if settings["kernel"] in MAKERS else "exponential"
    )  # the decomposition that the others use
    kernel = _make_kernel(family, settings["centred"], settings["power"])
    protocol = {
        "costs": list(COSTS),
        "folds": FOLDS,
        "latent_components": LATENT_COMPONENTS,
        "stop_words": bool(STOP_WORDS),
        "stop_list": sha256(" ".join(sorted(STOP_WORDS)).encode()).hexdigest()[:12],
    }
    return {**kernel_settings(kernel, _make_vectorizer(), "content words"), **protocol, **settings}


def _make_vectorizer() -> TextVectorizer:
    return TextVectorizer.paper(tf="log1p", min_df=2, tokenizer=_content_words)


def _make_kernel(family: str, centred: bool, power: float) -> SemanticKernel:
    """Return a kernel of a family, before it is fitted."""
    return MAKERS[family](0.0, centred=centred, power=power, cosine=True)


def _content_words(text: str) -> list[str]:
    return [word for word in tokenize(text) if word not in STOP_WORDS]


@lru_cache(maxsize=1)
def load_med(data: str | Path | None) -> Med:
    """Read the collection, or return the cached one."""
    return Med(data)


def measure_query(experiment: Experiment, data: str | Path | None) -> dict[str, float]:
    """Return alignment, error, F1, lambda and average precision of one query on one split."""
    med, parameters = load_med(data), dict(experiment.model.parameters)
    y = med.relevant[:, parameters["query"] - 1]
    train, test = split(y, parameters["train"], experiment.seed)
    is_shared = parameters.get("cost") == "once"
    shared_cost = med.shared_cost(parameters) if is_shared else None
    parameters = with_lambda(med, parameters, train, y)
    K = med.kernel(parameters)
    K_train = K[np.ix_(train, train)]
    cost = shared_cost or _best_cost(K_train, y[train])
    metrics = _classification_metrics(K_train, K[np.ix_(test, train)], y[train], y[test], cost)
    metrics["alignment"] = target_alignment(K_train, y[train])
    metrics |= {"lambda": float(parameters.get("strength", 0.0)), "C": cost, "relevant": float(y[test].sum())}
    return {f"med/query {parameters['query']}/{name}": value for name, value in metrics.items()}


def measure_alignment(experiment: Experiment, data: str | Path | None) -> dict[str, float]:
    """Return the alignment of a kernel with a query on the training part of a split."""
    med, parameters = load_med(data), dict(experiment.model.parameters)
    mode, y = parameters.pop("mode"), med.relevant[:, parameters["query"] - 1]
    train, _ = split(y, parameters["train"], experiment.seed)
    K = np.ones((len(y), len(y))) if parameters["kernel"] == "ones" else med.kernel(parameters)
    return {
        f"med/query {parameters['query']}/alignment": target_alignment(
            K[np.ix_(train, train)], y[train], mode
        )
    }


def measure_queries(experiment: Experiment, data: str | Path | None) -> dict[str, float]:
    """Return means over the 30 queries, one split each, and over queries 11 to 30, which chose no setting."""
    med, parameters = load_med(data), experiment.model.parameters
    K = med.kernel(parameters)
    rows = []
    for query in range(N_QUERIES):
        y = med.relevant[:, query]
        train, test = split(y, parameters["train"], experiment.seed)
        rows.append(
            _classification_metrics(K[np.ix_(train, train)], K[np.ix_(test, train)], y[train], y[test], 1.0)
        )
    parts = {"all queries": rows, "queries 11 to 30": rows[10:]}
    return {
        f"med/{part}/{name}": float(np.mean([row[name] for row in part_rows]))
        for part, part_rows in parts.items()
        for name in rows[0]
    }


def split(y: NDArray[Any], share: float, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split at random; repeat until both parts have two relevant documents."""
    rng = np.random.default_rng(seed)
    while True:
        order = rng.permutation(len(y))
        train, test = order[: round(share * len(y))], order[round(share * len(y)) :]
        if min(y[train].sum(), y[test].sum()) >= 2:
            return train, test


def _svc(cost: float) -> Any:
    from sklearn.svm import SVC

    return SVC(C=cost, kernel="precomputed")


def _best_cost(K: Array, y: NDArray[Any]) -> float:
    """Choose C by ten-fold cross-validation; the largest on ties.

    With eight relevant documents, small values of C often tie because they predict no relevant document.
    """
    from sklearn.model_selection import cross_val_score

    folds = _folds(y, FOLDS)
    scores = [cross_val_score(_svc(cost), K, y, cv=folds).mean() for cost in COSTS]
    return max(cost for cost, score in zip(COSTS, scores, strict=True) if score == max(scores))


def _folds(y: NDArray[Any], max_folds: int) -> Any:
    from sklearn.model_selection import StratifiedKFold

    return StratifiedKFold(min(max_folds, int(np.bincount(y).min())), shuffle=True, random_state=0)


def _classification_metrics(
    K_train: Array, K_test: Array, y: NDArray[Any], gold: NDArray[Any], cost: float
) -> dict[str, float]:
    """Return error, F1, average precision, and F1 at a threshold tuned by cross-validation on ``K_train``."""
    from sklearn.metrics import average_precision_score
    from sklearn.model_selection import cross_val_predict

    scores = _svc(cost).fit(K_train, y).decision_function(K_test)
    held_out = cross_val_predict(_svc(cost), K_train, y, cv=_folds(y, 5), method="decision_function")
    tuned = scores >= best_f1_threshold(held_out, y)
    return {
        "error": float(np.mean((scores > 0) != gold)),
        "f1": f1(scores > 0, gold),
        "average precision": float(average_precision_score(gold, scores)),
        "tuned f1": f1(tuned, gold),
    }


def best_f1_threshold(scores: Array, gold: NDArray[Any]) -> float:
    """Return the threshold t for which "positive if score >= t" has the highest F1.

    >>> best_f1_threshold([0.9, 0.2, 0.7, 0.1], [1, 0, 1, 0])
    0.7
    """
    from sklearn.metrics import precision_recall_curve

    precision, recall, thresholds = precision_recall_curve(gold, scores)
    total = precision + recall
    f1 = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    return float(thresholds[np.argmax(f1[:-1])])
