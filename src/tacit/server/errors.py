"""Refusals: a status, a plain reason, in the form OpenAI's clients read."""

from __future__ import annotations

import json
import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tacit.errors import InputError, TacitError

logger = logging.getLogger(__name__)


class RefusedError(Exception):
    """A request that is not answered, and why."""

    def __init__(self, status: int, reason: str, **headers: str) -> None:
        """Keep the status and the reason."""
        super().__init__(reason)
        self.status, self.reason = status, reason
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Json(Response):
    """JSON in UTF-8; half of a surrogate pair, which no encoding has, becomes a question mark."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes of a value."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")


def refused(status: int, reason: str, headers: dict[str, str] | None = None) -> Json:
    """The answer that says no."""
    kind = "server_error" if status >= 500 else "invalid_request_error"
    return Json({"error": {"message": reason, "type": kind, "param": None, "code": None}}, status, headers)


def install(app: FastAPI) -> None:
    """Teach the application to refuse in one form."""

    @app.exception_handler(RefusedError)
    async def _refusal(request: Request, error: RefusedError) -> Json:
        return refused(error.status, error.reason, error.headers)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Json:
        problems = error.errors()
        if any(problem["type"] == "json_invalid" for problem in problems):
            return refused(
                400, f"the body is no JSON: {problems[0].get('ctx', {}).get('error', 'unreadable')}"
            )
        return refused(422, "; ".join(_plainly(problem) for problem in problems[:5]))

    @app.exception_handler(InputError)
    async def _input(request: Request, error: InputError) -> Json:
        return refused(422, str(error))

    @app.exception_handler(TacitError)
    async def _tacit(request: Request, error: TacitError) -> Json:
        return refused(500, str(error))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Json:
        if error.status_code == 404:
            return refused(404, f"there is nothing at {request.url.path}: see /docs")
        if error.status_code == 405:
            allowed = dict(error.headers or {})
            return refused(405, f"{request.url.path} does not take {request.method}: see /docs", allowed)
        return refused(error.status_code, str(error.detail))


def _plainly(problem: Any) -> str:
    """One complaint of the validator as a phrase: where, and what is wrong there."""
    where = ".".join(str(part) for part in problem["loc"][1:])  # the first is "body", "query" or "path"
    message = str(problem["msg"]).removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    return f"{where}: {message}" if where else f"the body: {message}"
