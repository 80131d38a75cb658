"""Code that nothing in a project uses: nobody is told of it, unless anybody may use what no file of the project names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from torchperf_lint.cli import main as cli_main

LOSSES = """\
import torch
from torch import nn


class Old(nn.Module):
    def forward(self, x: torch.Tensor):
        return helper(x) if x.cuda().sum() > 0 else x

    def rank(self, x: torch.Tensor):
        return x


def helper(x):
    return x
"""
TRAIN = """\
import losses


def main():
    losses.helper(3)


if __name__ == "__main__":
    main()
"""
NETS = """\
import torch
from torch import nn


class Kept(nn.Module):
    def forward(self, x: torch.Tensor):
        return x

    def never(self, loader, optimizer):
        for x in loader:
            loss = self(x.cuda()).sum()
            loss.backward()
            optimizer.step()
            if loss > 3:
                break
"""

Found = Callable[..., list[tuple[str, int]]]


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Found:
    """The files and lines of the waits that are reported in a project, which is linted twice with one cache."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)

    def lint(files: dict[str, str]) -> list[tuple[str, int]]:
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        said = []
        for _ in range(2):
            cli_main.main([".", "--isolated", "--format", "json", "--cache-dir", str(tmp_path / "cache")])
            findings = json.loads(capsys.readouterr().out)["findings"]
            said.append([(each["path"], each["start"]["line"]) for each in findings])
        assert said[0] == said[1]
        return said[0]

    return lint


def test_a_class_that_no_file_names_is_not_spoken_of(found: Found) -> None:
    assert found({"losses.py": LOSSES, "train.py": TRAIN}) == []


def test_who_takes_all_names_of_a_file_uses_those_that_it_says(found: Found) -> None:
    train = TRAIN.replace("import losses", "from losses import *").replace("losses.helper(3)", "helper(3)")
    train += "    getattr(net, 'x').eval()\n    vars_of(net)\n"
    assert found({"losses.py": LOSSES, "train.py": train}) == []


@pytest.mark.parametrize(
    ("first", "is_silent"),
    [
        ("for _ in range(len(x) / 2): ...", True),
        ("for _ in xrange(3): ...", True),
        ("for _ in range(len(x) // 2): ...", False),
        ("for _ in range(3 if len(x) else xrange(3)): ...", False),
    ],
)
def test_what_only_an_old_python_runs_is_not_spoken_of(found: Found, first: str, is_silent: bool) -> None:
    text = LOSSES.replace("        return helper(x)", f"        {first}\n        return helper(x)") + "\n\nOld()(3)\n"
    assert (found({"losses.py": text}) == []) is is_silent


def test_a_name_that_is_only_given_another_one_is_not_used(found: Found) -> None:
    assert found({"losses.py": LOSSES + "\n\nold = Old.forward\n", "train.py": TRAIN}) == []
    assert found({"train.py": TRAIN.replace("losses.helper", "losses.old")}) == [("losses.py", 7)]


def test_a_file_that_no_file_imports_is_not_spoken_of(found: Found) -> None:
    train = TRAIN.replace("import losses", "import nets").replace("losses.helper", "nets.Old")
    assert found({"losses.py": LOSSES, "nets.py": "class Old: ...\n", "train.py": train}) == []
    assert found({"losses.py": LOSSES + "\n\nOld()(3)\n"}) == [("losses.py", 7)]
    assert found({"losses.py": LOSSES + "\n\nloss = helper(Old()(3))\n"}) == [("losses.py", 7)]
    assert found({"losses.py": LOSSES + "\n\ntry:\n    import fast\nexcept ImportError:\n    helper(Old()(3))\n"}) == [
        ("losses.py", 7)
    ]
    assert found(
        {"losses.py": LOSSES, "run.py": "import sys\nsys.path.append('a')\nfrom a.losses import Old as It\n"}
    ) == [("losses.py", 7)]


@pytest.mark.parametrize(
    ("files", "is_silent"),
    [
        pytest.param(
            {"more.py": "import losses\n\n\nclass More(losses.Old): ...\n"}, True, id="one that nobody imports"
        ),
        pytest.param(
            {"more.py": "import losses\nimport most\n\nkind = losses.Old\n", "most.py": "from more import kind\n"},
            True,
            id="two that import each other",
        ),
        pytest.param(
            {"more.py": "import losses\n\nkind = losses.Old\nprint(kind()(3))\n"}, False, id="one that does something"
        ),
        pytest.param(
            {"more.py": "import losses\n\nkind = losses.Old\n", "run.py": "import more\n\nmore.kind()\n"},
            False,
            id="one that a script imports",
        ),
        pytest.param(
            {"more.py": "import losses\n\nkind = losses.Old\n", "run.py": "print('more')\n"},
            False,
            id="one that a text names",
        ),
        pytest.param({"test_more.py": "import losses\n\n\ndef test_old():\n    losses.Old()(3)\n"}, False, id="a test"),
        pytest.param({"kit/__init__.py": "from losses import Old\n"}, False, id="a package hands on a class of it"),
    ],
)
def test_who_imports_a_file_counts_if_something_runs_it(
    found: Found, files: dict[str, str], *, is_silent: bool
) -> None:
    losses = LOSSES + "\n\nold = Old\n\n\ndef build():\n    return old()\n"
    train = TRAIN.replace("import losses", "import nets").replace("losses.helper", "nets.go")
    assert (found({"losses.py": losses, "nets.py": "def go(x): ...\n", "train.py": train} | files) == []) is is_silent


IMPORTING = "from losses import (\n    Old,\n    helper,\n)\n"


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"run.py": IMPORTING + "\nhelper(3)\n"}, id="another file only imports it"),
        pytest.param({"nets/__init__.py": IMPORTING}, id="a package hands it on, and nobody takes it"),
        pytest.param(
            {"nets/__init__.py": IMPORTING + "\n__all__ = [\n    'Old',\n]\n"}, id="a package says that it gives it"
        ),
        pytest.param({"pyproject.toml": "[tool.ruff]\nline-length = 100\n"}, id="a tool has settings"),
        pytest.param({"pyproject.toml": "[project]\nname = 'x'\nversion = '0'\n"}, id="nothing builds it"),
        pytest.param({"setup.cfg": "[flake8]\nmax-line-length = 100\n"}, id="another tool has settings"),
        pytest.param(
            {"losses.py": LOSSES.replace("nn.Module", "pl.LightningModule") + "\n\nimport pytorch_lightning as pl\n"},
            id="a module of Lightning",
        ),
        pytest.param(
            {"losses.py": LOSSES.replace("return x\n\n\ndef", "return print(locals(), vars())\n\n\ndef")},
            id="a function looks at its own names",
        ),
        pytest.param(
            {"losses.py": LOSSES.replace("return x\n\n\ndef", "raise ValueError(f'Old takes no {x} at all')\n\n\ndef")},
            id="a sentence says it, and a value",
        ),
    ],
)
def test_what_nobody_uses_for_all_that_is_not_spoken_of(found: Found, files: dict[str, str]) -> None:
    assert found({"losses.py": LOSSES, "train.py": TRAIN} | files) == []


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"train.py": TRAIN.replace("losses.helper", "losses.Old")}, id="another file makes it"),
        pytest.param(
            {"nets/__init__.py": IMPORTING, "run.py": "import nets\n\ngetattr(nets, name)()\n"},
            id="looked up in a package that hands it on",
        ),
        pytest.param({"run.py": IMPORTING + "\nmade = eval(name)\n"}, id="imported where a text is evaluated"),
        pytest.param({"run.py": IMPORTING + "\nmade = Old()\n"}, id="another file imports and makes it"),
        pytest.param({"run.py": "from losses import Old as It\n\nIt()\n"}, id="by another name"),
        pytest.param({"run.py": "from . losses import Old\n\nOld()\n"}, id="behind dots and a space"),
        pytest.param(
            {"run.py": "try: from losses import Old\nexcept ImportError: ...\n\nOld()\n"}, id="behind a colon"
        ),
        pytest.param(
            {"pyproject.toml": "[project]\nname = 'x'\n\n[build-system]\nrequires = ['hatchling']\n"}, id="it is built"
        ),
        pytest.param({"setup.cfg": "[metadata]\nname = x\n"}, id="it has a name to install"),
        pytest.param(
            {"look.ipynb": json.dumps({"cells": [{"source": ["from losses import Old\n"]}]})}, id="a notebook has it"
        ),
        pytest.param({"losses.py": LOSSES + "\n\nTABLE = {'old': Old}\n"}, id="a table of its file has it"),
        pytest.param({"losses.py": LOSSES.replace("class Old", "@noted\nclass Old")}, id="a decorator is handed it"),
        pytest.param(
            {"losses.py": LOSSES.replace("class Old", "@register('rank')\nclass Old")}, id="kept by another name"
        ),
        pytest.param(
            {"train.py": TRAIN.replace("losses.helper(3)", "getattr(losses, name)()")}, id="looked up in the module"
        ),
        pytest.param(
            {"pick.py": "from losses import *\n\nmade = globals()['O' + 'ld']\n"}, id="looked up among all names"
        ),
        pytest.param(
            {"pick.py": "from losses import *\n\nmade = eval(name)\n"}, id="a text is evaluated among all names"
        ),
        pytest.param(
            {"pick.py": "import sys\nfrom losses import *\n\nmade = getattr(sys.modules[__name__], name)\n"},
            id="looked up in a file that has taken all names",
        ),
        pytest.param({"setup.py": "from setuptools import setup\n\nsetup()\n"}, id="a package"),
        pytest.param({"train.py": "import losses\n\nlosses.helper(3)\n"}, id="no program"),
        pytest.param({"big.py": "#" * 1_100_000}, id="a file is too large to be read"),
    ],
)
def test_what_may_be_used_is_spoken_of(found: Found, files: dict[str, str]) -> None:
    said = found({"losses.py": LOSSES, "train.py": TRAIN} | files)
    assert [path for path, _ in said] == ["losses.py"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"tests/test_losses.py": "from losses import Old\n\nOld()\n"}, id="a test has it"),
        pytest.param({"losses.py": LOSSES + "\n\n__all__ = ['Old']\n"}, id="it is among what the file gives away"),
        pytest.param(
            {
                "losses.py": LOSSES.replace("    def rank", '    """Old is what it is."""\n\n    def rank')
                + "\n\n__all__ = ['Old']\n"
            },
            id="a sentence says it, too",
        ),
        pytest.param({"losses.py": LOSSES.replace("nn.Module", "plugins.Loss")}, id="its base may remember it"),
        pytest.param(
            {"losses.py": LOSSES + "\n\ndef get(name):\n    return globals()[name]\n"}, id="its file looks names up"
        ),
        pytest.param({"pick.py": "import importlib\n\nimportlib.import_module(name)\n"}, id="names come from texts"),
        pytest.param(
            {"losses.py": LOSSES + "\n\nimport sys\nhere = sys.modules[__name__]\n"}, id="its file has itself"
        ),
    ],
)
def test_what_nothing_of_a_program_is_seen_to_run_gets_no_hints(found: Found, files: dict[str, str]) -> None:
    assert found({"losses.py": LOSSES, "train.py": TRAIN} | files) == []
    assert found({"README.md": "Train with `--loss Old`.\n"}) == [("losses.py", 7)]


@pytest.mark.parametrize(
    ("decorator", "more", "is_run"),
    [
        ("KINDS.register_module()", {}, False),
        ("KINDS.register_module()", {"kit/__init__.py": "from losses import Old\n\n__all__ = ['Old']\n"}, False),
        ("KINDS.register_module(name='rank')", {}, True),
        ("KINDS.register_module()", {"loss.yaml": "loss:\n  type: Old\n"}, True),
        ("KINDS.register_module()", {"settings.py": "loss = dict(type='Old')\n"}, True),
        ("KINDS.register_module()", {"README.md": "Train with `--loss Old`.\n"}, True),
        ("KINDS.register_module()", {"setup.py": "from setuptools import setup\n\nsetup()\n"}, True),
        ("noted", {}, True),
    ],
)
def test_who_makes_what_a_registry_keeps_says_its_name(
    found: Found, decorator: str, more: dict[str, str], *, is_run: bool
) -> None:
    losses = LOSSES.replace("class Old", f"@{decorator}\nclass Old")
    said = found({"README.md": "A program.\n", "losses.py": losses, "train.py": TRAIN} | more)
    assert said == ([("losses.py", 8)] if is_run else [])


def test_without_a_page_nobody_knows_who_makes_what_a_registry_keeps(found: Found) -> None:
    losses = LOSSES.replace("class Old", "@KINDS.register_module()\nclass Old")
    assert found({"losses.py": losses, "train.py": TRAIN}) == [("losses.py", 8)]


PACKAGE = {
    "setup.py": "from setuptools import setup\n\nsetup()\n",
    "README.md": "A package.\n",
    "kit/__init__.py": "from kit.nets import Net\n",
    "kit/nets.py": "class Net: ...\n",
    "kit/losses.py": LOSSES,
}


def test_of_a_package_nobody_uses_what_neither_its_code_nor_its_texts_name(found: Found) -> None:
    assert found(PACKAGE) == []
    assert found({"other.py": "class Old:\n    def forward(self): ...\n"}) == [], "another one has the same name"
    assert found({"run.py": "import hydra\n\nhydra.main(name)\n"}) == [], "nothing gives it that name"
    walks = "import pkgutil\nimport torchvision\n\nfound = list(pkgutil.walk_packages(torchvision.models.__path__))\n"
    assert found({"walk.py": walks}) == [], "who looks for files does not look through them"
    reads = "import tempfile\nfrom importlib import import_module\n\nheld = import_module(copied).__dict__\n"
    assert found({"read.py": reads}) == [], "a copy of settings is nothing that others import"


@pytest.mark.parametrize(
    "other",
    [
        "# from kit.losses import Old\n",
        '"""Ranks as Old does."""\n',
        "from kit.others import Old\n\nOld()\n",
        "from kit.others import *\n\nOld()\n",
    ],
)
def test_who_says_the_name_of_something_else_or_in_a_comment_does_not_use_it(found: Found, other: str) -> None:
    more = {"kit/others.py": "class Old:\n    def forward(self): ...\n", "kit/more.py": other}
    entry = PACKAGE["setup.py"].replace("setup()", "setup(entry_points={'console_scripts': ['kit=kit:main']})")
    assert found(PACKAGE | more | {"setup.py": entry}) == []


def test_words_of_sentences_and_of_what_is_commented_out_look_nothing_up(found: Found) -> None:
    told = "import kit.losses\n\n# made = getattr(kit.losses, name)\n# The env vars are read.\nDOC = 'All env vars of it.'\n"
    pages = {"README.md": "A package, see `Olds`.\n", "configs/all.yaml": "modules: [kit.losses]\n"}
    assert found(PACKAGE | pages | {"kit/more.py": told}) == []
    finds = "import importlib\n\n# Env vars say which.\nfound = importlib.import_module(name)\n"
    assert found({"find.py": finds}) == []
    assert found({"find.py": finds + "held = vars(found)\n"}) == [("kit/losses.py", 7)]


@pytest.mark.parametrize(
    ("other", "is_used"),
    [
        ("import torch\n\ntorch.nn.utils.Old(3)\n", False),
        ("from others.losses import Old\n\nOld(3)\n", False),
        ("made = make('losses', 'Old')\n", True),
    ],
)
def test_what_another_library_calls_so_is_not_used_here(found: Found, other: str, is_used: bool) -> None:
    files = PACKAGE | {"setup.py": "from setuptools import setup\n\nsetup(entry_points={'a': 'b'})\n", "run.py": other}
    assert bool(found(files)) is is_used


CHECKS = """\
from functools import wraps
from jaxtyping import jaxtyped

HELD = []


def checked(function):
    return jaxtyped(typechecker=None)(function) if HELD else function


def timed(function):
    @wraps(function)
    def run(*given):
        return function(*given)

    return run


def kept(function):
    HELD.append(function)
    return function
"""


@pytest.mark.parametrize(("how", "is_used"), [("checked", False), ("timed", False), ("kept", True), ("lost", True)])
def test_a_decorator_that_keeps_nothing_uses_nothing(found: Found, how: str, is_used: bool) -> None:
    losses = LOSSES.replace("class Old", f"from kit.checks import {how}\n\n\n@{how}\nclass Old")
    files = {"kit/losses.py": losses, "kit/checks.py": CHECKS, "kit/__init__.py": "from kit.losses import helper\n"}
    assert bool(found(PACKAGE | files)) is is_used


@pytest.mark.parametrize(
    "other",
    [
        "from kit.losses import Old\n",
        "made = make('kit.losses.Old')\n",
        "made = make('kit.losses', 'Old')\n",
        "import kit.losses\n\nmade = make('Old')\n",
        "import kit.losses\n\nNAMES = 'Net Old'.split()\n",
    ],
)
def test_who_may_look_the_name_up_uses_it(found: Found, other: str) -> None:
    assert found(PACKAGE | {"kit/more.py": other}) == [("kit/losses.py", 7)]


@pytest.mark.parametrize(
    "other", ["made = make('Old')\n", "NAMES = 'Net Old'.split()\n", "from nets import Old\n\nOld()\n"]
)
def test_who_has_no_file_that_has_it_cannot_look_it_up(found: Found, other: str) -> None:
    assert found(PACKAGE | {"kit/more.py": other}) == []
    finds = "import importlib\n\nmade = importlib.import_module(f'kit.{name}')\n"
    assert found({"find.py": finds}) == [("kit/losses.py", 7)], "this may have it"


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"README.md": "Use `Old` for ranking.\n"}, id="its page names it"),
        pytest.param({"configs/loss.yaml": "_target_: kit.losses.Old\n"}, id="its settings name it"),
        pytest.param({"kit/__init__.py": "from kit.losses import *\n"}, id="it hands on all that the file has"),
        pytest.param({"other.py": "from kit.losses import *\n\nclass Old(Old): ...\n"}, id="one that derives from it"),
        pytest.param(
            {"find.py": "import pkgutil\n\nfor each in pkgutil.iter_modules(kit.__path__):\n    print(vars(each))\n"},
            id="it looks through what there is",
        ),
        pytest.param(
            {
                "find.py": "import importlib\n\nfound = vars(importlib.import_module(name))\n",
                "configs/all.yaml": "modules: [kit.losses]\n",
            },
            id="it looks through what a text names",
        ),
        pytest.param({f"docs/{at}.md": "x " * 45_000 for at in range(60)}, id="its pages are too long to be read"),
    ],
)
def test_what_a_package_gives_away_is_spoken_of(found: Found, files: dict[str, str]) -> None:
    assert found(PACKAGE | files) == [("kit/losses.py", 7)]


@pytest.mark.parametrize(
    ("page", "is_silent"),
    [
        ("# Old losses\n\nAn **Old** way, Old-style: Old.\n", True),
        ("| Old | 3 |\n\n[Old](https://old.org) <b>Old</b>\n", True),
        ("See `kit`.\n\n```yaml\nloss: new  # not the Old one\n```\n", True),
        ("```yaml\nloss: Old\n```\n", False),
        ("Run with --loss Old here.\n", False),
        (".. autoclass:: Old\n", False),
        ("See kit.losses.Old.\n", False),
    ],
)
def test_a_page_names_in_code_and_not_in_english(found: Found, page: str, *, is_silent: bool) -> None:
    said = found(PACKAGE | {"README.md": page})
    assert said == ([] if is_silent else [("kit/losses.py", 7)])


def test_settings_name_nothing_in_comments(found: Found) -> None:
    assert found(PACKAGE | {"configs/all.yaml": "depth: 3  # as the Old one\n"}) == []


USED = LOSSES + "\n\ndef make():\n    return Old()\n"


@pytest.mark.parametrize(
    ("files", "is_silent"),
    [
        pytest.param({}, True, id="nobody imports the file"),
        pytest.param({"nets.py": "from kit.other import make\n"}, True, id="another one"),
        pytest.param({"nets.py": "from kit.losses import make\n"}, False, id="it is imported"),
        pytest.param({"nets.py": "make('kit.losses.make')\n"}, False, id="a text names it"),
        pytest.param({"README.md": "Call `make`.\n"}, False, id="a page names something in it"),
        pytest.param(
            {"docs/api.rst": ".. automodule:: kit.losses\n   :members:\n"}, False, id="a page shows all of it"
        ),
        pytest.param(
            {"run.py": "import importlib\n\nimportlib.import_module(f'kit.{name}').make()\n"}, False, id="put together"
        ),
        pytest.param(
            {"kit/find.py": "import importlib\n\nimportlib.import_module(name).make()\n"}, False, id="found beside it"
        ),
        pytest.param(
            {"run.py": "import importlib\n\nimportlib.import_module(name).make()\n"}, True, id="others are named"
        ),
    ],
)
def test_of_a_package_too_a_file_that_no_file_imports_is_not_spoken_of(
    found: Found, files: dict[str, str], *, is_silent: bool
) -> None:
    said = found(PACKAGE | {"kit/losses.py": USED} | files)
    assert said == ([] if is_silent else [("kit/losses.py", 7)])


@pytest.mark.parametrize(
    ("more", "is_silent"),
    [
        ({}, True),
        ({"kit/others.py": "for each in Base.__subclasses__():\n    each()\n"}, False),
        ({"kit/base.py": "class Base:\n    def __init_subclass__(cls):\n        KNOWN.append(cls)\n"}, False),
        ({"kit/others.py": "class Other:\n    def __init_subclass__(cls):\n        KNOWN.append(cls)\n"}, True),
    ],
)
def test_who_derives_from_what_remembers_it_is_used(found: Found, more: dict[str, str], *, is_silent: bool) -> None:
    losses = LOSSES.replace("from torch import nn", "from kit.base import Base").replace("nn.Module", "Base")
    more = {
        name: "from torch import nn\n\n\n" + text.replace("Base:\n", "Base(nn.Module):\n")
        for name, text in more.items()
    }
    files = {
        "kit/losses.py": losses,
        "kit/base.py": "from torch import nn\n\n\nclass Base(nn.Module): ...\n",
        "kit/nets.py": "from kit.losses import helper\n",
    }
    said = found(PACKAGE | files | more)
    assert said == ([] if is_silent else [("kit/losses.py", 7)])


def test_what_only_unused_code_uses_is_not_used(found: Found) -> None:
    again = LOSSES.replace("helper(x) if x.cuda().sum() > 0 else x", "total(x)").replace(
        "return x\n\n\ndef helper(x):\n    return x",
        "return x\n\n\ndef total(x):\n    return x if x.cuda().sum() > 0 else -x",
    )
    train = {"train.py": TRAIN.replace("losses.helper(3)", "3")}
    assert found({"losses.py": again} | train) == []
    assert found({"losses.py": again + "\n\nprint(Old()(3))\n"}) == [("losses.py", 14)]


BOXES = """\
import torch


def area(x: torch.Tensor):
    for row in x.cuda():
        print(row.sum().item())
    return x
"""
PARTS = """\
from torch import nn

from {how}


class Part(nn.Module):
    def forward(self, x):
        return {said}(x)


class Other(nn.Module):
    def forward(self, x):
        return x
"""


@pytest.mark.parametrize(
    ("how", "said"),
    [("boxes import area", "area"), ("boxes import area as size", "size"), (" import boxes", "boxes.area")],
)
def test_what_only_unused_code_of_another_file_uses_is_not_used(found: Found, how: str, said: str) -> None:
    parts = PARTS.format(how=how, said=said).replace("from  import", "import")
    main = "from parts import Other\n\nif __name__ == '__main__':\n    Other()(3)\n"
    assert found({"boxes.py": BOXES, "parts.py": parts, "main.py": main}) == []
    assert found({"main.py": main.replace("Other", "Part")}) == [("boxes.py", 6)]
    assert found({"main.py": main, "parts.py": parts + f"\n\nprint({said}(3))\n"}) == [("boxes.py", 6)]
    assert found({"parts.py": parts, "more.py": "from boxes import area\n\narea(3)\n"}) == [("boxes.py", 6)]
    assert found({"more.py": "from boxes import area\n\n\ndef more():\n    return area(3)\n"}) == []


@pytest.mark.parametrize(
    ("line", "is_program"),
    [("options = argparse.ArgumentParser().parse_args()", True), ("print(sys.argv[1])", True), ("print(3)", False)],
)
def test_a_program_without_a_guard_reads_a_command_line(found: Found, line: str, is_program: bool) -> None:
    run = f"import argparse\nimport sys\n\nimport losses\n\n{line}\nlosses.helper(3)\n"
    assert found({"losses.py": LOSSES, "train.py": run}) == ([] if is_program else [("losses.py", 7)])


def test_a_user_that_comes_asks_again(found: Found) -> None:
    assert found({"losses.py": LOSSES, "train.py": TRAIN}) == []
    assert found({"new.py": "from losses import Old\n\nOld()\n"}) == [("losses.py", 7)]
    assert found({"new.py": ""}) == []


def test_the_audit_names_it_all_the_same(found: Found, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found({"losses.py": LOSSES, "train.py": TRAIN})
    cli_main.main(["losses.py", "--isolated", "--format", "json", "--select", "TPL100"])
    assert [each["start"]["line"] for each in json.loads(capsys.readouterr().out)["findings"]] == [7]
    cli_main.main(["reveal", "losses.py:7", "--isolated"])
    assert "nothing in the project uses this code" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ("", []),
        ("self.never(3)", [14]),
    ],
)
def test_a_method_that_only_an_unused_one_calls(found: Found, calls: str, said: list[int]) -> None:
    nets = NETS.replace("        return x\n", f"        {calls}\n        return x\n")
    nets += "\n    def show(self):\n        self.never(4)\n"
    run = "from nets import Kept\n\nif __name__ == '__main__':\n    Kept()(3)\n"
    assert [line for path, line in found({"nets.py": nets, "run.py": run}) if path == "nets.py"] == [
        each + 1 for each in said
    ]


@pytest.mark.parametrize(
    ("more", "is_used"),
    [
        ("", False),
        ("model.never(3)\n", True),
        ("getattr(model, 'ne' + 'ver')(3)\n", False),  # some method, and nothing shows that it is this one
        ("run(model, 'never')\n", True),
        ("never = 3  # it never ends\nprint(never, 'it never ends', '--never')\n", False),
    ],
)
def test_methods(found: Found, more: str, is_used: bool) -> None:
    run = f"from nets import Kept\n\nmodel = Kept()\n{more}\nif __name__ == '__main__':\n    model(3)\n"
    said = [line for path, line in found({"nets.py": NETS, "run.py": run}) if path == "nets.py"]
    assert (14 in said) is is_used


def test_who_looks_things_up_in_another_package_does_not_use_it(found: Found) -> None:
    files = {
        "README.md": "A program.\n",
        "losses.py": LOSSES,
        "network/__init__.py": "import importlib\n\n\ndef get(name):\n    return getattr(importlib.import_module(name), 'net')\n",
        "train.py": "import network\n" + TRAIN.replace("import losses", "from losses import helper as h"),
    }
    assert found(files) == []
    assert found({"network/__init__.py": files["network/__init__.py"] + "\n\nfrom losses import *\n"}) == [
        ("losses.py", 7)
    ]


def test_who_imports_a_package_by_the_name_of_the_checkout_has_what_it_hands_on(found: Found) -> None:
    files = {"layers/__init__.py": "from .losses import Old, helper\n", "layers/losses.py": LOSSES}
    run = TRAIN.replace("import losses", "from layers.losses import helper").replace("losses.helper", "helper")
    assert found(files | {"train.py": run}) == []
    assert found({"examples/run.py": "from kit.layers import Old\n\nOld()\n"}) == [("layers/losses.py", 7)]
    assert found({"examples/run.py": "from kit.levels import Old\n\nOld()\n"}) == []


DATA = "from torch.utils.data import Dataset\n\nFLAGS = ['Old', 'New']\n"


def test_who_does_not_import_a_file_cannot_look_up_what_is_in_it(found: Found) -> None:
    train = TRAIN.replace("import losses", "from layers.utils import helper").replace("losses.helper", "helper")
    files = {"layers/__init__.py": "", "layers/utils.py": LOSSES, "train.py": train, "data.py": DATA}
    assert found(files) == []
    files = {"data.py": "from layers.utils import helper\n" + DATA}
    assert found(files) == [("layers/utils.py", 7)], "it has the file"
    assert found({"data.py": "from kit.layers.utils import x\n" + DATA}) == [("layers/utils.py", 7)], "it may have it"
    assert found({"data.py": DATA, "show.py": "import layers.utils as u\n\nshow(u)\n"}) == [("layers/utils.py", 7)]


TRIED = '\n\nif __name__ == "__main__":\n    old = Old()\n    print(old(torch.rand(3)))\n'
TESTED = """

def test_old():
    loss = Old()(torch.rand(3))
    loss.backward()


if __name__ == "__main__":
    test_old()
"""


@pytest.mark.parametrize("more", [TRIED, TESTED])
def test_what_only_tries_out_a_file_that_others_import_uses_nothing(found: Found, more: str) -> None:
    assert found({"losses.py": LOSSES + more, "train.py": TRAIN}) == []
    assert found({"train.py": "print('no import')\n"}) == [("losses.py", 7)], "it is a program"


def test_a_file_that_trains_behind_its_guard_is_no_trial(found: Found) -> None:
    assert found({"losses.py": LOSSES + TESTED.replace("test_old", "fit_old"), "train.py": TRAIN}) == [("losses.py", 7)]


FALLBACK = "\n\ndef make():\n    try:\n        return nn.SiLU()\n    except AttributeError:\n        return Old()\n"


@pytest.mark.parametrize(
    ("more", "is_dead"),
    [
        (FALLBACK, True),
        (FALLBACK.replace("AttributeError", "(ImportError, AttributeError)"), True),
        (FALLBACK.replace("return nn.SiLU()", "from torch.cuda.amp import autocast"), True),
        ("\n\nprint(nn.Old())\n", True),
        ("\n\nprint(losses.Old())\n", False),
        (FALLBACK.replace("AttributeError", "RuntimeError"), False),
        (FALLBACK.replace("nn.SiLU", "nn.RMSNorm"), False),
        (FALLBACK.replace("nn.SiLU()", "apex.SiLU()"), False),
    ],
)
def test_what_only_an_old_torch_lacks(found: Found, more: str, is_dead: bool) -> None:
    files = {"losses.py": LOSSES + more, "train.py": TRAIN.replace("losses.helper(3)", "losses.make()")}
    assert found(files) == ([] if is_dead else [("losses.py", 7)])


EXAMPLE = """\
import torch
from torch import nn


def example():
    layer = nn.Linear(64, 64).cuda()
    x = torch.rand(64, 64, 64).cuda()
    layer(x).sum().backward()


if __name__ == "__main__":
    example()
"""


def test_what_a_script_calls_once_is_no_training_step(found: Found) -> None:
    assert found({"check.py": EXAMPLE}) == []
    often = EXAMPLE.replace("    example()", "    for _ in range(9):\n        example()")
    assert ("check.py", 7) in found({"check.py": often})
    more = "from check import example\n\nexample()\n"
    assert ("check.py", 7) in found({"check.py": EXAMPLE, "more.py": more})


NEVER_MADE = """\
import torch
from torch import nn

# from fast import Kernel


class Net(nn.Module):
    def __init__(self, own=None):
        super().__init__()
        self.kernel = Kernel(3)
        self.own = own

    def forward(self, x):
        return self.kernel(x)


if __name__ == "__main__":
    net = Net().cuda()
    for x in torch.randn(9, 3).cuda():
        print(net(x).sum().item())
"""


@pytest.mark.parametrize(
    ("before", "after", "is_dead"),
    [
        ("", "", True),
        ("# from fast", "from fast", False),
        ("# from fast", "from fast import *  # from fast", False),
        ("self.kernel = Kernel(3)", "self.kernel = nn.Linear(3, 3)", False),
        ("net = Net().cuda()", "if x > 3: net = Net().cuda()", False),
    ],
)
def test_what_stands_behind_a_class_that_cannot_be_made(found: Found, before: str, after: str, is_dead: bool) -> None:
    assert (found({"net.py": NEVER_MADE.replace(before, after, 1)}) == []) is is_dead


WITHIN = """\
import torch


def main(loader, model, optimizer):
    def spread(rows):
        found = torch.zeros(0).cuda()
        for row in rows:
            found = torch.cat([found, row], 0)
        return found.mean()

    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
    {said}


main(*make())
"""


@pytest.mark.parametrize(
    ("said", "is_used"),
    [
        ("return None", False),
        ("return [spread]", True),
        ("return (lambda: spread)", True),
        ("return eval(kind)", True),
        ("return locals()", True),
    ],
)
def test_what_is_defined_within_a_function_that_says_no_name_of_it_is_not_used(
    found: Found, said: str, *, is_used: bool
) -> None:
    assert (("run.py", 8) in found({"run.py": WITHIN.format(said=said)})) is is_used


def test_what_is_defined_behind_a_guard_is_used_if_its_file_says_it(found: Found) -> None:
    guarded = WITHIN.partition("optimizer):\n")[2].partition("\n\n")[0]
    run = f"import torch\n\nif __name__ == '__main__':\n{guarded}\n"
    assert found({"run.py": run + "    print(0)\n"}) == []
    assert found({"run.py": run + "    print([spread])\n"}) == [("run.py", 7)]
