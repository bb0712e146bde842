"""The papers' models with the papers' settings, as specifications."""

from __future__ import annotations

from typing import Any

from papers.experiments import Model

SEEN_TWICE = {"min_df": 1, "min_count": 2}
"""Guo & Diab leave out the words that appear once, wherever that is."""


def wtmf(missing_weight: float, regularization: float = 20.0, **others: Any) -> Model:
    """WTMF as Guo & Diab run it; ``others`` are changes."""
    usual = {"n_components": 100, "n_iter": 20, **SEEN_TWICE}
    own = {"missing_weight": missing_weight, "regularization": regularization}
    return Model("wtmf", {**own, **usual, **others}, random=True)


def stopped(missing_weight: float, patience: int = 3) -> Model:
    """The same, kept after its best sweep by the dev queries."""
    return Model("wtmf-stopped", {**wtmf(missing_weight).parameters, "patience": patience}, random=True)


def lda(alpha: float = 0.05, beta: float = 0.05, n_components: int = 100, n_iter: int = 500) -> Model:
    """LDA by Gibbs sampling."""
    own = {"alpha": alpha, "beta": beta, "n_components": n_components, "n_iter": n_iter}
    return Model("lda", {**own, **SEEN_TWICE}, random=True)


IR = Model("ir", SEEN_TWICE)
LSA = Model("lsa", {"n_components": 100, **SEEN_TWICE})


def floor() -> dict[str, Model]:
    """What stands in every table beside the papers' rows."""
    return {"random scores": Model("random", random=True), "IR": IR}
