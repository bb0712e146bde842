"""Start and follow long operations."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from tacit.server import request_schemas as requests
from tacit.server import response_schemas as responses
from tacit.server.collection_store import create_work_dir, delete_on_error
from tacit.server.http_errors import JsonResponse
from tacit.server.jobs import Job
from tacit.server.service import ERROR_RESPONSES, Service, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES, tags=["jobs"])
JobPath = Annotated[str, Path(min_length=1, max_length=64)]


@router.get("/jobs", response_model=responses.JobsResponse)
async def list_jobs(service: ServiceDep) -> JsonResponse:
    """List waiting, running and recently finished jobs, the oldest first."""
    return JsonResponse({"jobs": [job.to_dict() | {"result": None} for job in service.jobs.jobs.values()]})


@router.get("/jobs/{job}", response_model=responses.JobResponse)
async def get_job(job: JobPath, service: ServiceDep) -> JsonResponse:
    """Return the progress of a job and its result."""
    return JsonResponse(service.jobs.get(job).to_dict())


@router.delete("/jobs/{job}", response_model=responses.JobResponse)
async def cancel_job(job: JobPath, service: ServiceDep) -> JsonResponse:
    """Cancel a job; a finished job does not change."""
    return JsonResponse((await service.jobs.cancel(service.jobs.get(job))).to_dict())


@router.get("/jobs/{job}/result", response_model=responses.JobResultResponse)
async def get_job_result(
    job: JobPath,
    service: ServiceDep,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> JsonResponse:
    """Return a page of the list of groups that a job found."""
    finished = service.jobs.get(job)
    rows = await asyncio.to_thread(service.jobs.read_result, finished, offset, limit)
    n_found = (finished.result or {}).get("found", len(rows))
    return JsonResponse({"offset": offset, "found": n_found, "groups": rows})


@router.post("/duplicates", status_code=202, response_model=responses.JobCreatedResponse)
async def find_duplicates(request: requests.DuplicatesRequest, service: ServiceDep) -> JsonResponse:
    """Find groups of near-duplicate texts, as a job."""
    options = {"threshold": request.threshold, "measure": request.measure}
    return await _start_job(service, "duplicates", request.collection, options)


@router.post("/clusters", status_code=202, response_model=responses.JobCreatedResponse)
async def find_clusters(request: requests.ClustersRequest, service: ServiceDep) -> JsonResponse:
    """Find groups of texts on the same subject, as a job."""
    return await _start_job(service, "clusters", request.collection, {"n_clusters": request.n_clusters})


async def _start_job(
    service: Service, kind: str, collection_name: str | None, options: dict[str, Any]
) -> JsonResponse:
    """Start a job that reads the index of a collection from disk."""
    collection = await service.collection(collection_name, needs="search")
    service.jobs.check_capacity()
    with delete_on_error(create_work_dir(service.work_dir)) as work_dir:
        index_dir = collection.folder
        if index_dir is None:
            index_dir = work_dir / "index"
            await asyncio.to_thread(collection.required_index.save, index_dir)
        payload = {
            "kind": kind,
            "index": str(index_dir),
            "out": str(work_dir),
            "threads": service.settings.n_threads,
            **options,
        }
        job = service.jobs.submit(Job(kind, payload, work_dir, collection=collection.name))
    return JsonResponse({"job": job.id}, 202)
