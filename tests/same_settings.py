"""Settings that a test makes itself and that hold for every file, instead of those that lie on the way to it."""

from __future__ import annotations

from pathlib import Path

from torchperf_lint.config.config import Config, Configs


class SameSettings(Configs):
    def __init__(self, config: Config) -> None:
        self.run = config

    def of(self, _: Path) -> Config:
        return self.run

    def at(self, _: Path) -> Config:
        return self.run
