"""A warning says that what was measured holds here: where the source shows that it does not, it is a hint, or nothing is said."""

from __future__ import annotations

from textwrap import dedent

import pytest

from torchperf_lint import lint_text
from torchperf_lint.model.finding import Severity

HEAD = "import torch\nimport torchvision\nfrom torch import nn\nfrom torch.utils.data import DataLoader, Dataset\n\n\n"
MADE = "e = torch.zeros(x.shape[0], n, 64).to(x.device)\n"
NET = "class Net(nn.Module):\n    def forward(self, x, n):\n"


def _said(code: str, text: str) -> str:
    """How grave the first finding of a rule is in a program; empty where there is none."""
    found = lint_text(HEAD + text, select=[code])
    return (
        {Severity.INFO: "hint", Severity.WARNING: "warning", Severity.ERROR: "error"}[found[0].severity]
        if found
        else ""
    )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("return x + torch.zeros(x.shape[0], n, 64).to(x.device)", "warning"),
        ("return x + torch.zeros(x.size()).to(x.device)", "warning"),
        ("return x + torch.zeros(x.shape[0], 16, n, n).to(x.device)", "warning"),
        # A few channels of a map that may be small, and a padding
        ("return x + torch.zeros(x.shape[0], 2, n, n).to(x.device)", "hint"),
        ("return torch.cat([x, torch.zeros(x.shape[0], n - x.shape[1], 64).to(x.device)], 1)", "hint"),
        ("return x + torch.zeros(x.shape[0], n - 1, 64).to(x.device)", "warning"),
        # A row for each item
        ("logits = x @ n\nreturn torch.zeros(logits.size()).to(x.device)", "hint"),
        ("rows = torch.mm(x, n)\nreturn torch.ones(rows.shape).to(x.device)", "hint"),
        # The next line overwrites it
        ("mask = torch.zeros(x.shape[0], n, 64).to(x.device)\nmask = x[:, None] & x\nreturn mask", ""),
        ("mask = torch.zeros(x.shape[0], n, 64).to(x.device)\nmask = mask | x\nreturn mask", "warning"),
        # Beside a loop over single elements
        (MADE + "for i in range(n):\n    for j in range(n):\n        e[:, i, j] += x[i, j]\nreturn e", "hint"),
        (MADE + "for i in range(n):\n    e[i, x[i]] = 1\nreturn e", "hint"),
        (MADE + "for i in range(n):\n    e[:, i] += x[i]\nreturn e", "warning"),
    ],
)  # fmt: skip
def test_what_is_made_on_the_host_must_be_much(lines: str, said: str) -> None:
    body = "".join(f"        {line}\n" for line in lines.split("\n"))
    assert _said("TPL201", NET + body) == said


def test_what_a_sampler_makes_at_each_of_its_few_steps_is_little() -> None:
    text = """
    class {owner}(nn.Module):
        def step(self, sample: torch.Tensor):
            return sample + torch.randn(sample.shape).to(sample.device)

        def forward(self, x):
            return self.step(x)
    """
    assert _said("TPL201", dedent(text.format(owner="Mixer"))) == "warning"
    assert _said("TPL201", dedent(text.format(owner="LCMScheduler"))) == "hint"


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ("state * 0.99", "warning"),
        ("torch.roll(state, 1).unsqueeze(0)", "warning"),
        ("model(state)", "hint"),
        ("net.encode(state)", "hint"),
        ("read(state)", "hint"),
        ("state @ weight", "hint"),
        ("nn.functional.linear(state, weight)", "hint"),
    ],
)
def test_a_tensor_that_grows_beside_more_than_light_work_is_a_hint(turn: str, said: str) -> None:
    text = f"""
    def run(state: torch.Tensor, weight: torch.Tensor, model, net, read, steps: int):
        state, path = state.cuda(), state.cuda()
        for _ in range(steps):
            path = torch.cat([path, {turn}])
        return path

    def fit(state, weight, model, net, read, loader, optimizer):
        for x in loader:
            run(state, weight, model, net, read, 1000).mean().backward()
            optimizer.step()
    """
    assert _said("TPL502", dedent(text)) == said


@pytest.mark.parametrize(
    ("data", "reading", "said"),
    [
        ("ImageFolder", "loss.backward()\n        total += loss.item()", "warning"),
        ("MNIST", "loss.backward()\n        total += loss.item()", "hint"),
        ("ImageFolder", "total += loss.item()", "hint"),
        ("ImageFolder", "total += loss.item()\n        loss.backward()", "hint"),
    ],
)
def test_a_read_waits_for_much_only_behind_the_backward_pass_of_no_tiny_network(
    data: str, reading: str, said: str
) -> None:
    text = (
        f"def fit(model: nn.Module, path, transform):\n    data = torchvision.datasets.{data}(path, transform=transform)\n"
        "    total = 0\n    model.cuda()\n    for x, y in DataLoader(data, batch_size=64):\n"
        f"        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())\n        {reading}\n    return total\n"
    )
    assert _said("TPL101", text) == said


@pytest.mark.parametrize(("comment", "said"), [("# the loss", "warning"), ("# on purpose: it trained like this", "")])
def test_a_backward_pass_under_autocast_that_a_comment_defends_is_left_alone(comment: str, said: str) -> None:
    text = f"""
    def step(model: nn.Module, x, amp, scaler, optimizer):
        model.cuda()
        with torch.autocast("cuda"):
            loss = model(x.cuda()).sum()
            {comment}
            loss = loss * 2
            if amp:
                scaler.scale(loss).backward()
        scaler.step(optimizer)
    """
    assert _said("TPL307", dedent(text)) == said


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("torch.tensor(table.values)", "warning"),
        ("self.tokenize(table.text[0])", ""),
        ("ffmpeg.input(table.path[0])", "hint"),
    ],
)
def test_text_that_is_no_table_of_numbers_is_not_to_be_saved_as_one(made: str, said: str) -> None:
    text = f"""
    import ffmpeg
    import pandas as pd

    class Clips(Dataset):
        def __getitem__(self, index):
            table = pd.read_csv(self.paths[index])
            return {made}

    def fit(model: nn.Module):
        for x in DataLoader(Clips()):
            model(x.cuda())
    """
    assert _said("TPL214", dedent(text)) == said


def test_a_forward_that_is_asked_for_samples_runs_for_no_batch() -> None:
    text = """
    class Gaussian(nn.Module):
        def __init__(self, n):
            super().__init__()
            self.register_buffer("mean", torch.zeros(n))
            self.register_buffer("std", torch.ones(n))

        def forward(self, {given}):
            return torch.distributions.Normal(scale * self.mean, self.std).sample(({count},))

    class All(nn.Module):
        def __init__(self):
            super().__init__()
            self.each = nn.ModuleList([Gaussian(4) for _ in range(12)])
            self.cuda()

        def forward(self, x):
            return x
    """
    of_a_batch, of_a_count = (
        {"given": "scale", "count": "1"},
        {"given": "n_sample, scale: float = 1.0", "count": "n_sample"},
    )
    assert _said("TPL614", dedent(text.format(**of_a_batch))) != ""
    assert _said("TPL614", dedent(text.format(**of_a_count))) == ""


BESIDE = """\
class Layer(nn.Module):
    def forward(self, x, y):
        if x.isnan().any():
            print("a number is missing")
        {line}
        return x * 2

    def check(self, y):
        return y.shape[0]

    def read(self, y):
        for each in y:
            self.total += y[y > each].sum()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(12))
        self.cuda()

    def forward(self, x, y):
        for each in self.layers:
            x = each(x, y)
        return x
"""


@pytest.mark.parametrize(
    ("line", "is_hint"),
    [
        ("x = x + 1", False),
        ("x = x + torch.from_numpy(self.scale).float().cuda()", True),
        ("x = torch.linalg.lstsq(x, y).solution", True),
        ("self.check(y)", False),
        ("self.read(y)", True),
        ("for each in y: x = x + y[y > each].sum()", True),
        ("if 'QUIET' not in os.environ: x = x + y[y > 0].sum()", True),
        ("if 'LOUD' in os.environ: x = x + y[y > 0].sum()", False),
    ],
)
def test_a_wait_beside_one_that_stays_is_a_hint_whatever_form_that_has(line: str, is_hint: bool) -> None:
    found = lint_text("import os\n" + HEAD + BESIDE.format(line=line), select=["TPL102"])
    (first,) = (each for each in found if "a condition asks" in each.message)
    assert (first.severity is Severity.INFO) == is_hint


@pytest.mark.parametrize(("torch", "said"), [("1.5", ""), ("1.8", "hint")])
def test_distributions_check_unasked_from_torch_1_8_on(torch: str, said: str) -> None:
    text = """
    class Policy(nn.Module):
        def forward(self, x):
            self.cuda()
            return torch.distributions.Categorical(logits=x.cuda()).log_prob(x.argmax(1))
    """
    found = lint_text(HEAD + dedent(text), select=["TPL614"], target_torch=torch)
    assert ("hint" if found else "") == said
