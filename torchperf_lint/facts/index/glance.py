"""What is known of a module before anybody has made its outline: whether it can bind a name at all.

    __init__.py    from .a import *       offers what any of its modules does: to find one name, most are looked at ...
                   from .b import *       ... and most do not say it, so their outlines need not be made

A glance stands for one content of one file: who keeps what was found by it knows by that whether it still holds.
"""

from __future__ import annotations

from collections.abc import Callable


class Glance:
    """A look at the text of a module."""

    __slots__ = ("may_bind",)

    def __init__(self, may_bind: Callable[[str], bool]) -> None:
        self.may_bind = may_bind
        """Whether the module may bind a name, or offer one that came with a star."""
