"""Patterns as `.gitignore` writes them, for every setting that names files.

All patterns of a list are matched at once, and no byte of a path is read twice: the states of all their machines are the
bits of one number, and a byte moves all of them by a shift and a mask. So the time is that of the path times the length
of the list, whatever stars stand in it. Patterns without wildcards are looked up.

Knows nothing of folders on the disk: a path is text, relative to where the patterns hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

from torchperf_lint.config.glob_syntax import SLASH, Glob, as_bytes, parsed


class Globs:
    """A list of patterns; of those that match a path the last decides."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self.patterns = patterns

    def verdict(self, path: str, *, folder: bool = False) -> bool | None:
        """True: left out; False: a pattern with `!` takes it in again; None: no pattern speaks of this very path."""
        *_, last = self._verdicts(path, folder=folder)
        return last

    def match(self, path: str, *, folder: bool = False) -> bool:
        """Whether a path is left out, itself or by a folder that it lies in."""
        return bool(self.patterns) and any(verdict is True for verdict in self._verdicts(path, folder=folder))

    def covering(self, path: str) -> set[str]:
        """The patterns that match a path or a folder that it lies in, whether they have a `!` or not."""
        steps = self._compiled.steps(as_bytes(path.lstrip("/")), folder=False)
        return {self.patterns[number] for step in steps for number in step.every()}

    def _verdicts(self, path: str, *, folder: bool) -> Iterator[bool | None]:
        """The verdict on each folder above, from the outermost in, and on the path itself."""
        for step in self._compiled.steps(as_bytes(path.lstrip("/")), folder=folder):
            number = step.last()
            yield None if number is None else not self._compiled.negated[number]

    @cached_property
    def _compiled(self) -> _Compiled:
        return _Compiled(self.patterns)


def is_pattern(text: str) -> bool:
    """Whether a line says anything that can be matched, or is blank or a comment: `[z-a]` does not."""
    glob = parsed(text)
    return not text.strip() or text.startswith("#") or (glob is not None and not glob.backwards)


@dataclass(slots=True)
class _Step:
    """What matches a path as far as one of its slashes, or its end."""

    looked_up: list[int]
    """Numbers of patterns."""
    machine: _Machine | None
    states: int
    """Those of the machine that say of a pattern that it matches."""

    def last(self) -> int | None:
        """The number of the last pattern that matches."""
        numbers = list(self.looked_up)
        if self.states and self.machine is not None:
            numbers.append(self.machine.number[self.states.bit_length() - 1])
        return max(numbers, default=None)

    def every(self) -> Iterator[int]:
        """The numbers of all patterns that match."""
        yield from self.looked_up
        if self.machine is not None:
            bits = bin(self.states)[:1:-1]
            at = bits.find("1")
            while at >= 0:
                yield self.machine.number[at]
                at = bits.find("1", at + 1)


class _Compiled:
    """A list of patterns, ready to be matched."""

    def __init__(self, patterns: Iterable[str]) -> None:
        globs = {number: glob for number, pattern in enumerate(patterns) if (glob := parsed(pattern)) is not None}
        self.negated = {number: glob.negated for number, glob in globs.items()}
        self._folders = {number for number, glob in globs.items() if glob.folders}
        self._names: dict[bytes, list[int]] = defaultdict(list)
        self._paths: dict[bytes, list[int]] = defaultdict(list)
        for number, glob in globs.items():
            if glob.literal is not None:
                (self._names if glob.names else self._paths)[glob.literal].append(number)
        machines = {number: glob for number, glob in globs.items() if glob.literal is None}
        self._machine = _Machine(machines) if machines else None

    def steps(self, path: bytes, *, folder: bool) -> Iterator[_Step]:
        """What matches each folder above, from the outermost in, and then the path itself."""
        ends = [*(at for at, byte in enumerate(path) if byte == SLASH), len(path)]
        states = self._machine.states(path) if self._machine is not None else repeat(0)
        start = 0
        for end, found in zip(ends, states, strict=False):
            looked_up = [*self._names.get(path[start:end], ()), *self._paths.get(path[:end], ())]
            start = end + 1
            if end == len(path) and not folder:
                looked_up = [number for number in looked_up if number not in self._folders]
                found &= self._machine.of_files if self._machine is not None else 0
            yield _Step(looked_up, self._machine, found)


class _Machine:
    """The machines of many patterns as one; a state is a bit, and those of a later pattern are higher."""

    def __init__(self, globs: Mapping[int, Glob]) -> None:
        bits = _Bits(sum(len(glob.steps) + 1 for glob in globs.values()))
        self.number: dict[int, int] = {}
        """The pattern that matches where a state is reached."""
        first = 0
        for number, glob in globs.items():
            bits.set("names" if glob.names else "paths", first)
            for state, step in enumerate(glob.steps, first + 1):
                for byte in step:
                    bits.set(byte, state)
            for kind, states in (("within", glob.within), ("across", glob.across), ("skips", glob.skips)):
                for state in states:
                    bits.set(kind, first + state)
            end = first + len(glob.steps)
            bits.set("folders" if glob.folders else "files", end)
            self.number[end] = number
            first = end + 1
        self._on = [bits.number(byte) for byte in range(256)]
        self._across, self._skips, self._names = map(bits.number, ("across", "skips", "names"))
        self._stay = self._across | bits.number("within")
        self._start = self._skipped(self._names | bits.number("paths"))
        self.of_files = bits.number("files")
        """The last states of patterns that speak of files as well."""
        self._last = self.of_files | bits.number("folders")

    def states(self, path: bytes) -> Iterator[int]:
        """The last states of patterns in which the machine is at each slash and at the end."""
        states, on, stay, skips = self._start, self._on, self._stay, self._skips
        for byte in path:
            if byte == SLASH:
                yield states & self._last
                states = states << 1 & on[SLASH] | states & self._across | self._names
            else:
                states = states << 1 & on[byte] | states & stay
            if states & skips:
                states = self._skipped(states)
        yield states & self._last

    def _skipped(self, states: int) -> int:
        from_here = states & self._skips
        return states | from_here << 1 | from_here << 2


class _Bits:
    """Large numbers that are made bit by bit: to set a bit of a number makes a new one."""

    def __init__(self, size: int) -> None:
        self._bytes: dict[int | str, bytearray] = defaultdict(lambda: bytearray(size // 8 + 1))

    def set(self, name: int | str, bit: int) -> None:
        self._bytes[name][bit >> 3] |= 1 << (bit & 7)

    def number(self, name: int | str) -> int:
        return int.from_bytes(self._bytes[name], "little") if name in self._bytes else 0
