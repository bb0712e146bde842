"""A second process that compiles kernels beside the first command, whose cache of kernels is empty.

It compiles one of the two solvers and the measures while the command compiles the rest; the command waits for
a kernel that is being compiled. If the process cannot be started or is killed, the command compiles all.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

FIRST_KERNEL = "scan_tokens"
"""The kernel that every command needs first."""

KERNELS_COMPILED = ("tacit.factorize.long_rows", "tacit.models.")
"""Prefixes of the modules whose kernels the second process compiles: about half of the work."""

is_enabled = False
"""Whether a process may be started: only the command line does so."""

_log = logging.getLogger(__name__)
_process: subprocess.Popen[bytes] | None = None


def begin() -> None:
    """Log that kernels are compiled, and start the second process if there is a second core."""
    global _process
    import subprocess  # not before: every command imports this module

    _log.info("compiling once, about 6 s")
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if is_enabled and n_cores > 1 and sys.executable:
        source = "from tacit.models.compilation import compile_half; compile_half()"
        try:
            _process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-P", "-c", source],  # -P: import nothing from the working directory
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError as error:
            _log.info("cannot start a second process (%s)", error.strerror or error)


def is_compiling(module: str) -> bool:
    """Return whether the second process may still be compiling the kernels of a module."""
    return _process is not None and module.startswith(KERNELS_COMPILED) and _process.poll() is None
