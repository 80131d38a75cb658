"""SARIF: it keeps to its schema, and says all there is."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from reported import PAGE, finding, shown, span

from torchperf_lint.model.failure import Failure
from torchperf_lint.model.finding import Fix, Safety, Severity, TextEdit

pytestmark = pytest.mark.usefixtures("known_rule")


SCHEMA = json.loads(Path(__file__).with_name("sarif-schema-2.1.0.json").read_bytes())
"""As OASIS has published it."""


def test_sarif_keeps_to_its_schema_and_says_everything(root: Path) -> None:
    findings = [
        finding(),
        finding(path="/out side/\udcff.py", severity=Severity.ERROR),
        finding(cell=3),
        finding(fix=Fix("t", (TextEdit("src/train.py", span(1, 1, 1, 1), "x"),), Safety.SHOWN), because=()),
    ]
    log = json.loads(shown("sarif", root, *findings, failures=(Failure("gone.py", "gone"),)))
    assert [error.message for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(log)] == []
    (run,) = log["runs"]
    (described,) = run["tool"]["driver"]["rules"]
    assert (described["id"], described["helpUri"]) == ("TPL101", f"{PAGE}/TPL101-scalar-read-every-step.md")
    assert described["help"]["text"].startswith("Reads.")
    first, second, cell, shown_only = run["results"]
    assert first["partialFingerprints"] == {"torchperfLint/v1": "v1:0123"}
    assert first["relatedLocations"][0]["message"]["text"] == "the loop calls `.backward()`"
    (change,) = first["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"]["text"] == "loss.detach()"
    assert second["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///out%20side/%FF.py"}
    assert cell["locations"][0]["logicalLocations"] == [{"name": "cell 3"}]
    assert "fixes" not in cell
    assert "fixes" not in shown_only
    assert run["invocations"][0]["executionSuccessful"] is False
