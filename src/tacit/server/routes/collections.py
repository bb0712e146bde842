"""Collections of people's own texts: made of a file or of texts, changed, deleted."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from tacit.errors import InputError
from tacit.server import collection_schemas as schemas
from tacit.server.collection_store import check_name
from tacit.server.http_errors import ApiError, JsonResponse
from tacit.server.jobs import Job
from tacit.server.service import ERROR_RESPONSES, Service, ServiceDep
from tacit.server.uploads import UNFOLDED, Upload
from tacit.server.worker import BACKGROUNDS
from tacit.text.languages import ISO_639_1
from tacit.text.normalization import SNOWBALL_LANGUAGES
from tacit.workflows.file_inspection import LINES_FORMAT

router = APIRouter(responses=ERROR_RESPONSES, tags=["collections"])
BINARY = "application/octet-stream"
CollectionPath = Annotated[str, Path(min_length=1, max_length=200)]


@router.get("/collections", response_model=schemas.CollectionsAnswer)
async def collections(service: ServiceDep) -> JsonResponse:
    """The collections there are, and what may be made here."""
    library, limits = service.library, service.settings.limits
    found = await asyncio.to_thread(lambda: [library.described(name) for name in library.names()])
    return JsonResponse(
        {
            "collections": found,
            "default": library.default,
            "may_write": service.may_write,
            "limits": {
                "upload_bytes": limits.max_upload_bytes,
                "texts": limits.max_texts_per_collection,
                "collections": limits.max_collections,
                "jobs": limits.max_pending_jobs,
            },
            "backgrounds": list(BACKGROUNDS),
            "languages": sorted(ISO_639_1),
        }
    )


_FILE = {"content": {BINARY: {"schema": {"type": "string", "format": "binary"}}}, "required": True}


@router.post("/uploads", response_model=schemas.UploadAnswer, openapi_extra={"requestBody": _FILE})
async def upload(
    request: Request,
    service: ServiceDep,
    filename: Annotated[str, Query(min_length=1, max_length=255)],
    header: bool | None = None,
) -> JsonResponse:
    """Take a file (CSV, TSV, JSONL, Parquet, Excel or lines of text) and say what it looks like.

    `header` says whether the first row of a table names its columns; left out, that is guessed.
    """
    service.home()
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != BINARY:  # which a form of another page cannot send unasked
        raise ApiError(415, f"send the file as it is, with content-type: {BINARY}")
    found = await service.uploads.take(filename, request.stream(), header)
    note = None
    if found.guess["encoding"]:
        note = f"the file is no UTF-8; it is read as {found.guess['encoding']}"
    code = found.guess["language"]
    language = SNOWBALL_LANGUAGES.get(code, code)
    names = {"language_name": None if language is None else language.title()}
    return JsonResponse({"upload": found.id, "note": note, **found.guess, **names})


@router.post("/collections", status_code=202, response_model=schemas.StartedAnswer)
async def make(question: schemas.NewCollection, service: ServiceDep) -> JsonResponse:
    """Make a collection: train on its texts and index them, as a job."""
    home, name = service.home(), check_name(question.name)
    if (question.upload is None) == (question.texts is None):
        raise ApiError(422, "give either upload, the id of a file, or texts")
    making = (job.about for job in service.jobs.all.values() if job.kind == "collection" and not job.ended)
    if name in service.library.given or home.taken(name) or name in making:
        raise ApiError(409, f"there is a collection {name!r} already: give another name, or delete it")
    most = service.settings.limits.max_collections
    if len(home.names()) >= most:
        raise ApiError(422, f"there are {most} collections already, the most kept here: delete one")
    found = None if question.upload is None else service.uploads.find(question.upload)
    room = home.room() if found is None else found.path.parent
    task = _of_texts(question, room) if found is None else _of_file(question, found)
    limits = service.settings.limits
    task |= {
        "kind": "collection",
        "name": name,
        "language": question.language,
        "background": question.background,
        "backgrounds": str(home.folder / ".backgrounds"),
        "out": str(room / "made"),
        "max_texts": limits.max_texts_per_collection,
        "max_chars": UNFOLDED * limits.max_upload_bytes,
        "threads": service.settings.n_threads,
    }

    async def finish(_: dict[str, Any]) -> None:
        await asyncio.to_thread(home.adopt, room / "made", name)

    job = service.jobs.submit(Job("collection", task, room, finish, name))
    if found is not None:
        service.uploads.used(found)
    return JsonResponse({"job": job.id}, 202)


def _of_texts(question: schemas.NewCollection, room: Any) -> dict[str, Any]:
    path = room / "texts.jsonl"
    lines = (json.dumps({"text": text}) for text in question.texts or [])
    path.write_text("\n".join(lines), encoding="utf-8")
    return {"source": str(path), "filename": "the texts", "text": ["text"], "id": None, "columns": []}


def _of_file(question: schemas.NewCollection, found: Upload) -> dict[str, Any]:
    """What is to be read of a file; columns that it does not have are refused at once."""
    guess = found.guess
    names = [column["name"] for column in guess["columns"]]
    text = [question.text] if isinstance(question.text, str) else question.text or [guess["text"]]
    given = "id" in question.model_fields_set
    header = guess["header"] if question.header is None else question.header
    if header == guess["header"]:
        for column in [*text, *([question.id] if question.id else []), *(question.columns or [])]:
            if column not in names:
                there = ", ".join(map(repr, names[:20]))
                raise InputError(f"{found.name} has no column {column!r}; it has {there}")
    return {
        "source": str(found.path),
        "filename": found.name,
        "rows": guess["rows"],
        "text": None if guess["format"] == LINES_FORMAT else text,
        "id": question.id if given else guess["id"],
        "columns": question.columns,
        "header": header,
        "encoding": guess["encoding"],
    }


@router.delete("/collections/{name}", status_code=204)
async def delete(name: CollectionPath, service: ServiceDep) -> Response:
    """Delete a collection that was made here."""
    home = service.library.owned(name)
    service.library.forget(name)
    await asyncio.to_thread(home.remove, name)
    return Response(status_code=204)


@router.post("/collections/{name}/reload", response_model=schemas.CollectionAnswer)
async def reload(name: CollectionPath, service: ServiceDep) -> JsonResponse:
    """Read a collection's folder anew, where another program has changed it."""
    await service.library.reload(name)
    return JsonResponse(await asyncio.to_thread(service.library.described, name))


@router.post("/collections/{name}/documents", response_model=schemas.AddedAnswer)
async def add_documents(
    name: CollectionPath, question: schemas.NewDocuments, service: ServiceDep
) -> JsonResponse:
    """Add texts to a collection that was made here; they are found at once, and kept."""
    service.check_count(len(question.documents))
    most = service.settings.limits.max_texts_per_collection

    def add(index: Any) -> list[str]:
        if len(index) + len(question.documents) > most:
            raise ApiError(422, f"the collection has {len(index):,} texts, at most {most:,}: delete some")
        numbers = iter(range(index.snapshot.next_id, index.snapshot.next_id + len(question.documents)))
        texts = [document.text for document in question.documents]
        ids = [str(next(numbers)) if each.id is None else each.id for each in question.documents]
        added: list[str] = index.add(texts, ids, [each.columns or {} for each in question.documents])
        return added

    return JsonResponse({"ids": await _changed(service, name, add)})


@router.delete("/collections/{name}/documents", response_model=schemas.DeletedAnswer)
async def delete_documents(
    name: CollectionPath, question: schemas.OldDocuments, service: ServiceDep
) -> JsonResponse:
    """Take texts out of a collection that was made here."""
    deleted = await _changed(service, name, lambda index: index.delete(question.ids))
    return JsonResponse({"deleted": deleted})


async def _changed(service: Service, name: str, change: Any) -> Any:
    """Change an index, write it, and say so in the list of collections."""
    home = service.library.owned(name)
    models = await service.collection(name)
    assert models.index is not None
    index = models.index

    def work() -> Any:
        with home.writing(name):
            result = change(index)
            index.save(home.index(name))
        home.describe(name, texts=len(index))
        return result

    result = await asyncio.to_thread(work)
    models.__dict__.pop("examples", None)
    return result
