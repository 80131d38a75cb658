"""Tensors that a call makes out of nothing, and what only gives them another shape or dtype on the way to a move.

    torch.zeros(n).view(2, -1)[None].to(device)     made by `torch.zeros(n)`
    torch.stack(torch.meshgrid(a, b)).to(device)    made of what `a` and `b` are made by
    g = torch.ones(n); g[a:b] = 0.5; g.cuda()       made by `torch.ones(n)`

Knows the names of such functions of torch, not what they are worth on which device.
"""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import module_setup, runs_once
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.guesses import comment_words as comment_words
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.idioms import operations
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import last_name, receiver, walk
from torchperf_lint.facts.interpret import classes, transfers
from torchperf_lint.rules.transfer.create_on_cpu_then_move import amounts, fills

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_FACTORIES: Final = frozenset(
    (
        "zeros", "ones", "empty", "eye", "full", "arange", "tril_indices", "triu_indices", "linspace", "logspace",
        "hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window",
        "rand", "randn", "randint", "randperm",
    )
)  # fmt: skip
_MEANT: Final = frozenset(("generator", "pin_memory", "out", "layout", "device", "names"))
"""Arguments by which a call says that it is to be made as it is, and where."""
_SHAPING: Final = frozenset(
    (
        "unsqueeze", "squeeze", "view", "reshape", "expand", "repeat", "flatten", "t", "transpose", "permute", "contiguous",
        "tril", "triu", "bool", "int", "long", "float", "double",
    )
)  # fmt: skip

_JOINING: Final = frozenset(("stack", "cat", "meshgrid", "cartesian_prod", "outer", "column_stack", "hstack", "vstack"))
"""What puts tensors together, and takes nothing else."""
_DEEP: Final = 4


def waits_besides(facts: Facts, call: ast.AST) -> bool:
    """Whether the statement of a move makes the host wait for something else as well: that wait stays."""
    others = (each for each in walk(facts.module.statement(call)) if each is not call and facts.may_wait_at(each))
    return any(facts.wait_at(each).known for each in others)


def is_alone(facts: Facts, call: ast.AST) -> bool:
    """Whether a copy is made once a step, where nothing shows that the host has anything to do while the GPU works."""
    return facts.once_a_step_at(call) is not None


def stays_on_host(facts: Facts, call: ast.AST) -> bool:
    """Whether a move goes to a device that whoever makes the object has on the host."""
    return facts.is_device_of_host_at(_target(facts, call))


def may_be_built(facts: Facts, node: ast.AST) -> bool:
    """Whether a call moves from the host what a call of torch made out of nothing, and may do so often."""
    held = facts.receiver_at(node)
    if held.kind not in ("tensor", "tensor_tree") or not held.on_host:
        return False
    if built(facts, node) is None and assembled(facts, node) is None and helper(facts, node) is None:
        return False
    return not runs_once.runs_seldom(facts.analysis, facts.module, node, facts.settings.hot_functions)


def built(facts: Facts, move: ast.AST) -> tuple[ast.expr, ast.Call] | None:
    """What a call moves, or what the name is bound to that it moves, and the factory in it; None if there is none."""
    analysis, module, held = facts.analysis, facts.module, receiver(move)
    origin = fills.maker(analysis, module, move) if isinstance(held, ast.Name) else held
    factory = _within(analysis, module, origin)
    return (origin, factory) if origin is not None and factory is not None else None


def is_in_place(facts: Facts, move: ast.AST) -> bool:
    """Whether what makes a tensor stands in what is moved, or bound to it, and the move hangs on no condition: one edit mends it."""
    found = built(facts, move)
    return (
        found is not None
        and any(each is found[1] for each in walk(found[0]))
        and fills.around(facts.module, move) is None
    )


def assembled(facts: Facts, move: ast.AST) -> ast.Call | None:
    """The call that puts together what a call moves out of nothing but what factories of torch made: a grid of coordinates."""
    module, held = facts.module, receiver(move)
    if isinstance(held, ast.Name):
        held = definitions.definition(module, held)
    return held if isinstance(held, ast.Call) and _joins_factories(facts.analysis, module, held, _DEEP) else None


def helper(facts: Facts, move: ast.AST) -> ast.Call | None:
    """The call of a function of the program that makes what a call moves, out of nothing and where nobody tells it."""
    module, held = facts.module, receiver(move)
    if isinstance(held, ast.Name):
        held = definitions.definition(module, held)
    if not isinstance(held, ast.Call) or not isinstance(held.func, (ast.Name, ast.Attribute)):
        return None
    called = _function(facts.analysis, module, held.func)
    if not isinstance(called, Function) or called.decorators or called.is_generator:
        return None  # what a decorator keeps may be made once
    last = called.body[-1]
    made = last.value if isinstance(last, ast.Return) else None
    if isinstance(made, ast.Name):
        made = definitions.definition(called.module, made)
    if made is None or (
        _within(facts.analysis, called.module, made) is None
        and not _joins_factories(facts.analysis, called.module, made, _DEEP)
    ):
        return None
    return held


def _function(analysis: Analysis, module: Module, func: ast.expr) -> object:
    """The function of the program that is called, also as a method: `self.positions`."""
    if isinstance(func, ast.Attribute):
        owner = analysis.value(func.value, module).ref
        if isinstance(owner, Class):
            return classes.find_method(analysis, owner, func.attr)
    return analysis.value(func, module).ref


def follows_as_helper(facts: Facts, move: ast.AST) -> bool:
    """Whether a move to the device of a tensor is of what a function of the program made on the host."""
    return follows_tensor(facts, move) and helper(facts, move) is not None


def _joins_factories(analysis: Analysis, module: Module, node: ast.expr, deep: int) -> bool:
    """Whether a call joins tensors all of which factories made, directly or in lines before."""
    if not isinstance(node, ast.Call) or _called(module, node) not in _JOINING or not deep:
        return False
    parts = [part for each in node.args for part in (each.elts if isinstance(each, (ast.List, ast.Tuple)) else [each])]
    found = [(definitions.definition(module, each) or each) if isinstance(each, ast.Name) else each for each in parts]
    tensors = [each for each in found if analysis.value(each, module).kind not in ("number", "string")]
    return bool(tensors) and all(
        _within(analysis, module, each) is not None or _joins_factories(analysis, module, each, deep - 1)
        for each in tensors
    )


def bytes_made(facts: Facts, factory: ast.AST) -> int | None:
    """How many bytes a call makes out of nothing, where the source shows it."""
    return amounts.made(facts.analysis, facts.module, factory) if isinstance(factory, ast.Call) else None


def may_be_many(facts: Facts, factory: ast.AST) -> bool:
    """Whether a call may make so much out of nothing that making it on the host costs something."""
    usual = amounts.INFERRED if _only_infers(facts.module, factory) else amounts.USUAL
    return isinstance(factory, ast.Call) and amounts.may_be_many(facts.analysis, facts.module, factory, usual)


def weighs_gradients(facts: Facts, move: ast.AST) -> bool:
    """Whether what is moved weighs what gradients are taken of, the scores of a discriminator as a rule: one number an item."""
    above = facts.module.parents.get(move)
    match above:
        case ast.Assign(targets=[ast.Name() as bound]):
            reads = [facts.module.parents.get(each) for each in definitions.reads_after(facts.module, bound)]
        case _:
            reads = [above]
    return bool(reads) and all(isinstance(each, ast.keyword) and each.arg == "grad_outputs" for each in reads)


def _only_infers(module: Module, node: ast.AST) -> bool:
    """Whether a node stands in a function, or a branch, that is called after inference: `def infer`, `if not infer: ... else: ...`."""
    if any(function_names.infers(each.name) for each in module.function_of(node).around()):
        return True
    for below, above in pairwise((node, *module.ancestors(node))):
        if isinstance(above, ast.If) and below is not above.test:
            is_else = any(below is each for each in above.orelse)
            test = above.test.operand if isinstance(above.test, ast.UnaryOp) and is_else else above.test
            if function_names.infers(last_name(test)) and (test is not above.test) is is_else:
                return True
    return False


def holds_at(facts: Facts, node: ast.AST, place: ast.AST) -> bool:
    """Whether an expression stands for the same at the earlier statement that a place of its block stands in."""
    module = facts.module
    return isinstance(node, ast.expr) and fills.holds_at(module, node, module.statement(place))


def follows_tensor(facts: Facts, move: ast.AST) -> bool:
    """Whether a move is to the device of a tensor: it is done as often as the code is given one."""
    target = _target(facts, move)
    if isinstance(target, ast.Attribute) and target.attr == "device":
        target = target.value
    return target is not None and facts.analysis.value(target, facts.module).kind == "tensor"


def follows_as_grid(facts: Facts, move: ast.AST) -> bool:
    """Whether a move to the device of a tensor is of what was put together on the host out of what was made there."""
    return follows_tensor(facts, move) and assembled(facts, move) is not None


def moves_to_own(facts: Facts, move: ast.AST) -> bool:
    """Whether a move is to a device that the object keeps: `.to(self.device)`, `.to(self.settings.device)`."""
    kept = _target(facts, move)
    is_kept = isinstance(kept, ast.Attribute)
    while isinstance(kept, ast.Attribute):
        kept = kept.value
    return is_kept and isinstance(kept, ast.Name) and kept.id == "self"


def _target(facts: Facts, move: ast.AST) -> ast.expr | None:
    """What a move is given for the device."""
    assert isinstance(move, ast.Call)
    device, _ = transfers.targets(lambda each: facts.analysis.value(each, facts.module), move)
    return device


def sets_up(facts: Facts, node: ast.AST) -> bool:
    """Whether a node makes a module or an optimizer, or what it keeps, and nothing hot makes a new one at each step."""
    function = facts.module.function_of(node)
    is_made = module_setup.is_made_once(facts.analysis, function) and module_setup.is_setup(facts.analysis, function)
    return is_made and (facts.frequency_at(node).value or Frequency.ONCE) < Frequency.INFERENCE


def holder(facts: Facts, node: ast.AST) -> str:
    """Whose method a node stands in: of a "module" (or an optimizer), of another "object", or "" of nobody."""
    return module_setup.holder(facts.analysis, facts.module.function_of(node))


def _within(analysis: Analysis, module: Module, node: ast.expr | None) -> ast.Call | None:
    """The factory below what only gives its tensor another shape or dtype."""
    called = _called(module, node)
    match node:
        case ast.Call() if called in _FACTORIES:
            is_meant = any(keyword.arg is None or keyword.arg in _MEANT for keyword in node.keywords)
            return None if is_meant else node
        case ast.Call(args=[first, *_]) if called in ("tril", "triu"):
            return _within(analysis, module, first)
        case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in _SHAPING:
            return _within(analysis, module, inner)
        case ast.Subscript(value=inner, slice=index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            is_plain = all(isinstance(part, ast.Slice) or _is_plain(analysis, module, part) for part in parts)
            return _within(analysis, module, inner) if is_plain else None
        case ast.Name():
            made = operations.made(module, node)
            return _within(analysis, module, made) if made is not node else None
    return None


def _called(module: Module, node: ast.expr | None) -> str:
    """The name of a function of torch that a call is of; empty for all else."""
    name = names.dotted(module.function_of(node), node.func) if isinstance(node, ast.Call) else None
    return (name or "").removeprefix("torch.")


def _is_plain(analysis: Analysis, module: Module, index: ast.expr) -> bool:
    return analysis.value(index, module).kind in ("number", "none")
