"""What a file is by the identifiers in it, and by its own name."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Final

_DEVICES: Final = frozenset(
    (
        "cuda",
        "device",
        "to_device",
        "gpu",
        "gpus",
        "accelerator",
        "Accelerator",
        "Fabric",
        "Trainer",
        "LightningModule",
        "DataParallel",
        "DistributedDataParallel",
        "device_map",
        "xpu",
        "hip",
        "npu",
        "mps",
        "pipeline",
        "prepare",
    )
)
_TEST_TOOLS: Final = frozenset(("pytest", "unittest", "TestCase", "assert_close", "common_utils"))
_TEST_FOLDERS: Final = frozenset(("test", "tests", "testing", "unittests"))
_TOLD_EXPORT: Final = re.compile(r"\b(export|onnx|coreml|tensorrt)", re.IGNORECASE)
_DATA: Final = re.compile(r"(^|[._])transforms?([._]|$)|(^|\.)(data|datasets?)\.")
_EXPORT: Final = re.compile(r"(^|[._])(exports?|exporters?|onnx)([._]|$)")


def names_device(names: AbstractSet[str]) -> bool:
    """Without one of these identifiers a script never leaves the CPU, and nobody is told of waits in it."""
    return not names.isdisjoint(_DEVICES)


def is_of_tests(names: AbstractSet[str]) -> bool:
    """A file that imports a tool for tests is one: nobody minds waits there."""
    return not names.isdisjoint(_TEST_TOOLS)


def is_folder_of_tests(name: str) -> bool:
    """`tests/`: what lies in it is there for the tests of a project, if not all of it is one."""
    return name in _TEST_FOLDERS


def is_file_of_tests(name: str) -> bool:
    """`test_loss.py`, `conftest.py`: what tools for tests look for."""
    return name.startswith(("test_", "conftest")) or name.endswith("_test.py")


def is_for_export(name: str) -> bool:
    """`models.export_onnx`: what such a file holds is traced once, and no step."""
    return _EXPORT.search(name) is not None


def is_of_data(name: str) -> bool:
    """`project.data.crops`, `transforms`: what such a file holds makes batches, and a module there is no model."""
    return _DATA.search(name) is not None


def tells_of_export(text: str) -> bool:
    """`For ONNX export: ...`, in the text of a function or a class: written as it is for what may not know the fused operation."""
    return _TOLD_EXPORT.search(text) is not None
