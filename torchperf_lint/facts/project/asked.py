"""Questions to the index of a project as texts, by which they are written down with what they were answered."""

from __future__ import annotations

from typing import Final

MANY: Final = 4
"""So many files are looked into for the callers of one function."""
MAKERS: Final = 64
"""So many files that name a class are taken for ones that make things of it."""
LOOKED_AT: Final = 6
"""In so many files that say a name it is looked up how they say it."""
COMPILERS: Final = "torch.compile"
"""In a question, instead of a name: the files that compile what one defines."""
BETWEEN: Final = "\0"
"""Between the parts of a question: a path may hold all but this."""
USED: Final = "used"
RUN: Final = "run"
"""Used by what is no test, whatever others may use that install the project."""
MADE: Final = "made"
"""The same of a class, which a project may find by looking through its files: `getattr(module, name)` for all names of one."""
SAID: Final = "said"
GIVEN: Final = "given"
OPEN: Final = "open"
TOLD: Final = "told"
"""Whether others may install the project, and call what it defines; if not, whether all names that it uses stand in its files or texts."""


def asked(path: str, name: str, owner: str | None, most: int = MANY) -> str:
    """A question about callers as one text."""
    return BETWEEN.join((path, name, owner or "", *([str(most)] if most != MANY else [])))


def asked_use(path: str, name: str, owner: str | None, about: str = USED) -> str:
    """A question about any use as one text; without a name it is about the file."""
    return BETWEEN.join((path, name, owner or "", about))


def asked_word(path: str, word: str) -> str:
    """A question about a word as one text."""
    return BETWEEN.join((path, word, "", SAID))


def asked_key(path: str, key: str) -> str:
    """A question about what settings give a key as one text."""
    return BETWEEN.join((path, key, "", GIVEN))


def asked_open(path: str) -> str:
    """A question about who may install the project as one text."""
    return BETWEEN.join((path, "", "", OPEN))
