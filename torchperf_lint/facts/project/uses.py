"""Words by which a project uses what no code of it names."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Final, NamedTuple

PROGRAM: Final = frozenset(b"__main__ argv parse_args parse_known_args".split())
"""One of these is in what people run: a guard, or a command line that is read on the top of a file that has none."""
BY_TEXT: Final = frozenset(
    (
        b"import_module __import__ pydoc load_object get_obj_from_str instantiate_from_config hydra pkgutil runpy "
        b"entry_points load_entry_point exec_module __subclasses__ __init_subclass__ LightningCLI"
    ).split()
)
"""Who says one of these can use what no code names: it takes names from texts, or the classes that there are."""
FINDS: Final = frozenset(b"pkgutil runpy exec_module import_module __import__".split())
"""Those of them that import a file."""
WHOLE_FILES: Final = b"automodule"
"""With this a page shows all that is in the files that it names."""
CALLED: Final = frozenset(b"eval exec vars globals locals getattr".split())
"""Functions of Python that a file uses where its code calls them, or hands them on: not by `model.eval()`, or `env vars` in a sentence."""
OF_NAMES: Final = frozenset(b"globals( locals( vars( exec( eval(".split())
"""With one of these, who has taken all names of a module has them without saying any."""
OF_MODULE: Final = frozenset((*OF_NAMES, b"getattr(", b"getmembers", b"__dict__"))
"""With one of these, who has a module has all that is in it, without its name."""
LOOKING_UP: Final = frozenset("globals locals vars eval exec __dict__ modules".split())
"""With one of these a file may use, without a word, what stands on its top, or what it imports."""
MODULES: Final = b"modules"
"""With this, of `sys`, a file has itself as a module."""


class Sight(NamedTuple):
    """How much of what uses a project is in sight."""

    is_closed: bool
    """All of it, and it says so by names."""
    is_told: bool
    """All of it names what it uses, in code or texts, as public names are."""
    is_run: bool


def may_name(words: bytes, texts: Set[bytes], name: str) -> bool:
    """Whether texts name something, or a program of some words may put its name together: `eval(f"{kind}_loss")`."""
    word = name.encode("utf-8", "surrogatepass")
    return word in texts or any(
        (each.endswith(b"_") and word.startswith(each)) or (each.startswith(b"_") and word.endswith(each))
        for each in words.split()
    )


def sight(said: Iterable[bytes], *, is_known: bool, is_packaged: bool, has_texts: bool) -> Sight:
    """How much is in sight of a project by the words of its files, if all are known, others may use what it defines, texts were
    read."""
    words = {word for each in said for word in each.split()}
    has_program = not words.isdisjoint(PROGRAM)
    is_run = is_known and has_program
    is_told = is_known and has_texts and (is_packaged or has_program)
    return Sight(is_run and not is_packaged and words.isdisjoint(BY_TEXT), is_told, is_run)
