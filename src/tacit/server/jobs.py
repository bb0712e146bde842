"""Long works, one after another, each in a process of its own; whoever asked may go away meanwhile."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

from tacit.errors import InputError
from tacit.server.http_errors import ApiError
from tacit.server.worker import RESULT_FILE

logger = logging.getLogger(__name__)

KEPT = 100
"""Finished jobs that can still be asked for."""
_COMMAND = ("-P", "-m", "tacit.server.worker")
_LARGEST_MESSAGE = 32 * 1024 * 1024
_PATIENCE = 5.0  # seconds between asking a process to end and ending it

Finish = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(eq=False)
class Job:
    """A long work: what it is, how far it is, what came of it."""

    kind: str
    task: dict[str, Any]
    folder: Path
    finish: Finish | None = None
    about: str = ""
    id: str = field(default_factory=lambda: uuid4().hex)
    state: str = "queued"
    done: float = 0.0
    message: str = "waiting"
    result: dict[str, Any] | None = None
    error: str | None = None
    process: asyncio.subprocess.Process | None = None

    def told(self, done: float, message: str) -> None:
        """Note how far the work is."""
        self.done, self.message = done, message

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state in ("done", "failed", "cancelled")

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "id": self.id,
            "kind": self.kind,
            "collection": self.about,
            "state": self.state,
            "done": self.done,
            "total": 100.0,
            "message": self.message,
            "result": self.result,
            "error": self.error,
        }


class JobQueue:
    """A bounded queue of jobs and the task that runs them, one at a time."""

    def __init__(self, waiting: int = 20) -> None:
        self.waiting = waiting
        self.all: dict[str, Job] = {}
        self._queue: deque[Job] = deque()
        self._arrived = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to run jobs."""
        self._task = asyncio.get_running_loop().create_task(self._run_all())

    async def stop(self) -> None:
        """End all jobs; nothing half-done is left in a collection's place."""
        for job in list(self.all.values()):
            await self.cancel(job)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def submit(self, job: Job) -> Job:
        """Let a job wait for its turn."""
        if len(self._queue) >= self.waiting:
            reason = f"{self.waiting} jobs are waiting already: try again later, or cancel one"
            raise ApiError(429, reason, retry_after="30")
        self._forget()
        self.all[job.id] = job
        self._queue.append(job)
        self._arrived.set()
        return job

    def find(self, name: str) -> Job:
        """The job of an id."""
        if name not in self.all:
            raise ApiError(404, f"there is no job {name[:40]!r}: GET /jobs lists those there are")
        return self.all[name]

    async def cancel(self, job: Job) -> Job:
        """End a job, whether it waits or runs; one that has ended stays as it is."""
        if job.state == "queued":
            self._queue.remove(job)
            self._end(job, "cancelled", "cancelled before it began")
        elif job.state == "running":
            job.state, job.message = "cancelled", "cancelled"
            if job.process is not None:
                await _ended(job.process)
        return job

    def rows(self, job: Job, offset: int, limit: int) -> list[Any]:
        """Some of a result's list."""
        try:
            with (job.folder / RESULT_FILE).open(encoding="utf-8") as file:
                return [json.loads(line) for line in islice(file, offset, offset + limit)]
        except FileNotFoundError:
            raise ApiError(404, f"the job {job.id} has no list of results") from None

    async def _run_all(self) -> None:
        while True:
            await self._arrived.wait()
            if not self._queue:
                self._arrived.clear()
                continue
            job = self._queue.popleft()
            try:
                await self._run(job)
            except asyncio.CancelledError:
                raise
            except (InputError, ApiError) as error:
                self._end(job, "failed", "failed", str(error))
            except Exception:
                logger.exception("the job %s failed", job.id)
                self._end(job, "failed", "failed", "a fault of the service; its log says more")

    async def _run(self, job: Job) -> None:
        job.state, job.message = "running", "starting"
        result = await run_task(job.task, job.told, job)
        if job.state == "cancelled":
            self._end(job, "cancelled", "cancelled")
            return
        if job.finish is not None:
            await job.finish(result)
        job.result, job.done = result, 100.0
        self._end(job, "done", "done")

    def _end(self, job: Job, state: str, message: str, error: str | None = None) -> None:
        if job.state == "cancelled":
            state, message, error = "cancelled", "cancelled", None
        job.state, job.message, job.error = state, message, error
        if state != "done":
            shutil.rmtree(job.folder, ignore_errors=True)

    def _forget(self) -> None:
        """Forget the oldest of the finished jobs."""
        ended = [job for job in self.all.values() if job.ended]
        for job in ended[: max(0, len(ended) - KEPT + 1)]:
            shutil.rmtree(job.folder, ignore_errors=True)
            del self.all[job.id]


async def run_task(
    task: dict[str, Any], told: Callable[[float, str], None] | None = None, job: Job | None = None
) -> dict[str, Any]:
    """Do a task in a process of its own; what is wrong with what was given is an ``InputError``."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *_COMMAND, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        limit=_LARGEST_MESSAGE,
    )  # fmt: skip
    if job is not None:
        job.process = process
        if job.state == "cancelled":
            await _ended(process)
    try:
        return await _followed(process, task, told)
    finally:
        await _ended(process)


async def _followed(
    process: asyncio.subprocess.Process, task: dict[str, Any], told: Callable[[float, str], None] | None
) -> dict[str, Any]:
    """Send the task, and read what the process says until its end."""
    assert process.stdin is not None
    assert process.stdout is not None
    result: dict[str, Any] | None = None
    try:
        process.stdin.write(json.dumps(task).encode())
        await process.stdin.drain()
        process.stdin.close()
    except ConnectionError:
        pass  # it was ended meanwhile
    async for line in process.stdout:
        message = json.loads(line)
        if "error" in message:
            raise InputError(message["error"])
        if "result" in message:
            result = message["result"]
        elif told is not None:
            told(message["done"], message["message"])
    if result is not None:
        return result
    code = await process.wait()
    if code < 0:
        raise InputError(f"this took more than the service allows, and was ended (signal {-code})")
    raise RuntimeError(f"the worker ended with {code} and no result")


async def _ended(process: asyncio.subprocess.Process) -> None:
    """End a process, politely, then for certain."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), _PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()
