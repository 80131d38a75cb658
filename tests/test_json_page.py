"""The documented JSON against the JSON that the tool prints: every key, every type, in both directions."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft7Validator
from shell import Shell, write
from test_notebook import dumped, notebook
from test_reveal import PROGRAM
from test_verify import TEXT, Worker, worker

from torchperf_lint.docs import json_schema
from torchperf_lint.docs.json_page import SHAPES
from torchperf_lint.verify import child
from torchperf_lint.verify.program import table
from torchperf_lint.verify.program.changes import Verdict
from torchperf_lint.verify.program.compare import Ratio
from torchperf_lint.verify.program.measure import Measurement
from torchperf_lint.verify.program.runs import Run

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["worker"]

FREE = ("shapes", "not_compared", "device", "gate", "option", "hint")
"""Objects whose members are not listed, or are listed where they stand first."""


_PRINTED: dict[str, list[Any]] = {}


@pytest.fixture
def printed(worker: Worker, run: Shell, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """What each command prints, by the first word of the title of its part; printed once for all tests."""
    if not _PRINTED:
        _PRINTED.update(_all_that_is_printed(worker, run, monkeypatch))
    return _PRINTED


def _all_that_is_printed(worker: Worker, run: Shell, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    write("a.py", TEXT)
    write("reveal.py", PROGRAM)
    write("option.py", OPTION)
    write("wrong.py", WRONG)
    Path("nb.ipynb").write_bytes(dumped(notebook("import torch\n", TEXT, WRONG)))

    def made(*arguments: str) -> Any:
        assert run(*arguments, "--format", "json") in (0, 1, 2)
        return json.loads(run.out)

    lint = ("--isolated", "--no-cache")
    traced = made(*lint, "--trace", str(TRACE), str(TRACE.with_name("loader.py")), "a.py")
    measured = made(*lint, "--verify", "--select", "TPL201", "."), made("verify", "TPL201", "-q")
    monkeypatch.setattr(child, "ask", lambda request, *_: worker(request) if "about" in request else {"failed": "why"})
    failed = made(*lint, "--verify", "--select", "TPL201", "."), made("verify", "TPL201", "-q")
    return {
        "Findings": [made(*lint, ".", "none.py"), traced, measured[0], failed[0]],
        "What": [made("reveal", name) for name in ("reveal.py", "option.py", "nb.ipynb")],
        "Rules": [made("rules")],
        "Counts": [made(*lint, "--statistics", ".")],
        "Comparison": compared(),
        "Measurements": [measured[1], failed[1], json.loads(RECORD.read_text(encoding="utf-8"))],
    }


def compared() -> list[Any]:
    """A comparison of revisions with all that it can say, and one of which nothing came."""
    ratio = Ratio(1.1, 1.05, 1.15, 6)
    verdicts = [
        Verdict(("x",), "faster", None, ratio, (11.0, 2_000), (10.0, None)),
        Verdict(("x",), "faster", None, ratio, (11.0, None), (10.0, 2_000)),
        Verdict(("x",), "not measured", "the time was over"),
    ]
    run = Run(1.0, 11.0, about={"gpu": "Some GPU", "torch": "2.9"})
    whole = Measurement(("python", "train.py"), verdicts, itself=ratio, base=run, notes=["Give it a seed."])
    return [json.loads(json.dumps(table.plain(each, {}))) for each in (whole, Measurement(("python",)))]


RECORD = Path(__file__).parents[1] / "rules_docs/measured/nvidia-h200.json"
TRACE = Path(__file__).parent / "trace/loader.tpltrace"
OPTION = """\
import torch


def train(model, loader, watch=False):
    for x in loader:
        loss = model(x.cuda()).sum()
        loss.backward()
        if watch:
            worst = loss.item()
"""
WRONG = """\
import torch


def train(model, loader, optimizer):
    total = other = 0.0
    for x in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        total += loss.item()
        other += loss.item()
"""


def kind(value: object) -> str:
    names = {bool: "bool", int: "int", float: "number", str: "string", list: "list", dict: "object", type(None): "null"}
    return names[type(value)]


def seen(values: Iterable[Any], path: str = "") -> dict[str, set[str]]:
    """The types of every key of some JSON, by its path."""
    found: dict[str, set[str]] = defaultdict(set)
    for value in values:
        if path:
            found[path].add(kind(value))
        below: list[tuple[str, list[Any]]] = []
        if isinstance(value, dict) and path.rpartition(".")[2] not in FREE:
            below = [(f"{path}.{name}" if path else name, [each]) for name, each in value.items()]
        elif isinstance(value, list):
            below = [(f"{path}[]", value)]
        for name, inner in below:
            for key, kinds in seen(inner, name).items():
                found[key] |= kinds
    return found


COUNTED = [f"{what}_{when}" for what in ("graphs", "recompiles", "compile_s") for when in ("before", "after")]
RARE = {
    "measurements[].code",
    "verdicts[].max_difference",
    *(f"{home}.{each}" for home in ("measurements[]", "findings[].verified") for each in COUNTED),
}
"""The first is null for benches of whole programs alone, the second where nothing was compared, the
others are numbers for those about `torch.compile` alone."""


def is_plumbing(path: str, kinds: set[str]) -> bool:
    """Whether a path is no key of its own: an item of a list, an object that only holds keys, a note, a date."""
    if path.endswith("[]"):
        return True
    if ".because[]." in path and path.startswith("lines"):
        return True
    return path.endswith(".date") or (kinds == {"object"} and path.rpartition(".")[2] not in FREE)


class TestPrinted:
    """A class, so that one process has all of them and prints once."""

    def test_the_page_says_what_is_printed(self, printed: dict[str, list[Any]]) -> None:
        for shape in SHAPES:
            documented = {path: set(types) for path, types, _ in shape.rows()}
            real = seen(printed[shape.title.split(" ")[0].rstrip(":")])
            listed = {path for path, kinds in real.items() if not is_plumbing(path, kinds)}
            assert sorted(listed - set(documented)) == [], "printed, and not documented"
            assert sorted(set(documented) - set(real)) == [], "documented, and never printed"
            for path, kinds in documented.items():
                found = {"number" if each == "int" and "number" in kinds else each for each in real[path]}
                assert found == kinds or path in RARE, path

    def test_the_schemas_hold_what_is_printed(self, printed: dict[str, list[Any]]) -> None:
        for shape in SHAPES:
            schema = Draft7Validator(json.loads(json_schema.schema(shape)))
            schema.check_schema(schema.schema)
            for real in printed[shape.title.split(" ")[0].rstrip(":")]:
                assert [f"{each.json_path}: {each.message}" for each in schema.iter_errors(real)] == []

    def test_the_schema_refuses_what_is_not_of_its_form(self, printed: dict[str, list[Any]]) -> None:
        schema = Draft7Validator(json.loads(json_schema.schema(SHAPES[0])))
        real = json.dumps(printed["Findings"][0])
        for here, there in (
            ('"severity": "', '"severity": "very '),
            ('"code": ', '"kode": '),
            ('"line": ', '"line": "1", "x": '),
        ):
            assert here in real
            assert not schema.is_valid(json.loads(real.replace(here, there, 1))), there
