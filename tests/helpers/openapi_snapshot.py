"""The snapshot of ``/openapi.json``: paths, fields, types and defaults, without names of classes and wording.

PYTHONPATH=tests python -m helpers.openapi_snapshot      writes it anew
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tacit.server.app import create_app

FILE = Path(__file__).parents[1] / "server" / "openapi_snapshot.json"
WORDING = {"title", "description", "operationId", "summary"}
"""Left out; ``summary`` is made from the name of the function that answers."""


def resolved(node: Any, schemas: dict[str, Any], is_named: bool = False) -> Any:
    """A part of the document without references and wording; ``is_named``: its keys are names of fields."""
    if isinstance(node, list):
        return [resolved(item, schemas) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node and not is_named:
        name = node["$ref"].removeprefix("#/components/schemas/")
        return resolved({**schemas[name], **{key: node[key] for key in node if key != "$ref"}}, schemas)
    return {
        key: resolved(item, schemas, is_named=key == "properties" and not is_named)
        for key, item in node.items()
        if is_named or key not in WORDING
    }


def snapshot() -> dict[str, Any]:
    """The paths of the service as they are now."""
    document = create_app().openapi()
    found: dict[str, Any] = resolved(document["paths"], document["components"]["schemas"])
    for methods in found.values():
        for operation in methods.values():
            operation["responses"] = _merged(operation["responses"])
    return found


def _merged(responses: dict[str, Any]) -> dict[str, Any]:
    """Responses of the same form under one key, such as ``400 404 422``: most errors have one form."""
    statuses: dict[str, list[str]] = {}
    for status, response in responses.items():
        statuses.setdefault(json.dumps(response, sort_keys=True), []).append(status)
    return {" ".join(sorted(group)): json.loads(form) for form, group in statuses.items()}


if __name__ == "__main__":
    FILE.write_text(json.dumps(snapshot(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
