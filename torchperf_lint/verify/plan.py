"""From findings to what must be measured: for each finding its bench, with the numbers of its place; equal ones once.

The numbers come from the place of the finding, else from the user (`--shape`), else from the bench, and then they are
`assumed`. Where a place tells something, the bench reads it off the facts of the very node that the rule was called
with; what it says is checked against what the parameter may be before it goes anywhere. A `Finding` stays plain data,
and the rule knows nothing of this.

Knows nothing of torch; parses the linted text, and runs none of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from torchperf_lint.config.config import Config
from torchperf_lint.engine.precedence import rivals
from torchperf_lint.fixes.apply import fix_text
from torchperf_lint.model.finding import Safety
from torchperf_lint.verify.bench import Found, Setting, UnfitError, all_benches

if TYPE_CHECKING:
    import libcst as cst

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.model.finding import Finding

    Origins = Callable[[str], tuple[Mapping[str, cst.CSTNode], Facts] | None]
    """Of the file of a finding: the node that made each finding, and the facts; None where the file has gone."""

Shapes = Mapping[str, str]
"""What the user says of parameters, by name."""


@dataclass(frozen=True, slots=True)
class Programs:
    """What is measured against each other."""

    before: str
    after: str
    safety: Safety
    """How far the fix may be trusted that made `after`."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One distinct measurement."""

    name: str
    code: str | None
    module: str
    settings: tuple[tuple[str, Setting], ...]
    assumed: tuple[str, ...]
    """Parameters of which neither the source nor the user told anything."""
    programs: Programs | None
    """None: the fixer finds nothing to do in the bench."""
    places: tuple[str, ...] = ()
    """The fingerprints of the findings that it stands for."""

    @property
    def key(self) -> tuple[object, ...]:
        return (self.module, self.settings)


def of_findings(findings: Iterable[Finding], shapes: Shapes, origins: Origins) -> list[Plan]:
    """What must be measured for some findings; those without a bench that is like them are left out."""
    benches = {found.code: found for found in all_benches() if found.code is not None}
    plans: dict[tuple[object, ...], Plan] = {}
    for finding in findings:
        found = benches.get(finding.code)
        told = _known(found, finding, origins) if found is not None else None
        if found is None or told is None:
            continue
        plan = _plan(found, told, shapes)
        known = plans.get(plan.key)
        assumed = tuple(name for name in plan.assumed if known is None or name in known.assumed)
        plans[plan.key] = replace(plan, places=(*(known.places if known else ()), finding.fingerprint), assumed=assumed)
    return [replace(plan, programs=programs(plan)) for plan in plans.values()]


def of_benches(wanted: Sequence[Found], shapes: Shapes) -> list[Plan]:
    """What must be measured for benches by themselves: at the defaults, and at what they sweep besides."""
    plans = []
    for found in wanted:
        for settings in ({}, *found.bench.sweep):
            plan = _plan(found, settings, shapes)
            plans.append(replace(plan, programs=programs(plan)))
    return plans


def unknown_shapes(shapes: Shapes) -> list[str]:
    """What is wrong with what the user says of parameters."""
    by_name: dict[str, list[Found]] = {}
    for found in all_benches():
        for name in found.bench.parameters:
            by_name.setdefault(name, []).append(found)
    wrong = []
    for name, text in shapes.items():
        if name not in by_name:
            wrong.append(f"no bench has a parameter `{name}`; there are {', '.join(sorted(by_name))}")
            continue
        unfit = [reason for found in by_name[name] if (reason := _unfit(found, name, text)) is not None]
        if len(unfit) == len(by_name[name]):
            wrong.append(f"`{name}` must be {unfit[0]}")
    return wrong


def _unfit(found: Found, name: str, text: str) -> str | None:
    """What a parameter must be, where it cannot take a text."""
    try:
        _read(found, name, text)
    except UnfitError as unfit:
        return str(unfit)
    return None


def shrunk(plan: Plan) -> Plan | None:
    """The plan with a quarter of what may shrink; None where nothing may."""
    bench = _found(plan).bench
    settings = dict(plan.settings)
    changed = []
    for name, parameter in bench.parameters.items():
        value = settings[name]
        if getattr(parameter, "shrinks", False) and isinstance(value, int) and value >= 2:
            settings[name] = max(1, value // 4)
            changed.append(name)
    if not changed:
        return None
    smaller = replace(
        plan, settings=tuple(settings.items()), assumed=tuple({**dict.fromkeys(plan.assumed + tuple(changed))})
    )
    return replace(smaller, programs=programs(smaller))


def _plan(found: Found, known: Mapping[str, object], shapes: Shapes) -> Plan:
    settings: dict[str, Setting] = {}
    assumed = []
    for name, parameter in found.bench.parameters.items():
        if name in known:
            try:
                settings[name] = parameter.fit(known[name])
                continue
            except UnfitError:
                pass  # no bench takes it: as good as not told
        if name in shapes:
            try:
                settings[name] = _read(found, name, shapes[name])
                continue
            except UnfitError:
                pass  # meant for another bench, whose parameter of this name takes it
        settings[name] = parameter.default
        assumed.append(name)
    return Plan(found.name, found.code, found.module, tuple(settings.items()), tuple(assumed), None)


def _read(found: Found, name: str, text: str) -> Setting:
    return found.bench.parameters[name].read(text)


def _known(found: Found, finding: Finding, origins: Origins) -> Mapping[str, object] | None:
    """What the place of a finding tells of the parameters of a bench; None where the bench has nothing that is like it."""
    if found.bench.at is None:
        return {}
    known = origins(finding.path)
    node = known[0].get(finding.fingerprint) if known is not None else None
    return found.bench.at(node, known[1]) if known is not None and node is not None else {}


def _found(plan: Plan) -> Found:
    return next(found for found in all_benches() if found.module == plan.module)


# ---- the two programs

FOLDER: Final = Path(__file__).parent / "benches"


def programs(plan: Plan) -> Programs | None:
    """The two programs of a plan; None where the fixer changes nothing."""
    found = _found(plan)
    before = found.bench.program(dict(plan.settings))
    if found.bench.by_hand is not None:
        return Programs(before, found.bench.program(dict(plan.settings), found.bench.by_hand), Safety.SHOWN)
    after, safety = fixed(before, found.code)
    return Programs(before, after, safety) if after != before else None


def fixed(text: str, code: str | None) -> tuple[str, Safety]:
    """What the fixer of a rule makes of a text, and how far that may be trusted; with None the fixers of all rules."""
    from torchperf_lint.engine import lint_text
    from torchperf_lint.syntax.source import Source

    config = Config(root=FOLDER) if code is None else Config(root=FOLDER, rules=frozenset({code}))

    def lint(source: Source) -> list[Finding]:
        return lint_text.lint(source, config)

    done = fix_text(text, "bench.py", lint, Safety.UNSAFE, rivals)
    safeties = [each.fix.safety for each in done.applied if each.fix is not None]
    return done.text, min(safeties, default=Safety.SHOWN)
