"""The tables of libraries: each fact stands once, and is what the installed library says."""

from __future__ import annotations

import builtins
import importlib
import inspect

import pytest

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.knowledge import (
    clocks,
    device_names,
    dtype_names,
    eager_conditions,
    lightning,
    members,
    moves,
    numpy_functions,
    pass_through,
    python_functions,
    tensor_classes,
)

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")


def resolve(name: str) -> object:
    """What a dotted name stands for in the installed library."""
    root, *parts = name.split(".")
    found: object = importlib.import_module(root)
    at = root
    for part in parts:
        at = f"{at}.{part}"
        found = getattr(found, part) if hasattr(found, part) else importlib.import_module(at)
    return found


def rows(table: str) -> list[str]:
    """The names of a table whose lines say: kind, module, names."""
    lines = [line.split() for line in table.strip().splitlines() if not line.startswith("#")]
    return [f"{place}.{name}" for _, place, *names in lines for name in names]


ROOTS = {
    "dataset": torch.utils.data.Dataset, "device": torch.device, "distribution": torch.distributions.Distribution,
    "dtype": torch.dtype, "event": torch.Event, "generator": torch.Generator, "loader": torch.utils.data.DataLoader,
    "module": torch.nn.Module, "ndarray": np.ndarray, "optimizer": torch.optim.Optimizer, "sampler": torch.utils.data.Sampler,
    "size": torch.Size, "stream": torch.Stream, "scheduler": torch.optim.lr_scheduler.LRScheduler,
}  # fmt: skip


def test_the_kind_of_a_class_stands_once() -> None:
    named = [*rows(members.CONSTRUCTS), *rows(members.INSTANCES)]
    assert sorted(name for name in named if named.count(name) > 1) == []


def test_classes_of_torch_and_numpy_are_of_their_kind() -> None:
    checked = 0
    for name in (*rows(members.CONSTRUCTS), *rows(members.INSTANCES)):
        if not name.startswith(("torch.", "numpy.")) or name.startswith(("torch.cuda.", "torch_")):
            continue
        found, kind = resolve(name), knowledge.instance(name)
        if isinstance(found, type) and kind in ROOTS:
            assert issubclass(found, ROOTS[kind]), (name, kind)
            checked += 1
    assert checked > 100


def test_classes_of_torch_nn_are_modules_and_no_others() -> None:
    for home in (torch.nn, torch.nn.parallel, torch.nn.modules, torch.nn.utils.rnn, torch.nn.attention):
        for name, found in vars(home).items():
            if isinstance(found, type) and name[0].isupper():
                is_module = knowledge.instance(knowledge.canonical(f"{home.__name__}.{name}")) == "module"
                assert is_module is issubclass(found, torch.nn.Module), (home.__name__, name)


def test_the_old_classes_of_tensors_stand_for_their_dtype() -> None:
    for name, dtype in tensor_classes.DTYPES.items():
        assert getattr(torch, name).dtype is getattr(torch, dtype)
        assert knowledge.instance(f"torch.{name}") == knowledge.instance(f"torch.cuda.{name}") == "tensor"
    old = {name for name in vars(torch) if name.endswith("Tensor") and name != "Tensor"}
    assert old == set(tensor_classes.DTYPES)


def gives_itself(method: object) -> bool:
    """Whether a method says that it returns the object that it is called on."""
    if not callable(method):
        return False
    said = str(inspect.signature(method).return_annotation)
    return said.rpartition(".")[2] in ("Self", "~T", "T")  # of typing, or of typing_extensions before Python 3.11


def test_methods_of_a_module_that_return_it_are_those_of_torch() -> None:
    own = {name for name, method in vars(torch.nn.Module).items() if name[0] != "_" and gives_itself(method)}
    assert own | {"to"} == pass_through.MODULE_METHODS  # `to` is said to take anything
    layer = torch.nn.Linear(1, 1)
    here = {"float": (), "double": (), "eval": (), "train": (), "cpu": (), "type": (torch.float32,), "to": ("cpu",),
            "requires_grad_": (), "apply": (lambda part: None,), "to_empty": (), "half": (), "bfloat16": ()}  # fmt: skip
    for name, arguments in here.items():
        settings = {"device": "cpu"} if name == "to_empty" else {}
        assert getattr(layer, name)(*arguments, **settings) is layer, name


def test_what_gives_back_what_it_is_given_exists() -> None:
    for name in pass_through.FIRST_ARGUMENT | pass_through.WRAPPERS:
        if name.startswith(("torch.", "copy.", "dataclasses.", "itertools.", "typing.")):
            assert callable(resolve(name)), name
    assert not pass_through.FIRST_ARGUMENT & pass_through.WRAPPERS


def test_conditions_of_eager_code_are_false_here() -> None:
    for name in eager_conditions.FALSE | eager_conditions.DEBUGGING:
        if name.startswith("torch."):
            assert not resolve(name)(), name  # type: ignore[operator]
    assert torch.is_grad_enabled(), "no such condition: it holds wherever a model trains"


def test_clocks_are_read() -> None:
    for name in clocks.FUNCTIONS:
        assert isinstance(resolve(name)(), (float, int)), name  # type: ignore[operator]
    assert hasattr(torch.Event, clocks.OF_EVENTS)


def test_dtypes_are_in_their_category() -> None:
    for name in dtype_names.ALL:
        dtype = getattr(torch, name)
        assert dtype.is_floating_point is (name in dtype_names.FLOATING)
        assert dtype.is_complex is (name in dtype_names.COMPLEX)
    for short, name in dtype_names.SHORT.items():
        assert getattr(torch, short) is getattr(torch, name)


def test_devices_are_those_of_torch() -> None:
    for name in device_names.NAMES:
        if name not in ("hip", "npu"):  # CUDA by another name, and one of a plugin
            assert torch.device(name).type == name
    assert all(hasattr(torch.Tensor, name) for name in device_names.NOT_CUDA)
    asked = {name for name in dir(torch.Tensor) if name[:3] == "is_" and name[3:] in device_names.NAMES}
    assert asked - {"is_cuda"} == set(device_names.NOT_CUDA)


def test_moves_are_methods() -> None:
    for name in moves.OF_TENSORS:
        assert hasattr(torch.Tensor, name)
    for name in moves.OF_BOTH:
        assert hasattr(torch.nn.Module, name)
    assert moves.OF_TENSORS >= moves.TO_GPU
    assert hasattr(torch.Tensor, lightning.BACKWARD[0])


def test_functions_of_python_exist() -> None:
    assert all(callable(getattr(builtins, name)) for name in python_functions.ALL)


SAMPLES = {
    "arange": (3,), "argsort": ([2, 1],), "argmax": ([2, 1],), "random.choice": (3,), "random.permutation": (3,), "random.randint": (3,),
    "empty": (3,), "frombuffer": (bytes(8),), "ones": (3,), "zeros": (3,), "linspace": (0, 1), "random.rand": (), "random.randn": (),
    "random.random": (), "random.standard_normal": (), "random.normal": (), "random.uniform": (), "allclose": (1.0, 1.0),
    "array_equal": (1, 1), "isscalar": (1,), "ndim": (1,), "size": (1,), "full": (3, 1),
}  # fmt: skip


def numpy_rows() -> list[str]:
    lines = (line.split() for line in numpy_functions.FUNCTIONS.strip().splitlines())
    return [name for _, _, _, *names in lines for name in names]


def test_functions_of_numpy_give_what_their_rows_say() -> None:
    assert len(numpy_rows()) == len(set(numpy_rows()))
    for name in numpy_rows():
        function, row = resolve(f"numpy.{name}"), numpy_functions.function(name)
        assert callable(function)
        assert row is not None
        if name in SAMPLES:
            given = function(*SAMPLES[name])
            assert isinstance(given, np.ndarray) is (row.gives == "array"), name
            if row.gives != "number" and row.dtype not in (None, "given"):
                dtype = "int64" if row.dtype == "whole" else row.dtype
                assert np.asarray(given).dtype == dtype, name
        if row.gives == "drawn":
            sized = function(*[3] * (row.unless + 1)) if row.unless != 2 else function(0, 1, 3)
            assert isinstance(sized, np.ndarray), name
        if row.dtype_at is not None and name in SAMPLES and name != "linspace":
            arguments = [*SAMPLES[name], 3][: row.dtype_at]
            assert function(*arguments, np.float32).dtype == np.float32, name


def test_methods_of_arrays_keep_what_their_rows_say() -> None:
    arguments = {"astype": ("int32",), "clip": (0, 1), "repeat": (1,), "reshape": (1, 4), "swapaxes": (0, 1)}
    array = np.ones((2, 2), dtype="int16")
    for name in numpy_functions.METHODS.replace("given", "").replace("-", "").split():
        given = getattr(array, name)(*arguments.get(name, ()))
        assert isinstance(given, np.ndarray), name
        assert numpy_functions.keeps_array(name)
        assert not numpy_functions.keeps_dtype(name) or given.dtype == array.dtype


@pytest.mark.parametrize("name", sorted(numpy_functions.DTYPES))
def test_types_of_numpy_become_those_of_torch(name: str) -> None:
    made = torch.from_numpy(np.zeros(1, dtype=getattr(np, name)))
    assert made.dtype is getattr(torch, numpy_functions.DTYPES[name])
