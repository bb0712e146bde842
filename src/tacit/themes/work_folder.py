"""Store themes, their text model and their records in a folder, so that they can be changed later."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from tacit.corpora.table_rows import Record
from tacit.errors import InputError, ModelError
from tacit.models.text_model import TextModel
from tacit.storage import lock_for_writing, read_model
from tacit.storage.durable_files import damaged_error, write_atomic
from tacit.themes.results import Themes
from tacit.themes.theme_model import ThemeModel

THEMES_FILE, RECORDS_FILE, MODEL_FOLDER = "themes.json", "records.jsonl", "model"
FORMAT = 1


def has_themes(folder: str | Path) -> bool:
    """Return whether a folder holds saved themes."""
    return Path(folder, THEMES_FILE).is_file()


def check_work_folder(folder: str | Path) -> None:
    """Raise InputError unless themes can be saved in a folder: it is new or empty, or holds themes."""
    path = Path(folder)
    if path.exists() and not has_themes(path) and not (path.is_dir() and not any(path.iterdir())):
        raise InputError(f"{folder} is neither empty nor a work folder of themes: name another folder")


def save_themes(themes: Themes, folder: str | Path) -> None:
    """Write themes to a folder; ``themes.json`` is written last and holds the digest of the records."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    records = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in themes.records).encode()
    head = {"format": FORMAT, "records": sha256(records).hexdigest(), "n_fitted": len(themes.model.labels_)}
    state = head | {"user_names": themes.user_names, "state": themes.model.to_state()}
    with lock_for_writing(target / MODEL_FOLDER):
        themes.model.model_.save(target / MODEL_FOLDER)
        write_atomic(target / RECORDS_FILE, lambda file: file.write(records))
        write_atomic(target / THEMES_FILE, lambda file: file.write(json.dumps(state).encode()))


def load_themes(folder: str | Path, n_threads: int | None = None) -> Themes:
    """Read the themes of a folder; ModelError if it is damaged."""
    path = Path(folder)
    try:
        stored: dict[str, Any] = json.loads((path / THEMES_FILE).read_bytes())
        content = (path / RECORDS_FILE).read_bytes()
        if stored["format"] != FORMAT:
            raise ModelError(f"{folder} has the format {stored['format']}: upgrade tacit")
        if sha256(content).hexdigest() != stored["records"]:
            raise damaged_error(path / RECORDS_FILE, "it is not the file that was written with the themes")
        records = [Record(*json.loads(line)) for line in content.decode().splitlines()]
        text_model = TextModel.from_stored(read_model(path / MODEL_FOLDER))
        text_model.n_threads = n_threads
        n_fitted = stored["n_fitted"]
        texts = [record.text for record in records[:n_fitted]]
        model = ThemeModel.from_state(stored["state"], texts, text_model, n_threads)
        themes = Themes(model, records[:n_fitted], stored["user_names"])
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise damaged_error(path / THEMES_FILE, str(error)) from error
    themes.add(records[n_fitted:])
    return themes
