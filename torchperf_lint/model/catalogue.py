"""What rules there are, read off the heads of their files: neither the rules nor LibCST are imported.

So that choosing rules, listing them and answering from the cache stay quick. What stands in a decorator as a literal
is understood, which is all that `@rule` takes. A test holds this against the rules themselves.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.model.finding import Safety, Severity
from torchperf_lint.model.impact import severity

_RULES: Final = Path(__file__).parents[1] / "rules"
_HEAD: Final = re.compile(r"^@rule\(.*?^def \w+\(", re.MULTILINE | re.DOTALL)
_SUMMARY: Final = re.compile(r':\n    """(.*?)(?:"""|$)', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule as the catalogue knows it."""

    code: str
    name: str
    family: str
    default: bool
    severity: Severity
    safety: Safety | None
    """The best that its fix can be; None: it has no fix."""
    summary: str

    @property
    def page(self) -> str:
        """The name of its page, without the ending."""
        return f"{self.code}-{self.name}"


DOES_NOT_PARSE: Final = "TPL001"
RULE_RAISED: Final = "TPL002"
UNUSED_SUPPRESSION: Final = "TPL003"
GIVEN_UP: Final = "TPL004"

OWN: Final = tuple(
    Entry(code, name, "lint", default=True, severity=level, safety=safety, summary=summary)
    for code, name, level, safety, summary in (
        (DOES_NOT_PARSE, "does-not-parse", Severity.ERROR, None, "A file is not Python that parses."),
        (RULE_RAISED, "rule-raised", Severity.ERROR, None, "A rule broke on a file: a bug of the linter."),
        (UNUSED_SUPPRESSION, "unused-suppression", Severity.WARNING, Safety.SAFE, "A suppression hides nothing."),
        (GIVEN_UP, "given-up", Severity.INFO, None, "A file takes too long, and not all was said of it."),
    )
)
"""What the linter finds by itself, without a rule."""


@cache
def entries() -> tuple[Entry, ...]:
    """Every rule there is, by code."""
    paths = (*_RULES.glob("*/*.py"), *_RULES.glob("*/*/__init__.py"))
    found = [entry for path in paths if (entry := _read(path)) is not None]
    return tuple(sorted((*OWN, *found), key=lambda entry: entry.code))


@cache
def by_code() -> dict[str, Entry]:
    return {entry.code: entry for entry in entries()}


@cache
def by_name() -> dict[str, Entry]:
    return {entry.name: entry for entry in entries()}


def source(entry: Entry) -> Path:
    """The file of a rule: a module, or where it has files of its own beside it, a package."""
    home = _RULES / entry.family / entry.name.replace("-", "_")
    return home / "__init__.py" if home.is_dir() else home.with_suffix(".py")


def _read(path: Path) -> Entry | None:
    text = read_file(path).decode("utf-8")
    head = _HEAD.search(text)
    if head is None:
        return None
    (function,) = ast.parse(f"{head.group()}): ...").body
    assert isinstance(function, ast.FunctionDef)
    (call,) = function.decorator_list
    assert isinstance(call, ast.Call)
    said = {keyword.arg: _literal(keyword.value) for keyword in call.keywords}
    summary = _SUMMARY.search(text, head.end())
    home = path.parent if path.name == "__init__.py" else path.with_suffix("")
    return Entry(
        code=str(_literal(call.args[0])),
        name=home.name.replace("_", "-"),
        family=home.parent.name,
        default=bool(said.get("default", True)),
        severity=severity(str(_literal(call.args[0]))),
        safety=Safety[str(said["fix"])] if said.get("fix") else None,
        summary=summary.group(1).strip() if summary else "",
    )


def _literal(node: ast.expr) -> object:
    """A literal as it is, a member of an enumeration by its name; anything else is no concern of the catalogue."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Attribute(attr=attr):
            return attr
    return None
