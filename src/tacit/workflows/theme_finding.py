"""Find the themes of records, or change those of a work folder."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tacit.checks import is_auto
from tacit.corpora import Record
from tacit.errors import InputError
from tacit.models.encoders import StaticEncoder
from tacit.models.outside import as_encoder
from tacit.storage import fingerprint
from tacit.themes.results import Themes
from tacit.themes.theme_model import ThemeModel, check_n_themes
from tacit.themes.work_folder import (
    check_work_folder,
    encode_records,
    has_themes,
    load_themes,
    save_themes,
)
from tacit.workflows.cache import THEMES, cache_entry, read_entry, remove_oldest_entries, store_entry
from tacit.workflows.file_index import open_records
from tacit.workflows.learning import count_texts
from tacit.workflows.progress import Progress, notify
from tacit.workflows.records import RecordSource

logger = logging.getLogger(__name__)


def find_themes(
    records: Any, n_themes: int | str = "auto", *, text: str | Sequence[str] | None = None,
    id: str | None = None, columns: Sequence[str] | None = None, language: str | None = "auto",
    work: str | Path | None = None, add: Any = None, names: dict[str, str] | None = None,
    random_state: int = 0, n_threads: int | None = None, use_cache: bool = True, encoder: Any = None,
    progress: Progress | None = None,
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
        Folder that keeps the result. If it holds the themes of the same records, nothing is trained again.
    add : RecordSource, path, iterable of str, Record or dict, Series or DataFrame, optional
        New records for the themes of a work folder, which do not change.
    names : dict of str to str, optional
        Names of your own by theme id, such as "3" or "3.1".
    random_state : int
        Random seed.
    n_threads : int, optional
        Number of threads; the result does not depend on it.
    use_cache : bool
        Without ``work``, whether the text model and the graph of a file or of the folder of an index are
        kept in the cache folder, ``$TACIT_CACHE`` or that of the user, and used again.
    encoder : object, str or Path, optional
        An encoder whose vectors are used as well, or its folder; see ``TextModel.with_encoder``. Themes with
        an encoder of texts cannot be stored in a work folder.
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
    check_n_themes(n_themes)
    if work is not None:
        check_work_folder(work)
    folder = records if isinstance(records, str | Path) and has_themes(records) else None
    target = work or folder
    if add is not None and target is None:
        raise InputError("add= needs the work folder of the themes: give it too", parameter="add")
    if folder is not None:
        themes = load_themes(folder, n_threads)
        _change_number(themes, n_themes)
    else:
        encoder = None if encoder is None else as_encoder(encoder)
        is_storable = encoder is None or isinstance(encoder, StaticEncoder)
        if work is not None and not is_storable:
            raise InputError(
                "an encoder of texts cannot be stored: leave out the work folder", parameter="work"
            )
        rows = list(count_texts(open_records(records, text, id, columns).records(), progress))
        model = ThemeModel(n_themes, language=language, random_state=random_state, n_threads=n_threads)
        model.encoder = encoder
        model.callback = lambda stage, done, total: notify(progress, stage, done, total)
        is_cached = (
            use_cache and work is None and is_storable and isinstance(records, str | Path | RecordSource)
        )
        find = _load_or_fit if is_cached else partial(_reuse_or_fit, work)
        themes = find(model, rows)
        themes.model.callback = None
    if add is not None:
        themes.add(open_records(add, text, id, columns).records())
    if names:
        themes.rename(names)
    for note in themes.notes:
        logger.info(note)
    is_changed = add is not None or bool(names) or not is_auto(n_themes)
    if target is not None and (is_changed or target != folder):
        save_themes(themes, target)
    return themes


def _fit(model: ThemeModel, records: list[Record]) -> Themes:
    return Themes(model.fit([record.text for record in records]), records)


def _change_number(themes: Themes, n_themes: int | str) -> None:
    """Change the number of themes of a work folder, unless it is the present one or "auto"."""
    if not is_auto(n_themes) and n_themes not in (themes.model.n_themes, len(themes)):
        themes.set_n_themes(n_themes)


def _reuse_or_fit(work: str | Path | None, model: ThemeModel, records: list[Record]) -> Themes:
    """Load the themes of a work folder if they are those of the same records and settings, or fit a model."""
    if work is not None and has_themes(work):
        themes = load_themes(work, model.n_threads)
        if themes.records == records and _settings(themes.model) == _settings(model):
            _change_number(themes, model.n_themes)
            return themes
    return _fit(model, records)


def _load_or_fit(model: ThemeModel, records: list[Record]) -> Themes:
    """Load the text model and the graph of the same records from the cache, or fit a model and keep it there.

    The themes are those of a new model. An entry with a given number of themes is replaced when "auto" has
    compared the numbers.
    """
    folder = cache_entry(THEMES, fingerprint([encode_records(records), repr(_settings(model))])[:32])
    themes: Themes | None = read_entry(
        folder, lambda: load_themes(folder, model.n_threads) if has_themes(folder) else None
    )
    is_new = themes is None
    if themes is None:
        themes = _fit(model, records)
    else:
        logger.info("the model and the graph of an earlier run are used again, from the cache")
        if themes.model.n_themes != model.n_themes:
            is_new = is_auto(model.n_themes)
            themes.model.callback = model.callback
            themes.set_n_themes(model.n_themes)
        if not is_auto(model.n_themes):
            themes.model.agreement_ = {}  # a model with a given number of themes has none
    if is_new:
        store_entry(folder, partial(save_themes, themes))
        remove_oldest_entries()
    return themes


def _settings(model: ThemeModel) -> tuple[Any, ...]:
    """Return the parameters on which the text model depends."""
    outside = model.model_.outside if hasattr(model, "model_") else None
    source = model.encoder.source if outside is None and model.encoder else outside and outside.encoder.source
    return model.language, model.random_state, *([source] if source else [])
