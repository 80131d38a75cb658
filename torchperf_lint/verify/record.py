"""Measurements on file, one for each GPU: what the pages of rules show.

`rules_docs/measured/<gpu>.json`, in a stable order; a bench that is measured again takes the place of what was there.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from torchperf_lint.config.no_links import refuse_links
from torchperf_lint.disk.read import read_file
from torchperf_lint.disk.write import put
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.finding import Safety
from torchperf_lint.verify.verdict import Device, Measured, finite, milliseconds

FOLDER: Final = Path("rules_docs") / "measured"
VERSION: Final = 1

Plain = dict[str, Any]


def write(done: Iterable[Measured], device: Device, folder: Path = FOLDER) -> list[Path]:
    """Add what was measured to the record of its GPU, or of so many of them together; gives the files."""
    by_device: dict[int, list[Measured]] = {}
    for measured in done:
        ranks = int(measured.result.get("ranks", 1))
        if ranks <= max(1, device.gpus):  # what the CPU stood in for says nothing of GPUs
            by_device.setdefault(ranks, []).append(measured)
    return [_add(each, _together(device, ranks), folder) for ranks, each in sorted(by_device.items())]


def _together(device: Device, ranks: int) -> Device:
    """So many of a device, as one."""
    if ranks == 1 or not device.cuda:
        return device
    return replace(device, name=f"{ranks} × {device.name}", about={**device.about, "name": f"{ranks} × {device.name}"})


def _add(done: Iterable[Measured], device: Device, folder: Path) -> Path:
    path = folder / f"{slug(device.name)}.json"
    refuse_links([path])
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    kept = {_key(each): each for each in _read(path)}
    for measured in done:
        made = {"date": today, **row(measured, device)}
        kept[_key(made)] = made
    rows = sorted(kept.values(), key=lambda each: (each["code"] or "~", each["name"], json.dumps(each["shapes"])))
    record = {"version": VERSION, "device": about(device), "measurements": rows}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        put(path, (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode())
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    return path


def about(device: Device) -> Plain:
    """What measured, for the record."""
    return {name: value for name, value in device.about.items() if name not in ("device", "gpus", "mps", "reason")}


def slug(name: str) -> str:
    """The name of a device as a file can have it."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "device"


def _read(path: Path) -> list[Plain]:
    try:
        rows: list[Plain] = json.loads(read_file(path))["measurements"]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ConfigError(f"{path}: not a record of measurements ({error})") from None
    return rows


def _key(row: Plain) -> tuple[str, str]:
    return (row["name"], json.dumps(row["shapes"], sort_keys=True))


def row(measured: Measured, device: Device) -> Plain:
    """What a page needs of one measurement."""
    plain = measured.to_plain(device)
    parity = measured.result.get("parity", {})
    for shown, clock in zip(plain["measurements"], measured.result.get("clocks", ()), strict=True):
        shown["pairs"] = clock["pairs"]
        for side in ("before", "after"):
            shown[f"{side}_quartiles_ms"] = [milliseconds(clock[side][name]) for name in ("low", "high")]
    del plain["device"]
    return {
        "code": measured.plan.code,
        "name": measured.plan.name,
        "reason": measured.reason,
        "by_hand": measured.plan.programs is not None and measured.plan.programs.safety is Safety.SHOWN,
        "not_compared": parity.get("skipped", {}),
        **plain,
        "max_difference": finite(parity["difference"]) if parity else None,
    }
