"""Errors as JSON in OpenAI's format."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import compile_path

from tacit.errors import InputError, TacitError

MAX_SHOWN_PROBLEMS = 20
"""Problems of a request body in a response."""

_MAX_NAME_CHARS = 100  # of a field, in an error message


class ApiError(Exception):
    """An HTTP error with a status, a message and headers."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class JsonResponse(Response):
    """JSON in UTF-8; a lone surrogate, which UTF-8 cannot encode, becomes a question mark."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Serialize a value."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")


def error_response(
    status: int, message: str, headers: dict[str, str] | None = None, param: str | None = None
) -> JsonResponse:
    """Create the response for an error; ``param`` is the field with the wrong value."""
    kind = "server_error" if status >= 500 else "invalid_request_error"
    error = {"message": message, "type": kind, "param": param, "code": None}
    return JsonResponse({"error": error}, status, headers)


def install_error_handlers(app: FastAPI) -> None:
    """Make the application respond to all errors in this format."""
    app.add_exception_handler(ApiError, _handle_api_error)
    app.add_exception_handler(TacitError, _handle_tacit_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(HTTPException, _handle_routing_error)


async def _handle_api_error(request: Request, error: Any) -> JsonResponse:
    return error_response(error.status, error.message, error.headers)


async def _handle_tacit_error(request: Request, error: Any) -> JsonResponse:
    return error_response(422 if isinstance(error, InputError) else 500, error.problem)


async def _handle_validation_error(request: Request, error: Any) -> JsonResponse:
    """Respond with the first problems that the validator found."""
    problems = error.errors()
    if any(problem["type"] == "json_invalid" for problem in problems):
        detail = problems[0].get("ctx", {}).get("error", "unreadable")
        return error_response(400, f"the body is not valid JSON: {detail}")
    paths = [_field_path(problem, getattr(error, "body", None)) for problem in problems]
    # of the alternatives of a union, report the one that matched deepest: the client meant that one
    outer = {path[:n] for path in paths for n in range(1, len(path))}
    deepest = [n for n, path in enumerate(paths) if path not in outer]
    messages = dict.fromkeys(_format_problem(problems[n], paths[n]) for n in deepest)
    shown = "; ".join(islice(messages, MAX_SHOWN_PROBLEMS))
    return error_response(422, shown, param=_join_path(paths[deepest[0]]) or None)


async def _handle_routing_error(request: Request, error: Any) -> JsonResponse:
    """Respond to an unknown path or a method that the path does not support."""
    path, status = request.url.path, error.status_code
    if status == 404:
        return error_response(404, f"unknown path {path}: see /docs")
    if status == 405:
        headers = {"allow": ", ".join(_allowed_methods(request))}
        return error_response(405, f"{path} does not support {request.method}: see /docs", headers)
    return error_response(status, str(error.detail), dict(error.headers or {}))


def _allowed_methods(request: Request) -> list[str]:
    """Return the methods of all routes that match the path of a request."""
    paths = request.app.openapi()["paths"]
    matching = [path for path in paths if compile_path(path)[0].match(request.url.path)]
    return sorted({method.upper() for path in matching for method in paths[path]}) or ["GET"]


def _field_path(problem: Any, body: Any) -> tuple[str, ...]:
    """Return the path of the wrong field in the request body, such as ``("pairs", "0", "a")``.

    The validator's own path also contains names of the alternatives of a union, which are left out.
    """
    location, *parts = problem["loc"]
    if location != "body":  # but "query" or "path"
        return tuple(map(str, parts))
    path, value = [], body
    is_missing = problem["type"] == "missing"
    for part in parts:
        if isinstance(value, dict) and isinstance(part, str) and (part in value or is_missing):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            continue
        path.append(str(part))
    return tuple(path)


def _join_path(path: tuple[str, ...]) -> str:
    """Join the parts of a path with dots; names that are too long are truncated."""
    return ".".join(part[:_MAX_NAME_CHARS] for part in path)


def _format_problem(problem: Any, path: tuple[str, ...]) -> str:
    """Format a problem of the validator as ``path: message``."""
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"{_join_path(path) or 'the body'}: {message[:1].lower()}{message[1:]}"
