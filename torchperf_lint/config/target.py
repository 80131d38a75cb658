"""What the code is for: the oldest torch that a project supports, read off its `pyproject.toml`, `setup.py`, requirements or environment,
and where none of them names torch, off the commands and the image by which it is installed.

Knows nothing of settings: it is asked only where nobody said a target.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

NEWEST: Final = "2.11"
"""The newest torch that the facts were measured on."""

GPUS: Final = ("volta", "turing", "ampere", "ada", "hopper", "blackwell")

_REQUIREMENT: Final = re.compile(r"\s*torch(?![\w.-])\s*(?:\[[^\]]*\])?\s*\(?([^;@)]*)", re.IGNORECASE)
_CONDA: Final = re.compile(r"""\s*-\s*["']?(?:[\w.-]{1,100}::)?(?:py)?torch(?![\w.-])\s*([^#"']*)""", re.IGNORECASE)
_OF_CONDA: Final = re.compile(r"^dependencies:", re.MULTILINE)
_ONE_EQUALS: Final = re.compile(r"(?<![=<>!~])=(?!=)")
_QUOTED: Final = re.compile(r"""["'](\s*torch[^"'\n]{0,200})["']""", re.IGNORECASE)
_COMMAND: Final = re.compile(r"\b(?:pip3?|conda|mamba|uv)\s[^\n]{0,200}?\binstall\s([^\n]*)")
_INSTALLED: Final = re.compile(r"(?<![\w./-])(?:py)?torch(?:={1,3}|[>~]=)(\d{1,4}\.\d{1,4})", re.IGNORECASE)
_NAME: Final = r"(?<![\w./:-])[\[*_`]{0,4}(?:py)?torch[\]*_`]{0,4}(?:\([^)\n]{0,200}\))?[*_`]{0,4}"
_BULLET: Final = r"(?:[-*+]|\d{1,2}[.)])[ \t]{1,9}"
_LISTED: Final = rf"^[ \t]{{0,20}}(?:{_BULLET})?{_NAME}[ \t]{{0,9}}(?:>=|≥)[ \t]{{0,9}}(\d{{1,4}}\.\d{{1,4}})"
"""A line that begins with a bound, in a list or not: `- [PyTorch](https://pytorch.org) >= 1.8`. Within a sentence it may be a condition."""
_VERSION: Final = (
    r"[ \t]{0,9}\(?\*{0,2}(?:install[ \t]|(?:currently[ \t])?tested[ \t](?:on|with)[ \t])?"
    r"(?:version[ \t]|[v-](?=\d)|(?:==?|>=|≥)[ \t]{0,9})?`?(\d{1,4}\.\d{1,4})(?:\.\d{1,4})?"
)
_NO_MORE: Final = r"[+`*_]{0,3}[ \t]{0,9}(?=$|[\]()+,;/.]|or[ \t]|and[ \t]|with[ \t])"
_ITEM: Final = rf"^[ \t]{{0,20}}{_BULLET}(?:\[?install[ \t])?{_NAME}{_VERSION}{_NO_MORE}"
"""An item of a list that says no more than a version: `* PyTorch 1.0.0 or 1.1.0`, `- PyTorch (tested on version 1.0)`. But
`- PyTorch 2.0 compile support` is a feature."""
_STATED: Final = (
    r"\b(?:requires?|tested|developed|implemented|ran|make[ \t]sure|(?:please|need[ \t]to)[ \t](?:install|use)|"
    r"environment[ \t](?:is|was))[ \t]"
    rf"[^\n]{{0,120}}?{_NAME}{_VERSION}"
)
"""A sentence about the torch that somebody had, or asks for: `tested on Ubuntu 16.04 with PyTorch 0.4`, `please use PyTorch >= 1.2`."""
_USED: Final = rf"\b(?:use|using|install|works?[ \t]with|based[ \t]on)[ \t]{_NAME}{_VERSION}{_NO_MORE}"
"""Right behind one of these words: `works with **PyTorch 1.8+**`, `built in Python 3.7 using PyTorch 1.6.0.`"""
_WHEEL: Final = re.compile(r"/torch-(\d{1,4}\.\d{1,4})[\w.%+]{0,40}-cp", re.IGNORECASE)
_IMAGE: Final = re.compile(r"^FROM\s+pytorch/pytorch:(\d{1,4}\.\d{1,4})", re.MULTILINE)
_NVIDIAS: Final = re.compile(r"^FROM\s+nvcr\.io/nvidia/pytorch:(\d\d)\.(\d\d)", re.MULTILINE)
_SINCE: Final = (
    (1903, "1.0"), (1905, "1.1"), (1909, "1.2"), (1910, "1.3"), (2001, "1.4"), (2003, "1.5"), (2006, "1.6"), (2008, "1.7"),
    (2012, "1.8"), (2103, "1.9"), (2107, "1.10"), (2111, "1.11"), (2204, "1.12"), (2206, "1.13"), (2303, "2.0"), (2306, "2.1"),
    (2311, "2.2"), (2402, "2.3"), (2405, "2.4"), (2408, "2.5"), (2411, "2.6"),
)  # fmt: skip
"""From which of NVIDIA's images on, by year and month, torch was which."""
_NAMED_IMAGE: Final = re.compile(r"^FROM\s+pytorch/pytorch:\$", re.MULTILINE)
_ARGUMENT: Final = re.compile(r"""^ARG\s+PYTORCH\w*=["']?(\d{1,4}\.\d{1,4})""", re.MULTILINE)
_LOWER: Final = re.compile(r"(?:>=|~=|===|==|>|\^|~|(?<![\w.<>=!~^-]))\s*(\d{1,4}(?:\.\d{1,4})*)")
_UPPER: Final = re.compile(r"(?:<=?|!=)\s*[\w.*+]+")


def declared(pyproject: Mapping[str, object]) -> str | None:
    """The lower bound (`major.minor`) of the first place that bounds torch from below; empty where torch is named, and any will do."""
    places = [_least(place) for place in _places(pyproject)]
    return next((bound for bound in places if bound), "" if "" in places else None)


def required(requirements: str) -> str | None:
    """The same of a `requirements.txt`, or of a `setup.cfg`, where each stands on a line too."""
    lines = [line for line in requirements.splitlines() if not line.lstrip().startswith("#")]
    wheels = (_WHEEL.search(line) for line in lines)
    return _lowest([*lines, *(f"torch=={wheel[1]}" for wheel in wheels if wheel is not None)])


def quoted(setup: str) -> str | None:
    """The same of a `setup.py`, by the texts in it: nothing of it runs."""
    return _lowest(_QUOTED.findall(setup))


def of_conda(environment: str) -> str | None:
    """The same of an `environment.yml`, where `pytorch=1.7.1=py3.8_cuda11.0` is a version and a build of it."""
    return packages_of_conda(environment) if _OF_CONDA.search(environment) else None


def packages_of_conda(environment: str) -> str | None:
    """The same of any YAML that lists packages so."""
    matches = (match for line in environment.splitlines() if (match := _CONDA.match(line)) is not None)
    return _lowest([f"torch{_ONE_EQUALS.sub('==', match[1])}" for match in matches])


def of_commands(text: str) -> str | None:
    """The same of a text that says how to install a project: `conda install pytorch==1.7.1 cudatoolkit=11.0`."""
    commands = _COMMAND.findall(text.replace("\\\n", " "))
    return _oldest(
        version for each in (_INSTALLED, _WHEEL) for command in commands for version in each.findall(command)
    )


def of_page(text: str) -> str | None:
    """The same of a page, which may also list what a project needs, or tell what it was tested with."""
    installed = of_commands(text)
    # compiled here and not at each start: a page is asked only where nothing else names torch
    patterns = [re.compile(each, re.IGNORECASE | re.MULTILINE) for each in (_LISTED, _ITEM, _STATED, _USED)]
    said = (version for pattern in patterns for version in pattern.findall(text))
    return _oldest([*said, *([installed] if installed else [])])


def of_image(dockerfile: str) -> str | None:
    """The same of a `Dockerfile`: the image of torch that it starts from, and what it installs."""
    arguments = _ARGUMENT.findall(dockerfile) if _NAMED_IMAGE.search(dockerfile) else []
    installed = of_commands(dockerfile)
    nvidias = [_of_nvidias(int(year + month)) for year, month in _NVIDIAS.findall(dockerfile)]
    return _oldest([*_IMAGE.findall(dockerfile), *nvidias, *arguments, *([installed] if installed else [])])


def _of_nvidias(month: int) -> str:
    return next((torch for since, torch in reversed(_SINCE) if since <= month), _SINCE[0][1])


def _oldest(versions: Iterable[str]) -> str | None:
    return min(versions, key=short, default=None)


def _lowest(requirements: list[str]) -> str | None:
    return _least(list(_named(requirements)))


def _least(specifiers: list[str]) -> str | None:
    """The lowest bound of some specifiers; None where there are none, empty where none is bound from below."""
    bounds = [bound for specifier in specifiers if (bound := _bound(specifier)) is not None]
    return ".".join(map(str, min(bounds))) if bounds else "" if specifiers else None


def _places(pyproject: Mapping[str, object]) -> Iterator[list[str]]:
    """The specifiers for torch, place by place in the order in which they count."""
    project = _table(pyproject, "project")
    yield list(_named(project.get("dependencies")))
    yield [spec for group in _table(project, "optional-dependencies").values() for spec in _named(group)]
    poetry = _table(_table(pyproject, "tool"), "poetry")
    yield list(_keyed(poetry.get("dependencies")))
    groups = [_table(group, "dependencies") for group in _table(poetry, "group").values()]
    yield [spec for group in (*groups, poetry.get("dev-dependencies")) for spec in _keyed(group)]
    yield [spec for group in _table(pyproject, "dependency-groups").values() for spec in _named(group)]


def _named(requirements: object) -> Iterator[str]:
    """Specifiers out of a list such as `["torch>=2.1,<3", "numpy"]`."""
    for requirement in requirements if isinstance(requirements, list) else ():
        if isinstance(requirement, str) and (match := _REQUIREMENT.match(requirement)):
            yield match.group(1)


def _keyed(requirements: object) -> Iterator[str]:
    """Specifiers out of Poetry's `torch = "^2.1"`, `torch = {version = "^2.1"}` or a list of such tables."""
    found = requirements.get("torch") if isinstance(requirements, Mapping) else None
    for each in found if isinstance(found, list) else [found]:
        version = each.get("version") if isinstance(each, Mapping) else each
        if isinstance(version, str):
            yield version


def _bound(specifier: str) -> tuple[int, int] | None:
    """The lower bound of a specifier: its highest where clauses add up, the lowest of alternatives (`||`)."""
    alternatives = " ".join(specifier.split()).split("||")  # runs of blanks take the pattern the square of their length
    lowest = [_highest(_LOWER.findall(_UPPER.sub("", alternative))) for alternative in alternatives]
    return min((bound for bound in lowest if bound is not None), default=None)


def _highest(versions: Iterable[str]) -> tuple[int, int] | None:
    return max((short(version) for version in versions), default=None)


def short(version: str) -> tuple[int, int]:
    """Major and minor of a version: the detail that facts are keyed by."""
    major, minor, *_ = (*map(int, version.split(".")), 0)
    return major, minor


def _table(parent: object, key: str) -> Mapping[str, object]:
    found = parent.get(key) if isinstance(parent, Mapping) else None
    return found if isinstance(found, Mapping) else {}
