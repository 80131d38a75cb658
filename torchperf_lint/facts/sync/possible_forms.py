"""In which forms a node could wait if more were known of what it is given.

    Processor(vocab_size, device)      a class of the program: whatever it is given, making it does not wait
    name in self.layers                a dict: asked by hash
    str(x)                             a text, if it waits: of no use to who asks for shapes
    if x:                              the truth of `x`

Asked before callers in other files are read for what they pass: most nodes could not wait in a form that the rule speaks of.
Says a form too many rather than one too few.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, get_args

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.knowledge import operation_waits, python_functions, writers
from torchperf_lint.facts.knowledge.operation_waits import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module
    from torchperf_lint.facts.interpret.analysis import Analysis

_ANY: Final[frozenset[Form]] = frozenset(get_args(Form))
_NONE: Final = frozenset[Form]()
_TRUTH: Final[frozenset[Form]] = frozenset(("truth",))
_TEXT: Final[frozenset[Form]] = frozenset(("format",))
_READ: Final[frozenset[Form]] = frozenset(("read",))
_LIBRARY: Final[frozenset[Form]] = frozenset(("library",))
_BY_ARGUMENTS: Final = ("math.", "torch.distributions.", "torch.cuda.")
_ALSO_BY_ARGUMENTS: Final = frozenset(
    "torch.tensor torch.as_tensor torch.asarray torch.save torch.load torch.nn.utils.rnn.pad_packed_sequence".split()
)
"""What waits by other reasons than a row of the table."""
_COMPARED: Final = ("unknown", "tensor", "list", "tuple")
"""What `in` compares one by one, or may."""
_SOUGHT: Final = ("unknown", "tensor", "number")


def of(analysis: Analysis, module: Module, node: ast.AST, target: tuple[int, ...]) -> frozenset[Form]:
    """The forms in which a node could wait, whatever that is of which nothing is known."""
    match node:
        case ast.Call(func=ast.Attribute(value=held, attr=attr)):
            receiver = analysis.value(held, module)
            if receiver.kind != "symbol":
                return _ANY
            written = _TEXT if attr in writers.METHODS else _NONE
            named = _of_name(knowledge.canonical(f"{receiver.ref}.{attr}"), target) | written
            callee = analysis.value(node.func, module)
            return named | (_of_callee(callee, target) if callee.kind != "unknown" else _NONE)
        case ast.Call(func=called):
            return _of_callee(analysis.value(called, module), target)
        case ast.If() | ast.While() | ast.IfExp() | ast.Assert() | ast.BoolOp() | ast.UnaryOp() | ast.comprehension():
            return _TRUTH
        case ast.Compare():
            return _TRUTH if _may_compare(analysis, module, node) else _NONE
        case ast.FormattedValue() | ast.JoinedStr() | ast.BinOp():
            return _TEXT
    return _ANY


def _of_callee(callee: Value, target: tuple[int, ...]) -> frozenset[Form]:
    if callee.kind == "unknown":
        return _ANY
    if callee.kind == "symbol":
        return _of_name(str(callee.ref), target)
    if callee.kind == "module":
        return frozenset(row.form for row in operation_waits.of(f"{callee.ref}()", target))
    return _LIBRARY if callee.kind == "class" else _NONE  # a class may be a distribution's


def _of_name(name: str, target: tuple[int, ...]) -> frozenset[Form]:
    """The forms of what is called by its name."""
    own = name.removeprefix("builtins.")
    if own != name:
        return _of_python(own)
    if name in _ALSO_BY_ARGUMENTS or name.startswith(_BY_ARGUMENTS):
        return _ANY
    return frozenset(row.form for row in operation_waits.of(name, target))


def _of_python(name: str) -> frozenset[Form]:
    if name in python_functions.TEXTS:
        return _TEXT
    if name in python_functions.NUMBERS:
        return _READ
    return _TRUTH if name in python_functions.ORDER or name in python_functions.TRUTH else _NONE


def _may_compare(analysis: Analysis, module: Module, node: ast.Compare) -> bool:
    """Whether `in` may compare a tensor one by one; of a chain each part is asked for its truth."""
    if len(node.ops) > 1:
        return True
    inside, sought = analysis.value(node.comparators[0], module), analysis.value(node.left, module)
    return inside.kind in _COMPARED and sought.kind in _SOUGHT
