"""Which moves wait: `.to(...)`, `.cuda()`, `.cpu()`, `copy_`, and tensors that are made of data of the host."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import module_setup
from torchperf_lint.facts.domain import places
from torchperf_lint.facts.domain.fact import NOTHING, Fact, Sure
from torchperf_lint.facts.domain.value import CPU, CUDA, MAYBE, Value
from torchperf_lint.facts.guesses import from_uses, value_names, votes
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.facts.interpret import devices, transfers
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.sync import module_moves

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene, Wait


def move(scene: Scene, node: ast.Call, function: ast.Attribute, value: Value, args: Args) -> Fact[Wait]:
    wish = transfers.request("to" if function.attr == "type_as" else function.attr, args)
    if not wish.has_device or wish.non_blocking or wish.non_blocking is None:
        return NOTHING
    if value.kind == "tensor_tree" and value.device is None:
        return unknown_move(scene, node, function, value)
    if wish.device == CPU:
        if scene.cuda(value):
            return scene.claim("read", "copies the values to the host", function.value, value)
        return NOTHING
    is_open = wish.optional or (wish.device is None and scene.on_host)
    if is_open and not module_moves.is_told_where(scene, node):
        return NOTHING
    if _has_nothing(_made(scene, function.value)):
        return NOTHING
    if value.device is None and _is_given_place(scene, node):
        return scene.claim("copy", "copies the values to the GPU", function.value, value, scene.look(node))
    if scene.host(value) and wish.device in (CUDA, MAYBE, None):
        return scene.claim("copy", "copies the values to the GPU", function.value, value, scene.look(node))
    if value.device == MAYBE and value.where is not None and value.where.node is node:
        # It is on the GPU by this very call, of a method that moves all that its object holds.
        return scene.claim("copy", "copies the values to the GPU", function.value, value, scene.look(node))
    is_wished = wish.device in (CUDA, MAYBE, None) and not (wish.to_tensor or wish.optional or scene.on_host)
    if is_wished and value.device in (CUDA, MAYBE, None) and _is_replaced(scene, node):
        return scene.claim("copy", "copies the values to the GPU", function.value, value, scene.look(node))
    if (
        places.is_host_or_unknown(value)
        and wish.device in (CUDA, MAYBE, None)
        and not (wish.to_tensor or wish.optional)
        and not scene.on_host
    ):
        return scene.claim("copy", "copies the values to the GPU", function.value, value, scene.look(node))
    return NOTHING


def _is_replaced(scene: Scene, node: ast.Call) -> bool:
    """`for key in batch: batch[key] = batch[key].to(device)`: what an earlier turn has put there is not what this one takes."""
    above = scene.module.parents.get(node)
    match above, _made(scene, node.func.value if isinstance(node.func, ast.Attribute) else node):
        case (
            ast.Assign(targets=[ast.Subscript(value=ast.Name(id=held), slice=ast.Name(id=key))]),
            ast.Subscript(value=ast.Name(id=taken), slice=ast.Name(id=at)),
        ) if held == taken and key == at:
            around = (each for each in scene.module.ancestors(node) if isinstance(each, ast.For))
            return any(_goes_over(each, held, key) for each in around)
    return False


def _goes_over(loop: ast.For, held: str, key: str) -> bool:
    """Whether a loop goes over what a name holds, and another name is its turn: a key, or a place."""
    is_turn = any(isinstance(each, ast.Name) and each.id == key for each in walk(loop.target))
    return is_turn and any(isinstance(each, ast.Name) and each.id == held for each in walk(loop.iter))


def _made(scene: Scene, node: ast.expr) -> ast.expr:
    """What makes a tensor that nothing was done to since but to cast it: `torch.Tensor([])` of `x = torch.Tensor([]).long()`."""
    if isinstance(node, ast.Name):
        node = definitions.definition(scene.module, node) or node
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CASTS:
        node = node.func.value
    return node


_CASTS: Final = frozenset(("long", "int", "float", "half", "double", "bool", "byte"))


def _has_nothing(node: ast.expr) -> bool:
    """`torch.tensor([])`: a tensor without elements, of which nothing is copied."""
    match node:
        case ast.Call(func=ast.Attribute(attr="tensor"), args=[ast.List(elts=[])]):
            return True
        case ast.Call(
            func=ast.Attribute(attr="Tensor" | "FloatTensor" | "LongTensor"), args=[] | [ast.List(elts=[])], keywords=[]
        ):
            return True
    return False


def unknown_move(scene: Scene, node: ast.Call, function: ast.Attribute, value: Value) -> Fact[Wait]:
    """`x.cpu()` and `x.cuda()` are calls of tensors and modules, whatever else is known of `x`."""
    wish = transfers.request(function.attr, scene.args(node))
    if _is_only_called(scene, node):
        return NOTHING
    if wish.non_blocking or wish.non_blocking is None or value.none:
        return NOTHING
    if wish.device != CPU and value.device in (None, CPU) and _is_given_place(scene, node):
        return scene.claim("copy", "copies the values to the GPU", function.value, value)
    if scene.on_host:
        return NOTHING
    if _is_about_data(function.value):
        return NOTHING
    if function.attr == "cpu" and value.device != CPU:
        return scene.claim("read", "copies the values to the host", function.value, value)
    is_placed = (wish.device == CUDA and function.attr == "cuda") or transfers.is_placing(wish, node)
    if is_placed and value.device in (None, CPU) and not _is_copy(scene, function.value):
        return scene.claim("copy", "copies the values to the GPU", function.value, value)
    return NOTHING


def _is_given_place(scene: Scene, node: ast.Call) -> bool:
    """Whether a constructor of a module is told a device, and moves something there: it is on the host still, whatever it is."""
    is_told = module_moves.is_told_where(scene, node)
    return is_told and module_setup.is_setup(scene.analysis, scene.module.function_of(node))


def _is_about_data(node: ast.expr) -> bool:
    """Whether something is taken out of what a batch holds about its samples: `batch["meta"]["scale"]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
        match node:
            case ast.Subscript(slice=ast.Constant(value=str(key))) if value_names.is_about_data(key):
                return True
    return False


def _is_only_called(scene: Scene, node: ast.Call) -> bool:
    """Whether what is moved is bound to a name that is only called: a loss, which has nothing to copy."""
    parent = scene.module.parents.get(node)
    if not isinstance(parent, ast.Assign) or not isinstance(parent.targets[0], ast.Name):
        return False
    target = parent.targets[0]
    held = scene.look(target)
    if held.kind == "module":
        return bool(held.ref == from_uses.CALLABLE)
    return {vote for _, vote, *_ in votes.of(scene.module.function_of(node), target.id, target)} == {"called"}


def _is_copy(scene: Scene, node: ast.expr) -> bool:
    """Whether something is a copy of what was there before, and so is where that was: `copy.deepcopy(G).eval()`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        base = scene.look(node.func.value)
        if base.kind == "symbol":
            return bool(base.ref == "copy")
        node = node.func.value
    return False


def copied(scene: Scene, node: ast.Call, receiver: Value, args: Args) -> Fact[Wait]:
    source = args.at(0, "src")
    flag = args.at(1, "non_blocking")
    if source is None or (flag is not None and flag.const is not False):
        return NOTHING
    if scene.cuda(receiver) and scene.host(source):
        return scene.claim("copy", "copies the values to the GPU", node.args[0] if node.args else node, source)
    if scene.host(receiver) and scene.cuda(source) and source.device is not None:
        return scene.claim("read", "copies the values to the host", node.args[0] if node.args else node, source)
    return NOTHING


def from_data(scene: Scene, node: ast.Call, name: str, args: Args) -> Fact[Wait]:
    """`torch.tensor(data, device=...)`: host data is copied to the GPU, GPU scalars in a list are read one by one."""
    data = args.at(0, "data") or args.named.get("obj")
    if data is None or data.items == ():
        return NOTHING  # of nothing, nothing is copied
    read = from_items(scene, node, data)
    if read.known:
        return read
    asked = args.named.get("device") or (args.at(2) if name != "torch.as_tensor" else None)
    device, given = devices.of(asked)
    if not given or device == CPU or device not in (CUDA, MAYBE, None) or (asked is not None and asked.none):
        return NOTHING  # a device that may be None is the default one as often as not
    if device is None and scene.on_host:
        return NOTHING
    if data.kind in ("list", "tuple", "number", "ndarray", "size", "iterator") or scene.host(data):
        shown = args.named.get("device", data)
        return scene.claim("copy", "copies the data to the GPU", node, shown)
    if data.kind == "unknown" and name == "torch.tensor":
        return scene.claim("copy", "copies the data to the GPU", node, data)
    return NOTHING


def from_items(scene: Scene, node: ast.Call, data: Value | None) -> Fact[Wait]:
    """A list with numbers of the GPU in it, or in the lists in it, that becomes a tensor: `torch.Tensor([a.sum(), b.sum()])`."""
    if data is None or data.kind not in ("list", "tuple") or not (node.args or node.keywords):
        return NOTHING
    rows = data.items if isinstance(data.items, tuple) else ()
    nested = [row for row in rows if row.kind in ("list", "tuple")]
    inside = [item for item in devices.tensors_in([data, *nested]) if scene.cuda(item)]
    given = node.args[0] if node.args else node.keywords[0].value
    if inside and all(item.sure is Sure.LIKELY for item in inside) and _holds_rows(scene, given):
        return NOTHING
    return scene.claim("read", "reads the items of the list one by one", given, inside[0]) if inside else NOTHING


def _holds_rows(scene: Scene, given: ast.expr) -> bool:
    """`torch.tensor([ids[:5]])`: torch takes no more than one number of a tensor there, so what only seems to be one is a list."""
    return isinstance(given, ast.List) and any(_is_cut(scene, each) for each in given.elts)


def _is_cut(scene: Scene, node: ast.expr) -> bool:
    """Whether something is a part of a sequence, or a name of which a part is taken somewhere in its function."""
    match node:
        case ast.Subscript(slice=ast.Slice()):
            return True
        case ast.Name(id=name):
            around = (
                scene.module.parents.get(each) for each in scene.module.function_of(node).scope.loads.get(name, ())
            )
            return any(isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Slice) for each in around)
    return False
