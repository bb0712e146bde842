"""The long works of the service, as the process of ``worker`` does them: plain values in and out."""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tacit.errors import InputError
from tacit.server.home import INDEX, now, write_about
from tacit.server.worker import Told

Task = dict[str, Any]

SHOWN, MEMBERS = 100, 50
"""Groups that a result holds itself, and texts of a group that are listed."""
RESULT = "result.jsonl"
BACKGROUNDS = ("wordnet",)
_CHUNK = 1 << 20
_FEWEST = 2  # texts, for chance is told by random pairs of them
_JUDGED = 5000  # texts by which a model is told how well it knows their words


def inspect_upload(task: Task, told: Told) -> dict[str, Any]:
    """What a file looks like: columns, the texts among them, ids, language, first rows."""
    from tacit.corpora.guessing import guess_table
    from tacit.corpora.options import ReadOptions

    path = Path(task["source"])
    _check_unfolding(path, task["characters"])
    options = ReadOptions(header=task.get("header"))
    found = guess_table(path, options, task["most"], task["characters"])
    return asdict(found)


def _check_unfolding(path: Path, most: int) -> None:
    """Refuse a file that unfolds to far more than it holds, before it is read as what it is.

    An archive (Excel's files are one) says so itself; gzip is unpacked and dropped, which is quick.
    """
    size = 0
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            size = sum(each.file_size for each in archive.infolist())
    else:
        from tacit.corpora.files import damage_named, opened

        with opened(path) as stream, damage_named(path.name):
            while size <= most and (chunk := stream.read(_CHUNK)):
                size += len(chunk)
    if size > most:
        raise InputError(f"{path.name} unfolds to more than {most:,} bytes: give a smaller file")


def make_collection(task: Task, told: Told) -> dict[str, Any]:
    """Train on the texts of a file, index them, and write both to a folder."""
    from tacit.corpora.inspection import Inspection
    from tacit.search.index import Index
    from tacit.text.language_detection import detect_collection_language
    from tacit.training.hidden_words import predict_hidden_words

    seen = Inspection()
    records = list(_told(_records(task), task.get("rows") or 0, told))
    if len(records) > task["most"]:
        raise InputError(f"{len(records):,} texts, at most {task['most']:,}: give fewer")
    if len(records) < _FEWEST:
        raise InputError("a single text is like no other: give at least two")
    texts = [text for text, _, _ in records]
    for text in texts:
        seen.look(text)
    code = task["language"] or detect_collection_language(texts).code
    trainer = _trained(texts, code, task, told)
    hidden = predict_hidden_words(trainer, texts[:: max(1, len(texts) // _JUDGED)])
    index = Index(trainer.model_, n_threads=task.get("threads"))
    ids = None if task["id"] is None else [str(name) for _, name, _ in records]
    columns = [kept for _, _, kept in records]
    index.add(texts, ids, columns, lambda done, total: told(0.8 + 0.15 * done / total, "indexing"))
    told(0.95, "writing")
    out = Path(task["out"])
    index.save(out / INDEX)
    about = {
        "texts": len(index),
        "languages": list(index.model.languages),
        "columns": _kinds(columns),
        "created": now(),
        "source": task.get("filename"),
        "notes": seen.notes(code) + ([] if hidden is None else [str(hidden)]),
    }
    write_about(out, about)
    return {"collection": task["name"], **about, "words": index.model.n_words}


def _records(task: Task) -> Iterator[tuple[str, str | None, dict[str, Any]]]:
    """Text, id and kept columns of each row."""
    from tacit.corpora import open_records
    from tacit.corpora.options import ReadOptions
    from tacit.corpora.readers import LINES, find_reader

    source, text = Path(task["source"]), list(task["text"])
    lines = find_reader(source, LINES) is LINES
    options = ReadOptions(header=task.get("header"), encoding=task.get("encoding"))
    first, rest = (None, []) if lines else (text[0], text[1:])
    for record in open_records(source, first, task["id"], options):
        others = record.columns
        parts = [record.text, *(str(others.pop(name, None) or "") for name in rest)]
        kept = others if task["columns"] is None else {n: others[n] for n in task["columns"] if n in others}
        yield (
            "\n".join(part for part in parts if part.strip()),
            record.id,
            {n: _plain(v) for n, v in kept.items()},
        )


def _told(rows: Iterator[Any], total: int, told: Told) -> Iterator[Any]:
    for number, row in enumerate(rows, 1):
        if number % 1000 == 0:
            told(0.1 * min(number / max(total, number), 1), "reading")
        yield row


def _plain(value: Any) -> Any:
    """A value JSON can hold; a number that is none becomes nothing, what is unknown its text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    return json.loads(json.dumps(value, default=str, allow_nan=True).replace("NaN", "null"))


def _trained(texts: list[str], code: str, task: Task, told: Told) -> Any:
    from tacit.factorize.settings import SWEEPS
    from tacit.training.wtmf import WTMF

    begin, options = 0.1, {}
    if task["background"] is not None:
        told(begin, f"learning the background {task['background']}")
        options["background"] = _background(task, code)
        begin = 0.4
    trainer = WTMF(_vectorizer(code), language=code, n_threads=task.get("threads"), **options)
    told(begin, "learning")
    trainer.callback = lambda sweep, loss: told(begin + (0.8 - begin) * sweep / SWEEPS, "learning")
    return trainer.fit(texts)


def _vectorizer(code: str) -> Any:
    """Stems where the language has a stemmer."""
    from tacit.text.codes import stemmer_language
    from tacit.text.vectorizer import TextVectorizer

    return TextVectorizer(language=stemmer_language(code))


def _background(task: Task, code: str) -> Any:
    """The model that stands behind, trained once and kept."""
    import tacit
    from tacit.corpora import named_corpus
    from tacit.training.wtmf import WTMF

    name = task["background"]
    if name not in BACKGROUNDS:
        raise InputError(f"there is no background {name!r}: there are {', '.join(BACKGROUNDS)}")
    if code != "en":
        raise InputError(f"the background {name} is of English texts, and these are {code!r}: leave it out")
    folder = Path(task["backgrounds"], name)
    if not (folder / "config.json").is_file():
        WTMF(_vectorizer(code), n_threads=task.get("threads")).fit(named_corpus(name)).model_.save(folder)
    return tacit.load(folder)


def _kinds(columns: list[dict[str, Any]]) -> list[dict[str, str]]:
    from tacit.corpora.guessing import kind_of

    names = dict.fromkeys(name for row in columns[:1000] for name in row)
    return [{"name": name, "kind": kind_of([row.get(name) for row in columns[:1000]])} for name in names]


def find_duplicates(task: Task, told: Told) -> dict[str, Any]:
    """The groups of texts that say nearly the same."""
    index = _index(task)
    groups = index.duplicate_groups(
        task["threshold"], task["measure"], lambda done, total: told(done / total, "comparing")
    )
    found = [
        {"size": len(g.ids), "ids": g.ids[:MEMBERS], "texts": g.texts[:MEMBERS], "score": round(g.score, 6)}
        for g in groups
    ]
    return _listed(task, found, "texts", sum(group["size"] for group in found))


def find_clusters(task: Task, told: Told) -> dict[str, Any]:
    """The groups of texts about one thing."""
    index = _index(task)
    clusters = index.clusters(
        task["n_clusters"], progress=lambda done, total: told(done / total, "clustering")
    )
    found = [each.to_dict() for each in clusters]
    for each in found:
        each["ids"], each["texts"] = each["ids"][:MEMBERS], each["texts"][:MEMBERS]
    return _listed(task, found, "texts", sum(each["size"] for each in found))


def _index(task: Task) -> Any:
    import tacit

    index = tacit.load(task["index"])
    index.n_threads = task.get("threads")
    return index


def _listed(task: Task, found: list[dict[str, Any]], name: str, number: int) -> dict[str, Any]:
    """Keep the whole list beside, and give its beginning."""
    with Path(task["out"], RESULT).open("w", encoding="utf-8", errors="replace") as file:
        file.writelines(json.dumps(each, ensure_ascii=True) + "\n" for each in found)
    return {"found": len(found), name: number, "groups": found[:SHOWN]}


TASKS: dict[str, Callable[[Task, Told], dict[str, Any]]] = {
    "inspect": inspect_upload,
    "collection": make_collection,
    "duplicates": find_duplicates,
    "clusters": find_clusters,
}
