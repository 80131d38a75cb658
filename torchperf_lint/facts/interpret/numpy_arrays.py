"""Arrays of NumPy, and images, for what torch takes over from them: the dtype. Bytes of an image stay bytes, in a tensor too.

np.asarray(image.convert("RGB"))      bytes, by the mode of an image
np.zeros((3, 4))                      float64, as NumPy has it where nobody says otherwise
np.frombuffer(raw, dtype=np.uint8)    what is asked for
frame.astype(np.uint8)[:, ::-1]       the same, in another shape
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import any_item
from torchperf_lint.facts.domain.value import ANY, NUMBER, Value
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.knowledge import numpy_functions

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

IMAGE: Final = "PIL.Image.Image"
PLACES: Final = "numpy.nonzero"
"""The `ref` of the places of what is not zero: they index as the arrays in it do."""
ARRAY: Final = "numpy.ndarray"
"""The `ref` of what is an array for certain, of one or more dimensions, and not one number of NumPy."""
_INDICES: Final = frozenset(
    ("diag_indices", "diag_indices_from", "tril_indices", "tril_indices_from", "triu_indices", "triu_indices_from")
)
_OF_PYTHON: Final = {"builtins.float": "float64", "builtins.bool": "bool", "builtins.int": "int64"}
"""The dtype that a type of Python stands for."""

_MODES: Final = {"I": "int32", "F": "float32"} | dict.fromkeys(("RGB", "RGBA", "L", "CMYK", "YCbCr", "HSV"), "uint8")
"""What a pixel of an image is, by the mode of the image."""


def of(dtype: str | None, ref: str | None = None) -> Value:
    return Value("ndarray", Sure.LIKELY, dtype=dtype, ref=ref)


def of_either(left: Value, right: Value) -> str | None:
    """The `ref` of what an operator makes of two things of which one is an array."""
    return ARRAY if ARRAY in (left.ref, right.ref) else None


def image(_run: Run, _node: ast.Call, args: Args) -> Value:
    """An image of Pillow; `image.convert("RGB")` says in which mode."""
    mode = args.at(0, "mode")
    dtype = _MODES.get(str(mode.const)) if mode is not None and mode.kind == "string" else None
    return Value("object", Sure.LIKELY, ref=IMAGE, dtype=dtype)


def opened(_run: Run, _node: ast.Call, _args: Args) -> Value:
    """An image out of a file, in whatever mode it was saved."""
    return Value("object", Sure.LIKELY, ref=IMAGE)


def made(name: str, args: Args) -> Value:
    """What a function of NumPy gives, by its name behind `numpy.`."""
    found = _made(name, args)
    return found.but(ref=ARRAY) if found.kind == "ndarray" and _has_dimensions(name, args) else found


def _has_dimensions(name: str, args: Args) -> bool:
    """Whether what a function gives is an array, and not one number, whatever it is given."""
    row = numpy_functions.function(name)
    if row is None or args.is_open:
        return False
    if row.gives == "drawn":
        return len(args.positional) > row.unless or "size" in args.named
    given = args.at(0)
    return row.gives == "array" and given is not None and (given.kind not in _OPEN or name in _OF_SIZES)


_OPEN: Final = ("unknown", "number")
"""Of these `np.asarray` makes an array without dimensions, or may."""
_OF_SIZES: Final = ("arange", "empty", "ones", "zeros", "linspace", "random.permutation")
"""Functions that make an array of a number."""


def _made(name: str, args: Args) -> Value:
    if numpy_functions.is_number_type(name):
        return NUMBER
    if name in _INDICES:
        return Value("tuple", Sure.LIKELY, elem=of("int64", ARRAY), ref=PLACES)
    row = numpy_functions.function(name)
    if row is None:
        return of(None)
    if row.gives == "number":
        return NUMBER
    if name == "nonzero" or (name == "where" and len(args.every) == 1 and not args.is_open):
        return Value("tuple", Sure.LIKELY, elem=of("int64", ARRAY), ref=PLACES)  # one array for each dimension
    if row.gives == "either" and row.dtype is None:
        return ANY
    if row.gives == "drawn" and not args.is_open and len(args.positional) <= row.unless and "size" not in args.named:
        return of(None)  # one number, which torch makes float32
    asked = args.named.get("dtype") or (args.at(row.dtype_at) if row.dtype_at is not None else None)
    if asked is not None and asked.kind != "none":
        return of(_dtype(asked))
    match row.dtype:
        case "given":
            return of(_held(args.at(0)))
        case "whole":
            is_whole = not args.is_open and all(_is_whole(each) for each in args.positional[: row.whole])
            return of("int64" if is_whole else None)
    return of(row.dtype if not args.is_open else None)


def method(array: Value, name: str, args: Args) -> Value:
    """What a method of an array gives."""
    if name == "item":
        return NUMBER
    if name == "tolist":
        return Value("list", elem=NUMBER)
    if name == "astype":
        asked = args.at(0, "dtype")
        return of(_dtype(asked) if asked is not None else None, ARRAY if array.ref == ARRAY else None)
    ref = ARRAY if array.ref == ARRAY and numpy_functions.keeps_array(name) else None
    return of(array.dtype if numpy_functions.keeps_dtype(name) else None, ref)


def _dtype(asked: Value) -> str | None:
    """The dtype that an argument names."""
    if asked.kind == "string":
        return numpy_functions.DTYPES.get(str(asked.const))
    name = str(asked.ref)
    return (
        _OF_PYTHON.get(name) or numpy_functions.DTYPES.get(name.removeprefix("numpy."))
        if asked.kind == "symbol"
        else None
    )


def _held(value: Value | None) -> str | None:
    """The dtype of an array, or of those in a list of them."""
    if value is not None and value.kind in ("list", "tuple"):
        value = any_item(value)
    is_array = value is not None and (value.kind == "ndarray" or value.ref == IMAGE)
    return value.dtype if value is not None and is_array else None


def _is_whole(value: Value) -> bool:
    """Whether a value is a whole number, or an array of them."""
    return value.dtype in ("int", "int64") and value.kind in ("number", "ndarray")
