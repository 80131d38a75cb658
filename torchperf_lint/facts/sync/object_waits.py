"""Which calls on objects around tensors wait: what is saved and loaded, distributions, gradient scalers, schedulers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.context import distribution_checks
from torchperf_lint.facts.domain.fact import NOTHING, Fact
from torchperf_lint.facts.domain.value import ANY, CUDA, MAYBE, NO, Value
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import last_name, place_of
from torchperf_lint.facts.interpret import classes, devices
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.knowledge import operation_waits, writers
from torchperf_lint.facts.sync import moved_later

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene, Wait


def saved(scene: Scene, node: ast.Call, args: Args) -> Fact[Wait]:
    """`torch.save` copies to the host what is on the GPU; what a program for the GPU saves is there, as a rule."""
    if not node.args:
        return NOTHING
    saved = args.at(0, "obj") or ANY
    held = _held(saved)
    if held is None and _is_open(saved) and not (scene.on_host or _is_on_host(saved) or _is_cloned(scene, node)):
        held = saved
    return scene.claim("read", "copies the tensors to the host", node.args[0], held) if held is not None else NOTHING


def loaded(scene: Scene, node: ast.Call, args: Args) -> Fact[Wait]:
    """`torch.load` puts each tensor where it was saved from, unless it is told where to."""
    where = args.at(1, "map_location")
    if where is not None and where.device in (CUDA, MAYBE):
        return scene.claim("copy", "copies the tensors to the GPU", node, where)
    if where is not None or any(isinstance(above, ast.Try) for above in scene.module.ancestors(node)):
        return NOTHING
    if _is_for_host(scene, node) or _is_of_clone(scene, node):
        return NOTHING
    return scene.claim("copy", "copies what was saved from the GPU back to it", node, ANY)


def _is_cloned(scene: Scene, save: ast.Call) -> bool:
    """Whether a function saves something to a buffer only to load it again: no checkpoint, and nothing says what it is a copy of."""
    return len(save.args) > 1 and _same_buffer(scene, save, "load", save.args[1]) is not None


def _is_of_clone(scene: Scene, load: ast.Call) -> bool:
    """The same for the load: it goes back to the GPU only where what was saved is known to be there."""
    save = _same_buffer(scene, load, "save", load.args[0]) if load.args else None
    return save is not None and _held(scene.look(save.args[0])) is None


def _same_buffer(scene: Scene, node: ast.Call, name: str, buffer: ast.expr) -> ast.Call | None:
    """The call of the same function that saves to, or loads from, the buffer that a call has; a file is left behind, a buffer not."""
    here, place = scene.module.function_of(node), {"save": 1, "load": 0}[name]
    if not isinstance(buffer, ast.Name) or not _is_buffer(scene, buffer):
        return None
    for call in scene.module.calls.get(name, ()):
        match call.args[place : place + 1]:
            case [ast.Name(id=buffer.id)] if scene.module.function_of(call) is here:
                return call
    return None


def _is_buffer(scene: Scene, name: ast.Name) -> bool:
    """Whether a function makes a `BytesIO` by a name."""
    for made in scene.module.calls.get("BytesIO", ()):
        match scene.module.parents.get(made):
            case ast.withitem(optional_vars=ast.Name(id=bound)) | ast.Assign(targets=[ast.Name(id=bound)]):
                if bound == name.id and scene.module.function_of(made) is scene.module.function_of(name):
                    return True
    return False


def _is_for_host(scene: Scene, node: ast.Call) -> bool:
    """Whether what is loaded goes right into a module of a program that moves its modules later: nothing says that it was
    saved from the GPU."""
    match scene.module.parents.get(node):
        case ast.Call(func=ast.Attribute(value=held, attr="load_state_dict"), args=[first, *_]) if first is node:
            if scene.look(held).device in (CUDA, MAYBE):
                return False
            calls = moved_later.calls_of(scene.module, scene.module.function_of(node))
            places = [place_of(each) for each in calls if _is_of_module(scene, each)]
            return bool(places) and min(places) > place_of(node)
    return False


def _is_of_module(scene: Scene, call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and scene.look(call.func.value).kind in ("module", "unknown")


def _is_open(value: Value) -> bool:
    """Whether nothing is known of a value, or of something inside it; of the weights of a module, where they are."""
    if value.kind in ("unknown", "module"):
        return value.device is None
    if value.kind in ("dict", "list", "tuple") and value.items is not None:
        return any(_is_open(item) for item in _inside(value))
    if value.kind == "dict" and value.elem is not None and value.elem.kind == "tensor":
        return value.elem.device is None and value.elem.grad is False
    if value.kind in ("list", "tuple") and value.elem is not None:
        return _is_open(value.elem)
    return value.kind in ("dict", "instance") and value.elem is None


def _is_on_host(value: Value) -> bool:
    """Whether something in a dict or a list is a tensor of the host: who took one there took all."""
    return any(item.kind == "tensor" and item.on_host for item in _inside(value))


def _inside(value: Value) -> tuple[Value, ...]:
    return tuple(value.items.values()) if isinstance(value.items, dict) else value.items or ()


def _held(value: Value, depth: int = 3) -> Value | None:
    """A tensor or module inside a value that is known to be on the GPU."""
    if value.kind in ("tensor", "module", "tensor_tree", "unknown"):
        return value if value.device in (CUDA, MAYBE) else None
    if not depth:
        return None
    for item in (*_inside(value), *([value.elem] if value.elem is not None else [])):
        found = _held(item, depth - 1)
        if found is not None:
            return found
    return None


def written(scene: Scene, node: ast.Call, writer: Value, name: str) -> Fact[Wait]:
    """`writer.add_scalar("loss", loss)` reads the loss at once; a method of the program by that name says itself what it does."""
    if isinstance(writer.ref, Class) and classes.find_method(scene.analysis, writer.ref, name) is not None:
        return NOTHING
    given = node.args[1:2] or [keyword.value for keyword in node.keywords if keyword.arg in _WRITTEN]
    value = scene.look(given[0]) if given else ANY
    held = _held(value)
    if held is None and value.kind == "tensor" and scene.cuda(value) and name not in writers.OF_SAMPLES:
        held = value
    return (
        scene.claim("format", "what is written down is read at once", given[0], held) if held is not None else NOTHING
    )


_WRITTEN: Final = (
    "scalar_value", "tag_scalar_dict", "values", "img_tensor", "vid_tensor", "snd_tensor",
)  # fmt: skip


def unpacked(scene: Scene, node: ast.Call, args: Args) -> Fact[Wait]:
    """`pad_packed_sequence` of what was packed unsorted: the order is copied back."""
    packed = args.at(0, "sequence")
    settings = packed.items if packed is not None and isinstance(packed.items, dict) else {}
    is_sorted = settings.get("enforce_sorted")
    if packed is None or is_sorted is None or is_sorted.const is not False:
        return NOTHING
    return scene.claim("library", "copies the order of the sequences to the GPU", node, packed)


def distribution(scene: Scene, node: ast.Call, name: str, args: Args) -> Fact[Wait]:
    """The constructor of a distribution checks its arguments on the host."""
    return checked(scene, node, args) if knowledge.constructs(name) == "distribution" else NOTHING


def checked(scene: Scene, node: ast.Call, args: Args) -> Fact[Wait]:
    """The same where it is known to be one: a class of the program that derives from one, too."""
    if _is_unchecked(scene, args.named.get("validate_args")):
        return NOTHING
    for value in devices.tensors_in(list(args.every)):
        if scene.cuda(value):
            return scene.claim("library", "checks its arguments on the host; say `validate_args=False`", node, value)
    return NOTHING


def _is_unchecked(scene: Scene, asked: Value | None) -> bool:
    """Whether a distribution that was given a setting of its checks, or none, checks nothing."""
    if asked is not None and asked.kind != "none":
        return asked.const is False
    return distribution_checks.are_off(scene.analysis, scene.module)


def is_like_distribution(node: ast.expr, value: Value) -> bool:
    """Whether what is asked for a `log_prob` is a distribution: a model gave it, `policy(x).log_prob(a)`, or it is called so."""
    if value.kind == "tensor_tree":
        return bool(value.ref == "output")  # no tensor has one
    return value.kind == "unknown" and value_names.is_distribution(last_name(node))


def asked(scene: Scene, node: ast.Call, distribution: Value) -> Fact[Wait]:
    """`log_prob` looks whether the values are some that can be drawn."""
    given = scene.args(node).at(0, "value")
    if scene.on_host or given is None or scene.host(given) or _is_unchecked(scene, None) or distribution.on_host:
        return NOTHING
    for row in operation_waits.of("distribution.log_prob", scene.target):
        return scene.claim(row.form, row.says, node, distribution)
    return NOTHING


def method(scene: Scene, node: ast.Call, receiver: Value, name: str) -> Fact[Wait]:
    """A method of a distribution, a gradient scaler, a stream or an event."""
    args = scene.args(node)
    if receiver.kind == "scaler" and name == "step":
        return _scaler_step(scene, node, receiver, args)
    if receiver.kind == "scheduler" and name == "step":
        metric = args.at(0, "metrics")
        if metric is not None and metric.kind == "tensor" and scene.cuda(metric):
            return scene.claim("read", "copies the value to the host", node.args[0] if node.args else node, metric)
        return NOTHING
    settings = receiver.items if isinstance(receiver.items, dict) else {}
    if receiver.kind == "distribution" and name == "sample" and receiver.ref in _DRAWN and receiver.maybe_cuda:
        return NOTHING if scene.on_host else scene.claim("library", _DRAWN_SAYS, node, receiver)
    if receiver.kind == "distribution" and _is_unchecked(scene, settings.get("validate_args")):
        return NOTHING
    for row in operation_waits.of(f"{receiver.kind}.{name}", scene.target):
        if row.form == "sync" or receiver.kind == "scaler":
            return scene.claim(row.form, row.says, node)
        inside = [value for value in (*devices.tensors_in(list(args.every)), receiver) if value.maybe_cuda]
        if inside and not scene.on_host:
            return scene.claim(row.form, row.says, node, inside[0])
    return NOTHING


_DRAWN: Final = frozenset(("torch.distributions.Normal", "torch.distributions.normal.Normal"))
"""Distributions that draw with `torch.normal`, which checks whatever `validate_args` says; `rsample` does not."""
_DRAWN_SAYS: Final = "checks that no deviation is negative; `rsample` does not"


def _scaler_step(scene: Scene, node: ast.Call, receiver: Value, args: Args) -> Fact[Wait]:
    """`scaler.step(optimizer)` reads whether a gradient overflowed, unless the optimizer is fused."""
    optimizer = args.at(0, "optimizer")
    settings = receiver.items if isinstance(receiver.items, dict) else {}
    enabled = settings.get("enabled")
    if enabled is not None and enabled.const is False:
        return NOTHING
    if optimizer is not None and isinstance(optimizer.items, dict):
        fused = optimizer.items.get("fused")
        if fused is not None and fused.const is not False and fused.const is not NO:
            return NOTHING
    says = "reads whether a gradient overflowed"
    # With momentum its fused kernel is wrong: see `momentum` among the idioms.
    has_cure = optimizer is None or optimizer.ref != "torch.optim.SGD"
    return scene.claim("library", f"{says}; a fused optimizer needs not" if has_cure else says, node)
