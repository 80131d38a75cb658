"""What TPL706 says of `torch.compile`, and what its page says to be harmless, asked of torch on a CPU."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from fixture import fixtures
from oracle.breaks import recorder
from torch import nn

pytestmark = pytest.mark.slow
FIXTURE = next(each for each in fixtures() if each.name == "compile-misuse")
X = torch.ones(2, 4)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Dropout())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        done: torch.Tensor = self.body(x).relu()
        return done

    def encode(self, x: torch.Tensor) -> torch.Tensor:
        done: torch.Tensor = self.body(x)
        return done


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def graphs(call: Callable[[int], object], calls: int = 3) -> int:
    """How many graphs some calls make."""
    made, errors = recorder.run(call, calls)
    assert not errors
    return made


def compiled(module: Any) -> Any:
    return torch.compile(module, backend="eager")


AROUND = """
import torch
import torch.distributed as dist
from functorch.compile import make_boxed_func
from torch import nn
from torch._dynamo.backends.common import aot_autograd
from torch.nn.parallel import DistributedDataParallel

said = []

def backward(graph, inputs):
    def run(*given):
        said.append("backward")
        return graph(*given)
    return make_boxed_func(run)

def averaged(state, bucket):
    said.append("bucket")
    done = torch.futures.Future()
    done.set_result(bucket.buffer())
    return done

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
backend = aot_autograd(fw_compiler=lambda graph, inputs: make_boxed_func(graph.forward), bw_compiler=backward)
net = torch.compile(nn.Sequential(*[nn.Linear(512, 512) for _ in range(6)]), backend=backend)
net = DistributedDataParallel(net, bucket_cap_mb=2)
net.register_comm_hook(None, averaged)
for _ in range(3):
    said.clear()
    net(torch.randn(4, 512)).sum().backward()
print(*said)
"""
"""Prints what happens in a backward pass, in its order: a part of the graph that runs, a bucket that is averaged."""


def test_what_is_dropped_compiles_nothing_and_the_fix_does() -> None:
    net: Any = Net()
    compiled(net)
    assert graphs(lambda _: net(X)) == 0
    assert "    net.compile()\n" in FIXTURE.fixed.read_text("utf-8")
    net.compile(backend="eager")
    assert graphs(lambda _: net(X)) == 1


@pytest.mark.parametrize(
    "module", [nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 4), nn.ReLU())], ids=["a layer", "layers"]
)
def test_a_module_of_torch_is_compiled_where_it_is_by_newer_versions_alone(module: Any) -> None:
    module.compile(backend="eager")
    assert graphs(lambda _: module(X)) == (tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 14))
    assert graphs(lambda _: compiled(nn.Sequential(module))(X)) >= 1


def test_what_is_its_own_in_a_sequential_compiles_by_itself() -> None:
    """So nothing is said of it."""
    module: Any = nn.Sequential(Net(), Net())
    module.compile(backend="eager")
    assert graphs(lambda _: module(X)) >= 1


def test_another_method_than_forward_is_not_compiled_unless_it_is_itself() -> None:
    net = compiled(Net())
    assert graphs(lambda _: net.encode(X)) == 0
    assert graphs(lambda _: net(X)) == 1
    net.encode = compiled(net.encode)
    assert graphs(lambda _: net.encode(X)) == 1


def test_torchscript_is_not_taken() -> None:
    with pytest.raises(RuntimeError, match="does not support compiling"):
        compiled(torch.jit.script(nn.Linear(4, 4)))(X)


def test_a_function_of_torchscript_is() -> None:
    scripted: Any = torch.jit.script(relu)
    assert graphs(lambda _: compiled(scripted)(X)) == 1


def relu(x: torch.Tensor) -> torch.Tensor:
    return x.relu()


def test_eval_and_train_compile_once_each() -> None:
    net = compiled(Net())
    assert graphs(lambda turn: net.train(turn % 2 == 0)(X), 8) == 2


def test_a_compiled_module_in_ddp_averages_while_it_runs_backward() -> None:
    done = subprocess.run([sys.executable, "-c", AROUND], capture_output=True, text=True, check=False)
    order = done.stdout.split()
    assert order.count("backward") > 1, done.stderr
    assert "bucket" in order[: len(order) - order[::-1].index("backward") - 1]
