"""What is installed in editors, and the page about it: they say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from torchperf_lint.docs import checkout

EXTENSION: Final = Path(__file__).parents[1] / "editors/vscode"
pytestmark = pytest.mark.skipif(not EXTENSION.is_dir(), reason="no checkout")


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return found


def test_the_page_shows_the_settings_of_the_extension() -> None:
    page = (checkout.PAGES / "editors.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.]+)` \| `(.+)` \| (.+) \|$", page, re.MULTILINE)
    properties = manifest()["contributes"]["configuration"]["properties"]
    assert rows == [(name, json.dumps(each["default"]), each["description"]) for name, each in properties.items()]


def test_what_names_a_program_cannot_come_from_an_untrusted_workspace() -> None:
    found = manifest()
    assert found["capabilities"]["untrustedWorkspaces"]["supported"] is False
    properties = found["contributes"]["configuration"]["properties"]
    assert {properties[name]["scope"] for name in ("torchperfLint.path", "torchperfLint.args")} == {
        "machine-overridable"
    }


def test_every_setting_is_read() -> None:
    source = (EXTENSION / "src/extension.ts").read_text(encoding="utf-8")
    for name in manifest()["contributes"]["configuration"]["properties"]:
        last = name.removeprefix("torchperfLint.")
        assert f'"{last}"' in source or last == "trace.server", (
            f"{name}: the client library reads `trace.server` itself"
        )
