"""Which calls wait: by the table of `torch_api.waits`, and the moves, conversions and texts that Python hides."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import classes, devices, overloads, torch_api, transfers, uses
from torchperf_lint.facts.arguments import Args
from torchperf_lint.facts.fact import NOTHING, Fact
from torchperf_lint.facts.program import Class
from torchperf_lint.facts.torch_api import waits
from torchperf_lint.facts.torch_api.waits import WaitRow
from torchperf_lint.facts.values import ANY, CPU, CUDA, MAYBE, NO, Value, any_item

if TYPE_CHECKING:
    from torchperf_lint.facts.effects import Scene, Wait

NO_WAIT: Final[Fact[Wait]] = NOTHING

_READS: Final = frozenset(("float", "int", "bool", "complex", "range", "round", "hex", "bin", "oct", "chr"))
_TEXTS: Final = frozenset(("str", "repr", "print", "format"))
_COMPARING: Final = frozenset(("max", "min", "sorted"))
_FROM_DATA: Final = frozenset(("torch.tensor", "torch.as_tensor", "torch.asarray"))
_MOVES: Final = frozenset(("to", "cuda", "cpu", "type", "type_as"))


def of_call(scene: Scene, node: ast.Call) -> Fact[Wait]:
    """Whether a call makes the host wait."""
    function = node.func
    if isinstance(function, ast.Attribute):
        receiver = scene.look(function.value)
        if receiver.kind in ("tensor", "nest") or (
            receiver.kind == "unknown" and function.attr in torch_api.tensor_only()
        ):
            return _method(scene, node, function, receiver)
        if receiver.kind == "module" and function.attr in ("to", "cuda", "cpu"):
            return _module_move(scene, node, function, receiver)
        if receiver.kind == "unknown" and function.attr in ("to", "cuda", "cpu"):
            return _unknown_move(scene, node, function, receiver)
        if receiver.kind == "unknown" and function.attr in ("item", "tolist") and receiver.device in (CUDA, MAYBE):
            return scene.claim("read", "copies the values to the host", function.value, receiver)
        if receiver.kind == "string" and function.attr == "format":
            return _text(scene, node)
        if receiver.kind == "module" and function.attr not in ("forward", "__call__"):
            return NO_WAIT
        if receiver.kind in ("distribution", "scaler", "stream", "event", "scheduler"):
            return _of_object(scene, node, receiver, function.attr)
    callee = scene.look(function)
    if callee.kind == "module":
        return _module_call(scene, node, callee)
    name = _name(scene, node, None if isinstance(function, ast.Attribute) else callee)
    if name is None:
        return NO_WAIT
    if name.startswith("builtins."):
        return _builtin(scene, node, name.removeprefix("builtins."))
    return _named(scene, node, name)


def _name(scene: Scene, node: ast.Call, callee: Value | None) -> str | None:
    """The dotted name of what is called."""
    if callee is not None:
        return callee.ref if callee.kind == "symbol" else None
    assert isinstance(node.func, ast.Attribute)
    base = scene.look(node.func.value)
    return torch_api.canonical(f"{base.ref}.{node.func.attr}") if base.kind == "symbol" else None


def args_of(scene: Scene, node: ast.Call) -> Args:
    """The recorded values of the arguments of a call."""
    positional: list[Value] = []
    opened = False
    for argument in node.args:
        value = scene.look(argument.value if isinstance(argument, ast.Starred) else argument)
        if isinstance(argument, ast.Starred):
            if isinstance(value.items, tuple):
                positional.extend(value.items)
            else:
                opened = True
        elif not opened:
            positional.append(value)
    named = {keyword.arg: scene.look(keyword.value) for keyword in node.keywords if keyword.arg is not None}
    return Args(tuple(positional), named, opened or any(keyword.arg is None for keyword in node.keywords))


# ---- by name


def _named(scene: Scene, node: ast.Call, name: str) -> Fact[Wait]:
    """A function of torch, or of a library around it."""
    args = args_of(scene, node)
    if name in _FROM_DATA:
        return _from_data(scene, node, name, args)
    if (
        name.startswith("math.")
        and args.positional
        and args.positional[0].kind == "tensor"
        and scene.cuda(args.positional[0])
    ):
        return scene.claim("read", "copies the value to the host", node.args[0], args.positional[0])
    if name == "torch.save":
        return _saved(scene, node, args)
    if name == "torch.load":
        where = args.at(1, "map_location")
        if where is not None and where.device in (CUDA, MAYBE):
            return scene.claim("copy", "copies the tensors to the GPU", node, where)
        if where is None and not any(isinstance(above, ast.Try) for above in scene.module.ancestors(node)):
            return scene.claim("copy", "copies what was saved from the GPU back to it", node, ANY)
        return NO_WAIT
    if name.startswith("torch.distributions."):
        return _distribution(scene, node, name, args)
    if (
        name.startswith("torch.cuda.")
        and name.endswith("Tensor")
        and args.positional
        and args.positional[0].kind in ("list", "tuple", "ndarray")
    ):
        return scene.claim("copy", "copies the data to the GPU", node)
    return _table(scene, node, name, args, None)


def _table(scene: Scene, node: ast.Call, key: str, args: Args, receiver: Value | None) -> Fact[Wait]:
    """The rows of the table for an operation."""
    rows = waits.of(key, scene.target)
    if not rows:
        return NO_WAIT
    name = key.removeprefix(".")
    known = (torch_api.method(name) if receiver is not None else torch_api.function(key)) or ()
    chosen = overloads.choose(known, args) if known else None
    bound = chosen.bound if chosen is not None else dict(args.named)
    operands = devices.tensors_in([*([receiver] if receiver is not None else []), *args.every])
    for row in rows:
        found = _row(scene, node, row, bound, operands)
        if found.known:
            return found
    return NO_WAIT


def _row(scene: Scene, node: ast.Call, row: WaitRow, bound: dict[str, Value], operands: list[Value]) -> Fact[Wait]:
    if row.form == "sync":
        return scene.claim("sync", row.says, node)
    on_gpu = [value for value in operands if scene.cuda(value)]
    for word in row.when:
        if word.endswith("=False"):
            flag = bound.get(word.removesuffix("=False"))
            if flag is None or flag.const is not False:
                return NO_WAIT
            continue
        name, _, what = word.lstrip("!").partition(":")
        value = bound.get(name)
        given = value is not None and value.kind != "none" and value.const is not False
        if word.startswith("!"):
            if given:
                return NO_WAIT
        elif what == "tensor":
            tensors = devices.tensors_in([value]) if value is not None else []
            tensors = [
                each for each in tensors if scene.cuda(each) and (row.form != "scalar" or each.rank in (0, None))
            ]
            if row.form == "scalar":
                tensors = [each for each in tensors if each.rank == 0]
            if not tensors:
                return NO_WAIT
            on_gpu = tensors
        elif what == "host":
            if value is None or not (value.kind in ("list", "tuple") or scene.host(value)):
                return NO_WAIT
        elif not given:
            return NO_WAIT
    if not on_gpu:
        return NO_WAIT
    return scene.claim(row.form, row.says, node, on_gpu[0])


# ---- methods


def _method(scene: Scene, node: ast.Call, function: ast.Attribute, receiver: Value) -> Fact[Wait]:
    """A method of a tensor."""
    name = function.attr
    args = args_of(scene, node)
    if name in _MOVES:
        return _move(scene, node, function, receiver, args)
    if name in ("copy_", "data.copy_"):
        return _copied(scene, node, receiver, args)
    if name == "new_tensor":
        if scene.cuda(receiver) and devices.of(args.named.get("device"))[0] != CPU:
            return scene.claim("copy", "copies the data to the GPU", node, receiver)
        return NO_WAIT
    if name == "numpy":
        forced = args.at(0, "force")
        if forced is None or forced.const is not True:
            return NO_WAIT  # a tensor of the GPU would raise
    if receiver.kind == "unknown":
        receiver = Value("tensor", receiver.sure, device=receiver.device, where=receiver.where)
    return _table(scene, node, f".{name}", args, receiver)


def _move(scene: Scene, node: ast.Call, function: ast.Attribute, value: Value, args: Args) -> Fact[Wait]:
    wish = transfers.asked("to" if function.attr == "type_as" else function.attr, args)
    if not wish.has_device or wish.non_blocking or wish.non_blocking is None:
        return NO_WAIT
    if value.kind == "nest" and value.device is None:
        return _unknown_move(scene, node, function, value)
    if wish.device == CPU:
        if scene.cuda(value):
            return scene.claim("read", "copies the values to the host", function.value, value)
        return NO_WAIT
    if wish.optional or (wish.device is None and scene.on_host):
        return NO_WAIT
    if scene.host(value) and wish.device in (CUDA, MAYBE, None):
        return scene.claim("copy", "copies the values to the GPU", function.value, value)
    return NO_WAIT


def _module_move(scene: Scene, node: ast.Call, function: ast.Attribute, module: Value) -> Fact[Wait]:
    """A module that was made on the host goes to the GPU once."""
    wish = transfers.asked(function.attr, args_of(scene, node))
    if not wish.has_device or wish.non_blocking:
        return NO_WAIT
    if wish.device == CPU:
        return (
            scene.claim("read", "copies the parameters to the host", function.value, module)
            if module.device in (CUDA, MAYBE)
            else NO_WAIT
        )
    if module.ref == uses.CALLABLE or not _has_parameters(scene, module):
        return NO_WAIT
    known = wish.device in (CUDA, MAYBE) or not (wish.optional or scene.on_host or _of_self(node))
    if known and (module.device == CPU or _is_made_here(scene, function.value)):
        return scene.claim("copy", "copies the parameters to the GPU", function.value, module.but(device=CPU))
    return NO_WAIT


def _module_call(scene: Scene, node: ast.Call, module: Value) -> Fact[Wait]:
    """A module of torch that waits when it is called: its settings and the arguments of the call decide together."""
    rows = waits.of(f"{module.ref}()", scene.target)
    if not rows:
        return NO_WAIT
    args = args_of(scene, node)
    order = waits.CALLS.get(str(module.ref), ())
    bound = dict(zip(order, args.positional, strict=False)) | args.named
    bound |= {f"self.{name}": value for name, value in module.items.items()} if isinstance(module.items, dict) else {}
    for row in rows:
        found = _row(scene, node, row, bound, devices.tensors_in(list(args.every)))
        if found.known:
            return found
    return NO_WAIT


def _of_self(node: ast.Call) -> bool:
    """Whether a module goes to `self.device`: while it is being made, that is where it is."""
    return any(
        isinstance(n, ast.Name) and n.id in ("self", "cls") for argument in node.args for n in ast.walk(argument)
    )


def _unknown_move(scene: Scene, node: ast.Call, function: ast.Attribute, value: Value) -> Fact[Wait]:
    """`x.cpu()` and `x.cuda()` are calls of tensors and modules, whatever else is known of `x`."""
    wish = transfers.asked(function.attr, args_of(scene, node))
    if _becomes_callable(scene, node):
        return NO_WAIT
    if scene.on_host or wish.non_blocking or wish.non_blocking is None or value.none:
        return NO_WAIT
    if function.attr == "cpu" and value.device not in (CPU,):
        return scene.claim("read", "copies the values to the host", function.value, value)
    if wish.device == CUDA and value.device is None and function.attr == "cuda":
        return scene.claim("copy", "copies the values to the GPU", function.value, value)
    return NO_WAIT


def _becomes_callable(scene: Scene, node: ast.Call) -> bool:
    """Whether what is moved is bound to a name that is only called: a loss, which has nothing to copy."""
    parent = scene.module.parents.get(node)
    if not isinstance(parent, ast.Assign) or not isinstance(parent.targets[0], ast.Name):
        return False
    held = scene.analysis.values.get(parent.targets[0])
    return held is not None and held.kind == "module" and held.ref == uses.CALLABLE


def _has_parameters(scene: Scene, module: Value) -> bool:
    """Whether a module can hold parameters: a loss of torch, and a class that keeps nothing, have nothing to copy."""
    if isinstance(module.ref, str) and module.ref.startswith("torch.nn."):
        row = torch_api.module(module.ref)
        return row is None or bool(row.owns) or not module.ref.endswith("Loss")
    if isinstance(module.ref, Class):
        kept = classes.sites(scene.analysis, module.ref)
        return bool(classes.bases(scene.analysis, module.ref)) or any(
            (scene.analysis.class_attribute(module.ref, name) or ANY).kind in ("module", "tensor", "unknown", "list")
            for name in kept
        )
    return True


def _is_made_here(scene: Scene, node: ast.expr) -> bool:
    """Whether a module is no parameter, so that nobody but this function can have moved it before."""
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and scene.look(node.func.value).kind != "symbol"
    ):
        node = node.func.value  # Net().eval()
    if not isinstance(node, ast.Name):
        return isinstance(node, ast.Call)
    stores = scene.module.function_of(node).scope.stores.get(node.id, [])
    return bool(stores) and not any(isinstance(store, ast.arg) for store in stores)


def _copied(scene: Scene, node: ast.Call, receiver: Value, args: Args) -> Fact[Wait]:
    source = args.at(0, "src")
    flag = args.at(1, "non_blocking")
    if source is None or (flag is not None and flag.const is not False):
        return NO_WAIT
    if scene.cuda(receiver) and scene.host(source):
        return scene.claim("copy", "copies the values to the GPU", node.args[0] if node.args else node, source)
    if scene.host(receiver) and scene.cuda(source) and source.device is not None:
        return scene.claim("read", "copies the values to the host", node.args[0] if node.args else node, source)
    return NO_WAIT


# ---- data, texts, numbers


def _from_data(scene: Scene, node: ast.Call, name: str, args: Args) -> Fact[Wait]:
    """`torch.tensor(data, device=...)`: host data is copied to the GPU, GPU scalars in a list are read one by one."""
    data = args.at(0, "data") or args.named.get("obj")
    if data is None or not node.args or data.items == ():
        return NO_WAIT  # of nothing, nothing is copied
    if data.kind in ("list", "tuple"):
        inside = [item for item in devices.tensors_in([data]) if scene.cuda(item)]
        if inside:
            return scene.claim("read", "reads the items of the list one by one", node.args[0], inside[0])
    asked = args.named.get("device") or (args.at(2) if name != "torch.as_tensor" else None)
    device, given = devices.of(asked)
    if not given or device == CPU or device not in (CUDA, MAYBE, None) or (asked is not None and asked.none):
        return NO_WAIT  # a device that may be None is the default one as often as not
    if device is None and scene.on_host:
        return NO_WAIT
    if data.kind in ("list", "tuple", "number", "ndarray", "size", "iterator") or scene.host(data):
        shown = args.named["device"] if "device" in args.named else data
        return scene.claim("copy", "copies the data to the GPU", node, shown)
    if data.kind == "unknown" and name == "torch.tensor":
        return scene.claim("copy", "copies the data to the GPU", node, data)
    return NO_WAIT


def _builtin(scene: Scene, node: ast.Call, name: str) -> Fact[Wait]:
    """Python's own functions on tensors."""
    if name in _TEXTS:
        return _text(scene, node)
    if not node.args:
        return NO_WAIT
    value = scene.look(node.args[0])
    if name in _READS:
        read = value if value.kind == "tensor" else scene.look(node.args[-1])
        if read.kind == "tensor" and scene.cuda(read):
            return scene.claim("read", "copies the value to the host", node.args[0], read)
        return NO_WAIT
    if name in _COMPARING:
        return _extreme(scene, node, value)
    if name in ("any", "all"):
        item = (
            value
            if value.kind == "tensor"
            else any_item(value)
            if value.kind in ("list", "tuple", "iterator")
            else value
        )
        if item.kind == "tensor" and scene.cuda(item):
            return scene.claim("truth", "reads the truth of each item back", node.args[0], item)
    return NO_WAIT


def _extreme(scene: Scene, node: ast.Call, first: Value) -> Fact[Wait]:
    """`max(a, b)`, `sorted(ts)`: each comparison is read back."""
    if len(node.args) == 1:
        item = (
            first
            if first.kind == "tensor"
            else any_item(first)
            if first.kind in ("list", "tuple", "iterator")
            else first
        )
        if item.kind == "tuple" and isinstance(item.items, tuple) and item.items:
            item = item.items[0]
        values = [item]
    else:
        values = [scene.look(argument) for argument in node.args]
    for value in values:
        if value.kind == "tensor" and scene.cuda(value):
            return scene.claim("truth", "reads each comparison back", node.args[0], value)
    return NO_WAIT


def _text(scene: Scene, node: ast.Call) -> Fact[Wait]:
    from torchperf_lint.facts import effects

    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        found = effects.formatted(scene, argument)
        if found.known:
            return found
    return NO_WAIT


# ---- objects


def _saved(scene: Scene, node: ast.Call, args: Args) -> Fact[Wait]:
    """`torch.save` of what is on the GPU copies it to the host."""
    saved = args.at(0, "obj")
    if saved is None or not node.args:
        return NO_WAIT
    held = _held(saved)
    if held is not None:
        return scene.claim("read", "copies the tensors to the host", node.args[0], held)
    return NO_WAIT


def _held(value: Value, depth: int = 3) -> Value | None:
    """A tensor or module inside a value that is known to be on the GPU."""
    if value.kind in ("tensor", "module", "nest"):
        return value if value.device in (CUDA, MAYBE) else None
    if not depth:
        return None
    items = value.items.values() if isinstance(value.items, dict) else value.items or ()
    for item in (*items, *([value.elem] if value.elem is not None else [])):
        found = _held(item, depth - 1)
        if found is not None:
            return found
    return None


def _distribution(scene: Scene, node: ast.Call, name: str, args: Args) -> Fact[Wait]:
    """The constructor of a distribution checks its arguments on the host."""
    if torch_api.constructs(name) != "distribution":
        return NO_WAIT
    checked = args.named.get("validate_args")
    if checked is not None and checked.const is False:
        return NO_WAIT
    for value in devices.tensors_in(list(args.every)):
        if scene.cuda(value):
            return scene.claim(
                "library", "checks its arguments on the host; `validate_args=False` does not", node, value
            )
    return NO_WAIT


def _of_object(scene: Scene, node: ast.Call, receiver: Value, name: str) -> Fact[Wait]:
    """A method of a distribution, a gradient scaler, a stream or an event."""
    args = args_of(scene, node)
    if receiver.kind == "scaler" and name == "step":
        return _scaler_step(scene, node, receiver, args)
    if receiver.kind == "scheduler" and name == "step":
        metric = args.at(0, "metrics")
        if metric is not None and metric.kind == "tensor" and scene.cuda(metric):
            return scene.claim("read", "copies the value to the host", node.args[0] if node.args else node, metric)
        return NO_WAIT
    settings = receiver.items if isinstance(receiver.items, dict) else {}
    unchecked = settings.get("validate_args")
    if receiver.kind == "distribution" and unchecked is not None and unchecked.const is False:
        return NO_WAIT
    for row in waits.of(f"{receiver.kind}.{name}", scene.target):
        if row.form == "sync" or receiver.kind == "scaler":
            return scene.claim(row.form, row.says, node)
        inside = [value for value in (*devices.tensors_in(list(args.every)), receiver) if value.maybe_cuda]
        if inside and not scene.on_host:
            return scene.claim(row.form, row.says, node, inside[0])
    return NO_WAIT


def _scaler_step(scene: Scene, node: ast.Call, receiver: Value, args: Args) -> Fact[Wait]:
    """`scaler.step(optimizer)` reads whether a gradient overflowed, unless the optimizer is fused."""
    optimizer = args.at(0, "optimizer")
    settings = receiver.items if isinstance(receiver.items, dict) else {}
    enabled = settings.get("enabled")
    if enabled is not None and enabled.const is False:
        return NO_WAIT
    if optimizer is not None and isinstance(optimizer.items, dict):
        fused = optimizer.items.get("fused")
        if fused is not None and fused.const is not False and fused.const is not NO:
            return NO_WAIT
    return scene.claim("library", "reads whether a gradient overflowed; a fused optimizer needs not", node)
