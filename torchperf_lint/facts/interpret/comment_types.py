"""Types in comments and docstrings: `# type: (Tensor, int) -> Tensor`, and `boxes (Tensor[N, 4]): the boxes`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Evidence, Sure
from torchperf_lint.facts.domain.value import ANY, Value
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import type_hints

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_ENTRY: Final = re.compile(
    r"^[^\S\n]*(?::param\s+)?[*`]{0,2}(\w+)[`]{0,2}\s*(?:\(([^)\n]{1,80})\)\s*:"
    r"|:\s*(?:of type\s+)?((?:torch\.)?Tensor\b|(?:[Ll]ist|[Tt]uple)\[(?:int|float|bool|str)\b[^\]\n]{0,40}\]))",
    re.MULTILINE,
)
"""One parameter in the styles of Google, NumPy and Sphinx. What stands before it ends with its line, or each of many empty
lines would be read to the end of all."""
_SAID: Final = ("ensor", "(int", "(float", "(bool", "(str", "list", "List", "tuple", "Tuple")
"""Without one of these a docstring tells nothing of parameters."""
_SIGNATURE: Final = re.compile(r"#\s*type:\s*(\(.*->.*)$")
_NUMBERS: Final = re.compile(
    r"^\W*(?:(list|tuple|sequence)(?:\s+of\s+|\s*[<\[{]\s*))?(int|float|bool|str)(?:eger|ean|ing)?s?\W*(?:,\s*optional\W*)?$",
    re.IGNORECASE,
)
"""`list<int>`, `list of ints`, `int, optional`."""
_TENSOR: Final = re.compile(r"^\W*(?:torch\.)?(?:\w*)Tensor\b", re.ASCII)
_OF: Final = r"|Tensor\b,?(?: of)?(?: dtype)?[ =\[]+(?:torch\.)?"
_OF_DTYPE: Final = (
    (re.compile(rf"\bBoolTensor\b|\bbool(?:ean)? (?:torch\.)?Tensor\b{_OF}bool", re.IGNORECASE), "bool"),
    (re.compile(rf"\bLongTensor\b{_OF}(?:long|int64)\b"), "int64"),
)
"""`(torch.Tensor, bool)`, `(torch.LongTensor of shape [n])`."""
_SEVERAL: Final = re.compile(r"\bor\b|\||Union")


def parameter(analysis: Analysis, function: Function, name: str) -> Value:
    """What a type comment or the docstring of a function, or of its class, says of a parameter."""
    typed = _type_comment(analysis, function, name)
    if typed is not None:
        return typed
    for node in (
        function.node,
        function.owner.node if function.owner is not None and function.name in ("__init__", "forward") else None,
    ):
        if node is None or isinstance(node, ast.Lambda):
            continue
        described = _documented(analysis, node).get(name)
        if described is not None and _TENSOR.match(described) and "ist" not in described[:5]:
            why = Evidence(function.parameters[name], "a tensor, says the docstring", function.module.path)
            optional = "optional" in described.lower() or "none" in described.lower()
            return Value("tensor", Sure.LIKELY, why=why, none=optional, dtype=_dtype(described))
        if described is not None and (numbers := _NUMBERS.match(described)) is not None:
            each = ast.Name(numbers[2].lower())
            hint = each if numbers[1] is None else ast.Subscript(ast.Name("list"), each)
            return type_hints.read(analysis, function, hint).but(sure=Sure.LIKELY)
    return ANY


def dtype(analysis: Analysis, function: Function, name: str) -> str | None:
    """The dtype that a docstring gives to a parameter that is a tensor."""
    described = _documented(analysis, function.node).get(name)
    return _dtype(described) if described is not None else None


def _dtype(described: str) -> str | None:
    if _SEVERAL.search(described) is not None:
        return None
    return next((dtype for said, dtype in _OF_DTYPE if said.search(described) is not None), None)


def _documented(analysis: Analysis, node: ast.AST) -> dict[str, str]:
    known = analysis.documented.get(node)
    if known is None:
        text = (
            ast.get_docstring(node, clean=False)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module))
            else None
        )
        known = {}
        if text is not None and any(each in text for each in _SAID):
            for match in _ENTRY.finditer(text):
                known.setdefault(match[1], match[2] or match[3])
        analysis.documented[node] = known
    return known


def _type_comment(analysis: Analysis, function: Function, name: str) -> Value | None:
    """`# type: (Tensor, List[int]) -> Tensor` on the line below `def`."""
    text = _signature(function)
    if text is None:
        return None
    try:
        signature = ast.parse(text, mode="func_type")
    except (SyntaxError, ValueError):
        return None
    order = [each for each in function.positional if function.owner is None or each != "self"]
    types = signature.argtypes
    if name not in order or len(types) != len(order):
        return None
    return type_hints.read(analysis, function, types[order.index(name)])


def _signature(function: Function) -> str | None:
    """The signature in the comment between the `def` of a function and its first statement."""
    lines = function.module.lines
    if not lines or isinstance(function.node, (ast.Lambda, ast.Module)):
        return None
    for line in lines[function.node.lineno : function.node.body[0].lineno]:
        found = _SIGNATURE.search(line)
        if found:
            return found[1]
    return None
