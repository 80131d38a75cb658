"""Fixes applied to a text until nothing is left, and the guards on the way; patches; files."""

from __future__ import annotations

import ast
import errno
import os
import re
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest

from torchperf_lint.disk.write import ChangedError, rewrite
from torchperf_lint.fixes.apply import PASSES, Fixed, fix_text
from torchperf_lint.fixes.patch import diff
from torchperf_lint.fixes.splice import Splice
from torchperf_lint.model.finding import Confidence, Finding, Fix, Safety, Severity, TextEdit
from torchperf_lint.syntax.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Lint = Callable[[Source], list[Finding]]


def finding(
    source: Source,
    start: int,
    end: int,
    *edits: tuple[int, int, str],
    code: str = "TPL202",
    safety: Safety = Safety.SAFE,
) -> Finding:
    """A finding on a stretch of the text, with a fix where there are edits."""
    span = Span(source.place(start), source.place(end))
    written = tuple(TextEdit(source.path, Span(source.place(a), source.place(b)), content) for a, b, content in edits)
    return Finding(
        code, "name", "message", Severity.WARNING, Confidence.PROVEN, source.path, span, f"v1:{code}",
        fix=Fix("title", written, safety) if written else None,
    )  # fmt: skip


def replacing(*rules: tuple[str, str], safety: Safety = Safety.SAFE, whole: bool = False, code: str = "TPL202") -> Lint:
    """A lint that flags every match of a pattern, and would put something else for its group."""

    def lint(source: Source) -> list[Finding]:
        found = []
        for pattern, content in rules:
            for match in re.finditer(pattern, source.text, re.MULTILINE):
                group = 0 if whole else match.re.groups
                edit = (*match.span(group), match.expand(content))
                found.append(finding(source, *match.span(), edit, code=code, safety=safety))
        return sorted(found, key=lambda each: each.order)

    return lint


def cuda(source: Source) -> list[Finding]:
    """Flags `x.cuda()`, outermost first where they nest, and would leave `x`."""
    found = []
    for node in ast.walk(ast.parse(source.text)):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="cuda")):
                start, middle, end = (
                    source.starts[line - 1] + source.column(line, column) - 1
                    for line, column in (
                        (node.lineno, node.col_offset),
                        (value.end_lineno or 0, value.end_col_offset or 0),
                        (node.end_lineno or 0, node.end_col_offset or 0),
                    )
                )
                found.append(finding(source, start, end, (middle, end, "")))
    return sorted(found, key=lambda each: each.order)


def fixed(text: str, lint: Lint, allow: Safety = Safety.SAFE) -> Fixed:
    """The text fixed; a second run must change nothing."""
    done = fix_text(text, "a.py", lint, allow)
    again = fix_text(done.text, "a.py", lint, allow)
    assert again.text == done.text
    assert again.applied == ()
    assert done.left == tuple(lint(Source(done.text, "a.py")))
    return done


class TestFixing:
    def test_everything_is_fixed(self) -> None:
        done = fixed("x = a.cuda()\ny = f(b.cuda(), 'é', c.cuda())\n", cuda)
        assert done.text == "x = a\ny = f(b, 'é', c)\n"
        assert [each.span.start.line for each in done.applied] == [1, 2, 2]
        assert (done.left, done.deferred, done.failures) == ((), 0, ())

    def test_nothing_to_fix(self) -> None:
        done = fixed("x = a\n", cuda)
        assert done == Fixed("x = a\n", (), (), 0, ())

    def test_of_two_that_touch_one_waits(self) -> None:
        done = fixed("x = a.cuda().cuda().cuda()\n", cuda)
        assert done.text == "x = a\n"
        assert len(done.applied) == 3
        assert done.deferred == 1  # of three in a row, the first and the last do not touch

    def test_what_is_inserted_at_one_place_stands_in_the_order_of_its_findings(self) -> None:
        def lint(source: Source) -> list[Finding]:
            found = re.finditer(r"^(\w)\(\)$", source.text, re.MULTILINE)
            end = len(source.text)
            return [finding(source, *m.span(), (*m.span(), m[1]), (end, end, f"{m[1].upper()}\n")) for m in found]

        done = fixed("a()\nb()\na()\n", lint)
        assert (done.text, done.deferred) == ("a\nb\na\nA\nB\nA\n", 1)

    def test_a_fix_is_taken_whole_or_not_at_all(self) -> None:
        def lint(source: Source) -> list[Finding]:
            text = source.text
            found = [finding(source, m.start(), m.end(), (m.start(), m.end(), "b")) for m in re.finditer("a", text)]
            if "c" in text:
                at, first = text.index("c"), text.index("a" if "a" in text else "b")
                found.append(finding(source, at, at + 1, (first, first + 1, "d"), (at, at + 1, "d"), code="TPL999"))
            return sorted(found, key=lambda each: each.order)

        done = fixed("a = 1\nc = 2\n", lint)
        assert done.text == "d = 1\nd = 2\n"
        assert [each.code for each in done.applied] == ["TPL202", "TPL999"]
        assert done.deferred == 1

    @pytest.mark.parametrize(
        ("safety", "allow", "applied"),
        [
            (Safety.SAFE, Safety.SAFE, 1),
            (Safety.SAFE, Safety.UNSAFE, 1),
            (Safety.UNSAFE, Safety.SAFE, 0),
            (Safety.UNSAFE, Safety.UNSAFE, 1),
            (Safety.SHOWN, Safety.UNSAFE, 0),
        ],
    )
    def test_what_is_allowed(self, safety: Safety, allow: Safety, applied: int) -> None:
        done = fixed("a\n", replacing(("a", "b"), safety=safety), allow)
        assert (len(done.applied), len(done.left)) == (applied, 1 - applied)

    def test_what_belongs_to_other_files_is_left_alone(self) -> None:
        def lint(source: Source) -> list[Finding]:
            return replacing(("a", "b"))(Source(source.text, "other.py"))

        assert fixed("a\n", lint).applied == ()

    def test_what_does_not_parse_is_left_alone(self) -> None:
        def lint(source: Source) -> list[Finding]:
            return [finding(source, 0, 1, code="TPL001")]

        assert fixed("a = (\n", lint).text == "a = (\n"


class TestGuards:
    def failed(self, text: str, lint: Lint, allow: Safety = Safety.SAFE) -> tuple[str, list[str]]:
        done = fix_text(text, "a.py", lint, allow)
        return done.text, [failure.reason for failure in done.failures]

    def test_the_text_parses(self) -> None:
        text, reasons = self.failed("a\nb\n", replacing(("a", "("), ("b", "c")))
        assert text == "a\nc\n"
        (reason,) = reasons
        assert reason.startswith("the text would not parse: line 1, ")

    def test_the_text_compiles(self) -> None:
        assert self.failed("a\nb\n", replacing(("a", "return"), ("b", "c"))) == (
            "a\nc\n",
            ["the text would not compile"],
        )
        future = ("b", "from __future__ import annotations")
        assert self.failed("a\nb\n", replacing(future)) == ("a\nb\n", ["the text would not compile"])

    def test_a_text_that_did_not_compile_need_not(self) -> None:
        assert self.failed("return a\n", replacing(("a", "b"))) == ("return b\n", [])

    def test_comments_survive(self) -> None:
        lint = replacing((r"a +# why", "b"), ("c", "d"))
        assert self.failed("a # why\nc\n", lint) == ("a # why\nd\n", ["a comment would be lost: # why"])
        assert self.failed("a # why\nc\n", lint, Safety.UNSAFE) == ("b\nd\n", [])
        assert self.failed("a # why\nc\n", replacing((r"a +# why", "# why\nb"))) == ("# why\nb\nc\n", [])

    def test_a_comment_that_is_flagged_itself_may_go(self) -> None:
        lint = replacing((r" +# tpl: .*$", ""), (r"# two", "# three"), whole=True)
        assert self.failed("a  # tpl: x\nb # one\nc # two\n", replacing((r"# tpl: .*$", ""), whole=True)) == (
            "a  \nb # one\nc # two\n", [],
        )  # fmt: skip
        assert self.failed("a  # tpl: x\n", lint)[1] == ["a comment would be lost: # tpl: x"]

    def test_the_finding_is_gone(self) -> None:
        def lint(source: Source) -> list[Finding]:
            return [finding(source, m.start(), m.end(), (0, 0, "x\n")) for m in re.finditer("a", source.text)]

        assert self.failed("a\n", lint) == ("a\n", ["TPL202 would still be found"])

    def test_nothing_new_is_found_in_what_was_written(self) -> None:
        def lint(source: Source) -> list[Finding]:
            return replacing(("a", "b(c)"))(source) + [
                finding(source, m.start(), m.end(), code="TPL909") for m in re.finditer("c", source.text)
            ]

        assert self.failed("a\nc\n", lint) == ("a\nc\n", ["TPL909 would be found in what it writes"])

    def test_a_rule_that_was_silent_may_speak_of_what_is_left(self) -> None:
        def lint(source: Source) -> list[Finding]:
            return replacing(("a", "b(c)"))(source) + [
                finding(source, m.start(), m.end(), code="TPL909") for m in re.finditer("c", source.text)
            ]

        done = fix_text("a\n", "a.py", lint, Safety.SAFE, lambda *codes: codes == ("TPL202", "TPL909"))
        assert (done.text, done.failures) == ("b(c)\n", ())

    def test_what_was_found_before_in_what_it_rewrites(self) -> None:
        def lint(source: Source) -> list[Finding]:
            return replacing((r"^a\(c\)$", "b(a(c))"))(source) + [
                finding(source, m.start(), m.end(), code="TPL909") for m in re.finditer("c", source.text)
            ]

        done = fixed("a(c)\n", lint)
        assert (done.text, [each.code for each in done.left]) == ("b(a(c))\n", ["TPL909"])
        assert self.failed("a(c)\n", lambda source: [
            each for each in lint(source) if each.code == "TPL202" or "b" in source.text
        ])[1] == ["TPL909 would be found in what it writes"]  # fmt: skip

    def test_what_is_found_elsewhere_by_it_does_not_matter(self) -> None:
        def lint(source: Source) -> list[Finding]:
            found = replacing((r"^a$", "b"))(source)
            if "b" in source.text:
                found.append(finding(source, source.text.index("c"), source.text.index("c") + 1, code="TPL909"))
            return found

        done = fixed("a\nc\n", lint)
        assert (done.text, [each.code for each in done.left]) == ("b\nc\n", ["TPL909"])

    def test_two_fixes_that_undo_each_other(self) -> None:
        done = fix_text("a\n", "a.py", replacing((r"^a", "b"), (r"^b", "a")), Safety.SAFE)
        assert done.text == "a\n"
        assert [failure.reason for failure in done.failures] == ["TPL202 would still be found"]

    def test_two_fixes_that_undo_each_other_far_apart(self) -> None:
        def lint(source: Source) -> list[Finding]:
            here, there = source.text.split("\n")[:2]
            edits = {("a", "x"): (0, 1, "b"), ("b", "x"): (2, 3, "y"), ("b", "y"): (0, 1, "a"), ("a", "y"): (2, 3, "x")}
            return [finding(source, 4, 5, edits[here, there], code=f"TPL{here}{there}")]

        done = fix_text("a\nx\nz\n", "a.py", lint, Safety.SAFE)
        assert [failure.reason for failure in done.failures] == ["it brings an earlier text back"]
        assert len(done.applied) == 3

    def test_fixes_that_lead_to_each_other_end(self) -> None:
        def lint(source: Source) -> list[Finding]:
            return [finding(source, 0, 1, (2, 2, "x"), code=f"TPL{len(source.text)}")]

        done = fix_text("a\n", "a.py", lint, Safety.SAFE)
        assert len(done.applied) == PASSES
        assert len(done.left) == 1

    def test_one_culprit_does_not_hold_the_others(self) -> None:
        lines = [f"a{n}" for n in range(40)]
        calls = 0

        def lint(source: Source) -> list[Finding]:
            nonlocal calls
            calls += 1
            return replacing((r"\ba17$", "("), (r"\ba(?!17\b)\d+$", "b"), whole=True)(source)

        done = fix_text("\n".join(lines) + "\n", "a.py", lint, Safety.SAFE)
        assert [failure.finding.span.start.line for failure in done.failures] == [18]
        assert done.text.count("b") == 39
        assert "a17" in done.text
        assert calls < 20

    def test_a_banned_fix_stays_so_when_the_text_moves(self) -> None:
        lint = replacing(("aa", "("), (r"^.*\n?#top\n", "1 + 1\n"), whole=True)
        done = fix_text("#top\naa\nb.cuda()\n", "a.py", lambda source: sorted(
            lint(source) + cuda(source), key=lambda each: each.order), Safety.UNSAFE)  # fmt: skip
        assert done.text == "1 + 1\naa\nb\n"
        assert [failure.reason[:25] for failure in done.failures] == ["the text would not parse:"]


class TestSplice:
    source = Source("abcdefgh")

    def splice(self, *edits: tuple[int, int, str]) -> Splice:
        place = self.source.place
        return Splice(self.source, [TextEdit("", Span(place(a), place(b)), content) for a, b, content in edits])

    def test_edits_apply_in_the_order_of_the_text(self) -> None:
        assert self.splice((6, 7, "XY"), (2, 2, "-"), (0, 2, ""), (2, 4, "+")).text == "-+efXYh"

    @pytest.mark.parametrize(
        ("stretch", "image"),
        [
            ((0, 2), "ab"),
            ((0, 3), "ab..."),
            ((2, 4), "..."),
            ((3, 4), "..."),
            ((3, 6), "...e!f"),
            ((4, 5), "e"),
            ((4, 8), "e!fgh"),
            ((5, 6), "f"),
            ((6, 8), "gh"),
            ((0, 8), "ab...e!fgh"),
        ],
    )
    def test_where_stretches_are(self, stretch: tuple[int, int], image: str) -> None:
        splice = self.splice((2, 4, "..."), (5, 5, "!"))
        assert splice.text == "ab...e!fgh"
        start, end = splice.image(*stretch)
        assert splice.text[start:end] == image


CASES = {
    "one line": ("a\nb\nc\n", "a\nx\nc\n"),
    "far apart": ("".join(f"{n}\n" for n in range(40)), "".join(f"{n if n % 20 else 'x'}\n" for n in range(40))),
    "no last newline": ("a\nb", "a\nc"),
    "a last newline comes": ("a\nb", "a\nb\n"),
    "a last newline goes": ("a\nb\n", "a\nb"),
    "windows": ("a\r\nb\r\nc\r\n", "a\r\nx\r\nc\r\n"),
    "mixed": ("a\r\nb\nc\rd\n", "a\r\nx\nc\rd\n"),
    "carriage returns": ("a\rb\r", "a\rc\r"),
    "form feeds": ("a\x0cb\n\x0c\nc\u2028d\n", "a\x0cb\n\x0c\nx\u2028d\n"),
    "not ascii": ("é\n名 🎉\n", "é\nü\n"),
    "from nothing": ("a\n", ""),
    "dashes": ("-- a\n++ b\n", "-- c\n"),
}
NAMES = [
    "a.py",
    "b c/d e.py",
    "é名.py",
    'q"uote.py',
    "back\\slash.py",
    "new\nline.py",
    "tab\t.py",
    "-dash.py",
    "d/../e.py",
]


class TestPatch:
    def applied(self, folder: Path, name: str, old: str, new: str) -> bytes:
        """What git makes of the old text with the patch."""
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(old.encode())
        patch = diff(old, new, name)
        subprocess.run(["git", "apply", "-"], cwd=folder, input=patch.encode(), check=True)
        return path.read_bytes()

    @pytest.mark.parametrize(("old", "new"), CASES.values(), ids=CASES)
    def test_git_takes_it(self, tmp_path: Path, old: str, new: str) -> None:
        assert self.applied(tmp_path, "a.py", old, new) == new.encode()

    @pytest.mark.parametrize("name", [name for name in NAMES if ".." not in name])
    def test_names(self, tmp_path: Path, name: str) -> None:
        assert self.applied(tmp_path, name, "a\nb\n", "a\nc\n") == b"a\nc\n"

    def test_equal_texts(self) -> None:
        assert diff("a\n", "a\n", "a.py") == ""

    def test_how_it_looks(self) -> None:
        assert diff("a\nb", "a\nc\n", "d/e.py") == (
            "--- a/d/e.py\n+++ b/d/e.py\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
        )


class TestWrite:
    def test_mode_and_bytes(self, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(b"old")
        path.chmod(0o754)
        rewrite(path, b"\xef\xbb\xbfnew\r\n", b"old")
        assert path.read_bytes() == b"\xef\xbb\xbfnew\r\n"
        assert stat.S_IMODE(path.stat().st_mode) == 0o754
        assert os.listdir(tmp_path) == ["a.py"]  # noqa: PTH208

    def test_a_link_stays_one(self, tmp_path: Path) -> None:
        target, link = tmp_path / "far" / "a.py", tmp_path / "b.py"
        target.parent.mkdir()
        target.write_bytes(b"old")
        link.symlink_to(target)
        rewrite(link, b"new", b"old")
        assert link.is_symlink()
        assert target.read_bytes() == b"new"
        assert [each.name for each in target.parent.iterdir()] == ["a.py"]

    @pytest.mark.parametrize("now", [b"other", b"", None])
    def test_a_file_that_has_changed_is_left_alone(self, tmp_path: Path, now: bytes | None) -> None:
        path = tmp_path / "a.py"
        if now is not None:
            path.write_bytes(now)
        with pytest.raises(OSError, match=r"changed since|No such file"):
            rewrite(path, b"new", b"old")
        assert [each.read_bytes() for each in tmp_path.iterdir()] == ([] if now is None else [now])
        assert issubclass(ChangedError, OSError)

    def test_a_full_disk(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(b"old")

        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            rewrite(path, b"new", b"old")
        assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"old"]

    @pytest.mark.usefixtures("permissions_hold")
    def test_a_read_only_file(self, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(b"old")
        path.chmod(0o444)
        with pytest.raises(PermissionError):
            rewrite(path, b"new", b"old")
        assert path.read_bytes() == b"old"

    def test_what_is_no_file(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "loop").symlink_to("loop")
        for name in ("pipe", "loop", "."):
            with pytest.raises(OSError, match=r"no regular file|[Ss]ymbolic link"):
                rewrite(tmp_path / name, b"new", b"old")
        assert sorted(each.name for each in tmp_path.iterdir()) == ["loop", "pipe"]


def test_there_is_an_end_to_the_search_for_fixes_that_break_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not settled by then stays as it is and is counted; what was settled is applied."""
    monkeypatch.setattr("torchperf_lint.fixes.apply.TRIALS_AT_LEAST", 12)
    monkeypatch.setattr("torchperf_lint.fixes.apply.TRIED_AT_MOST", 0)
    text = "good = 1\n" * 4 + "bad = 1\n" * 200
    lint, lints = replacing(("^good", "fine"), ("^bad = 1", "bad = (")), 0

    def counted(source: Source) -> list[Finding]:
        nonlocal lints
        lints += 1
        return lint(source)

    fixed = fix_text(text, "a.py", counted, Safety.SAFE)
    assert lints <= 1 + 12
    assert fixed.text.count("fine") + fixed.untried + len(fixed.failures) == 204
    assert fixed.untried > 150
    assert fixed.text.count("bad = 1\n") == 200
