"""Words by which a project uses what no code of it names."""

from __future__ import annotations

from typing import Final

PROGRAM: Final = b"__main__"
BY_TEXT: Final = frozenset(
    (
        b"import_module __import__ pydoc load_object get_obj_from_str instantiate_from_config hydra pkgutil runpy "
        b"entry_points load_entry_point exec_module __subclasses__ __init_subclass__ LightningCLI"
    ).split()
)
"""Who says one of these can use what no code names: it takes names from texts, or the classes that there are."""
WITHOUT_NAMES: Final = frozenset(
    b"pkgutil runpy entry_points load_entry_point exec_module __subclasses__ __init_subclass__".split()
)
"""Those of them that need no name for it, in whichever text."""
EVALUATES: Final = b"eval("
"""Stands for a call of Python's `eval`, which is no `model.eval()`."""
OF_NAMES: Final = frozenset((b"globals", b"locals", b"vars", b"exec", EVALUATES))
"""With one of these, who has taken all names of a module has them without saying any."""
OF_MODULE: Final = frozenset((*OF_NAMES, b"getattr", b"dir", b"getmembers", b"__dict__"))
"""With one of these, who has a module has all that is in it, without its name."""
MODULES: Final = b"modules"
"""With this, of `sys`, a file has itself as a module."""
