"""What changed files tell now of what was asked of them before they changed: asked once, and kept until they change again.

    b.py    def make(n): ...           edited: its body is another one
    a.py    x = make(3)                asked what `make(3)` gives, and saw the face of `b.py`; where both are the same, it need not
                                       be linted again

Who asked keeps its answers from the old `b.py`, so these are asked at every run; one small file for each changed one holds what it
tells. That stands on other files, as findings do, and holds as long as they are what they were.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchperf_lint.disk.read import read_file
from torchperf_lint.disk.write import put
from torchperf_lint.facts.project.imports import Imports, Reads
from torchperf_lint.run import marked
from torchperf_lint.run.sealed import name_of, opened, sealed

if TYPE_CHECKING:
    from torchperf_lint.config.config import Config
    from torchperf_lint.engine.asked_again import AskedAgain
    from torchperf_lint.facts.project.contents import Contents
    from torchperf_lint.facts.project.questions import Questions

_ABOUT = "told"


@dataclass(slots=True)
class _Told:
    """What one file tells."""

    content: str
    told: dict[str, tuple[str, int]] = field(default_factory=dict)
    """By question: a digest of the answer, and the steps that it takes."""
    reads: Reads = field(default_factory=Reads)
    """What that stands on besides."""
    is_new: bool = False

    def to_plain(self, path: str) -> dict[str, Any]:
        plain = {"path": os.fsencode(path).hex(), "content": self.content, "reads": self.reads.to_plain()}
        return {**plain, "told": {question: list(told) for question, told in sorted(self.told.items())}}


class ToldAgain:
    """The files of a project that have changed, and what they tell."""

    def __init__(self, folder: Path, config: Config, imports: Imports, contents: Contents) -> None:
        self._folder = folder
        self._config = config
        self._imports = imports
        self._contents = contents
        self._known: dict[str, _Told] = {}
        self._again: AskedAgain | None = None

    def is_same(self, asked: Questions, near: Path, path: str) -> bool:
        """Whether a file tells one at a path, which asked so much, what it told that before."""
        questions = asked.files.get(path)
        if questions is None:
            return False
        known, steps = self._of(path), 0
        for question, was in questions.items():
            now, taken = known.told.get(question) or self._asked(path, question, known)
            if now != was:
                return False
            steps += taken
        return steps <= asked.room and known.reads.mean_the_same(self._imports, near, Path(path))

    def _of(self, path: str) -> _Told:
        if path not in self._known:
            content = self._contents.name_of(path)
            self._known[path] = self._read(path, content) or _Told(content)
        return self._known[path]

    def _read(self, path: str, content: str) -> _Told | None:
        try:
            entry = opened(read_file(self._folder / name_of(path, _ABOUT)))
            if entry["path"] != os.fsencode(path).hex() or entry["content"] != content:
                return None
            told = {str(question): (str(now), int(steps)) for question, (now, steps) in entry["told"].items()}
            reads = Reads.from_plain(entry["reads"])
            return _Told(content, told, reads) if reads.hold(Path(path), self._imports, self._is_like) else None
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None  # whatever is wrong with it: anybody may have written it

    def _is_like(self, path: str, was: str | None) -> bool:
        return self._contents.are(path, was, is_shown=False)

    def _asked(self, path: str, question: str, known: _Told) -> tuple[str, int]:
        """Ask; the interpreter is imported by the first question."""
        if self._again is None:
            from torchperf_lint.engine.asked_again import AskedAgain

            self._again = AskedAgain(self._config)
        known.told[question] = self._again.tell(Path(path), question)
        known.reads.add(self._again.reads(Path(path)))
        known.is_new = known.content == self._again.content(Path(path))
        return known.told[question]

    def keep(self) -> None:
        """Write what is new into the cache; an `OSError` where that cannot be."""
        for path, known in self._known.items():
            if known.is_new:
                marked.make(self._folder)
                put(self._folder / name_of(path, _ABOUT), sealed(known.to_plain(path)))
