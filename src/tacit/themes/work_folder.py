"""Store themes, their text model, graph and records in a folder, so that they can be changed later."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora.table_rows import Record
from tacit.errors import InputError, ModelError
from tacit.models.text_model import TextModel
from tacit.storage import lock_for_writing, read_model
from tacit.storage.durable_files import damaged_error, write_atomic
from tacit.themes.assignment import Clusters
from tacit.themes.results import Themes
from tacit.themes.theme_model import ThemeModel
from tacit.themes.theme_tree import Theme

THEMES_FILE, RECORDS_FILE, GRAPH_FILE, MODEL_FOLDER = "themes.json", "records.jsonl", "graph.npz", "model"
FORMAT = 1


def has_themes(folder: str | Path) -> bool:
    """Return whether a folder holds saved themes."""
    return Path(folder, THEMES_FILE).is_file()


def check_work_folder(folder: str | Path) -> None:
    """Raise InputError unless themes can be saved in a folder: it is new or empty, or holds themes."""
    path = Path(folder)
    if path.exists() and not has_themes(path) and not (path.is_dir() and not any(path.iterdir())):
        raise InputError(f"{folder} is neither empty nor a work folder of themes: name another folder")


def encode_records(records: Iterable[Record]) -> bytes:
    """Return records as JSON lines, the content of `RECORDS_FILE`."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def save_themes(themes: Themes, folder: str | Path) -> None:
    """Write themes to a folder; ``themes.json`` is written last and holds the digests of the other files."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    contents = {RECORDS_FILE: encode_records(themes.records), GRAPH_FILE: _encode_graph(themes.model)}
    stored = {
        "format": FORMAT,
        "digests": {name: sha256(content).hexdigest() for name, content in contents.items()},
        "n_fitted": len(themes.model.labels_),
        "user_names": themes.user_names,
        "state": _describe_model(themes.model),
    }
    with lock_for_writing(target / MODEL_FOLDER):
        themes.model.model_.save(target / MODEL_FOLDER)
        for name, content in (contents | {THEMES_FILE: json.dumps(stored).encode()}).items():
            write_atomic(target / name, content)


def load_themes(folder: str | Path, n_threads: int | None = None) -> Themes:
    """Read the themes of a folder; ModelError if it is damaged."""
    path = Path(folder)
    try:
        stored: dict[str, Any] = json.loads((path / THEMES_FILE).read_bytes())
        if stored["format"] != FORMAT:
            raise ModelError(f"{folder} has the format {stored['format']}: upgrade tacit")
        contents = {name: (path / name).read_bytes() for name in (RECORDS_FILE, GRAPH_FILE)}
        for name, content in contents.items():
            if sha256(content).hexdigest() != stored["digests"][name]:
                raise damaged_error(path / name, "it is not the file that was written with the themes")
        records = [Record(*json.loads(line)) for line in contents[RECORDS_FILE].decode().split("\n")[:-1]]
        text_model = TextModel.from_stored(read_model(path / MODEL_FOLDER))
        text_model.n_threads = n_threads
        fitted, added = records[: stored["n_fitted"]], records[stored["n_fitted"] :]
        texts = [record.text for record in fitted]
        model = _restore_model(stored["state"], texts, text_model, contents[GRAPH_FILE], n_threads)
        themes = Themes(model, fitted, stored["user_names"])
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise damaged_error(path / THEMES_FILE, str(error)) from error
    themes.add(added)
    return themes


def _encode_graph(model: ThemeModel) -> bytes:
    from scipy.sparse import save_npz

    file = BytesIO()
    save_npz(file, model.space.graph, compressed=False)
    return file.getvalue()


def _decode_graph(content: bytes, n_texts: int) -> Any:
    """Return the graph; ValueError unless it is one of this number of texts."""
    from scipy.sparse import load_npz

    graph = load_npz(BytesIO(content)).tocsr()
    graph.check_format()
    if graph.shape != (n_texts, n_texts):
        raise ValueError(f"the graph has {graph.shape[0]} texts instead of {n_texts}")
    return graph


def _describe_model(model: ThemeModel) -> dict[str, Any]:
    """Return what a model has found as values that JSON can hold."""
    clusters = model.clusters
    return {
        "parameters": model.get_params() | {"callback": None, "n_threads": None, "encoder": None},
        "language": model.language_,
        "agreement": {str(n): value for n, value in model.agreement_.items()},
        "limit": clusters.limit,
        "labels": clusters.labels.tolist(),
        "sublabels": clusters.sublabels.tolist(),
        "strengths": clusters.strengths.tolist(),
        "themes": [asdict(theme) for theme in model.themes_],
    }


def _restore_model(
    state: dict[str, Any], texts: list[str], text_model: TextModel, graph: bytes, n_threads: int | None
) -> ThemeModel:
    """Rebuild a model from the result of `_describe_model`, its texts, its text model and its graph."""
    parameters = state["parameters"] | {"n_threads": n_threads}
    model = ThemeModel.restore(parameters, texts, text_model, state["language"])
    model.agreement_ = {int(n): value for n, value in state["agreement"].items()}
    model.themes_ = [Theme.from_dict(theme) for theme in state["themes"]]
    model.space.graph = _decode_graph(graph, len(model.space.rows))
    labels, sublabels = (np.array(state[name], np.int64) for name in ("labels", "sublabels"))
    strengths = np.array(state["strengths"], np.float32)
    n_themes = len(model.themes_)
    model.set_clusters(Clusters(model.space, labels, sublabels, strengths, state["limit"], n_themes))
    return model
