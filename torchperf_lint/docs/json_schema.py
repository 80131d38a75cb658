"""The JSON that the tool prints, as JSON Schema: made from the tables of `json_page`, for those who check what they read.

A key of the tables is always there; others may come within a version, so they are let pass.
"""

from __future__ import annotations

import json
from typing import Any, Final

from torchperf_lint.docs.json_page import Shape
from torchperf_lint.docs.settings import SCHEMA
from torchperf_lint.model.finding import Confidence, Safety, Severity

TYPES: Final = {"int": "integer", "list": "array", "bool": "boolean"}
WORDS: Final = {
    "severity": [str(each) for each in Severity],
    "confidence": [str(each) for each in Confidence],
    "safety": [str(each) for each in Safety],
}
"""Keys with a few words as values, wherever they stand."""


def schema(shape: Shape) -> str:
    """The schema of one JSON."""
    top: dict[str, Any] = {"$schema": SCHEMA, "title": shape.title.replace("`", "")}
    for path, types, says in shape.rows():
        *parents, last = path.replace("[]", ".[]").removeprefix(".").split(".")
        parent = top
        for name in parents:
            parent = _below(parent, name)
        _below(parent, last).update({"description": says, **_kind(last, types)})
    return json.dumps(top, indent=2, ensure_ascii=False) + "\n"


def _below(parent: dict[str, Any], name: str) -> dict[str, Any]:
    """What stands under a name of an object, or for each item of a list; made where it is new."""
    if name == "[]":
        parent.setdefault("type", "array")
        return parent.setdefault("items", {})  # type: ignore[no-any-return]
    parent.setdefault("type", "object")
    members = parent.setdefault("properties", {})
    if name not in members:
        members[name] = {}
        parent.setdefault("required", []).append(name)
    return members[name]  # type: ignore[no-any-return]


def _kind(name: str, types: tuple[str, ...]) -> dict[str, Any]:
    named = [TYPES.get(each, each) for each in types]
    words = WORDS.get(name)
    kind: dict[str, Any] = {"type": named[0] if len(named) == 1 else named}
    if words:
        kind["enum"] = [*words, None] if "null" in named else words
    return kind
