"""The result of a training: a model, notes on the data, a self-check and suggestions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel
    from tacit.training.self_check import SelfCheck
    from tacit.training.tuning import Trial

SMALL_COLLECTION = 5000
"""Below this number of English texts, a background is suggested."""


@dataclass
class Learned:
    """What `learn`, `learn_parallel` and `add_language` return.

    Parameters
    ----------
    model : TextModel
        The trained model.
    language : str or None
        Language code of the texts; None if the caller asked for plain words.
    language_note : str
        How the language was detected; empty if the caller named it.
    notes : list of str
        What should be looked into: empty or repeated texts, HTML, several languages, an unclear language.
    self_check : SelfCheck or None
        How well hidden words of held-out texts are predicted; None for too few texts.
    suggestions : list of str
        What would make the model better.
    engine : str
        Where it was trained: "memory", "disk" or "dask".
    seconds : float
        Time of training, self-check and saving.
    trials : list of Trial
        What a search for settings tried.
    folder : str or None
        Where the model was saved.
    remove_work_dir : callable, optional
        Removes the work folder of a training on disk or on Dask; `save` calls it.
    """

    model: TextModel
    language: str | None = None
    language_note: str = ""
    notes: list[str] = field(default_factory=list)
    self_check: SelfCheck | None = None
    suggestions: list[str] = field(default_factory=list)
    engine: str = "memory"
    seconds: float = 0.0
    trials: list[Trial] = field(default_factory=list)
    folder: str | None = None
    remove_work_dir: Callable[[], None] | None = field(default=None, repr=False)

    def save(self, folder: str | Path) -> None:
        """Save the model, then remove the work folder of a training on disk or on Dask.

        Parameters
        ----------
        folder : str or Path
            The folder to write; an earlier model there is replaced as a whole.
        """
        started = time.perf_counter()
        self.model.save(folder)
        self.folder = str(folder)
        if self.remove_work_dir is not None:
            self.remove_work_dir()
        self.seconds += time.perf_counter() - started

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values, as ``tacit train --json`` prints them.

        Returns
        -------
        dict
            For a model of one language its counts, settings, loss, self-check and suggestions; for several
            languages the counts of each.
        """
        model, provenance = self.model, self.model.provenance
        rounded = {"seconds": round(self.seconds, 3)}
        if len(model.languages) > 1:
            languages = {
                code: {"words": language.n_trained_words, "texts": language.vectorizer.n_texts_}
                for code, language in model.languages.items()
            }
            return {"model": self.folder, "trainer": provenance["trainer"], "languages": languages} | rounded
        check = self.self_check
        prediction = None if check is None else {"gain": round(check.gain, 3), "hidden_words": check.n_hidden}
        return {
            "model": self.folder,
            "texts": model.pivot.vectorizer.n_texts_,
            "words": model.n_words,
            "components": model.n_components,
            "language": self.language,
            "engine": self.engine,
            **{name: provenance.get(name) for name in ("settings", "auto", "spread", "background")},
            "sweeps": len(provenance["loss"]),
            "loss": provenance["loss"],
            **rounded,
            "prediction": prediction,
            "remedies": self.suggestions,
        }


def suggest_improvements(model: TextModel, self_check: SelfCheck | None) -> list[str]:
    """Suggest what would make a trained model better.

    Parameters
    ----------
    model : TextModel
        A model of one language.
    self_check : SelfCheck or None
        Its self-check.

    Returns
    -------
    list of str
        One sentence each; empty for a good model of many texts.
    """
    from tacit.models.isotropy import Isotropy
    from tacit.training.self_check import MIN_GOOD_GAIN

    suggestions, provenance = [], model.provenance
    n_texts, spread = model.pivot.vectorizer.n_texts_, Isotropy(**provenance["spread"])
    if spread.is_low and n_texts > 2:
        are_auto = set(provenance["settings"]) <= set(provenance["auto"])
        suggestions.append(
            f"the vectors of the texts hardly differ (mean cosine {spread.mean_cosine:.2f}): comparisons "
            "rest on words and letters; give more varied texts"
            + ("" if are_auto else ", or leave the settings to the data")
        )
    is_poor = self_check is None or self_check.gain < MIN_GOOD_GAIN
    if n_texts < SMALL_COLLECTION and model.pivot.code == "en" and "background" not in provenance:
        why = "these texts alone teach little" if is_poor else f"{n_texts:,} texts are few"
        suggestions.append(
            f"{why}: --background wordnet (background='wordnet' in Python) adds 117,659 definitions"
        )
    elif is_poor:
        suggestions.append("these texts alone teach little: give more of them, or a --background FILE")
    return suggestions
