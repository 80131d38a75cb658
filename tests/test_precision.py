"""What CUDA said of programs: the figures on file are those of the record, and are counted as the page says."""

from __future__ import annotations

import json
import runpy
import warnings
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
RECORD = json.loads((HERE / "gpu/programs.json").read_text(encoding="utf-8"))
NOTED = json.loads((HERE.parent / "rules_docs/measured/precision.json").read_text(encoding="utf-8"))
SCORE = runpy.run_path(str(HERE / "gpu/score_programs.py"))["Score"]


def score(told: dict[str, Any], *claims: tuple[int, int, str]) -> dict[str, int]:
    made = SCORE()
    text = ["x = 1"] * 3 + ["y = nms(boxes)"] + ["x = 1"] * 20
    made.file("a/a.py", told, text, list(claims))
    found: dict[str, int] = made.to_plain()
    return found


def test_every_program_was_recorded_and_scored_at_every_look() -> None:
    drivers = {path.stem for path in (HERE / "gpu/programs").glob("*.py")}
    by_script = {name for name, told in RECORD["programs"].items() if told.get("script")}
    assert drivers.isdisjoint(by_script)
    drivers |= by_script
    assert drivers == set(RECORD["programs"]) == set(NOTED["programs"])
    assert set(NOTED["looks"]) == {"first", "now"}
    assert sorted(name for members in NOTED["sets"] for name in members) == sorted(drivers)
    for look in NOTED["looks"].values():
        assert set(look["scores"]) == drivers
        for name, counts in look["scores"].items():
            files = [told for label, told in RECORD["files"].items() if label.split("/")[0] == name]
            assert counts["hot"] == sum(steps >= 2 for told in files for steps in told["waits"].values())
            assert counts["true"] <= counts["claims"]
            assert counts["found"] <= counts["hot"]


def test_what_waits_did_run() -> None:
    for told in RECORD["files"].values():
        ran = {line for first, last in told["ran"] for line in range(first, last + 1)}
        assert all(1 <= steps <= 4 for steps in told["waits"].values())
        assert len(ran) >= len(told["waits"])


def test_how_claims_are_counted() -> None:
    told = {"ran": [[1, 12]], "waits": {"2": 4, "3": 1, "9": 2}}
    none = {"claims": 0, "true": 0, "hot": 2, "found": 0}
    assert score(told) == none
    assert score(told, (2, 2, "TPL101")) == none | {"claims": 1, "true": 1, "found": 1}
    assert score(told, (2, 2, "TPL101"), (2, 2, "TPL103")) == none | {"claims": 1, "true": 1, "found": 1}
    assert score(told, (5, 6, "TPL100")) == none | {"claims": 1}
    assert score(told, (1, 3, "TPL100")) == none | {"claims": 1, "true": 1, "found": 1}
    assert score(told, (1, 9, "TPL100")) == none | {"claims": 1}  # too long: its first line alone
    assert score(told, (4, 4, "TPL100")) == none  # the record does not see `nms`
    assert score(told, (14, 14, "TPL100")) == none  # it did not run


def test_waits_are_heard_of_where_a_program_wants_no_warnings() -> None:
    pytest.importorskip("torch")
    recorder = runpy.run_path(str(HERE / "gpu/record_programs.py"))
    choose = recorder["Recorder"].and_hear(warnings.filterwarnings)
    with warnings.catch_warnings(record=True) as heard:
        choose("ignore", category=UserWarning)
        warnings.warn(f"{recorder['SAYS']} that waits", UserWarning, stacklevel=1)
        warnings.warn("another", UserWarning, stacklevel=1)
    assert [str(each.message) for each in heard] == ["called a synchronizing CUDA operation that waits"]
