"""Package metadata, pinned versions, workflows and recipes agree with each other."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import lowest_versions
import tacit

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
PINNED = (ROOT / "requirements" / "dev.txt").read_text("utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DECLARED_AS = {
    "llvmlite": "numba",
    "pydantic": "fastapi",
    "pydantic_core": "fastapi",
    "distributed": "dask",
    "opentelemetry": "opentelemetry-sdk",
    "haystack": "haystack-ai",
}
"""Imported packages that another requirement brings, or whose requirement has another name."""


def parse_workflow(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text("utf-8"))


def workflow_commands(path: Path) -> list[str]:
    steps = [step for job in parse_workflow(path)["jobs"].values() for step in job["steps"]]
    return [line for step in steps for line in step.get("run", "").splitlines()]


def names(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(each).name) for each in requirements}


def imported_top_levels() -> set[str]:
    """Return the top-level names that the package imports."""
    found = set()
    for path in (ROOT / "src" / "tacit").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(str(node.module).split(".")[0])
    return found - set(sys.stdlib_module_names) - {"tacit"}


def test_pinned_versions_satisfy_every_requirement():
    pins = re.findall(r"^([\w.-]+)(?:\[.*?\])?==(\S+)", PINNED, re.MULTILINE)
    [extras] = re.findall(r"^EXTRAS := (\S+)$", MAKEFILE, re.MULTILINE)
    groups = [PROJECT["dependencies"], PYPROJECT["dependency-groups"]["dev"]]
    groups += [EXTRAS[name] for name in extras.split(",")]
    for requirement in map(Requirement, chain.from_iterable(groups)):
        versions = [version for name, version in pins if name == canonicalize_name(requirement.name)]
        assert versions, f"{requirement}: run make lock"
        fitting = list(requirement.specifier.filter(versions, prereleases=True))
        assert fitting == versions, f"{requirement}: run make lock"


def test_every_pinned_version_has_a_hash():
    entries = re.split(r"^(?=\S)", re.sub(r"^\s*#.*\n", "", PINNED, flags=re.MULTILINE), flags=re.MULTILINE)
    assert [entry for entry in entries if "==" in entry and "--hash=sha256:" not in entry] == []


def test_versions_of_python_agree():
    """The classifiers name the versions that workflows and `make test-min` test."""
    classified = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    matrix = parse_workflow(ROOT / ".github/workflows/tests.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == classified == [version for version, _ in lowest_versions.RUNS]
    assert PROJECT["requires-python"] == f">={classified[0]}"


def test_install_page_has_a_reason_for_every_core_dependency():
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    reasons = re.findall(r"^\| ([\w-]+) \| \d+ \| \S", page, re.MULTILINE)
    assert set(map(canonicalize_name, reasons)) == names(PROJECT["dependencies"])
    extras = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert extras == list(EXTRAS)


def test_every_imported_package_is_declared():
    declared = names(PROJECT["dependencies"]).union(*(names(each) for each in EXTRAS.values()))
    declared |= names(PYPROJECT["dependency-groups"]["integrations"])
    declared |= names(
        PYPROJECT["dependency-groups"]["dev"]
    )  # pandas and polars: results in the user's library
    declared |= {"bertopic", "mteb"}  # adapters to what the user installs
    distributions = packages_distributions()
    unknown = []
    for name in imported_top_levels():
        candidates = [DECLARED_AS.get(name, name), *distributions.get(name, [])]
        if not {canonicalize_name(each) for each in candidates} & declared:
            unknown.append(name)
    assert unknown == []


def test_every_core_dependency_is_imported():
    distributions = packages_distributions()
    imported = {
        canonicalize_name(each) for name in imported_top_levels() for each in distributions.get(name, [])
    }
    assert names(PROJECT["dependencies"]) - imported == set()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_commands_of_workflows_exist(path):
    targets = set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))
    commands = workflow_commands(path)
    assert commands
    for command in commands:
        for target in re.findall(r"^make (\S+)", command):
            assert target in targets, command
        for file in re.findall(r"(?:\S+/)+\S+\.(?:py|txt)", command):
            assert (ROOT / file).is_file(), command


def test_release_workflow_compares_the_tag_with_the_version():
    [command] = [line for line in workflow_commands(ROOT / ".github/workflows/release.yml") if "grep" in line]
    pattern = re.search(r'"(__version__ = .+)" (\S+)$', command)
    line = pattern[1].replace('\\"', '"').replace("${GITHUB_REF_NAME#v}", tacit.__version__)
    assert line in (ROOT / pattern[2]).read_text("utf-8").splitlines()


def test_conda_recipe_has_the_requirements_of_the_package():
    recipe = yaml.safe_load((ROOT / "deploy" / "conda" / "recipe.yaml").read_text("utf-8"))
    run = [each.replace(" ", "") for each in recipe["requirements"]["run"] if not each.startswith("python ")]
    assert sorted(run) == sorted(each.lower() for each in PROJECT["dependencies"])
    assert recipe["context"]["version"] == tacit.__version__
    assert f">={recipe['context']['python_min']}" == PROJECT["requires-python"]


def test_dockerfile_installs_existing_extras():
    [extras] = re.findall(r'"\.\[(.+?)\]"', (ROOT / "deploy" / "Dockerfile").read_text("utf-8"))
    assert set(extras.split(",")) <= set(EXTRAS)
