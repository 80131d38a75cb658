"""Answers about modules that several files import: found once, and right for each file that takes them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from examples import CONFIG
from same_settings import SameSettings

from torchperf_lint.config.config import Config, Configs
from torchperf_lint.engine import lint_text, projects
from torchperf_lint.facts.context import compiled, compiled_calls
from torchperf_lint.facts.domain.fact import Fact
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.facade import Facts
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import shared
from torchperf_lint.facts.interpret.analysis import Analysis
from torchperf_lint.facts.interpret.run import Run
from torchperf_lint.facts.interpret.table import Answer
from torchperf_lint.facts.project import project
from torchperf_lint.facts.project.imports import Reads
from torchperf_lint.facts.project.project import Project
from torchperf_lint.run import project_index, run_files
from torchperf_lint.run.lint_file import Done, LintFile
from torchperf_lint.syntax.tree import Tree

LAYERS = """
import torch
from torch import nn
from tools import made

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = made()

    def lengths(self, x: torch.Tensor):
        return (x > 0).sum(1) * self.scale
"""
TOOLS = "import torch\n\ndef made():\n    return torch.ones(3, device='cuda')\n"
USER = """
import torch
from layers import Layer

class Model(Layer):
    def forward(self, x: torch.Tensor):
        return self.lengths(x)[0].item()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"layers.py": LAYERS, "tools.py": TOOLS, "a.py": USER, "b.py": USER, "c.py": USER}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def linted(folder: Path, names: Sequence[str]) -> dict[str, Done]:
    configs = SameSettings(replace(CONFIG, root=folder))
    job = LintFile(configs)
    return {name: Done.from_bytes(job(str(folder / name))).shown(configs) for name in names}


def steps(monkeypatch: pytest.MonkeyPatch, folder: Path, names: Sequence[str]) -> list[int]:
    """How many expressions were worked out for each file."""
    taken = [0]
    expr = Run.expr

    def counted(self: Run, node: ast.expr) -> Value:
        taken[-1] += 1
        return expr(self, node)

    monkeypatch.setattr(Run, "expr", counted)
    job = LintFile(SameSettings(replace(CONFIG, root=folder)))
    for name in names:
        taken.append(0)
        job(str(folder / name))
    return taken[1:]


def test_the_second_file_takes_what_was_found_for_the_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = steps(monkeypatch, folder, ["a.py", "b.py", "c.py"])
    assert second < first
    assert second == third


NET = """
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        print(x)
        return x
"""
TRAIN = """
import torch
import a, b

nets = torch.compile(a.Net()), torch.compile(b.Net())
"""


def test_what_a_file_compiles_is_followed_once_for_all_that_it_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed: list[int] = []
    spread = compiled.spread

    def counted(
        analysis: Analysis, roots: list[tuple[compiled_calls.Target, Fact[compiled.Compiled]]]
    ) -> dict[Function, Fact[compiled.Compiled]]:
        followed.extend([len(roots)] if roots else [])
        return spread(analysis, roots)

    monkeypatch.setattr(compiled, "spread", counted)
    for name, text in {"a.py": NET, "b.py": NET, "train.py": TRAIN}.items():
        (tmp_path / name).write_text(text)
    found = linted(tmp_path, ["a.py", "b.py"])
    assert all("TPL702" in {finding.code for finding in done.findings} for done in found.values())
    assert followed == [1, 1], "each of the two that it compiles, once"


ONE = """
import two
import torch

class Trainer:
    def __init__(self):
        self.seen = None
        self.model = two.Model(self)

    def step(self):
        self.seen = self.model.grown()
        self.last = self.seen if self.model.kept is None else self.model.kept
        return self.last
"""
TWO = """
import one
import torch

class Model:
    def __init__(self, trainer: one.Trainer):
        self.trainer = trainer
        self.kept = self.trainer.last

    def grown(self):
        self.kept = self.trainer.seen
        if self.kept is None:
            self.kept = torch.ones(3)
        return self.trainer.step()
"""
LAST = """
import torch
from one import Trainer

class Longer(Trainer):
    def step(self):
        self.seen = super().step()
        return self.seen.cuda().item() + self.model.grown().item()
"""
CIRCLE = {"one.py": ONE, "two.py": TWO, "last.py": LAST}


@pytest.mark.parametrize("before", [(), ("one.py",), ("two.py",), ("two.py", "one.py"), ("last.py", "two.py")])
@pytest.mark.parametrize("kept", [0, 10**6])
def test_what_counts_towards_giving_a_file_up_depends_on_the_program(
    before: tuple[str, ...], kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not on which outlines and answers are kept from the files before: also where they stand in a circle."""
    for name, text in CIRCLE.items():
        (tmp_path / name).write_text(text)
    alone, after = (
        counted(monkeypatch, tmp_path, ["last.py"]),
        counted(monkeypatch, tmp_path, [*before, "last.py"], kept),
    )
    assert alone[-1] == after[-1] > 30


def counted(monkeypatch: pytest.MonkeyPatch, folder: Path, names: Sequence[str], kept: int = 10**6) -> list[int]:
    """How many steps count for each file, where so many characters of outlines are kept."""
    seen: list[Facts] = []
    facts_of = lint_text.facts_of

    def noted(tree: Tree, module: Module, config: Config, reads: Reads | None) -> Facts:
        seen.append(facts_of(tree, module, config, reads))
        return seen[-1]

    with monkeypatch.context() as patch:
        patch.setattr(lint_text, "facts_of", noted)
        patch.setattr(project, "KEPT", kept)
        linted(folder, names)
    return [each.analysis.solver.steps.counted for each in seen]


@pytest.mark.parametrize("names", [("a.py", "b.py"), ("layers.py", "a.py", "b.py"), ("tools.py", "b.py", "a.py")])
def test_it_stands_on_the_same_as_if_it_had_asked_itself(folder: Path, names: tuple[str, ...]) -> None:
    together = linted(folder, names)
    for name in names:
        assert together[name] == linted(folder, [name])[name]
    assert set(together["b.py"].reads.found) >= {"layers", "tools"}
    assert [each.code for each in together["b.py"].findings]


def test_names_that_mean_something_else_in_another_folder(folder: Path) -> None:
    """`tools` is another file there, so what was found about `layers` does not hold."""
    inner = folder / "inner"
    inner.mkdir()
    (inner / "tools.py").write_text("def made():\n    return 3\n")
    (inner / "d.py").write_text(USER.replace(".item()", ".cpu()"))
    alone = linted(folder, ["inner/d.py"])
    assert linted(folder, ["a.py", "inner/d.py"])["inner/d.py"] == alone["inner/d.py"]
    assert linted(folder, ["inner/d.py", "a.py"])["a.py"] == linted(folder, ["a.py"])["a.py"]


@pytest.mark.parametrize("most", [1, 2, 4])
def test_names_that_mean_something_else_in_each_folder(
    folder: Path, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever of it is kept, each file is told what `tools` means for it, whoever asked before."""
    monkeypatch.setattr(shared, "VIEWS", most)
    for inner in ("one", "two"):
        (folder / inner).mkdir()
        (folder / inner / "d.py").write_text(USER)
    (folder / "one" / "tools.py").write_text("def made():\n    return 3\n")
    (folder / "two" / "tools.py").write_text("import torch\n\ndef made():\n    return torch.ones(3)\n")
    names = ["a.py", "one/d.py", "two/d.py"]
    alone = {name: linted(folder, [name])[name] for name in names}
    for order in permutations(names):
        assert linted(folder, [*order, *order]) == alone


def test_what_names_mean_elsewhere_leaves_the_answers_of_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "tools.py").write_text("def made():\n    return 3\n")
    for name in ("d.py", "e.py"):
        (folder / "inner" / name).write_text(USER)
    with monkeypatch.context() as patch:
        _, alone = steps(patch, folder, ["a.py", "b.py"])
    with monkeypatch.context() as patch:
        _, _, beside, _ = steps(patch, folder, ["a.py", "inner/d.py", "b.py", "inner/e.py"])
    assert beside == alone


def test_a_folder_that_requires_another_torch_has_settings_of_its_own_and_shares_the_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("torch>=2.9\n")
    (tmp_path / "norms.py").write_text(NORM)
    for old in ("old", "older"):
        (tmp_path / old).mkdir()
        (tmp_path / old / "requirements.txt").write_text("torch==2.2\n")
        (tmp_path / old / "norms.py").write_text(NORM)
    names = ["norms.py", "old/norms.py", "older/norms.py"]
    for order in permutations(names):
        configs = Configs(tmp_path, {"cache": False}, isolated=True)
        job = LintFile(configs)
        found = {name: Done.from_bytes(job(str(tmp_path / name))).findings for name in order}
        assert {name: {each.code for each in found[name]} for name in names} == {
            "norms.py": {"TPL601"}, "old/norms.py": set(), "older/norms.py": set(),
        }  # fmt: skip
        of = [configs.of(tmp_path / name) for name in names]
        assert [each.target_torch for each in of] == ["2.9", "2.2", "2.2"]
        assert len({id(projects.project_of(each)[0]) for each in of}) == 1
        assert len({id(project_index.index_of(each)) for each in of}) == 1


NORM = """
import torch
from torch import nn


class Norm(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


net = nn.Sequential(*(Norm() for _ in range(12))).cuda()
"""


def test_evidence_is_of_the_file_that_is_linted(folder: Path) -> None:
    """The argument of a call is shown by its own file, whichever file called the function first."""
    text = "import torch\nfrom tools import same\n\ndef run(x: torch.Tensor):\n    for _ in range(9):\n        same(x).item()\n"
    (folder / "tools.py").write_text("def same(x):\n    return x\n")
    for name in ("a.py", "b.py"):
        (folder / name).write_text(text)
    found = linted(folder, ["a.py", "b.py"])["b.py"].findings
    assert {Path(note.path).name for each in found for note in each.because} == {"b.py"}


def test_a_file_that_changed_is_read_anew(folder: Path) -> None:
    """What was found about a module goes with its outline."""
    configs = SameSettings(replace(CONFIG, root=folder))
    job = LintFile(configs)
    job(str(folder / "a.py"))
    (folder / "tools.py").write_text("import torch\n\ndef made():\n    return 3\n")
    job(str(folder / "tools.py"))  # its outline is of the new text
    project_index.see(folder / "tools.py", None)
    after = Done.from_bytes(job(str(folder / "a.py"))).shown(configs)
    assert after == linted(folder, ["a.py"])["a.py"]


@pytest.mark.parametrize("most", [0, 100_000])
def test_it_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(shared, "MOST", most)
    LintFile(SameSettings(replace(CONFIG, root=folder)))(str(folder / "a.py"))
    assert bool(answers()._of) == bool(most)


def test_what_a_circle_stands_on_is_remembered_for_each_that_is_in_it() -> None:
    modules = [Module(ast.parse(""), f"{name}.py", name) for name in "abc"]
    circle, beyond = Answer(None, None), Answer(None, None)
    circle.needs, beyond.needs = {beyond, Answer(modules[0], None)}, {Answer(modules[1], None)}
    beyond.lookups = {"c": modules[2], "d": None}
    for _ in range(2):
        each = Answer(modules[0], None)
        each.needs = {circle}
        assert shared._modules(each) == set(modules) == circle.modules
        assert beyond.modules == {modules[1], modules[2]}


def test_what_stands_on_a_module_goes_with_it(folder: Path) -> None:
    job = LintFile(SameSettings(replace(CONFIG, root=folder)))
    job(str(folder / "a.py"))
    kept = answers()
    tools = next(module for module in kept._of if module.name == "tools")
    kept.forget([tools])
    assert "layers" not in {module.name for module in kept._of}


def answers() -> shared.SharedAnswers:
    """Those of the project that was linted last."""
    return list(projects._projects.values())[-1][2]


STARS = """
import torch
from offers import *

class Model(Layer):
    def forward(self, x: torch.Tensor):
        return self.lengths(x)[0].item()
"""


def test_what_a_star_cannot_bring_is_not_outlined(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found is the same, also for the next file, and all that was looked at counts as read."""
    outlined: list[str] = []
    outline = Project._outline

    def noted(self: Project, path: Path, text: str, called: str) -> Module | None:
        outlined.append(path.name)
        return outline(self, path, text, called)

    monkeypatch.setattr(Project, "_outline", noted)
    (folder / "offers.py").write_text("from far import *\nfrom layers import *\n")
    (folder / "far.py").write_text("x = 3\n")
    for name in ("a.py", "b.py"):
        (folder / name).write_text(STARS)
    found = linted(folder, ["a.py", "b.py"])
    assert [each.code for each in found["b.py"].findings] == ["TPL102"]
    assert found["a.py"].reads.found == found["b.py"].reads.found
    assert found["b.py"].reads.found.keys() >= {"offers", "far", "layers"}
    assert "layers.py" in outlined
    assert "far.py" not in outlined
    (folder / "far.py").write_text("class Layer:\n    def lengths(self, x): return [x.cpu()]\n")
    assert [each.findings for each in linted(folder, ["a.py", "b.py"]).values()] == [(), ()]


HANDED_ON = """
from offers import *

def train(model, loader, optimizer: torch.optim.Optimizer):
    for x in loader:
        x = x.cuda()
        out = model(x)
        score = F.mse_loss(out, x)
        if score > 3:
            out = out * 2
        out.mean().backward()
        optimizer.step()
"""


def test_what_another_file_imports_comes_with_its_star(folder: Path) -> None:
    (folder / "offers.py").write_text("import torch\nimport torch.nn.functional as F\n")
    (folder / "a.py").write_text(HANDED_ON)
    assert "TPL103" in {each.code for each in linted(folder, ["a.py"])["a.py"].findings}
    (folder / "offers.py").write_text("import torch\nF = None\n")
    assert "TPL103" not in {each.code for each in linted(folder, ["a.py"])["a.py"].findings}


def test_one_project_is_worked_through_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read of one is let go of at the next; of each the large files come first, whatever torch their folders require."""
    monkeypatch.setattr(run_files, "LARGE", 100)
    sizes = {}
    for name, size in (("a/x.py", 99), ("a/y.py", 100), ("b/old/z.py", 200), ("b/w.py", 300), ("b/v.py", 1)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("import torch\n")
        sizes[str(tmp_path / name)] = size
    for root in "ab":
        (tmp_path / root / ".git").mkdir()
    (tmp_path / "b" / "old" / "requirements.txt").write_text("torch==1.7\n")
    job = LintFile(Configs(tmp_path, {"cache": False}, isolated=True))
    order = [str(Path(done.path).relative_to(tmp_path)) for done in run_files._worked(sizes, job)]
    assert order == ["a/y.py", "a/x.py", "b/w.py", "b/old/z.py", "b/v.py"]
