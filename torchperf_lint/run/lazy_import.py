"""A module that is run by the first look into it, not by its import.

LibCST takes longer to import than a file of a few hundred lines takes to lint, and most files never come to a node of it:
what a look at Python's own tree rules out needs no concrete one.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType


class _LazyModule(ModuleType):
    def __getattr__(self, name: str) -> object:
        """What the module does not have yet: only now it is run."""
        self.__class__ = ModuleType  # type: ignore[assignment]
        assert self.__spec__ is not None
        assert self.__spec__.loader is not None
        self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def lazy_import(name: str) -> None:
    """Let an installed module that is not imported yet be run when something of it is needed."""
    if name in sys.modules:
        return
    spec = importlib.util.find_spec(name)
    if spec is not None:
        module = importlib.util.module_from_spec(spec)
        module.__class__ = _LazyModule
        sys.modules[name] = module
