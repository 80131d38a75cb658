"""Settings of the environment: `os.environ["NAME"] = "1"`, `os.environ.setdefault("NAME", "1")`."""

from __future__ import annotations

import ast

from torchperf_lint.facts.index.walk import last_name


def is_set_by(node: ast.AST) -> bool:
    """Whether a node sets a variable of the environment."""
    match node:
        case (
            ast.Assign(targets=[ast.Subscript(value=ast.Name() | ast.Attribute() as held)])
            | ast.Call(func=ast.Attribute(value=held, attr="setdefault"))
        ):
            return last_name(held) == "environ"
    return False


def is_other_call(node: ast.AST) -> bool:
    """Whether a node is a call that has nothing to do with dicts."""
    return isinstance(node, ast.Call) and not (isinstance(node.func, ast.Attribute) and node.func.attr == "setdefault")
