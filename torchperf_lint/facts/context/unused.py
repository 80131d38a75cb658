"""Code that nothing in a project uses: no file of it says the name, and nobody else can have it.

    class RankLoss(nn.Module):                   no other file says `RankLoss`, nor does its own but in the class itself
        def forward(self, scores): ...           so this never runs

Only where the whole project is in sight: a program, not a package that others install, and none that takes names from texts. Of
any project it can be told what nothing in it runs but tests: others may, but nothing shows that they do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import (
    fallbacks,
    file_traits,
    looked_up,
    never_made,
    old_python,
    plain_decorators,
    unread_functions,
)
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.facts.interpret.ancestry import unseen
from torchperf_lint.facts.project import uses
from torchperf_lint.facts.project.asked import MADE, RUN, USED

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DEFINING: Final = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Assign,
    ast.AnnAssign,
)
_OF_CLASS: Final = frozenset("getattr vars eval exec __dict__ methodcaller".split())
"""With one of these a file may use a method without its name; what stands on its top needs the module for `getattr`."""
_KNOWN: Final = frozenset(("object", "torch.nn.Module", "torch.autograd.Function", "abc.ABC"))
"""Classes whose methods are called by their names."""
_FORGETFUL: Final = ("torch.", "lightning.", "pytorch_lightning.")  # no class of theirs remembers who derives from it
_CALLED: Final = frozenset(
    "forward backward jvp vmap setup_context extra_repr train eval apply to cuda cpu half float double".split()
)
"""What these classes call by themselves."""
_CONDITIONS: Final = (ast.If, ast.Try, ast.ExceptHandler, ast.With)
_CHAIN: Final = 4
"""So many definitions of which each is used by the next alone are followed."""
_MANY: Final = 6
"""What so many more definitions use is in use."""


def is_unused(analysis: Analysis, module: Module, node: ast.AST) -> bool:
    """Whether a node stands in a function or a class that nothing in the project uses, or in what only an old torch, or an old
    Python, runs, or behind what ends a program."""
    if fallbacks.is_one(module, node) or old_python.is_one(module, node) or never_made.is_behind(module, node):
        return True
    if unread_functions.is_one(module, node):
        return True
    return _is_never_imported(analysis, module.tree) or any(
        _nobody_uses(analysis, (each, USED)) for each in _around(module, node)
    )


def nobody_runs(analysis: Analysis, module: Module, node: ast.AST) -> Definition | None:
    """The function or class around a node that nothing in the project is seen to run, tests aside, whoever else may."""
    return next((each for each in _around(module, node) if _nobody_uses(analysis, (each, RUN))), None)


@once
def _is_never_imported(analysis: Analysis, _: ast.Module) -> bool:
    """Whether no file imports a file, but such files, and it does nothing where it is run."""
    return _is_idle(analysis, frozenset())


def _is_idle(analysis: Analysis, others: frozenset[str]) -> bool:
    """Whether nothing runs a file if nothing runs some others."""
    module, neighbours = analysis.module, analysis.around()
    stem = module.name.rpartition(".")[2]
    if neighbours is None or function_names.is_started_by_others(stem) or module.path.endswith("__init__.py"):
        return False
    if not all(_only_defines(analysis, each) for each in module.tree.body):
        return False
    importers, unused = neighbours.importers(analysis), others | {module.path}
    if importers is None or len(unused) > _CHAIN or (importers and neighbours.is_open(analysis)):
        return False
    if not all(each.module.path in others or _is_idle(each, unused) for each in importers):
        return False
    defined = (each.name for each in module.tree.body if isinstance(each, Definition))
    return all(
        not function_names.is_started_by_others(each) and neighbours.names_users(analysis, each, USED)
        for each in defined
    )


def _only_defines(analysis: Analysis, statement: ast.stmt) -> bool:
    """Whether a statement on the top of a file does nothing but define something, or import it."""
    match statement:
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=last):
            caught = (each for handler in handlers for each in handler.body)
            return all(_only_defines(analysis, each) for each in (*body, *caught, *orelse, *last))
        case ast.Raise() | ast.Pass():
            return True
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return not _runs_a_function(analysis, value)
    return isinstance(statement, _DEFINING) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _runs_a_function(analysis: Analysis, value: ast.expr) -> bool:
    """Whether an expression calls a function of the project: `total = fit(model, loader)` is the work of a script."""
    calls = (each for each in walk(value, into_scopes=False) if isinstance(each, ast.Call))
    return any(analysis.value(each.func, analysis.module).kind == "function" for each in calls)


def _around(module: Module, node: ast.AST) -> Iterator[Definition]:
    """The functions and classes around a node that others can name: on the top of the file, and methods of such classes."""
    for each in module.ancestors(node):
        above = _holder(module, each)
        if isinstance(above, ast.ClassDef):
            above = _holder(module, above) if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and above is module.tree:
            yield each


def _holder(module: Module, node: ast.AST) -> ast.AST | None:
    """The class, the function or the file that a node stands in, behind whatever condition."""
    above = module.parents.get(node)
    while isinstance(above, _CONDITIONS):
        above = module.parents.get(above)
    return above


@once
def _nobody_uses(analysis: Analysis, asked: tuple[Definition, str]) -> bool:
    """Whether nothing uses, or runs, a definition, but for other definitions that nothing uses."""
    return _is_unused_without(analysis, *asked, frozenset())


def _is_unused_without(analysis: Analysis, node: Definition, about: str, others: frozenset[Definition]) -> bool:
    """Whether nothing uses a definition, if nothing uses some others."""
    if node in others:
        return True
    if len(others) >= _CHAIN or _is_named(analysis, (node, about)):
        return False
    unused = others | {node}
    are_unused = _are_unused(analysis, _reads(analysis, node), about, unused)
    return are_unused and not _is_used_elsewhere(analysis, node, about, unused)


def _are_unused(analysis: Analysis, reads: list[ast.expr], about: str, unused: frozenset[Definition]) -> bool:
    """Whether each of the places that say a name stands in what nothing uses."""
    places = dict.fromkeys(tuple(_around(analysis.module, read)) for read in reads)
    return len(places) <= _MANY and all(
        any(_is_unused_without(analysis, each, about, unused) for each in place) for place in places
    )


def _is_used_elsewhere(analysis: Analysis, node: Definition, about: str, unused: frozenset[Definition]) -> bool:
    """Whether another file uses a definition, in what is used itself: `box_utils.match` of a loss that nobody makes is not."""
    owner, neighbours = analysis.module.classes.get(analysis.module.parents[node]), analysis.around()
    asked = MADE if about == RUN and isinstance(node, ast.ClassDef) else about
    if neighbours is None or not neighbours.is_used(
        analysis, node.name, owner.name if owner is not None else None, asked
    ):
        return neighbours is None
    users = neighbours.users(analysis, node.name, about) if owner is None and len(unused) < _CHAIN else []
    return not users or not all(_says_unused(each, node.name, about, unused) for each in users)


def _says_unused(other: Analysis, name: str, about: str, unused: frozenset[Definition]) -> bool:
    """Whether a file says what another one defines in what nothing uses, and there alone."""
    module = other.module
    if name in looked_up.in_strings(module, module.tree) or looked_up.reflects(module, uses.LOOKING_UP):
        return False
    loads = (
        each for spelled in module.spelled(frozenset((name,))) for each in names.loads(module, None).get(spelled, ())
    )
    reads = [*loads, *module.attributes.get(name, ())]
    if _is_never_imported(other, module.tree):
        return bool(reads) and not any(module.function_of(each).is_module for each in reads)
    return bool(reads) and _are_unused(other, reads, about, unused)


@once
def _is_named(analysis: Analysis, asked: tuple[Definition, str]) -> bool:
    """Whether something may use, or run, a definition that needs no name for it, or takes that from a text."""
    node, about = asked
    module, neighbours = analysis.module, analysis.around()
    owner = module.classes.get(module.parents[node])
    stem = module.name.rpartition(".")[2]
    if neighbours is None or any(map(function_names.is_started_by_others, (node.name, stem))):
        return True
    kept = [each for each in node.decorator_list if not plain_decorators.is_plain(analysis, module, each)]
    may_be_kept = about == RUN and neighbours.is_told(analysis)
    if kept and not (may_be_kept and all(plain_decorators.keeps_by_name(node, each) for each in kept)):
        return True
    if isinstance(node, ast.ClassDef) and _is_found_by_base(analysis, node):
        return True
    if isinstance(node, ast.ClassDef) and about == RUN:
        if node.keywords:
            return True
    elif not _is_left_alone_by_bases(analysis, node, owner):
        return True
    if node.name in looked_up.in_strings(module, module.tree) and (
        about == USED or node.name in looked_up.besides_all(module, module.tree)
    ):
        return True
    return about == USED and looked_up.reflects(module, uses.LOOKING_UP if owner is None else _OF_CLASS)


@once
def _reads(analysis: Analysis, node: Definition) -> list[ast.expr]:
    """Where a file says the name of a definition, other than in itself, and to use it."""
    module = analysis.module
    had = (each for each in module.attributes.get(node.name, ()) if not _is_of_torch(_called(module, each)))
    said = (*names.loads(module, None).get(node.name, ()), *had)
    others = (each for each in said if not any(above is node for above in module.ancestors(each)))
    running = (each for each in others if not (fallbacks.is_one(module, each) or _is_only_tried_out(analysis, each)))
    return [each for each in running if not _is_only_renamed(analysis, each)]


def _called(module: Module, read: ast.Attribute) -> str:
    return dotted(module.function_of(read), read) or ""


def _is_of_torch(name: str) -> bool:
    """Whether something of torch has a name: `torch.nn.SiLU`. No class of it remembers who derives from it."""
    return name.startswith("torch.")


def _is_left_alone_by_bases(analysis: Analysis, node: Definition, owner: Class | None) -> bool:
    """Whether no base class can register a class, or call a method, by itself."""
    made = analysis.module.classes.get(node, owner)
    if made is None:
        return True
    above = analysis.ancestry(made)
    others = {base for each in above for base in unseen(analysis, each)} - _KNOWN
    are_forgotten = all(owner is None and base.startswith(_FORGETFUL) for base in others)
    if any(each.keywords for each in above) or not are_forgotten:
        return False
    if owner is None:
        return True
    is_plain = not any(True for each in above for _ in unseen(analysis, each))
    is_hook = node.name.startswith("__") or (not is_plain and (node.name.startswith("_") or node.name in _CALLED))
    return not is_hook and not any(node.name in each.methods for each in above[1:])


def _is_found_by_base(analysis: Analysis, node: ast.ClassDef) -> bool:
    """Whether a class may be found among all that derive from one of its bases."""
    made, neighbours = analysis.module.classes.get(node), analysis.around()
    if made is None or neighbours is None:
        return True
    above = analysis.ancestry(made)[1:]
    if any("__init_subclass__" in each.methods for each in above):
        return True
    others = {base for each in (made, *above) for base in unseen(analysis, each)} - _KNOWN
    return bool(above or others) and neighbours.is_said_anywhere("__subclasses__")


def _is_only_tried_out(analysis: Analysis, read: ast.expr) -> bool:
    """Whether a name is read only to try out a file that others import: behind its guard, where nothing trains but what is called a
    test or a benchmark, or that."""
    name = last_name(read)
    is_named = function_names.is_test(name) or function_names.measures_time(name)
    return file_traits.trial(analysis, analysis.module, read, is_training=is_named) is not None


def _is_only_renamed(analysis: Analysis, read: ast.expr) -> bool:
    """Whether a name is read only to bind another one, which nobody says: `rank_loss = RankLoss.apply`."""
    module = analysis.module
    statement, neighbours = module.statement(read), analysis.around()
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute()):
            is_at_top = module.parents.get(statement) is module.tree
            return is_at_top and not (
                neighbours is None
                or neighbours.is_used(analysis, name, None)
                or name in looked_up.in_strings(module, module.tree)
                or name in names.loads(module, None)
            )
    return False
