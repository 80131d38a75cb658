"""The keys of the report's page, pressed in a real browser: skipped where there is no Chromium."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from torchperf_lint.cli import main as cli_main
from torchperf_lint.trace.page import KEYS

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]
TRACES = Path(__file__).parent / "trace"
PRESSING = """
const seen = {};
const press = (key) => (document.activeElement || document.body).dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const row = () => [...document.querySelectorAll("#rows tbody tr")].findIndex((each) => each.classList.contains("on"));
const box = () => document.querySelector("#timeline svg svg").getAttribute("viewBox").split(" ").map(Number);
const back = () => getComputedStyle(document.body).backgroundColor;
press("j"); seen.first = [row(), document.activeElement.tagName];
press("j"); seen.second = row();
press("k"); seen.again = row();
press("Enter"); seen.place = location.hash;
const whole = box();
press("+"); seen.zoomed = box()[2] < whole[2];
const at = box()[0];
press("ArrowRight"); seen.right = box()[0] > at;
press("ArrowLeft"); seen.left = Math.abs(box()[0] - at) < 1;
press("-"); seen.out = box()[2] === whole[2];
press("+"); press("0"); seen.whole = JSON.stringify(box()) === JSON.stringify(whole);
const before = back();
press("d"); seen.turned = back() !== before;
press("?"); seen.shown = !document.getElementById("keys").hidden;
press("?"); seen.hidden = document.getElementById("keys").hidden;
document.body.replaceChildren(JSON.stringify(seen));
"""


def test_each_key_that_the_page_names_works(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "report.html"
    source = str(TRACES / "waits.py")
    cli_main.main(["--isolated", "--exit-zero", "--trace", str(TRACES / "waits.tpltrace"), "--html", str(page), source])
    capsys.readouterr()
    text = re.sub(r"<meta http-equiv=.Content-Security-Policy.[^>]*>", "", page.read_text(encoding="utf-8"))
    page.write_text(f"{text}<script>{PRESSING}</script>", encoding="utf-8")
    seen = pressed(page)
    assert seen.pop("first") == [0, "TR"]
    assert (seen.pop("second"), seen.pop("again")) == (1, 0)
    assert re.fullmatch(r"#f0l\d+", seen.pop("place"))
    assert seen == dict.fromkeys(("zoomed", "right", "left", "out", "whole", "turned", "shown", "hidden"), True)
    assert {each for keys, _ in KEYS for each in keys.split(", ")} == {*"jk+−←→0d?", "Enter"}  # all of them, above


def pressed(page: Path) -> dict[str, Any]:
    """What a page holds once its scripts have run."""
    assert CHROMIUM is not None
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--dump-dom"]
    profile = f"--user-data-dir={page.parent / 'profile'}"
    run = subprocess.run(
        [CHROMIUM, *options, profile, page.as_uri()], capture_output=True, text=True, timeout=60, check=True
    )
    body = re.search(r"<body>(.*)</body>", run.stdout, re.DOTALL)
    assert body is not None, run.stdout[-300:]
    found: dict[str, Any] = json.loads(body[1])
    return found
