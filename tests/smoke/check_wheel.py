"""Build the source archive and the wheel, and run the smoke tests and the first page of the site with it.

``python tests/smoke/check_wheel.py`` leaves both files in ``dist``. The tests run in an empty folder, so that
they cannot import the checkout.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"


def main() -> None:
    """Build, install and test; CalledProcessError if a step fails."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        builder = create_environment(Path(folder, "build"))
        install(builder, "build")
        run(builder, "-m", "build", "--outdir", DIST, ROOT, cwd=folder)
        (wheel,) = DIST.glob("*.whl")
        user = create_environment(Path(folder, "user"))
        install(user, wheel, "pytest")
        run(user, "-m", "pip", "check", cwd=folder)
        shutil.copytree(ROOT / "tests" / "smoke", Path(folder, "smoke"))
        run(user, "-m", "pytest", "-q", Path(folder, "smoke"), cwd=folder)
        if os.name != "nt":  # Windows has no terminals for tests
            run(user, ROOT / "tests/helpers/follow_page.py", ROOT / "docs/index.md", cwd=folder)
    for path in sorted(DIST.iterdir()):
        sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes\n")


def create_environment(folder: Path) -> Path:
    """Create a virtual environment and return its interpreter."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(python: Path, *packages: str | Path) -> None:
    """Install packages in an environment."""
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages, cwd=ROOT)


def run(python: Path, *arguments: str | Path, cwd: str | Path) -> None:
    """Run the interpreter in a folder, without the search path of this process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"TACIT_SMOKE_WHEEL": "1"}
    subprocess.run([python, *map(str, arguments)], check=True, cwd=cwd, env=environment)


if __name__ == "__main__":
    main()
