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
OF_MODULE: Final = frozenset(b"getattr globals locals vars dir getmembers __dict__ eval exec".split())
"""With one of these, who has a module has all that is in it, without its name."""
