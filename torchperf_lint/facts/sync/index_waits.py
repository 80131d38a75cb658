"""Which subscripts wait: three look-alikes, told apart by what the index and the value are.

x[mask] = 0       no      a fill under a mask of the GPU, unless it has no dimensions: then the host reads it
x[index] = 0      waits   the number goes through a tensor of the host
x[mask] = t       waits   the mask is turned into indices first
x[mask]           waits   and again in its backward
x[index]          no      unless the index is on the host, a list, or has no dimensions
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.fact import NOTHING, Fact, Sure
from torchperf_lint.facts.domain.join import any_item
from torchperf_lint.facts.domain.value import CUDA, MAYBE, Value
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.interpret import comparisons, indexing
from torchperf_lint.facts.sync import array_reads

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene, Wait

_FIXED_SCALAR_INDEX = (2, 13)
"""`x[i, j] = c` no longer goes through the host from this version on."""


def of_read(scene: Scene, node: ast.Subscript) -> Fact[Wait]:
    """`base[index]` where it is read."""
    base = scene.look(node.value)
    if base.kind in ("list", "tuple", "size", "string", "iterator", "ndarray", "dict"):
        return _host_container(scene, node, base)
    if base.kind == "unknown" and _is_given(scene, node.value):
        base = indexing.from_mask(base, scene.look(node.slice)) or base
    if base.kind != "tensor":
        return NOTHING
    on_gpu = scene.cuda(base)
    for form, part, value in indexing.understood(node, scene.look):
        found = _part(scene, form, part, value, base, on_gpu)
        if found.known:
            return found
    return NOTHING


def _is_given(scene: Scene, node: ast.expr) -> bool:
    """Whether something is a parameter, or part of one: what a call out of sight gave may be on the host with its mask."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Name) and isinstance(definitions.reaching(scene.module, node), ast.arg)


def _host_container(scene: Scene, node: ast.Subscript, base: Value) -> Fact[Wait]:
    """A list of the host indexed by a tensor of the GPU needs the number; a dict only its hash.

    Numbers index lists: that something may be a tensor, such as a parameter of `forward`, is not enough.
    """
    if base.kind == "dict":
        return NOTHING
    for part in _bounds(node.slice):
        value = scene.look(part)
        if value.kind == "tensor" and scene.cuda(value) and (value.rank is not None or value.device is not None):
            return scene.claim("size", "the host needs the index", part, value)
    return NOTHING


def _bounds(index: ast.expr) -> list[ast.expr]:
    if isinstance(index, ast.Slice):
        return [part for part in (index.lower, index.upper, index.step) if part is not None]
    return [index]


def _part(scene: Scene, form: indexing.Form, part: ast.expr, value: Value, base: Value, on_gpu: bool) -> Fact[Wait]:
    """One part of the index of a tensor that is read."""
    if isinstance(part, ast.Slice):
        for bound in _bounds(part):
            held = scene.look(bound)
            if held.kind == "tensor" and scene.cuda(held) and not _is_vague(scene, bound, held):
                return scene.claim("size", "the host needs the bounds of the slice", bound, held)
        return NOTHING
    match form:
        case "mask" if scene.cuda(value) and value.rank == 0:
            return scene.claim("size", "the host reads a mask without dimensions", part, value)
        case "mask" if on_gpu and scene.cuda(value):
            return scene.claim("shape", "the size of the result depends on the mask", part, base, value)
        case "unknown" if on_gpu and value.kind == "unknown" and comparisons.is_mask(scene.module, part):
            return scene.claim("shape", "the size of the result depends on the mask", part, base)
        case "scalar" if scene.cuda(value):
            return scene.claim("size", "the host needs the index", part, value)
        case "indices" | "unknown" if on_gpu and scene.host(value) and value.rank:  # a mask too
            return scene.claim("copy", "the index is copied to the GPU", part, base, value)
        case "list" if on_gpu and _is_copied(scene, part, value):
            return scene.claim("copy", "the list is copied to the GPU", part, base)
        case "array" if on_gpu and array_reads.may_index(scene, part):
            return scene.claim("copy", "the array is copied to the GPU", part, base)
        case "arrays" if on_gpu:
            return scene.claim("copy", "the arrays are copied to the GPU", part, base)
    return NOTHING


def _is_vague(scene: Scene, bound: ast.expr, held: Value) -> bool:
    """Whether all that is known of a bound is that callers pass a tensor: those who slice pass one of the host, if any."""
    if held.rank is not None or held.device is not None or held.sure is Sure.PROVEN or not isinstance(bound, ast.Name):
        return False
    return isinstance(definitions.reaching(scene.module, bound), ast.arg)


def _numbers(value: Value) -> bool:
    """Whether a list holds numbers; one of slices stands for its items."""
    item = any_item(value)
    return bool(value.items or value.elem) and (item.kind == "number" or (item.kind == "list" and _numbers(item)))


def _is_copied(scene: Scene, part: ast.expr, value: Value) -> bool:
    """Whether something in a list that is an index is on the host: numbers, or a tensor, as in `x[[rows, torch.arange(3)]] = 0`."""
    if _numbers(value) or _is_list(scene, part, value):
        return True
    listed = definitions.definition(scene.module, part) if isinstance(part, ast.Name) else part
    if not isinstance(listed, ast.List):
        return False
    held = [scene.look(each) for each in listed.elts if not isinstance(each, ast.Starred)]
    if any(scene.host(each) and each.rank for each in held):
        return True
    # `x[[node]]`: of what nothing is known, it is a number more often than a tensor.
    return part is listed and bool(held) and all(each.kind in ("unknown", "number") for each in held)


def _is_list(scene: Scene, part: ast.expr, value: Value) -> bool:
    """Whether a list of which nothing more is known picks along one dimension of several, `x[:, columns]`, or is seen to be one, in a
    file that makes no slices, of which it may be a list."""
    is_open = value.items is None and (value.elem is None or value.elem.kind == "unknown")
    is_made = value.sure is Sure.PROVEN and "slice" not in scene.module.names
    return is_open and (is_made or isinstance(scene.module.parents.get(part), ast.Tuple))


def of_write(scene: Scene, node: ast.Subscript) -> Fact[Wait]:
    """`base[index] = value`, and `base[index] += value`, which reads first."""
    base = scene.look(node.value)
    if base.kind == "tensor" and scene.host(base):
        return _of_host(scene, node)
    if base.kind != "tensor" or not scene.cuda(base):
        return NOTHING
    parent = scene.module.parents.get(node)
    if isinstance(parent, ast.AugAssign):
        return _augmented(scene, node, base)
    value = scene.analysis.seen(node, scene.module.function_of(node))
    if value is None:
        return NOTHING
    if isinstance(parent, ast.Assign) and parent.value is not None and node in parent.targets:
        value = scene.look(parent.value)
    for form, part, held in indexing.understood(node, scene.look):
        if form == "slice":
            found = _part(scene, form, part, held, base, True)
            if found.known:
                return found
    return _assigned(scene, node, base, value)


def _of_host(scene: Scene, node: ast.Subscript) -> Fact[Wait]:
    """`counts[label, guess] += 1`, a tensor of the host that is indexed by numbers of the GPU."""
    for form, part, held in indexing.understood(node, scene.look):
        if form == "scalar" and held.device in (CUDA, MAYBE):
            return scene.claim("size", "the host needs the index", part, held)
    return NOTHING


def _augmented(scene: Scene, node: ast.Subscript, base: Value) -> Fact[Wait]:
    for form, part, value in indexing.understood(node, scene.look):
        if form == "mask" and scene.cuda(value):
            return scene.claim(
                "index", "reading under the mask, and writing back, needs its indices", part, base, value
            )
        if form in ("scalar", "list", "array", "arrays") or (form == "indices" and scene.host(value)):
            return _part(scene, form, part, value, base, True)
    return NOTHING


def _assigned(scene: Scene, node: ast.Subscript, base: Value, value: Value) -> Fact[Wait]:
    forms = indexing.understood(node, scene.look)
    kinds = {form for form, _, _ in forms}
    # What is only used as a number, and of which nothing else is known, may be a tensor of the GPU.
    is_number = value.kind == "number" and (value.sure is Sure.PROVEN or value.dtype is not None)
    points = value.kind == "tensor" and value.rank == 0 and scene.host(value)
    for form, part, held in forms:
        match form:
            case "mask" if scene.cuda(held) and held.rank == 0:
                return scene.claim("size", "the host reads a mask without dimensions", part, held)
            case "mask" if scene.cuda(held):
                if is_number or points or value.kind not in ("tensor", "tensor_tree"):
                    continue
                return scene.claim(
                    "index", "the mask is turned into indices for a value that is a tensor", part, base, held
                )
            case "mask" if scene.host(held) and is_number:
                return scene.claim("copy", "the mask is copied to the GPU", part, base)
            case "indices" | "integers" if is_number and scene.cuda(held):
                return scene.claim("scalar", "the number goes through a tensor of the host", part, base, held)
            case "indices" if scene.host(held):
                return scene.claim("copy", "the index is copied to the GPU", part, base, held)
            case "unknown" if scene.host(held) and held.rank:
                return scene.claim("copy", "the index is copied to the GPU", part, base, held)
            case "scalar" if scene.cuda(held):
                return scene.claim("size", "the host needs the index", part, held)
            case "list" if not _is_copied(scene, part, held):
                continue
            case "array" if not array_reads.may_index(scene, part):
                continue
            case "list" | "array" | "arrays":
                return scene.claim("copy", "the index is copied to the GPU", part, base)
    if value.kind == "tensor" and scene.host(value) and value.rank != 0 and "mask" not in kinds:
        return scene.claim("copy", "the value is copied to the GPU", node, value)
    count = sum(form != "ellipsis" for form, _, _ in forms)  # `x[..., 0]` of a vector
    return _one_element(scene, node, base, is_number, kinds, count)


def _one_element(
    scene: Scene, node: ast.Subscript, base: Value, is_number: bool, kinds: set[indexing.Form], count: int
) -> Fact[Wait]:
    """`x[i, j] = 1.0`: a number for one element goes through a tensor of the host."""
    if (
        is_number
        and "integer" in kinds
        and kinds <= {"integer", "ellipsis"}
        and base.rank is not None
        and base.rank == count
        and scene.target < _FIXED_SCALAR_INDEX
    ):
        return scene.claim("scalar", "the number goes through a tensor of the host", node, base)
    return NOTHING
