"""A file that has changed is asked again what others asked of it, by an analysis of its own. Knows nothing of findings."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from torchperf_lint.engine.projects import project_of
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.index.looks import NOW
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.interpret import told
from torchperf_lint.facts.interpret.interpreter import neighbour_of
from torchperf_lint.facts.project.imports import Reads
from torchperf_lint.facts.project.questions import FACE
from torchperf_lint.facts.project.surroundings import Surroundings

if TYPE_CHECKING:
    from pathlib import Path

    from torchperf_lint.config.config import Config
    from torchperf_lint.facts.index.module import Module
    from torchperf_lint.facts.interpret.analysis import Analysis

_NOTHING = ("", 0)
"""It cannot be asked that any more."""


class AskedAgain:
    """The files of a project, asked again."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._known: dict[Path, tuple[Analysis | None, Reads]] = {}

    @cached_property
    def _project(self) -> Any:
        return project_of(self._config)

    def content(self, path: Path) -> str | None:
        """The content of a file that was asked, as `contents` names it."""
        content: str | None = self._project[0].load(path)[1]
        return content

    def reads(self, path: Path) -> Reads:
        """What all that a file told stands on besides."""
        return self._of(path)[1]

    def tell(self, path: Path, question: str) -> tuple[str, int]:
        """A digest of what a file tells, and the steps that this takes."""
        project, _ = self._project
        if question.startswith(":"):
            glance = project.glance(path)
            return (str(glance[0].may_bind(question[1:])), 0) if glance is not None else _NOTHING
        analysis = self._of(path)[0]
        if analysis is None:
            return _NOTHING
        if question == FACE:
            return project.face(str(path)) or "", 0
        if not question.startswith("["):
            return str(analysis.module.told(question)), 0
        try:
            compute, key = told.question(question, self._find)
            answer = analysis.answer(analysis.tables.of(compute), key)
            return told.digest_of(answer), told.steps_of(answer)
        except (told.UntoldError, GaveUpError):
            return _NOTHING

    def _of(self, path: Path) -> tuple[Analysis | None, Reads]:
        if path not in self._known:
            self._known[path] = self._made(path)
        return self._known[path]

    def _made(self, path: Path) -> tuple[Analysis | None, Reads]:
        project, shared = self._project
        module, _ = project.load(path)
        around = Surroundings(project, path)
        if module is None:
            return None, around.reads
        program = Program(around.module, around.note, around.glance)
        NOW.begin(program.add(module))
        return neighbour_of(program, module, shared), around.reads

    def _find(self, path: str) -> Module | None:
        project, _ = self._project
        module: Module | None = project.load(project.root / path)[0]
        return module
