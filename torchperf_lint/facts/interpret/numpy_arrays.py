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
from torchperf_lint.facts.domain.value import NUMBER, Value
from torchperf_lint.facts.interpret.arguments import Args

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Run

IMAGE: Final = "PIL.Image.Image"
_NAMES: Final = {
    "numpy.uint8": "uint8", "numpy.int8": "int8", "numpy.int16": "int16", "numpy.int32": "int32", "numpy.int64": "int64",
    "numpy.float16": "float16", "numpy.float32": "float32", "numpy.float64": "float64", "numpy.double": "float64",
    "numpy.bool_": "bool", "builtins.float": "float64", "builtins.bool": "bool", "builtins.int": "int64",
}  # fmt: skip
_WORDS: Final = frozenset(name.partition(".")[2] for name in _NAMES if name.startswith("numpy."))
_FLOAT64: Final = frozenset(
    ["zeros", "ones", "empty", "linspace", "frombuffer", "random.rand", "random.randn", "random.random", "random.normal",
     "random.uniform", "random.standard_normal"]
)  # fmt: skip
"""Functions that give float64 where no dtype is asked for."""
_INT64: Final = {
    "arange": 3,
    "random.choice": 1,
    "random.permutation": 1,
    "random.randint": 0,
    "argsort": 0,
    "argmax": 0,
}
"""Functions that give whole numbers, if so many of their first arguments are whole."""
_DTYPE_AT: Final = {
    "zeros": 1,
    "ones": 1,
    "empty": 1,
    "array": 1,
    "asarray": 1,
    "ascontiguousarray": 1,
    "frombuffer": 1,
    "full": 2,
}
_GIVEN: Final = frozenset(["stack", "concatenate", "vstack", "hstack", "array", "asarray", "ascontiguousarray", "copy", "flip",
                           "transpose", "expand_dims", "squeeze", "reshape"])  # fmt: skip
"""Functions that give what they are given, in another shape."""
_SHAPING: Final = frozenset(
    ["reshape", "transpose", "copy", "squeeze", "ravel", "flatten", "swapaxes", "repeat", "view"]
)


_MODES: Final = {"I": "int32", "F": "float32"} | dict.fromkeys(("RGB", "RGBA", "L", "CMYK", "YCbCr", "HSV"), "uint8")
"""What a pixel of an image is, by the mode of the image."""


def of(dtype: str | None) -> Value:
    return Value("ndarray", Sure.LIKELY, dtype=dtype)


def image(_run: Run, _node: ast.Call, args: Args) -> Value:
    """An image of Pillow; `image.convert("RGB")` says in which mode."""
    mode = args.at(0, "mode")
    dtype = _MODES.get(str(mode.const)) if mode is not None and mode.kind == "string" else None
    return Value("object", Sure.LIKELY, ref=IMAGE, dtype=dtype)


def opened(_run: Run, _node: ast.Call, _args: Args) -> Value:
    """An image out of a file, in whatever mode it was saved."""
    return Value("object", Sure.LIKELY, ref=IMAGE)


def made(name: str, args: Args) -> Value:
    """What a function of NumPy gives that gives an array."""
    short = name.removeprefix("numpy.")
    asked = args.named.get("dtype") or (args.at(_DTYPE_AT[short]) if short in _DTYPE_AT else None)
    if asked is not None and asked.kind != "none":
        return of(_dtype(asked))
    if short in _FLOAT64 and not args.is_open:
        return of("float64")
    if short in _INT64 and not args.is_open and all(_is_whole(each) for each in args.positional[: _INT64[short]]):
        return of("int64")
    return of(_held(args.at(0)) if short in _GIVEN else None)


def method(array: Value, name: str, args: Args) -> Value:
    """What a method of an array gives."""
    if name == "item":
        return NUMBER
    if name == "tolist":
        return Value("list", elem=NUMBER)
    if name == "astype":
        asked = args.at(0, "dtype")
        return of(_dtype(asked) if asked is not None else None)
    return of(array.dtype if name in _SHAPING else None)


def _dtype(asked: Value) -> str | None:
    """The dtype that an argument names."""
    if asked.kind == "string":
        return str(asked.const) if asked.const in _WORDS else None
    return _NAMES.get(str(asked.ref)) if asked.kind == "symbol" else None


def _held(value: Value | None) -> str | None:
    """The dtype of an array, or of those in a list of them."""
    if value is not None and value.kind in ("list", "tuple"):
        value = any_item(value)
    is_array = value is not None and (value.kind == "ndarray" or value.ref == IMAGE)
    return value.dtype if value is not None and is_array else None


def _is_whole(value: Value) -> bool:
    """Whether a value is a whole number, or an array of them."""
    return value.dtype in ("int", "int64") and value.kind in ("number", "ndarray")
