"""Which files of a project may call what one of them defines.

    losses.py     def focal(x): ...
    train.py      from losses import focal             imports it, and says `focal`
    model.py      from losses import dice              says no `focal`
    run.py        matcher = build().match(x)           says `match`, and imports what makes a `Matcher`

Made of summaries alone, so that no file is parsed of which nobody asks more. A file that may call is looked at by the
interpreter (`neighbours`); what is no candidate here calls nothing that could be resolved. Who may call is the same whoever
asks, and in whatever order: the nearest come first, then the path decides.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from torchperf_lint.facts.project import asked, uses
from torchperf_lint.facts.project.asked import BETWEEN, COMPILERS, GIVEN, LOOKED_AT, MADE, MAKERS, MANY, RUN, SAID, USED
from torchperf_lint.facts.project.given_keys import Keys
from torchperf_lint.facts.project.importers import Importers
from torchperf_lint.facts.project.imports import INIT, Imports
from torchperf_lint.facts.project.summary import ALL, Summary, saying
from torchperf_lint.facts.project.takers import Takers
from torchperf_lint.facts.project.test_files import is_test
from torchperf_lint.syntax.digest import digest

MORE: Final = 40
"""So many for who asks for all of them."""
_Found = tuple[tuple[str, ...], bool]
"""The files that may call, and whether they are all that may."""
_NONE: Final[_Found] = ((), True)


class Index:
    """The files of a project, by path, with what each says of the others."""

    def __init__(
        self,
        summaries: Mapping[str, Summary],
        imports: Imports,
        elsewhere: frozenset[bytes] | None = frozenset(),
        texts: frozenset[bytes] | None = None,
    ) -> None:
        self._summaries = dict(summaries)
        self._imports = imports
        self._elsewhere = elsewhere
        """The words of the project's notebooks; None where not all of its files could be read."""
        self._texts = texts
        """The words of its settings, scripts and pages; None where they are not known."""
        self._by_imported: Importers | None = None
        self._by_word: dict[bytes, set[str]] | None = None
        self._compiling: set[str] | None = None
        self._compilers: dict[str, tuple[str, ...]] = {}
        self._handing: dict[str | None, frozenset[str]] = {}
        self._answers: dict[str, str] = {}
        self._asked: dict[tuple[str, str, str | None, int], _Found] = {}
        self._digest: str | None = None
        self._sight: uses.Sight | None = None
        self._takers: Takers | None = None
        self._keys: Keys | None = None

    @property
    def digest(self) -> str:
        """A name for all that is said here: with the same, every question has the same answer."""
        if self._digest is None:
            parts = ((os.fsencode(path), each.to_bytes()) for path, each in sorted(self._summaries.items()))
            more = [b"unread"] if self._elsewhere is None else sorted(self._elsewhere)
            more += [b"packaged"] if self._imports.is_packaged else []
            more += [b"untold"] if self._texts is None else [b"told", *sorted(self._texts)]
            self._digest = digest([*(part for pair in parts for part in pair), b"", *more])
        return self._digest

    def see(self, path: str, summary: Summary | None) -> None:
        """A file says something else now; None where it is gone."""
        before = self._summaries.pop(path, None)
        if summary is not None:
            self._summaries[path] = summary
        if before == summary:
            return
        if before is None or summary is None or before.imports != summary.imports:
            self._by_imported = None
        self._by_word, self._compiling, self._digest, self._sight, self._keys = None, None, None, None, None
        self._handing.clear()
        self._ask_again()

    def look_again(self, imports: Imports) -> None:
        """Files may have come or gone: names are looked up anew."""
        self._imports, self._by_imported, self._digest, self._sight = imports, None, None, None
        self._ask_again()

    def _ask_again(self) -> None:
        self._takers = None
        for known in (self._answers, self._compilers, self._asked):
            known.clear()

    def answer(self, question: str) -> str:
        """A digest of who may call, for a question as `asked` writes it; empty where nobody may."""
        if question not in self._answers:
            self._answers[question] = self._answered(*[*question.split(BETWEEN), "", "", ""][:4])
        return self._answers[question]

    def _answered(self, path: str, name: str, owner: str, about: str) -> str:
        """The answer to a question about any use, about a word, or about so many callers."""
        if about in (USED, RUN, MADE):
            users = self.users(path, name, owner or None, about)
            importing = [] if name else [b"imported", *map(os.fsencode, self.taking.importing(path, users or ()))]
            known = [*map(os.fsencode, users or ()), *[b"packaged"] * self._imports.is_packaged, *importing]
            return USED if users is None else digest(known) if users else ""
        if about == asked.OPEN:
            return asked.OPEN if self._imports.is_packaged else asked.TOLD if self._in_sight.is_told else ""
        if about == SAID:
            return SAID if self.is_said(path, name) else ""
        if about == GIVEN:
            return repr((self.keys.by_all(path, name), self.keys.saying_field(name)))
        found, is_all = _NONE
        if name == COMPILERS:
            found = self.compilers(path)
        elif name:
            found, is_all = self._known(path, name, owner or None, int(about[:9]) if about.isdecimal() else MANY)
        told = [os.fsencode(each) for each in found]
        return digest([b"" if is_all else b"more", *told]) if found or not is_all else ""

    def callers(self, path: str, name: str, owner: str | None = None, most: int = MANY) -> tuple[str, ...]:
        """The files that may call what a file defines under a name, the nearest first, without tests, which show no usual run; a
        method of a class that is called `owner` may also be called where a thing comes from that another module made."""
        return self._known(path, name, owner, most)[0]

    def names_all(self, path: str, name: str, owner: str | None = None) -> bool:
        """Whether `callers` has all that may call: no more than it names import a function, or say the name of a method."""
        return self._known(path, name, owner, MANY)[1]

    def compilers(self, path: str) -> tuple[str, ...]:
        """The files that give something to `torch.compile`, and import a file, or one that imports it; the nearest first."""
        if path not in self._compilers:
            self._compilers[path] = self._compiling_near(path)
        return self._compilers[path]

    def _compiling_near(self, path: str) -> tuple[str, ...]:
        if self._compiling is None:
            self._compiling = {each for each, said in self._summaries.items() if said.compiles and not is_test(each)}
        found: list[str] = []
        seen, nearest, importers = {path}, [path], self._importers
        most = min(MANY, len(self._compiling - seen))
        while nearest and len(found) < most:
            nearest = sorted({each for at in nearest for each in importers.of(at)} - seen)
            seen.update(nearest)
            found += [each for each in nearest if each in self._compiling]
        return tuple(found[:MANY])

    def users(self, path: str, name: str, owner: str | None = None, about: str = USED) -> tuple[str, ...] | None:
        """The files, of any use tests included, that say what a file defines under a name, or without one the file's own:
        whoever looks at them sees whether they use it, and nobody else does. None where somebody does in any case, or may.

        Of a package, and of files that are no program, nobody knows who uses them; nor of a project that takes names from texts.
        It then counts as unused where none of its texts, pages included, says the name either, and no package hands on all that the
        file has. What is run is asked of any project that has a program. Nothing is known of what others find, or look through.
        """
        sight = self._in_sight
        is_sought = sight.is_closed or sight.is_told if about == USED else sight.is_run
        if path not in self._summaries or not is_sought or self._is_found(path, name, about):
            return None
        word = (name or Path(path).stem).encode("utf-8", "surrogatepass")
        told = (self._texts or frozenset()) if about != USED or not sight.is_closed else frozenset()
        in_text = word in told or (
            uses.WHOLE_FILES in told and Path(path).stem.encode("utf-8", "surrogatepass") in told
        )
        is_said = in_text or word in (self._elsewhere or ())
        if is_said or (name and not (about == RUN and owner) and self._is_taken(path, name, owner, about)):
            return None
        found = sorted(each for each in self._saying_of(path, name, owner, word) if about == USED or not is_test(each))
        return tuple(found) if len(found) <= LOOKED_AT else None

    def _saying_of(self, path: str, name: str, owner: str | None, word: bytes) -> set[str]:
        """The other files that say a word; who defines something of that name, or imports it from one that does, and does not
        import the file, means that. So does who says no name of a method's class, or can have nothing of the file."""
        others = (self._saying(name) or {at for at, each in self._summaries.items() if each.says(word)}) - {path}
        if not others or not name:
            return others
        near = self._importing([path], name)
        if owner is None and self._is_out_of_reach(path, near):
            others = {each for each in others if each in near or self._may_reach(each, path, near, name)}
        defining = {at for at in others if self._summaries[at].says_that_it_defines(word)}
        if owner is not None:
            by, own = self._importers, self._importers.of(path) | self._saying(owner)
            return others - (defining.union(*map(by.of, defining)) - own)
        return others - (defining.union(*(self._importing([at], name) for at in defining)) - near)

    def _is_taken(self, path: str, name: str, owner: str | None, about: str) -> bool:
        """Whether a file has all that another one defines, and may use it without its name; it runs what some text names, at most."""
        takers = self._importing([path], owner or name) | (self._saying(owner) if owner is not None else set())
        is_closed, taking = self._in_sight.is_closed, self.taking
        is_package = about == USED and path.endswith(INIT)
        if not is_closed and (is_package or taking.empty(takers, path, looking_up=not self._imports.is_packaged)):
            return True
        is_method = owner is not None
        all_takers = (each for each in takers if taking.takes_all(each, path, takers, is_method=is_method))
        if about == RUN and self._texts is not None:
            return any(uses.may_name(self._summaries[each].words, self._texts, name) for each in all_takers)
        return any(True for _ in all_takers)

    def _is_out_of_reach(self, path: str, takers: set[str]) -> bool:
        """Whether who does not import a file cannot use what is in it, unless it says more names."""
        is_found = not self._in_sight.is_closed and self.taking.finders.may_import(path)
        return not is_found and self.taking.have_by_names(takers, path)

    def _may_reach(self, other: str, path: str, takers: set[str], name: str) -> bool:
        """Whether a file may use what is in such a one, which it, or what hands that on, it is not seen to import."""
        is_told = not self._in_sight.is_closed and self.taking.says_file(other, takers, path, name)
        giving = (path, *(each for each in takers if each.endswith(INIT)))
        return is_told or any(self.taking.may_import(other, each) for each in giving)

    def _is_found(self, path: str, name: str, about: str) -> bool:
        """Whether others may come to what a file defines, or to the file, without any name of it."""
        if self._in_sight.is_closed or about == RUN:
            return False
        found = self.taking.finders
        return found.may_look_through(path, self._texts) if name else found.may_import(path)

    def is_said(self, path: str, word: str) -> bool:
        """Whether a file that imports another one, tests aside, says a word, as an option that it may give; without a path: any file."""
        sought = word.encode("utf-8", "surrogatepass")
        near = (self._importing([path], None) - {path}) if path else self._summaries.keys()
        return any(self._summaries[each].says(sought) for each in near if not is_test(each))

    @property
    def keys(self) -> Keys:
        if self._keys is None:
            self._keys = Keys(self._summaries, self._texts, self._elsewhere)
        return self._keys

    @property
    def _in_sight(self) -> uses.Sight:
        if self._sight is None:
            is_known, has_texts = self._elsewhere is not None, self._texts is not None
            said = (each.words for each in self._summaries.values())
            is_packaged = self._imports.is_packaged
            self._sight = uses.sight(said, is_known=is_known, is_packaged=is_packaged, has_texts=has_texts)
        return self._sight

    @property
    def taking(self) -> Takers:
        if self._takers is None:
            self._takers = Takers(self._summaries, self._imports)
        return self._takers

    def _known(self, path: str, name: str, owner: str | None, most: int) -> _Found:
        key = (path, name, owner, most)
        if key not in self._asked:
            self._asked[key] = self._found(path, name, owner, most)
        return self._asked[key]

    def _found(self, path: str, name: str, owner: str | None, most: int) -> _Found:
        """Of many files that say a name few are near: none but those is looked at one by one."""
        saying = self._saying(name)
        if not saying:
            return _NONE
        near = self._importing([path], owner or name)
        found = sorted(each for each in saying & near if each != path and not is_test(each))
        if owner is None:
            return tuple(found[:most]), len(found) <= most
        if len(found) < most:
            far = self._importing(sorted(near & self._saying(owner))[:MAKERS], None) - near
            found += sorted(each for each in saying & far if each != path and not is_test(each))
        kept = {path, *found[:most]}  # who else says the name of a method may be handed what has it
        return tuple(found[:most]), all(each in kept or is_test(each) for each in saying)

    def _importing(self, paths: list[str], name: str | None) -> set[str]:
        """Who imports one of some files, also through packages that hand a name on, or any."""
        found = set[str]()
        stack, importers, handing_on = list(paths), self._importers, self._handing_on(name)
        while stack:
            new = importers.of(stack.pop()) - found
            found |= new
            stack += new & handing_on
        return found

    def _handing_on(self, name: str | None) -> frozenset[str]:
        """The files that hand a name on, or any; a package may do so by strings alone, and import what is asked for."""
        if name not in self._handing:
            packages = (
                each for each in (self._summaries if name is None else self._saying(name)) if each.endswith(INIT)
            )
            names = () if name is None else (name, ALL)
            self._handing[name] = frozenset(packages).union(*map(self._importers.handing_on, names))
        return self._handing[name]

    def _saying(self, name: str) -> set[str]:
        """The files that say a name which one of them defines."""
        if self._by_word is None:
            self._by_word = saying(self._summaries)
        return self._by_word.get(name.encode("utf-8", "surrogatepass"), set())

    @property
    def _importers(self) -> Importers:
        if self._by_imported is None:
            self._by_imported = Importers(self._summaries, self._imports)
        return self._by_imported
