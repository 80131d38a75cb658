"""JSON for a file, a pipe or a log: the same values, without what the log of a CI service takes for a command to it."""

from __future__ import annotations

import json


def json_text(value: object, indent: int | None = None) -> str:
    """A value as JSON. A text of the linted tree may hold `##[command]`, which a log acts on wherever it stands."""
    return json.dumps(value, indent=indent).replace("##", "#\\u0023")
