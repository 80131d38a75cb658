"""The index of a project: a summary of each of its files, most of them from the cache.

Made when somebody asks who calls what, once a run and before it is cut into processes. Files that settings leave out, that are
too large, or cannot be read are unknown, and nobody is told: they are linted elsewhere, or not at all.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from torchperf_lint.disk.links import link_on_the_way
from torchperf_lint.disk.read import read_file
from torchperf_lint.disk.write import put
from torchperf_lint.facts.project import given_keys, pages, summary
from torchperf_lint.facts.project.imports import LARGEST, Imports
from torchperf_lint.facts.project.index import Index
from torchperf_lint.facts.project.summary import Summary, summary_of
from torchperf_lint.files.discover import files_of, is_left_out
from torchperf_lint.run import marked
from torchperf_lint.syntax.digest import digest

if TYPE_CHECKING:
    from torchperf_lint.config.config import Config

LARGEST_KEPT: Final = 100_000_000
"""Bytes of what is kept of a project: several times what the summaries of so many files take."""
MOST: Final = 2_000
"""Files; of a larger project nobody knows who calls what: in one of 2,900, looking at callers took twice as long as the rest."""
LARGEST_NOTEBOOK: Final = 20_000_000
"""Bytes; most of them are pictures."""
MOST_TEXTS: Final = 1_000
LARGEST_TEXT: Final = 100_000
"""Bytes; what is longer holds data."""
LARGEST_TOLD: Final = 5_000_000
"""Bytes of all texts of a project; to read more would take longer than to lint it."""
_PAGES: Final = (".md", ".rst")
_PICTURE: Final = re.compile(rb"[^\s\"]{2000,}")
_KEPT: Final = 4

_made: dict[int, tuple[Config, Index]] = {}
"""The last indexes, by the identity of the settings of the project: a later run has others, and finds other files."""


def index_of(config: Config) -> Index:
    """The index of the project of some settings."""
    config = config.of_project
    known = _made.get(id(config))
    if known is None:
        while len(_made) >= _KEPT:
            del _made[next(iter(_made))]
        known = _made[id(config)] = (config, Index(*_read(config)))
    return known[1]


def see(path: Path, data: bytes | None) -> None:
    """A file has changed: an editor has this of it; None for what is on the disk."""
    text = data
    if text is None:
        with suppress(OSError):
            text = read_file(path, LARGEST)
    for config, index in _made.values():
        if path.suffix == ".py" and path.is_relative_to(config.root) and not is_left_out(path, config):
            index.see(str(path), summary_of(text) if text is not None else None)
        if data is None:
            index.look_again(Imports(config.root))


def _read(config: Config) -> tuple[dict[str, Summary], Imports, frozenset[bytes] | None, frozenset[bytes] | None]:
    """What an index is made of: the summaries, where imports lead, and the words of notebooks, None where a file is unknown; then
    those of all other texts."""
    files, texts = files_of(config, MOST)
    notebooks = [path for path in files if not path.endswith(".py")]
    summaries = _summaries(config, [path for path in files if path.endswith(".py")])
    is_all = len(summaries) + len(notebooks) == len(files)
    told = _said(texts) if len(texts) <= MOST_TEXTS else None
    return summaries, Imports(config.root), _words(notebooks) if is_all else None, told


def _said(texts: tuple[str, ...]) -> frozenset[bytes] | None:
    """The words of texts, data aside, and what they give keys; None where one cannot be read, they are long, or none is a page that
    tells people what there is."""
    if not any(path.endswith(_PAGES) for path in texts):
        return None
    try:
        short = [path for path in texts if Path(path).stat().st_size <= LARGEST_TEXT]
        if sum(Path(path).stat().st_size for path in short) > LARGEST_TOLD:
            return None
        data = [(read_file(path, LARGEST_TEXT), path.endswith(_PAGES)) for path in short]
    except OSError:
        return None
    said = (pages.of_page(each) if is_page else pages.of_settings(each) for each, is_page in data)
    return frozenset().union(*said, *(given_keys.of(each) for each, _ in data))


def _words(notebooks: list[str]) -> frozenset[bytes] | None:
    """All words of some notebooks but those in their pictures; None where one cannot be read."""
    found: set[bytes] = set()
    for path in notebooks:
        try:
            data = read_file(path, LARGEST_NOTEBOOK)
        except OSError:
            return None
        found.update(summary_of(_PICTURE.sub(b"", data)).words.split())
    return frozenset(found)


def _summaries(config: Config, files: list[str]) -> dict[str, Summary]:
    kept = KeptSummaries(config)
    found, is_new = {}, False
    for path in files:
        try:
            data = read_file(path, LARGEST)
        except OSError:
            continue
        content = digest([data])
        made = kept.known.get(content)
        if made is None:
            made, is_new = summary_of(data), True
        found[path] = (content, made)
    if is_new:
        kept.write(dict(found.values()))
    return {path: made for path, (_, made) in found.items()}


class KeptSummaries:
    """The summaries of a project's files in the cache, by content: one file, sealed with a digest of what it holds."""

    def __init__(self, config: Config) -> None:
        home = config.cache_folder if config.cache else None
        if config.cache_dir is not None and link_on_the_way(config.cache_dir, (config.root, Path.cwd())):
            home = None  # a project must not lead the tool to write elsewhere
        how = [read_file(each) for each in (summary.__file__, given_keys.__file__)]
        self._folder = home / digest([b"summaries", *how]) if home is not None else None
        self._name = f"{digest([os.fsencode(config.root)])}.json"
        self.known: dict[str, Summary] = {}
        if self._folder is not None and marked.is_ours(self._folder):
            marked.used(self._folder)
            with suppress(OSError, ValueError):  # whatever is wrong with it: anybody may have written it
                self.known = _opened(read_file(self._folder / self._name, LARGEST_KEPT))

    def write(self, summaries: dict[str, Summary]) -> None:
        """Keep the summaries of all files that there are now."""
        if self._folder is None:
            return
        body = b"\n".join(
            f"{content}\t".encode("ascii") + each.to_bytes() for content, each in sorted(summaries.items())
        )
        with suppress(OSError):
            marked.make(self._folder)
            put(self._folder / self._name, digest([body]).encode("ascii") + b"\n" + body)


def _opened(data: bytes) -> dict[str, Summary]:
    seal, _, body = data.partition(b"\n")
    if seal != digest([body]).encode("ascii"):
        raise ValueError("damaged")
    lines = (line.partition(b"\t") for line in body.split(b"\n") if line)
    return {content.decode("ascii"): Summary.from_bytes(rest) for content, _, rest in lines}
