"""What several tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples at every run: a red run can be run again. HYPOTHESIS_PROFILE=explore draws new ones.
# no deadline: the first call of a kernel compiles it, and a busy machine is no fault
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# A run in the background ignores Ctrl-C, and so would the processes it starts; some tests send it to them.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data() -> Path:
    """The evaluation data, or a spoken reason why the test does not run."""
    folder = os.environ.get("TACIT_DATA")
    if not folder:
        pytest.skip("TACIT_DATA is not set: it names the folder of evaluation data, which is not distributed")
    path = Path(folder)
    assert path.is_dir(), f"TACIT_DATA={folder} is no folder"
    return path
