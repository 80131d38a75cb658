"""Ask Dynamo of each statement of `forms.txt` whether it breaks the graph: `python tests/oracle/breaks/record_forms.py > forms.json`."""

from __future__ import annotations

import contextlib
import io
import json
import linecache
import logging
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import torch

from oracle.breaks import recorder

HERE = Path(__file__).parent
HEAD = """\
def form(x: torch.Tensor, m: torch.Tensor, idx: torch.Tensor):
    x, m, idx = x * 1, m.bool(), idx.long()
"""
CAPTURE = {"capture_scalar_outputs": True, "capture_dynamic_output_shape_ops": True}
"""The settings with which numbers and sizes that the data decides become a part of the graph."""


def statements() -> list[str]:
    lines = (HERE / "forms.txt").read_text("utf-8").splitlines()
    return [line.replace("⏎", "\n") for line in lines if not line.startswith("#")]


def function(statement: str) -> str:
    """The source of a function whose body is a statement, after some work for the graph."""
    return HEAD + textwrap.indent(statement, "    ") + "\n"


def asked(statement: str, **options: bool) -> list[str] | None:
    """The kinds of breaks of a statement under some settings of Dynamo; None where it raises."""
    from oracle.breaks import forms  # imports all of Dynamo, which most tests of it do not ask

    source = function(statement)
    file = f"<form {statement}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    scope = dict(vars(forms))
    exec(compile(source, file, "exec"), scope)
    torch.manual_seed(0)
    given = torch.randn(4, 4), torch.rand(4, 4) > 0.5, torch.tensor([1, 2])
    with (
        torch._dynamo.config.patch(options),
        contextlib.redirect_stdout(io.StringIO()),
        recorder.recorded(lambda name: name == file) as record,
    ):
        _, errors = recorder.run(lambda _: torch.compile(scope["form"], backend="eager")(*given), 1)
    return None if errors else sorted(kind for kinds in record.breaks.values() for kind in kinds)


def answers() -> Iterator[tuple[str, dict[str, list[str] | None]]]:
    for statement in statements():
        yield statement, {"default": asked(statement), "capture": asked(statement, **CAPTURE)}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    json.dump({"torch": torch.__version__, "forms": dict(answers())}, sys.stdout, indent=1)
    print()
