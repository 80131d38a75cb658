"""What was read of projects, and found of them, kept from file to file of a run; an editor keeps several, and what it has of files.

Only a run knows which settings, and so which projects, are in use. Knows nothing of rules and findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchperf_lint.facts.interpret.shared import SharedAnswers
from torchperf_lint.facts.project.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from torchperf_lint.config.config import Config
    from torchperf_lint.facts.project.index import Index

_projects: dict[int, tuple[Config, Project, SharedAnswers]] = {}
"""By the identity of the settings by which a run knows them: the next run, even in this process, finds other files there."""
_most_projects = 1
_typed: dict[Path, bytes] = {}
"""What an editor has of files, by absolute path."""


def project_of(config: Config) -> tuple[Project, SharedAnswers]:
    """The project of some settings, and what was found of it."""
    config = config.of_project
    known = _projects.pop(id(config), None) or (config, Project(config.root, _typed), SharedAnswers())
    _projects[id(config)] = known  # the one asked for last stands last
    while len(_projects) > _most_projects:
        del _projects[next(iter(_projects))]
    return known[1], known[2]


def surround(config: Config, index: Callable[[], Index]) -> None:
    """Let the files of a project know who may call what they define."""
    project, _ = project_of(config)
    project.index = index


def tidy() -> None:
    """Between two files of a run: let go of what the last one needed and the next one may not."""
    for _, project, shared in _projects.values():
        if dropped := project.tidy(shared.resting):
            shared.forget(dropped)
        shared.tidy()


def keep_projects(most: int) -> None:
    """Keep what was read of so many projects: for who goes to and fro between them."""
    global _most_projects
    _most_projects = most


def see(path: Path, data: bytes | None) -> None:
    """A file has changed, for all projects: an editor has this of it; None for what is on the disk."""
    if data is None:
        _typed.pop(path, None)
    else:
        _typed[path] = data
    for _, project, _ in _projects.values():
        project.forget(path)
        if data is None:
            project.look_again()
    tidy()
