"""What is known to be compiled because another file says so, and what is asked again after an edit there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from torchperf_lint.cli import main as cli_main
from torchperf_lint.facts.project.imports import Imports
from torchperf_lint.facts.project.index import Index
from torchperf_lint.facts.project.summary import summary_of

LAYERS = """\
import torch
from torch import Tensor, nn


def scaled(x: Tensor) -> Tensor:
    if x.sum() > 0:
        return x * 2
    return x


def alone(x: Tensor) -> Tensor:
    if x.sum() > 0:
        return x * 2
    return x
"""
MODELS = """\
from torch import Tensor, nn
from lib.layers import scaled


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return scaled(x)
"""
BETWEEN = """\
from torch import Tensor
from lib.layers import scaled


def twice(x: Tensor) -> Tensor:
    return scaled(scaled(x))
"""
TRAIN = """\
import torch
from lib.models import Net

net = torch.compile(Net(), fullgraph=True)
"""
Say = Callable[..., list[tuple[str, int]]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository in which a file compiles a module of another, which calls a function of a third."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    put(root, {"lib/__init__.py": "", "lib/layers.py": LAYERS, "lib/models.py": MODELS, "train.py": TRAIN})
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """The places that TPL702 names, with the cache twice and without it."""

    def said(*given: str, cached: bool) -> list[tuple[str, int]]:
        cache = ["--cache-dir", str(tmp_path / "cache")] if cached else ["--no-cache"]
        cli_main.main([*given, "--isolated", "--select", "TPL702", "--format", "json", *cache])
        return [(each["path"], each["start"]["line"]) for each in json.loads(capsys.readouterr().out)["findings"]]

    def thrice(*given: str) -> list[tuple[str, int]]:
        first, second, without = (said(*given, cached=each) for each in (True, True, False))
        assert first == second == without
        return first

    return thrice


def put(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def test_what_another_file_compiles_is_seen(project: Path, say: Say) -> None:
    assert say(".") == say("lib/layers.py") == [("lib/layers.py", 6)]


def test_the_evidence_names_the_file_that_compiles(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli_main.main(["lib/layers.py", "--isolated", "--select", "TPL702", "--format", "json", "--no-cache"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["message"].startswith("an error here (`fullgraph`)")
    assert ("train.py", 4) in [(each["path"], each["line"]) for each in found["because"]]


@pytest.mark.parametrize(
    "train",
    [
        TRAIN.replace("torch.compile(Net(), fullgraph=True)", "Net()"),
        TRAIN.replace("fullgraph=True", "disable=True"),
        TRAIN.replace("lib.models", "other.models"),
        'import re\nfrom lib.models import Net\n\nnet = re.compile("x")\n',
        "import torch\nimport lib.models\n\nother = torch.compile(lambda x: x + 1)\n",
    ],
    ids=["not compiled", "switched off", "another module", "a regular expression", "something else"],
)
def test_an_edit_of_the_file_that_compiles_asks_again(project: Path, say: Say, train: str) -> None:
    assert say("lib/layers.py")
    put(project, {"train.py": train})
    assert not say("lib/layers.py")
    put(project, {"train.py": TRAIN})
    assert say("lib/layers.py")


def test_a_file_that_compiles_comes_and_goes(project: Path, say: Say) -> None:
    (project / "train.py").unlink()
    assert not say("lib/layers.py")
    put(project, {"bench.py": TRAIN})
    assert say("lib/layers.py")


@pytest.mark.parametrize("name", ["tests/test_net.py", "tests/run.py"])
def test_what_only_tests_compile_is_not(project: Path, say: Say, name: str) -> None:
    (project / "train.py").unlink()
    put(project, {name: TRAIN})
    assert not say("lib/layers.py")


def test_what_compiled_code_is_kept_out_of_is_not(project: Path, say: Say) -> None:
    put(project, {"lib/models.py": MODELS.replace("    def forward", "    @torch.compiler.disable\n    def forward")})
    put(project, {"lib/models.py": "import torch\n" + (project / "lib/models.py").read_text("utf-8")})
    assert not say("lib/layers.py")


def test_an_assumed_forward_of_another_file_compiles_what_it_calls(project: Path, say: Say) -> None:
    (project / "train.py").unlink()
    assert say("lib/layers.py", "--assume-compiled") == [("lib/layers.py", 6)]
    many = {f"lib/user{i}.py": f"from lib.layers import scaled\n\nused = scaled({i})\n" for i in range(6)}
    put(project, many)
    assert say("lib/layers.py", "--assume-compiled") == [("lib/layers.py", 6)], "of many callers one is enough"


def test_an_assumed_forward_two_files_away_compiles_too(project: Path, say: Say) -> None:
    (project / "train.py").unlink()
    models = MODELS.replace("lib.layers import scaled", "lib.between import twice").replace("scaled(x)", "twice(x)")
    put(project, {"lib/between.py": BETWEEN, "lib/models.py": models})
    assert say("lib/layers.py", "--assume-compiled") == [("lib/layers.py", 6)]


def test_the_nearest_files_that_compile_come_first(tmp_path: Path) -> None:
    files = {
        "net.py": "x = 1\n",
        "far.py": "import torch, near\ntorch.compile(near.net)\n",
        "near.py": "import torch, net\ntorch.compile(net.x)\n",
        "between.py": "import net\n",
        "away.py": "import between\nfrom torch import compile\n",
        "none.py": "import re, net\nre.compile('x')\n",
        "other.py": "import torch\ntorch.compile(1)\n",
    }
    put(tmp_path, files)
    index = Index({str(tmp_path / name): summary_of(text.encode()) for name, text in files.items()}, Imports(tmp_path))
    found = index.compilers(str(tmp_path / "net.py"))
    assert [Path(each).name for each in found] == ["near.py", "away.py", "far.py"]
    index.see(str(tmp_path / "near.py"), None)
    assert [Path(each).name for each in index.compilers(str(tmp_path / "net.py"))] == ["away.py"]


def test_what_makes_batches_is_not_assumed_to_be_compiled(project: Path, say: Say) -> None:
    layer = "from torch import Tensor, nn\n\n\nclass Cut(nn.Module):\n    def forward(self, x: Tensor):\n        return x[x > 0]\n"
    put(project, {"lib/transforms.py": layer, "lib/cut.py": layer})
    assert say("lib/cut.py", "--assume-compiled") == [("lib/cut.py", 6)]
    assert say("lib/transforms.py", "--assume-compiled") == []


BY_OPTION = """\
import argparse
import torch
from lib.models import Net

parser = argparse.ArgumentParser()
parser.add_argument("--compile", {how})
args = parser.parse_args()
net = Net()
if {test}:
    net = torch.compile(net)
"""


@pytest.mark.parametrize(
    ("how", "test", "option"),
    [
        ('action="store_true"', "args.compile", "args.compile"),
        ("type=int, default=0", "args.compile > 0", "args.compile"),
        ("type=int, default=1", "args.compile > 0", None),
        ('action="store_true"', "not args.compile", None),
    ],
)
def test_what_a_command_line_has_to_ask_for_is_told_with_its_option(
    project: Path, capsys: pytest.CaptureFixture[str], how: str, test: str, option: str | None
) -> None:
    layers = f"{LAYERS}\n\ndef many(rows: list[Tensor]):\n    return [scaled(each) for each in rows]\n"
    put(project, {"train.py": BY_OPTION.format(how=how, test=test), "lib/layers.py": layers})
    cli_main.main(["lib/layers.py", "--isolated", "--select", "TPL702", "--format", "json", "--no-cache"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    said = [each["message"] for each in found["because"]]
    named = f"calls and defaults in sight leave `{option}` so that this branch does not run"
    assert (named in said) is (option is not None)
