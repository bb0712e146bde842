"""Link collections, find duplicates and themes, and write reports: each is a job."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as PathParameter
from starlette.responses import FileResponse

from tacit.server import request_schemas as requests
from tacit.server import response_schemas as responses
from tacit.server.analysis_tasks import WORK_DIR
from tacit.server.collection_store import read_info
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.routes.jobs import JobPath, start_job
from tacit.server.service import BINARY_CONTENT, ERROR_RESPONSES, CollectionQuery, Service, ServiceDep
from tacit.storage import fingerprint
from tacit.workflows.judgements import JUDGEMENT_COLUMNS, append_judgements, read_judgements

router = APIRouter(responses=ERROR_RESPONSES, tags=["jobs"])
JUDGEMENTS_DIR = "judgements"
FileName = Annotated[str, PathParameter(min_length=1, max_length=100)]


@router.post("/link", status_code=202, response_model=responses.JobCreatedResponse)
async def link_collections(request: requests.LinkRequest, service: ServiceDep) -> JsonResponse:
    """Find the texts of another collection that are about the same thing, as a job.

    The result has the estimated precision, pairs around possible thresholds (`cuts`), and pairs to judge next
    (`next`). Send judgements with the id of the job, and it decides again.
    """
    if request.job is None:  # before the queue, so that a missing collection is an error at once
        await service.collection(request.other, needs="search")
    return await _start(service, "link", request)


@router.post("/dedupe", status_code=202, response_model=responses.JobCreatedResponse)
async def dedupe_collection(request: requests.DedupeRequest, service: ServiceDep) -> JsonResponse:
    """Find exact and near copies in a collection, as a job; the collection does not change.

    Exact copies are marked as removed, near copies are left for review unless a threshold or judgements are
    given.
    """
    return await _start(service, "dedupe", request)


@router.post("/themes", status_code=202, response_model=responses.JobCreatedResponse)
async def find_themes(request: requests.ThemesRequest, service: ServiceDep) -> JsonResponse:
    """Find the themes of a collection with names, quotes and sub-themes, as a job."""
    return await _start(service, "themes", request)


@router.post("/report", status_code=202, response_model=responses.JobCreatedResponse)
async def write_report(request: requests.ReportRequest, service: ServiceDep) -> JsonResponse:
    """Write a report about a collection, as a job; `job` may be that of its themes."""
    return await _start(service, "report", request)


@router.post("/judgements", response_model=responses.StoredResponse)
async def add_judgements(request: requests.JudgementsRequest, service: ServiceDep) -> JsonResponse:
    """Store judgements of pairs of texts, which all later jobs for these collections use.

    They are appended to a file and flushed to the disk. A label of null withdraws a judgement. Of a
    collection, or of two to link, at most 100,000 are stored, withdrawn ones included.
    """
    folder = await _judgements_folder(service, request.collection, request.other)
    rows = [(each.id_a, each.id_b, each.label) for each in request.judgements]
    await asyncio.to_thread(append_judgements, folder, rows, requests.MAX_STORED_JUDGEMENTS)
    return JsonResponse({"stored": len(await asyncio.to_thread(read_judgements, folder))})


@router.get("/judgements", response_model=responses.JudgementsResponse)
async def get_judgements(
    service: ServiceDep, collection: CollectionQuery = None, other: CollectionQuery = None
) -> JsonResponse:
    """Return the stored judgements of a collection, or with `other` those of two collections to link."""
    rows = await asyncio.to_thread(read_judgements, await _judgements_folder(service, collection, other))
    return JsonResponse({"judgements": [dict(zip(JUDGEMENT_COLUMNS, row, strict=True)) for row in rows]})


async def _judgements_folder(service: Service, name: str | None, other: str | None) -> Path:
    """Return the folder with the judgements of a collection, or of two collections.

    That of a stored collection is deleted with it; a collection that is created again has none.
    """
    names = [name] if other is None else [name, other]
    collections = [await service.collection(each, needs="search") for each in names]
    identities, first = [], collections[0]
    for each in collections:
        created = None
        if each.is_stored and each.folder is not None:
            created = read_info(each.folder.parent).get("created")
        identities.append([each.name, created or str(each.folder)])
    folder = fingerprint([json.dumps(identities).encode()])[:32]
    if first.is_stored and first.folder is not None:
        return first.folder.parent / JUDGEMENTS_DIR / folder
    store = service.registry.store  # without one, nothing may be written that outlives the service
    return (service.work_dir if store is None else store.folder / f".{JUDGEMENTS_DIR}") / folder


@router.get("/jobs/{job}/files/{name}", response_class=FileResponse, responses={200: BINARY_CONTENT})
async def get_job_file(job: JobPath, name: FileName, service: ServiceDep) -> FileResponse:
    """Download a file that a job has written; its result lists the names in `files`."""
    finished = service.jobs.get(job)
    if name not in (finished.result or {}).get("files", []):
        raise ApiError(404, f"the job {job} has no file {name!r}: its result lists the names")
    return FileResponse(finished.folder / name, filename=name)


async def _start(
    service: Service, kind: str, request: requests.DecisionRequest | requests.ThemesRequest
) -> JsonResponse:
    """Start a job that can continue the work of an earlier one."""
    other = getattr(request, "other", None)
    collection = await service.collection(request.collection, needs="search")
    collections = [collection.name, other]
    previous = _work_of_job(service, kind, request.job, collections)
    options: dict[str, Any] = {"collections": collections, "previous": previous and str(previous)}
    if isinstance(request, requests.DecisionRequest):
        options["judged"] = str(await _judgements_folder(service, request.collection, other))
    else:
        options["n_themes"] = request.n_themes or "auto"
    if isinstance(request, requests.ReportRequest):
        options["title"] = request.title or collection.name
    return await start_job(service, kind, request, **options)


def _work_of_job(
    service: Service, kind: str, job_id: str | None, collections: list[str | None]
) -> Path | None:
    """Return the work folder of an earlier job of the same kind for the same collections."""
    if job_id is None:
        return None
    job, kinds = service.jobs.get(job_id), ("themes", "report") if kind == "report" else (kind,)
    if job.state != "done" or job.kind not in kinds or job.payload["collections"] != collections:
        raise ApiError(422, f"{job_id} is no finished job of this kind for these texts: leave out its id")
    return job.folder / WORK_DIR
