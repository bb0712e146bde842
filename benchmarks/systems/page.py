"""Write docs/systems.md and its picture from results.json: ``python benchmarks/systems/page.py``."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE, PICTURE = ROOT / "docs" / "systems.md", ROOT / "docs" / "images" / "systems.svg"
TEXT_FIGURES = ("nearest class", "ranking", "few labels", "themes", "pairs", "STS")
FAMILIES = {
    "Linking two lists": ("lists", "links", "F1 of the links"),
    "Nearest vectors": ("vectors", "recall", "recall of the 10 nearest"),
    "Solvers": ("factors", "factors", "class of the nearest other text"),
}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, LABEL_WIDTH = 720, 420, 60, 130, 20, 50, 110


def main() -> None:
    report = json.loads((HERE / "results.json").read_text("utf-8"))
    PAGE.write_text(make_page(report), "utf-8")
    PICTURE.write_text(make_picture(report), "utf-8")


def make_page(report: dict[str, Any]) -> str:
    """Return the page as Markdown."""
    parts = [introduction(report), text_table(report), "![Quality against seconds](images/systems.svg)"]
    parts += [family_table(report, title, *family) for title, family in FAMILIES.items()]
    parts += [cost_table(report), losses(report), missing_rows(report), reproduction(report)]
    return "\n\n".join(part for part in parts if part) + "\n"


def introduction(report: dict[str, Any]) -> str:
    machine, load = report["machine"], report["load"]
    again = f"\nRows of a second run: {', '.join(report['again'])}." if "again" in report else ""
    names = {kind: [] for kind in ("collection", "ranking", "pairs", "sts")}
    for task in report["tasks"]:
        names.get(task["kind"], []).append(task["name"])
    collections, ranking, pairs, sts = (", ".join(each) for each in names.values())
    return f"""# Systems side by side

`make bench-page` generates this page from `benchmarks/systems/results.json`: one run on {report["date"]}, on
{machine["cores"]} cores of an {machine["processor"]} with other work (load {min(load)} to {max(load)}).
Every system ran in a process of its own, with one thread. Seconds are processor time, which depends less on
other work than elapsed time. Kernels that are compiled once for each installation had been compiled. No
setting was tuned for this comparison, but the constants of tacit were
[tuned on these collections, among others](training.md#the-data-used-for-tuning).{again}

## Texts

Each system learns from {report["texts"]:,} texts of a collection and answers {report["queries"]:,}
unseen ones, by vectors and their cosines, or by its own search:

- *nearest class*: accuracy of the class of the nearest text; *few labels*: accuracy with 10 labels per class;
  *themes*: adjusted Rand index, with as many clusters as classes ({collections})
- *ranking*: nDCG@10 ({ranking})
- *pairs*: average precision of pairs that mean the same ({pairs})
- *STS*: Pearson's r ({sts})
- *seconds*: learning from the texts of one collection, encoding and searching, mean

A higher figure is better, and the best one is bold; fewer seconds are better. tf-idf and LSA are those of
scikit-learn."""


def mean(values: Iterable[float]) -> float | None:
    """Return the mean of finite numbers; None if there are none."""
    finite = [value for value in values if math.isfinite(value)]
    return sum(finite) / len(finite) if finite else None


def figure(system: dict[str, Any], name: str) -> float | None:
    """Return the mean of a figure over the tasks of a system."""
    return mean(each["figures"][name] for each in results(system) if name in each["figures"])


def results(system: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in system.get("results", []) if "figures" in each]


def seconds(system: dict[str, Any], kind: str, *steps: str) -> float | None:
    """Return the mean seconds of steps over the tasks of a kind; of all steps if none is named."""
    return mean(
        sum(value for step, value in each["seconds"].items() if not steps or step in steps)
        for each in results(system)
        if each["kind"] == kind
    )


def search_seconds(system: dict[str, Any]) -> float | None:
    return seconds(system, "collection", "train", "encode", "search")


def table(
    head: list[str], rows: list[tuple[str, list[float | None]]], formats: list[Callable[[float], str]]
) -> str:
    """Return a Markdown table; the best figure of a column of shares is bold."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    columns = list(zip(*(values for _, values in rows), strict=True))
    for name, values in rows:
        cells = []
        for value, column, form in zip(values, columns, formats, strict=True):
            text = "" if value is None else form(value)
            is_best = (
                form is share and text and text == share(max(each for each in column if each is not None))
            )
            cells.append(f"**{text}**" if is_best else text)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def share(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)


def short(value: float) -> str:
    """Format seconds with two significant digits."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def megabytes(value: float) -> str:
    return f"{value / 2**20:,.0f}"


def systems_with(report: dict[str, Any], *names: str) -> dict[str, Any]:
    return {
        name: system
        for name, system in report["systems"].items()
        if any(figure(system, each) is not None for each in names)
    }


def text_table(report: dict[str, Any]) -> str:
    rows = [
        (name, [*(figure(system, each) for each in TEXT_FIGURES), search_seconds(system)])
        for name, system in systems_with(report, *TEXT_FIGURES).items()
    ]
    return table(["", *TEXT_FIGURES, "seconds"], rows, [*[share] * len(TEXT_FIGURES), short])


def family_table(report: dict[str, Any], title: str, kind: str, name: str, label: str) -> str:
    tasks = [task["name"] for task in report["tasks"] if task["kind"] == kind]
    rows = []
    for system, entry in systems_with(report, name).items():
        found = {each["name"]: each["figures"][name] for each in results(entry) if each["kind"] == kind}
        rows.append((system, [*(found.get(task) for task in tasks), seconds(entry, kind)]))
    if not rows:
        return ""
    head = ["", *(f"{label}, {task}" for task in tasks), "seconds"]
    return f"## {title}\n\n" + table(head, rows, [*[share] * len(tasks), short])


def cost_table(report: dict[str, Any]) -> str:
    rows = [
        (name, [system["cold_start"], system["memory"], system["disk"]])
        for name, system in report["systems"].items()
        if "reason" not in system
    ]
    head = ["", "start, seconds", "memory, MB", "on disk, MB"]
    costs = table(head, rows, [short, megabytes, megabytes])
    return f"""## Start, memory and disk

*Start* is the processor time until a new process has learned from ten texts, or loaded its weights, and
encoded one. *Memory* is the peak over all tasks. *On disk* are the package and all that it requires.

{costs}"""


def losses(report: dict[str, Any]) -> str:
    """List every figure in which another system is better than tacit."""
    ours = report["systems"].get("tacit", {})
    lines = []
    for name in [*TEXT_FIGURES, *(family[1] for family in FAMILIES.values())]:
        own = figure(ours, name)
        others = {
            other: figure(entry, name) for other, entry in report["systems"].items() if other != "tacit"
        }
        better = {
            other: value for other, value in others.items() if value and own is not None and value > own
        }
        if better:
            listed = sorted(better.items(), key=lambda item: -item[1])
            text = ", ".join(f"{other} {share(value)}" for other, value in listed)
            lines.append(f"- *{name}*, tacit {share(own)}: {text}")
    own_seconds = search_seconds(ours)
    faster = {other: search_seconds(entry) for other, entry in report["systems"].items()}
    listed = sorted(
        (value, other) for other, value in faster.items() if value and own_seconds and value < own_seconds
    )
    if listed:
        text = ", ".join(f"{other} {short(value)}" for value, other in listed)
        lines.append(f"- *seconds*, tacit {short(own_seconds)}: {text}")
    return "## Where another system is better\n\n" + ("\n".join(lines) or "In none of these figures.")


def missing_rows(report: dict[str, Any]) -> str:
    """List systems that did not run, and tasks that failed, with the reasons."""
    lines = []
    for name, system in report["systems"].items():
        if "reason" in system:
            lines.append(f"- {name}: {system['reason']}")
        lines += [
            f"- {name}, {each['name']}: {each['error']}"
            for each in system.get("results", [])
            if "error" in each
        ]
    return "## What did not run\n\n" + "\n".join(lines) if lines else ""


def reproduction(report: dict[str, Any]) -> str:
    settings = "\n".join(
        f"| {name} | {system['version']} | {system['settings']} |"
        for name, system in report["systems"].items()
        if "reason" not in system
    )
    return f"""## Settings

| | version | settings; everything else is the default |
|---|---|---|
{settings}

`python benchmarks/systems/run.py --environments FILE` measures again; the file names an interpreter for each
system that has an environment of its own. A system that is not installed gets a row with the reason."""


def make_picture(report: dict[str, Any]) -> str:
    """Return the plot of quality (mean of nearest class and ranking) against seconds, as SVG."""
    points = []
    for name, system in systems_with(report, "ranking").items():
        values = [figure(system, each) for each in ("nearest class", "ranking")]
        cost = search_seconds(system)
        if None not in values and cost:
            points.append((cost, sum(values) / 2, name))
    low, high = (math.log10(end(cost for cost, _, _ in points)) for end in (min, max))
    low, high = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
    top = math.ceil(max(quality for _, quality, _ in points) * 10) / 10

    def x(cost: float) -> float:
        return LEFT + (math.log10(cost) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(quality: float) -> float:
        return HEIGHT - BOTTOM - quality / top * (HEIGHT - TOP - BOTTOM)

    marks = [grid_line(x(10.0**e), TOP, x(10.0**e), HEIGHT - BOTTOM) for e in range(low, high + 1)]
    marks += [label(x(10.0**e), HEIGHT - BOTTOM + 18, f"{10.0**e:g}", "middle") for e in range(low, high + 1)]
    for tenth in range(0, round(top * 10) + 1, 2):
        marks.append(grid_line(LEFT, y(tenth / 10), WIDTH - RIGHT, y(tenth / 10)))
        marks.append(label(LEFT - 8, y(tenth / 10) + 4, f".{tenth}" if tenth < 10 else "1", "end"))
    marks.append(
        label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "seconds to learn, encode and search", "middle")
    )
    marks.append(label(LEFT, TOP - 6, "mean of nearest class and ranking", "start"))
    for (cost, quality, name), place in zip(
        points, label_places([(x(c), y(q)) for c, q, _ in points]), strict=True
    ):
        kind = "own" if name == "tacit" else "other"
        marks.append(f'<circle class="{kind}" cx="{x(cost):.1f}" cy="{y(quality):.1f}" r="5"/>')
        marks.append(label(x(cost) + 9, place + 4, name, "start"))
    style = (
        "text{font:13px sans-serif;fill:#777}line{stroke:#777;stroke-opacity:.25}"
        ".own{fill:#d9480f}.other{fill:#3b82f6}"
    )
    body = "\n".join(marks)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
        f"<title>Quality against seconds of each system</title>\n<style>{style}</style>\n{body}\n</svg>\n"
    )


def label_places(points: list[tuple[float, float]]) -> list[float]:
    """Return heights for labels to the right of points, moved away from other labels and points."""
    places = [0.0] * len(points)
    placed: list[tuple[float, float]] = []
    for number in sorted(range(len(points)), key=lambda n: points[n][1]):
        x, height = points[number]
        right = [at for other, at in points if 0 < other - x < LABEL_WIDTH]
        near = [at for other, at in placed if abs(x - other) < LABEL_WIDTH]
        for step in range(200):
            place = height + step // 2 * (2 if step % 2 else -2)
            if all(abs(place - at) >= 10 for at in right) and all(abs(place - at) >= 14 for at in near):
                break
        places[number] = place
        placed.append((x, place))
    return places


def grid_line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


if __name__ == "__main__":
    main()
