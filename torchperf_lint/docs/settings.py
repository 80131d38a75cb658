"""The settings for who looks them up: the table of `rules_docs/configure.md`, and the schema that editors complete and check with.

The schema is JSON Schema, draft 7, as SchemaStore takes it: of a `torchperf-lint.toml`, and of `[tool.torchperf-lint]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from enum import Enum
from typing import Any, Final

from torchperf_lint.cli.options import OPTIONS
from torchperf_lint.config.config import VENDOR, Alignment, Config
from torchperf_lint.config.selection import selectors
from torchperf_lint.config.settings import KINDS, LINE_ONLY

SCHEMA: Final = "http://json-schema.org/draft-07/schema#"
ID: Final = "https://json.schemastore.org/torchperf-lint.json"
WITHOUT_OPTION: Final = {
    "per-file-ignores": 'Rules not to run in files that match a pattern: `{"tests/*" = ["TPL1"]}`.',
    "project-root": "The folder that imports are resolved in, and that baselines name files from.",
    "hot-functions": "Functions that run at every step though the file does not show it, by dotted name.",
    "sync-allowed": "Functions in which GPU syncs are intended, by dotted name.",
    "alignment-min-dim": "The size from which a misaligned layer is reported.",
}
"""The help of settings that have no option on the command line."""


def table() -> str:
    """All settings that a file may hold, as Markdown."""
    defaults = _defaults()
    rows = [f"| `{name}` | {_default(name, defaults)} | {_cell(says)} |" for name, says in _helps().items()]
    return "| setting | default | what it says |\n|---|---|---|\n" + "\n".join(rows)


def schema() -> str:
    """All settings that a file may hold, as JSON Schema."""
    defaults = _defaults()
    content = {
        "$schema": SCHEMA,
        "$id": ID,
        "title": "torchperf-lint",
        "description": "Settings of torchperf-lint: the table [tool.torchperf-lint] of pyproject.toml, or torchperf-lint.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _property(name, says, defaults[name]) for name, says in _helps().items()},
        "definitions": {"rule": {"description": "A code, a prefix, a name, or ALL.", "enum": list(selectors())}},
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _property(name: str, says: str, default: Any) -> Mapping[str, object]:
    shown = {} if default is None else {"default": default}
    return {"description": says, **shown, **KINDS[name].schema}


def _helps() -> dict[str, str]:
    """What each setting says, without what only the command line needs to know."""
    helps = {option.opts[0].removeprefix("--"): option.help for option in OPTIONS} | WITHOUT_OPTION
    said = re.compile(r" \(default: [^)]*\)| \(the default\)")
    return {name: said.sub("", helps[name] or "") for name in KINDS if name not in LINE_ONLY}


def _defaults() -> dict[str, Any]:
    """The value that each setting has where nobody says one, as a file would hold it; None where that depends."""
    held = {each.name.replace("_", "-"): _plain(getattr(Config(), each.name)) for each in fields(Config)}
    depends: dict[str, Any] = {"select": None, "format": "text", "target-torch": None, "per-file-ignores": {}}
    return dict.fromkeys(("extend-select", "ignore"), ()) | held | depends


def _plain(value: object) -> object:
    if isinstance(value, Alignment):
        return asdict(value)
    return str(value) if isinstance(value, Enum) else value


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _default(name: str, defaults: Mapping[str, Any]) -> str:
    """The default in words."""
    match name, defaults[name]:
        case "select", _:
            return "all that are on by default"
        case "exclude", tuple() as folders if folders == VENDOR:
            return "the usual folders of tools"
        case "sort", _:
            return '`"impact"` on a terminal, else `"path"`'
        case "target-torch", _:
            files = "`pyproject.toml`, `setup.cfg`, `setup.py`, `requirements.txt` (in `requirements/` too)"
            files += ", an environment of conda, `cog.yaml` or `tox.ini`"
            shown = "where none names torch, what a `Dockerfile`, a script or a page such as `INSTALL.md` shows"
            return f'what {files} requires; {shown}; else `"{Config().target_torch}"`'
        case "project-root", _:
            return "the repository"
        case _, None:
            return "–"
        case _, bool() as flag:
            return f"`{str(flag).lower()}`"
        case _, dict() as table:
            return "`{" + ", ".join(f"{key} = {value}" for key, value in table.items()) + "}`"
        case _, tuple() as values:
            return f"`{list(values)}`"
        case _, value:
            return f'`"{value}"`'
