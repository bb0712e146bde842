"""Create, change and delete collections."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as PathParameter
from starlette.responses import Response

from tacit.errors import InputError
from tacit.search.index import Index
from tacit.server import request_schemas as requests
from tacit.server import response_schemas as responses
from tacit.server.collection_store import BACKGROUNDS_DIR, check_name, create_work_dir, delete_on_error
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.jobs import Job
from tacit.server.service import BINARY_CONTENT, ERROR_RESPONSES, OCTET_STREAM, Service, ServiceDep
from tacit.server.uploads import MAX_EXPANSION, Upload
from tacit.server.worker import BACKGROUNDS
from tacit.text.languages import LANGUAGE_NAMES, language_name
from tacit.workflows.file_inspection import LINES_FORMAT

router = APIRouter(responses=ERROR_RESPONSES, tags=["collections"])
_FILE_BODY = BINARY_CONTENT | {"required": True}
NamePath = Annotated[str, PathParameter(min_length=1, max_length=200)]


@router.get("/collections", response_model=responses.CollectionsResponse)
async def list_collections(service: ServiceDep) -> JsonResponse:
    """List all collections, and the limits and options for creating one."""
    registry, limits = service.registry, service.settings.limits
    listed = await asyncio.to_thread(registry.list_descriptions)
    return JsonResponse(
        {
            "collections": listed,
            "default": await registry.default(),
            "may_write": service.registry.store is not None,
            "limits": {
                "upload_bytes": limits.max_upload_bytes,
                "texts": limits.max_texts_per_collection,
                "collections": limits.max_collections,
                "jobs": limits.max_pending_jobs,
            },
            "backgrounds": list(BACKGROUNDS),
            "languages": sorted(LANGUAGE_NAMES),
            "language_names": LANGUAGE_NAMES,
        }
    )


@router.post("/uploads", response_model=responses.UploadResponse, openapi_extra={"requestBody": _FILE_BODY})
async def upload_file(
    request: Request,
    service: ServiceDep,
    filename: Annotated[str, Query(min_length=1, max_length=255)],
    header: bool | None = None,
) -> JsonResponse:
    """Upload a file (CSV, TSV, JSONL, Parquet, Excel or lines of text) and return what was detected in it.

    `header` says whether the first row of a table has column names; by default that is detected.
    """
    service.require_store()
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != OCTET_STREAM:  # which a form on another site's page cannot send
        raise ApiError(415, f"send the file itself as the body, with content-type: {OCTET_STREAM}")
    client = request.client.host if request.client else ""
    upload = await service.uploads.save_upload(filename, request.stream(), header, client)
    code, encoding = upload.summary["language"], upload.summary["encoding"]
    note = f"The file is not UTF-8; it is read as {encoding}." if encoding else None
    name = None if code is None else language_name(code)
    return JsonResponse({"upload": upload.id, "note": note, **upload.summary, "language_name": name})


@router.post("/collections", status_code=202, response_model=responses.JobCreatedResponse)
async def create_collection(request: requests.CreateCollectionRequest, service: ServiceDep) -> JsonResponse:
    """Create a collection as a job: train a model on its texts, and index them."""
    store, name, limits = service.require_store(), check_name(request.name), service.settings.limits
    if (request.upload is None) == (request.texts is None):
        raise ApiError(422, "give either upload, the id of a file, or texts")
    jobs = service.jobs.jobs.values()
    in_progress = {job.collection for job in jobs if job.kind == "collection" and not job.is_finished}
    if name in service.registry.preloaded or store.is_name_used(name) or name in in_progress:
        raise ApiError(409, f"there already is a collection {name!r}: choose another name, or delete it")
    if len(in_progress.union(store.list_names(readable=False))) >= limits.max_collections:
        message = f"there are {limits.max_collections} collections, the maximum, with those being created"
        raise ApiError(422, f"{message}: delete one")
    service.jobs.check_capacity()
    if request.upload is None:
        with delete_on_error(create_work_dir(service.work_dir)) as folder:
            job = _submit_job(service, request, folder, _task_from_texts(request, folder))
    else:
        upload = service.uploads.get(request.upload)
        job = _submit_job(service, request, upload.path.parent, _task_from_upload(request, upload))
        service.uploads.all.pop(upload.id, None)  # its file belongs to the job now
    return JsonResponse({"job": job.id}, 202)


def _submit_job(
    service: Service, request: requests.CreateCollectionRequest, folder: Path, source: dict[str, Any]
) -> Job:
    """Submit the job that creates a collection in a folder and moves it to the store."""
    store, name, limits = service.require_store(), request.name, service.settings.limits
    payload = source | {
        "kind": "collection",
        "name": name,
        "language": request.language,
        "background": request.background,
        "backgrounds": str(store.folder / BACKGROUNDS_DIR),
        "out": str(folder / "collection"),
        "max_texts": limits.max_texts_per_collection,
        "max_columns": limits.max_columns,
        "max_chars": MAX_EXPANSION * limits.max_upload_bytes,
        "threads": service.settings.n_threads,
    }

    async def publish(_: dict[str, Any]) -> None:
        await asyncio.to_thread(store.publish, folder / "collection", name)

    return service.jobs.submit(Job("collection", payload, folder, publish, name))


def _task_from_texts(request: requests.CreateCollectionRequest, folder: Path) -> dict[str, Any]:
    """Write the texts of a request to a file, and return how to read it."""
    path = folder / "texts.jsonl"
    lines = (json.dumps({"text": text}) for text in request.texts or [])
    try:
        path.write_text("\n".join(lines), encoding="utf-8")
    except OSError as error:
        raise ApiError(507, f"the texts cannot be stored: {error.strerror or error}") from None
    return {"source": str(path), "filename": "the texts", "text": ["text"], "id": None, "columns": []}


def _task_from_upload(request: requests.CreateCollectionRequest, upload: Upload) -> dict[str, Any]:
    """Return how to read an uploaded file; raise an error for columns that it does not have."""
    detected = upload.summary
    names = [column["name"] for column in detected["columns"]]
    text = [request.text] if isinstance(request.text, str) else request.text or [detected["text"]]
    header = detected["header"] if request.header is None else request.header
    if header == detected["header"]:
        for column in [*text, *([request.id] if request.id else []), *(request.columns or [])]:
            if column not in names:
                existing = ", ".join(map(repr, names[:20]))
                raise InputError(f"{upload.name} has no column {column!r}; it has {existing}")
    return {
        "source": str(upload.path),
        "filename": upload.name,
        "rows": detected["rows"],
        "text": None if detected["format"] == LINES_FORMAT else text,
        "id": request.id if "id" in request.model_fields_set else detected["id"],
        "columns": request.columns,
        "header": header,
        "encoding": detected["encoding"],
    }


@router.delete("/collections/{name}", status_code=204)
async def delete_collection(name: NamePath, service: ServiceDep) -> Response:
    """Delete a collection that this service created."""
    await service.registry.delete(name)
    return Response(status_code=204)


@router.post("/collections/{name}/reload", response_model=responses.CollectionResponse)
async def reload_collection(name: NamePath, service: ServiceDep) -> JsonResponse:
    """Load a collection from disk again, after another program has changed it."""
    await service.registry.reload(name)
    return JsonResponse(await asyncio.to_thread(service.registry.describe, name))


@router.post("/collections/{name}/documents", response_model=responses.AddedResponse)
async def add_documents(
    name: NamePath, request: requests.AddDocumentsRequest, service: ServiceDep
) -> JsonResponse:
    """Add texts to a collection that this service created; the next search finds them."""
    documents = request.documents
    service.check_batch_size(len(documents))
    limit = service.settings.limits.max_texts_per_collection

    def add(index: Index) -> list[str]:
        if len(index) + len(documents) > limit:
            message = f"the collection has {len(index):,} texts, at most {limit:,}: delete some"
            raise ApiError(422, message)
        texts, ids = [document.text for document in documents], [document.id for document in documents]
        return index.add(texts, ids, [document.columns or {} for document in documents])

    return JsonResponse({"ids": await service.registry.update(name, add)})


@router.delete("/collections/{name}/documents", response_model=responses.DeletedResponse)
async def delete_documents(
    name: NamePath, request: requests.DeleteDocumentsRequest, service: ServiceDep
) -> JsonResponse:
    """Delete texts of a collection that this service created."""
    n_deleted = await service.registry.update(name, lambda index: index.delete(request.ids))
    return JsonResponse({"deleted": n_deleted})
