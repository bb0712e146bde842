"""Files that a job leaves in its folder."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

RESULT_FILE = "result.jsonl"


def write_rows(folder: str | Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write the list of results of a job, of which clients request pages."""
    with Path(folder, RESULT_FILE).open("w", encoding="utf-8", errors="replace") as file:
        file.writelines(json.dumps(row, ensure_ascii=True) + "\n" for row in rows)
