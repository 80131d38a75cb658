"""One page: what a rule says of itself, the example with its report and its fix, the measurements, the known gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.docs import measured
from torchperf_lint.docs.example import PATH, Example, example, program
from torchperf_lint.docs.own import Own
from torchperf_lint.model.catalogue import Entry
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.finding import Safety, Severity
from torchperf_lint.model.impact import Faster, LessMemory, impacts
from torchperf_lint.rule import SECTIONS, Rule

if TYPE_CHECKING:
    from torchperf_lint.docs.measured import Record

APPLIED: Final = {
    Safety.SAFE: "safe: `--fix` applies it",
    Safety.UNSAFE: "unsafe: `--fix --unsafe-fixes` applies it",
    Safety.SHOWN: "shown, never applied",
    None: "none",
}
_THREAD: Final = re.compile(r"(?<![\w/\[])([\w.-]+/[\w.-]+)#(\d+)")
"""A thread on GitHub as docstrings write it: pytorch/pytorch#101291."""
MANY: Final = (
    "It is a warning where the source shows that a step has many of these, or that what was measured holds there, and a hint elsewhere: "
    "[Severity](configure.md#severity)."
)
GAPS: Final = {
    "missed": "Not found, though it should be: {}",
    "noise": "Found, though it should not be: {}",
}


def of_rule(entry: Entry, rule: Rule, fixture: Any | None, records: Sequence[Record]) -> str:
    """The page of a rule; `fixture` is None where it has none yet."""
    made, gaps = None, ""
    if fixture is not None:
        section = next(each for each in fixture.sections if each.kind == "doc")
        made = example(section.title, program(fixture, section), frozenset({rule.code}), settings=section.settings)
        gaps = "\n\n".join(_gaps(fixture))
        if [finding.code for finding in made.findings] != [rule.code] * max(1, len(made.findings)):
            raise ConfigError(f"{fixture.path}: {rule.code} says nothing of its `doc` section, or broke on it")
    parts = [*_head(entry, rule.needs), *_body(rule.sections, made, many=_needs_many(entry, rule))]
    parts += ["## Measured", measured.shown(rule.code, records), "## Known gaps", gaps or "None that we know of."]
    return "\n\n".join(parts) + "\n"


def of_own(entry: Entry, own: Own) -> str:
    """The page of what the linter finds by itself."""
    made = example(own.title, own.program, frozenset({entry.code, "TPL101"})) if own.program else None
    return "\n\n".join([*_head(entry, None), *_body(own.sections, made)]) + "\n"


def _needs_many(entry: Entry, rule: Rule) -> bool:
    """Whether the findings of a rule are warnings only where the source shows that a step has many."""
    claim = rule.impact
    return entry.severity is Severity.WARNING and isinstance(claim, (Faster, LessMemory)) and claim.many


def _head(entry: Entry, needs: str | None) -> Iterator[str]:
    yield f"# {entry.name} ({entry.code})"
    rows = [("family", entry.family), ("default", "on" if entry.default else "off"), ("severity", str(entry.severity))]
    impact = impacts().get(entry.code)
    rows += [(impact.label, impact.words)] if impact is not None else []
    rows += [("fix", APPLIED[entry.safety])] + ([("needs", needs)] if needs else [])
    names, values = zip(*rows, strict=True)
    yield f"| {' | '.join(names)} |\n|{'---|' * len(rows)}\n| {' | '.join(values)} |"


def _body(sections: Mapping[str, str], made: Example | None, *, many: bool = False) -> Iterator[str]:
    """What is said, and where it helps most, what is shown."""
    yield _linked(sections[""])
    if many:
        yield MANY
    if made is not None:
        yield from _example(made)
    others = [title for title in sections if title and title not in (*SECTIONS, "Fix safety")]
    for title in (*SECTIONS, *others, "Fix safety"):
        if title in sections:
            yield f"## {title}"
            yield _linked(sections[title])


def _linked(text: str) -> str:
    return _THREAD.sub(r"[\1#\2](https://github.com/\1/issues/\2)", text)


def _example(made: Example) -> Iterator[str]:
    yield f"## Example: {made.title[:1].lower()}{made.title[1:]}"
    yield f"```python\n{made.text}```"
    yield f"{made.where}`torchperf-lint {PATH}` says:"
    yield f"```text\n{made.report.rstrip()}\n```"
    if made.patch:
        applied = {finding.fix.safety for finding in made.findings if finding.fix is not None} - {Safety.SHOWN}
        yield f"With `--fix{' --unsafe-fixes' if Safety.UNSAFE in applied else ''}` it becomes:"
        yield f"```diff\n{made.patch}```"


def _gaps(fixture: Any) -> Iterator[str]:
    for kind, says in GAPS.items():
        for section in fixture.sections:
            if section.kind == kind:
                yield says.format(section.title) + "."
                yield f"```python\n{program(fixture, section)}```"
