"""The reference of the HTTP service, generated from its OpenAPI description."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.server.app import create_app

INTRODUCTION = """# HTTP paths

Generated from the OpenAPI description of this version, which a running service has at `/openapi.json`. [The
service](server.md) explains how to start it, its limits and its access control. A request and its response
are JSON if nothing else is said. An error has the form `{"error": {"message": "...", "type": "...", ...}}`.
"""

MAX_DEPTH = 3
"""Levels of nested objects that a table shows."""


def write_http_page(path: Path) -> None:
    """Write the page of all paths.

    Parameters
    ----------
    path : Path
        The page to write.
    """
    document = create_app().openapi()
    schemas = document["components"]["schemas"]
    sections = [
        _describe(f"{method.upper()} {url}", operation, schemas)
        for url, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    path.write_text(INTRODUCTION + "".join(sections), "utf-8")


def _describe(title: str, operation: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Describe one method of one path."""
    text = operation.get("description") or operation.get("summary", "")
    parts = [f"\n## {title}\n\n{text.strip()}\n"]
    rows = [
        _row(item["name"], item["schema"], schemas, item.get("required", False), item.get("description", ""))
        for item in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {})
    for schema in (content.get("schema", {}) for kind, content in body.items() if "json" in kind):
        rows += _fields(schema, schemas)
    parts.append(_table("request", rows))
    for kind, content in operation["responses"].get("200", {}).get("content", {}).items():
        rows = _fields(content.get("schema", {}), schemas)
        parts.append(_table("response", rows) if rows else f"\nResponse: `{kind}`.\n")
    return "".join(parts)


def _table(title: str, rows: list[str]) -> str:
    """Format rows of fields as a table; nothing without rows."""
    return f"\n| {title} | type | meaning |\n|---|---|---|\n" + "".join(rows) if rows else ""


def _fields(schema: dict[str, Any], schemas: dict[str, Any], prefix: str = "", depth: int = 0) -> list[str]:
    """List the fields of an object, and of the objects within it."""
    schema = _resolve(schema, schemas)
    rows, required = [], schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        rows.append(_row(prefix + name, field, schemas, name in required and not prefix))
        inner = _inner_object(field, schemas)
        if inner is not None and depth + 1 < MAX_DEPTH:
            rows += _fields(inner, schemas, f"{prefix}{name}.", depth + 1)
    return rows


def _inner_object(field: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any] | None:
    """Find the object that a field holds: itself, one of its alternatives, or an item of its list."""
    field = _resolve(field, schemas)
    candidates = [field, *field.get("anyOf", []), field.get("items", {})]
    for candidate in candidates:
        candidate = _resolve(candidate, schemas)
        if "properties" in candidate:
            return candidate
        if "items" in candidate and "properties" in _resolve(candidate["items"], schemas):
            return _resolve(candidate["items"], schemas)
    return None


def _row(
    name: str, schema: dict[str, Any], schemas: dict[str, Any], is_required: bool = False, text: str = ""
) -> str:
    """Format one field as a row of a table."""
    meaning = text or schema.get("description") or _resolve(schema, schemas).get("description", "")
    notes = ["required"] if is_required else []
    if schema.get("default") is not None and schema["default"] != []:
        notes.append(f"default `{schema['default']}`")
    sentence = " ".join(meaning.split("\n\n")[0].split()).replace("|", r"\|").replace("<", "&lt;")
    return f"| `{name}` | {_type(schema, schemas)} | {'; '.join(filter(None, [sentence, *notes]))} |\n"


def _type(schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Name the type of a field in words."""
    schema = _resolve(schema, schemas)
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(option, schemas) for option in schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}), schemas)}"
    return str(schema.get("type", "any value"))


def _resolve(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Follow a reference to a named schema."""
    return schemas[schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else schema
