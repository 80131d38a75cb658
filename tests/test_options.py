"""Branches that an option switches off: what is found there is a hint, and says which option."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest
from same_settings import SameSettings

from torchperf_lint import version
from torchperf_lint.config.config import Config
from torchperf_lint.config.selection import Layer, chosen
from torchperf_lint.facts.context import option_values
from torchperf_lint.facts.project import given_keys
from torchperf_lint.model.finding import Finding, Severity
from torchperf_lint.run.lint_file import LintFile, lint_bytes
from torchperf_lint.run.run_files import over

CONFIG = Config(root=Path("/nowhere"), rules=chosen([Layer(select=("TPL102",))]), cache=False)
LAYER = """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, scale: float{option}):
        super().__init__()
        self.scale = scale
        self.option = {held}

    def forward(self, x: torch.Tensor{given}):
        {test}
            return x * x.sum().item()
        return x * self.scale


def make():
    return [Layer({made}) for _ in range(9)]
"""


def found(**parts: str) -> Finding:
    filled = {"option": "", "held": "option", "given": "", "made": "2.0", **parts}
    (finding,) = lint_bytes(LAYER.format(**filled).encode(), "layer.py", CONFIG)
    return finding


@pytest.mark.parametrize(
    "parts",
    [
        {"option": ", option=None", "test": "if self.option is not None:"},
        {"option": ", option=False", "test": "if self.option:"},
        {"option": ", option=False", "test": "if self.option and x.ndim == 2:"},
        {"option": ", option=True", "test": "if not self.option:"},
        {"option": ', option="none"', "test": 'if self.option == "sum":'},
        {"option": ", option=False", "test": "if self.option:", "made": "2.0, option=False"},
        {"option": ", option=True", "test": "if self.option:", "made": "2.0, False"},
        {"option": ", option=None", "test": "if self.option is None:", "made": "2.0, option=make_option()"},
        {"option": ', option="none"', "test": 'match self.option:\n          case "sum":'},
        {"given": ", exact: bool = False", "held": "0", "test": "if exact:"},
        {"given": ", most: int | None = None", "held": "0", "test": "if most is not None:"},
    ],
    ids=str,
)
def test_an_option_that_is_off_makes_a_hint(parts: dict[str, str]) -> None:
    finding = found(**parts)
    assert finding.severity is Severity.INFO
    assert any("so that this branch does not run" in note.message for note in finding.because)


@pytest.mark.parametrize(
    "parts",
    [
        {"option": ", option=None", "test": "if self.option is None:"},
        {"option": ", option=True", "test": "if self.option:"},
        {"option": ', option="sum"', "test": 'match self.option:\n          case "sum":'},
        {"option": ', option="none"', "test": "match self.option:\n          case _:"},
        {"option": ", option=True", "test": "if not self.option or x.ndim == 2:"},
        {"option": ", option=False", "test": "if self.option:", "made": "2.0, option=True"},
        {"option": ", option=False", "test": "if self.option:", "made": "2.0, choose()"},
        {"option": ", option=False", "test": "if self.option:", "made": "2.0, **settings"},
        {"option": ", option", "test": "if self.option:", "made": "2.0, 1"},
        {"option": ", option=None", "held": "option or 3", "test": "if self.option is not None:"},
        {"given": ", labels: torch.Tensor | None = None", "held": "0", "test": "if labels is not None:"},
        {"given": ", mask=None", "held": "0", "test": "if mask is not None:"},
        {"held": "0", "test": "if x.ndim == 2:"},
    ],
    ids=str,
)
def test_what_may_be_on_is_none(parts: dict[str, str]) -> None:
    assert found(**parts).severity is Severity.WARNING


SCRIPT = """\
import argparse
from dataclasses import dataclass, field
import torch
from torch import nn

CHECK, WEIGHT, ON = False, 1.0, 1
PENALTY = 0.0


@dataclass
class Config:
    penalty: float = field(default=0.0)
    exact: bool = False
    factor: float = 2.0


class Layer(nn.Module):
    def __init__(self, config: Config, drop: float = 0.0):
        super().__init__()
        self.config = config
        self.drop = drop

    def forward(self, x: torch.Tensor, args):
        if {test}:
            return x * x.sum().item()
        return x


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--keep", action="store_false")
    parser.add_argument("--grad-clip", type=float, default=0.0)
    parser.add_argument("--size", type=int, default=3)
    parser.add_argument("--needed", type=int, required=True)
    args = parser.parse_args()
    layers = [Layer({made}) for _ in range(9)]
    return layers[0](torch.zeros(3), args)
"""


def of_script(test: str, made: str = "Config()") -> Finding:
    (finding,) = lint_bytes(SCRIPT.format(test=test, made=made).encode(), "layer.py", CONFIG)
    return finding


@pytest.mark.parametrize(
    "test",
    [
        "PENALTY > 0.0", "PENALTY", "self.config.penalty > 0", "self.config.exact", "self.drop > 0.0", "0.5 <= 1 and self.drop >= 1",
        "args.exact", "args.grad_clip > 0", "not args.keep", "self.config.factor < 1",
    ],
)  # fmt: skip
def test_an_option_of_a_file_a_dataclass_or_a_command_line_that_is_off_makes_a_hint(test: str) -> None:
    finding = of_script(test)
    assert finding.severity is Severity.INFO
    assert any("so that this branch does not run" in note.message for note in finding.because)


@pytest.mark.parametrize(
    "test",
    [
        "PENALTY >= 0.0",
        "self.config.factor > 1",
        "args.keep",
        "args.size > 1",
        "args.needed > 1",
        "args.other",
        "WEIGHT > 0",
    ],
)
def test_an_option_that_is_on_or_that_nobody_knows_is_none(test: str) -> None:
    assert of_script(test).severity is Severity.WARNING


@pytest.mark.parametrize(
    ("declared", "test", "is_told"),
    [
        ("type=bool, default=True", "not args.exact", False),
        ("type=bool, default=False", "args.exact", True),
        ("action='store_false'", "not args.exact", True),
    ],
)
def test_a_switch_that_no_word_on_the_command_line_turns_off(declared: str, test: str, is_told: bool) -> None:
    text = SCRIPT.format(test=test, made="Config()").replace('"--exact", action="store_true"', f'"--exact", {declared}')
    assert bool(lint_bytes(text.encode(), "layer.py", CONFIG)) is is_told


def test_a_field_that_the_file_sets_is_no_option() -> None:
    assert of_script("self.config.penalty > 0", made="Config(penalty=2.0)").severity is Severity.WARNING


MERGED = """\
import torch
from torch import nn


class Layer(nn.Module):
    def merge(self, x: torch.Tensor, safe: bool = False):
        merged = x * 2
        if {test}:
            raise ValueError("not a number")
        return merged

    def unload(self, x, safe):
        return self.merge(x, safe)

    def forward(self, x):
        return self.merge(x{passed}) + self.weight


layers = [Layer().cuda() for _ in range(9)]
"""


@pytest.mark.parametrize("test", ["safe and merged.isnan().any()", "not (not safe or not merged.isnan().any())"])
def test_the_call_that_runs_often_decides_what_an_option_is(test: str) -> None:
    """Another call, of which nobody says that it runs often, may hand on what it is given."""
    (off,) = lint_bytes(MERGED.format(test=test, passed="").encode(), "layer.py", CONFIG)
    assert off.severity is Severity.INFO
    assert any("leave `safe` so that" in note.message for note in off.because)
    (on,) = lint_bytes(MERGED.format(test=test, passed=", True").encode(), "layer.py", CONFIG)
    assert on.severity is Severity.WARNING


HELPERS = """\
import torch
from torch import nn


def packed(x: torch.Tensor):
    return shortened(x) + 1


def shortened(x: torch.Tensor):
    return x * x.sum().item()


class Layer(nn.Module):
    def __init__(self, pack: bool = False):
        super().__init__()
        self.pack = pack

    def forward(self, x: torch.Tensor):
        if self.pack:
            x = packed(x)
        return {rest}


def make():
    return [Layer() for _ in range(9)]
"""


def test_what_is_called_only_behind_an_option_is_behind_it_too() -> None:
    (off,) = lint_bytes(HELPERS.format(rest="x").encode(), "layer.py", CONFIG)
    assert off.severity is Severity.INFO
    assert any("leave `self.pack` so that" in note.message for note in off.because)
    (on,) = lint_bytes(HELPERS.format(rest="shortened(x)").encode(), "layer.py", CONFIG)
    assert on.severity is Severity.WARNING


MEASURED = """\
import torch


{head}
def {name}(model: torch.nn.Module, data):
    total = 0.0
    for x in torch.utils.data.DataLoader(data):
        loss = model(x.cuda(non_blocking=True)).sum()
        {work}
        total += loss.item()
    return total
"""
TIMED = Config(root=Path("/nowhere"), rules=chosen([Layer(select=("TPL101",))]), cache=False)


@pytest.mark.parametrize(
    ("parts", "is_evaluation"),
    [
        ({"name": "validate", "head": "@torch.no_grad()", "work": "loss = loss * 2"}, True),
        ({"name": "_eval_step", "head": "@torch.no_grad()", "work": "loss = loss * 2"}, True),
        ({"name": "test", "head": "", "work": "loss = loss * 2"}, True),
        ({"name": "validate", "head": "", "work": "loss.backward()"}, False),
        ({"name": "contest", "head": "@torch.no_grad()", "work": "loss = loss * 2"}, False),
        ({"name": "sample", "head": "@torch.no_grad()", "work": "loss = loss * 2"}, False),
    ],
    ids=str,
)
def test_what_was_measured_of_a_training_step_is_not_said_of_an_evaluation(
    parts: dict[str, str], is_evaluation: bool
) -> None:
    (finding,) = lint_bytes(MEASURED.format(**parts).encode(), "layer.py", TIMED)
    assert finding.severity is (Severity.WARNING if "backward" in parts["work"] else Severity.INFO)
    assert any("an evaluation, by its name" in note.message for note in finding.because) is is_evaluation


SCORED = """\
import torch


def evaluate(loss, losses):
    losses.append(loss.item())


def train(model: torch.nn.Module, loader: torch.utils.data.DataLoader, optimizer):
    losses = []
    for x in loader:
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        for i in range(x.shape[0]):
            evaluate(loss, losses)
    return losses
"""


def test_what_a_training_step_evaluates_is_part_of_it() -> None:
    (finding,) = lint_bytes(SCORED.encode(), "layer.py", TIMED)
    assert finding.severity is Severity.WARNING


PARTS = """\
import torch
from torch import nn


class Depth(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor):
        return self.{name}(x)

    def {name}(self, x: torch.Tensor):
        depth = self.layer(x)
        assert (depth == 0).sum() == 0
        return depth
"""
IN_FORWARD = Config(root=Path("/nowhere"), rules=chosen([Layer(select=("TPL102",))]), cache=False)


@pytest.mark.parametrize(
    ("name", "is_evaluation"),
    [("simple_test", True), ("image_eval_step", True), ("validate_sizes", False), ("latest", False)],
)
def test_a_method_that_tests_is_an_evaluation_of_one_batch(name: str, is_evaluation: bool) -> None:
    (finding,) = lint_bytes(PARTS.format(name=name).encode(), "layer.py", IN_FORWARD)
    assert any("an evaluation" in note.message for note in finding.because) is is_evaluation


LEFT = """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, before=False):
        super().__init__()
        self.before = before

    def forward(self, x: torch.Tensor):
        if self.before:
            return x * 2
        {shown}
        return self.after(x)

    def after(self, x: torch.Tensor):
        return x * x.sum().item()


nets = [Layer(before={before}) for _ in range(9)]
"""


@pytest.mark.parametrize(("before", "severity"), [(True, Severity.INFO), (False, Severity.WARNING)])
@pytest.mark.parametrize("shown", ["pass", "x = x * x.max().item()"])
def test_what_stands_behind_an_early_return_that_is_always_taken_is_a_hint(
    before: bool, severity: Severity, shown: str
) -> None:
    found = lint_bytes(LEFT.format(before=before, shown=shown).encode(), "layer.py", IN_FORWARD)
    assert {each.severity for each in found} == {severity}


CRITERION = """\
import torch
from torch import nn


class Criterion(nn.Module):
    def __init__(self, args):
        super().__init__()
        if {test}:
            self.sink = open(args.save)
        else:
            self.sink = None

    @staticmethod
    def add_args(parser):
        parser.add_argument("--save", metavar="FILE")
        parser.add_argument("--depth", default=3)

    def forward(self, x: torch.Tensor):
        if self.sink is not None:
            return x * x.sum().item()
        return x
"""


def is_off(finding: Finding) -> bool:
    return any("so that this branch does not run" in note.message for note in finding.because)


@pytest.mark.parametrize(
    ("test", "is_by_default"),
    [
        ("args.save is not None", False),
        ("getattr(args, 'other', None) is not None", False),
        ("getattr(args, 'other', 'x') is not None", True),
        ("args.depth", True),
        ("args.other", True),
    ],
)
def test_an_attribute_that_an_option_of_the_command_line_sets(test: str, is_by_default: bool) -> None:
    (finding,) = lint_bytes(CRITERION.format(test=test).encode(), "criterion.py", CONFIG)
    assert is_off(finding) is not is_by_default


@pytest.mark.parametrize("is_by_default", [True, False])
def test_an_option_that_a_caller_reads_with_a_default(is_by_default: bool) -> None:
    given = f"2.0, option=getattr(args, 'option', {is_by_default})"
    assert is_off(found(option=", option=False", test="if self.option:", made=given)) is not is_by_default


def test_an_option_that_is_chosen_where_it_is_not_given() -> None:
    text = LAYER.format(option=", option=None", held="option", given="", test="if self.option:", made="2.0")
    chosen = "        if not self.option:\n            self.option = 'most' if scale else 'least'\n"
    (finding,) = lint_bytes(text.replace("    def forward", f"{chosen}\n    def forward").encode(), "layer.py", CONFIG)
    assert finding.severity is Severity.WARNING


KEPT = """\
import torch
from torch import nn


class Layer(nn.Module):
    exact = False

    def __init__(self, fast=True, act="relu", bias=None):
        super().__init__()
        self.use_compiled = False
        self.slow = not fast
        self.has_bias = bias is not None
        self.act = act

    def forward(self, x: torch.Tensor):
        exact = self.exact
        if {test}:
            return x * x.sum().item()
        return x


{more}
layers = [Layer({made}) for _ in range(9)]
"""


def of_kept(test: str, more: str = "", made: str = "") -> bool:
    (finding,) = lint_bytes(KEPT.format(test=test, more=more, made=made).encode(), "layer.py", CONFIG)
    assert (finding.severity is Severity.INFO) is is_off(finding)
    return is_off(finding)


@pytest.mark.parametrize(
    "test",
    [
        "self.use_compiled", "self.exact", "exact", "self.slow", "self.has_bias",
        "self.act in ('mish', 'gelu')", "self.act not in ('relu', 'gelu')",
    ],
)  # fmt: skip
def test_an_attribute_that_holds_one_constant_or_what_an_option_makes_of_it(test: str) -> None:
    assert of_kept(test)


@pytest.mark.parametrize(
    ("test", "more", "made"),
    [
        ("not self.use_compiled", "", ""),
        ("not self.slow", "", ""),
        ("self.act in ('relu', 'gelu')", "", ""),
        ("self.slow", "", "fast=False"),
        ("self.has_bias", "", "bias=1"),
        ("self.use_compiled", "def on(layer):\n    layer.use_compiled = True", ""),
        ("self.use_compiled", "def on(layer, name):\n    setattr(layer, name, True)", ""),
        ("self.exact", "class Exact(Layer):\n    exact = True", ""),
        ("self.use_compiled", "class Heir(Layer):\n    def on(self):\n        self.use_compiled = True", ""),
    ],
)
def test_an_attribute_that_somebody_sets_may_be_on(test: str, more: str, made: str) -> None:
    assert not of_kept(test, more, made)


@pytest.mark.parametrize("used", ["net.use_compiled = True", "net.use = True"])
def test_an_attribute_that_another_file_says_may_be_on(tmp_path: Path, used: str) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "layer.py").write_text(KEPT.format(test="self.use_compiled", more="", made=""))
    (tmp_path / "use.py").write_text(f"from layer import Layer\n\nnet = Layer()\n{used}\n")
    layer = (tmp_path / "layer.py").read_text()
    assert is_off(in_project(tmp_path, layer=layer)) is (used == "net.use = True")


def test_an_attribute_that_a_file_far_away_says_may_be_on(tmp_path: Path) -> None:
    layer = KEPT.format(test="self.use_compiled", more="", made="")
    build = "from layer import Layer\n\n\ndef build():\n    return Layer()\n"
    train = "from build import build\n\nnet = build()\nnet.use_compiled = True\n"
    assert not is_off(in_project(tmp_path, layer=layer, build=build, train=train))


def in_project(folder: Path, **files: str) -> Finding:
    (folder / "pyproject.toml").write_text("")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    path = folder / "layer.py"
    config = Config(root=folder, rules=chosen([Layer(select=("TPL102",))]), cache=False)
    (finding,) = lint_bytes(path.read_bytes(), str(path), config)
    return finding


MAIN = """\
from layer import Layer

if __name__ == "__main__":
    layers = [Layer() for _ in range(9)]
    {used}
"""
SET = "\n\ndef anew(self, value):\n        self.use_compiled = value\n"


@pytest.mark.parametrize("used", ["layers[0].anew(1)", "layers[0](1)"])
def test_a_method_that_nobody_calls_sets_nothing(tmp_path: Path, used: str) -> None:
    layer = KEPT.format(test="self.use_compiled", more="", made="")
    layer = layer.replace("    def forward", f"    {SET.strip()}\n\n    def forward")
    assert is_off(in_project(tmp_path, layer=layer, main=MAIN.format(used=used))) is (used == "layers[0](1)")


HEADS = """\
import torch
from torch import nn


class Head(nn.Module):
    def losses(self, x: torch.Tensor):
        return x * x.sum().item()

    def forward(self, x: torch.Tensor):
        return self.losses(x)


class MaskHead(Head):
    def {name}(self, x):
        return {given}
"""
MADE = """\
from layer import Head, MaskHead


class Other(Head):
    def losses(self, x):
        return x


if __name__ == "__main__":
    heads = [{made}() for _ in range(9)]
    assert isinstance(heads[0], Head)
"""


@pytest.mark.parametrize(
    ("name", "given", "made", "is_hint"),
    [
        ("losses", "x", "MaskHead", True),
        ("losses", "x", "Other", True),
        ("losses", "x", "Head", False),
        ("others", "x", "MaskHead", False),
        ("losses", "super().losses(x)", "MaskHead", False),
        ("losses", "Head.losses(self, x)", "MaskHead", False),
    ],
)
def test_a_method_that_all_who_have_it_override_makes_a_hint(
    tmp_path: Path, name: str, given: str, made: str, is_hint: bool
) -> None:
    layer = HEADS.format(name=name, given=given)
    finding = in_project(tmp_path, layer=layer, main=MADE.format(made=made))
    assert any("this one runs instead" in each.message for each in finding.because) is is_hint
    assert finding.severity is Severity.INFO or not is_hint


SETTINGS = """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.exact = cfg.get("exact", {default})
        self.cfg = cfg

    def forward(self, x: torch.Tensor):
        if {test}:
            return x * x.sum().item()
        return x


def make(cfg):
    {more}
    return [Layer(cfg) for _ in range(9)]
"""


@pytest.mark.parametrize(
    ("test", "texts", "is_hint"),
    [
        ("self.exact", ["model:\n  exact: false\n"], True),
        ("self.cfg.exact", ["exact: null\n", "exact: 0\n"], True),
        ("self.cfg['model']['exact'] is not None", ['{"exact": null, "other": 1}\n'], True),
        ("self.cfg.get('exact')", ["exact: false\n"], True),
        ("self.cfg.get('exact', 'x' in y)", ["exact: false\n"], False),
        ("self.exact", [], False),
        ("self.exact", ["exact: false\n", "exact: true\n"], False),
        ("self.exact", ["exact: false\n", "python train.py --exact\n"], False),
        ("self.exact", ["exact: false\n", "python train.py -exact 1\n"], False),
        ("self.exact", ["exact:\n  more: false\n"], False),
        ("not self.exact", ["exact: false\n"], False),
        ("x.exact", ["exact: false\n"], False),
    ],
)
def test_what_all_settings_of_a_project_switch_off(tmp_path: Path, test: str, texts: list[str], is_hint: bool) -> None:
    settled(tmp_path, *texts)
    layer = SETTINGS.format(test=test, default=False, more="")
    assert is_off(in_project(tmp_path, layer=layer, main="import layer\n")) is is_hint


def settled(folder: Path, *texts: str) -> None:
    (folder / "README.md").write_text("A program.\n")
    for number, text in enumerate(texts):
        (folder / f"settings{number}.yaml").write_text(text)


@pytest.mark.parametrize(
    ("default", "more", "is_hint"),
    [
        (False, "cfg['lr'] = 1", True),
        (True, "", False),
        (False, "cfg['exact'] = True", False),
        (False, "cfg.exact = True", False),
        (False, "cfg.update({'exact': True})", False),
        (False, "cfg.update(exact=True)", False),
        (False, "parser.add_argument('--exact', default=True)", False),
        (False, "setattr(cfg, name, True)", False),
        (False, "note(exact=cfg.exact)", True),
        (False, "note(exact=cfg.other)", False),
    ],
)
def test_what_the_file_itself_may_switch_on(tmp_path: Path, default: bool, more: str, is_hint: bool) -> None:
    settled(tmp_path, "exact: false\n")
    layer = SETTINGS.format(test="self.exact", default=default, more=more)
    assert is_off(in_project(tmp_path, layer=layer, main="import layer\n")) is is_hint


def test_what_another_file_says_may_be_on_whatever_settings_say(tmp_path: Path) -> None:
    settled(tmp_path, "exact: false\n")
    main = "import layer\n\nlayer.make({}).exact = True\n"
    layer = SETTINGS.format(test="self.exact", default=False, more="")
    assert not is_off(in_project(tmp_path, layer=layer, main=main))


@pytest.mark.parametrize(
    ("defaults", "text", "is_hint"),
    [
        ("_C.MODEL.EXACT = False", "MODEL:\n  KIND: net\n", True),
        ("_C.MODEL.EXACT = False\n_C.TEST.EXACT = None  # asked nowhere", "MODEL: {EXACT: false}\n", True),
        ("_C.MODEL.EXACT = False", "MODEL:\n  EXACT: true\n", False),
        ("_C.MODEL.EXACT = False", "python train.py MODEL.EXACT False\n", True),
        ("_C.MODEL.EXACT = False", "python train.py MODEL.EXACT True\n", False),
        ("_C.MODEL.EXACT = False or IS_EXACT", "", False),
        ("_C.MODEL.EXACT = True", "EXACT: false\n", False),
        ("_C.MODEL.EXACT = False\ncfg.MODEL.EXACT = args.exact", "", False),
        ("_C.MODEL.EXACT = False\ncfg.merge_from_list(['MODEL.EXACT', True])", "", False),
        ("_C.MODEL.EXACT = False\ncfg.update(EXACT=True)", "", False),
        ("_C.MODEL.EXACT = False\nassert not cfg.MODEL.EXACT == 'a'", "", True),
        ("print(cfg.MODEL.EXACT)", "", False),
    ],
)
def test_what_a_tree_of_settings_in_a_program_switches_off(
    tmp_path: Path, defaults: str, text: str, is_hint: bool
) -> None:
    settled(tmp_path, text)
    layer = SETTINGS.format(test="self.cfg.MODEL.EXACT", default=False, more="")
    assert is_off(in_project(tmp_path, layer=layer, main="import layer\n", defaults=defaults)) is is_hint


@pytest.mark.parametrize(
    ("test", "line", "text", "is_hint"),
    [
        ("args.exact", "'-e', '--exact', action='store_true', help='(slow)'", "", True),
        ("args.exact", "'--exact', action='store_true'", "python main.py --exact\n", False),
        ("args.exact", "'--exact', action='store_true'", "python main.py --other\n", True),
        ("not args.exact", "'--exact', action='store_false'", "", True),
        ("args.exact", "'--exact', type=int, default=1", "", False),
        ("args.exact", "'--exact', type=as_bool, default='False'", "", False),
        ("args.exact is not None", "'--exact', nargs='+'", "", False),
        ("args.kind == 'full'", "'--kind', default='window', choices=('window', 'full')", "", True),
        ("args.kind == 'full'", "'--kind', default='window'", "python main.py --kind=window --more 3\n", True),
        ("args.kind == 'full'", "'--kind', default='window'", "python main.py --kind full \\\n --more\n", False),
        ("args.kind == 'full'", "'--kind', default='window'", "python main.py --kind $KIND\n", False),
        ("args.kind == 'full'", "'--kind', default='window'", "kind: full\n", False),
        ("args.kind == 'full'", "'--kind', required=True", "", False),
        ("args.kind == 'full'", "'--kind', default='window')\nmake({'kind': args.kind}", "", True),
        ("args.kind == 'full'", "'--kind', default='window')\nmake({'kind': args.other}", "", False),
        ("args.kind == 'full'", "'--kind', default='window')\nmake({'kind': args.kind + more}", "", False),
        ("args.kind == 'full'", "'--kind', default='window')\ncfg.kind = args.kind\nprint(cfg", "", True),
        ("args.kind == 'full'", "'--kind', default='window')\ncfg.kind = kinds[0]\nprint(cfg", "", False),
        ("args.kind == 'full'", "'--kind', default='window')\nparser.set_defaults(kind=kind", "", False),
        ("args.kind == 'full'", "'--kind', default='window')\nsetattr(args, 'kind', f(3)", "", False),
        ("args.kind == 'full'", "'--kind', default='window')\nos.system('main.py --kind full'", "", False),
    ],
)
def test_what_a_command_line_of_another_file_leaves_off(
    tmp_path: Path, test: str, line: str, text: str, is_hint: bool
) -> None:
    settled(tmp_path, text)
    layer = SETTINGS.replace("cfg", "args").format(
        test=f"self.{test}".replace("self.not ", "not self."), default=False, more=""
    )
    main = f"import layer\n\nparser.add_argument({line})\n"
    assert is_off(in_project(tmp_path, layer=layer, main=main)) is is_hint


FIELDS = """\
from dataclasses import dataclass, field

@dataclass
class Arguments:
    depth: int = 3
    {field}
    name: str = "net"  # of the model
"""
EXACT = 'exact: bool = field(metadata={"help": "sum (slow)"}, default=False)'


@pytest.mark.parametrize(
    ("field", "more", "is_hint"),
    [
        (EXACT, "", True),
        ("exact: bool = field(default=False)", "", True),
        ("exact: Optional[bool] = None  # by hand", "", True),
        ("exact: bool = dataclasses.field(default=False)", "kept = Arguments(exact=args.exact)", True),
        (EXACT, "args = Arguments(exact=True)", False),
        (EXACT, "args = Arguments(\n    depth=2,\n    exact=2 in kinds,\n)", False),
        (EXACT, "args.exact = True", False),
        (EXACT, "parser.add_argument('--exact', default=True)", False),
        ("exact: bool = field(default=True)", "", False),
        ("exact: bool = field(default_factory=choose)", "", False),
        ("exact: bool = choose()", "", False),
        ("exact: bool", "", False),
    ],
)
def test_what_a_dataclass_of_another_file_leaves_off(tmp_path: Path, field: str, more: str, is_hint: bool) -> None:
    settled(tmp_path, "depth: 4\n")
    layer = SETTINGS.replace("cfg", "args").format(test="self.args.exact", default=False, more="")
    main = f"import layer\n\n{more}\n"
    fields = FIELDS.format(field=field)
    assert is_off(in_project(tmp_path, layer=layer, main=main, fields=fields)) is is_hint


def test_a_file_that_comes_and_gives_a_field_another_value_asks_again(tmp_path: Path) -> None:
    settled(tmp_path, "depth: 4\n")
    layer = SETTINGS.replace("cfg", "args").format(test="self.args.exact", default=False, more="")
    in_project(tmp_path, layer=layer, main="import layer\n", fields=FIELDS.format(field=EXACT))
    rules = chosen([Layer(select=("TPL102",))])
    for is_hint in (True, True, False):
        (done,) = over([str(tmp_path / "layer.py")], LintFile(SameSettings(Config(root=tmp_path, rules=rules))))
        assert is_off(done.findings[0]) is is_hint
        if (tmp_path / "seen").exists():
            (tmp_path / "new.py").write_text("from fields import Arguments\n\nargs = Arguments(exact=True)\n")
        (tmp_path / "seen").write_text("")


def test_a_script_that_sets_a_field_of_a_dataclass_switches_it_on(tmp_path: Path) -> None:
    settled(tmp_path, "python train.py --exact True\n")
    layer = SETTINGS.replace("cfg", "args").format(test="self.args.exact", default=False, more="")
    assert not is_off(in_project(tmp_path, layer=layer, main="import layer\n", fields=FIELDS.format(field=EXACT)))


RAISED = """\
import torch

def raised(x: torch.Tensor, path):
    return x * x.sum().item()
"""
RAISING = """\
from torch import nn

from layer import raised


class Net(nn.Module):
    def __init__(self, path, is_kept=False):
        super().__init__()
        self.path = path
        self.is_kept = is_kept

    def forward(self, x):
        {before}
            x = raised(x, self.path)
        return x


def main(loader, optimizer):
    nets = nn.ModuleList(Net("kept") for _ in range(9))
    for x in loader:
        for net in nets:
            x = net(x)
        x.sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("before", "is_hint"), [("if self.is_kept:", True), ("if x.ndim == 3:", False)])
def test_a_function_that_other_files_call_behind_an_option_alone(tmp_path: Path, before: str, is_hint: bool) -> None:
    (finding,) = with_callers(tmp_path, layer=RAISED, main=RAISING.format(before=before))
    assert is_off(finding) is is_hint


def test_settings_that_change_are_read_again(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    path = tmp_path / "layer.py"
    path.write_text(SETTINGS.format(test="self.exact", default=False, more=""))
    rules = chosen([Layer(select=("TPL102",))])
    for told in ("false", "false", "true", "false", "false\nother:\n  exact: true"):
        settled(tmp_path, f"exact: {told}\n")
        (done,) = over([str(path)], LintFile(SameSettings(Config(root=tmp_path, rules=rules))))
        assert is_off(done.findings[0]) is (told == "false")


def test_keys_of_settings_take_no_square_of_their_length() -> None:
    for text in (
        b"a",
        b"a:",
        b"--a-",
        b"a ",
        b"- ",
        b"a=0,",
        b"'a': ",
        b"\t",
        b".A ",
        b"A =",
        b"'a.",
        b"'A",
        b"\n dataclass: a=field(",
        b"\n dataclass:b = c",
    ):
        taken = []
        for length in (50_000, 100_000):
            before = time.process_time()
            given_keys.of(text * length)
            given_keys.of_program(text * length)
            taken.append(time.process_time() - before)
        assert taken[1] < 4 * taken[0] + 0.05, text


def test_a_number_that_python_does_not_read_is_no_constant() -> None:
    assert given_keys.of(b"exact: " + b"1" * 5_000) == {b"exact=given"}
    assert given_keys.of(b"exact: +1.50") == {b"exact=1.5"}


CHAIN = """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, kind="window"):
        super().__init__()
        self.kind = kind

    def forward(self, x: torch.Tensor, splits=None):
        if self.kind == "window" and splits > 1:
            return x
        return x * x.sum().item()


class Stack(nn.Module):
    def __init__(self, kind="window"):
        super().__init__()
        self.layers = nn.ModuleList([Layer(kind=kind) for _ in range(9)])

    def forward(self, x, splits=None):
        for layer in self.layers:
            x = layer(x, splits=splits)
        return x
"""
NET = """\
from torch import nn

from layer import Stack


class Net(nn.Module):
    def __init__(self, kind="window", splits=({splits},), **more):
        super().__init__()
        self.kind = kind
        self.splits = splits
        self.stack = Stack(kind=self.kind)

    def forward(self, x):
        for each in range(2):
            count = self.splits[each]
            x = self.stack(x, splits={given})
        return x


class Large(Net):
    def __init__(self, kind="{kind}", splits=(2, 8), **more):
        super().__init__(kind, splits, **more)
"""


@pytest.mark.parametrize(
    ("parts", "is_hint"),
    [({}, True), ({"splits": "1, 2"}, False), ({"kind": "full"}, False), ({"given": "x.shape[0]"}, False)],
)
def test_what_constants_leave_off_that_are_handed_on_from_class_to_class(
    tmp_path: Path, parts: dict[str, str], is_hint: bool
) -> None:
    net = NET.format(**{"splits": "2", "kind": "window", "given": "count", **parts})
    (finding,) = with_callers(tmp_path, layer=CHAIN, net=net)
    assert is_off(finding) is is_hint


def with_callers(folder: Path, **files: str) -> tuple[Finding, ...]:
    """What is found in `layer.py` after a look at who calls it from other files."""
    (folder / "pyproject.toml").write_text("")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    config = Config(root=folder, rules=CONFIG.rules, cache=False)
    (done,) = over([str(folder / "layer.py")], LintFile(SameSettings(config)))
    return tuple(done.findings)


LENGTHS = """\
import torch


def to_mask(lengths: torch.Tensor, most: int | None = None):
    longest = lengths.max().item() if {test} else most
    return torch.arange(longest, device=lengths.device) < lengths[:, None]
"""
MASKED = """\
from torch import nn

from layer import to_mask


class Net(nn.Module):
    def forward(self, x, lengths):
        return x * to_mask(lengths{most})


def once(lengths):
    return to_mask(lengths)
"""


@pytest.mark.parametrize("test", ["not most", "most is None"])
@pytest.mark.parametrize(("most", "is_said"), [("", True), (", most=x.shape[1]", False), (", x.size(1)", False)])
def test_a_call_that_passes_what_keeps_control_away_shows_not_that_code_is_hot(
    tmp_path: Path, test: str, most: str, is_said: bool
) -> None:
    found = with_callers(tmp_path, layer=LENGTHS.format(test=test), net=MASKED.format(most=most))
    assert bool(found) is is_said


COUNTED = """\
import torch


def degrees(rows: torch.Tensor, count: int | None = None):
    if count is None:
        count = rows.max().item() + 1
    return torch.zeros(count, device=rows.device).index_add_(0, rows, rows.float())


def shares(count, rows: torch.Tensor):
    return 1 / degrees(rows, count)
"""
SHARED = """\
from torch import nn

from layer import degrees, shares


class Net(nn.Module):
    def forward(self, x, rows, sizes):
        total, _ = x.shape
        return x * shares(sizes.total, rows) * shares({given}, rows) * degrees(rows, total)
"""


@pytest.mark.parametrize(("given", "is_said"), [("sizes.rows", False), ("None", True)])
def test_what_a_function_has_to_be_given_is_handed_on_as_something(tmp_path: Path, given: str, is_said: bool) -> None:
    found = with_callers(tmp_path, layer=COUNTED, net=SHARED.format(given=given))
    assert bool(found) is is_said


def test_what_is_bound_anew_before_it_is_asked_is_not_what_was_passed(tmp_path: Path) -> None:
    layer = COUNTED.replace("    if count", "    count = known(count)\n    if count")
    assert with_callers(tmp_path, layer=layer, net=SHARED.format(given="sizes.rows"))


CHOSEN = """\
import argparse

from torch import nn

from layer import Layer


def model_of(name):
    if name == "sum":
        return nn.ModuleList([Layer(), Layer(), Layer(), Layer()])
    return nn.Identity()


def main(name):
    return model_of(name)


parser = argparse.ArgumentParser()
parser.add_argument("--name", default="{default}")
args = parser.parse_args()
main(args.name)
"""
SUMS = (
    CHAIN[: CHAIN.index("class Layer")]
    + """\
class Layer(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * x.sum().item()
"""
)


@pytest.mark.parametrize("default", ["other", "sum"])
def test_a_model_that_users_choose_by_a_name_is_none_that_is_off(tmp_path: Path, default: str) -> None:
    (finding,) = with_callers(tmp_path, layer=SUMS, main=CHOSEN.format(default=default))
    assert not is_off(finding)


CONFIGURED = """\
import torch
from torch import nn


class NetConfig:
    def __init__(self, width=64, kind=0):
        self.width = width
        self.kind = kind


class Layer(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * x.sum().item()


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(9)]) if config.kind == {wanted} else nn.ModuleList()

    def forward(self, x: torch.Tensor):
        for layer in self.layers:
            x = layer(x)
        return x
"""


@pytest.mark.parametrize(
    ("wanted", "main", "is_hint"),
    [
        ("1", "net = Net(NetConfig())", True),
        ("0", "net = Net(NetConfig())", False),
        ("1", "net = Net(NetConfig(kind=1))", False),
    ],
)
def test_the_default_of_a_class_of_settings_tells_which_layers_are_made(
    tmp_path: Path, wanted: str, main: str, is_hint: bool
) -> None:
    text = CONFIGURED.format(wanted=wanted)
    (finding,) = with_callers(tmp_path, layer=text, main=f"from layer import Net, NetConfig\n\n{main}\n")
    assert is_off(finding) is is_hint


BINNED = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, bins: int = 0):
        super().__init__()
        self.bins = bins

    def forward(self, x: torch.Tensor):
        if self.bins > 0:
            return x * x.sum().item()
        return x
"""


@pytest.mark.parametrize(
    ("main", "is_hint"),
    [("import layer\n\nbins = 3\n", True), ("from layer import Net\n\nnets = [Net(bins=3) for _ in '123']\n", False)],
)
def test_the_default_of_a_class_that_no_other_file_makes(tmp_path: Path, main: str, is_hint: bool) -> None:
    (finding,) = with_callers(tmp_path, layer=BINNED, main=main)
    assert is_off(finding) is is_hint


@pytest.mark.skipif(version.is_compiled(), reason="a compiled module keeps its functions")
def test_a_comparison_of_two_things_that_are_no_constants_is_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells nothing: asked of itself, as often as an option may be handed on, it took a thousand questions."""
    asked = []

    def told(*given: object) -> list[object]:
        asked.append(given)
        return []

    monkeypatch.setattr(option_values, "_told", told)
    assert found(test="if x.shape == self.shape:").severity is Severity.WARNING
    of_shape = [option for _, _, option, _ in asked if ast.unparse(option) == "x.shape == self.shape"]
    assert 0 < len(of_shape) <= 4


@pytest.mark.parametrize(
    ("test", "is_evaluation"),
    [
        ("if not self.training:", True),
        ("if x.ndim == 2 and not self.training:", True),
        ("if self.training:\n            x = x * 2\n        else:", True),
        ("if self.training:", False),
        ("if x.ndim == 2 or not self.training:", False),
    ],
)
def test_what_runs_in_evaluation_mode_alone_is_no_part_of_a_training(test: str, is_evaluation: bool) -> None:
    said = [note.message for note in found(test=test).because]
    assert ("in evaluation mode alone: a step of a training was measured" in said) is is_evaluation


BOOK = """\
import torch
from torch import nn


class Book(nn.Module):
    def __init__(self, size: int, threshold: int = 2):
        super().__init__()
        self.threshold = threshold

    def forward(self, x: torch.Tensor):
        if self.threshold == 0:
            return x
        return x * x.sum().item()


class Coder(nn.Module):
    def __init__(self, size: int, threshold: int = 0, affine: bool = False):
        super().__init__()
        settings = {settings}
        if affine:
            settings = dict(**settings, affine=True)
        {between}
        self.book = Book(**settings)

    def forward(self, x: torch.Tensor):
        return self.book(x)


class Stack(nn.Module):
    def __init__(self, depth: int, **rest):
        super().__init__()
        self.coders = nn.ModuleList(Coder({handed}) for _ in range(depth))

    def forward(self, x: torch.Tensor):
        for coder in self.coders:
            x = coder(x)
        return x


stack = Stack(9, {given})
"""


@pytest.mark.parametrize(
    ("parts", "is_hint"),
    [
        ({}, True),
        ({"settings": '{"size": size, "threshold": threshold}', "given": "size=9, affine=True"}, True),
        ({"settings": '{"size": size}'}, False),
        ({"given": "size=9, threshold=3"}, False),
        ({"given": "**read()"}, False),
        ({"handed": "9, 3, **rest"}, False),
        ({"between": 'settings["threshold"] = 3'}, False),
        ({"between": "settings.update(read())"}, False),
        ({"settings": '{**read(), "threshold": threshold}'}, False),
    ],
)
def test_what_dictionaries_and_the_rest_of_keywords_hand_on(parts: dict[str, str], is_hint: bool) -> None:
    usual = {
        "settings": "{'size': size, 'threshold': threshold}",
        "between": "pass",
        "handed": "**rest",
        "given": "size=9",
    }
    (finding,) = lint_bytes(BOOK.format(**{**usual, **parts}).encode(), "book.py", CONFIG)
    assert is_off(finding) is is_hint


NORMS = """\
import torch
from torch import nn


class Norm(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * x.sum().item()


class Net(nn.Module):
    def __init__(self, depth: int, own_norm: bool = {default}):
        super().__init__()
        layers = []
        norm = {otherwise}
        if own_norm:
            norm = Norm
        for _ in range(depth):
            layers += [nn.Linear(8, 8), norm(8)]
        self.layers = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor):
        return self.layers(x)


net = Net(9)
"""


@pytest.mark.parametrize(
    ("default", "otherwise", "is_hint"),
    [("False", "nn.BatchNorm1d", True), ("True", "nn.BatchNorm1d", False), ("False", "Norm", False)],
)
def test_a_class_that_is_handed_on_behind_an_option_alone(
    tmp_path: Path, default: str, otherwise: str, is_hint: bool
) -> None:
    (finding,) = with_callers(tmp_path, layer=NORMS.format(default=default, otherwise=otherwise))
    assert is_off(finding) is is_hint


COMMAND = """\
import click

from layer import Net, Other


@click.command()
@click.option("--kind", type=click.Choice(["net", "other"]), default="other")
def main(kind: str = "other"):
    chosen = Other if kind == "other" else Net
    return chosen(9)


main()
"""


@pytest.mark.parametrize("is_command", [True, False])
def test_a_class_that_users_choose_by_an_option_of_a_command_is_none_that_is_off(
    tmp_path: Path, is_command: bool
) -> None:
    layer = NORMS.replace("norm = {otherwise}\n        if own_norm:\n            norm = Norm", "norm = Norm")
    layer = f"{layer.replace('net = Net(9)', '')}\n\nclass Other(nn.Module):\n    pass\n".format(default="True")
    lines = [each for each in COMMAND.splitlines(keepends=True) if is_command or not each.startswith("@")]
    (finding,) = with_callers(tmp_path, layer=layer, main="".join(lines))
    assert is_off(finding) is not is_command


HIT = """\
import torch
from torch import nn


class Book(nn.Module):
    def __init__(self, threshold: int = 0):
        super().__init__()
        self.threshold = threshold

    def replace(self, x: torch.Tensor):
        return x * x.sum().item()

    def forward(self, x: torch.Tensor):
        if self.threshold:
            x = self.replace(x)
        {also}
        return x


books = nn.ModuleList(Book() for _ in range(9))
"""


@pytest.mark.parametrize(("also", "is_said"), [("pass", False), ("x = self.replace(x)", True)])
def test_a_function_that_only_calls_behind_an_option_make_hot(tmp_path: Path, also: str, is_said: bool) -> None:
    others = {f"text{n}": "import layer\n\nname = layer.__name__.replace('a', 'b')\n" for n in range(20)}
    assert bool(with_callers(tmp_path, layer=HIT.format(also=also), **others)) is is_said


LEFT_BEFORE = """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, first=False):
        super().__init__()
        self.first = first

    def after(self, x: torch.Tensor):
        return x * x.sum().item()

    def before(self, x: torch.Tensor):
        return x * x.amax().item()

    def forward(self, x: torch.Tensor):
        if self.first:
            return self.before(x)
        return self.after(x)


class Net(nn.Module):
    def __init__(self, first=False):
        super().__init__()
        self.layers = nn.ModuleList([Layer(first) for _ in range(9)])

    def forward(self, x: torch.Tensor):
        for layer in self.layers:
            x = layer(x)
        return x


def build(args):
    return Net(first={given})
"""
WITH_OPTION = """\
import argparse

from layer import build

parser = argparse.ArgumentParser()
parser.add_argument("--first", action="store_true")
net = build(parser.parse_args()){more}
"""


@pytest.mark.parametrize(
    ("given", "more", "is_hint"),
    [("args.first", "", True), ("True", "", False), ("args.first", "\nargs.first = choose()", False)],
)
def test_an_option_that_a_constructor_hands_on_by_place_though_another_file_says_its_name(
    tmp_path: Path, given: str, more: str, is_hint: bool
) -> None:
    (tmp_path / "README.md").write_text("python main.py\n")
    found = with_callers(tmp_path, layer=LEFT_BEFORE.format(given=given), main=WITH_OPTION.format(more=more))
    assert {each.span.start.line: is_off(each) for each in found}[14] is is_hint


WITHIN = """\
import torch
from torch import nn


class Scores(nn.Module):
    def __init__(self, exact=False):
        super().__init__()
        self.exact = exact

    def forward(self, rows: torch.Tensor):
        {test}

        def row(at: torch.Tensor):
            return at.sum().item()

        def two(at: torch.Tensor):
            return row(at) + row(at)

        def four(at: torch.Tensor):
            return two(at) + two(at)

        return four(rows)


scores = nn.ModuleList(Scores() for _ in range(9))
"""


@pytest.mark.parametrize(("test", "is_hint"), [("if not self.exact:\n            return rows", True), ("pass", False)])
def test_what_is_defined_within_a_function_is_behind_what_that_is_behind(test: str, is_hint: bool) -> None:
    (finding,) = lint_bytes(WITHIN.format(test=test).encode(), "layer.py", CONFIG)
    assert is_off(finding) is is_hint


ONE_OF_TWO = """\
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * x.sum().item()


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(9))


class Net(nn.Module):
    def __init__(self, exact=False):
        super().__init__()
        self.layers = nn.ModuleList(Layer() if exact else nn.ReLU() for _ in range(9))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
"""


@pytest.mark.parametrize(("made", "is_hint"), [("Net()", True), ("Net(), Other()", False)])
def test_who_is_never_made_itself_switches_nothing_on(tmp_path: Path, made: str, is_hint: bool) -> None:
    main = f"from layer import Net, Other\n\nif __name__ == '__main__':\n    nets = [{made}]\n"
    (finding,) = with_callers(tmp_path, layer=ONE_OF_TWO, main=main)
    assert is_off(finding) is is_hint
