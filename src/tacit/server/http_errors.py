"""Refusals: a status, a plain reason, in the form OpenAI's clients read."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import compile_path

from tacit.errors import InputError, TacitError


class ApiError(Exception):
    """A request that is not answered, and why."""

    def __init__(self, status: int, reason: str, **headers: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class JsonResponse(Response):
    """JSON in UTF-8; half of a surrogate pair, which no encoding has, becomes a question mark."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes of a value."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")


def error_response(
    status: int, reason: str, headers: dict[str, str] | None = None, param: str | None = None
) -> JsonResponse:
    """The answer that says no; ``param`` is the field at fault."""
    kind = "server_error" if status >= 500 else "invalid_request_error"
    return JsonResponse(
        {"error": {"message": reason, "type": kind, "param": param, "code": None}}, status, headers
    )


def install_error_handlers(app: FastAPI) -> None:
    """Teach the application to refuse in one form."""
    app.add_exception_handler(ApiError, _handle_api_error)
    app.add_exception_handler(TacitError, _library_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _no_such_route)


async def _handle_api_error(request: Request, error: Any) -> JsonResponse:
    return error_response(error.status, error.reason, error.headers)


async def _library_error(request: Request, error: Any) -> JsonResponse:
    return error_response(422 if isinstance(error, InputError) else 500, error.problem)


async def _invalid(request: Request, error: Any) -> JsonResponse:
    problems = error.errors()
    if any(problem["type"] == "json_invalid" for problem in problems):
        return error_response(
            400, f"the body is no JSON: {problems[0].get('ctx', {}).get('error', 'unreadable')}"
        )
    places = [_field(problem, getattr(error, "body", None)) for problem in problems]
    # of the alternatives that the validator tried, the one that came furthest is what the client meant
    kept = [n for n, place in enumerate(places) if not any(other.startswith(f"{place}.") for other in places)]
    told = list(dict.fromkeys(_plainly(problems[n], places[n]) for n in kept))
    return error_response(422, "; ".join(told[:5]), param=places[kept[0]] or None)


async def _no_such_route(request: Request, error: Any) -> JsonResponse:
    path = request.url.path
    said = {404: f"there is nothing at {path}", 405: f"{path} does not take {request.method}"}
    status = error.status_code
    headers = {"allow": ", ".join(_methods(request))} if status == 405 else dict(error.headers or {})
    return error_response(
        status, f"{said[status]}: see /docs" if status in said else str(error.detail), headers
    )


def _methods(request: Request) -> list[str]:
    """Every method that an address takes, whichever route takes it."""
    paths = request.app.openapi()["paths"]
    found = {
        method for path in paths if compile_path(path)[0].match(request.url.path) for method in paths[path]
    }
    return sorted(map(str.upper, found)) or ["GET"]


def _field(problem: Any, body: Any) -> str:
    """Where a complaint is, as the client wrote it: the validator also names its own alternatives."""
    place, *parts = problem["loc"]  # the first is "body", "query" or "path"
    if place != "body":
        return ".".join(map(str, parts))
    found, here = [], body
    for part in parts:
        if (
            isinstance(here, dict)
            and isinstance(part, str)
            and (part in here or problem["type"] == "missing")
        ):
            here = here.get(part)
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            here = here[part]
        else:
            continue
        found.append(str(part))
    return ".".join(found)


def _plainly(problem: Any, where: str) -> str:
    """One complaint of the validator as a phrase: where, and what is wrong there."""
    message = str(problem["msg"]).removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    return f"{where}: {message}" if where else f"the body: {message}"
