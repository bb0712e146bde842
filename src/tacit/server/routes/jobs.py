"""Long works: how far they are, what came of them; and the works that are begun by a question."""

from __future__ import annotations

import asyncio
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from tacit.server import collection_schemas as schemas
from tacit.server.http_errors import JsonResponse
from tacit.server.jobs import Job
from tacit.server.service import ERROR_RESPONSES, Service, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES, tags=["jobs"])
JobPath = Annotated[str, Path(min_length=1, max_length=64)]


@router.get("/jobs", response_model=schemas.JobsAnswer)
async def jobs(service: ServiceDep) -> JsonResponse:
    """The jobs that wait, run, or have ended lately, the oldest first."""
    return JsonResponse({"jobs": [job.to_dict() | {"result": None} for job in service.jobs.all.values()]})


@router.get("/jobs/{job}", response_model=schemas.JobAnswer)
async def job_state(job: JobPath, service: ServiceDep) -> JsonResponse:
    """How far a job is, and its result."""
    return JsonResponse(service.jobs.find(job).to_dict())


@router.delete("/jobs/{job}", response_model=schemas.JobAnswer)
async def cancel(job: JobPath, service: ServiceDep) -> JsonResponse:
    """Cancel a job; one that has ended stays as it is."""
    return JsonResponse((await service.jobs.cancel(service.jobs.find(job))).to_dict())


@router.get("/jobs/{job}/result", response_model=schemas.ResultAnswer)
async def result(
    job: JobPath,
    service: ServiceDep,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> JsonResponse:
    """A part of the list that a job has found."""
    found = service.jobs.find(job)
    rows = await asyncio.to_thread(service.jobs.rows, found, offset, limit)
    return JsonResponse(
        {"offset": offset, "found": (found.result or {}).get("found", len(rows)), "groups": rows}
    )


@router.post("/duplicates", status_code=202, response_model=schemas.StartedAnswer)
async def duplicates(question: schemas.DuplicatesQuestion, service: ServiceDep) -> JsonResponse:
    """Find the groups of texts that say nearly the same, as a job."""
    options = {"threshold": question.threshold, "measure": question.measure}
    return await _begun(service, "duplicates", question.collection, options)


@router.post("/clusters", status_code=202, response_model=schemas.StartedAnswer)
async def clusters(question: schemas.ClustersQuestion, service: ServiceDep) -> JsonResponse:
    """Find the groups of texts about one thing, as a job."""
    return await _begun(service, "clusters", question.collection, {"n_clusters": question.n_clusters})


async def _begun(
    service: Service, kind: str, collection: str | None, options: dict[str, Any]
) -> JsonResponse:
    """Begin a work over the texts of a collection as they are now."""
    models = await service.collection(collection, needs="search")
    assert models.index is not None
    room = service.library.room()
    folder: FilePath = models.folder or room / "index"
    if models.folder is None:
        await asyncio.to_thread(models.index.save, folder)
    task = {
        "kind": kind,
        "index": str(folder),
        "out": str(room),
        "threads": service.settings.n_threads,
        **options,
    }
    return JsonResponse({"job": service.jobs.submit(Job(kind, task, room, about=models.name)).id}, 202)
