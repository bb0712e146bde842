"""The reference of the Python interface: one page for each group of public names, filled by mkdocstrings."""

from __future__ import annotations

from pathlib import Path

import tacit

GROUPS: dict[str, tuple[str, list[str]]] = {
    "reference-functions.md": (
        "Functions",
        ["learn", "build_index", "load", "load_encoder", "link", "dedupe", "teach", "find_themes"],
    ),
    "reference-models.md": (
        "Models and trainers",
        ["WTMF", "BilingualWMF", "WMF", "TextVectorizer", "TextModel"],
    ),
    "reference-search.md": ("Search", ["Index"]),
    "reference-groups.md": (
        "Themes, classes and senses",
        [
            "ThemeModel",
            "TextClassifier",
            "ExponentialKernel",
            "VonNeumannKernel",
            "SenseModel",
            "LocalSenseModel",
        ],
    ),
    "reference-errors.md": ("Errors", ["TacitError", "InputError", "ModelError", "NotFittedError"]),
}
"""Pages with their title and names; every public name is on one page, which a test checks."""


def write_python_pages(out: Path) -> None:
    """Write the pages of all public names.

    Parameters
    ----------
    out : Path
        The folder of the pages.
    """
    for page, (title, names) in GROUPS.items():
        sections = [f"\n{_directive(name)}" for name in names]
        (out / page).write_text(f"# {title}\n" + "".join(sections), "utf-8")


def _directive(name: str) -> str:
    """Write the block that mkdocstrings replaces by the documentation of a name."""
    options = {"heading": f"tacit.{name}", "toc_label": f"tacit.{name}"}
    lines = "".join(f"      {option}: {value}\n" for option, value in options.items())
    return f"::: {tacit._MODULE_OF[name]}.{name}\n    options:\n{lines}"
