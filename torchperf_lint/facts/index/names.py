"""What a name stands for: imports and aliases, followed to the dotted name of what they import.

    import torch as th                       th.zeros        -> torch.zeros
    from torch.nn import functional as Fn    Fn.relu         -> torch.nn.functional.relu
    from torch.utils.data import DataLoader as DL   DL       -> torch.utils.data.DataLoader

A name that is also bound to something else in the same scope stands for nothing here, unless that other thing is what
code writes when the import fails (`except ImportError: amp = None`). Knows nothing of values.
"""

from __future__ import annotations

import ast

from torchperf_lint.facts.index.looks import look
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.knowledge import canonical


def absolute(module: Module, node: ast.ImportFrom) -> str:
    """The dotted name of the module that `from ... import` reads; relative imports start from `module`."""
    if not node.level:
        return node.module or ""
    parts = module.name.split(".") if module.name else []
    is_package = module.path.endswith("__init__.py")
    base = parts[: len(parts) - node.level + (1 if is_package else 0)]
    return ".".join([*base, *([node.module] if node.module else [])])


def imported(module: Module, node: ast.Import | ast.ImportFrom, name: str) -> str | None:
    """What a name stands for after an import statement that binds it."""
    targets = module.bound.get(node)
    if targets is None:
        targets = module.bound[node] = _targets(module, node)
    return targets.get(name)


def _targets(module: Module, node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """What each name stands for that an import statement binds; made once, for a statement may bind thousands."""
    found: dict[str, str] = {}
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            found.setdefault(alias.asname or alias.name, canonical(f"{absolute(module, node)}.{alias.name}"))
        elif alias.asname is not None:
            found.setdefault(alias.asname, canonical(alias.name))
        else:
            first = alias.name.partition(".")[0]
            found.setdefault(first, first)
    return found


def scope_of(function: Function, name: str) -> Function | None:
    """The function, or the module, in which Python looks a name up; None for builtins."""
    at: Function | None = function
    if function.within is not None:
        look(function.module)
    while at is not None:
        scope = at._scope
        if name in scope.stores and (name not in scope.outer or at.is_module):
            return at
        at = at.within
    return None


def import_of(function: Function, name: str) -> str | None:
    """The dotted name that an imported name stands for, seen from inside a function."""
    home = scope_of(function, name)
    if home is None:
        return None
    known = home.scope.imports
    if name not in known:
        known[name] = _import_in(home, name)
    return known[name]


def _import_in(home: Function, name: str) -> str | None:
    """What a name stands for that is bound in a function."""
    found = None
    for store in home.scope.stores[name]:
        if isinstance(store, (ast.Import, ast.ImportFrom)):
            found = found or imported(home.module, store, name)
        elif not _stands_in(home.module, store):
            return None
    return found


def _stands_in(module: Module, store: ast.AST) -> bool:
    """Whether a binding only stands in for a failed import."""
    parent = module.parents.get(store)
    if isinstance(parent, ast.Assign) and isinstance(parent.value, ast.Constant):
        return True
    return any(isinstance(above, ast.ExceptHandler) for above in module.ancestors(store))


def dotted(function: Function, node: ast.AST) -> str | None:
    """The dotted name of an expression such as `th.nn.functional.relu`, if it starts at an import."""
    attributes = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    root = import_of(function, node.id)
    if root is None:
        return None
    return canonical(".".join([root, *reversed(attributes)])) if attributes else root


def of_decorator(function: Function, decorator: ast.expr) -> str | None:
    """The dotted name of a decorator, with settings or without: `torch.compile` of `@torch.compile(dynamic=True)`."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return dotted(function.within or function, target)


@once
def spelling(module: Module, name: str) -> str | None:
    """How a file can write a dotted name with the imports at its top level; None if it cannot."""
    best = None
    for bound, stores in module.body.scope.stores.items():
        for store in stores:
            if not isinstance(store, (ast.Import, ast.ImportFrom)):
                continue
            target = imported(module, store, bound)
            if target and (name == target or name.startswith(target + ".")):
                written = bound + name[len(target) :]
                if best is None or written.count(".") < best.count("."):
                    best = written
    return best


@once
def loads(module: Module, _: None) -> dict[str, list[ast.Name]]:
    """The reads of each name in all functions of a file: many are asked about."""
    found: dict[str, list[ast.Name]] = {}
    for function in module.functions.values():
        for name, reads in function.scope.loads.items():
            found.setdefault(name, []).extend(reads)
    return found
