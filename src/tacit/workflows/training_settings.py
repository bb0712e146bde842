"""Settings of a training run, its tuning and its engine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.checks import AUTO, check_choice, is_auto
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel
    from tacit.text.vectorizer import TextVectorizer
    from tacit.training.wtmf import WTMF

PRESETS = ("auto", "paper")
ENGINES = ("auto", "memory", "disk", "dask")
_UNIT_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a training run; None takes the value of the preset, "auto" chooses it from the data.

    Parameters
    ----------
    preset : {"auto", "paper"}
        Settings chosen from the data, or those of Guo & Diab for 400,000 dictionary entries.
    n_components : int or "auto", optional
        Vector dimension.
    missing_weight : float or "auto", optional
        Weight of words that a text does not contain, from 0 to 1.
    regularization : float or "auto", optional
        L2 regularization (lambda), at least 0.
    n_iter : int or "auto", optional
        Number of training sweeps.
    min_df : int or "auto", optional
        Drop words found in fewer texts.
    text_regularization : float, optional
        Regularization when encoding new texts; None takes that of training.
    tol : float
        Stop when a sweep lowers the loss by less than this fraction.
    max_features : int, optional
        Keep only the most frequent words.
    log_tf : bool
        Use 1 + log(tf) instead of counts.
    random_state : int
        Random seed.
    n_threads : int, optional
        Number of threads; None uses all cores. The result does not depend on it.
    """

    preset: str = "auto"
    n_components: int | str | None = None
    missing_weight: float | str | None = None
    regularization: float | str | None = None
    n_iter: int | str | None = None
    min_df: int | str | None = None
    text_regularization: float | None = None
    tol: float = 0.0
    max_features: int | None = None
    log_tf: bool = False
    random_state: int = 0
    n_threads: int | None = None

    @property
    def factorization(self) -> dict[str, Any]:
        """The four settings of the factorization, with the values of the preset where they are None."""
        from tacit.factorize.wmf_settings import PAPER_SETTINGS

        preset = PAPER_SETTINGS if self.preset == "paper" else dict.fromkeys(PAPER_SETTINGS, AUTO)
        values = {name: getattr(self, name) for name in preset}
        return preset | {name: value for name, value in values.items() if value is not None}

    @property
    def n_sweeps(self) -> int:
        """The maximum number of sweeps."""
        from tacit.factorize.wmf_settings import DEFAULT_N_ITER

        n_iter = self.factorization["n_iter"]
        return DEFAULT_N_ITER if is_auto(n_iter) else int(n_iter)

    def check(self) -> None:
        """Raise `InputError` for a value out of range, before any text is read."""
        from tacit.factorize.wmf_settings import check_requested_settings

        check_choice("preset", self.preset, PRESETS)
        check_requested_settings(self.tol, self.text_regularization, **self.factorization)

    def create_vectorizer(self, language: str | None) -> TextVectorizer:
        """Create a vectorizer with these settings.

        Parameters
        ----------
        language : str or None
            Language code; None, or a language without a stemmer, gives plain words.

        Returns
        -------
        TextVectorizer
            The vectorizer, not fitted.
        """
        from tacit.text.languages import stemmer_language
        from tacit.text.vectorizer import TextVectorizer

        create = TextVectorizer.paper if self.preset == "paper" else TextVectorizer
        vectorizer = create(language=None if language is None else stemmer_language(language))
        vectorizer.set_params(max_features=self.max_features, **({"tf": "log"} if self.log_tf else {}))
        if self.min_df is not None:
            vectorizer.set_params(min_df=self.min_df)
        return vectorizer

    def trainer_options(self) -> dict[str, Any]:
        """Return the parameters that all trainers take.

        Returns
        -------
        dict
            Settings of the factorization, tolerance, seed and number of threads.
        """
        rest = {"tol": self.tol, "random_state": self.random_state, "n_threads": self.n_threads}
        return self.factorization | rest

    def create_trainer(self, language: str | None, background: TextModel | None = None) -> WTMF:
        """Create a trainer with these settings.

        Parameters
        ----------
        language : str or None
            Language code; None trains on plain words of an unnamed language.
        background : TextModel, optional
            A model of more texts.

        Returns
        -------
        WTMF
            The trainer, not fitted.
        """
        from tacit.training.wtmf import WTMF

        return WTMF(
            self.create_vectorizer(language),
            language=language,
            background=background,
            text_regularization=self.text_regularization,
            **self.trainer_options(),
        )


@dataclass(frozen=True)
class TuningOptions:
    """Options of the search for settings before training.

    Parameters
    ----------
    budget : float or str
        Time for the search in seconds, or such as "60s", "5m" or "1h".
    judged_pairs : path or sequence of (score, text, text), optional
        Optimize the correlation with these scores; a path is a TSV file of score, text, text.
    label_column : str, optional
        Optimize how often the nearest text has the same label, by this column of a table.
    """

    budget: float | str = 60.0
    judged_pairs: str | Path | Sequence[tuple[float, str, str]] | None = None
    label_column: str | None = None

    def check(self) -> None:
        """Raise `InputError` for options that are out of range or contradict each other."""
        parse_duration(self.budget)
        if self.judged_pairs is not None and self.label_column is not None:
            raise InputError("give either judged pairs or a label column, not both")

    def read_judged_pairs(self) -> Sequence[tuple[float, str, str]] | None:
        """Return the judged pairs, from their file if they are in one.

        Returns
        -------
        sequence of (float, str, str), or None
            Score and two texts each.
        """
        if self.judged_pairs is None or not isinstance(self.judged_pairs, str | Path):
            return self.judged_pairs
        from tacit.evaluation.tasks import read_scored_pairs

        pairs = read_scored_pairs(self.judged_pairs)
        return list(zip(pairs.gold, pairs.a, pairs.b, strict=True))


@dataclass(frozen=True)
class EngineOptions:
    """Engine of a training run, and its resources.

    Parameters
    ----------
    engine : {"auto", "memory", "disk", "dask"}
        In memory, out of core on this machine, or on a Dask cluster; "auto" chooses memory or disk by the
        size of the files.
    scheduler : str, optional
        Address of the Dask scheduler, such as ``tcp://HOST:8786``; None starts workers on this machine.
    memory : int or str, optional
        Memory limit of the engines disk and dask in bytes, or such as "2GB"; None takes most of what is free.
    work_dir : path, optional
        Work folder of the engines disk and dask, from which a stopped training is resumed. A training with a
        work folder is not done in memory.
    default_work_dir : path, optional
        Work folder if ``work_dir`` is None and the training does not fit in memory; None takes a temporary
        folder.
    """

    engine: str = "auto"
    scheduler: str | None = None
    memory: int | str | None = None
    work_dir: str | Path | None = None
    default_work_dir: str | Path | None = None


def parse_duration(budget: float | str) -> float:
    """Convert a duration to seconds.

    Parameters
    ----------
    budget : float or str
        Seconds, or a number with the unit s, m or h.

    Returns
    -------
    float
        Seconds.

    Raises
    ------
    InputError
        If it is not a positive duration.

    Examples
    --------
    >>> parse_duration("90s"), parse_duration("2m"), parse_duration("30"), parse_duration(5)
    (90.0, 120.0, 30.0, 5.0)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h|)", str(budget).strip())
    if not match or not float(match[1]):
        raise InputError(f"budget={budget}: give a time such as 60s, 5m or 1h", parameter="budget")
    return float(match[1]) * _UNIT_SECONDS[match[2]]
