"""`--watch`: a check after each change, and what it does not go with."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import fake_lint
import pytest
from shell import Shell, write

pytestmark = pytest.mark.usefixtures("empty_project")
TRAINING = "import torch\n\n\ndef f(loader, loss):\n    for x in loader:\n        loss.backward()\n        torch.cuda.empty_cache()\n"


def until(path: Path, text: str) -> str:
    """The output once it holds a text; fails after half a minute."""
    for _ in range(300):
        said = path.read_text(encoding="utf-8")
        if text in said:
            return said
        time.sleep(0.1)
    raise AssertionError(f"{text!r} is not in:\n{said}")


def test_it_checks_again_after_each_change(tmp_path: Path) -> None:
    file, out = write("a.py", "import torch\n"), tmp_path / "out.txt"
    with out.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "torchperf_lint", "--watch", "--format", "concise", "--no-cache"],
            stdout=stream, stderr=subprocess.STDOUT, env=fake_lint.ENVIRONMENT,
        )  # fmt: skip
        try:
            until(out, "Exit code 0. Watching 1 files")
            file.write_text(TRAINING, encoding="utf-8")
            assert "a.py:7:9: TPL501" in until(out, "Exit code 1.")
            write("torchperf-lint.toml", "selekt = []")
            until(out, "unknown setting `selekt`")
            write("torchperf-lint.toml", "ignore = ['TPL5']")
            said = until(out, "Watching 2 files")
            assert said.count("TPL501") == 1
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 130


@pytest.mark.parametrize("other", ["--fix", "--diff", "--verify", "--show-files", "-"])
def test_what_it_does_not_go_with_is_an_error(run: Shell, other: str) -> None:
    assert run("--watch", other) == 2
    assert run.err == f"error: `--watch` cannot be combined with `{other}`\n"
    assert not list(Path().iterdir())
