"""What files of a project have of another one: names of what is in it, all of it, or what they find.

    from losses import dice           has what it names
    import losses                     has all, and uses what it names, unless it also says `getattr`
    from losses import *              the same
    import_module("losses." + kind)   may have any file of that folder

By summaries alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Final

from torchperf_lint.facts.project import uses
from torchperf_lint.facts.project.finders import Finders
from torchperf_lint.facts.project.importers import resolved
from torchperf_lint.facts.project.imports import INIT, Imports
from torchperf_lint.facts.project.summary import Summary
from torchperf_lint.facts.project.unfound import may_mean

_OF_METHOD: Final = frozenset((b"getattr(", b"methodcaller"))
"""With one of these, who has an object has all its methods, without their names."""
_SOUGHT: Final = frozenset((*_OF_METHOD, *uses.OF_MODULE, uses.MODULES))
"""The words that tell how a file may use another one that it has."""


class Takers:
    """The files of a project, while neither they nor what their imports mean change."""

    def __init__(self, summaries: Mapping[str, Summary], imports: Imports) -> None:
        self._summaries = summaries
        self._imports = imports
        self.finders: Final = Finders(summaries)
        self._sought: dict[str, frozenset[bytes]] = {}
        """By file, which of the words that tell how it may use a module it says: each is asked about for many names."""
        self._whole: dict[tuple[str, bool], frozenset[str]] = {}
        """By file, those that it has as a whole, without or with those of which it takes all names."""

    def may_import(self, taker: str, path: str) -> bool:
        """Whether a file imports another one, or something that nobody finds and that may be it."""
        place = Path(path)
        folder, stem = self._imports.place_of(place.parent if place.name == INIT else place)
        names = self._summaries[taker].imports
        found = dict(self._resolved(taker, names))
        return any(found[each] == path if each in found else may_mean(each, stem, folder, found) for each in names)

    def importing(self, path: str, takers: Iterable[str]) -> list[str]:
        """Which of some files may import another one."""
        return [each for each in takers if self.may_import(each, path)]

    def have_by_names(self, takers: Set[str], path: str) -> bool:
        """Whether those who import a file have it by names of what is in it, and not as a whole: who does not import it then
        cannot use that without a name of the file."""
        return not path.endswith(INIT) and not any(path in self._had_whole(each, with_all=True) for each in takers)

    def says_file(self, other: str, takers: Set[str], path: str, name: str) -> bool:
        """Whether a file says the name of another one, or of a package that hands on what is in it: `"kit.losses.Dice"` is looked up.
        One that imports such a name means what it imports."""
        if any(each.endswith(f".{name}") for each in self._summaries[other].imports):
            return False
        packages = (Path(each).parent.name for each in takers if each.endswith(INIT))
        said = (each.encode("utf-8", "surrogatepass") for each in (Path(path).stem, *packages))
        return any(map(self._summaries[other].says, said))

    def empty(self, takers: Set[str], path: str, *, looking_up: bool) -> bool:
        """Whether some files take all names of another one; only who may look them up counts, if that is asked."""
        giving = (each for each in takers if not looking_up or self._summaries[each].looks_up)
        emptied = ((each, self._summaries[each].emptied) for each in giving)
        return any(at == path for each in emptied for _, at in self._resolved(*each))

    def takes_all(self, taker: str, path: str, takers: Set[str], *, is_method: bool) -> bool:
        """Whether a file may use what a module, or an instance of its class, has, without saying what."""
        words = self._sought.get(taker)
        if words is None:
            words = self._sought[taker] = _SOUGHT.intersection(self._summaries[taker].words.split())
        if is_method:
            return not words.isdisjoint(_OF_METHOD)
        if words.isdisjoint(uses.OF_MODULE):
            return False
        whole = self._had_whole(taker, with_all=not words.isdisjoint(uses.OF_NAMES) or uses.MODULES in words)
        return any(
            at == path or (at.endswith(INIT) and (at in takers or Path(at).parent in Path(path).parents))
            for at in whole
        )

    def _had_whole(self, taker: str, *, with_all: bool) -> frozenset[str]:
        """The files that a file has as a whole."""
        key = (taker, with_all)
        if key not in self._whole:
            names = self._summaries[taker].whole(with_all=with_all)
            self._whole[key] = frozenset(place for _, place in self._resolved(taker, names))
        return self._whole[key]

    def _resolved(self, path: str, imports: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """The files that a file imports, each with the name that it says."""
        return resolved(self._imports, path, imports)
