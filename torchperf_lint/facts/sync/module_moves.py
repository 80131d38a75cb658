"""Which moves of modules wait: `net.to(device)` of one that was made on the host."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.fact import NOTHING, Fact
from torchperf_lint.facts.domain.value import ANY, CPU, CUDA, MAYBE, Value
from torchperf_lint.facts.guesses import from_uses, value_names
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret import classes, transfers
from torchperf_lint.facts.knowledge import moves

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene, Wait


def module_move(scene: Scene, node: ast.Call, function: ast.Attribute, module: Value) -> Fact[Wait]:
    """A module that was made on the host goes to the GPU once."""
    wish = transfers.request(function.attr, scene.args(node))
    if not wish.has_device or wish.non_blocking:
        return NOTHING
    if wish.device == CPU:
        is_there = module.device in (CUDA, MAYBE) or (module.device is None and not scene.on_host)
        return scene.claim("read", "copies the parameters to the host", function.value, module) if is_there else NOTHING
    if module.ref == from_uses.CALLABLE or not _has_parameters(scene, module):
        return NOTHING
    if _is_being_made(scene, function.value):
        is_placed = wish.device in (CUDA, MAYBE, None) and not wish.optional and not _is_of_other(scene, node)
        return scene.claim("copy", "copies the parameters to the GPU", function.value, module) if is_placed else NOTHING
    is_waiting = scene.on_host and not _is_kept_by_other(scene, node)
    is_open = wish.optional or is_waiting or _of_own(scene, node)
    known = wish.device in (CUDA, MAYBE) or not is_open or is_told_where(scene, node)
    is_here = module.device == CPU or _is_made_here(scene, function.value, module)
    if (
        (known and is_here)
        or _is_moved_here(scene, node, module)
        or _is_handed_over(scene, node, function.value, module, wish)
    ):
        return scene.claim("copy", "copies the parameters to the GPU", function.value, module.but(device=CPU))
    return NOTHING


def is_told_where(scene: Scene, node: ast.Call) -> bool:
    """Whether a constructor moves something to the device that it is given: `nn.Linear(3, 3).to(device)`."""
    match node.args:
        case [ast.Name(id=name) as asked] if value_names.is_device(name):
            here = scene.module.function_of(node)
            is_given = isinstance(definitions.reaching(scene.module, asked), ast.arg)
            return here.name == "__init__" and is_given and not _may_be_none(scene, here, name)
    return False


def _may_be_none(scene: Scene, here: Function, name: str) -> bool:
    """Whether a device may be None; one that is the CPU by default is not: who has a GPU names it to what is made there."""
    default = scene.analysis.default(here, name) if name in here.defaults else None
    return scene.analysis.parameter(here, name).none and (default is None or default.device != CPU)


def _is_handed_over(scene: Scene, node: ast.Call, moved: ast.expr, module: Value, wish: transfers.Move) -> bool:
    """Whether a constructor moves a module that it is given, of which nobody has said where it is: who made it left that to this."""
    here = scene.module.function_of(node)
    if here.name != "__init__" or module.device is not None:
        return False
    match moved:
        case ast.Attribute(value=ast.Name(id=holder), attr=name) if here.positional[:1] == (holder,):
            sites = classes.sites(here.owner).get(name, ()) if here.owner is not None else ()
            kept = [definitions.value_of(scene.module, site) for function, site in sites if function is here]
            if not kept or not isinstance(kept[0], ast.Name):
                return False
            moved = kept[0]
    is_placed = wish.device in (CUDA, MAYBE) or transfers.is_placing(wish, node)
    is_given = isinstance(moved, ast.Name) and moved.id in here.parameters and moved.id not in here.positional[:1]
    return is_given and is_placed and not _is_of_other(scene, node)


def _is_being_made(scene: Scene, moved: ast.expr) -> bool:
    """Whether a module is moved by its own constructor, which has just made all that it holds: `self.to(device)`."""
    here = scene.module.function_of(moved)
    if here.name != "__init__" or here.owner is None or not isinstance(moved, ast.Name):
        return False
    return here.positional[:1] == (moved.id,) and not _moves_itself_above(scene, here.owner)


def _moves_itself_above(scene: Scene, owner: Class) -> bool:
    """Whether the constructor of a class above moves the module: what is left for another move is made there, more often than not."""
    for above in scene.analysis.ancestry(owner)[1:]:
        made = above.methods.get("__init__")
        for call in (*above.module.calls.get("to", ()), *above.module.calls.get("cuda", ())):
            match call.func:
                case ast.Attribute(value=ast.Name(id=holder)) if made is above.module.function_of(call):
                    if made.positional[:1] == (holder,):
                        return True
    return False


def _is_of_other(scene: Scene, node: ast.Call) -> bool:
    """Whether something goes to the device of a tensor, or of another module, which may be on the host still."""
    if not node.args:
        return False
    asked = scene.look(node.args[0])
    if asked.kind == "unknown" and isinstance(node.args[0], ast.Name):
        return isinstance(definitions.definition(scene.module, node.args[0]), ast.Call)  # device = device_of(net)
    is_of_tensor = asked.kind == "device" and asked.ref is None and asked.device is None and asked.why is not None
    return is_of_tensor or asked.kind == "tensor"


def _is_moved_here(scene: Scene, node: ast.Call, module: Value) -> bool:
    """Whether a module is on the GPU by this move, or by one on another way through the function."""
    moved = module.where.node if module.where is not None and module.where.path == scene.module.path else None
    if (
        not isinstance(moved, ast.Call)
        or not isinstance(moved.func, ast.Attribute)
        or moved.func.attr not in moves.TO_GPU
    ):
        return False
    return not scene.on_host and scene.module.function_of(moved) is scene.module.function_of(node)


def _is_kept_by_other(scene: Scene, node: ast.Call) -> bool:
    """Whether what sets something up is no module, so that what it moves is none of its own: `self.loss = Loss().to(self.device)`."""
    owner = scene.module.function_of(node).owner
    return owner is not None and scene.analysis.kind(owner) not in ("module", "dataset", "sampler")


def _of_own(scene: Scene, node: ast.Call) -> bool:
    """Whether a module goes to `self.device` of one that it is a part of: while that is being made, that is where it is."""
    names = (n.id for argument in node.args for n in ast.walk(argument) if isinstance(n, ast.Name))
    return not _is_kept_by_other(scene, node) and any(name in ("self", "cls") for name in names)


def _has_parameters(scene: Scene, module: Value) -> bool:
    """Whether a module can hold parameters: a loss of torch, and a class that keeps nothing, have nothing to copy."""
    if isinstance(module.ref, str) and module.ref.startswith("torch.nn."):
        row = knowledge.module(module.ref)
        return row is None or bool(row.owns) or not module.ref.endswith("Loss")
    if isinstance(module.ref, Class):
        kept = classes.sites(module.ref)
        return bool(scene.analysis.bases(module.ref)) or any(_may_own(scene, module.ref, name) for name in kept)
    return True


def _may_own(scene: Scene, owner: Class, name: str) -> bool:
    """Whether an attribute of a module can hold parameters: settings do not, nor does a loss of torch."""
    held = scene.analysis.class_attribute(owner, name) or ANY
    if held.kind == "module" and isinstance(held.ref, str):
        return _has_parameters(scene, held)
    return held.kind in ("module", "tensor", "list") or (held.kind == "unknown" and not value_names.is_settings(name))


def _is_made_here(scene: Scene, node: ast.expr, module: Value) -> bool:
    """Whether a module is no parameter, or is made here in its place, so that nobody but this function can have moved it before."""
    here, made = scene.module.function_of(node), module.why.node if module.why is not None else None
    if isinstance(made, ast.Call) and made in scene.module.parents and scene.module.function_of(made) is here:
        return True
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and scene.look(node.func.value).kind != "symbol"
    ):
        node = node.func.value  # Net().eval()
    if not isinstance(node, ast.Name):
        return isinstance(node, ast.Call) and module.device not in (CUDA, MAYBE)  # get_network() has moved it
    stores = here.scope.stores.get(node.id, [])
    return bool(stores) and not any(isinstance(store, ast.arg) for store in stores)
