"""The catalogue says of the rules what the rules say of themselves, and imports none of them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from torchperf_lint.cli.main import main
from torchperf_lint.cli.rules import page
from torchperf_lint.model import catalogue
from torchperf_lint.model.finding import Safety, Severity
from torchperf_lint.rule import all_rules

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

RULE = '''\
"""What the file is for."""

from torchperf_lint.rule import Facts, Findings, Frequency, Safety, Wrong, cst, rule


@rule(
    "TPL999",
    names=("item", "cpu"),
    frequency=Frequency.INFERENCE,
    default=False,
    fix=Safety.SHOWN,
    impact=Wrong("it is wrong"),
)
def check(call: cst.Call | cst.Subscript, facts: Facts) -> Findings:
    """A thing is done in a way that costs.

    Why
    ---
    It does.
    """
    yield from ()
'''


def test_it_agrees_with_the_rules() -> None:
    said = {
        entry.code: (entry.name, entry.family, entry.default, entry.severity, entry.safety, entry.summary)
        for entry in catalogue.entries()
        if entry not in catalogue.OWN
    }
    assert said == {
        rule.code: (rule.name, rule.family, rule.default, rule.severity, rule.safety, rule.summary)
        for rule in all_rules()
    }


def test_no_two_rules_share_a_code_or_a_name() -> None:
    entries = catalogue.entries()
    assert len({entry.code for entry in entries}) == len({entry.name for entry in entries}) == len(entries)


def test_a_head_is_read_whatever_its_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "misuse").mkdir()
    (tmp_path / "misuse/__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "misuse/costly_thing.py").write_text(RULE, encoding="utf-8")
    short = '@rule("TPL998")\ndef check(call, facts):\n    """Short."""\n'
    (tmp_path / "misuse/short_thing.py").write_text(short, encoding="utf-8")
    monkeypatch.setattr(catalogue, "_RULES", tmp_path)
    first, second = catalogue.entries.__wrapped__()[len(catalogue.OWN) :]
    assert first == catalogue.Entry("TPL998", "short-thing", "misuse", True, Severity.INFO, None, "Short.")
    assert second == catalogue.Entry(
        "TPL999", "costly-thing", "misuse", False, Severity.INFO, Safety.SHOWN, "A thing is done in a way that costs."
    )


def test_listing_imports_neither_the_rules_nor_libcst() -> None:
    script = (
        "import sys; from torchperf_lint.cli.main import main; main(['rules']); "
        "assert not {'libcst', 'torch', 'torchperf_lint.rule'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], stdout=subprocess.DEVNULL, check=False).returncode == 0


def test_the_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert "TPL001 * does-not-parse" in capsys.readouterr().out
    assert main(["rules", "--format", "json"]) == 0
    assert [each["code"] for each in json.loads(capsys.readouterr().out)] == [each.code for each in catalogue.entries()]
    assert main(["rules", "--format", "markdown"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(catalogue.entries()) + 2


def test_every_rule_is_explained_by_code_and_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    for entry in catalogue.entries():
        assert main(["rule", entry.code, "--format", "markdown"]) == 0
        by_code = capsys.readouterr().out
        assert main(["rule", entry.name, "--format", "markdown"]) == 0
        assert capsys.readouterr().out == by_code == page(entry)
        assert entry.name in by_code
    assert main(["rule", "TPL00"]) == 2
    assert "`TPL00` is several rules; say which: TPL001, TPL002, TPL003, TPL004" in capsys.readouterr().err
    assert main(["rule", "TPL10l"]) == 2
    assert "did you mean `TPL101`?" in capsys.readouterr().err
    assert main(["rule", "tpl2O1"]) == 2
    assert "did you mean `TPL201`?" in capsys.readouterr().err
    assert main(["rule", "scalar-read"]) == 2
    assert "did you mean `scalar-read-every-step` or `many-scalar-reads`?" in capsys.readouterr().err
