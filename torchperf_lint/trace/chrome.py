"""The events of a trace as torch's profiler exports it (the format of Chrome's tracing), sorted by what they are.

Reads what any version of torch since 2.0 writes, plain or gzipped. Knows nothing of lines.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.model.failure import ConfigError

LARGEST: Final = 1_000_000_000
SMALL: Final = 50_000_000
RATIO: Final = 100
"""What is larger unpacks to no more than so many times its size: a trace to some twenty times, and parsed it takes as much memory
again as many times."""
MOST: Final = 1e15
"""Microseconds, bytes, runs: more than any program has, and few enough to reckon with."""
GZIP: Final = b"\x1f\x8b"
RUNTIME: Final = ("cuda_runtime", "cuda_driver")
GPU: Final = ("kernel", "gpu_memcpy", "gpu_memset")
HOST: Final = ("cpu_op", "user_annotation")

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing with a beginning and a length, in microseconds."""

    start: float
    time: float
    name: str
    thread: int
    arguments: Arguments

    @property
    def end(self) -> float:
        return self.start + self.time


@dataclass(slots=True)
class Events:
    """All events of a trace, each list in the order of time."""

    host: list[Event] = field(default_factory=list)
    """Operators of torch and what a program marks."""
    runtime: list[Event] = field(default_factory=list)
    """Calls to the GPU's driver."""
    gpu: list[Event] = field(default_factory=list)
    """What the GPU did."""
    device: Mapping[str, Any] = field(default_factory=dict)


def number(value: Any) -> float:
    """A number of a trace; raises `ValueError` where it is none, or none that anything can take or count."""
    found = float(value)
    if not abs(found) < MOST:
        raise ValueError("not a number that anything could take")
    return found


def unpacked(data: bytes, what: str) -> Any:
    """The JSON in some bytes, plain or gzipped; raises `ConfigError`."""
    text = _gunzipped(data, what) if data.startswith(GZIP) else data
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ConfigError(f"{what}: not a trace: it is no JSON, or is cut off") from None


def _gunzipped(data: bytes, what: str) -> bytes:
    """No more than a trace can be: a few bytes can unpack to more than any memory."""
    unzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
    largest = min(LARGEST, max(SMALL, RATIO * len(data)))
    try:
        text = unzip.decompress(data, largest)
    except zlib.error as error:
        raise ConfigError(f"{what}: damaged ({error})") from None
    if unzip.unconsumed_tail:
        raise ConfigError(f"{what}: unpacks to more than {largest:,} bytes")
    if not unzip.eof:
        raise ConfigError(f"{what}: damaged or cut off: its end is missing")
    return text


def loaded(path: Path, largest: int = LARGEST) -> Any:
    """The JSON in a file, plain or gzipped; raises `ConfigError`."""
    try:
        data = read_file(path, largest)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    return unpacked(data, str(path))


def read(path: Path) -> Events:
    """The events of a file; raises `ConfigError` where it is none."""
    return events(loaded(path), str(path))


def events(plain: Any, what: str) -> Events:
    """The events of a parsed trace."""
    listed = plain.get("traceEvents") if isinstance(plain, dict) else plain
    if not isinstance(listed, list):
        raise ConfigError(f"{what}: not a trace: it has no `traceEvents`")
    found = Events()
    devices = plain.get("deviceProperties") if isinstance(plain, dict) else None
    if isinstance(devices, list) and devices and isinstance(devices[0], dict):
        found.device = devices[0]
    for each in listed:
        if isinstance(each, dict) and each.get("ph") == "X":
            _sort(each, found)
    for several in (found.host, found.runtime, found.gpu):
        several.sort(key=lambda event: (event.start, -event.time))
    return found


def _sort(plain: Mapping[str, Any], found: Events) -> None:
    category = plain.get("cat")
    if category in RUNTIME:
        into = found.runtime
    elif category in GPU:
        into = found.gpu
    elif category in HOST:
        into = found.host
    else:
        return
    try:
        thread = plain.get("tid", 0)
        start, time = number(plain["ts"]), number(plain.get("dur", 0.0))
        arguments = plain.get("args") or {}
        name = str(plain.get("name", ""))
    except (KeyError, TypeError, ValueError, OverflowError):
        return
    if start >= 0 and time >= 0 and isinstance(arguments, dict) and _names_others(arguments):
        into.append(Event(start, time, name, thread if isinstance(thread, int) else 0, arguments))


def _names_others(arguments: Arguments) -> bool:
    """Whether what says to which other events one belongs can be looked up."""
    return not any(
        isinstance(arguments.get(name), (list, dict)) for name in ("External id", "correlation", "Sequence number")
    )
