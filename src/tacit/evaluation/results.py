"""A result: numbers with what is needed to trust them, as versioned JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacit import __version__
from tacit.errors import InputError

FORMAT = 1
AVERAGES = ("all", "all_normalized", "mean", "weighted_mean")
"""Averages over sets, of Pearson's r under these names, of Spearman's rho with ``_spearman`` behind."""

_FACTS = ("task", "scorer", "pairs", "without_known_words", "seconds", "tacit")


@dataclass(frozen=True)
class Result:
    """What a scorer reached on a task.

    Parameters
    ----------
    sets : the numbers of each set by name, ``pairs`` among them.
    summary : the numbers over all sets: ``all``, ``mean``, ... for several similarity sets, ``pearson`` and
        ``spearman`` for one, ``accuracy`` and ``f1``, or ``atop``.
    pairs : how many pairs (for retrieval: queries) were scored.
    without_known_words : how many texts had no word the scorer knows; their pairs score 0.

    >>> result = Result("sick", "ir", {"test": {"pairs": 4927, "pearson": 0.6}}, {"pearson": 0.6}, 4927)
    >>> Result.from_json(result.to_json()) == result
    True
    """

    task: str
    scorer: str
    sets: Mapping[str, Mapping[str, float]]
    summary: Mapping[str, float]
    pairs: int
    without_known_words: int = 0
    seconds: float = 0.0
    tacit: str = field(default=__version__)

    def value(self, metric: str, name: str) -> float | None:
        """A number by its measure and the name of a set or average; None where there is none.

        >>> Result("t", "s", {}, {"mean": 0.5, "mean_spearman": 0.4}, 9).value("spearman", "mean")
        0.4
        """
        if name in self.sets:
            return self.sets[name].get(metric)
        return self.summary.get(name if metric == "pearson" else f"{name}_{metric}")

    def to_dict(self) -> dict[str, Any]:
        """As plain values, the summary's numbers beside the facts."""
        facts = {name: getattr(self, name) for name in _FACTS}
        sets = {name: dict(numbers) for name, numbers in self.sets.items()}
        return {"format": FORMAT, **facts, **self.summary, "sets": sets}

    def to_json(self) -> str:
        """As JSON, on several lines."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Result:
        """Read what :meth:`to_dict` gave.

        >>> Result.from_dict({"format": 2})
        Traceback (most recent call last):
        tacit.errors.InputError: a result of format 2, and this tacit reads format 1: upgrade tacit
        """
        if values.get("format") != FORMAT:
            found = values.get("format")
            raise InputError(
                f"a result of format {found!r}, and this tacit reads format {FORMAT}: upgrade tacit"
            )
        missing = [name for name in (*_FACTS, "sets") if name not in values]
        if missing:
            raise InputError(f"a result without {', '.join(missing)}: is this a file of tacit evaluate?")
        rest = {name: values[name] for name in values if name not in (*_FACTS, "sets", "format")}
        return cls(sets=values["sets"], summary=rest, **{name: values[name] for name in _FACTS})

    @classmethod
    def from_json(cls, text: str) -> Result:
        """Read what :meth:`to_json` gave."""
        try:
            values = json.loads(text)
        except ValueError as error:
            raise InputError(f"a result that is not JSON ({error}): evaluate again") from None
        if not isinstance(values, dict):
            raise InputError(
                f"a result that is a JSON {type(values).__name__}, not an object: evaluate again"
            )
        return cls.from_dict(values)

    def save(self, path: str | Path) -> None:
        """Write the JSON to a file."""
        Path(path).write_text(self.to_json() + "\n", encoding="utf-8")
