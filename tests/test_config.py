"""Settings: what is found where, what goes over what, and what a wrong file is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from torchperf_lint.config import selection
from torchperf_lint.config.config import VENDOR, Alignment, Config, load
from torchperf_lint.config.selection import Layer, chosen
from torchperf_lint.config.settings import KINDS, LINE_ONLY
from torchperf_lint.config.settings_file import from_line, parse
from torchperf_lint.model import catalogue
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.finding import Confidence, Safety, Severity

ENTRIES = tuple(
    catalogue.Entry(code, name, "sync", default, Severity.WARNING, None, "")
    for code, name, default in (
        ("TPL100", "host-wait", False),
        ("TPL101", "scalar-read-every-step", True),
        ("TPL102", "sync-inside-forward", True),
        ("TPL201", "create-on-cpu-then-move", True),
        ("TPL207", "useless-non-blocking", False),
    )
)
OWN = {"TPL001", "TPL002", "TPL003", "TPL004"}


@pytest.fixture(autouse=True)
def _known_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Selection is tested on a catalogue that does not change with the rules."""
    every = (*catalogue.OWN, *ENTRIES)
    monkeypatch.setattr(selection, "entries", lambda: every)
    monkeypatch.setattr(selection, "by_code", lambda: {entry.code: entry for entry in every})
    monkeypatch.setattr(selection, "by_name", lambda: {entry.name: entry for entry in every})


def pyproject(folder: Path, text: str, name: str = "pyproject.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def settings(folder: Path, text: str) -> Config:
    pyproject(folder, f"[tool.torchperf-lint]\n{text}")
    return load(folder)


@pytest.mark.parametrize(
    ("layers", "codes"),
    [
        ([], {*OWN, "TPL101", "TPL102", "TPL201"}),
        ([Layer(select=("ALL",))], {*OWN, "TPL100", "TPL101", "TPL102", "TPL201", "TPL207"}),
        ([Layer(select=("TPL1",))], {"TPL001", "TPL002", "TPL101", "TPL102"}),
        ([Layer(select=("TPL100",))], {"TPL001", "TPL002", "TPL100"}),
        ([Layer(select=("host-wait",))], {"TPL001", "TPL002", "TPL100"}),
        ([Layer(extend_select=("TPL207",))], {*OWN, "TPL101", "TPL102", "TPL201", "TPL207"}),
        ([Layer(ignore=("TPL1",))], {*OWN, "TPL201"}),
        ([Layer(select=("TPL1",), ignore=("TPL10",))], {"TPL001", "TPL002"}),
        ([Layer(select=("TPL101",), ignore=("TPL1",))], {"TPL001", "TPL002", "TPL101"}),
        ([Layer(select=("ALL",), ignore=("TPL2",))], {*OWN, "TPL100", "TPL101", "TPL102"}),
        ([Layer(select=("TPL1",)), Layer(extend_select=("TPL2",))], {"TPL001", "TPL002", "TPL101", "TPL102", "TPL201"}),
        ([Layer(ignore=("TPL101",)), Layer(select=("TPL1",))], {"TPL001", "TPL002", "TPL101", "TPL102"}),
        ([Layer(select=("TPL1",)), Layer(ignore=("TPL101",))], {"TPL001", "TPL002", "TPL102"}),
        ([Layer(ignore=("TPL001",))], {"TPL002", "TPL003", "TPL004", "TPL101", "TPL102", "TPL201"}),
    ],
)
def test_the_more_exact_selector_wins_and_later_layers_go_over_earlier_ones(
    layers: list[Layer], codes: set[str]
) -> None:
    assert chosen(layers) == codes


@pytest.mark.parametrize(
    ("selector", "near"),
    [("TPL11", "TPL101"), ("tpl101", "TPL101"), ("scalar-read-evry-step", "scalar-read-every-step"), ("all", "ALL")],
)
def test_an_unknown_selector_is_told_the_nearest(selector: str, near: str) -> None:
    with pytest.raises(ConfigError, match=f"`--select`: unknown rule `{selector}`; did you mean `{near}`"):
        from_line({"select": (selector,)})


def test_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = load(tmp_path, isolated=True)
    assert config == Config(root=tmp_path)
    assert config.exclude == VENDOR
    assert config.alignment_min_dim == Alignment(512, 32)
    assert config.allow is Safety.SAFE


def test_every_setting_is_a_field_and_can_be_said_in_a_file(tmp_path: Path) -> None:
    config = settings(
        tmp_path,
        """
        select = ["TPL1"]
        extend-select = ["TPL201"]
        ignore = ["TPL102"]
        per-file-ignores = {"tests/*" = ["TPL1"], "*_old.py" = ["create-on-cpu-then-move"]}
        confidence = "proven"
        fail-level = "error"
        fix = true
        unsafe-fixes = true
        format = ["concise", "sarif"]
        sort = "path"
        exclude = ["vendored"]
        extend-exclude = ["*_pb2.py"]
        gitignore = false
        force-exclude = true
        baseline = "baseline.json"
        project-root = "."
        jobs = 3
        cache = false
        target-torch = "2.4.1"
        target-gpu = "hopper"
        hot-functions = ["trainer.Trainer.step"]
        assume-compiled = true
        sync-allowed = ["log.write"]
        alignment-min-dim = {linear = 1}
        """,
    )
    assert config.rules == {"TPL001", "TPL002", "TPL101", "TPL201"}
    assert config.rules_for("tests/test_x.py") == {"TPL001", "TPL002", "TPL201"}
    assert config.rules_for("src/a_old.py") == {"TPL001", "TPL002", "TPL101"}
    assert config.confidence is Confidence.PROVEN
    assert config.fail_level is Severity.ERROR
    assert config.allow is Safety.UNSAFE
    assert config.format == (("concise", None), ("sarif", None))
    assert config.baseline == tmp_path / "baseline.json"
    assert config.target_torch == "2.4"
    assert config.alignment_min_dim == Alignment(linear=1, conv=32)
    assert (config.jobs, config.cache, config.gitignore, config.force_exclude) == (3, False, False, True)
    assert set(config.origins) == {"rules"} | {key.replace("-", "_") for key in KINDS if key not in LINE_ONLY}


def test_one_number_aligns_both(tmp_path: Path) -> None:
    assert settings(tmp_path, "alignment-min-dim = 8").alignment_min_dim == Alignment(8, 8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selekt = []", "unknown setting `selekt`; did you mean `select`?"),
        ("no-gitignore = true", "unknown setting `no-gitignore`; did you mean `gitignore`?"),
        ("zzz = 1", "unknown setting `zzz`$"),
        ('jobs = "many"', "`jobs` must be a whole number from 1 up"),
        ("jobs = true", "`jobs` must be a whole number from 1 up"),
        ("jobs = 0", "`jobs` must be a whole number from 1 up"),
        ('select = "TPL1"', "`select` must be a list of strings"),
        ('select = ["TPL9"]', "`select`: unknown rule `TPL9`"),
        ('confidence = "sure"', '`confidence` must be one of "likely", "proven"'),
        ('fix = "yes"', "`fix` must be `true` or `false`"),
        ("target-torch = 2.4", "`target-torch` must be a version such as"),
        ('target-gpu = "h100"', "`target-gpu` must be one of"),
        ('hot-functions = ["a b"]', "`hot-functions` must be a list of dotted names"),
        ("alignment-min-dim = {conf = 1}", "`alignment-min-dim` must be a whole number, or a table"),
        ('format = "sraif"', "`format` must be .* did you mean `sarif`"),
        ('exclude = ["[z-a]"]', "`exclude` must be a list of patterns"),
        ('per-file-ignores = ["x"]', "`per-file-ignores` must be a table"),
        ('per-file-ignores = {"*.py" = "TPL1"}', "`per-file-ignores` must be a table of lists such as"),
        ('output-file = "report.json"', "`output-file` cannot stand here: .*; use `--output-file FILE` on the command"),
        ('cache-dir = "cache"', "`cache-dir` cannot stand here: .*; use `--cache-dir FOLDER` on the command line"),
        ('write-baseline = "b"', "`write-baseline` cannot stand here: .*; use `--write-baseline FILE` on the command"),
        ('format = "json=x.json"', "`format` must be a format alone: .*; use `--format json=FILE`"),
        ('baseline = "."', "`baseline` must be a path inside the folder"),
        ('baseline = "/etc/passwd"', "`baseline` must be a path inside the folder"),
        ('baseline = "a/../../b"', "`baseline` must be a path inside the folder"),
        ('baseline = "a\\u0000b"', "`baseline`"),
    ],
)
def test_a_wrong_setting_is_told_what_is_right(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        settings(tmp_path, text)


def test_a_link_does_not_lead_a_baseline_out_of_the_project(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "out").symlink_to(tmp_path)
    with pytest.raises(ConfigError, match="inside the folder"):
        settings(project, 'baseline = "out/b.json"')


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[tool.torchperf-lint]\nx = " + b"[" * 100_000, "pyproject.toml: nested too deeply"),
        (b"[tool.torchperf-lint]\njobs = " + b"9" * 100_000, "pyproject.toml: "),
        (b"[tool.torchperf-lint]\n" + b"a." * 50_000 + b"a = 1", "nested too deeply"),
        (b"[tool.torchperf-lint]\n" + b"'a'." * 50_000 + b"a = 1", "nested too deeply"),
        (b"[tool.torchperf-lint]\nx = {a = '''\n''', " + b"b." * 50_000 + b"b = 1, c = '''\n'''}", "nested too deeply"),
        (b"[tool.torchperf-lint]\n" + b"a." * 3_000 + b"a = 1", "unknown setting `a`|nested too deeply"),
        (b"[tool.torchperf-lint]\nx = '\xff'", "not UTF-8"),
        (b"[tool.torchperf-lint\n", "pyproject.toml: "),
        (b"[tool.torchperf-lint]\n#" + b" " * 2_000_000, "too large for settings"),
        (b"[tool]\ntorchperf-lint = 3", "`tool.torchperf-lint` must be a table"),
        (b"tool = 'torchperf-lint'\n[tool.torchperf-lint]\n", "pyproject.toml: "),
    ],
)
def test_hostile_toml_is_a_clear_error(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(data)
    with pytest.raises(ConfigError, match=message):
        load(tmp_path)


def test_a_long_list_on_one_line_is_not_nested(tmp_path: Path) -> None:
    named = [f"folder{number}/*.py" for number in range(20_000)]
    pyproject(tmp_path, f"[tool.torchperf-lint]\nextend-exclude = {json.dumps(named)}")
    assert parse(tmp_path / "pyproject.toml")["tool"]["torchperf-lint"]["extend-exclude"] == named


def test_a_broken_pyproject_that_is_not_about_the_tool_is_no_concern(tmp_path: Path) -> None:
    pyproject(tmp_path, "[broken")
    assert load(tmp_path).file is None


def test_a_module_of_a_package_that_is_called_setup_begins_no_project(tmp_path: Path) -> None:
    for name in ("setup.py", "kit/nets/setup.py", "kit/nets/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert load(tmp_path / "kit/nets").root == tmp_path


def test_the_nearest_folder_with_settings_counts_and_its_own_file_first(tmp_path: Path) -> None:
    pyproject(tmp_path, "[tool.torchperf-lint]\njobs = 1")
    pyproject(tmp_path / "a", "[tool.torchperf-lint]\njobs = 2")
    pyproject(tmp_path / "a", "jobs = 3", "torchperf-lint.toml")
    pyproject(tmp_path / "a/b", "[project]\nname = 'torchperf-lint is only mentioned'")
    (tmp_path / "a/b/c").mkdir()
    config = load(tmp_path / "a/b/c")
    assert config.jobs == 3
    assert config.folder == tmp_path / "a"
    assert config.root == tmp_path / "a/b"
    assert load(tmp_path).jobs == 1


def test_a_named_file_counts_alone_and_isolated_reads_none(tmp_path: Path) -> None:
    pyproject(tmp_path, "[tool.torchperf-lint]\njobs = 1")
    named = pyproject(tmp_path / "etc", "jobs = 9", "lint.toml")
    assert load(tmp_path, file=named).jobs == 9
    assert load(tmp_path, isolated=True).jobs is None
    with pytest.raises(ConfigError, match="No such file"):
        load(tmp_path, file=tmp_path / "none.toml")


def test_the_command_line_goes_over_the_file(tmp_path: Path) -> None:
    pyproject(tmp_path, '[tool.torchperf-lint]\njobs = 1\nfix = true\nextend-exclude = ["a"]\nselect = ["TPL1"]')
    line = from_line({"jobs": 5, "fix": False, "extend_exclude": ("b",), "ignore": ("TPL101",), "output_file": None})
    config = load(tmp_path, line)
    assert (config.jobs, config.fix, config.extend_exclude) == (5, False, ("a", "b"))
    assert config.rules == {"TPL001", "TPL002", "TPL102"}
    assert config.origins["jobs"] == "the command line"
    assert config.origins["select"] == str(tmp_path / "pyproject.toml")


def test_paths_of_the_command_line_may_lead_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = from_line({"output_file": Path("../out.json"), "format": ("json=/x.json",)})
    assert line["output_file"] == tmp_path.parent / "out.json"
    assert line["format"] == (("json", Path("/x.json")),)


def test_a_pattern_with_an_exclamation_mark_ignores_everywhere_else(tmp_path: Path) -> None:
    config = settings(tmp_path, 'per-file-ignores = {"!src/**" = ["ALL"]}')
    assert config.rules_for("src/a/b.py") == config.rules
    assert config.rules_for("tests/b.py") == frozenset()


def test_the_cache_lies_among_what_the_user_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.platform", "linux")
    for kept, home, folder in (
        ("/kept", "/home/u", "/kept/torchperf-lint"),
        ("", "/home/u", "/home/u/.cache/torchperf-lint"),
        ("relative", "/home/u", "/home/u/.cache/torchperf-lint"),
        ("", ".", None),
    ):
        monkeypatch.setenv("XDG_CACHE_HOME", kept)
        monkeypatch.setenv("HOME", home)
        assert load(tmp_path, isolated=True).cache_folder == (Path(folder) if folder else None)
    line = from_line({"cache_dir": Path("here")})
    assert load(tmp_path, line).cache_folder == tmp_path / "here"
