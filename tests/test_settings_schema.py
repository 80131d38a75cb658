"""The schema of the settings against what the tool takes: an editor never marks what runs, and marks what it can know is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from torchperf_lint.config.selection import UnknownRuleError, selectors
from torchperf_lint.config.settings import KINDS, LINE_ONLY, UnfitError
from torchperf_lint.docs.settings import schema

SCHEMA: Final = json.loads(schema())
VALID: Final = Draft7Validator(SCHEMA)
FOLDER: Final = Path(__file__).parent
UNSAID: Final = {
    "baseline",
    "project-root",
    "exclude",
    "extend-exclude",
    "per-file-ignores",
    "hot-functions",
    "sync-allowed",
}
"""Of these the schema says the type alone: paths and patterns are looked at when they are read, names may be of any script."""

words = st.sampled_from(
    [
        "TPL101",
        "TPL1",
        "ALL",
        "tpl101",
        "likely",
        "warning",
        "json",
        "json=a",
        "2.4",
        "2",
        "hopper",
        "a.b",
        "a b",
        "",
        "../x",
    ]
)
numbers = st.sampled_from([-1, 0, 1, 512, 1_000_000, 1_000_001, 0.5])
scalars = words | numbers | st.booleans()
tables = st.dictionaries(
    words | st.sampled_from(["linear", "conv", "tests/*"]), numbers | words | st.lists(words, max_size=2), max_size=2
)
values = scalars | st.lists(scalars, max_size=2) | tables


def takes(name: str, value: Any) -> bool:
    try:
        KINDS[name].read(value, FOLDER)
    except (UnfitError, UnknownRuleError):
        return False
    return True


def test_it_is_a_schema_of_every_setting_that_a_file_may_hold() -> None:
    Draft7Validator.check_schema(SCHEMA)
    assert set(SCHEMA["properties"]) == set(KINDS) - set(LINE_ONLY)
    assert all(each["description"] for each in SCHEMA["properties"].values())
    assert not VALID.is_valid({"selct": ["ALL"]})


@given(name=st.sampled_from(sorted(set(KINDS) - set(LINE_ONLY))), value=values)
def test_what_is_taken_is_valid_and_what_is_not_is_marked(name: str, value: Any) -> None:
    taken, valid = takes(name, value), VALID.is_valid({name: value})
    assert valid or not taken
    assert taken or not valid or name in UNSAID


@pytest.mark.parametrize("name", sorted(set(KINDS) - set(LINE_ONLY)))
def test_a_default_is_what_a_file_may_say(name: str) -> None:
    default = SCHEMA["properties"][name].get("default")
    assert default is None or takes(name, default)
    assert default is None or VALID.is_valid({name: default})


def test_every_word_for_rules_selects_some() -> None:
    assert takes("select", list(selectors()))
    assert VALID.is_valid({"select": ["ALL", "TPL1", "TPL101", "scalar-read-every-step"]})
    assert not VALID.is_valid({"select": ["TPL9999"]})


def test_an_editor_is_told_of_a_table_in_the_wrong_form() -> None:
    for wrong in ({"per-file-ignores": ["TPL1"]}, {"hot-functions": "a.b"}, {"exclude": "x"}, {"baseline": 1}):
        assert not VALID.is_valid(wrong)
