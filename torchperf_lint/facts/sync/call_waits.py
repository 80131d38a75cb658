"""Which calls wait: what is called decides who knows, and for torch's own operations the table of `knowledge.operation_waits`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.context import file_traits, own_tensors, same_argument
from torchperf_lint.facts.domain.fact import NOTHING, Fact, Sure
from torchperf_lint.facts.domain.value import CPU, CUDA, MAYBE, Value
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.interpret import adopted, classes, devices, overloads
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.knowledge import array_libraries, moves, operation_waits, writers
from torchperf_lint.facts.knowledge.operation_waits import WaitRow
from torchperf_lint.facts.sync import builtin_waits, module_moves, move_waits, object_waits

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene, Wait

_FROM_DATA: Final = frozenset(("torch.tensor", "torch.as_tensor", "torch.asarray"))


def of_call(scene: Scene, node: ast.Call) -> Fact[Wait]:
    """Whether a call makes the host wait."""
    function = node.func
    if isinstance(function, ast.Attribute):
        receiver = scene.look(function.value)
        if receiver.kind == "super" and receiver.elem is not None and receiver.elem.kind == "distribution":
            receiver = receiver.elem
        if function.attr == "log_prob" and object_waits.is_like_distribution(function.value, receiver):
            return object_waits.asked(scene, node, receiver)
        if receiver.kind in ("tensor", "tensor_tree") or (
            receiver.kind == "unknown" and function.attr in knowledge.tensor_only()
        ):
            return _method(scene, node, function, receiver)
        if receiver.kind == "module" and function.attr in moves.OF_BOTH:
            return module_moves.module_move(scene, node, function, receiver)
        if receiver.kind == "unknown" and function.attr in moves.OF_BOTH:
            return move_waits.unknown_move(scene, node, function, receiver)
        if receiver.kind == "unknown" and function.attr in ("item", "tolist") and receiver.device in (CUDA, MAYBE):
            return scene.claim("read", "copies the values to the host", function.value, receiver)
        if receiver.kind == "unknown" and function.attr == "item" and _is_of_torch(scene, node, function.value):
            return scene.claim("read", "copies the value to the host", function.value, receiver)
        if receiver.kind == "string" and function.attr == "format":
            return builtin_waits.text(scene, node)
        if function.attr in writers.METHODS:
            return object_waits.written(scene, node, receiver, function.attr)
        if receiver.kind == "module" and function.attr not in ("forward", "__call__"):
            return NOTHING
        if receiver.kind in ("distribution", "scaler", "stream", "event", "scheduler"):
            return object_waits.method(scene, node, receiver, function.attr)
    callee = scene.look(function)
    if callee.kind == "module":
        return _module_call(scene, node, callee)
    if isinstance(callee.ref, Class) and callee.kind == "class" and scene.look(node).kind == "distribution":
        as_above = classes.find_method(scene.analysis, callee.ref, "__init__") is None
        return object_waits.checked(scene, node, scene.args(node)) if as_above else NOTHING
    name = _name(scene, node, None if isinstance(function, ast.Attribute) else callee)
    if name is None:
        return NOTHING
    if name.startswith("builtins."):
        return builtin_waits.call(scene, node, name.removeprefix("builtins."))
    return _named(scene, node, name)


def _is_of_torch(scene: Scene, node: ast.Call, asked: ast.expr) -> bool:
    """Whether `.item()` is asked of something of torch: nothing else that a file imports has it, or it is a loss by its name."""
    if scene.on_host or node.args or not file_traits.imports(scene.module, ("torch",)):
        return False
    here = scene.module.function_of(node)
    if isinstance(asked, ast.Name):
        bound = names.scope_of(here, asked.id)
        if bound is None or any(isinstance(store, ast.arg) for store in bound.scope.stores.get(asked.id, ())):
            return False  # nothing binds it: the program ends there; or the callers decide what it is
        if asked.id in adopted.asked(scene.module, here):
            return False  # it is another thing as well, here perhaps
    return not file_traits.imports(scene.module, array_libraries.WITH_ITEM) or value_names.is_loss(_called(asked))


def _called(node: ast.expr) -> str:
    """How something is called: `step["loss"]` is a loss, too."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key
    return last_name(node)


def _name(scene: Scene, node: ast.Call, callee: Value | None) -> str | None:
    """The dotted name of what is called."""
    if callee is not None:
        return callee.ref if callee.kind == "symbol" else None
    assert isinstance(node.func, ast.Attribute)
    base = scene.look(node.func.value)
    return knowledge.canonical(f"{base.ref}.{node.func.attr}") if base.kind == "symbol" else None


# ---- by name


def _named(scene: Scene, node: ast.Call, name: str) -> Fact[Wait]:
    """A function of torch, or of a library around it."""
    args = scene.args(node)
    if name in _FROM_DATA:
        return move_waits.from_data(scene, node, name, args)
    if name in ("torch.Tensor", "torch.FloatTensor", "torch.LongTensor"):
        return move_waits.from_items(scene, node, args.at(0, "data"))
    if (
        name.startswith("math.")
        and args.positional
        and args.positional[0].kind == "tensor"
        and scene.cuda(args.positional[0])
    ):
        return scene.claim("read", "copies the value to the host", node.args[0], args.positional[0])
    if name == "torch.equal" and len(node.args) == 2:
        function = scene.module.function_of(node)
        if same_argument.are_one(scene.analysis, function, node.args[0], node.args[1]):
            return NOTHING  # what is one tensor is equal to itself, and torch sees that first
    if name == "torch.save":
        return object_waits.saved(scene, node, args)
    if name == "torch.load":
        return object_waits.loaded(scene, node, args)
    if name == "torch.nn.utils.rnn.pad_packed_sequence":
        return object_waits.unpacked(scene, node, args)
    if name.startswith("torch.distributions."):
        return object_waits.distribution(scene, node, name, args)
    if (
        name.startswith("torch.cuda.")
        and name.endswith("Tensor")
        and args.positional
        and args.positional[0].kind in ("list", "tuple", "ndarray")
    ):
        made = scene.look(node)
        return scene.claim("copy", "copies the data to the GPU", node, made)
    return _table(scene, node, name, args, None)


def _table(scene: Scene, node: ast.Call, key: str, args: Args, receiver: Value | None) -> Fact[Wait]:
    """The rows of the table for an operation."""
    rows = operation_waits.of(key, scene.target)
    if not rows:
        return NOTHING
    name = key.removeprefix(".")
    known = (knowledge.method(name) if receiver is not None else knowledge.function(key)) or ()
    chosen = overloads.choose(known, args) if known else None
    bound = chosen.bound if chosen is not None else _by_place(known, args)
    operands = devices.tensors_in([*([receiver] if receiver is not None else []), *args.every])
    for row in rows:
        found = _row(scene, node, row, bound, operands)
        if found.known:
            return found
    return NOTHING


def _by_place(known: tuple[knowledge.Overload, ...], args: Args) -> dict[str, Value]:
    """Which argument is which where no overload is sure: as the longest has it."""
    longest = max((overload.parameters for overload in known), key=len, default=())
    by_place = (
        parameter.name for parameter in longest if not parameter.keyword
    )  # of old code, `add_(1 - m, x)`, `x` is none
    return dict(zip(by_place, args.positional, strict=False)) | args.named


def _row(scene: Scene, node: ast.Call, row: WaitRow, bound: dict[str, Value], operands: list[Value]) -> Fact[Wait]:
    if row.form == "sync":
        return scene.claim("sync", row.says, node)
    on_gpu = [value for value in operands if scene.cuda(value)]
    for word in row.when:
        tensors = _meant(scene, row, word, bound)
        if tensors is None:
            return NOTHING
        on_gpu = tensors or on_gpu
    return scene.claim(row.form, row.says, node, on_gpu[0]) if on_gpu else NOTHING


def _meant(scene: Scene, row: WaitRow, word: str, bound: dict[str, Value]) -> list[Value] | None:
    """The tensors that a condition is about, none where it is about something else; None where it does not hold."""
    if "=" in word:
        name, _, what = word.partition("=")
        setting = bound.get(name)
        if setting is None:
            return None
        holds = setting.kind == "none" if what == "None" else setting.const is (what == "True")
        return [] if holds else None
    name, _, what = word.lstrip("!").partition(":")
    value = bound.get(name)
    match what:
        case "tensor":
            return _tensors(scene, row, value) or None
        case "host":
            is_there = value is not None and (value.kind in ("list", "tuple") or scene.host(value))
            holds = is_there is not word.startswith("!")
        case "point":
            holds = value is not None and value.rank == 0 and scene.host(value)
        case _:
            given = value is not None and value.kind != "none" and value.const is not False
            holds = given is not word.startswith("!")
    return [] if holds else None


def _tensors(scene: Scene, row: WaitRow, value: Value | None) -> list[Value]:
    """The tensors of the GPU that an argument is, or that the sizes in it are."""
    sizes = value.items if value is not None and value.kind == "size" else None
    held = list(sizes) if isinstance(sizes, tuple) else [value] if value is not None else []
    found = [each for each in devices.tensors_in(held) if scene.cuda(each)]
    return [each for each in found if _is_number(each)] if row.form in ("scalar", "size") else found


def _is_number(value: Value) -> bool:
    """Whether what stands where torch takes one number holds one, for any other would raise; what is only guessed may be a shape."""
    return value.rank == 0 or (value.rank is None and value.sure is Sure.PROVEN)


# ---- methods


def _method(scene: Scene, node: ast.Call, function: ast.Attribute, receiver: Value) -> Fact[Wait]:
    """A method of a tensor."""
    name = function.attr
    args = scene.args(node)
    if name in moves.OF_TENSORS:
        return move_waits.move(scene, node, function, receiver, args)
    if name in ("copy_", "data.copy_"):
        return move_waits.copied(scene, node, receiver, args)
    if name == "new_tensor" or (name == "new" and _is_given_data(args)):
        read = move_waits.from_items(scene, node, args.at(0, "data"))
        if read.known:
            return read
        if scene.cuda(receiver) and devices.of(args.named.get("device"))[0] != CPU:
            return scene.claim("copy", "copies the data to the GPU", node, receiver)
        return NOTHING
    if name == "numpy":
        forced = args.at(0, "force")
        if forced is None or forced.const is not True:
            return NOTHING  # a tensor of the GPU would raise
    if receiver.kind == "unknown":
        receiver = Value("tensor", receiver.sure, device=receiver.device, where=receiver.where)
    found = _table(scene, node, f".{name}", args, receiver)
    return NOTHING if found.known and own_tensors.have(scene.analysis, scene.module, name) else found


def _is_given_data(args: Args) -> bool:
    """Whether `x.new(...)` is given what the tensor is to hold, and not its size."""
    return len(args.every) == 1 and args.every[0].kind in ("list", "ndarray")


def _module_call(scene: Scene, node: ast.Call, module: Value) -> Fact[Wait]:
    """A module of torch that waits when it is called: its settings and the arguments of the call decide together."""
    rows = operation_waits.of(f"{module.ref}()", scene.target)
    if not rows:
        return NOTHING
    args = scene.args(node)
    order = operation_waits.CALLS.get(str(module.ref), ())
    bound = dict(zip(order, args.positional, strict=False)) | args.named
    bound |= {f"self.{name}": value for name, value in module.items.items()} if isinstance(module.items, dict) else {}
    for row in rows:
        found = _row(scene, node, row, bound, devices.tensors_in(list(args.every)))
        if found.known:
            return found
    return NOTHING
