"""Run public models under torch.compile on the CPU, and write down what Dynamo says of their lines. Takes hours.

    python tests/oracle/breaks/record.py [--out breaks.json] [--seconds 120] [--most 10] timm LightGlue@1fd587b=FOLDER ...

A library is one that is installed, or a repository, of which the commit and the folder are said: its modules are found there.
Not part of the tests, which read what it wrote. Each model runs in a process of its own, made by a fork after its library
was imported, and is called three times, the last time with another batch size, so that what recompiles shows. What is
recorded already is not asked again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import torch

from oracle.breaks import programs, recorder

BATCHES = (2, 2, 3)
"""The batch of each call: a recompile in the second has its reason in the program's own state."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path("breaks.json"))
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("libraries", nargs="+")
    given = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    torch.compile(lambda x: x + 1, backend="eager")(
        torch.ones(1)
    )  # what Dynamo imports at its first call, each fork has
    programs.name_operators()
    for each in given.libraries:
        of, _, folder = each.partition("=")
        library, _, version = of.partition("@")
        sys.path.insert(0, folder or sys.path[0])
        home = folder or home_of(library)
        known = read(given.out)["libraries"].get(library, {"models": {}})["models"]
        new = [(name, program) for name, program in programs.of(library, bool(folder)) if name not in known]
        for name, program in new[: given.most]:
            said = in_a_fork(lambda home=home, program=program: asked(home, program), given.seconds)
            print(
                library, name, said.get("error") or f"{said['graphs']} graphs, {len(said['breaks'])} breaks", flush=True
            )
            add(given.out, library, version or _version(library), name, said)


def home_of(library: str) -> str:
    """The folder of a library that is installed."""
    return str(Path(str(import_module(library).__file__)).parent)


def in_a_fork(work: Callable[[], dict[str, Any]], seconds: int) -> dict[str, Any]:
    """What a function returns that runs in a process of its own, and is ended after so many seconds of work."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "said.json")
        child = os.fork()
        if not child:
            signal.setitimer(signal.ITIMER_PROF, seconds)  # of its own time: what else the machine does is no matter
            try:
                said = work()
            except BaseException as error:  # whatever a library raises, the next model is asked
                said = {"error": f"{type(error).__name__}: {str(error)[:200]}"}
            out.write_text(json.dumps(said), "utf-8")
            os._exit(0)
        os.waitpid(child, 0)
        if not out.exists():
            return {"error": "too slow, or it crashed"}
        said = json.loads(out.read_text("utf-8"))
        assert isinstance(said, dict)
        return said


def asked(folder: str, program: programs.Program) -> dict[str, Any]:
    """What Dynamo says of one model, in the files of a folder."""
    home = folder + os.sep
    torch.manual_seed(0)
    begun = time.perf_counter()
    model, inputs = program()
    compiled = torch.compile(model, backend="eager")
    with recorder.recorded(lambda file: file.startswith(home)) as record:
        graphs, errors = recorder.run(lambda turn: _call(compiled, inputs(BATCHES[turn])), len(BATCHES))
    said = {
        "graphs": graphs,
        "errors": errors,
        "seconds": round(time.perf_counter() - begun, 1),
        "traced": {file.removeprefix(home): sorted(lines) for file, lines in record.traced.items()},
        "breaks": [[file.removeprefix(home), line, kinds] for (file, line), kinds in sorted(record.breaks.items())],
        "recompiles": [[file.removeprefix(home), line, why] for (file, line), why in sorted(record.recompiles.items())],
        "md5": {file.removeprefix(home): hashlib.md5(Path(file).read_bytes()).hexdigest() for file in record.traced},
    }
    where = str(Path(home).parent) + os.sep  # where it lies is of this machine alone
    plain: dict[str, Any] = json.loads(json.dumps(said).replace(where, ""))
    return plain


def _call(model: Callable[..., object], given: object) -> object:
    if isinstance(given, dict):
        return model(**given)
    return model(*given) if isinstance(given, tuple) else model(given)


def add(out: Path, library: str, version: str, name: str, said: dict[str, Any]) -> None:
    """Write what was said of a model beside what is there."""
    all_said = read(out)
    of_library = all_said["libraries"].setdefault(library, {"version": version, "models": {}, "files": {}})
    lines = said.pop("traced", {})
    digests = said.pop("md5", {})
    breaks, recompiles = said.pop("breaks", []), said.pop("recompiles", [])
    of_library["models"][name] = said
    for file, traced in lines.items():
        known = of_library["files"].setdefault(
            file, {"md5": digests[file], "traced": "", "breaks": {}, "recompiles": {}}
        )
        known["traced"] = recorder.ranges({*recorder.lines_of(known["traced"]), *traced})
    for file, line, kinds in breaks:
        if file in of_library["files"]:
            at = of_library["files"][file]["breaks"].setdefault(str(line), {"kinds": {}, "models": []})
            at["kinds"].update(kinds)
            at["models"] = sorted({*at["models"], name})
    for file, line, why in recompiles:
        if file in of_library["files"]:
            at = of_library["files"][file]["recompiles"].setdefault(str(line), [])
            at += [each for each in why if each not in at]
    fresh = out.with_suffix(".new")
    fresh.write_text(json.dumps(all_said, indent=1, sort_keys=True) + "\n", "utf-8")
    fresh.replace(out)


def read(out: Path) -> dict[str, Any]:
    """What was recorded before."""
    said = json.loads(out.read_text("utf-8")) if out.exists() else {"torch": torch.__version__, "libraries": {}}
    assert isinstance(said, dict)
    return said


def _version(library: str) -> str:
    distribution = metadata.packages_distributions().get(library)
    return metadata.version(distribution[0]) if distribution else "unknown"


if __name__ == "__main__":
    main()
