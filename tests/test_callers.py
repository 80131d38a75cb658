"""What callers in other files make of a file: how often it runs, and what is asked again after an edit elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from torchperf_lint.cli import main as cli_main
from torchperf_lint.config.config import Config, load
from torchperf_lint.facts.project import index as index_of
from torchperf_lint.facts.project.importers import Importers
from torchperf_lint.facts.project.imports import Imports, Reads
from torchperf_lint.facts.project.index import Index
from torchperf_lint.facts.project.summary import Summary, summary_of
from torchperf_lint.run import project_index
from torchperf_lint.run.lint_file import lint_bytes
from torchperf_lint.server import session

STEPS = """\
import torch


def note(loss: torch.Tensor, seen: list) -> None:
    seen.append(loss.item())
"""
ENGINE = """\
from lib.steps import note


def run(model, batch, optimizer, seen):
    loss = model(batch)
    note(loss, seen)
"""
TRAIN = """\
import torch
from torch import nn
from lib import engine

model = nn.Linear(3, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
seen = []
for batch in torch.utils.data.DataLoader(range(100)):
    engine.run(model, batch, optimizer, seen)
    optimizer.step()
"""
WAY = "called at every step: `train.py:9` → `lib/engine.py:6` → here"

Say = Callable[..., str]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository in which a loop calls a function that calls another, each in a file of its own."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    put(root, {"lib/__init__.py": "", "lib/steps.py": STEPS, "lib/engine.py": ENGINE, "train.py": TRAIN})
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """What a run says, with the cache; that it is what a run without one says."""

    def said(*paths: str, cached: bool = True) -> str:
        with_cache = ["--cache-dir", str(tmp_path / "cache")] if cached else ["--no-cache"]
        cli_main.main([*paths, "--isolated", "--format", "json", *with_cache])
        found = json.loads(capsys.readouterr().out)["findings"]
        return json.dumps([{**each, "url": ""} for each in found], indent=1, ensure_ascii=False)

    def both(*paths: str) -> str:
        first, second, without = said(*paths), said(*paths), said(*paths, cached=False)
        assert first == second == without
        return first

    return both


def put(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def of(said: str, path: str) -> list[dict[str, object]]:
    return [each for each in json.loads(said) if each["path"] == path]


def test_a_loop_two_files_away_is_seen_and_the_way_is_told(project: Path, say: Say) -> None:
    (found,) = of(say("lib/steps.py"), "lib/steps.py")
    assert found["code"] == "TPL101"
    because = found["because"]
    assert isinstance(because, list)
    (way,) = (each for each in because if each["message"] == WAY)
    assert (way["path"], way["line"]) == ("lib/engine.py", 6)


@pytest.mark.parametrize(
    ("call", "is_hot"),
    [
        ("model(batch, note=lambda loss: note(loss, seen))", False),
        ("model.policy(batch, note=lambda loss: note(loss, seen))", False),
        ("seen.sort(key=lambda loss: note(loss, seen))", True),
        ("sorted(batch, key=lambda loss: note(loss, seen))", True),
        ("optimizer.step(closure=lambda: note(batch, seen))", True),
    ],
)
def test_whoever_is_given_a_lambda_as_an_option_may_never_call_it(
    project: Path, say: Say, call: str, is_hot: bool
) -> None:
    train = "from lib.steps import note\n\n\ndef train(model, loader, optimizer: torch.optim.SGD):\n    seen = [0]\n"
    loop = (
        f"    for batch in loader:\n        model(batch).sum().backward()\n        optimizer.step()\n        {call}\n"
    )
    put(project, {"train.py": f"import torch\n{train}{loop}\n\ntrain(*ask())\n"})
    assert bool(of(say("lib/steps.py"), "lib/steps.py")) is is_hot


MEASURE = """\
import torch
from lib.steps import note


@torch.no_grad()
def validate(model, loader, seen):
    for batch in loader:
        note(model(batch.cuda()), seen)
"""


def test_what_evaluations_alone_call_is_one(project: Path, say: Say) -> None:
    (found,) = of(say("lib/steps.py"), "lib/steps.py")
    assert "an evaluation" not in str(found["because"])
    put(project, {"measure.py": MEASURE})
    (found,) = of(say("lib/steps.py"), "lib/steps.py")
    assert "an evaluation" not in str(found["because"]), "a training calls it as well"
    put(project, {"train.py": "from measure import validate\n\nvalidate(model, loader, [])\n"})
    (found,) = of(say("lib/steps.py"), "lib/steps.py")
    assert found["severity"] == "info"
    assert "an evaluation, by its name" in str(found["because"])


def test_which_files_are_named_does_not_matter(project: Path, say: Say) -> None:
    everything = say(".")
    for path in ("lib/steps.py", "lib/engine.py", "train.py"):
        assert json.loads(say(path)) == of(everything, path)


def test_an_edit_of_a_caller_asks_again(project: Path, say: Say) -> None:
    assert say("lib/steps.py") != "[]"
    put(project, {"train.py": TRAIN.replace("for batch in", "if batch :=")})
    assert say("lib/steps.py") == "[]"
    put(project, {"train.py": TRAIN})
    assert say("lib/steps.py") != "[]"
    put(project, {"lib/engine.py": ENGINE.replace("    note(", "    if seen_step % 100 == 0:\n        note(")})
    assert say("lib/steps.py") == "[]", "behind a gate"


def test_a_comment_in_a_caller_moves_the_places_that_are_shown(project: Path, say: Say) -> None:
    say("lib/steps.py")
    put(project, {"train.py": f"# a comment\n{TRAIN}"})
    (found,) = of(say("lib/steps.py"), "lib/steps.py")
    assert WAY.replace("train.py:9", "train.py:10") in str(found["because"])
    put(project, {"lib/engine.py": f"{ENGINE}\n# at the end\n"})
    assert of(say("lib/steps.py"), "lib/steps.py") == [found]


def test_a_name_that_a_comment_says_is_asked_again_once_it_is_called(project: Path, say: Say) -> None:
    """The words of the file stay as they are, so the index answers as before."""
    silent = ENGINE.replace("    note(loss, seen)", "    # note(loss, seen)").replace("import note", "import *")
    put(project, {"lib/engine.py": silent})
    assert say("lib/steps.py") == "[]"
    put(project, {"lib/engine.py": silent.replace("# note", "note")})
    assert say("lib/steps.py") != "[]"


def test_what_was_found_for_one_file_is_asked_again_for_the_next(project: Path, say: Say) -> None:
    """Both files are called by the same function of `engine`: how often that runs is found out for the first of them."""
    put(project, {"lib/other.py": STEPS.replace("note", "keep")})
    both = ENGINE.replace("import note", "import note\nfrom lib.other import keep")
    put(project, {"lib/engine.py": both + "    keep(loss, seen)\n"})
    found = json.loads(say("."))
    assert {each["path"] for each in found} == {"lib/steps.py", "lib/other.py"}
    for path in ("lib/steps.py", "lib/other.py"):
        assert json.loads(say(path)) == of(json.dumps(found), path)
    put(project, {"train.py": TRAIN.replace("for batch in", "if batch :=")})
    assert say(".") == say("lib/other.py") == "[]"
    put(project, {"again.py": TRAIN})
    assert len(json.loads(say("."))) == len(found)


def test_a_new_caller_and_one_that_goes_ask_again(project: Path, say: Say) -> None:
    (project / "train.py").unlink()
    assert say("lib/steps.py") == "[]"
    put(project, {"other.py": TRAIN})
    assert WAY.replace("train", "other") in say("lib/steps.py")
    (project / "other.py").unlink()
    assert say("lib/steps.py") == "[]"


def test_what_a_caller_imports_counts_too(project: Path, say: Say) -> None:
    text = TRAIN.replace("import torch\n", "import torch\nimport data\n", 1).replace("    optimizer.step()\n", "")
    text = text.replace("torch.utils.data.DataLoader(range(100))", "data.loader()")
    put(project, {"data.py": "def loader():\n    return []\n", "train.py": text})
    assert say("lib/steps.py") == "[]"
    put(project, {"data.py": "import torch\n\n\ndef loader():\n    return torch.utils.data.DataLoader(range(100))\n"})
    assert say("lib/steps.py") != "[]"


@pytest.mark.parametrize(
    ("caller", "is_hot"),
    [
        ("from lib import note as say", True),
        ("from lib.everything import note as say", True),
        ("from lib.everything import say", False),  # a name of its own: nobody says `note` there
        ("from lib.elsewhere import say", False),
        ("from lib.steps import *\nsay = note", True),
        ("import lib.steps\nsay = lib.steps.note", True),
        ("import functools\nfrom lib.steps import note\nsay = functools.partial(note)", True),
        ("def say(loss, seen): ...", False),
    ],
)
def test_imports_of_every_kind(project: Path, say: Say, caller: str, is_hot: bool) -> None:
    put(
        project,
        {
            "lib/__init__.py": "from .steps import note\n",
            "lib/everything.py": "from .steps import *\nfrom .steps import note as say\n",
            "lib/elsewhere.py": "def say(loss, seen):\n    print(loss)\n\n\ndef note(loss): ...\n",
            "lib/engine.py": f"{caller}\n\n\ndef run(model, batch, optimizer, seen):\n    say(model(batch), seen)\n",
        },
    )
    assert (say("lib/steps.py") != "[]") is is_hot


MATCHER = """\
import torch


class Matcher:
    def __init__(self):
        self.total = 0.0

    def match(self, boxes: torch.Tensor):
        self.total += boxes.mean().item()

    def __call__(self, boxes: torch.Tensor):
        self.total += boxes.sum().item()


class Hooked:
    def step(self, loss: torch.Tensor):
        self.after(loss)
"""
LOOP = """\
import torch
from torch import nn
{head}
model = nn.Linear(3, 3).cuda()
for batch in torch.utils.data.DataLoader(range(100)):
    loss = model(batch.cuda())
    {call}
    loss.sum().backward()
"""


@pytest.mark.parametrize(
    ("head", "call", "line"),
    [
        ("from matching import Matcher\nmatcher = Matcher()", "matcher.match(loss)", 9),
        ("from matching import Matcher\nmatcher = Matcher()", "matcher(loss)", 12),
        ("from matching import Matcher\nmatcher = Matcher()", "matcher.other(loss)", None),
        ("import re\nmatcher = re.compile('x')", "matcher.match(loss)", None),
        ("from making import make\nmatcher = make()", "matcher.match(loss)", 9),
        ("import matching\n\n\nclass Own(matching.Matcher):\n    pass\n\n\nmatcher = Own()", "matcher.match(loss)", 9),
    ],
)
def test_methods(project: Path, say: Say, head: str, call: str, line: int | None) -> None:
    put(
        project,
        {"matching.py": MATCHER, "making.py": "import matching\n\n\ndef make():\n    return matching.Matcher()\n"},
    )
    put(project, {"loop.py": LOOP.format(head=head, call=call)})
    assert [each["start"]["line"] for each in of(say("matching.py"), "matching.py")] == [line] * (line is not None)  # type: ignore[index]


def test_what_a_class_above_calls_on_itself(project: Path, say: Say) -> None:
    below = """\
import torch
from matching import Hooked


class Own(Hooked):
    def after(self, loss: torch.Tensor):
        self.total += loss.mean().item()
"""
    head = "from matching import Hooked\nhooked = Hooked()"
    put(
        project,
        {"matching.py": MATCHER, "below.py": below, "loop.py": LOOP.format(head=head, call="hooked.step(loss)")},
    )
    assert [each["code"] for each in of(say("below.py"), "below.py")] == ["TPL101"]


@pytest.mark.parametrize("name", ["tests/train.py", "test_train.py"])
def test_tests_show_nothing(project: Path, say: Say, name: str) -> None:
    (project / "train.py").unlink()
    put(project, {name: TRAIN})
    assert say("lib/steps.py") == "[]"


OPS = """\
import torch
from torch import Tensor


def expand(rows: Tensor, counts: Tensor) -> Tensor:
    return _repeat(rows, counts) if counts.max().item() > 1 else rows


def _repeat(rows: Tensor, counts: Tensor) -> Tensor:
    return rows[counts.nonzero()[:, 0]]


def plot(rows: Tensor) -> float:
    return rows.max().item()


def count(rows) -> int:
    return rows.cuda().nonzero().shape[0]
"""
OUTSIDE = "is given tensors by whoever calls it from outside: for every batch, it seems"


def test_what_others_install_is_given_tensors_by_whoever_calls_it(project: Path, say: Say) -> None:
    put(project, {"lib/ops.py": OPS})
    assert say("lib/ops.py") == "[]"
    put(project, {"setup.py": "from setuptools import setup\nsetup()\n"})
    found = of(say("lib/ops.py"), "lib/ops.py")
    assert {each["severity"] for each in found} == {"info"}
    assert [each["start"]["line"] for each in found] == [6, 10]  # type: ignore[index]
    assert json.dumps(found).count(f"`expand` {OUTSIDE}") == 2
    put(project, {"once.py": "from lib.ops import expand\nexpand(1, 2)\n"})
    assert say("lib/ops.py") == "[]"
    put(project, {"once.py": "", "tests/test_ops.py": "from lib.ops import expand\nexpand(1, 2)\n"})
    assert json.dumps(of(say("lib/ops.py"), "lib/ops.py")) == json.dumps(found)


def test_what_is_shown_goes_before_what_a_name_suggests(project: Path, say: Say) -> None:
    put(project, {"setup.py": "from setuptools import setup\nsetup()\n"})
    before = of(say("lib/steps.py"), "lib/steps.py")
    outside = "from torch import Tensor\nfrom lib.steps import note\n\n\ndef keep(loss: Tensor):\n    note(loss, [])\n"
    put(project, {"lib/above.py": outside, "lib/zoo.py": outside})
    assert of(say("lib/steps.py"), "lib/steps.py") == before


@pytest.mark.parametrize("text", ["for batch in (:\n", "\0", "#" + "x" * 1_000_001])
def test_a_neighbour_that_cannot_be_read_is_unknown(project: Path, say: Say, text: str) -> None:
    put(project, {"other.py": TRAIN + text, "lib/more.py": ENGINE + text})
    assert WAY in say("lib/steps.py")
    put(project, {"train.py": TRAIN + text})
    assert say("lib/steps.py") == "[]"


def test_a_neighbour_that_is_left_out_is_unknown(project: Path, say: Say) -> None:
    put(project, {".gitignore": "train.py\n"})
    assert say("lib/steps.py") == "[]"


def test_another_repository_inside_is_none_of_ours(project: Path, say: Say) -> None:
    (project / "train.py").unlink()
    put(project, {"vendored/.git": "", "vendored/train.py": TRAIN})
    assert say("lib/steps.py") == "[]"


BELOW = """\
import torch
from base import Base


class Mine(Base):
    def note(self, loss: torch.Tensor):
        print(float(loss))

    def run(self, model, optimizer):
        for batch in torch.utils.data.DataLoader(range(100)):
            loss = model(batch.cuda())
            loss.backward()
            optimizer.step()
            super().{name}(loss)
"""
BASE = """\
import torch


class Base:
    def note(self, loss: torch.Tensor):
        self.seen.append(loss.item())

    def other(self, loss: torch.Tensor):
        self.seen.append(loss.item())
"""


@pytest.mark.parametrize(("name", "line"), [("note", 6), ("other", 9)])
def test_super_is_the_class_above(project: Path, say: Say, name: str, line: int) -> None:
    put(project, {"base.py": BASE, "mine.py": BELOW.format(name=name)})
    assert [each["start"]["line"] for each in of(say("base.py"), "base.py")] == [line]  # type: ignore[index]
    assert of(say("mine.py"), "mine.py") == [], "its own `note` is not what is called"


def test_files_that_call_each_other_in_a_circle(project: Path, say: Say) -> None:
    put(
        project,
        {
            f"c{number}.py": f"import torch\nimport c{(number + 1) % 5}\n\n\ndef f{number}(x: torch.Tensor, seen):\n"
            f"    seen.append(x.item())\n    c{(number + 1) % 5}.f{(number + 1) % 5}(x, seen)\n"
            for number in range(5)
        },
    )
    assert of(say("."), "c0.py") == []
    put(project, {"loop.py": LOOP.format(head="import c3\nseen = []", call="c3.f3(loss, seen)")})
    assert [each["path"] for each in json.loads(say(".")) if each["path"][0] == "c"] == ["c3.py", "c4.py"]  # type: ignore[index]


# ---- what callers pass

UNKNOWN = "import torch\n\n\ndef note(loss, seen):\n    seen.append(loss.item())\n"
"""Nothing in the file says what `loss` is."""
MOVED = TRAIN.replace("(model, batch,", "(model, batch.cuda(),")
ANNOTATED = """\
import torch


def area(boxes: torch.Tensor, seen):
    seen.append(boxes.sum().item())
"""


def waits(said: str, path: str = "lib/steps.py") -> list[object]:
    return [each["code"] for each in of(said, path)]


def test_what_all_callers_pass_is_known(project: Path, say: Say) -> None:
    put(project, {"train.py": MOVED, "lib/steps.py": UNKNOWN})
    (found,) = of(say("lib/steps.py"), "lib/steps.py")
    because = found["because"]
    assert isinstance(because, list)
    assert [(each["message"], each["path"], each["line"]) for each in because[:2]] == [
        ("`loss` is a tensor on the GPU: `lib/engine.py:6` passes it", "lib/engine.py", 6),
        (WAY, "lib/engine.py", 6),
    ]
    assert json.loads(say("lib/steps.py")) == of(say("."), "lib/steps.py")


@pytest.mark.parametrize(
    "other",
    [
        "from lib.steps import note\nTABLE = {'note': note}\n",
        "from lib.steps import note\n\n\ndef run(x, seen):\n    note(x, seen)\n",
        "from lib.steps import note\nnote(*[3])\n",
        "from lib.steps import note\nnote(3, [])\n",
        "from lib import steps\n\n\ndef run(x, seen):\n    steps.note(x, seen)\n",
    ],
)
def test_one_caller_of_whom_nothing_is_known_is_enough_for_silence(project: Path, say: Say, other: str) -> None:
    put(project, {"train.py": MOVED, "lib/steps.py": UNKNOWN})
    assert waits(say("lib/steps.py")) == ["TPL101"]
    put(project, {"other.py": "import torch\n" + other})
    assert waits(say("lib/steps.py")) == []
    (project / "other.py").unlink()
    assert waits(say("lib/steps.py")) == ["TPL101"]


@pytest.mark.parametrize(("second", "is_claimed"), [("x.cuda()", True), ("x.cpu()", False)])
def test_of_two_that_pass_it_one_that_may_be_on_the_host_is_enough(
    project: Path, say: Say, second: str, is_claimed: bool
) -> None:
    other = f"import torch\nfrom lib.steps import note\n\n\ndef run(x: torch.Tensor, seen):\n    note({second}, seen)\n"
    put(project, {"train.py": MOVED, "lib/steps.py": UNKNOWN, "other.py": other})
    assert waits(say("lib/steps.py")) == ["TPL101"] * is_claimed


def test_too_many_callers_are_unknown(project: Path, say: Say) -> None:
    call = "import torch\nfrom lib.steps import note\nnote(torch.ones(3).cuda(), [])\n"
    put(
        project,
        {"train.py": MOVED, "lib/steps.py": UNKNOWN, **{f"a{number}.py": call for number in range(index_of.MANY - 1)}},
    )
    assert waits(say("lib/steps.py")) == ["TPL101"]
    put(project, {"b.py": call})
    assert waits(say("lib/steps.py")) == []


@pytest.mark.parametrize(
    ("given", "is_claimed"),
    [
        ("loss", True),
        ("batch", False),  # what a loader gives is on the host
        ("torch.ones(3)", False),
        ("loss.cpu()", False),
        ("torch.ones(3).cuda()", True),
    ],
)
def test_what_is_passed_from_the_host_is_no_wait(project: Path, say: Say, given: str, is_claimed: bool) -> None:
    text = LOOP.format(head="from areas import area\nseen = []", call=f"area({given}, seen)")
    put(project, {"areas.py": ANNOTATED, "loop.py": text})
    assert waits(say("areas.py"), "areas.py") == ["TPL101"] * is_claimed


@pytest.mark.parametrize("other", ["", "areas.area(x, [])"])
def test_what_only_its_own_file_calls_is_known_by_that(project: Path, say: Say, other: str) -> None:
    text = ANNOTATED + "\n\ndef fixed(seen):\n    area(torch.ones(3), seen)\n"
    loop = LOOP.format(head="import areas\nseen = []", call="areas.fixed(seen)")
    put(
        project,
        {"areas.py": text, "loop.py": loop, "other.py": f"import areas\n\n\ndef run(x):\n    {other or 'pass'}\n"},
    )
    assert waits(say("areas.py"), "areas.py") == ["TPL101"] * bool(other)


ATTACK = """\
import torch
from torch import nn


def attack(model: nn.Module, x: torch.Tensor, steps: int) -> torch.Tensor:
    for _ in range(steps):
        loss = model(x).sum() + torch.zeros(1, device=x.device)
        loss.backward()
        if (x > 0).all():
            break
    return x


if __name__ == "__main__":
    attack(nn.Linear(3, 3), torch.ones(3), 3)
"""


@pytest.mark.parametrize("is_package", [True, False])
def test_a_trial_at_the_end_of_a_file_of_a_package_says_nothing_of_who_imports_it(
    project: Path, say: Say, is_package: bool
) -> None:
    path = "lib/attack.py" if is_package else "attack.py"
    put(project, {path: ATTACK})
    assert ("TPL103" in {each["code"] for each in of(say(path), path)}) is is_package


def test_what_is_passed_once_tells_nothing_of_a_loop(project: Path, say: Say) -> None:
    text = LOOP.format(head="from areas import area\nseen = []", call="area(loss, seen)")
    once = "import torch\nfrom areas import area\narea(torch.ones(3), [])\ntorch.ones(3).cuda()\n"
    put(project, {"areas.py": ANNOTATED, "loop.py": text, "once.py": once})
    assert waits(say("areas.py"), "areas.py") == ["TPL101"]


def test_what_a_dataset_passes_is_on_the_host(project: Path, say: Say) -> None:
    text = "from areas import area\nimport torch\n\n\nclass Boxes(torch.utils.data.Dataset):\n"
    text += "    def __getitem__(self, index: torch.Tensor):\n        return area(index, [])\n"
    areas = ANNOTATED.replace("    seen", "    for _ in torch.utils.data.DataLoader(boxes):\n        seen", 1)
    areas = areas.replace("        seen.append", "        boxes.mean().backward()\n        seen.append")
    put(project, {"areas.py": areas})
    assert "TPL101" in waits(say("areas.py"), "areas.py")
    put(project, {"data.py": text})
    assert "TPL101" not in waits(say("areas.py"), "areas.py")


def test_two_files_away(project: Path, say: Say) -> None:
    put(project, {"lib/steps.py": UNKNOWN, "train.py": MOVED.replace(".cuda()", "")})
    assert waits(say("lib/steps.py")) == [], "the model is on the host"


# ---- what is handed over

EACH = """\
import torch


def each(model, loader, on_batch):
    for batch in torch.utils.data.DataLoader(loader):
        loss = model(batch.cuda())
        on_batch(loss)
        loss.sum().backward()
"""
KEPT = """\
import torch


class Runner:
    def __init__(self, step):
        self.step = step

    def run(self, model, loader):
        for batch in torch.utils.data.DataLoader(loader):
            loss = model(batch.cuda())
            self.step(loss)
            loss.sum().backward()
"""
HANDED = "import torch\n{}\n\n\ndef note(loss: torch.Tensor):\n    seen.append(loss.item())\n\n\nseen = []\n{}\n"


@pytest.mark.parametrize(
    ("head", "call", "way"),
    [
        ("from each import each", "each(model, data, note)", "each.py:7"),
        ("from each import each", "each(model, data, on_batch=note)", "each.py:7"),
        ("import each", "each.each(model, data, on_batch=note)", "each.py:7"),
        ("from kept import Runner", "Runner(note).run(model, data)", "kept.py:11"),
        ("from each import each", "each(print, note, print)", None),
        ("from each import each", "each(model, data, *[note])", None),
        ("from elsewhere import each", "each(model, data, note)", None),
    ],
)
def test_callbacks(project: Path, say: Say, head: str, call: str, way: str | None) -> None:
    put(project, {"each.py": EACH, "kept.py": KEPT, "mine.py": HANDED.format(head, call)})
    found = of(say("mine.py"), "mine.py")
    assert [each["code"] for each in found] == ["TPL101"] * (way is not None)
    assert way is None or f"called at every step: `{way}` → here" in json.dumps(found, ensure_ascii=False)


def test_a_callback_from_another_file(project: Path, say: Say) -> None:
    put(
        project,
        {"each.py": EACH, "main.py": "from each import each\nfrom lib.steps import note\neach(model, data, note)\n"},
    )
    (project / "lib/engine.py").unlink()
    assert "each.py:7" in say("lib/steps.py")
    put(project, {"each.py": EACH.replace("on_batch(", "print(")})
    assert say("lib/steps.py") == "[]"


OPTION = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, train: bool = True):
        if not train:
            x = x * x.sum().item()
        return x
"""


@pytest.mark.parametrize(
    ("name", "call", "severity"),
    [
        ("run.py", "Net()(3)", "info"),
        ("run.py", "[Net()(3, train=False) for _ in range(9)]", "warning"),
        ("tests/test_nets.py", "Net()(3, train=False)", "info"),
    ],
)
def test_an_option_that_another_file_may_give_is_not_off(
    project: Path, say: Say, name: str, call: str, severity: str
) -> None:
    put(project, {"lib/nets.py": OPTION, name: f"from lib.nets import Net\n\n{call}\n"})
    (finding,) = json.loads(say("lib/nets.py"))
    assert finding["severity"] == severity


HELPER = """\
import torch


def scaled(x: torch.Tensor, guard: bool = False):
    if guard:
        x = x / x.sum().item()
    return x
"""


@pytest.mark.parametrize(
    ("call", "is_off"),
    [
        ("scaled(x)", True),
        ("scaled(x, guard=False)", True),
        ("scaled(x, guard=True)", False),
        ("scaled(x, guard=y)", False),
    ],
)
def test_nothing_is_said_of_an_option_that_all_callers_in_other_files_leave_off(
    project: Path, say: Say, call: str, is_off: bool
) -> None:
    net = (
        "from torch import nn\nfrom lib.ops import scaled\n\n\nclass Guard(nn.Module):\n    def forward(self, x, y):\n"
    )
    put(project, {"lib/ops.py": HELPER, "nets.py": f"{net}        return {call}  # no guard\n"})
    assert (of(say("lib/ops.py"), "lib/ops.py") == []) is is_off


FIELD = """\
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, fast: bool = False):
        super().__init__()
        self.fast = fast

    def forward(self, x: torch.Tensor):
        return self._fast(x) if self.fast else self._slow(x)

    def _fast(self, x: torch.Tensor):
        return x

    def _slow(self, x: torch.Tensor):
        return x * x.sum().item()
"""


@pytest.mark.parametrize(
    ("makes", "is_off"),
    [
        ("made = Field(fast=True)\n", True),
        ("made = Field(fast=True)\nprint(isinstance(made, Field))\n", True),
        ("made = [Field() for _ in range(9)]\n", False),
        ("made = [Field(True), Field()]\n", False),
        ("made = [Field(fast=ask()) for _ in range(9)]\n", False),
        ("made = Field(fast=True)\nTABLE = {'fast': Field}\n", False),
        ("made = Field(fast=True)\n\n\nclass Slow(Field):\n    ...\n", False),
    ],
)
def test_a_mode_that_all_who_make_it_elsewhere_switch_off(project: Path, say: Say, makes: str, is_off: bool) -> None:
    put(project, {"lib/field.py": FIELD, "app.py": f"from lib.field import Field\n\n{makes}"})
    assert (of(say("lib/field.py"), "lib/field.py") == []) is is_off


# ---- the index


def made(root: Path, files: dict[str, str]) -> Index:
    put(root, files)
    return Index({str(root / name): summary_of(text.encode()) for name, text in files.items()}, Imports(root))


def test_a_summary_says_imports_and_words() -> None:
    text = "from .a import (b,  # c\n  d as e)\nimport x.y as z, w\nfrom ..m import *\ndef größe(): pass\n"
    found = summary_of(text.encode())
    assert found.imports == ("..m", "..m.*", ".a", ".a.b", ".a.d", "w", "x.y")
    assert found.defines.decode() == "größe"
    assert {"größe", "e", "z"} <= set(found.words.decode().split())
    assert Summary.from_bytes(found.to_bytes()) == found
    assert Summary.from_bytes(summary_of(b"").to_bytes()) == summary_of(b"")


def test_importers_are_found_by_the_last_part_of_a_name(tmp_path: Path) -> None:
    files = {
        "p/__init__.py": "from . import a\n", "p/a.py": "from .q import f\n", "p/q/__init__.py": "from .. import *\n",
        "p/q/b.py": "from ..q import f\nfrom ..a import g\n", "c.py": "import p.q.__init__\nimport p.q.b\n", "d.py": "import p.x.a\n",
    }  # fmt: skip
    put(tmp_path, files)
    summaries = {str(tmp_path / name): summary_of(text.encode()) for name, text in files.items()}
    importers = Importers(summaries, Imports(tmp_path))
    found = {
        name: {str(Path(each).relative_to(tmp_path)) for each in importers.of(str(tmp_path / name))} for name in files
    }
    assert found == {
        "p/__init__.py": {"p/q/__init__.py"}, "p/a.py": {"p/__init__.py", "p/q/b.py"}, "c.py": set(), "d.py": set(),
        "p/q/__init__.py": {"p/a.py", "p/q/b.py", "c.py"}, "p/q/b.py": {"c.py"},
    }  # fmt: skip


def test_callers_are_few_and_the_same_in_any_order(tmp_path: Path) -> None:
    files = {f"c{number:04}.py": "from hub import f\nf()\n" for number in range(1_000)} | {"hub.py": "def f(): ...\n"}
    hub = str(tmp_path / "hub.py")
    found = made(tmp_path, files).callers(hub, "f")
    assert [Path(each).name for each in found] == [f"c{number:04}.py" for number in range(index_of.MANY)]
    assert made(tmp_path, dict(reversed(files.items()))).callers(hub, "f") == found
    assert made(tmp_path, files).callers(hub, "g") == ()


def test_the_digest_changes_with_what_is_said_alone(tmp_path: Path) -> None:
    files = {"a.py": "import b\nb.f(1)\n", "b.py": "def f(x): ...\n"}
    before = made(tmp_path, files).digest
    assert made(tmp_path, files | {"a.py": "import b\nb.f(1)  # b\nf = 3\n"}).digest == before
    assert made(tmp_path, files | {"a.py": "import b\nb.g(1)\n"}).digest != before
    assert made(tmp_path, {**files, "c.py": ""}).digest != before


def test_summaries_that_are_damaged_or_forged_are_made_anew(
    project: Path, say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = say("lib/steps.py")
    (kept,) = [each for each in (tmp_path / "cache").glob("*/*.json") if b"\tlib" in each.read_bytes()]
    whole = kept.read_bytes()
    for damage in (b"", whole[:-5], whole.replace(b" note ", b" nope "), b"x" * 40 + whole, b"\xff\n\t"):
        kept.write_bytes(damage)
        put(project, {"train.py": TRAIN + f"# {len(damage)}\n"})
        assert say("lib/steps.py") == right
        assert kept.read_bytes().partition(b"\n")[0] != damage.partition(b"\n")[0]


def test_of_too_large_a_project_nobody_knows_the_callers(
    project: Path, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_index, "MOST", 3)
    assert say("lib/steps.py") == "[]"


def test_an_index_that_sees_edits_is_as_one_made_anew(tmp_path: Path) -> None:
    files = {"hub.py": "def f(): ...\n", "a.py": "import hub\nhub.f()\n", "b.py": "import hub\n"}
    index, hub = made(tmp_path, files), str(tmp_path / "hub.py")
    edits: list[tuple[str, str | None]] = [
        ("b.py", "import hub\nhub.f()\n"), ("a.py", None), ("b.py", "hub.f()\n"), ("c.py", "from hub import f\n"),
        ("hub.py", "def g(): ...\n"), ("hub.py", "def f(): ...\n"),
    ]  # fmt: skip
    seen = set()
    for name, text in edits:
        index.callers(hub, "f")
        files = {**{each: files[each] for each in files if each != name}, **({name: text} if text is not None else {})}
        index.see(str(tmp_path / name), summary_of(text.encode()) if text is not None else None)
        fresh = made(tmp_path, files)
        assert (index.callers(hub, "f"), index.digest) == (fresh.callers(hub, "f"), fresh.digest)
        seen.add(index.callers(hub, "f"))
    assert len(seen) > 3


def test_an_index_that_looks_again_is_as_one_made_anew(tmp_path: Path) -> None:
    """A file that it does not know comes or goes beside a caller, which then means another one."""
    files = {"steps.py": "def f(): ...\n", "inner/a.py": "import steps\nsteps.f()\n"}
    index, steps, unknown = made(tmp_path, files), str(tmp_path / "steps.py"), tmp_path / "inner" / "steps.py"
    seen = [index.callers(steps, "f")]
    for edit in (unknown.touch, unknown.unlink):
        edit()
        index.look_again(Imports(tmp_path))
        fresh = made(tmp_path, files)
        for name in ("f", "g"):
            assert index.callers(steps, name) == fresh.callers(steps, name)
            assert index.names_all(steps, name) == fresh.names_all(steps, name)
        seen.append(index.callers(steps, "f"))
    caller = str(tmp_path / "inner" / "a.py")
    assert seen == [(caller,), (), (caller,)]


def test_an_editor_sees_a_caller_that_means_a_file_once_another_is_gone(project: Path) -> None:
    """The other one is left out by settings, so nothing that is said of the project changes."""
    put(project, {"lib/engine.py": "", "steps.py": STEPS, "tools/engine.py": ENGINE.replace("lib.steps", "steps")})
    put(project, {"train.py": "", "tools/train.py": TRAIN.replace("from lib import", "import")})
    put(project, {".gitignore": "/tools/steps.py\n", "tools/steps.py": "def note(*_): ...\n"})
    config, other = load(project, {"cache": False}, isolated=True), project / "tools" / "steps.py"
    found = []
    for edit in (lambda: None, other.unlink, lambda: put(project, {"tools/steps.py": "def note(*_): ...\n"})):
        edit()
        session._see(other, None)
        found.append([each.code for each in lint_bytes(STEPS.encode(), "steps.py", config)])
    assert found == [[], ["TPL101"], []]


@pytest.mark.parametrize("is_known", [True, False])
def test_callers_that_can_tell_nothing_are_not_read(project: Path, is_known: bool) -> None:
    """What is passed counts where all callers are known: where the index knows that they are not, how hot they are is not asked."""
    train = TRAIN.replace("lib import engine", "lib.steps import Log")
    train = train.replace("engine.run(model, batch, optimizer, seen)", "Log().note(batch)")
    put(project, {
        "lib/steps.py": "import torch\n\n\nclass Log:\n    def note(self, loss):\n        return loss.item()\n",
        "train.py": train,
        "lib/engine.py": "" if is_known else "def other(thing):\n    thing.note(3)\n",
    })  # fmt: skip
    path, reads = project / "lib" / "steps.py", Reads()
    lint_bytes(path.read_bytes(), "lib/steps.py", Config(root=project, cache=False), reads)
    assert reads.callers is not None
    assert (str(project / "train.py") in reads.callers.files) is is_known


@pytest.mark.parametrize(("line", "is_asked"), [
    ("optimizer.zero_grad(set_to_none=False)", True),
    ("optimizer.zero_grad()", False),  # no rule speaks of that, however often it runs
    ("tell(loss, make())", False),  # `tell` waits if it is given a tensor, but nobody elsewhere calls it
])  # fmt: skip
def test_callers_are_read_where_a_rule_would_speak(project: Path, line: str, is_asked: bool) -> None:
    put(project, {
        "lib/steps.py": f"""\
import torch
from elsewhere import make


def begin(optimizer: torch.optim.SGD, loss: torch.Tensor):
    {line}


def tell(loss, flag):
    if flag:
        print("seen")
""",
        "train.py": TRAIN.replace("lib import engine", "lib.steps import begin").replace(
            "engine.run(model, batch, optimizer, seen)", "begin(optimizer, batch)"
        ),
    })  # fmt: skip
    path, reads = project / "lib" / "steps.py", Reads()
    found = lint_bytes(path.read_bytes(), "lib/steps.py", Config(root=project, cache=False), reads)
    assert reads.callers is not None
    assert (str(project / "train.py") in reads.callers.files) is is_asked
    assert ("TPL606" in {each.code for each in found}) is is_asked


PLACED = """\
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, loss_device):
        super().__init__()
        self.loss_device = loss_device

    def forward(self, x: torch.Tensor):
        return x.cuda() @ torch.zeros(len(x), 900).to(self.loss_device)
"""
MADE = """\
import torch
from placed import Encoder

encoder = Encoder(torch.device("cpu"))
"""


def test_what_all_makers_have_on_the_host_is_not_made_on_the_gpu(project: Path, say: Say) -> None:
    put(project, {"placed.py": PLACED, "made.py": MADE})
    assert "TPL201" not in say("placed.py")
    put(project, {"other.py": MADE.replace('torch.device("cpu")', "choose()")})
    assert "TPL201" in say("placed.py")


LOSS = """\
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, device, loss_device):
        super().__init__()
        self.loss_device = loss_device
        self.linear = nn.Linear(3, 3).to(device)

    def loss(self, embeds):
        matrix = torch.zeros(len(embeds), 3).to(self.loss_device)
        return (matrix - embeds).mean()
"""
TRAINED = """\
import torch
from model import Encoder

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loss_device = torch.device("cpu")
encoder = Encoder(device, loss_device)
optimizer = torch.optim.Adam(encoder.parameters())
total = 0.0
for batch in torch.utils.data.DataLoader(range(100)):
    loss = encoder.loss(encoder.linear(batch.to(device)).to(loss_device))
    loss.backward()
    optimizer.step()
    total += loss.item()
"""


def test_nobody_waits_for_what_all_makers_keep_on_the_host(project: Path, say: Say) -> None:
    put(project, {"model.py": LOSS, "train.py": TRAINED})
    assert "TPL101" not in say("train.py")
    put(project, {"train.py": TRAINED.replace('loss_device = torch.device("cpu")', "loss_device = device")})
    assert "TPL101" in say("train.py")


POINTS = """\
import torch


class Points:
    def __init__(self):
        self.rows = torch.zeros(9, 3, device="cuda")
        self.rest = torch.zeros(9, 3, device="cuda")

    def split(self, scores: torch.Tensor):
        return self.keep(scores)

    def keep(self, scores: torch.Tensor):
        mask = scores > 0
        rows = self.rows[mask]
        rest = self.rest[mask]
        return rows, rest
"""
FIT = """\
import torch
from lib.points import Points

points = Points()
for step in range(30_000):
    if {test}:
        points.split(torch.ones(9, device="cuda"))
"""


@pytest.mark.parametrize(("test", "is_said"), [("step % 100 == 0", False), ("points.rows.ndim == 2", True)])
def test_what_another_file_calls_behind_a_gate_alone_runs_seldom(
    project: Path, say: Say, test: str, is_said: bool
) -> None:
    put(project, {"lib/points.py": POINTS, "fit.py": FIT.format(test=test)})
    assert [each["code"] for each in of(say("lib"), "lib/points.py") if each["code"] == "TPL613"] == [
        "TPL613"
    ] * is_said
