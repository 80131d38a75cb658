"""What compiled code changes of its own state at each call, so that the next call finds no guard that holds.

self.steps += 1                a whole number: Dynamo guards its value, and it is another one each time
self.seen.append(x)            a list: its length is guarded
self.scale += 0.5              a float, a tensor: none of them compiles anew
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.interpret import classes
from torchperf_lint.rules.compile.recompile_hazard import sizes

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_SETTING = "allow_unspec_int_on_nn_module"


def may_be(facts: Facts) -> bool:
    """Whether a file may have any such hazard."""
    return facts.has_compiled() or sizes.may_be(facts.module)


def is_hazard(facts: Facts, node: ast.AST) -> bool:
    return changes_guard(facts, node) or sizes.varied(facts, node) is not None


def changes_guard(facts: Facts, node: ast.AST) -> bool:
    """Whether a node of compiled code changes what the next call is guarded by."""
    return (counts(facts, node) or grows(facts, node)) and facts.compiled_at(node).known and facts.off_at(node) is None


def counts(facts: Facts, node: ast.AST) -> bool:
    """Whether a node adds to a whole number that is kept: an attribute of the module, a global name."""
    match node:
        case ast.AugAssign(target=target, op=ast.Add() | ast.Sub(), value=added):
            return _is_whole(facts, added) and _is_kept_count(facts, target)
        case ast.Assign(
            targets=[ast.Attribute() as target], value=ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=added)
        ):
            return (
                ast.unparse(left) == ast.unparse(target) and _is_whole(facts, added) and _is_kept_count(facts, target)
            )
    return False


def _is_whole(facts: Facts, node: ast.expr) -> bool:
    """Whether a number is whole, and not 0."""
    match node:
        case ast.Constant(value=int(number)):
            return number != 0
    value = facts.analysis.value(node, facts.module)
    return value.kind == "size" or (value.kind == "number" and value.dtype == "int")


def _is_kept_count(facts: Facts, target: ast.expr) -> bool:
    module = facts.module
    match target:
        case ast.Name(id=name):
            function = module.function_of(target)
            return name in function.scope.outer and _starts_whole(module, module.body.scope.stores.get(name, []))
        case ast.Attribute(value=ast.Name(id=receiver), attr=name):
            owner = _owner(module, target, receiver)
            if owner is None or _SETTING in module.names:
                return False
            stores = [node for _, node in classes.sites(owner).get(name, ())]
            others = [each for each in stores if each is not target]
            return len(stores) == len(others) + 1 and _starts_whole(module, others)
    return False


def _owner(module: Module, node: ast.AST, receiver: str) -> Class | None:
    """The class whose method a node stands in, where a name is what the method calls `self`."""
    method = module.function_of(node).method
    return method.owner if method is not None and method.positional[:1] == (receiver,) else None


def _starts_whole(module: Module, stores: list[ast.AST]) -> bool:
    """Whether something is bound once besides, to a whole number, where it is made."""
    match [module.parents.get(each) for each in stores]:
        case [ast.Assign(value=ast.Constant(value=number)) as made] | [
            ast.AnnAssign(value=ast.Constant(value=number)) as made
        ]:
            is_at_start = module.function_of(made).name in ("__init__", "<module>")
            return is_at_start and isinstance(number, int) and not isinstance(number, bool)
    return False


def grows(facts: Facts, node: ast.AST) -> bool:
    """Whether a node makes a list longer that the module keeps, and that nothing in the file makes shorter."""
    module = facts.module
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Attribute(value=ast.Name(id=receiver), attr=name), attr="append"), args=[_]
        ):
            owner = _owner(module, node, receiver)
            stores = [each for _, each in classes.sites(owner).get(name, ())] if owner is not None else []
            match [module.parents.get(each) for each in stores]:
                case [ast.Assign(value=ast.List(elts=[])) as made] | [ast.AnnAssign(value=ast.List(elts=[])) as made]:
                    return module.function_of(made).name == "__init__" and not _is_emptied(module, name)
    return False


def _is_emptied(module: Module, name: str) -> bool:
    """Whether anything in a file lets go of items of what is called so, or binds it from outside."""
    for attribute in module.attributes.get(name, ()):
        match module.parents.get(attribute):
            case ast.Attribute(attr="clear" | "pop" | "popleft" | "remove") | ast.Delete():
                return True
            case ast.Subscript() as part if isinstance(module.parents.get(part), ast.Delete):
                return True
        is_own = isinstance(attribute.value, ast.Name) and attribute.value.id == "self"
        if not isinstance(attribute.ctx, ast.Load) and not is_own:
            return True
    return False


def shown(facts: Facts, node: ast.AST) -> str:
    """What changes, as the file writes it."""
    match node:
        case ast.AugAssign(target=target) | ast.Assign(targets=[target]):
            return ast.unparse(target)
        case ast.Call(func=ast.Attribute(value=held)):
            return ast.unparse(held)
    return names.dotted(facts.module.body, node) or ""
