"""Run tests with the lowest versions of all dependencies, and with newer versions of Python that are found.

``python tests/lowest_versions.py [TESTS]...`` creates an environment for each Python in ``.venv-min``; uv,
which installs the lowest versions, has one of its own. A Python that is not found is reported and left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".venv-min"
EXTRAS = "lemmas,wordnet,frames,excel,plots,search,server,scale,telemetry,mcp,static"
RUNS = [("3.11", "lowest-direct"), ("3.12", "highest"), ("3.13", "highest")]
"""Versions of Python, and which versions of the dependencies are installed."""


def main() -> int:
    """Run the tests of each environment; return 1 if some of them fail."""
    uv = FOLDER / "uv" / "bin" / "uv"
    if not uv.exists():
        venv.create(uv.parents[1], with_pip=True)
        run(uv.with_name("python"), "-m", "pip", "install", "--quiet", "uv")
    results = {version: run_tests(uv, version, resolution) for version, resolution in RUNS}
    for version, result in results.items():
        sys.stdout.write(f"Python {version}: {result}\n")
    return int("failed" in results.values())


def run_tests(uv: Path, version: str, resolution: str) -> str:
    """Install the dependencies for one Python and run the tests; return what came of it."""
    interpreter = find_python(version)
    if interpreter is None:
        return f"left out: no python{version} on the path, and none of pyenv"
    folder = FOLDER / f"{version}-{resolution}"
    python = folder / "bin" / "python"
    run(uv, "venv", "--quiet", "--allow-existing", "--python", interpreter, folder)
    options = [
        "--resolution",
        resolution,
        "--editable",
        f"{ROOT}[{EXTRAS}]",
        "--group",
        f"{ROOT}/pyproject.toml:dev",
    ]
    run(uv, "pip", "install", "--quiet", "--python", python, *options)
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    kernels = {
        "NUMBA_CACHE_DIR": str(folder / "kernels"),
        "PATH": path,
    }  # other versions compile other kernels
    command = [
        python,
        "-m",
        "pytest",
        "-m",
        "not quality",
        "-p",
        "no:cacheprovider",
        *(sys.argv[1:] or ["tests"]),
    ]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | kernels)
    return "failed" if done.returncode else f"passed with the {resolution} versions"


def find_python(version: str) -> str | None:
    """Return an interpreter of this version that starts: of the path, or of pyenv."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    candidates = [shutil.which(f"python{version}"), *sorted(map(str, root.glob(f"{version}.*/bin/python")))]
    for candidate in filter(None, candidates):
        if subprocess.run([candidate, "-c", "import venv"], capture_output=True).returncode == 0:
            return candidate
    return None


def run(*command: str | Path) -> None:
    """Run a command; CalledProcessError if it fails."""
    subprocess.run([*map(str, command)], check=True, cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main())
