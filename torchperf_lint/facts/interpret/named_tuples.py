"""Named tuples: `Batch = namedtuple("Batch", "image label")`, and what is made by `Batch(image, label)`.

One that is made is a tuple whose `ref` has the names of its items, as those have that functions of torch give. What a class
that derives from `NamedTuple` makes is an instance of that class, and not known here.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import ANY, Value
from torchperf_lint.facts.interpret.arguments import Args

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

CLASS: Final = "collections.namedtuple"


def declared(run: Run, node: ast.Call, args: Args) -> Value:
    """The class that `namedtuple("Batch", ["image", "label"])` gives: its `const` has the names."""
    del run, node
    given = args.at(1, "field_names")
    if given is None:
        return ANY
    if isinstance(given.const, str):
        return Value("object", ref=CLASS, const=tuple(given.const.replace(",", " ").split()))
    items = given.items if isinstance(given.items, tuple) else ()
    names = tuple(item.const for item in items if isinstance(item.const, str))
    return Value("object", ref=CLASS, const=names) if items and len(names) == len(items) else ANY


def made(declared: Value, args: Args) -> Value:
    """What calling such a class gives."""
    names: tuple[str, ...] = declared.const
    given = {} if args.is_open else dict(zip(names, args.positional, strict=False)) | args.named
    return Value("tuple", items=tuple(given.get(name, ANY) for name in names), ref=names)
