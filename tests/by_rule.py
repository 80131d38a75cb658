"""Which tests concern which rule: those that `--rule` runs, and that one process is given together.

A test concerns the rules that its parameters name, by code, by name or by file, or its mark: `pytest.mark.rules("TPL104")`,
`pytest.mark.rules()` for all of them.
"""

from __future__ import annotations

import difflib
import re
from typing import Final

import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling

from torchperf_lint.rule import all_rules

CODES: Final = {name: rule.code for rule in all_rules() for name in (rule.code, rule.name, rule.name.replace("-", "_"))}
_NAMED: Final = re.compile(rf"(?<![A-Za-z_])({'|'.join(sorted(CODES, key=len, reverse=True))})(?![A-Za-z\d])")


def rule_of(test: str) -> str | None:
    """The code of the rule that the parameters of a test name first."""
    named = _NAMED.search(test.partition("[")[2])
    return CODES[named[1]] if named is not None else None


def code_of(word: str) -> str:
    """The code of the rule with a code or name; an error that offers the nearest where there is none."""
    known = {name.lower(): code for name, code in CODES.items()}
    if word.lower() in known:
        return known[word.lower()]
    near = difflib.get_close_matches(
        word.lower().replace("_", "-"), [name for name in known if "_" not in name], n=1, cutoff=0
    )
    rule = next(each for each in all_rules() if each.code == known[near[0]])
    raise pytest.UsageError(f"--rule: no rule has the code or name `{word}`; did you mean {rule.code}, {rule.name}?")


def concerns(item: pytest.Item, codes: set[str]) -> bool:
    """Whether a test concerns one of these rules."""
    marks = [mark.args for mark in item.iter_markers("rules")]
    return rule_of(item.name) in codes or any(not args or codes & set(args) for args in marks)


WHOLE: Final = {"tests/test_architecture.py", "tests/test_trace_report.py"}
"""Files whose tests share what takes longest: the trees of the package, what was found out of a trace."""


class ByRule(LoadScopeScheduling):
    """Gives a process all tests of a rule, as many ask the same; what concerns none goes by class, or by function, and that of
    some files by file."""

    def _split_scope(self, nodeid: str) -> str:
        path, *names = nodeid.partition("[")[0].split("::")
        return rule_of(nodeid) or (path if path in WHOLE else f"{path}::{names[0]}")
