"""Themes: the result of finding themes in records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tacit.checks import format_count, is_auto
from tacit.corpora.table_rows import Record
from tacit.errors import InputError, import_extra
from tacit.result_table import ResultTable, html_table, name_other_columns
from tacit.themes.assignment import Assignment
from tacit.themes.comparison import ThemeComparison, compare_themes
from tacit.themes.theme_model import ThemeModel
from tacit.themes.theme_tree import OTHER_NAME, Theme
from tacit.types import Array


class Themes(ResultTable):
    """The themes of a collection, and the theme of each of its records.

    Parameters
    ----------
    model : ThemeModel
        The model, fitted on the texts of the records.
    records : list of Record
        Texts, ids and columns.
    user_names : dict of str to str, optional
        Names that a user gave to themes, by their ids.

    Attributes
    ----------
    model : ThemeModel
        The model.
    records : list of Record
        The records.

    Examples
    --------
    >>> import tacit
    >>> themes = tacit.find_themes(["my card was declined", "card payment failed", "card declined again",
    ...                             "where is my parcel", "the parcel is late", "late parcel"], 2)
    >>> [theme.name for theme in themes]
    ['card, declined', 'parcel, late']
    """

    def __init__(
        self, model: ThemeModel, records: list[Record], user_names: dict[str, str] | None = None
    ) -> None:
        self.model, self.records = model, list(records)
        self._assignment = Assignment(model.labels_, model.sublabels_, model.strengths_)
        self.user_names = dict(user_names or {})

    def __len__(self) -> int:
        """Return the number of themes."""
        return len(self.model.themes_)

    def __iter__(self) -> Any:
        """Iterate over the themes, the largest first."""
        return iter(self.themes)

    @property
    def themes(self) -> list[Theme]:
        """The themes with the names that a user gave them, the largest first."""
        return [self._rename_tree(theme) for theme in self.model.themes_]

    def _rename_tree(self, theme: Theme) -> Theme:
        parts = tuple(map(self._rename_tree, theme.subthemes))
        return replace(theme, name=self.user_names.get(theme.id, theme.name), subthemes=parts)

    @property
    def labels(self) -> Array:
        """The number of the theme of each record, from 0; -1 for other texts."""
        return self._assignment.labels

    @property
    def stability(self) -> float | None:
        """Agreement of models of half the texts on the themes, from 0 to 1; None if it was not measured."""
        return self.model.agreement_.get(len(self))

    @property
    def notes(self) -> list[str]:
        """A note if there are fewer themes than were requested."""
        requested = self.model.n_themes
        n = int(self.model.clusters.labels.max()) + 1 if is_auto(requested) else int(requested)
        if len(self) >= n:
            return []
        number = f"{format_count(len(self), 'theme')} instead of {n}"
        note = f"{number}: no further groups of texts are similar enough"
        return [f"{note}; the other texts count as {OTHER_NAME}" if (self.labels < 0).any() else note]

    def count_texts(self) -> dict[str, int]:
        """Count the records of each theme and sub-theme.

        Returns
        -------
        dict of str to int
            Numbers of records by id, such as "3" or "3.1"; "" for other texts.
        """
        labels, sublabels, _ = self._assignment
        counts = {"": int((labels < 0).sum())}
        for number, theme in enumerate(self.model.themes_):
            counts[theme.id] = int((labels == number).sum())
            for part, subtheme in enumerate(theme.subthemes):
                counts[subtheme.id] = int(((labels == number) & (sublabels == part)).sum())
        return counts

    def rename(self, names: dict[str, str]) -> None:
        """Give themes names of your own.

        Parameters
        ----------
        names : dict of str to str
            New names by theme id, such as "3" or "3.1".

        Raises
        ------
        InputError
            If no theme has one of the ids, or a name is empty or used twice.
        """
        renamed = self.user_names | {str(key): " ".join(name.split()) for key, name in names.items()}
        current = {theme.id: theme.name for top in self.model.themes_ for theme in (top, *top.subthemes)}
        for key in renamed:
            if key not in current:
                raise InputError(f"there is no theme {key!r}: there are {', '.join(current)}")
        top_names = [renamed.get(theme.id, theme.name) for theme in self.model.themes_] + [OTHER_NAME]
        if not all(renamed.values()) or len({*top_names}) < len(top_names):
            raise InputError(f"names={names}: give each theme a name of its own", parameter="names")
        self.user_names = renamed

    def set_n_themes(self, n_themes: int | str) -> None:
        """Change the number of themes without training again; all themes get new names.

        Parameters
        ----------
        n_themes : int or "auto"
            Number of themes, from 2 to 500, or "auto".
        """
        n_fitted = len(self.model.labels_)
        self.model.set_n_themes(n_themes)
        self._assignment = Assignment(self.model.labels_, self.model.sublabels_, self.model.strengths_)
        added, self.records = self.records[n_fitted:], self.records[:n_fitted]
        self.user_names = {}
        self.add(added)

    def add(self, records: Iterable[Record]) -> None:
        """Assign new records to the themes, which do not change.

        Parameters
        ----------
        records : iterable of Record
            The new records.
        """
        new = list(records)
        if new:
            assigned = self.model.assign([record.text for record in new])
            columns = zip(self._assignment, assigned, strict=True)
            self._assignment = Assignment(*(np.concatenate(parts) for parts in columns))
            self.records += new

    def column(self, name: str) -> list[Any]:
        """Return the values of a column of the records.

        Parameters
        ----------
        name : str
            The column.

        Returns
        -------
        list
            A value for each record; None where a record has none.

        Raises
        ------
        InputError
            If no record has the column.
        """
        names = self.column_names()
        if name not in names:
            available = f"there are {', '.join(map(repr, names))}" if names else "the records have no columns"
            raise InputError(f"there is no column {name!r}: {available}", parameter="column")
        return [record.columns.get(name) for record in self.records]

    def column_names(self) -> list[str]:
        """Return the names of the columns of the records.

        Returns
        -------
        list of str
            The columns other than text and id.
        """
        return list(dict.fromkeys(name for record in self.records for name in record.columns))

    def compare(self, column: str) -> ThemeComparison:
        """Compare the shares of the themes between the values of a column, or over time for dates.

        Parameters
        ----------
        column : str
            A column of the records; dates in ISO 8601 are grouped by period.

        Returns
        -------
        ThemeComparison
            Counts and shares of each theme with a 95 % interval; for dates also new and vanishing themes.
        """
        names = [*(theme.name for theme in self.themes), OTHER_NAME]
        return compare_themes(column, self.column(column), [names[label] for label in self.labels], names)

    def table_columns(self) -> list[str]:
        """Return the names of the columns of the table of records.

        Returns
        -------
        list of str
            id, text, theme, subtheme, strength, and the columns of the records.
        """
        own = ["id", "text", "theme", "subtheme", "strength"]
        return [*own, *name_other_columns(own, [dict.fromkeys(self.column_names())]).values()]

    def table_rows(self) -> Iterable[Sequence[Any]]:
        """Return a row for each record.

        Returns
        -------
        iterable of tuple
            The cells, in the order of the columns.
        """
        themes, others = self.themes, self.column_names()
        rows = zip(self.records, *(values.tolist() for values in self._assignment), strict=True)
        for number, (record, label, part, strength) in enumerate(rows, 1):
            name = OTHER_NAME if label < 0 else themes[label].name
            subtheme = themes[label].subthemes[part].name if part >= 0 else None
            cells = (record.columns.get(column) for column in others)
            id = str(number) if record.id is None else record.id
            yield (id, record.text, name, subtheme, round(strength, 4), *cells)

    def summary_rows(self, n_quotes: int = 1) -> list[tuple[Any, ...]]:
        """Return a row for each theme and sub-theme, and one for other texts.

        Parameters
        ----------
        n_quotes : int
            Number of quotes, at most 4.

        Returns
        -------
        list of tuple
            id, name, number of texts, share, and the quotes, one per line.
        """
        counts, n = self.count_texts(), max(len(self.records), 1)
        described = [part for theme in self.themes for part in (theme, *theme.subthemes)]
        cells = [(theme.id, theme.name, "\n".join(theme.quotes[:n_quotes])) for theme in described]
        return [
            (id, name, counts[id], round(counts[id] / n, 4), quotes)
            for id, name, quotes in [*cells, ("", OTHER_NAME, "")]
        ]

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values.

        Returns
        -------
        dict
            ``n_texts``, ``language``, ``n_themes``, ``stability``, ``agreement``, ``other``, ``notes`` and
            ``themes``.
        """
        counts = self.count_texts()
        return {
            "n_texts": len(self.records),
            "language": self.model.language_,
            "n_themes": len(self),
            "stability": None if self.stability is None else round(self.stability, 4),
            "agreement": {str(n): round(value, 4) for n, value in self.model.agreement_.items()},
            "other": counts[""],
            "notes": self.notes,
            "themes": [_theme_to_dict(theme, counts) for theme in self.themes],
        }

    def __repr__(self) -> str:
        """Describe the themes in one line."""
        return f"<Themes: {len(self)} themes of {len(self.records)} texts>"

    def _repr_html_(self) -> str:
        """Return an HTML table of the themes, which notebooks show."""
        return html_table(["id", "theme", "texts", "share", "quote"], self.summary_rows())

    def plot(self, axes: Any = None) -> Any:
        """Draw the themes as a bar chart with matplotlib (extra ``plots``).

        Parameters
        ----------
        axes : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            The chart.
        """
        if axes is None:
            figures = import_extra("matplotlib.figure", "a chart of the themes", "plots")
            axes = figures.Figure(layout="tight").subplots()
        rows = [row for row in self.summary_rows() if "." not in row[0]]
        names = [row[1].replace("$", r"\$") for row in rows]
        axes.barh(names, [row[2] for row in rows])
        axes.invert_yaxis()
        axes.set(xlabel="texts")
        return axes


def _theme_to_dict(theme: Theme, counts: dict[str, int]) -> dict[str, Any]:
    values = {"id": theme.id, "name": theme.name, "is_mixed": theme.is_mixed, "n_texts": counts[theme.id]}
    parts = [_theme_to_dict(part, counts) for part in theme.subthemes]
    return values | {"quotes": list(theme.quotes), "subthemes": parts}
