"""A file that has changed is asked again what it told others: these are linted again where it tells something else, and only there.

Whatever is kept, what is found is what a run without a cache finds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from same_settings import SameSettings

from torchperf_lint.config.config import Config
from torchperf_lint.config.selection import Layer, chosen
from torchperf_lint.run import run_files
from torchperf_lint.run.lint_file import Done, FileJob, LintFile
from torchperf_lint.run.sealed import name_of

MAKERS = """\
import torch
from deep import SCALE, Deep


def width(n, out=None):
    {0}
    return {1}


def pair(n):
    def both(x{2}):
        return (x, x * {3})

    return both


class Base(Deep):
    def __init__(self):
        super().__init__()
        self.scale = {4}

    def note(self, loss):
        return {5}
"""
DEEP = "import torch\n\nSCALE = {0}\n\n\ndef make(n):\n    return {1}\n\n\nclass Deep({2}):\n    pass\n"
MAIN = """\
import torch
from makers import Base, pair, width

twice = pair(2)


class Net(Base):
    def forward(self, x):
        if self.scale > 1:
            x = x * self.scale
        return x


def train(loader, model: Net, optimizer):
    for x, y in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        if width(3) > 3:
            print(model.note(loss))
        print(twice(loss)[1])
"""
OTHER = "import torch\nimport makers\n\n\ndef run(loader):\n    for x in loader:\n        print(makers.width(len(x)))\n"
PARTS = (
    ("pass", "edited = 3", "n = n + 1", "print(n)"),
    ("1", "n", "torch.ones(n)", "torch.ones((), device='cuda')", "SCALE", "torch.ones((), device='cuda').item()"),
    ("", ", y=1"),
    ("1", "torch.ones(2, device='cuda')"),
    ("1.0", "torch.ones((), device='cuda')", "SCALE"),
    ("None", "loss.item()", "self.scale"),
)
DEEP_PARTS = (
    ("1.0", "torch.ones((), device='cuda')", "make(3)"),
    ("n", "torch.zeros(n).cuda()"),
    ("torch.nn.Module", "object"),
)


class Linted:
    """A project, which files of it are linted, and what is found."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.config = Config(root=root, cache_dir=root / "cache", rules=chosen([Layer(select=("ALL",))]))
        self.asked: list[str] = []
        worked = run_files._worked

        def counting(sizes: dict[str, int], job: FileJob) -> Iterator[Done]:
            self.asked = sorted(Path(path).name for path in sizes)
            return worked(sizes, job)

        monkeypatch.setattr(run_files, "_worked", counting)

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def record(self, name: str) -> Path:
        """Where it is kept what a changed file tells."""
        (found,) = self.root.glob(f"cache/**/{name_of(str(self.root / name), 'told')}")
        return found

    def run(self, *, cache: bool = True, jobs: int = 1, backwards: bool = False) -> list[object]:
        paths = sorted(map(str, self.root.glob("*.py")), reverse=backwards)
        config = replace(self.config, cache=cache, jobs=jobs)
        done = run_files.over(paths, LintFile(SameSettings(config)))
        return sorted((each.path, each.failure, each.findings) for each in done)

    def is_as_without_cache(self, **how: bool | int) -> bool:
        warm, asked = self.run(**how), self.asked  # type: ignore[arg-type]
        same = warm == self.run(cache=False)
        self.asked = asked
        return same


@pytest.fixture
def linted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Linted:
    project = Linted(tmp_path, monkeypatch)
    for name, text in (("main.py", MAIN), ("other.py", OTHER), ("deep.py", DEEP.format(*first(DEEP_PARTS)))):
        project.write(name, text)
    project.write("makers.py", MAKERS.format(*first(PARTS)))
    assert project.is_as_without_cache()
    assert len(project.asked) == 4
    return project


def first(parts: tuple[tuple[str, ...], ...]) -> list[str]:
    return [each[0] for each in parts]


def makers(**changed: str) -> str:
    parts = first(PARTS)
    for number, text in changed.items():
        parts[int(number.removeprefix("part"))] = text
    return MAKERS.format(*parts)


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        ({"part0": "edited = 3"}, ["makers.py"]),
        ({"part1": "torch.ones((), device='cuda')"}, ["main.py", "makers.py", "other.py"]),
        ({"part2": ", y=1"}, ["main.py", "makers.py"]),
        ({"part3": "torch.ones(2, device='cuda')"}, ["main.py", "makers.py"]),
    ],
    ids=["the same", "what it returns", "the head of an inner function", "what that returns"],
)
def test_who_was_told_something_else_is_linted_again(linted: Linted, changed: dict[str, str], asked: list[str]) -> None:
    linted.write("makers.py", makers(**changed))
    assert linted.is_as_without_cache()
    assert linted.asked == asked
    assert linted.is_as_without_cache()
    assert not linted.asked


def test_what_a_changed_file_tells_now_stands_on_others(linted: Linted) -> None:
    linted.write("makers.py", makers(part0="edited = 3"))
    assert linted.is_as_without_cache()
    assert linted.asked == ["makers.py"]
    kept = linted.record("makers.py").read_bytes()
    linted.write("deep.py", DEEP.format("1.0", "n", "object"))
    assert linted.is_as_without_cache()
    assert "main.py" in linted.asked
    assert linted.record("makers.py").read_bytes() != kept


@pytest.mark.parametrize("damage", [b"", b"{}", b"\n{}", b"\xff"])
def test_a_damaged_record_is_asked_again(linted: Linted, damage: bytes) -> None:
    linted.write("makers.py", makers(part0="edited = 3"))
    linted.run()
    record = linted.record("makers.py")
    kept = record.read_bytes()
    record.write_bytes(damage)
    assert linted.is_as_without_cache()
    assert not linted.asked
    assert record.read_bytes() == kept


@pytest.mark.parametrize("seed", range(3))
def test_drawn_edits_are_seen(linted: Linted, seed: int) -> None:
    drawn = random.Random(seed)
    for _ in range(12):
        if drawn.random() < 0.8:
            linted.write("makers.py", MAKERS.format(*map(drawn.choice, PARTS)))
        if drawn.random() < 0.4:
            linted.write("deep.py", DEEP.format(*map(drawn.choice, DEEP_PARTS)))
        assert linted.is_as_without_cache(backwards=drawn.random() < 0.5)


def test_processes_do_not_matter(linted: Linted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several are started whatever a run has to read; what was told is kept by one and read by another."""
    monkeypatch.setattr(run_files, "WORTH_A_POOL", 0)
    for changed in ("torch.ones((), device='cuda')", "torch.ones(3)"):
        linted.write("makers.py", makers(part1=changed))
        assert linted.is_as_without_cache(jobs=2)
        assert len(linted.asked) > 1
