"""Questions that are asked of many nodes, and whose answer hangs on what is around them: each is worked out once.

    @once
    def holds_steps(module: Module, loop: ast.AST) -> bool: ...        walks the loop; asked of each line in it

Whoever the answers are about keeps them, so they go when it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, Protocol, TypeVar


class Keeper(Protocol):
    """Who remembers answers: the outline of a file, or the analysis."""

    @property
    def answers(self) -> dict[tuple[object, ...], Any]: ...


class Nobody:
    """Remembers nothing: each answer is worked out anew."""

    @property
    def answers(self) -> dict[tuple[object, ...], Any]:
        return {}


NOBODY: Final = Nobody()
"""Is asked where nobody is there who may keep an answer."""

K = TypeVar("K", bound=Keeper)
H = TypeVar("H", bound=Hashable)
T = TypeVar("T")


def once(ask: Callable[[K, H], T]) -> Callable[[K, H], T]:
    """Let a question about a thing be worked out once; `ask` must not change its mind."""

    def answer(keeper: K, about: H) -> T:
        key = (ask, about)
        answers = keeper.answers
        if key in answers:
            found: T = answers[key]
            return found
        made = answers[key] = ask(keeper, about)
        return made

    return answer
