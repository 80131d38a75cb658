"""What rests on an identifier alone is never proven, and what a program shows goes over any name."""

from __future__ import annotations

import ast
import json
import textwrap

import pytest
from benchmarks import guesses

from torchperf_lint import lint_text, version
from torchperf_lint.facts.context import how_often
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.domain.fact import Fact, Sure
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.interpret.interpreter import analysis_of


class Scene:
    """A program of a linted file, `main.py`, and others around it."""

    def __init__(self, text: str, **others: str) -> None:
        self.program = Program()
        for name, source in {**others, "main": text}.items():
            source = textwrap.dedent(source)
            module = Module(ast.parse(source), f"{name}.py", name, source)
            self.program.add(module)
        self.module = module
        self.analysis = analysis_of(self.program, self.module)

    def node(self, text: str) -> ast.expr:
        """The first expression of the linted file that is written so."""
        every = (each for each in ast.walk(self.module.tree) if isinstance(each, ast.expr))
        return next(each for each in every if ast.unparse(each) == text)

    def frequency(self, text: str) -> Fact[Frequency]:
        return how_often.of(self.analysis, self.module, self.node(text), frozenset())

    def value(self, text: str) -> Value:
        return self.analysis.value(self.node(text), self.module)

    def kind(self, name: str) -> str:
        return self.analysis.kind(next(each for each in self.module.classes.values() if each.name == name))


def test_a_training_step_of_a_plain_class_is_likely_one() -> None:
    scene = Scene("class Runner:\n    def training_step(self, batch):\n        return batch.sum()\n")
    found = scene.frequency("batch.sum()")
    assert (found.value, found.sure) == (Frequency.INNER, Sure.LIKELY)


@pytest.mark.parametrize(
    ("kept", "kind"), [("net", "module"), ("net.cuda()", "module"), ("Net().to(net)", "unknown"), ("net(8)", "unknown")]
)
def test_what_a_class_keeps_is_what_its_constructor_was_given(kept: str, kind: str) -> None:
    """Not where a thing is moved that is made there: the uses of `self.kept` say nothing of the device."""
    scene = Scene(f"""
        class Agent:
            def __init__(self, net):
                self.kept = {kept}
                self.kept.train()
                print(net)
    """)
    name = next(each for each in ast.walk(scene.module.tree) if isinstance(each, ast.Name) and each.id == "net")
    assert scene.analysis.value(name, scene.module).kind == kind


@pytest.mark.parametrize("first", [frozenset[str](), frozenset({"work"})])
def test_who_asked_first_does_not_say_what_the_settings_name_hot(first: frozenset[str]) -> None:
    """Answers about one module serve files whose settings differ, and some ask what holds without any."""
    scene = Scene("def work(batch):\n    return batch.sum()\n")
    how_often.of(scene.analysis, scene.module, scene.node("batch.sum()"), first)
    named = how_often.of(scene.analysis, scene.module, scene.node("batch.sum()"), frozenset({"work"}))
    assert (scene.frequency("batch.sum()").value, named.value) == (Frequency.ONCE, Frequency.INNER)


def test_a_training_step_of_a_lightning_module_is_proven() -> None:
    scene = Scene(
        """
        import pytorch_lightning as pl
        class Base(pl.LightningModule): ...
        class Net(Base):
            def training_step(self, batch):
                return batch.sum()
        """
    )
    found = scene.frequency("batch.sum()")
    assert (found.value, found.sure) == (Frequency.INNER, Sure.PROVEN)


def test_a_base_that_is_called_a_module_is_likely_one() -> None:
    scene = Scene(
        """
        from encoders import EncoderModule
        class Net(EncoderModule):
            def forward(self, x):
                return self.scale(x + 1)
        """
    )
    assert scene.kind("Net") == "module"
    assert (scene.value("self").kind, scene.value("self").sure) == ("module", Sure.LIKELY)
    found = scene.frequency("x + 1")
    assert (found.value, found.sure) == (Frequency.INNER, Sure.LIKELY)


@pytest.mark.parametrize("suffix", ["Module", "Dataset"])
def test_a_base_that_the_program_shows_is_what_it_shows(suffix: str) -> None:
    scene = Scene(
        f"""
        from locks import Lock{suffix}
        class Safe(Lock{suffix}):
            def open(self):
                return self.key + 1
        """,
        locks=f"class Lock{suffix}:\n    def __init__(self):\n        self.key = 3\n",
    )
    assert scene.kind("Safe") == "instance"


def test_a_class_with_a_forward_and_a_base_out_of_sight_is_likely_a_module() -> None:
    scene = Scene("from lib import Net\nclass Own(Net):\n    def forward(self, x):\n        return x + 1\n")
    found = scene.frequency("x + 1")
    assert (found.value, found.sure) == (Frequency.INNER, Sure.LIKELY)


def test_a_class_of_torch_is_proven() -> None:
    scene = Scene(
        "from torch import nn\nclass Own(nn.Sequential):\n    def forward(self, x):\n        return self.scale * x\n"
    )
    found = scene.frequency("x")
    assert (found.value, found.sure) == (Frequency.INNER, Sure.PROVEN)
    assert scene.value("self").sure is Sure.PROVEN


def test_a_class_method_by_name_alone_gives_likely_an_instance() -> None:
    scene = Scene(
        """
        from torch import nn
        from registry import Registered
        class Net(Registered, nn.Module): ...
        net = Net.create("small")
        """
    )
    assert (scene.value("net").kind, scene.value("net").sure) == ("module", Sure.LIKELY)


EVALUATION = """
import torch
from torch import nn
{base}
class Own({name}):
    def __init__(self, model: nn.Module, loader):
        self.model = model
        self.loader = loader

    def validate(self):
        self.model.eval()
        correct = 0
        for x, y in self.loader:
            x, y = x.cuda(), y.cuda()
            correct += (self.model(x).argmax(1) == y).sum()
        return correct
"""


@pytest.mark.parametrize(
    ("base", "name", "speaks"),
    [
        ("class AbstractTrainer:\n    pass\n", "AbstractTrainer", True),  # the file shows it: no framework
        ("from lib import AbstractTrainer\n", "AbstractTrainer", False),  # who knows what it does to gradients
        ("from transformers import Trainer\nclass Base(Trainer):\n    pass\n", "Base", False),  # it derives from one
    ],
)
def test_a_trainer_of_the_same_file_is_no_framework(base: str, name: str, speaks: bool) -> None:
    found = [each.code for each in lint_text(EVALUATION.format(base=base, name=name))]
    assert ("TPL401" in found) is speaks


@pytest.mark.skipif(version.is_compiled(), reason="compiled functions have no docstring, and cannot be switched off")
def test_each_guess_is_measured_and_says_what_it_is_good_for() -> None:
    """A guess that joins is measured: `python tests/benchmarks/guesses.py TRUTH.json NAME=FOLDER... --only GUESS --record`."""
    known = guesses.guesses()
    record = json.loads(guesses.RECORD.read_text(encoding="utf-8"))
    assert list(record["guesses"]) == [name for name in known if name not in record["not measured yet"]]
    assert {*record["guesses"], *record["not measured yet"]} == known.keys()
    assert [name for name, guess in known.items() if not guess.__doc__] == []
    for row in (each[key] for each in record["guesses"].values() for key in ("all", "hot")):
        assert row["right"] >= 0 <= row["wrong"]
        assert row["without"]["true"] + row["without"]["false"] > 0
