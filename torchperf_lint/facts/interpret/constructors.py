"""What imported names give when they are called, beyond the operations on tensors: objects, wrappers, other libraries."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import any_item
from torchperf_lint.facts.domain.value import (
    ANY,
    CPU,
    CUDA,
    CUDA_THERE,
    MAYBE,
    NO,
    PINNED,
    Kind,
    Value,
)
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.interpret import (
    attributes,
    classes,
    containers,
    context_managers,
    cuda_tests,
    devices,
    distributions,
    layouts,
    named_tuples,
    numpy_arrays,
    tensors,
)
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.interpret.program_calls import call_function
from torchperf_lint.facts.knowledge import data_loading, eager_conditions, libraries, pass_through

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

_CONTAINERS: Final[dict[str, Kind]] = {
    "collections.OrderedDict": "dict", "collections.defaultdict": "dict", "collections.Counter": "dict", "collections.deque": "list",
}  # fmt: skip


def call(run: Run, node: ast.Call, name: str, args: Args) -> Value:
    """What calling an imported dotted name gives."""
    special = _SPECIAL.get(name)
    if special is not None:
        return special(run, node, args)
    if name in pass_through.FIRST_ARGUMENT:
        return _same(name, args)
    if name in pass_through.WRAPPERS:
        inner = args.at(0, "module") or ANY
        return inner if inner.kind == "module" else Value("module", Sure.LIKELY, device=inner.device, where=inner.where)
    if name in eager_conditions.FALSE:
        return Value("number", dtype="bool", const=False)
    if name in context_managers.NAMES:
        return Value("object", ref=name, items={str(i): v for i, v in enumerate(args.positional)} | args.named)
    found = layouts.made(run, node, name, args, tensors.function(run, node, name, args))
    if found is not None and not (found.kind == "object" and knowledge.constructs(name)):
        return found
    return _construct(run, node, name, args)


def _same(name: str, args: Args) -> Value:
    value = args.at(1 if name == "typing.cast" else 0)
    if value is None:
        return ANY
    return value.but(const=NO) if value.kind == "tensor" else value


def _construct(run: Run, node: ast.Call, name: str, args: Args) -> Value:
    kind = knowledge.constructs(name)
    if kind is not None:
        why = run.why(node, f"made by `{ast.unparse(node.func)}(...)`")
        settings = {str(i): value for i, value in enumerate(args.positional)} | args.named
        value = Value(kind, ref=name, why=why, items=settings)  # type: ignore[arg-type]
        return _finished(run, node, value, args)
    if name in _CONTAINERS:
        first = args.at(0)
        if _CONTAINERS[name] == "dict":
            return first if first is not None and first.kind == "dict" else Value("dict", items=args.named)
        return Value("list", elem=any_item(first)) if first is not None else Value("list", items=())
    if name.startswith("numpy."):
        return numpy_arrays.made(name.removeprefix("numpy."), args)
    library = libraries.NEVER_TENSORS.get(name.partition(".")[0])
    value = attributes.from_return(run, library, ANY, node)
    return value.but(sure=Sure.LIKELY) if value.kind in ("ndarray", "object") else value


def _finished(run: Run, node: ast.Call, value: Value, args: Args) -> Value:
    """What is known of a constructed object by its arguments."""
    match value.kind:
        case "loader":
            pin = args.named.get("pin_memory")
            pinned = pin is not None and (pin.const is True or cuda_tests.asks(pin))
            where = (
                run.why(node, "the loader pins its batches")
                if pinned
                else run.why(node, "a loader gives batches on the CPU")
            )
            return value.but(device=PINNED if pinned else CPU, where=where)
        case "module":
            listed = args.at(0)
            if listed is not None and listed.kind == "dict" and isinstance(listed.items, dict):
                return value.but(items=listed.items)  # nn.ModuleDict: its children are attributes
            children = [child for child in args.positional if child.kind == "module"]
            if not children and listed is not None and listed.kind in ("list", "tuple", "iterator"):
                inner = any_item(listed)
                return value.but(elem=inner if inner.kind == "module" else None)
            if children and len(children) == len(args.positional):
                elem = children[0] if len({child.ref for child in children}) == 1 else Value("module")
                return value.but(elem=elem)
            moved = args.named.get("device")
            if moved is not None:
                return value.but(device=devices.of(moved)[0], where=moved.where)
        case "distribution":
            return distributions.made(run, node, value, args)
    return value


# ---- names with a meaning of their own


def _device(run: Run, node: ast.Call, args: Args) -> Value:
    """`torch.device("cuda")`, `torch.device("cuda", 0)`, `torch.device(0)`."""
    first = args.at(0, "device") or args.named.get("type")
    device, _ = devices.of(first)
    text = first.where.message if first is not None and first.where is not None else None
    where = run.why(
        node, text or {CPU: "the CPU", CUDA: "CUDA", MAYBE: "CUDA where there is one"}.get(device or "", "a device")
    )
    return Value("device", device=device, where=where if device is not None else None)


def _parameter(run: Run, node: ast.Call, args: Args) -> Value:
    """`nn.Parameter(x)`: where its module is, whatever `x` was."""
    data = args.at(0, "data") or ANY
    grad = args.at(1, "requires_grad")
    wants = True if grad is None else bool(grad.const) if grad.const is not NO else None
    where = run.why(node, "a parameter, so it moves with its module")
    return Value("tensor", rank=data.rank, dtype=data.dtype, grad=wants, why=where, where=where)


def _buffer(run: Run, node: ast.Call, args: Args) -> Value:
    """`nn.Buffer(x)`: where its module is, whatever `x` was."""
    where = run.why(node, "a buffer, so it moves with its module")
    return (args.at(0, "data") or Value("tensor", Sure.LIKELY)).but(device=None, where=where, const=NO)


def _checkpoint(run: Run, node: ast.Call, args: Args) -> Value:
    function = args.at(0)
    if function is None:
        return ANY
    named = {
        name: v
        for name, v in args.named.items()
        if name not in ("use_reentrant", "preserve_rng_state", "context_fn", "determinism_check")
    }
    return run.apply(node, function, Args(args.positional[1:], named, args.is_open))


def _prepare(run: Run, node: ast.Call, args: Args) -> Value:
    """`accelerator.prepare(model, optimizer, loader)`: each on the accelerator's device."""
    device, where = _accelerated(run, "Accelerator"), run.why(node, "placed on the device by Accelerate")
    prepared = tuple(
        containers.moved(value, device, where) if value.kind in ("module", "loader") else value
        for value in args.positional
    )
    prepared = tuple(value.but(device=device, where=where) if value.kind == "loader" else value for value in prepared)
    return prepared[0] if len(prepared) == 1 else Value("tuple", items=prepared)


def _set_up(run: Run, node: ast.Call, args: Args) -> Value:
    """`fabric.setup_dataloaders(training, validation)`: loaders whose batches are moved, whatever made them."""
    moves = args.named.get("move_to_device")
    if args.is_open or (moves is not None and moves.const is not True):
        return ANY
    device, where = _accelerated(run, "Fabric"), run.why(node, "its batches are placed on the device by Fabric")
    unknown = Value("loader", Sure.LIKELY, why=where)
    given = (value if value.kind == "loader" else unknown for value in args.positional)
    loaders = tuple(value.but(device=device, where=where) for value in given)
    return loaders[0] if len(loaders) == 1 else Value("list", items=loaders)


def _to_device(run: Run, node: ast.Call, args: Args) -> Value:
    """`fabric.to_device((x, y))`: a module, a tensor or what holds some, on Fabric's device."""
    where = run.why(node, "placed on the device by Fabric")
    return containers.moved(args.at(0) or ANY, _accelerated(run, "Fabric"), where)


_HOST: Final[dict[str, tuple[str, object]]] = {"Accelerator": ("cpu", True), "Fabric": ("accelerator", "cpu")}


def _accelerated(run: Run, library: str) -> str:
    """Where a library of training loops places what it is handed: on the host if all that a file makes of it is told so."""
    option, host = _HOST[library]
    made = run.module.calls.get(library, ())
    told = (keyword.value for call in made for keyword in call.keywords if keyword.arg == option)
    is_on_host = [isinstance(each, ast.Constant) and each.value == host for each in told]
    return CPU if made and is_on_host == [True] * len(made) else MAYBE


def _cuda_there(_run: Run, _node: ast.Call, _args: Args) -> Value:
    return CUDA_THERE


def _module_call(name: str) -> Callable[[Run, ast.Call, Args], Value]:
    def act(run: Run, node: ast.Call, args: Args) -> Value:
        del run, node, args
        return Value("device", device=MAYBE if name == "accelerator" else None)

    return act


def _loaded(run: Run, node: ast.Call, args: Args) -> Value:
    """What was saved: on the device that the call names, or on the one that it was saved from."""
    device, is_given = devices.of(args.at(1, "map_location"))
    why = run.why(node, "loaded")
    return Value("unknown", Sure.LIKELY, device=device if is_given else MAYBE, why=why, where=why)


def _split(run: Run, node: ast.Call, args: Args) -> Value:
    """The parts that a dataset is split into."""
    whole = args.at(0, "dataset")
    items = {"dataset": whole} if whole is not None else None
    return Value(
        "list", elem=Value("dataset", ref=data_loading.PART, items=items, why=run.why(node, "a part of a dataset"))
    )


_OF_FABRIC: Final[dict[str, Callable[[Run, ast.Call, Args], Value]]] = {
    "setup_dataloaders": _set_up,
    "to_device": _to_device,
}
_SPECIAL: Final[dict[str, Callable[[Run, ast.Call, Args], Value]]] = {
    "torch.device": _device,
    "torch.nn.Parameter": _parameter,
    "torch.nn.Buffer": _buffer,
    "PIL.Image.open": numpy_arrays.opened,
    "PIL.Image.new": numpy_arrays.image,
    "PIL.Image.Image.convert": numpy_arrays.image,
    named_tuples.CLASS: named_tuples.declared,
    "torch.load": _loaded,
    "torch.jit.load": _loaded,
    "torch.utils.checkpoint.checkpoint": _checkpoint,
    "torch.utils.data.random_split": _split,
    "accelerate.Accelerator.prepare": _prepare,
    **{
        f"{name}.{method}": act
        for name in ("lightning.Fabric", "lightning.fabric.Fabric")
        for method, act in _OF_FABRIC.items()
    },
    "torch.accelerator.current_accelerator": _module_call("accelerator"),
    "torch.cuda.is_available": _cuda_there,
    "torch.get_default_device": _module_call("default"),
}


def method(run: Run, node: ast.Call, receiver: Value, name: str, args: Args) -> Value | None:
    """A method of an object whose result no row can say; None for all others."""
    special = _SPECIAL.get(f"{receiver.ref}.{name}")
    return special(run, node, args) if special is not None else None


def of_class(run: Run, node: ast.Call, owner: Class, name: str, args: Args) -> Value:
    """A class method that the class inherits from torch: `Function.apply`, `from_pretrained`, ..."""
    if name == "apply":
        forward = classes.find_method(run.analysis, owner, "forward")
        if forward is not None:
            return call_function(run, node, forward, Value("object"), args)
    if function_names.makes_instance(name):
        made = run.analysis.instance(owner, run.why(node, f"an instance of `{owner.name}`"))
        return made.but(sure=Sure.LIKELY)  # by the name of a method that the program does not show
    return run.analysis.class_attribute(owner, name) or ANY
