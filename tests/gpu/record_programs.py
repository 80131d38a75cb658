"""Run programs on a GPU, and write down which of their lines made the host wait for it, in how many steps.

    python tests/gpu/record_programs.py SOURCES tests/gpu/programs.json           all of tests/gpu/programs/, a process each
    python tests/gpu/record_programs.py SOURCES tests/gpu/programs.json NAME...   some of them, the others stay as they are

`SOURCES/NAME/` holds the program or library NAME, at the commit or version that the head of `programs/NAME.py` names. That
driver sets it up with data of its own making and runs a few steps. For each file of it that ran: the ranges of lines that ran
(imports too), and the lines that waited with the number of steps in which they did, four at most; two or more is hot.

Waits are those that `torch.cuda.set_sync_debug_mode` warns of, charged to the innermost line of the program itself, and calls
that wait explicitly. What that mode misses (large pageable `non_blocking` copies, `nms`, `unique(dim=)`, `empty_cache`) is
missing here. Waits inside of a backward pass stand on the line that calls it. Needs torch, and nothing of the linter.
A program that says `script` has no driver here: what ran of it was copied from the record of a script that holds its loop.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import runpy
import subprocess
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any
from unittest.mock import MagicMock

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

PROGRAMS = Path(__file__).parent / "programs"
LIMIT = 200
"""Seconds for one program."""
AT_ONCE = 8
MOST = 4
"""Steps that are counted for a line."""
SAYS = "called a synchronizing CUDA operation"
FILTERS = ("filterwarnings", "simplefilter", "resetwarnings")
"""Functions by which programs choose which warnings are heard."""
HEAR = warnings.filterwarnings
EXPLICIT = ((torch.cuda, "synchronize"), (torch.cuda.Event, "synchronize"), (torch.cuda.Stream, "synchronize"))


class Recorder:
    """Which lines below a folder run, and which wait."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder.resolve()) + os.sep
        self.steps = 0
        self.ran: dict[str, set[int]] = defaultdict(set)
        self.waited: dict[tuple[str, int], set[int]] = defaultdict(set)

    def step(self, *_: object) -> None:
        """A step of the program is over; where it has an optimizer, this is called by itself."""
        self.steps += 1
        self._listen()

    def start(self) -> None:
        register_optimizer_step_post_hook(self.step)
        for owner, name in EXPLICIT:
            setattr(owner, name, self._explicit(getattr(owner, name)))
        for name in FILTERS:
            setattr(warnings, name, self.and_hear(getattr(warnings, name)))
        self._follow()
        self._listen()

    @staticmethod
    def and_hear(choose: Callable[..., Any]) -> Callable[..., Any]:
        """The same, and waits are heard of whatever a program chooses, before its first step as well."""

        def chosen(*arguments: Any, **named: Any) -> None:
            choose(*arguments, **named)
            HEAR("always", message=SAYS)

        return chosen

    def _listen(self) -> None:
        """Hear of waits, whatever the program did to the warnings since."""
        if torch.cuda.is_available():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the mode warns that it is a prototype
                torch.cuda.set_sync_debug_mode("warn")
        warnings.filterwarnings("always", message=SAYS)
        warnings.showwarning = self._heard

    def _heard(self, message: Warning | str, *_: object, **__: object) -> None:
        if str(message).startswith(SAYS):
            self.wait()

    def _explicit(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def waits(*arguments: Any, **named: Any) -> Any:
            self.wait()
            return call(*arguments, **named)

        return waits

    def wait(self) -> None:
        """The line of the program that is running waits."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not frame.f_code.co_filename.startswith(self.folder):
            frame = frame.f_back
        if frame is not None:
            self.waited[frame.f_code.co_filename, frame.f_lineno].add(self.steps)

    def _follow(self) -> None:
        """Note each line of the folder once."""
        monitoring = getattr(sys, "monitoring", None)
        if monitoring is None:  # Python 3.11 and older
            sys.settrace(self._trace)
            return
        monitoring.use_tool_id(monitoring.COVERAGE_ID, "waits")
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, self._line)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)

    def _line(self, code: CodeType, line: int) -> Any:
        if code.co_filename.startswith(self.folder):
            self.ran[code.co_filename].add(line)
        return sys.monitoring.DISABLE  # type: ignore[attr-defined]

    def _trace(self, frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(self.folder):
            return None
        if event == "line":
            self.ran[frame.f_code.co_filename].add(frame.f_lineno)
        return self._trace

    def told(self, name: str) -> dict[str, Any]:
        files = {}
        for path in sorted(self.ran):
            waits = {line: min(len(steps), MOST) for (file, line), steps in self.waited.items() if file == path}
            files[f"{name}/{Path(path).relative_to(self.folder).as_posix()}"] = {
                "ran": list(_ranges(sorted(self.ran[path]))),
                "waits": {str(line): count for line, count in sorted(waits.items())},
                "md5": hashlib.md5(Path(path).read_bytes()).hexdigest(),
            }
        return files


def _ranges(lines: list[int]) -> Iterator[list[int]]:
    start = previous = None
    for line in lines:
        if previous is None or line > previous + 1:
            if start is not None:
                yield [start, previous]
            start = line
        previous = line
    if start is not None:
        yield [start, previous]


class Writer:
    """Stands for TensorBoard's: what is written is read, as there."""

    def __init__(self, *_: object, log_dir: str = "log", **__: object) -> None:
        self.log_dir = log_dir
        Path(log_dir).mkdir(exist_ok=True)

    def add_scalar(self, _: str, value: Any, *__: object, **___: object) -> None:
        float(value)

    def add_histogram(self, _: str, values: Any, *__: object, **___: object) -> None:
        torch.as_tensor(values).detach().cpu()

    add_image = add_images = add_histogram

    def __getattr__(self, _: str) -> Callable[..., None]:
        return lambda *_, **__: None


def stand_in(*names: str, **members: Any) -> None:
    """Put something harmless where a module is not installed that the steps do not need."""
    for name in names:
        top = name.partition(".")[0]
        if members or isinstance(sys.modules.get(top), MagicMock) or importlib.util.find_spec(top) is None:
            module: Any = ModuleType(name) if members else MagicMock(name=name, __path__=[])
            module.__spec__ = ModuleSpec(name, None)  # torch asks for those of some
            for member, value in members.items():
                setattr(module, member, value)
            sys.modules[name] = module


def tried(name: str, at: int, what: Callable[[], Any]) -> Any:
    """Do something that a program may not be able to do here; the first time it is said why not."""
    try:
        return what()
    except Exception as no:
        if at == 0:
            print(name, type(no).__name__, str(no)[:150])


class Compose:
    """As torchvision's, for drivers that stand in for it."""

    def __init__(self, parts: Sequence[Callable[[Any], Any]]) -> None:
        self.parts = parts

    def __call__(self, picture: Any) -> Any:
        for part in self.parts:
            picture = part(picture)
        return picture


def record(name: str, sources: Path, out: Path) -> None:
    """Run one program in this process."""
    folder = (sources / name).resolve()
    recorder = Recorder(folder)
    sys.path.insert(0, str(folder))
    stand_in("torch.utils.tensorboard", SummaryWriter=Writer)
    driver = (PROGRAMS / f"{name}.py").resolve()
    given = {"FOLDER": folder, "DEVICE": "cuda" if torch.cuda.is_available() else "cpu", "step": recorder.step}
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        torch.manual_seed(0)
        recorder.start()
        try:
            runpy.run_path(
                str(driver), {**given, "Writer": Writer, "stand_in": stand_in, "tried": tried, "Compose": Compose}
            )
        finally:
            os.chdir("/")
            what = driver.read_text(encoding="utf-8").split('"""')[1].strip()
            about = {"steps": recorder.steps, "what": what, "kind": "program" if " at " in what else "library"}
            out.write_text(json.dumps({"programs": {name: about}, "files": recorder.told(name)}), encoding="utf-8")


def main(sources: Path, out: Path, *names: str) -> None:
    chosen = names or tuple(sorted(path.stem for path in PROGRAMS.glob("*.py")))
    meta = {"gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None, "torch": torch.__version__}
    whole: dict[str, Any] = {"meta": meta, "programs": {}, "files": {}}
    if names and out.is_file():
        whole = json.loads(out.read_text(encoding="utf-8"))
        whole["files"] = {file: told for file, told in whole["files"].items() if file.partition("/")[0] not in names}
    with tempfile.TemporaryDirectory() as parts, ThreadPoolExecutor(AT_ONCE) as pool:

        def run(name: str) -> None:
            command = [sys.executable, __file__, "--one", name, str(sources.resolve()), str(Path(parts, name))]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
                said = "" if done.returncode == 0 else done.stderr[-1500:]
            except subprocess.TimeoutExpired:
                said = "took too long\n"
            print(f"{name}: {said or 'ok'}", flush=True)

        list(pool.map(run, chosen))
        for part in sorted(Path(parts).iterdir()):
            told = json.loads(part.read_text(encoding="utf-8"))
            whole["programs"] |= told["programs"]
            whole["files"] |= told["files"]
    out.write_text(written(whole), encoding="utf-8")


def written(whole: dict[str, Any]) -> str:
    """The record as a text with a program or a file a line."""
    parts = []
    for part in ("programs", "files"):
        rows = [f"  {json.dumps(name)}: {json.dumps(told)}" for name, told in sorted(whole[part].items())]
        parts.append(f' "{part}": {{\n' + ",\n".join(rows) + "\n }")
    return f'{{\n "meta": {json.dumps(whole["meta"])},\n' + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        record(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
