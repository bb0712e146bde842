"""Names, quotes and sub-themes of clusters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.themes.clustering import split_theme
from tacit.themes.naming import ScoredTerm
from tacit.themes.theme_space import ThemeSpace
from tacit.types import Array

MIXED_NAME, OTHER_NAME = "Mixed texts", "Other"
"""Names of a theme without a common topic, and of the texts that fit no theme."""
MAX_NAME_CHARACTERS = 40
"""Length of the name of a theme of one text."""


@dataclass(frozen=True)
class Theme:
    """A theme or sub-theme.

    Parameters
    ----------
    id : str
        A number such as "3", or "3.1" for a sub-theme.
    name : str
        Up to three words or phrases that distinguish its texts; the beginning of the text if it has only one.
    is_mixed : bool
        Whether no words describe enough of its texts, so that they have no common topic.
    quotes : tuple of str
        Its most representative texts, best first.
    subthemes : tuple of Theme
        Its sub-themes, the largest first.
    """

    id: str
    name: str
    is_mixed: bool
    quotes: tuple[str, ...]
    subthemes: tuple[Theme, ...] = ()

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Theme:
        """Create a theme from the result of ``dataclasses.asdict``.

        Parameters
        ----------
        values : dict
            The fields.

        Returns
        -------
        Theme
            The theme.
        """
        parts = tuple(map(cls.from_dict, values["subthemes"]))
        return cls(**values | {"quotes": tuple(values["quotes"]), "subthemes": parts})


def describe_themes(space: ThemeSpace, members: list[Array], random_state: int) -> tuple[list[Theme], Array]:
    """Name and split themes; return the themes, and the sub-theme of each text or -1.

    ``members`` has the texts of each theme.
    """
    sublabels = np.full(len(space.rows), -1)
    themes: list[Theme] = []
    n_same = Counter([OTHER_NAME])  # names are distinct, also from that of the other texts
    for number, (rows, terms) in enumerate(zip(members, space.name_groups(members), strict=True), 1):
        parts = _find_parts(space, rows, random_state)
        for label, (part, _) in enumerate(parts):
            sublabels[part] = label
        subthemes = tuple(
            Theme(f"{number}.{i}", join_terms(part_terms), False, space.choose_quotes(part, part_terms))
            for i, (part, part_terms) in enumerate(parts, 1)
        )
        is_mixed = not terms and len(rows) > 1
        name = join_terms(terms) or (MIXED_NAME if is_mixed else _shorten(space.texts[rows[0]]))
        n_same[name] += 1
        name = f"{name} {n_same[name]}" if n_same[name] > 1 else name
        themes.append(Theme(str(number), name, is_mixed, space.choose_quotes(rows, terms), subthemes))
    return themes, sublabels


def _find_parts(space: ThemeSpace, rows: Array, random_state: int) -> list[tuple[Array, list[ScoredTerm]]]:
    """Split a theme into sub-themes; those without a name are dropped, and two or more must remain."""
    graph = space.graph[rows][:, rows]
    labels = split_theme(space.unit[rows], graph, random_state, space.n_threads)
    if labels is None:
        return []
    members = [rows[labels == label] for label in range(labels.max() + 1)]
    named = zip(members, space.name_groups(members, rows), strict=True)
    parts = [(part, terms) for part, terms in named if terms]
    return parts if len(parts) > 1 else []


def _shorten(text: str) -> str:
    """Return the name of a theme that has only one text."""
    text = " ".join(text.split())
    if len(text) <= MAX_NAME_CHARACTERS:
        return text
    end = text.rfind(" ", MAX_NAME_CHARACTERS // 2, MAX_NAME_CHARACTERS)
    return f"{text[: MAX_NAME_CHARACTERS if end < 0 else end]}…"


def join_terms(terms: list[ScoredTerm]) -> str:
    """Return the name of a theme: its terms, separated by commas."""
    return ", ".join(term.term.spelling for term in terms)
