"""Tasks of the worker that find links, duplicates and themes, and write reports.

Each keeps its state in the folder ``work`` of its job. A later task starts with a copy of it, so that nothing
is trained again.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import InputError
from tacit.server.job_files import write_rows

if TYPE_CHECKING:
    from tacit.corpora import Record
    from tacit.themes.results import Themes
    from tacit.workflows import Links
    from tacit.workflows.deduplication import Duplicates
    from tacit.workflows.linking import PairResult
    from tacit.workflows.progress import Progress

Task = dict[str, Any]

WORK_DIR, THEME_IDS_FILE = "work", "theme_ids.json"
N_CUTS = 20
MAX_THEME_TEXTS = 20
_LIMITS = ("threshold", "precision", "recall")


def link_collections(task: Task, progress: Progress) -> dict[str, Any]:
    """Link the texts of two collections; write the links to a list and a table."""
    from tacit.workflows import link
    from tacit.workflows.table_writing import write_table

    links = _decide(link, task, progress, many=task["many"])
    write_table(Path(task["out"], "links.csv"), links.table_columns(), links.table_rows())
    write_rows(task["out"], map(_pair_to_dict, links.links))
    pairs = [*links.links, *links.others]
    return {"found": len(links), "files": ["links.csv"]} | _describe_decisions(task, links, pairs)


def dedupe_collection(task: Task, progress: Progress) -> dict[str, Any]:
    """Find copies in a collection; write the groups, the list to review, and the list without copies."""
    from tacit.workflows import dedupe, write_clean
    from tacit.workflows.table_writing import write_table

    duplicates, out = _decide(dedupe, task, progress), Path(task["out"])
    write_table(out / "duplicates.csv", duplicates.table_columns(), duplicates.table_rows())
    write_clean(out / "clean.csv", duplicates, duplicates.records, escape=True)
    members = ([(duplicates.records[member.row], member) for member in group] for group in duplicates.groups)
    write_rows(out, ({"members": [_member_to_dict(*pair) for pair in group]} for group in members))
    counts = {"texts": len(duplicates.records), "removed": len(duplicates.removed_rows)}
    result = {"found": len(duplicates.groups), "files": ["duplicates.csv", "clean.csv"], **counts}
    return result | _describe_decisions(task, duplicates, duplicates.pairs)


def _decide(decide: Any, task: Task, progress: Progress, **options: Any) -> Any:
    """Link or dedupe with the limits and judgements of a task, and with the work of an earlier one."""
    from tacit.workflows.judgements import append_judgements, read_judgements
    from tacit.workflows.pair_problems import open_problem

    work, n_threads = Path(task["out"], WORK_DIR), task.get("threads")
    if not _copy_work(task):
        lists = [task[name] for name in ("index", "other") if task.get(name)]
        open_problem(lists, work=work, n_threads=n_threads, progress=progress)
    append_judgements(work, read_judgements(task["judged"]))
    append_judgements(work, [(row["id_a"], row["id_b"], row["label"]) for row in task["judgements"]])
    options |= {name: task[name] for name in _LIMITS} | {"work": work, "n_threads": n_threads}
    return decide(**options, progress=progress)


def _copy_work(task: Task) -> bool:
    """Copy the work folder of an earlier task without its judgements; False if there is none."""
    from tacit.workflows.judgements import JUDGEMENTS_FILE

    if task["previous"] is None:
        return False
    try:
        ignored = shutil.ignore_patterns(JUDGEMENTS_FILE)
        shutil.copytree(task["previous"], Path(task["out"], WORK_DIR), ignore=ignored)
    except FileNotFoundError:
        raise InputError("the earlier job is gone: send the request without its id") from None
    return True


def _describe_decisions(task: Task, decided: Links | Duplicates, pairs: list[PairResult]) -> dict[str, Any]:
    """Return the figures of a decision, pairs around possible thresholds, and the pairs to judge next."""
    from tacit.workflows import teach
    from tacit.workflows.linking import list_cuts

    taught = teach(Path(task["out"], WORK_DIR), n_threads=task.get("threads"))
    figures = {name: getattr(decided, name) for name in ("cut", "precision", "recall", "is_taught")}
    following = [_pair_to_dict(taught.pairs[pair]) for pair in taught.next_pairs]
    new_notes = taught.notes if taught.labels else []
    notes = [*decided.notes, *(note for note in new_notes if note not in decided.notes)]
    cuts = [
        {"threshold": threshold, "n_pairs": n_pairs, "pairs": list(map(_pair_to_dict, around))}
        for threshold, n_pairs, around in list_cuts(pairs, N_CUTS)
    ]
    return figures | {"notes": notes, "cuts": cuts, "next": following}


def _pair_to_dict(pair: PairResult) -> dict[str, Any]:
    from tacit.decisions.evidence import describe_evidence

    sides = {f"{name}_a": value for name, value in pair.a._asdict().items()}
    sides |= {f"{name}_b": value for name, value in pair.b._asdict().items()}
    evidence = {name: round(value, 3) + 0.0 for name, value in pair.evidence.items()}
    reason = describe_evidence(pair.evidence)
    return sides | {"score": pair.score, "match": pair.is_match, "evidence": evidence, "reason": reason}


def _member_to_dict(record: Record, member: Any) -> dict[str, Any]:
    from tacit.decisions.evidence import describe_evidence

    reason = describe_evidence(member.evidence) if member.evidence else ""
    return record._asdict() | {"decision": member.decision, "score": member.score, "reason": reason}


def find_collection_themes(task: Task, progress: Progress) -> dict[str, Any]:
    """Find the themes of a collection; write the theme of each text to a list and a table."""
    from tacit.workflows.table_writing import write_table

    themes, out = _find_themes(task, progress), Path(task["out"])
    write_table(out / "themes.csv", themes.table_columns(), themes.table_rows())
    members: list[list[Record]] = [[] for _ in themes]
    for record, label in zip(themes.records, themes.labels.tolist(), strict=True):
        if label >= 0:
            members[label].append(record)
    ids = {theme.id: [record.id for record in part] for theme, part in zip(themes, members, strict=True)}
    (out / THEME_IDS_FILE).write_text(json.dumps(ids), encoding="utf-8")
    names = ("theme", "subtheme", "strength")
    cells = ({"id": row[0]} | dict(zip(names, row[2:5], strict=True)) for row in themes.table_rows())
    write_rows(out, cells)
    description = themes.to_dict()
    for theme, part in zip(description["themes"], members, strict=True):
        theme["texts"] = [{"id": row.id, "text": row.text} for row in part[:MAX_THEME_TEXTS]]
    return {"found": len(themes.records), "files": ["themes.csv"], **description}


def report_on_collection(task: Task, progress: Progress) -> dict[str, Any]:
    """Write a report about a collection in the format that is requested."""
    from tacit.reports.content import build_report
    from tacit.reports.files import write_report
    from tacit.workflows.progress import stage_callback

    themes, name = _find_themes(task, progress), f"report.{task['format']}"
    command = f"tacit report {task['collections'][0]} -o {name}"
    report = build_report(themes, task["columns"], task["title"], command, stage_callback(progress, "report"))
    path = Path(task["out"], name)
    write_report(report, path)
    write_rows(task["out"], [])
    content = None if task["format"] == "xlsx" else path.read_text(encoding="utf-8")
    return {"files": [name], "format": task["format"], "content": content, "texts": len(themes.records)}


def _find_themes(task: Task, progress: Progress) -> Themes:
    """Find the themes, or change those of an earlier task."""
    from tacit.workflows import find_themes

    work = Path(task["out"], WORK_DIR)
    source = str(work) if _copy_work(task) else task["index"]
    options = {"work": work, "names": task["names"], "n_threads": task.get("threads")}
    return find_themes(source, task["n_themes"], progress=progress, **options)
