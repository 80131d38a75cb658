"""Words by which a project uses what no code of it names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

PROGRAM: Final = b"__main__"
BY_TEXT: Final = frozenset(
    (
        b"import_module __import__ pydoc load_object get_obj_from_str instantiate_from_config hydra pkgutil runpy "
        b"entry_points load_entry_point exec_module __subclasses__ __init_subclass__ LightningCLI"
    ).split()
)
"""Who says one of these can use what no code names: it takes names from texts, or the classes that there are."""
WITHOUT_NAMES: Final = frozenset(b"__subclasses__ __init_subclass__".split())
"""Those of them that need no name for it, in whichever text; entry points are named in settings."""
FINDS: Final = frozenset(b"pkgutil runpy exec_module import_module __import__".split())
ALL_OF: Final = frozenset(b"__dict__ vars getmembers issubclass".split())
"""With one of each, a file imports what it finds, or what a text says, and looks through all that it has."""
TEMPORARY: Final = b"tempfile"
"""Who says this imports a copy in a temporary folder, as settings that are programs are read: nothing that others import."""
EVALUATES: Final = b"eval("
"""Stands for a call of Python's `eval`, which is no `model.eval()`."""
OF_NAMES: Final = frozenset((b"globals", b"locals", b"vars", b"exec", EVALUATES))
"""With one of these, who has taken all names of a module has them without saying any."""
OF_MODULE: Final = frozenset((*OF_NAMES, b"getattr", b"getmembers", b"__dict__"))
"""With one of these, who has a module has all that is in it, without its name."""
LOOKING_UP: Final = frozenset("globals locals vars eval exec __dict__ modules".split())
"""With one of these a file may use, without a word, what stands on its top, or what it imports."""
MODULES: Final = b"modules"
"""With this, of `sys`, a file has itself as a module."""


class Names:
    """By which names the files of a project use what others define, by the words of each."""

    def __init__(self, files: Iterable[bytes]) -> None:
        said = set[bytes]()
        is_looked_through = False
        for each in files:
            words = set(each.split())
            said |= words
            is_looked_through |= not (words.isdisjoint(FINDS) or words.isdisjoint(ALL_OF) or TEMPORARY in words)
        self.has_program: Final = PROGRAM in said
        self.may_be_texts: Final = not said.isdisjoint(BY_TEXT)
        """Code may not say them."""
        self.are_said: Final = said.isdisjoint(WITHOUT_NAMES) and not is_looked_through
        """In code or in a text."""
