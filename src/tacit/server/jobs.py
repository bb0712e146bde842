"""A queue of long operations, each run in a subprocess."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

from tacit.errors import InputError
from tacit.server.http_errors import ApiError
from tacit.server.job_files import RESULT_FILE
from tacit.server.response_schemas import JobResponse

logger = logging.getLogger(__name__)

MAX_FINISHED_JOBS = 100  # whose results are kept
_COMMAND = ("-P", "-m", "tacit.server.worker")
_MAX_MESSAGE_BYTES = 32 * 1024 * 1024
_TERMINATE_TIMEOUT = 5.0  # seconds between SIGTERM and SIGKILL

ProgressSetter = Callable[[float, str], None]


@dataclass(eq=False)
class Job:
    """A long operation; ``on_success`` is called with its result before the job is done."""

    kind: str
    payload: dict[str, Any]
    folder: Path
    on_success: Callable[[dict[str, Any]], Awaitable[None]] | None = None
    collection: str = ""
    id: str = field(default_factory=lambda: uuid4().hex)
    state: str = "queued"
    done: float = 0.0
    total: float = 100.0
    message: str = "waiting"
    result: dict[str, Any] | None = None
    error: str | None = None
    run: asyncio.Task[None] = field(init=False, repr=False)

    def set_progress(self, done: float, message: str) -> None:
        """Set the percentage that is done and what is being done."""
        self.done, self.message = done, message

    @property
    def is_finished(self) -> bool:
        """Whether the job is done, failed or cancelled."""
        return self.state in ("done", "failed", "cancelled")

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of ``JobResponse``."""
        return {name: getattr(self, name) for name in JobResponse.model_fields}


class JobQueue:
    """A bounded queue of jobs, which run one at a time."""

    def __init__(self, max_pending: int = 20) -> None:
        self.max_pending = max_pending
        self.jobs: dict[str, Job] = {}
        self._running_lock = asyncio.Lock()  # held by the running job, others wait in order

    async def stop(self) -> None:
        """Cancel all jobs, the running one last: no other begins."""
        for job in reversed(list(self.jobs.values())):
            await self.cancel(job)

    def submit(self, job: Job) -> Job:
        """Add a job to the queue; raise a 429 error if the queue is full."""
        self.check_capacity()
        self._delete_oldest()
        self.jobs[job.id] = job
        job.run = asyncio.get_running_loop().create_task(self._run(job))
        return job

    def check_capacity(self) -> None:
        """Raise a 429 error if the queue is full."""
        if sum(not job.is_finished for job in self.jobs.values()) >= self.max_pending:
            message = f"{self.max_pending} jobs are waiting or running: try again later, or cancel one"
            raise ApiError(429, message, retry_after="30")

    def get(self, job_id: str) -> Job:
        """Return a job; raise a 404 error if there is none with this id."""
        if job_id not in self.jobs:
            raise ApiError(404, f"there is no job {job_id[:40]!r}: GET /jobs lists all")
        return self.jobs[job_id]

    async def cancel(self, job: Job) -> Job:
        """Cancel a waiting or running job; a finished one does not change."""
        if job.is_finished:
            return job
        if job.state == "queued":
            self._finish(job, "cancelled", "cancelled before it began")
        job.state = "cancelled"  # at once: a second call must not interrupt the end of the subprocess
        job.run.cancel()
        await asyncio.wait({job.run})
        return job

    def read_result(self, job: Job, offset: int, limit: int) -> list[Any]:
        """Read a page of the list that a job has written."""
        try:
            with (job.folder / RESULT_FILE).open(encoding="utf-8") as file:
                return [json.loads(line) for line in islice(file, offset, offset + limit)]
        except FileNotFoundError:
            raise ApiError(404, f"the job {job.id} has no list of results") from None

    async def _run(self, job: Job) -> None:
        """Wait for the job's turn, run it to its end, and set its final state."""
        async with self._running_lock:
            job.state, job.message = "running", "starting"
            try:
                result = await run_task(job.payload, job.set_progress)
                if job.on_success is not None:
                    await job.on_success(result)
                job.result, job.done = result, 100.0
                self._finish(job, "done", "done")
            except asyncio.CancelledError:
                self._finish(job, "cancelled", "cancelled")
            except (InputError, ApiError) as error:
                self._finish(job, "failed", "failed", str(error))
            except Exception:
                logger.exception("the job %s failed", job.id)
                self._finish(job, "failed", "failed", "internal error: see the log of the service")

    def _finish(self, job: Job, state: str, message: str, error: str | None = None) -> None:
        """Set the final state; only a list of results stays on disk."""
        job.state, job.message, job.error = state, message, error
        if state != "done" or not (job.folder / RESULT_FILE).exists():
            shutil.rmtree(job.folder, ignore_errors=True)

    def _delete_oldest(self) -> None:
        """Delete the oldest finished jobs if there are too many."""
        finished = [job for job in self.jobs.values() if job.is_finished]
        for job in finished[: max(0, len(finished) - MAX_FINISHED_JOBS + 1)]:
            shutil.rmtree(job.folder, ignore_errors=True)
            del self.jobs[job.id]


async def run_task(payload: dict[str, Any], set_progress: ProgressSetter | None = None) -> dict[str, Any]:
    """Run a task in a subprocess and return its result; the subprocess ends if this is cancelled."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *_COMMAND, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        limit=_MAX_MESSAGE_BYTES,
    )  # fmt: skip
    try:
        return await _read_worker_output(process, payload, set_progress)
    finally:
        await _terminate(process)


async def _read_worker_output(
    process: asyncio.subprocess.Process, payload: dict[str, Any], set_progress: ProgressSetter | None
) -> dict[str, Any]:
    """Send the payload, and read messages until the process ends."""
    assert process.stdin is not None
    assert process.stdout is not None
    result: dict[str, Any] | None = None
    with suppress(ConnectionError):  # the process was terminated
        process.stdin.write(json.dumps(payload).encode())
        await process.stdin.drain()
        process.stdin.close()
    async for line in process.stdout:
        message = json.loads(line)
        if "error" in message:
            raise InputError(message["error"])
        if "result" in message:
            result = message["result"]
        elif set_progress is not None:
            set_progress(message["done"], message["message"])
    if result is not None:
        return result
    code = await process.wait()
    if code < 0:
        raise InputError(f"this exceeded the resource limits of the service (signal {-code})")
    raise RuntimeError(f"the worker exited with code {code} and no result")


async def _terminate(process: asyncio.subprocess.Process) -> None:
    """Terminate a process, and kill it if it does not end in time."""
    for stop in (process.terminate, process.kill):
        if process.returncode is None:
            stop()
            # not wait_for, which can swallow a cancellation in Python 3.11
            with suppress(TimeoutError):
                async with asyncio.timeout(_TERMINATE_TIMEOUT):
                    await process.wait()
