"""What MkDocs asks while it builds: the pages that are made from elsewhere, and pictures as part of the page.

A picture in the page takes the colours of its theme; one that is only linked could not.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from torchperf_lint.docs import site

PICTURE = re.compile(r'<img alt="([^"]*)" src="(?:\.\./)*(measured/[\w.-]+\.svg)" ?/?>')
OWN_COLORS = re.compile(r"<style>.*?</style>\n", re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = site.navigation()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name, text in site.pages().items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_content(html: str, config: MkDocsConfig, **_: Any) -> str:
    def inside(found: re.Match[str]) -> str:
        text = (Path(config.docs_dir) / found[2]).read_text(encoding="utf-8")
        if 'class="plot"' not in text:
            return found[0]
        return OWN_COLORS.sub("", text).replace("<svg ", f'<svg aria-label="{found[1]}" ', 1)

    return PICTURE.sub(inside, html)
