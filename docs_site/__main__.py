"""Build the documentation site: stage the pages, run Zensical, and check what it wrote."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from docs_site.checks import find_problems
from docs_site.staging import ROOT, stage_pages


def main() -> int:
    """Build the folder ``site``; any warning of Zensical and any problem of a page is an error."""
    stage_pages(ROOT / "build" / "docs")
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--clean", "--strict"]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    if code:
        return code
    pages = sorted((ROOT / "site").rglob("*.html"))
    problems = find_problems(ROOT / "site")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"site/: {len(pages)} pages, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
