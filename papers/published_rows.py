"""The models of the papers, and rows that carry what the papers print for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from papers.experiments import Model
from papers.tables import Row
from tacit.evaluation.published import Figure

LDA_ITERATIONS = 500
"""The paper runs 5,000, which takes hours a model."""

IR = Model("ir")
FLOOR = {"random scores": Model("random", random=True), "IR": IR}
"""What stands in every table beside the paper's rows."""

FLOOR_NOTE = "The rows of random scores and IR are ours alone."
LDA_NOTE = "The paper runs 5,000 Gibbs iterations for LDA."


def wtmf(
    missing_weight: float, regularization: float = 20.0, n_components: int = 100, n_iter: int = 20
) -> Model:
    """WTMF with the papers' parameters."""
    parameters = {
        "missing_weight": missing_weight,
        "regularization": regularization,
        "n_components": n_components,
        "n_iter": n_iter,
    }
    return Model("wtmf", parameters, random=True)


def stopped(model: Model, patience: int) -> Model:
    """The same WTMF, kept after its best sweep by the dev queries."""
    return Model("wtmf-stopped", {**model.parameters, "patience": patience}, random=True)


def lda(alpha: float = 0.05, beta: float = 0.05, n_components: int = 100) -> Model:
    """LDA by Gibbs sampling."""
    parameters: dict[str, Any] = {"alpha": alpha, "beta": beta}
    return Model("lda", {**parameters, "n_components": n_components, "n_iter": LDA_ITERATIONS}, random=True)


def printed(task: str, published: Iterable[Figure], model: str) -> dict[str, float]:
    """What a paper prints for a model, by ``task/set/measure``.

    >>> from tacit.evaluation.published import MSR04
    >>> printed("msr04", MSR04, "WTMF, w_m=.01")
    {'msr04/test/accuracy': 0.7151}
    """
    return {
        f"{task}/{name}/{measure}": value
        for figure in published
        if figure.model == model
        for measure, values in figure.values.items()
        for name, value in values.items()
    }


def rows(task: str, published: Iterable[Figure], models: Mapping[str, Model | None]) -> tuple[Row, ...]:
    """A row a model, by the name that the published figures have for it."""
    published = tuple(published)
    return tuple(Row(name, model, printed(task, published, name)) for name, model in models.items())


def beside(task: str, published: Iterable[Figure], ours: Mapping[str, Model]) -> tuple[Row, ...]:
    """The published systems, of which those in ``ours`` are trained here; then what is ours alone."""
    published = tuple(published)
    models = {figure.model: ours.get(figure.model) for figure in published}
    return rows(task, published, {**models, **ours})
