"""Find the themes of records, or change those of a work folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tacit.checks import check_int, is_auto
from tacit.corpora import Record
from tacit.errors import InputError
from tacit.search.index import Index
from tacit.themes.results import Themes
from tacit.themes.theme_model import MAX_THEMES, ThemeModel
from tacit.themes.work_folder import check_work_folder, has_themes, load_themes, save_themes
from tacit.workflows.learning import count_texts
from tacit.workflows.loading import load
from tacit.workflows.progress import Progress, notify
from tacit.workflows.python_records import as_source, read_index


def find_themes(
    records: Any, n_themes: int | str = "auto", *, text: str | Sequence[str] | None = None,
    id: str | None = None, columns: Sequence[str] | None = None, language: str | None = "auto",
    work: str | Path | None = None, add: Any = None, names: dict[str, str] | None = None,
    random_state: int = 0, n_threads: int | None = None, progress: Progress | None = None,
) -> Themes:  # fmt: skip
    """Find the themes of a collection: groups of texts with names, quotes and sub-themes.

    The themes depend on the set of distinct texts, not on their order.

    Parameters
    ----------
    records : RecordSource, path, iterable of str, Record or dict, Series, DataFrame or Index
        The texts; or the folder of an index, or a work folder of an earlier call.
    n_themes : int or "auto"
        Number of themes, from 2 to 500; "auto" takes the most stable number from 5 to 12.
    text, id, columns : optional
        Text columns, id column and other columns to keep, of a file, a DataFrame or dicts.
    language : str, optional
        Language code of the texts; "auto" detects it, None uses plain words.
    work : path, optional
        Folder that keeps the result. If it holds the themes of the same texts, nothing is trained again.
    add : RecordSource, path, iterable of str, Record or dict, Series or DataFrame, optional
        New records for the themes of a work folder, which do not change.
    names : dict of str to str, optional
        Names of your own by theme id, such as "3" or "3.1".
    random_state : int
        Random seed.
    n_threads : int, optional
        Number of threads; the result does not depend on it.
    progress : callable, optional
        Receives events of the stages "reading", "sweeps", "stability" and "naming".

    Returns
    -------
    Themes
        The themes and the theme of each record.

    Raises
    ------
    InputError
        If there are no texts with words, a file cannot be read, or a parameter is out of range.

    Examples
    --------
    >>> import tacit
    >>> themes = tacit.find_themes(["my card was declined", "card payment failed", "card declined again",
    ...                             "where is my parcel", "the parcel is late", "late parcel"], 2)
    >>> [(theme.name, theme.quotes[0]) for theme in themes]
    [('card, declined', 'my card was declined'), ('parcel, late', 'the parcel is late')]
    """
    if not is_auto(n_themes):
        check_int("n_themes", n_themes, 2, MAX_THEMES, note="or 'auto'")
    if work is not None:
        check_work_folder(work)
    folder = records if isinstance(records, str | Path) and has_themes(records) else None
    options = (n_themes, language, random_state, n_threads)
    if folder is not None:
        themes = load_themes(folder, n_threads)
        work = folder if work is None else work
    else:
        rows = list(count_texts(_read_records(records, text, id, columns), progress))
        themes = _reuse(work, rows, n_threads) or _fit(rows, *options, progress)
    if not is_auto(n_themes) and n_themes != len(themes):
        themes.set_n_themes(int(n_themes))
    if add is not None:
        if work is None:
            raise InputError("add= needs the work folder of the themes: give it too", parameter="add")
        themes.add(as_source(add, text, id, columns).records())
    if names:
        themes.rename(names)
    is_changed = add is not None or bool(names) or not is_auto(n_themes)
    if work is not None and (is_changed or work != folder):
        save_themes(themes, work)
    return themes


def _read_records(records: Any, *options: Any) -> Any:
    """Return the records of a source, or those of an index that are not deleted."""
    if isinstance(records, str | Path) and Path(records, "config.json").is_file():
        records = load(records, "index")
    if not isinstance(records, Index):
        return as_source(records, *options).records()
    return read_index(records)


def _reuse(work: str | Path | None, records: list[Record], n_threads: int | None) -> Themes | None:
    """Load the themes of a work folder if they are those of the same records."""
    if work is None or not has_themes(work):
        return None
    themes = load_themes(work, n_threads)
    return themes if themes.records == records else None


def _fit(
    records: list[Record], n_themes: int | str, language: str | None, random_state: int,
    n_threads: int | None, progress: Progress | None,
) -> Themes:  # fmt: skip
    model = ThemeModel(
        n_themes, language=language, random_state=random_state, n_threads=n_threads,
        callback=lambda stage, done, total: notify(progress, stage, done, total),
    )  # fmt: skip
    themes = Themes(model.fit([record.text for record in records]), records)
    model.callback = None
    return themes
