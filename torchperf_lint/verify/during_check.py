"""What `--verify` adds to a check: findings in, measurements out, and which fixes they confirm."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from torchperf_lint.config.config import placed
from torchperf_lint.files.document import UnreadableError, opened
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.report.terminal import Pen
from torchperf_lint.syntax.source import Source
from torchperf_lint.verify import plan, session, table
from torchperf_lint.verify.telling import Telling
from torchperf_lint.verify.verdict import Measured

if TYPE_CHECKING:
    import libcst as cst

    from torchperf_lint.config.config import Configs
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.model.finding import Finding
    from torchperf_lint.report.console import Console
    from torchperf_lint.verify.verdict import Device

Read = Callable[[str], "bytes | None"]
"""The bytes of a file, by its path as findings give it."""


Traced = Callable[["Sequence[Finding]"], Mapping[str, str]]
"""What a trace of the user's program says of findings, in words, by fingerprint."""


class Measuring(Protocol):
    """What a check asks of its measurements: of the small programs of rules, or of the user's own."""

    @property
    def interrupted(self) -> bool: ...

    def measure(self, findings: Sequence[Finding], read: Read) -> None:
        """Measure what the findings claim; an interrupt ends the measuring and keeps what is done."""

    @property
    def confirmed(self) -> frozenset[str]:
        """The findings whose fix pays."""

    @property
    def by_fingerprint(self) -> dict[str, dict[str, Any]]:
        """What was measured of findings, in the plain form of reports."""

    def table(self, *, color: bool) -> str:
        """For people; empty where nothing was measured."""


class Verification:
    """The measurements of one check."""

    def __init__(
        self, options: Mapping[str, Any], configs: Configs, console: Console, traced: Traced | None = None
    ) -> None:
        if importlib.util.find_spec("torch") is None:
            raise ConfigError(session.INSTALL)
        self.options = session.options(
            options["verify_device"], options["verify_timeout"], options["shape"] or (), options["host_work"]
        )
        self.configs = configs
        self.console = console
        self._traced = traced
        self._words: Mapping[str, str] = {}
        self._interrupted = False
        self.done: list[Measured] = []
        self.device: Device | None = None
        self.places: dict[str, str] = {}
        """Where findings are, by fingerprint: a fix that is applied takes its finding away."""

    def measure(self, findings: Sequence[Finding], read: Read) -> None:
        """Measure what the findings claim; an interrupt ends the measuring and keeps what is done."""
        self.places = {each.fingerprint: f"{each.path}:{each.span.start.line}" for each in findings}
        plans = plan.of_findings(findings, self.options.shapes, self._origins(read))
        if not plans:
            self.console.note("Nothing to measure: no finding has a bench.")
            return
        self._words = self._traced(findings) if self._traced is not None else {}
        tell = Telling(wanted=not self.console.quiet)

        def came(measured: Measured) -> None:
            tell.clear()
            self.console.note(table.in_a_line(measured))

        try:
            run = session.Session(self.options, tell, say=came)
            self.device = run.device
            tell.clear()
            for notice in (*run.notices(), *filter(None, [run.duration(plans)])):
                self.console.note(notice)
            self.done = run.done
            run.measure(plans)
        except KeyboardInterrupt:
            self._interrupted = True
        finally:
            tell.clear()

    @property
    def interrupted(self) -> bool:
        return self._interrupted

    @property
    def confirmed(self) -> frozenset[str]:
        """The findings whose fix this device confirms."""
        return session.confirmed(self.done)

    @property
    def by_fingerprint(self) -> dict[str, dict[str, Any]]:
        return session.by_fingerprint(self.done, self.device) if self.device is not None else {}

    def table(self, *, color: bool) -> str:
        """For people; empty where nothing was measured."""
        if self.device is None or not self.done:
            return ""
        return table.render(self.done, self.device, self.places, Pen(color), self._words)

    def _origins(self, read: Read) -> plan.Origins:
        from torchperf_lint.engine import lint_text

        @cache
        def origins(path: str) -> tuple[Mapping[str, cst.CSTNode], Facts] | None:
            data = read(path)
            if data is None:
                return None
            try:
                text = opened(data, path, lambda _: []).text
            except UnreadableError:
                return None
            file = placed(path)
            config = self.configs.of(file)
            return lint_text.origins(Source(text, config.in_project(file)), config)

        return origins
