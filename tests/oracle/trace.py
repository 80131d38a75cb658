"""Runs code under a tracer and holds each local name that it reads against the facts.

At each line the tracer sees the locals of the frame; the statement that starts on that line reads some of them. The
runtime value of each such read and the fact of the same node make one comparison. So does each `name.attribute` that is
stored in an object, and each item of a container of which the facts say what is in it; they are counted by themselves.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import FLOATING, INTEGRAL, NO, Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.index.walk import ClosedNode, children
from torchperf_lint.facts.interpret.interpreter import analysis_of
from torchperf_lint.facts.project.project import Project
from torchperf_lint.facts.project.surroundings import Surroundings

PER_READ = 20
"""A read is compared at most so often."""
PER_CONTAINER: Final = 8
"""So many items of a container are looked at."""


@dataclass
class Figures:
    """What came of all comparisons."""

    reads: int = 0
    tensors: int = 0
    tensors_known: int = 0
    proven: int = 0
    proven_wrong: int = 0
    likely: int = 0
    likely_wrong: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    """Tensors that the facts do not know to be tensors."""

    @property
    def answers(self) -> str:
        """How many of the answers are right, by how sure they are."""
        right = 1 - self.likely_wrong / max(self.likely, 1)
        return (
            f"PROVEN answers {self.proven}, wrong {self.proven_wrong}; LIKELY answers {self.likely}, right {right:.1%}"
        )

    def __str__(self) -> str:
        known = self.tensors_known / max(self.tensors, 1)
        return f"{self.reads} reads, {self.tensors} of tensors: {known:.1%} known to be tensors; {self.answers}"


class Oracle:
    """Traces the code of some files."""

    def __init__(self, root: Path, wanted: Callable[[Path], bool]) -> None:
        self._project = Project(root)
        self._wanted = wanted
        self._files: dict[str, _File | None] = {}
        self.figures = Figures()
        """Of local names."""
        self.parts = Figures()
        """Of their attributes, and of the items of containers."""

    def run(self, function: Callable[[], object]) -> None:
        """Run a function and compare all that it reads in the wanted files."""
        sys.settrace(self._call)
        try:
            function()
        finally:
            sys.settrace(None)

    def _call(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        name = frame.f_code.co_filename
        if name not in self._files:
            path = Path(name)
            self._files[name] = _File(path, self._project) if path.suffix == ".py" and self._wanted(path) else None
        file = self._files[name]
        return None if file is None else self._line

    def _line(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any]:
        if event == "line":
            sys.settrace(None)  # what the comparison itself calls is nobody's concern
            file = self._files[frame.f_code.co_filename]
            assert file is not None
            for node in file.reads(frame.f_lineno, frame.f_code.co_name):
                name = node.value if isinstance(node, ast.Attribute) else node
                assert isinstance(name, ast.Name)
                if name.id in frame.f_locals and file.counts[node] < PER_READ:
                    file.counts[node] += 1
                    self._read(file, node, frame.f_locals[name.id])
            sys.settrace(self._call)
        return self._line

    def _read(self, file: _File, node: ast.Name | ast.Attribute, held: object) -> None:
        """Compare one read, of a name that holds something."""
        is_name = isinstance(node, ast.Name)
        if isinstance(node, ast.Attribute):
            held = _stored(held, node.attr)
            if held is _ABSENT:
                return
        value = file.analysis.value(node, file.module)
        place = f"{file.path.name}:{node.lineno} {ast.unparse(node)}"
        self._compare(self.figures if is_name else self.parts, place, value, held)
        for step, part, inside in _items(value, held):
            self._compare(self.parts, place + step, part, inside)

    def _compare(self, figures: Figures, place: str, value: Value, held: object) -> None:
        import torch

        figures.reads += 1
        is_tensor = isinstance(held, torch.Tensor)
        if is_tensor:
            figures.tensors += 1
            figures.tensors_known += value.kind == "tensor"
            if value.kind != "tensor":
                figures.missed[f"{place}: {value!r}"] += 1
        if value.kind in ("unknown", "tensor_tree", "object", "symbol"):
            return
        fault = _fault(value, held)
        if value.sure is Sure.PROVEN:
            figures.proven += 1
            figures.proven_wrong += fault is not None
        else:
            figures.likely += 1
            figures.likely_wrong += fault is not None
        if fault is not None:
            figures.wrong[f"{value.sure.name} {fault}: {place}: {value!r} is {_shown(held)}"] += 1


_ABSENT: Final = object()


def _stored(holder: object, name: str) -> object:
    """What an object stores under a name; nothing is run to find out, as a property would be."""
    stored = getattr(holder, "__dict__", {})
    for place in (stored, *(stored.get(each) or {} for each in ("_parameters", "_buffers", "_modules"))):
        if isinstance(place, dict) and name in place:
            return place[name]
    return _ABSENT


def _items(value: Value, held: object) -> Iterator[tuple[str, Value, object]]:
    """The items of a container beside what the facts say of each, no surer than they are of the container."""
    pairs: list[tuple[object, Value, object]] = []
    if isinstance(held, (list, tuple)) and value.kind in ("list", "tuple"):
        if isinstance(value.items, tuple) and (
            value.items or value.kind == "tuple"
        ):  # an empty list is one to be filled
            length = Value("number", value.sure, dtype="int", const=len(value.items))
            yield ".length", length, len(held)
            pairs = [(at, *each) for at, each in enumerate(zip(value.items, held, strict=False))]
        elif value.elem is not None:
            pairs = [(at, value.elem, each) for at, each in enumerate(held)]
    elif isinstance(held, dict) and value.kind == "dict":
        known = value.items if isinstance(value.items, dict) else {}
        pairs = [(key, said, each) for key, each in held.items() if (said := known.get(key, value.elem)) is not None]
    for at, said, each in pairs[:PER_CONTAINER]:
        yield f"[{at!r}]", said.but(sure=min(said.sure, value.sure)), each


class _File:
    """One traced file: its facts, and which names each line reads."""

    def __init__(self, path: Path, project: Project) -> None:
        text = path.read_text(encoding="utf-8")
        self.path = path
        self.module = Module(ast.parse(text), str(path), project.name_of(path), text)
        program = Program(Surroundings(project, path).module)
        program.add(self.module)
        self.analysis = analysis_of(program, self.module)
        self.counts: Counter[ast.AST] = Counter()
        self._lines: dict[tuple[int, str], list[ast.Name | ast.Attribute]] = {}
        for function in self.module.functions.values():
            if isinstance(function.node, ast.Lambda):
                continue
            for statement in _statements(function.body):
                for node in _reads(statement):
                    self._lines.setdefault((statement.lineno, function.name), []).append(node)

    def reads(self, line: int, function: str) -> list[ast.Name | ast.Attribute]:
        return self._lines.get((line, function), [])


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if not isinstance(statement, ClosedNode):
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                for inner in getattr(statement, name, []):
                    yield from _statements([inner] if isinstance(inner, ast.stmt) else inner.body)


def _reads(statement: ast.stmt) -> Iterator[ast.Name | ast.Attribute]:
    """The names, and attributes of names, that a statement's own first line reads: its expressions, not its blocks."""
    if isinstance(statement, (*ClosedNode, ast.While, ast.Try, ast.Match)):
        return
    bound: set[str] = set()
    stack: list[ast.AST] = [part for part in children(statement) if not isinstance(part, (ast.stmt, ast.excepthandler))]
    found: list[ast.Name | ast.Attribute] = []
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            continue
        if isinstance(node, ast.BoolOp):
            stack.append(node.values[0])  # what stands behind `and` is read only where all before it are true
            continue
        if isinstance(node, ast.IfExp):
            stack.append(node.test)
            continue
        if isinstance(node, ast.NamedExpr):
            bound.add(node.target.id)
        is_read = isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))
        if is_read and isinstance(node.ctx, ast.Load) and node.lineno == statement.lineno:  # type: ignore[attr-defined]
            found.append(node)  # type: ignore[arg-type]
        stack.extend(children(node))
    for node in found:
        name = node.value if isinstance(node, ast.Attribute) else node
        if isinstance(name, ast.Name) and name.id not in bound:
            yield node


def _fault(value: Value, held: object) -> str | None:
    """What of a fact is wrong of a runtime value; None if nothing is."""
    import torch

    if held is None:
        return None if value.none or value.kind == "none" else "kind"
    if not _is_kind(value, held):
        return "kind"
    if isinstance(held, torch.Tensor):
        dtype = str(held.dtype).removeprefix("torch.")
        if value.dtype not in (None, dtype) and not _in_group(value.dtype, dtype):
            return "dtype"
        if value.rank is not None and value.rank != held.dim():
            return "rank"
        if value.device == "cuda":
            return "device"
    if value.const is not NO and isinstance(held, (int, float, str)) and held != value.const and held == held:
        return "constant"
    return None


def _in_group(group: str | None, dtype: str) -> bool:
    return (group == "floating" and dtype in FLOATING) or (group == "integral" and dtype in (*INTEGRAL, "bool"))


def _is_kind(value: Value, held: object) -> bool:
    import numpy
    import torch

    expected: dict[str, tuple[type, ...]] = {
        "tensor": (torch.Tensor,), "ndarray": (numpy.ndarray, numpy.generic, int, float), "string": (str,), "tuple": (tuple,),
        "list": (list, tuple), "dict": (dict,), "set": (set, frozenset), "size": (torch.Size, tuple), "module": (torch.nn.Module,),
        "device": (torch.device, str, int), "dtype": (torch.dtype,), "optimizer": (torch.optim.Optimizer,), "none": (type(None),),
        "generator": (torch.Generator,), "class": (type,),
    }  # fmt: skip
    if value.kind == "number":
        kinds: dict[str | None, tuple[type, ...]] = {
            "int": (int,), "float": (float, int), "bool": (bool,), "complex": (complex, float, int),
            None: (int, float, complex, numpy.number),
        }  # fmt: skip
        return isinstance(held, (*kinds[value.dtype], torch.SymInt, torch.SymFloat))
    if value.kind == "dict":
        return isinstance(held, dict) or hasattr(held, "items")
    types = expected.get(value.kind)
    return types is None or isinstance(held, types)


def _shown(held: object) -> str:
    import torch

    if isinstance(held, torch.Tensor):
        return f"tensor {held.dtype} of rank {held.dim()}"
    try:
        return f"{type(held).__name__} {repr(held)[:40]}"
    except Exception:  # an object that is half built has no words for itself yet
        return type(held).__name__
