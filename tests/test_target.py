"""The torch that code is for: what the requirements of a project say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from torchperf_lint import lint_text
from torchperf_lint.config import target
from torchperf_lint.config.config import load, of_text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("requirement", "bound"),
    [
        ("torch>=2.1,<3", "2.1"),
        ("torch", ""),
        ("torch~=2.1.0", "2.1"),
        ("torch==2.1.*", "2.1"),
        ("torch==2.1.0+cu118", "2.1"),
        ("torch (>=1.8)", "1.8"),
        ("Torch[opt] >= 2.0 ; python_version < '3.12'", "2.0"),
        ("torch!=2.0,>=1.13,<2.4", "1.13"),
        ("torch>1.9", "1.9"),
        ("torch==2", "2.0"),
        ("torch<2", ""),
        ("torch @ https://example.org/torch-2.1.whl", ""),
        ("torchvision>=0.15", None),
        ("torch-geometric>=3", None),
    ],
)
def test_the_lower_bound_of_a_requirement(requirement: str, bound: str | None) -> None:
    assert target.declared({"project": {"dependencies": ["numpy>=1", requirement]}}) == bound


@pytest.mark.parametrize(
    ("version", "bound"),
    [("^2.1", "2.1"), ("~2.1", "2.1"), ("2.1.*", "2.1"), ("*", ""), ("^1.13 || ^2.0", "1.13"), (">=2.0,<3", "2.0")],
)
def test_the_lower_bound_in_poetrys_words(version: str, bound: str | None) -> None:
    assert target.declared({"tool": {"poetry": {"dependencies": {"torch": version}}}}) == bound
    assert target.declared({"tool": {"poetry": {"dependencies": {"torch": {"version": version}}}}}) == bound
    assert target.declared({"tool": {"poetry": {"group": {"x": {"dependencies": {"torch": version}}}}}}) == bound


def test_dependencies_count_before_extras_and_groups_last() -> None:
    everything = {
        "project": {"dependencies": ["torch"], "optional-dependencies": {"a": ["torch>=2.3"], "b": ["torch>=2.2"]}},
        "dependency-groups": {"dev": ["torch>=2.0", {"include-group": "x"}]},
    }
    assert target.declared(everything) == "2.2"
    del everything["project"]
    assert target.declared(everything) == "2.0"


@pytest.mark.parametrize(
    "content", [{"project": 3}, {"tool": {"poetry": []}}, {"project": {"dependencies": {"torch": 1}}}]
)
def test_odd_requirements_bound_nothing(content: dict[str, object]) -> None:
    assert target.declared(content) is None


def test_the_target_is_what_the_nearest_pyproject_requires(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["torch>=2.3"]', encoding="utf-8")
    (tmp_path / "torchperf-lint.toml").write_text("", encoding="utf-8")
    assert load(tmp_path).target_torch == "2.3"
    assert "requirement" in load(tmp_path).origins["target_torch"]
    assert load(tmp_path, {"target_torch": "2.0"}).target_torch == "2.0"
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'", encoding="utf-8")
    assert load(tmp_path).target_torch == target.NEWEST


def test_a_plain_list_of_requirements_counts_where_the_project_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(
        "Cython==0.29\ntorch==1.6.0  # pinned\ntorchvision==0.7\n", encoding="utf-8"
    )
    (tmp_path / "src").mkdir()
    config = load(tmp_path / "src")
    assert config.target_torch == "1.6"
    assert config.origins["target_torch"] == f"the requirement in {tmp_path / 'requirements.txt'}"
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    assert load(tmp_path / "src").target_torch == "1.6"
    (tmp_path / "pyproject.toml").write_text("[project]\ndependencies = ['torch>=2.4']\n", encoding="utf-8")
    assert load(tmp_path / "src").target_torch == "2.4"
    (tmp_path / "pyproject.toml").unlink()
    (tmp_path / "requirements.txt").write_text("numpy\n", encoding="utf-8")
    assert load(tmp_path / "src").target_torch == target.NEWEST


@pytest.mark.parametrize(
    ("name", "text", "torch"),
    [
        ("setup.py", "setup(install_requires=['numpy', 'torch >= 1.8, < 3', \"torchvision>=0.9\"])", "1.8"),
        ("setup.py", "extras = {'train': ['torch==1.6.0'], 'test': ['torch>=2.0']}", "1.6"),
        ("setup.py", "install_requires=['torch']  # torch>=1.8 in 'requirements'", None),
        ("setup.cfg", "[options]\ninstall_requires =\n    numpy\n    torch>=1.12\n", "1.12"),
    ],
)
def test_what_a_project_is_packaged_by_counts(tmp_path: Path, name: str, text: str, torch: str | None) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    config = load(tmp_path)
    assert config.target_torch == (torch or target.NEWEST)
    if torch is not None:
        assert config.origins["target_torch"] == f"the requirement in {tmp_path / name}"
    (tmp_path / "requirements.txt").write_text("torch==2.2\n", encoding="utf-8")
    assert load(tmp_path).target_torch == (torch or "2.2")


@pytest.mark.parametrize(
    ("name", "text", "torch"),
    [
        ("requirements/requirements.txt", "--extra-index-url x\ntorch==1.11.0+cu113\n", "1.11"),
        (
            "requirements.txt",
            "# x/torch-0.4.0-cp35.whl\nhttps://x/whl/cu100/torch-1.2.0-cp36-cp36m-manylinux1_x86_64.whl\n",
            "1.2",
        ),
        ("requirements.txt", "torch @ https://x/whl/cu118/torch-2.0.1%2Bcu118-cp310-cp310-linux_x86_64.whl\n", "2.0"),
        ("requirements/base.txt", "torch>=1.9\n", "1.9"),
        ("requirements/tests.txt", "torch>=1.9\n", None),
        ("environment.yml", "channels:\n  - pytorch\ndependencies:\n  - pytorch=1.7.1=py3.8_cuda11.0.221\n", "1.7"),
        ("environment.yaml", "dependencies:\n  - pytorch::pytorch=2.0.0\n  - pytorch-cuda=11.7\n", "2.0"),
        (
            "conda_env.yml",
            "dependencies:\n  - pip:\n    - torch==1.12.0+cu113 # pinned\n    - 'torchvision>=0.9'\n",
            "1.12",
        ),
        ("env.yml", "dependencies:\n- 'pytorch>=1.6,<2'\n- pytorch-lightning=1.0.8\n", "1.6"),
        ("environment.yml", "channels:\n  - pytorch\ndependencies:\n  - pytorch\n  - python=3.8\n", None),
        ("environment.yml", "dependencies:\n  - pytorch<2\n", None),
        ("cog.yaml", 'build:\n  python_packages:\n    - "torchvision==0.9.0"\n    - "torch==1.8.0"\n', "1.8"),
        ("Dockerfile", "FROM pytorch/pytorch:1.8.1-cuda11.1-cudnn8-devel\nRUN pip install timm\n", "1.8"),
        ("Dockerfile", 'ARG PYTORCH="1.6.0"\nFROM pytorch/pytorch:${PYTORCH}-cuda10.1\n', "1.6"),
        ("Dockerfile", "FROM ubuntu:20.04\nRUN pip install \\\n  torch==1.13.1+cu117 numpy\n", "1.13"),
        ("docker/Dockerfile", "FROM pytorch/pytorch:latest\n", None),
        ("docker/Dockerfile.train", "FROM nvcr.io/nvidia/pytorch:21.02-py3\n", "1.8"),
        ("gpu.dockerfile", "FROM nvcr.io/nvidia/pytorch:25.01-py3\n", "2.6"),
        ("Dockerfile", "RUN pip install http://host/whl/cu90/torch-0.4.1-cp35-cp35m-linux_x86_64.whl\n", "0.4"),
        ("linux_cuda10.yml", "name: x\ndependencies:\n- python=3.7\n- pytorch=1.5.1\n", "1.5"),
        ("environment/linux-gpu.yml", "channels:\n- pytorch\ndependencies:\n- pytorch=0.4.1\n", "0.4"),
        ("conda/any.yaml", "dependencies:\n- conda-forge::pytorch>=1.13\n", "1.13"),
        ("setup/env.yml", "dependencies:\n- pytorch==1.4.0\n", "1.4"),
        ("train.yml", "models:\n  - torch==1.5\n", None),
        ("tox.ini", "[testenv]\ndeps =\n    pytest\n    torch==1.10\n", "1.10"),
        ("README.md", "    conda install -n x pytorch==1.7.1 torchvision==0.8.2 -c pytorch\n", "1.7"),
        (
            "README.md",
            "Run `pip install 'torch==1.11.0' --extra-index-url x` or\n`pip3 install torch==1.10.0`\n",
            "1.10",
        ),
        ("README.md", "Tested with PyTorch == 1.8.0. `pip install pytorch-lightning==1.5 torch`\n", "1.8"),
        ("README.md", "- Python >= 3.6\n- PyTorch >= 1.3\n- torch.compile wants torch>=2.0\n", "1.3"),
        ("README.md", "* [**PyTorch**](https://host) ≥ 1.8, or\n\n`conda install pytorch=1.6`\n", "1.6"),
        (
            "README.md",
            "With PyTorch >= 1.8 it is faster.\nWe recommend torch >= 1.9\n- PyTorch-Lightning >= 1.5\n",
            None,
        ),
        ("INSTALL.md", "1. torch>=1.9.0\n2. numpy\n", "1.9"),
        ("README.md", "* Python 3\n* PyTorch 1.0.0 or 1.1.0\n", "1.0"),
        ("README.md", "- PyTorch `1.8.1`\n", "1.8"),
        ("README.md", "The main branch works with **PyTorch 1.8+**.\n", "1.8"),
        (
            "README.md",
            "We use PyTorch 1.9.0 or another one. Tested on Python **3.8+** and PyTorch **1.8.1+**.\n",
            "1.8",
        ),
        ("README.md", "- [ ] using `torch.compile` in PyTorch 2.0\nIt can use PyTorch 2.0 kernels.\n", None),
        ("README.md", "* PyTorch install 1.11.0 (older ones may do)\n", "1.11"),
        ("README.md", "- [PyTorch](https://host) (currently tested on version 0.4 and 1.0)\n", "0.4"),
        ("README.md", "You need to install [pyTorch (version 0.2+)](https://host), by:\n", "0.2"),
        ("README.md", "2. [Install PyTorch 1.13 or later](https://host)\n", "1.13"),
        ("README.md", "Please install `Python>=3.6` and `PyTorch>=1.5.0`.\n", "1.5"),
        ("README.md", "Our experiment environment is Python 3.6 & PyTorch 0.3.1.\n", "0.3"),
        ("README.rst", "It was tested on Ubuntu 16.04, CUDA10.1, PyTorch 1.6 and Python 3.7.\n", "1.6"),
        ("README.md", "This repo requires `pytorch >= 1.9` and torchvision.\n", "1.9"),
        ("readme.md", "Make sure you have Python 3.6 and PyTorch 0.3.0.\n", "0.3"),
        ("README.md", "- PyTorch 2.0 compile support\n- Bump up to pytorch 2.0\n|PointNet (Pytorch)| 84.3|\n", None),
        ("README.md", "tested by users of lightning 1.0 and https://host/pytorch-1.0\n- torch.compile 2.0\n", None),
        ("get_started.md", "```shell\npip install torch==1.8.0 torchvision==0.9.0\n```\n", "1.8"),
        ("docs/get_started.md", "conda install pytorch==1.6.0 torchvision -c pytorch -y\n", "1.6"),
        ("docs/notes.md", "pip install torch==1.6.0\n", None),
        ("README.md", "pip install 'torch>=1.12' timm\n", "1.12"),
        ("install.sh", "set -e\npython -m pip install -q torch==2.1.0\n", "2.1"),
        ("install_req.sh", "pip install torch==1.7.1+cu110 torchvision==0.8.2+cu110 -f https://host/whl -U\n", "1.7"),
        ("scripts/setup_env.sh", "conda install -y pytorch=1.12 -c pytorch\n", "1.12"),
        ("train.sh", "pip install torch==1.7.1\n", None),
    ],
)
def test_what_a_project_is_run_with_counts_where_it_is_not_packaged(
    tmp_path: Path, name: str, text: str, torch: str | None
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / name).write_text(text, encoding="utf-8")
    config = load(tmp_path)
    assert config.target_torch == (torch or target.NEWEST)
    assert torch is None or config.origins["target_torch"] == f"the requirement in {tmp_path / name}"
    (tmp_path / "requirements.txt").write_text("torch==2.2\n", encoding="utf-8")
    assert load(tmp_path).target_torch == "2.2"


def test_what_a_page_installs_does_not_count_where_a_project_names_torch_without_a_version(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("conda install pytorch=1.7.1 -c pytorch\n", encoding="utf-8")
    assert load(tmp_path).target_torch == "1.7"
    (tmp_path / "requirements.txt").write_text("ftfy\ntorch\n", encoding="utf-8")
    assert load(tmp_path).target_torch == target.NEWEST
    (tmp_path / "environment.yml").write_text("dependencies:\n  - pytorch=1.9\n", encoding="utf-8")
    assert load(tmp_path).target_torch == "1.9"


def test_of_several_files_of_one_kind_the_oldest_torch_counts(tmp_path: Path) -> None:
    for name, version in (("cpu", "1.9"), ("gpu", "1.10"), ("mac", "2.1")):
        (tmp_path / f"{name}.yml").write_text(f"dependencies:\n- pytorch={version}\n", encoding="utf-8")
    config = load(tmp_path)
    assert config.target_torch == "1.9"
    assert config.origins["target_torch"] == f"the requirement in {tmp_path / 'cpu.yml'}"


def test_nothing_above_a_repository_says_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM pytorch/pytorch:1.4\n", encoding="utf-8")
    (tmp_path / "project" / "src").mkdir(parents=True)
    assert load(tmp_path / "project" / "src").target_torch == "1.4"
    (tmp_path / "project" / ".git").mkdir()
    assert load(tmp_path / "project" / "src").target_torch == target.NEWEST


def test_what_a_project_needs_is_no_setting(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch==1.7\n", encoding="utf-8")
    (tmp_path / "torchperf-lint.toml").write_text('target-torch = "2.0"\n', encoding="utf-8")
    assert load(tmp_path).target_torch == "2.0"
    assert load(tmp_path, isolated=True).target_torch == "1.7"
    assert of_text({}).target_torch == target.NEWEST


NORM = """\
import torch
from torch import nn


class Norm(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(Norm() for _ in range(12))


net = Net().cuda()
"""


@pytest.mark.parametrize(("torch", "severity"), [("2.3", None), ("2.4", "info"), ("2.9", "warning")])
def test_a_norm_that_torch_makes_of_the_same_steps_is_a_hint(torch: str, severity: str | None) -> None:
    found = [str(each.severity) for each in lint_text(NORM, select=["TPL601"], target_torch=torch)]
    assert found == ([severity] if severity else [])
