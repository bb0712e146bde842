"""Run the command line as a process of its own, with a short start and a short end."""

import atexit
import os
import sys
import threading
from contextlib import suppress

from tacit.cli.main import run


def main() -> None:
    """Run the command ``tacit`` and end the process."""
    # tacit computes on one BLAS thread, so that results do not depend on their number; OpenBLAS would start
    # a thread for each core. numba imports coverage where it is installed, though only coverage runs need it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.modules.setdefault("coverage", None)  # type: ignore[arg-type]
    code = 0
    try:
        run()
    except SystemExit as stop:
        if not isinstance(stop.code, int):
            raise
        code = stop.code
    _end_process(code)
    raise SystemExit(code)


def _end_process(code: int) -> None:
    """End the process without freeing numba's compiled code, which takes a fifth of a short command.

    The interpreter ends it instead where other threads run or output cannot be written: it handles both.
    """
    if threading.active_count() > 1:
        return
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # None: the caller closed it
                stream.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
