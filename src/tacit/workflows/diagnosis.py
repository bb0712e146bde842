"""Check an installation of tacit, or a folder that it wrote."""

from __future__ import annotations

import platform
import re
import time
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tacit
from tacit.errors import InputError
from tacit.workflows.loading import load


def check_installation() -> dict[str, Any]:
    """Report versions, threads and BLAS, and compare the solver with its reference.

    Returns
    -------
    dict
        ``tacit``, ``python``, ``system`` and ``threads``; ``packages`` with their versions; ``extras`` with
        the version of the first package of each, None if one is missing; ``self_test`` of `check_solver`;
        ``blas``.
    """
    from threadpoolctl import threadpool_info

    from tacit.compute.threads import effective_n_threads

    packages, extras = _required_packages()
    extra_versions = {extra: [_installed(name)[1] for name in names] for extra, names in extras.items()}
    return {
        "tacit": tacit.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "threads": effective_n_threads(None),
        "packages": dict(map(_installed, packages)),
        "extras": {name: versions[0] if all(versions) else None for name, versions in extra_versions.items()},
        "self_test": check_solver(),
        "blas": [
            f"{pool['internal_api']} {pool['version']}, {pool['num_threads']} threads"
            for pool in threadpool_info()
            if pool["user_api"] == "blas"
        ],
    }


def _required_packages() -> tuple[list[str], dict[str, list[str]]]:
    """List the packages that tacit needs, and those of each extra, from its metadata."""
    names: dict[str, list[str]] = {"": []}  # by extra; "" for those that are always needed
    with suppress(metadata.PackageNotFoundError):  # a source tree that is not installed
        for requirement in metadata.requires("tacit") or []:
            extra = re.search(r"extra == ['\"](.+?)['\"]", requirement)
            names.setdefault(extra[1] if extra else "", []).extend(re.findall(r"^[\w.-]+", requirement))
    names.pop("all", None)
    return [*names.pop(""), "llvmlite"], names  # llvmlite: numba's compiler


def _installed(package: str) -> tuple[str, str | None]:
    """Return the name of a package as its metadata spell it, and its version; None if it is missing."""
    try:
        entry = metadata.metadata(package)
    except metadata.PackageNotFoundError:
        return package, None
    return entry["Name"], entry["Version"]


def check_solver() -> dict[str, Any]:
    """Compare one half-sweep with the reference implementation, on one thread and on two.

    Returns
    -------
    dict
        ``relative_error`` against the reference, ``threads_agree`` (bit for bit), ``sound`` and ``seconds``.
    """
    import numpy as np
    from scipy.sparse import csr_array

    from tacit.factorize.als_reference import solve
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


def compile_kernels() -> dict[str, Any]:
    """Compile the kernels of training, comparing and searching, so that no later command waits for them.

    Returns
    -------
    dict
        ``seconds`` that this took: about a tenth if the kernels were compiled before.
    """
    started = time.perf_counter()
    texts = [" ".join(f"word{i * j % 17}" for j in range(1, 4 + 2 * i)) for i in range(1, 9)]
    trainer = tacit.WTMF(tacit.TextVectorizer(language=None), n_components=4, n_iter=1).fit(texts)
    trainer.model_.compare(*texts[:2])
    index = tacit.Index(trainer)
    index.add(texts)
    with TemporaryDirectory() as folder:  # arrays of files are read-only, another type
        index.save(Path(folder, "index"))
        for searched in (index, load(Path(folder, "index"))):
            for measure in ("hybrid", "blend"):
                searched.search_many(texts[:2], measure=measure)
    return {"seconds": round(time.perf_counter() - started, 2)}


def verify_folder(folder: str | Path) -> dict[str, Any]:
    """Read every byte of a folder that tacit wrote, compare it with its checksums, and load it.

    Parameters
    ----------
    folder : str or Path
        The folder of a model, an index, a sense model, a kernel or a classifier.

    Returns
    -------
    dict
        ``model`` (the folder), ``sound``, ``class``, ``format``, ``tacit`` (the version that wrote it) and
        ``checked``, a list of what was checked.

    Raises
    ------
    ModelError
        If anything in it is damaged.
    """
    from tacit.storage import content_entries, read_config, read_model

    config, stored = read_config(folder), read_model(folder, verify=True)
    try:
        load(folder)
        loaded = "its parts fit together"
    except InputError as error:  # a custom tokenizer, which is not stored
        loaded = f"not put together: {error}"
    entries = content_entries(config)
    n_arrays = len(stored.arrays) + sum(len(part.arrays) for part in stored.parts.values())
    return {
        "model": str(folder),
        "sound": True,
        "class": stored.kind,
        "format": config["format"],
        "tacit": stored.version,
        "checked": [
            "config.json: its checksum",
            f"{len(entries)} files, {sum(entry['size'] for entry in entries):,} bytes: SHA-256",
            f"{n_arrays} arrays: types, shapes, finite numbers",
            f"{len(stored.vocabulary):,} rows of vocabulary",
            loaded,
        ],
    }
