"""The second process of the first start: it compiles what training uses, and its end stops nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from numba.core.caching import NullCache

from tacit import first_start, jit

SIGNATURES = """
import sys
from numba.core.dispatcher import Dispatcher
import tacit

def signatures(prefixes):
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(prefixes)]
    kernels = [k for module in modules for k in list(vars(module).values()) if isinstance(k, Dispatcher)]
    return {(k.py_func.__qualname__, types) for k in kernels for types in k.signatures}

TEXTS = ["a cat sleeps", "a kitten sleeps", "stocks fell", "stocks rose and fell and rose again today"]
"""

HALF = """
from tacit.first_start import KERNELS_COMPILED
from tacit.models.compilation import compile_half

compile_half()
before = signatures(KERNELS_COMPILED)
TEXTS += [f"stocks rose {number}" for number in range(9)]
tacit.WTMF(n_components=4, n_iter=1).fit(TEXTS).model_
print(len(before), sorted(name for name, _ in signatures(KERNELS_COMPILED) - before))
"""

COMMANDS = """
import tempfile
from pathlib import Path
from tacit.workflows.diagnosis import compile_kernels

assert compile_kernels()["seconds"] > 0
before = signatures("tacit")
trainer = tacit.WTMF(n_components=3, n_iter=1).fit(TEXTS)
index = tacit.Index(trainer)
index.add(TEXTS)
folder = Path(tempfile.mkdtemp(), "index")
index.save(folder)
for measure in ("blend", "hybrid"):
    tacit.load(folder).search("kitten", measure=measure)
trainer.model_.compare("a cat", "a kitten")
print(len(before), sorted(name for name, _ in signatures("tacit") - before))
"""


def run(source: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("source", "least"), [(HALF, 6), (COMMANDS, 25)], ids=["half", "all"])
def test_kernels_are_compiled_for_the_types_that_commands_use(source, least):
    n_before, _, others = run(SIGNATURES + source).partition(" ")
    assert int(n_before) >= least
    assert others.strip() == "[]"


START = subprocess.Popen


@pytest.fixture
def begin(monkeypatch):
    """Begin a first start whose second process runs a command of the test."""

    def begin(command: list[str], n_cores: int = 2, is_enabled: bool = True):
        monkeypatch.setattr(first_start, "_process", None)
        monkeypatch.setattr(first_start, "is_enabled", is_enabled)
        monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(n_cores)), raising=False)
        monkeypatch.setattr(subprocess, "Popen", lambda _, **options: START(command, **options))
        first_start.begin()
        return first_start._process

    return begin


def test_only_kernels_of_the_second_process_are_waited_for_and_only_while_it_runs(begin):
    process = begin([sys.executable, "-c", "import time; time.sleep(60)"])
    assert first_start.is_compiling("tacit.models.ngrams")
    assert not first_start.is_compiling("tacit.text.counting_kernels")
    process.kill()
    process.wait()
    assert not first_start.is_compiling("tacit.models.ngrams")


def test_no_process_on_one_core_or_in_a_program_or_without_an_interpreter(begin):
    assert begin([sys.executable, "-c", ""], n_cores=1) is None
    assert begin([sys.executable, "-c", ""], is_enabled=False) is None
    assert begin(["/nowhere/python"]) is None
    assert not first_start.is_compiling("tacit.models.ngrams")


@pytest.mark.parametrize(
    ("name", "cache", "begins"),
    [("scan_tokens", None, True), ("scan_tokens", NullCache(), False), ("count_terms", None, False)],
)
def test_a_first_start_is_a_first_kernel_that_can_be_cached(name, cache, begins, monkeypatch):
    calls = []
    monkeypatch.setattr(first_start, "begin", lambda: calls.append(name))
    kernel = SimpleNamespace(py_func=SimpleNamespace(__name__=name), _cache=cache)
    listener = jit.CompilationListener()
    listener.on_start(SimpleNamespace(data={"dispatcher": kernel}))
    listener.on_end(None)
    assert calls == [name] * begins


WAITING = """
import time
from pathlib import Path
from tacit import first_start, jit
from tacit.jit import jit as compiled

calls = iter([True, True, False])
first_start.is_compiling = lambda module: next(calls)

@compiled
def double(x):
    return 2 * x

print(double(2), next(calls, "asked until it ended"))
"""


def test_a_kernel_is_compiled_here_if_the_second_process_ends_without_it(tmp_path):
    (tmp_path / "waiting.py").write_text(WAITING)
    done = run(
        "import runpy; runpy.run_path('waiting.py')".replace("waiting.py", str(tmp_path / "waiting.py"))
    )
    assert done.split(maxsplit=1) == ["4", "asked until it ended\n"]
