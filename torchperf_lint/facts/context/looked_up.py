"""What a file may use without saying its name in code: it says that in a text, or looks at all that there is.

getattr(nets, "Old")         a text that may be a name
raise ValueError("Old ...")  a sentence is none
globals()[name]              may be anything
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.project.mentions import is_prose

_WORD: Final = re.compile(r"[^\W\d]\w*")
_READ: Final = frozenset(("__dict__", "modules", "methodcaller"))


@once
def in_strings(module: Module, _: ast.Module) -> frozenset[str]:
    """The words of the strings of a file that may be names which are looked up."""
    return frozenset(word for _, said in _looked_up(module) for word in _WORD.findall(said))


@once
def besides_all(module: Module, _: ast.Module) -> frozenset[str]:
    """The same but for its `__all__`: who runs what that names alone still has to say the name."""
    found = ((module.statement(node), said) for node, said in _looked_up(module))
    besides = (said for at, said in found if not isinstance(at, ast.Assign) or last_name(at.targets[0]) != "__all__")
    return frozenset(word for said in besides for word in _WORD.findall(said))


def _looked_up(module: Module) -> Iterator[tuple[ast.Constant, str]]:
    """The strings of a file that are no prose, or a list of names that is cut to pieces."""
    for node, above in module.parents.items():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            is_list = isinstance(above, ast.Attribute) and above.attr == "split"
            if is_list or not is_prose(node.value):
                yield node, node.value


@once
def reflects(module: Module, words: frozenset[str]) -> bool:
    """Whether a file calls, or reads, one of some names; `model.eval()` and `model.modules()` are none of that."""
    calls = (each for name in words for each in module.calls.get(name, ()))
    read = (each for name in words & _READ for each in module.attributes.get(name, ()))
    return any(isinstance(each.func, ast.Name) and not _is_about_itself(module, each) for each in calls) or any(
        each.attr != "modules" or last_name(each.value) == "sys" for each in read
    )


def _is_about_itself(module: Module, call: ast.Call) -> bool:
    """Whether a function asks for names of its own: `locals()`."""
    is_own = last_name(call.func) in ("locals", "vars") and not call.args
    return is_own and not module.function_of(call).is_module
