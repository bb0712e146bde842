"""Every setting of a system of senses, defaults included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from papers.senses.training import FACTORS, MOST_OCCURRENCES, SIZES, Reading
from tacit.senses.local_model import LocalSenseModel
from tacit.senses.model import SenseModel

_ASIDE = ("random_state", "n_threads", "pos", "callback", "n_words", "n_clusters", "n_salient")
"""What leaves the numbers as they are, and what stands among the sizes by part of speech."""


def resolve_senses(kind: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of ``conservative``, ``liberal`` or ``local``.

    >>> resolve_senses("liberal", {"features": "parse"})["noun_words"]
    5000
    """
    own = dict(parameters)
    reading = Reading.of(own)._asdict()
    transductive = own.pop("transductive", False)
    model = LocalSenseModel(**own) if kind == "local" else SenseModel(selection=kind, **own)
    found = {name: value for name, value in model.get_params().items() if name not in _ASIDE}
    sizes = {
        f"{pos or 'all'}_{what}": size
        for pos, both in SIZES.items()
        for what, size in zip(("words", "clusters"), both, strict=True)
    }
    if isinstance(model, SenseModel):
        sizes["n_salient"] = model.switched_off
    limits = {"most_occurrences": MOST_OCCURRENCES, "transductive": transductive}
    return {**found, **sizes, **FACTORS, **limits, **reading}
