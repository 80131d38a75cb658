"""Finds under which public name a package offers what its private modules define.

Only `generate` uses it. Works on modules that are given; knows nothing of torch.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable, Mapping
from types import BuiltinFunctionType, ModuleType
from typing import Final

Modules = Mapping[str, ModuleType]

_NAMED: Final = (type, BuiltinFunctionType)


def _own(package: str, value: object) -> bool:
    """Whether a thing is a class or function of the package, or built into its C part."""
    if not (isinstance(value, _NAMED) or inspect.isfunction(value)):
        return False
    home = getattr(value, "__module__", None)
    return home is None or home.partition(".")[0] == package


def public_names(package: str, public: Modules, preferred: Mapping[str, str]) -> dict[int, str]:
    """The one public name of each class and function, by its identity; the first module that offers it gives it."""
    found: dict[int, str] = {}
    for path, module in public.items():
        for name, value in sorted(vars(module).items()):
            if not name.startswith("_") and _own(package, value):
                found.setdefault(id(value), preferred.get(f"{path}.{name}", f"{path}.{name}"))
    return found


def aliases(package: str, public: Modules, private: Modules, preferred: Mapping[str, str]) -> dict[str, str]:
    """Other places, and what they are in public: whole modules, and the names that differ from their module's rule."""
    target = public_names(package, public, preferred)
    moved = {
        f"{path}.{name}": target[id(value)]
        for path, module in {**public, **private}.items()
        for name, value in vars(module).items()
        if id(value) in target
        and _own(package, value)
        and not name.startswith("_")
        and _offers(path, module, name, value)
    }
    whole = _rules(moved, [path for path in private if path not in target.values()])
    return whole | {
        name: new
        for name, new in moved.items()
        if name != new and f"{whole.get(name.rpartition('.')[0])}.{name.rpartition('.')[2]}" != new
    }


def _offers(path: str, module: ModuleType, name: str, value: object) -> bool:
    """Whether a module makes a thing or hands it on, rather than merely importing it."""
    home = getattr(value, "__module__", None) or ""
    return name in getattr(module, "__all__", ()) or home == path or home.startswith(path + ".")


def _rules(moved: Mapping[str, str], private: Iterable[str]) -> dict[str, str]:
    """For each private module the public one in which most of its names are found under the same name."""
    homes: dict[str, Counter[str]] = {path: Counter() for path in private}
    for name, new in moved.items():
        path, _, last = name.rpartition(".")
        home, _, new_last = new.rpartition(".")
        if path in homes and last == new_last:
            homes[path][home] += 1
    return {path: min(count, key=lambda home: (-count[home], home)) for path, count in homes.items() if count}
