"""What tacit train says when it is done: what was learnt, with which settings, how good it is, what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import print_json

if TYPE_CHECKING:
    from tacit.training.hidden_words import HiddenWords
    from tacit.training.wtmf import WTMF

WHERE = {"memory": "in memory", "disk": "on disk", "dask": "on Dask"}
FEW = 5000
"""English texts below which a background is worth a try."""


def report(trainer: WTMF, out: str, seconds: float, hidden: HiddenWords | None, as_json: bool) -> None:
    """The line of a training, how well it finds hidden words, and what would help."""
    model = trainer.model_
    provenance, texts = model.provenance, model.pivot.vectorizer.n_texts_
    if as_json:
        facts = {"model": out, "texts": texts, "words": model.n_words, "components": model.n_components}
        facts["engine"] = provenance.get("engine", "memory")
        told = None if hidden is None else {"gain": round(hidden.gain, 3), "hidden_words": hidden.n_hidden}
        named = ("settings", "auto", "spread", "background")
        settings = {name: provenance.get(name) for name in named}
        sweeps = {"sweeps": len(trainer.loss_), "loss": trainer.loss_, "seconds": round(seconds, 3)}
        helps = {"prediction": told, "remedies": remedies(trainer, texts, hidden)}
        print_json(facts | settings | sweeps | helps)
        return
    click.echo(
        f"{out}: {model.n_words:,} words from {texts:,} texts, {len(trainer.loss_)} sweeps, "
        f"loss {trainer.loss_[-1]:,.0f}, {seconds:.1f} s {WHERE[provenance.get('engine', 'memory')]}"
    )
    click.echo(f"{'':4}{_settings(provenance)}")
    if hidden is not None:
        click.echo(f"{'':4}{hidden}")
    for line in remedies(trainer, texts, hidden):
        click.echo(f"{'':4}{line}")


def _settings(provenance: dict[str, Any]) -> str:
    settings, auto = provenance["settings"], provenance["auto"]
    names = {"n_components": "components", "missing_weight": "missing weight"}
    parts = [
        f"{names.get(name, name)} {value:.3g}{'' if name in auto else ' as given'}"
        for name, value in settings.items()
        if name != "n_iter"
    ]
    behind = provenance.get("background")
    if behind:
        parts.append(f"background of {behind['words']:,} words, {1 - behind['share']:.0%} of a comparison")
    return ", ".join(parts)


def remedies(trainer: WTMF, texts: int, hidden: HiddenWords | None) -> list[str]:
    """What would help where a model is poor."""
    from tacit.models.spread import Spread
    from tacit.training.hidden_words import LEAST_GAIN

    found = []
    provenance = trainer.model_.provenance
    spread = Spread(**provenance["spread"])
    if spread.says_little and texts > 2:
        given = set(provenance["settings"]) - set(provenance["auto"])
        found.append(
            f"the vectors of the texts hardly differ (mean cosine {spread.mean_cosine:.2f}): comparisons "
            "rest on words and letters; give more varied texts"
            + (", or leave the settings to the data" if given else "")
        )
    poor = hidden is None or hidden.gain < LEAST_GAIN
    if texts < FEW and trainer.model_.pivot.code == "en" and "background" not in provenance:
        why = "these texts alone teach little" if poor else f"{texts:,} texts are few"
        found.append(f"{why}: --background wordnet lets them learn from 117,659 definitions too")
    elif poor:
        found.append("these texts alone teach little: give more of them, or a --background FILE")
    return found
