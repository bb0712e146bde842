"""Start and follow long operations."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi import Path as PathParameter

from tacit.server import request_schemas as requests
from tacit.server import response_schemas as responses
from tacit.server.collection_store import create_work_dir, delete_on_error
from tacit.server.http_errors import JsonResponse
from tacit.server.jobs import Job
from tacit.server.served_collection import ServedCollection
from tacit.server.service import ERROR_RESPONSES, Service, ServiceDep

router = APIRouter(responses=ERROR_RESPONSES, tags=["jobs"])
JobPath = Annotated[str, PathParameter(min_length=1, max_length=64)]


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
    return await start_job(service, "duplicates", request)


@router.post("/clusters", status_code=202, response_model=responses.JobCreatedResponse)
async def find_clusters(request: requests.ClustersRequest, service: ServiceDep) -> JsonResponse:
    """Find groups of texts on the same subject, as a job."""
    return await start_job(service, "clusters", request)


async def start_job(
    service: Service, kind: str, request: requests.CollectionRequest, **options: Any
) -> JsonResponse:
    """Start a job with the fields of a request and further options.

    The job reads the index of the request's collection from disk, and that of the collection ``other``, if it
    has one; with the option ``previous``, it reads the work of an earlier job instead.
    """
    collection = await service.collection(request.collection, needs="search")
    service.jobs.check_capacity()
    with delete_on_error(create_work_dir(service.work_dir)) as work_dir:
        payload = request.model_dump(exclude={"job", "collection", "other"}) | options
        payload |= {"kind": kind, "out": str(work_dir), "threads": service.settings.n_threads}
        if options.get("previous") is None:
            payload["index"] = await _index_folder(collection, work_dir / "index")
            if (other := getattr(request, "other", None)) is not None:
                second = await service.collection(other, needs="search")
                payload["other"] = await _index_folder(second, work_dir / "other")
        job = service.jobs.submit(Job(kind, payload, work_dir, collection=collection.name))
    return JsonResponse({"job": job.id}, 202)


async def _index_folder(collection: ServedCollection, temporary: Path) -> str:
    """Return the folder of an index; one that is only in memory is saved."""
    if collection.folder is not None:
        return str(collection.folder)
    await asyncio.to_thread(collection.required_index.save, temporary)
    return str(temporary)
