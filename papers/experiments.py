"""An experiment as data: a corpus, a model and a seed, which give numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Model:
    """What is trained: its kind (see ``trainers.TRAINERS``) and parameters.

    ``random`` says whether the seed matters; a model without chance is trained once.
    """

    kind: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    random: bool = False


@dataclass(frozen=True)
class Experiment:
    """A model trained on a corpus from a seed, and measured by the tasks of that corpus.

    >>> experiment = Experiment("definitions", Model("wtmf", {"missing_weight": 0.01}, random=True), seed=3)
    >>> experiment.title
    'wtmf missing_weight=0.01 on definitions, seed 3'
    >>> experiment.short
    'wtmf, seed 3'
    """

    corpus: str
    model: Model
    seed: int = 0

    @property
    def title(self) -> str:
        """All that tells it from others, for people."""
        named = (f"{name}={value}" for name, value in sorted(self.model.parameters.items()))
        return f"{' '.join([self.model.kind, *named])} on {self.corpus}{self._seed}"

    @property
    def training(self) -> str:
        """What has to be trained: experiments that differ only in their measure share it.

        >>> latent, blend = (Experiment("c", Model("x-wmf", {"measure": m})) for m in ("latent", "blend"))
        >>> latent.training == blend.training
        True
        """
        named = (
            f"{name}={value}" for name, value in sorted(self.model.parameters.items()) if name != "measure"
        )
        return f"{' '.join([self.model.kind, *named])} on {self.corpus}{self._seed}"

    @property
    def short(self) -> str:
        """What a progress bar has room for."""
        return f"{self.model.kind}{self._seed}"

    @property
    def _seed(self) -> str:
        return f", seed {self.seed}" if self.model.random else ""
