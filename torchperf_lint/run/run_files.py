"""Files in, what came of each out: from the cache what it knows, the rest by as many processes as it pays to start.

Knows nothing of formats and streams; the command line and the Python interface both stand on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.files.discover import mentions_torch
from torchperf_lint.run.cache import Caches
from torchperf_lint.run.lint_file import Done, FileJob, guarded
from torchperf_lint.run.project_index import index_of
from torchperf_lint.syntax.digest import digest

WORTH_A_POOL: Final = 300_000
"""Bytes from which on more than one process is sooner done, their start included."""

LARGE: Final = 100_000
"""Bytes of a file that nobody should be left alone with at the end of a run."""

Progress = Callable[[int, int], None]
"""Told how many files are done, of how many."""


def over(files: Sequence[str], job: FileJob, progress: Progress = lambda *_: None) -> list[Done]:
    """What came of each file, in the order of the files, with paths as reports show them."""
    caches = Caches(job.configs) if job.configs.run.cache else None
    sizes: dict[str, int] = {}

    def glance(path: str) -> Done:
        data = read_file(path)
        if not mentions_torch(data):
            return Done(path)
        content = digest([data])
        known = caches.of(path).get(path, content) if caches else None
        done = Done(path, content, known or ())
        if known is None or not job.is_done_with(done):
            sizes[path] = len(data)
        return done

    done = {path: guarded(glance, path) for path in files}
    if caches is not None:
        caches.keep()
    answered = len(files) - len(sizes)
    for count, each in enumerate(_worked(sizes, job), 1):
        done[each.path] = each
        progress(answered + count, len(files))
        if caches is not None and each.content:
            caches.of(each.path).put(each.path, each.content, each.findings, each.reads)
    return [done[path].shown(job.configs) for path in files]


def _worked(sizes: dict[str, int], job: FileJob) -> Iterator[Done]:
    """What the job makes of files, as it comes: one project after the other, for what is read of one is let go of at the next; of
    each the large ones first, the others by path, as neighbours import the same."""
    if not sizes:
        return
    from torchperf_lint.run import parallel

    order = sorted(sizes, key=lambda path: (_project(path, job), -sizes[path] if sizes[path] >= LARGE else 0, path))
    jobs = job.configs.run.jobs or parallel.cores()
    if jobs == 1 or len(sizes) == 1 or sum(sizes.values()) < WORTH_A_POOL:
        answers = parallel.alone(job, order)
    else:
        if parallel.copies():
            job.prepare()  # what is imported here need not be imported by each of them
            for config in {id(each): each for each in map(job.configs.of, map(Path, order))}.values():
                index_of(config)
        answers = parallel.together(job, order, jobs)
    for path, answer in answers:
        yield Done(path, failure=str(answer)) if isinstance(answer, parallel.Died) else Done.from_bytes(answer)


def _project(path: str, job: FileJob) -> tuple[str, str]:
    """The project of a file, and where its settings stand."""
    config = job.configs.of(Path(path)).of_project
    return str(config.root), str(config.file or "")
