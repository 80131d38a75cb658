"""From findings to measurements: which numbers, where they come from, what is measured once."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchperf_lint.config.config import Config
from torchperf_lint.engine import lint_text
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.finding import Safety
from torchperf_lint.syntax.source import Source
from torchperf_lint.verify import plan, session
from torchperf_lint.verify.bench import Choice, Flag, Number, Size, UnfitError, all_benches


def plans(text: str, code: str, **shapes: str) -> list[plan.Plan]:
    config, source = Config(root=Path.cwd(), rules=frozenset({code})), Source(text, "a.py")
    return plan.of_findings(lint_text.lint(source, config), shapes, lambda _: lint_text.origins(source, config))


def zeros(*calls: str) -> str:
    lines = "".join(f"    made.append({call})\n" for call in calls)
    return f"import torch\n\n\ndef make(made, n, device: torch.device):\n{lines}    return made\n"


def test_literals_of_the_place_reach_the_bench_and_equal_ones_are_measured_once() -> None:
    found = plans(
        zeros(
            'torch.zeros(64, 32).to("cuda")',
            "torch.zeros((64, 32)).cuda()",
            'torch.ones(8, 4, 32, dtype=torch.int64).to("cuda")',
            'torch.zeros(65, 32).to("cuda")',
        ),
        "TPL201",
    )
    settings = [dict(each.settings) for each in found]
    assert settings == [
        {"factory": "zeros", "rows": 64, "columns": 32, "dtype": "float32"},
        {"factory": "ones", "rows": 32, "columns": 32, "dtype": "int64"},
        {"factory": "zeros", "rows": 65, "columns": 32, "dtype": "float32"},
    ]
    assert [len(each.places) for each in found] == [2, 1, 1]
    assert [each.assumed for each in found] == [()] * 3


def test_what_the_place_does_not_tell_comes_from_the_user_and_else_is_assumed() -> None:
    text = zeros('torch.zeros(n, n).to("cuda")')
    assert plans(text, "TPL201")[0].assumed == ("rows", "columns")
    told = plans(text, "TPL201", rows="128", columns="16")[0]
    assert told.assumed == ()
    assert dict(told.settings)["rows"] == 128
    ignored = plans(zeros('torch.zeros(4, 4).to("cuda")'), "TPL201", rows="128")[0]
    assert dict(ignored.settings)["rows"] == 4, "the source comes first"


@pytest.mark.parametrize("size", ["10**12", "-1", "2.5", "1 << 62", "True"])
def test_numbers_that_no_bench_takes_do_not_reach_one(size: str) -> None:
    (found,) = plans(zeros(f'torch.zeros({size}, 8).to("cuda")'), "TPL201")
    assert dict(found.settings)["rows"] == 1024
    assert "rows" in found.assumed


def test_the_layer_of_the_place_reaches_the_bench() -> None:
    text = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.MultiheadAttention(96, num_heads=6, dropout=0.25)
        self.second = nn.MultiheadAttention(96, num_heads=12)

    def forward(self, x):
        y, _ = self.first(x, x, x)
        return self.second(y, y, y)[0]
"""
    first, second = plans(text, "TPL603")
    assert dict(first.settings) | {"width": 96, "heads": 6, "dropout": 0.25} == dict(first.settings)
    assert (dict(second.settings)["heads"], "dropout" in second.assumed) == (12, True)


def test_the_sizes_and_the_precision_of_the_file_are_not_assumed_to_be_others() -> None:
    text = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int = 256, heads: int = 8):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads)

    def forward(self, x):
        return self.attention(x, x, x)[0]
"""
    (found,) = plans(text, "TPL603")
    settings = dict(found.settings)
    assert (settings["width"], settings["heads"], settings["dtype"]) == (256, 8, "float32")
    assert not {"width", "heads", "dtype"} & set(found.assumed)


def test_after_is_what_the_fixer_makes() -> None:
    (found,) = plans(zeros('torch.ones(64, 32).to("cuda")'), "TPL201")
    assert found.programs is not None
    assert "torch.ones(rows, columns, dtype=torch.float32).to(device)" in found.programs.before
    assert "torch.ones(rows, columns, dtype=torch.float32, device=device)" in found.programs.after
    assert found.programs.safety is Safety.SAFE


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ("rows", "NAME=VALUE"),
        ("rows=", "NAME=VALUE"),
        ("nothing=4", "no bench has a parameter `nothing`"),
        ("rows=many", "`rows` must be a whole number"),
        ("factory=__import__", "`factory` must be one of"),
    ],
)
def test_a_shape_that_nothing_takes_is_an_error(shape: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        session.options(None, None, [shape], None)


@pytest.mark.parametrize("device", ["gpu", "cuda:", "cuda:x", "mps", "cuda:0;"])
def test_a_device_that_is_none_is_an_error(device: str) -> None:
    with pytest.raises(ConfigError, match="verify-device"):
        session.options(device, None, [], None)


def test_parameters_take_what_they_are_for() -> None:
    assert Size(4).read("12") == 12
    assert Flag(default=True).read("False") is False
    assert Number(0.5, 0, 1).read("0.25") == 0.25
    assert Choice("a", ("a", "b")).read("b") == "b"
    for parameter, text in ((Size(4), "0"), (Size(4), "1e3"), (Flag(default=True), "no"), (Number(0, 0, 1), "nan")):
        with pytest.raises(UnfitError):
            parameter.read(text)


def test_memory_that_runs_out_shrinks_what_may_shrink() -> None:
    (found,) = plans(zeros('torch.zeros(4096, 32).to("cuda")'), "TPL201")
    smaller = plan.shrunk(found)
    assert smaller is not None
    assert dict(smaller.settings) == {"factory": "zeros", "rows": 1024, "columns": 32, "dtype": "float32"}
    assert smaller.assumed == ("rows",), "what was made smaller is not what the source says"


@pytest.mark.parametrize("found", all_benches(), ids=lambda found: found.name)
def test_every_bench_is_what_its_rule_is_about(found: plan.Found) -> None:
    """The rule fires on the bench, and its fix, if it is not written by hand, changes it."""
    for each in plan.of_benches([found], {}):
        assert each.programs is not None, "the fix does not apply"
        assert each.programs.before != each.programs.after
        compile(each.programs.after, "after", "exec")
    if found.code is not None:
        text = found.bench.program(found.bench.defaults())
        config = Config(root=plan.FOLDER, rules=frozenset({found.code}))
        assert any(each.code == found.code for each in lint_text.lint(Source(text, "bench.py"), config))


@pytest.mark.parametrize(
    "attention",
    [
        pytest.param(
            """
class Attention(nn.Module):
    def __init__(self, dim: int = 384, heads: int = 6):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.qkv = nn.Linear(dim, 3 * dim)
        self.register_buffer("mask", torch.tril(torch.ones(256, 256)))

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        weights = (q @ k.transpose(-2, -1) * self.scale).softmax(dim=-1)
        return weights @ v
""",
            id="timm",
        ),
        pytest.param(
            """
class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.key, self.query, self.value = nn.Linear(384, 384), nn.Linear(384, 384), nn.Linear(384, 384)
        self.n_head = 6
        self.register_buffer("mask", torch.tril(torch.ones(256, 256)))

    def forward(self, x):
        B, T, C = x.size()
        k = self.key(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = self.query(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = self.value(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        return att @ v
""",
            id="minGPT",
        ),
        pytest.param(
            """
class Attention(nn.Module):
    def __init__(self, dim=512, heads=6, dim_head=64):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, 3 * heads * dim_head)
        self.scale = dim_head**-0.5
        self.register_buffer("mask", torch.ones(256, 256).tril())
        self.register_buffer("other", torch.tril(torch.ones(256, 256)))

    def forward(self, x):
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), self.to_qkv(x).chunk(3, dim=-1))
        weights = F.softmax(torch.matmul(q, k.transpose(-1, -2)) * self.scale, dim=-1)
        return torch.matmul(weights, v)
""",
            id="lucidrains",
        ),
    ],
)
def test_attention_is_measured_with_the_heads_of_the_file(attention: str) -> None:
    head = "import math\nimport torch\nimport torch.nn.functional as F\nfrom einops import rearrange\nfrom torch import nn\n"
    (found,) = plans(head + attention, "TPL602")
    told = {name: value for name, value in found.settings if name not in found.assumed}
    assert told == {"heads": 6, "width": 64, "length": 256, "dtype": "float32"}


def test_what_attention_does_not_show_is_assumed() -> None:
    text = """
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.scale = dim**-0.5

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        with torch.autocast("cuda"):
            return (q @ k.transpose(-2, -1) * self.scale).softmax(dim=-1) @ v
"""
    (found,) = plans(text, "TPL602")
    assert set(found.assumed) == {"batch", "heads", "length", "width", "dtype"}


@pytest.mark.parametrize(
    ("code", "form"),
    [
        (found.code, form)
        for found in all_benches()
        for form in getattr(found.bench.parameters.get("form"), "options", ())
    ],
)
def test_a_finding_is_measured_in_the_form_that_it_has(code: str, form: str) -> None:
    """The program of a bench has one; what is found there is measured in the same."""
    (bench,) = [found.bench for found in all_benches() if found.code == code]
    found = plans(bench.program({**bench.defaults(), "form": form}), code)
    assert {dict(plan.settings)["form"] for plan in found} == {form}
    assert not any("form" in plan.assumed for plan in found)


def test_what_no_bench_is_like_is_not_measured() -> None:
    text = """
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, x: torch.Tensor):
        made = torch.zeros(1024, 1024, device="cuda")
        made = x.cuda() * 2
        return made
"""
    assert plans(text, "TPL612") == []


def test_a_loader_is_measured_with_the_batch_of_the_file() -> None:
    text = """
import torch
from torch.utils.data import DataLoader, TensorDataset

BATCH = 48


def train(model, optimizer, data: TensorDataset):
    loader = DataLoader(data, batch_size=BATCH, num_workers=2, shuffle=True)
    for epoch in range(10):
        for x, y in loader:
            loss = model(x.cuda()).sum()
            loss.backward()
            optimizer.step()
"""
    (found,) = plans(text, "TPL204")
    assert {"batch": 48, "workers": 2}.items() <= dict(found.settings).items()
    assert not {"batch", "workers"} & set(found.assumed)
