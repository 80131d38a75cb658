"""What a fleet costs: many small repositories, by one process, by the local engine and by Ray, and what becomes of it when things die.

    python tests/benchmarks/fleet.py make FOLDER COUNT PACKAGE...     slices of packages, some 100 KB each, no two the same
    python tests/benchmarks/fleet.py cost FOLDER COUNT ENGINE...      ENGINE: one, local, or ray:NODES with that many on this machine
    python tests/benchmarks/fleet.py faults FOLDER COUNT              kill -9 of a worker, a node and the driver, a full disk

CPU is user and system of all processes together, those of Ray's own services with them: this process takes over whatever
its children leave behind, and waits for it.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

import pyarrow.parquet
from measure import ENVIRONMENT, OURS, torch_files

SIZE = 100_000
"""Bytes of a repository."""
RAY = [str(Path(sys.executable).with_name("ray"))]
ENVIRONMENT |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled", "RAY_worker_niceness": "0"}
"""Nobody else reaches these clusters, and nodes of one machine would not agree on whose token counts; and Ray's workers are
not to wait for whatever else the machine does."""
PATIENCE = ["--timeout", "40"]
"""Seconds that a repository gets where one among them hangs."""
SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER."""


def make(folder: Path, count: int, packages: Sequence[Path], least: int) -> None:
    """Repositories that are neighbouring files of a package, each file with a line that is in no other."""
    sources = [(package, torch_files([package])) for package in packages]
    names = []
    for index in range(count):
        draw = random.Random(index)
        package, files = draw.choices(sources, weights=[len(files) for _, files in sources])[0]
        name = f"{index:05d}-{package.name}"
        size, at = 0, draw.randrange(len(files))
        while size < least and at < len(files):
            target = folder / name / files[at].relative_to(package.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = files[at].read_bytes() + f"\nOF_FLEET = {index}\n".encode()
            target.write_bytes(text)
            size += len(text)
            at += 1
        names.append(str(folder / name))
    (folder / "list.txt").write_text("\n".join(names) + "\n")


def listed(folder: Path, count: int) -> Path:
    """A list of the first so many."""
    path = folder / f"list-{count}.txt"
    path.write_text("\n".join((folder / "list.txt").read_text().split()[:count]) + "\n")
    return path


def scan(list_file: Path, out: Path, *more: str) -> list[str]:
    return [*OURS, "fleet", "scan", str(list_file), "--out", str(out), *more]


def fingerprint(out: Path) -> str:
    """A digest of all bytes of a scan but its timings."""
    total = blake2b(digest_size=8)
    for path in sorted(out.glob("units/*/*.parquet")):
        if path.name != "timings.parquet":
            total.update(str(path.relative_to(out)).encode() + path.read_bytes())
    return f"{total.hexdigest()} of {len(list(out.glob('units/*')))} units"


def linted(out: Path) -> float:
    """Seconds of CPU in which repositories were linted: on a busy machine every second does less, here as in the rest."""
    tables = (pyarrow.parquet.read_table(path, columns=["cpu"]) for path in out.glob("units/*/timings.parquet"))
    return round(sum(sum(table.column("cpu").to_pylist()) for table in tables), 1)


class Watch(threading.Thread):
    """The memory of all processes below this one, each by its share of what several have: the first and the last quarter, and the peak."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seen: list[float] = []
        self.over = False

    def run(self) -> None:
        while not self.over:
            self.seen.append(sum(map(_share, _below(os.getpid()))) / 1e6)
            time.sleep(2)

    def told(self) -> str:
        self.over = True
        quarter = max(1, len(self.seen) // 4)
        first, last = self.seen[quarter : 2 * quarter] or [0.0], self.seen[-quarter - 1 : -1] or [0.0]
        return f"{sum(first) / len(first):.0f} MB in the second quarter, {sum(last) / len(last):.0f} in the last, peak {max(self.seen):.0f}"


def _below(process: int) -> Iterator[int]:
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            parents.setdefault(int((entry / "stat").read_text().rpartition(")")[2].split()[1]), []).append(
                int(entry.name)
            )
    pending = parents.get(process, [])
    while pending:
        each = pending.pop()
        yield each
        pending += parents.get(each, [])


def _share(process: int) -> float:
    with suppress(OSError, ValueError, StopIteration):
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        return 1024 * float(next(line for line in lines if line.startswith("Pss:")).split()[1])
    return 0.0


def reap() -> None:
    """Wait for all that was left behind."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


@contextmanager
def cluster(nodes: int) -> Iterator[list[int]]:
    """Ray's own services, a node for each core and more on this machine; gives the processes of the nodes."""
    port = "6399"
    cores = str(max(1, len(os.sched_getaffinity(0)) // nodes))
    started: list[int] = []
    try:
        for index in range(nodes):
            where = (
                ["--head", f"--port={port}", "--include-dashboard=false"]
                if index == 0
                else [f"--address=127.0.0.1:{port}"]
            )
            before = set(_raylets())
            subprocess.run(
                [*RAY, "start", *where, f"--num-cpus={cores}", "--object-store-memory=100000000"],
                env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True,
            )  # fmt: skip
            started += sorted(set(_raylets()) - before)
        yield started
    finally:
        while below := list(_below(os.getpid())):
            for each in below:
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
            reap()


def _raylets() -> Iterator[int]:
    for process in _below(os.getpid()):
        with suppress(OSError):
            if Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0].endswith(b"raylet"):
                yield process


def spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compile_all(folder: Path) -> None:
    """Run everything once, so that nobody pays for what Python compiles the first time."""
    with tempfile.TemporaryDirectory(prefix="fleet-") as scratch:
        for more in ([], ["--engine", "ray", "--ray-address", "local"]):
            subprocess.run(
                scan(listed(folder, 2), Path(scratch, f"out{len(more)}"), *more),
                env=ENVIRONMENT,
                check=True,
                stderr=subprocess.DEVNULL,
            )
    reap()


def cost(folder: Path, count: int, engine: str) -> None:
    name, _, nodes = engine.partition(":")
    list_file = listed(folder, count)
    with tempfile.TemporaryDirectory(prefix="fleet-") as scratch:
        out, before, watch = Path(scratch, "out"), spent(), Watch()
        load = os.getloadavg()[0]
        if name == "ray":
            with cluster(int(nodes)):
                wall = _timed(scan(list_file, out, "--engine", "ray"), watch)
        elif name == "one":
            wall = _timed(scan(list_file, out, "--jobs", "1"), watch)
        else:
            wall = _timed(scan(list_file, out), watch)
        row = {
            "engine": engine, "repositories": count, "cpu": round(spent() - before, 1), "of it lint": linted(out), "wall": round(wall, 1),
            "memory": watch.told(), "load": f"{load:.1f} to {os.getloadavg()[0]:.1f}", "bytes": fingerprint(out),
        }  # fmt: skip
        print(json.dumps(row), flush=True)


def _timed(command: list[str], watch: Watch) -> float:
    watch.start()
    start = time.perf_counter()
    subprocess.run(command, env=ENVIRONMENT, check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def faults(folder: Path, count: int) -> None:
    with tempfile.TemporaryDirectory(prefix="fleet-") as scratch:
        list_file = _poisoned(listed(folder, count), Path(scratch))
        clean = Path(scratch, "clean")
        subprocess.run(scan(list_file, clean, *PATIENCE), env=ENVIRONMENT, check=True, stderr=subprocess.DEVNULL)
        expected = fingerprint(clean)
        print(json.dumps({"undisturbed": expected, "errors": _errors(clean)}), flush=True)
        for what in ("output", "temporary"):
            _full(list_file, Path(scratch, f"full-{what}"), what, expected)
        for what in ("worker", "driver"):
            _local(list_file, Path(scratch, what), what, expected)
        for what in ("worker", "node", "driver"):
            _on_ray(list_file, Path(scratch, f"ray-{what}"), what, expected)


def _poisoned(list_file: Path, scratch: Path) -> Path:
    """The list with repositories among the others that hang, burst, and are none."""
    hang = scratch / "hang.git"
    for name in ("objects", "refs/heads"):
        (hang / name).mkdir(parents=True)
    (hang / "HEAD").write_text("ref: refs/heads/main\n")
    os.mkfifo(hang / "refs/heads/main")  # whoever reads it waits for ever
    with (
        zipfile.ZipFile(scratch / "bomb.whl", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.py", "w") as member,
    ):
        for _ in range(300):
            member.write(b"import torch\n" + bytes(1_000_000))
    deep = scratch / "deep"
    deep.mkdir()
    (deep / "deep.py").write_text("import torch\nx = " + "(" * 100_000 + ")" * 100_000 + "\n")
    good = scratch / "good.zip"  # what is unpacked goes through the temporary folder
    with zipfile.ZipFile(good, "w") as archive:
        archive.writestr("a.py", "import torch\n" + "x = 1\n" * 500_000)
    lines = list_file.read_text().split()
    lines[3:3] = [f"{hang}@main", str(scratch / "bomb.whl"), str(deep), str(good), str(scratch / "nowhere")]
    poisoned = scratch / "list.txt"
    poisoned.write_text("\n".join(lines) + "\n")
    return poisoned


def _errors(out: Path) -> list[str]:
    rows = (pyarrow.parquet.read_table(path).to_pylist() for path in sorted(out.glob("units/*/errors.parquet")))
    return sorted(f"{Path(row['repository']).name}: {row['kind']}: {row['message']}" for some in rows for row in some)


def _full(list_file: Path, out: Path, what: str, expected: str) -> None:
    """A disk of few megabytes for what is written, or for what is unpacked; then one that is large enough."""
    place = out.with_name(f"{out.name}-disk")
    place.mkdir()
    size = "400k" if what == "output" else "1m"
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], check=False, capture_output=True
    ).returncode:
        print(json.dumps({"full disk": what, "not tried": "a disk cannot be mounted here"}), flush=True)
        return
    try:
        environment = {**ENVIRONMENT, **({"TMPDIR": str(place)} if what == "temporary" else {})}
        target = place / "out" if what == "output" else out
        done = subprocess.run(
            scan(list_file, target, *PATIENCE), env=environment, check=False, capture_output=True, text=True
        )
        left = len(list(target.glob("units/*")))
        subprocess.run(["mount", "-o", "remount,size=1g", str(place)], check=True)
        again = subprocess.run(
            scan(list_file, target, "--resume", *PATIENCE), env=environment, check=False, capture_output=True
        )
        how = f"exit code {done.returncode}, {left} units there, --resume: {again.returncode}; {done.stderr.strip().splitlines()[-1:]}"
        _tell(f"full disk, {what}", how, fingerprint(target), expected)
    finally:
        subprocess.run(["umount", str(place)], check=False)


def _local(list_file: Path, out: Path, what: str, expected: str) -> None:
    process = subprocess.Popen(scan(list_file, out, *PATIENCE), env=ENVIRONMENT, stderr=subprocess.DEVNULL)
    _until(out, 10)
    victims = [each for each in _below(process.pid) if _parent(each) == process.pid]
    os.kill(victims[0] if what == "worker" else process.pid, signal.SIGKILL)
    _end(process, list_file, out, f"local, {what}", expected, [])


def _on_ray(list_file: Path, out: Path, what: str, expected: str) -> None:
    with cluster(2) as nodes:
        process = subprocess.Popen(
            scan(list_file, out, "--engine", "ray", *PATIENCE), env=ENVIRONMENT, stderr=subprocess.DEVNULL
        )
        _until(out, 10)
        workers = [each for each in _below(os.getpid()) if _is_worker(each)]
        victim = {"worker": workers[0] if workers else 0, "node": nodes[-1], "driver": process.pid}[what]
        os.kill(victim, signal.SIGKILL)
        _end(process, list_file, out, f"ray, {what}", expected, ["--engine", "ray"])


def _end(
    process: subprocess.Popen[bytes], list_file: Path, out: Path, what: str, expected: str, more: list[str]
) -> None:
    code = process.wait()
    time.sleep(1)
    left = len(list(out.glob("units/*")))
    if code:
        while subprocess.run(
            scan(list_file, out, "--resume", *more, *PATIENCE), env=ENVIRONMENT, stderr=subprocess.DEVNULL
        ).returncode:
            time.sleep(1)
    _tell(what, f"exit code {code}, {left} units there" + (", --resume" if code else ""), fingerprint(out), expected)


def _is_worker(process: int) -> bool:
    with suppress(OSError):
        return b"ray::" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


def _parent(process: int) -> int:
    with suppress(OSError, ValueError):
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


def _until(out: Path, units: int) -> None:
    while len(list(out.glob("units/*"))) < units:
        time.sleep(0.05)


def _tell(what: str, how: str, found: str, expected: str) -> None:
    print(json.dumps({"killed": what, "then": how, "bytes": found, "same": found == expected}), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=["make", "cost", "faults"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("more", nargs="*")
    parser.add_argument("--size", type=int, default=SIZE, help="bytes of a repository, at the least; 1: one file each")
    said = parser.parse_args()
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    if said.what == "make":
        shutil.rmtree(said.folder, ignore_errors=True)
        make(said.folder, said.count, list(map(Path, said.more)), said.size)
    elif said.what == "cost":
        compile_all(said.folder)
        for engine in said.more:
            cost(said.folder, said.count, engine)
    else:
        faults(said.folder, said.count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
