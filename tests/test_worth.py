"""Findings that are true, and of which the author gains next to nothing: they are hints, and say why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shell import Shell, write

Found = Callable[[str], dict[str, Any]]
HEAD = "import torch\nfrom torch import nn\n\n\n"
WAITED, GENERATES, TRIAL = "the host has just waited here", "a whole generation each time", "a trial"


@pytest.fixture
def found(run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Found:
    monkeypatch.chdir(tmp_path)

    def of(text: str, select: str = "TPL101,TPL102,TPL103,TPL106") -> dict[str, Any]:
        """The last finding of a file, or nothing."""
        write("a.py", HEAD + text)
        assert run("--isolated", "--no-cache", "--format", "json", "--select", select, ".") in (0, 1)
        findings = json.loads(run.out)["findings"]
        finding: dict[str, Any] = max(findings, key=lambda each: each["start"]["line"], default={})
        return finding

    return of


def _is_hint(finding: dict[str, Any], why: str) -> bool:
    return finding["severity"] == "info" and any(note["message"].startswith(why) for note in finding["because"])


STEP = """\
def step(model, x, y, optimizer, writer, train):
    loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
    loss.backward()
    optimizer.step()
    {first}
    {between}
    return loss.item()


def train(model, loader, optimizer, writer):
    total = 0.0
    for x, y in loader:
        for row in range(y.shape[0]):
            total += step(model, x[row], y[row], optimizer, writer, True)
    return total
"""


@pytest.mark.parametrize(
    "between",
    [
        "pass",
        "writer.add_scalar('rate', 0.1)",
        "if train: writer.add_scalar('rate', 0.1)",
        "kept = torch.zeros(3, device=y.device) + 1",
    ],
)
def test_a_wait_right_behind_another_one_is_one_finding_with_it(found: Found, between: str) -> None:
    step = STEP.format(first="writer.add_scalar('loss', float(loss.item()))", between=between)
    assert [each["line"] for each in found(step)["also"]] == [11]


@pytest.mark.parametrize(
    ("first", "between"),
    [
        ("pass", "pass"),
        ("writer.add_scalar('loss', float(loss.item()))", "model(x.cuda())"),
        ("writer.add_scalar('loss', float(loss.item()))", "y = x @ y"),
        ("writer.add_scalar('loss', float(loss.item()))", "for each in model.parameters(): each.grad = None"),
        ("if x.ndim == 2: writer.add_scalar('loss', float(loss.item()))", "pass"),
        ("y = 0 if x.ndim == 2 else loss.item()", "pass"),
    ],
)
def test_it_is_none_where_work_was_queued_or_nothing_waited_for_sure(found: Found, first: str, between: str) -> None:
    finding = found(STEP.format(first=first, between=between))
    assert (finding["start"]["line"], finding["severity"]) == (11, "warning")


def test_a_wait_in_a_branch_right_behind_its_condition_is_one_finding_with_it(found: Found) -> None:
    finding = found(
        "class Layer(nn.Module):\n"
        "    def forward(self, x: torch.Tensor):\n"
        "        x = x.cuda()\n"
        "        if x.sum() > 3:\n"
        "            x = x / x.max().item()\n"
        "        return x\n"
    )
    assert (finding["start"]["line"], [each["line"] for each in finding["also"]]) == (8, [9])


CALLED = """\
def scored(out: torch.Tensor, y):
    {body}


def train(model, loader, optimizer, criterion):
    total = scores = 0.0
    for x, y in loader:
        for row in range(16):
            loss = criterion(model(x[row].cuda(non_blocking=True)), y[row].cuda(non_blocking=True))
            loss.backward()
            optimizer.step()
            {first}
            total += loss.item()
    return total, scores
"""
CALL = "scores += scored(loss, y)"


@pytest.mark.parametrize(
    ("body", "first", "waited"),
    [
        ("return out.mean().item()", CALL, True),
        ("with torch.no_grad():\n        return (out.argmax(1) == y).sum().cpu()", CALL, True),
        ("return plain(out)\n\n\ndef plain(out: torch.Tensor):\n    return out.max().item()", CALL, True),
        ("return out.sum()", f"scores += loss.cpu(); {CALL}", True),
        ("return out.sum()", CALL, False),
        ("return (out @ y).sum()", f"scores += loss.cpu(); {CALL}", False),
        ("kept = out.max().item()\n    return out @ out * kept", CALL, False),
        ("if len(out) > 3:\n        return out @ out\n    return out.max().item()", CALL, False),
        ("if out.isnan().any():\n        out = out @ out\n    return out", CALL, False),
        ("return scored(out, y)", CALL, False),
    ],
)
def test_a_called_function_is_asked_how_it_ends(found: Found, body: str, first: str, waited: bool) -> None:
    finding = found(CALLED.format(body=body, first=first), "TPL101")
    is_told_there = "loss" not in finding["message"] and len(finding["also"]) == 1
    assert (is_told_there or _is_hint(finding, WAITED)) == waited


ROLLOUT = """\
def collect(model, prompts, memory):
    for prompt in prompts:
        prompt = torch.as_tensor(prompt).cuda()
        state = prompt[prompt != 0]
        {run}
        memory.append(answer.cpu())
"""


def test_a_wait_beside_a_whole_generation_is_a_hint_where_it_trains(found: Found) -> None:
    generating = "answer = model.generate(state)"
    assert not found(ROLLOUT.format(run=generating))
    trained = f"{generating}\n        model(answer).mean().backward()"
    assert _is_hint(found(ROLLOUT.format(run=trained)), GENERATES)


@pytest.mark.parametrize(
    "made", ["answer = nn.Linear(3, 4)(state)", "answer = model.generate(state) if memory else state"]
)
def test_it_is_none_where_nothing_is_generated_at_each_turn(found: Found, made: str) -> None:
    assert not _is_hint(found(ROLLOUT.format(run=made)), GENERATES)


LIBRARY = """\
class Shift(nn.Module):
    def forward(self, x: torch.Tensor):
        return x + 1


if __name__ == "__main__":
    shift = Shift().cuda()
    for _ in range(10):
        x = torch.rand(16, 3, 224, 224).cuda()
        {more}
"""


def test_a_trial_of_what_other_files_import_is_a_hint(found: Found) -> None:
    write("net.py", "from a import Shift\n\nshift = Shift()\n")
    assert _is_hint(found(LIBRARY.format(more="shift(x)"), "TPL201"), TRIAL)


@pytest.mark.parametrize(
    ("other", "more"), [("import torch\n", "shift(x)"), ("from a import Shift\n", "shift(x).sum().backward()")]
)
def test_a_program_is_no_trial(found: Found, other: str, more: str) -> None:
    write("net.py", other)
    assert found(LIBRARY.format(more=more), "TPL201")["severity"] == "warning"


ARRAYS = """\
import numpy as np


def train(model, steps):
    for _ in range(steps):
        rows = []
        for _ in range(5):
            rows.append(np.zeros(4))
        model(torch.tensor(rows){to}).sum().backward()


if __name__ == "__main__":
    train(nn.Linear(4, 1){to}, 10)
"""


def test_a_program_that_names_no_gpu_may_join_arrays_as_it_likes(run: Shell, found: Found) -> None:
    assert found(ARRAYS.format(to=".cuda()"), "TPL211")["severity"] == "warning"
    write("a.py", HEAD + ARRAYS.format(to=""))
    assert run("--isolated", "--no-cache", "--select", "TPL211", ".") == 0


@pytest.mark.parametrize(
    ("made", "severity"),
    [
        ("torch.zeros(x.shape[0], 1)", "info"),
        ("torch.ones(3)", "info"),
        ("torch.arange(x.shape[0])", "info"),
        ("torch.linspace(0, 1, x.shape[0])", "info"),
        ("torch.zeros(x.shape[0], 4, 4)", "info"),
        ("torch.zeros(x.shape[0], x.shape[1])", "info"),
        ("torch.zeros(x.shape[0], x.shape[1], x.shape[2])", "warning"),
        ("torch.randn(x.shape)", "warning"),
        ("torch.ones(x.shape[:-1])", "info"),
        ("torch.ones(*x.shape[:-1], 1)", "info"),
        ("torch.randn(*x.shape)", "warning"),
        ("torch.zeros(512, 512)", "warning"),
        ("torch.zeros(x.shape[0], x.shape[1] % 4, 64)", "info"),
        ("torch.zeros(x.shape[0], x.shape[1] // 4, 64)", "warning"),
    ],
)
def test_what_is_made_on_the_host_counts_where_it_may_be_large(found: Found, made: str, severity: str) -> None:
    text = f"class Net(nn.Module):\n    def forward(self, x: torch.Tensor):\n        x = x.cuda()\n        return x, {made}.to(x.device)\n"
    assert found(text, select="TPL201")["severity"] == severity


@pytest.mark.parametrize("part", ["x[x > 0]", "torch.nonzero(x)"])
def test_a_size_that_only_the_data_tells_is_a_hint(found: Found, part: str) -> None:
    text = f"class Net(nn.Module):\n    def forward(self, x: torch.Tensor):\n        return {part} * 2\n"
    finding = found(text)
    assert (finding["code"], finding["severity"]) == ("TPL102", "info")


LOOP = """\
def train(model, data, optimizer, device):
    total = 0.0
    loader = torch.utils.data.DataLoader(data, num_workers={workers}, pin_memory={pinned})
    for x, y in loader:
        optimizer.zero_grad()
        x, y = x.to(device, non_blocking={pinned}), y.to(device, non_blocking={pinned})
        loss = nn.functional.mse_loss(model(x), y)
        {before}
        loss.backward()
        optimizer.step()
        {after}
    return total


train(nn.Linear(9, 9).cuda(), [], torch.optim.SGD([]), torch.device("cuda"))
"""
NEXT, READ = "the host waits here in any case", "total += loss.item()"


@pytest.mark.parametrize(
    ("workers", "pinned", "before", "after", "is_next"),
    [
        (4, False, "pass", READ, True),
        (0, False, "pass", READ, False),
        (4, True, "pass", READ, False),
        (4, False, READ, "pass", False),
        (4, False, "pass", READ + "\n        print(model(x).shape)", False),
        (4, False, "pass", READ + "\n        if y.ndim == 1:\n            model(x)", False),
        (4, False, "pass", READ + "\n        if y.ndim == 1:\n            print(total)", True),
    ],
)
def test_a_wait_right_before_the_copy_of_the_next_batch_is_a_hint(
    found: Found, workers: int, pinned: bool, before: str, after: str, is_next: bool
) -> None:
    text = LOOP.format(workers=workers, pinned=pinned, before=before, after=after)
    finding = found(text, select="TPL101")  # type: ignore[call-arg]
    assert _is_hint(finding, NEXT) is is_next
    assert is_next or (finding["severity"] == "warning") is (workers == 0)


@pytest.mark.parametrize(
    ("data", "before", "after", "severity"),
    [
        ("Given()", "pass", READ, "warning"),
        ("Given()", READ, "pass", "info"),
        ("torch.utils.data.TensorDataset(torch.zeros(9, 9))", "pass", READ, "info"),
        ("Rows()", "pass", READ, "info"),
        ("torch.utils.data.random_split(Rows(), [5, 4])[0]", "pass", READ, "info"),
        ("Images()", "pass", READ, "warning"),
        ("Given()", "pass", "total += (loss == y.to(device)).sum().item()", "info"),
    ],
)
def test_a_read_behind_a_step_counts_where_the_host_has_a_batch_to_make(
    found: Found, data: str, before: str, after: str, severity: str
) -> None:
    head = "class {}(torch.utils.data.Dataset):\n    def __getitem__(self, i):\n        return {}\n\n\n"
    text = head.format("Rows", "self.x[i], self.y[i]") + head.format("Images", "Image.open(self.x[i])")
    loop = LOOP.replace("DataLoader(data,", f"DataLoader({data},").replace(
        "y = x.to(device, non_blocking={pinned}), y.to(device, non_blocking={pinned})",
        "labels = x.to(device, non_blocking=True), y.to(device, non_blocking=True)",
    )
    loop = loop.replace("(model(x), y)", "(model(x), labels)")
    finding = found(text + loop.format(workers=0, pinned=True, before=before, after=after), select="TPL101")  # type: ignore[call-arg]
    assert finding["severity"] == severity


@pytest.mark.parametrize(("kept", "is_next"), [("loss.detach().view(-1)", True), ("model(x)", False)])
def test_several_waits_right_before_one_that_stays_are_one_hint(found: Found, kept: str, is_next: bool) -> None:
    after = f"{READ}\n        {READ}\n        kept = {kept}.cpu().numpy()"
    finding = found(LOOP.format(workers=0, pinned=True, before="pass", after=after), select="TPL101")  # type: ignore[call-arg]
    assert _is_hint(finding, NEXT) is is_next
    assert len(finding["also"]) == 1


ONCE = "nothing shows that a step waits here many times"
STEPS = """\
def train(model, loader, data, optimizer, writer):
    total = 0.0
    {loop}
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        {read}


train(nn.Linear(9, 9).cuda(), Given(), [], torch.optim.SGD([]), None)
"""
MADE = "for x, y in torch.utils.data.DataLoader(data{}):"
EACH = "for each in model.parameters():\n            total += each.grad.norm().item()"


@pytest.mark.parametrize(
    ("loop", "read", "is_once"),
    [
        ("for x, y in loader:", READ, True),
        (MADE.format(""), READ, False),
        (MADE.format(", num_workers=0"), READ, False),
        (MADE.format(", num_workers=4"), READ, True),
        ("for x, y in tqdm.tqdm(range(1000)):", READ, True),
        ("for x, y in loader:", EACH, False),
        ("for x, y in loader:", "for i in range(y.shape[0]):\n            total += y[i].item()", False),
        ("for x, y in loader:", "for each in (x, y):\n            total += each.sum().item()", True),
        ("for x, y in loader:", "for i in range(len(writer)):\n            total += y.sum().item()", True),
        (
            MADE.format(", num_workers=4"),
            "for each in model.parameters():\n            total += each.grad.norm().item()",
            False,
        ),
    ],
)
def test_a_wait_once_a_step_is_a_hint_where_the_host_has_nothing_to_do(
    found: Found, loop: str, read: str, is_once: bool
) -> None:
    finding = found(STEPS.format(loop=loop, read=read), select="TPL101")  # type: ignore[call-arg]
    assert _is_hint(finding, ONCE) is is_once
    assert (finding["severity"] == "info") is is_once


LAYERS = """class Layer(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.cuda()
        {waits}
        return x @ x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.made = {made}


net = Net()
"""
WAIT = "x = x * x.max().item()"


@pytest.mark.parametrize(
    ("made", "waits", "is_once"),
    [
        ("Layer()", WAIT, True),
        ("nn.ModuleList(Layer() for _ in range(12))", WAIT, False),
        ("nn.Sequential(Layer(), Layer())", WAIT, True),
        ("nn.Sequential(Layer(), Layer(), Layer(), Layer())", WAIT, False),
        ("nn.TransformerEncoder(Layer(), num_layers)", WAIT, False),
        ("nn.TransformerEncoder(Layer(), None)", WAIT, True),
        ("Layer()", f"{WAIT}\n        for each in x:\n            {WAIT}", False),
        ("Layer()", "\n        x = x @ x\n        ".join([WAIT] * 2), True),
        ("Layer()", "\n        x = x @ x\n        ".join([WAIT] * 3), True),
    ],
)
def test_a_wait_of_one_thing_is_a_hint_and_one_of_each_layer_is_not(
    found: Found, made: str, waits: str, is_once: bool
) -> None:
    finding = found(LAYERS.format(made=made, waits=waits), select="TPL102")  # type: ignore[call-arg]
    assert _is_hint(finding, ONCE) is is_once


STAGES = """\
class Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        if x.cuda().max().item() > 0:
            return -x
        return x


class Block(nn.Module):
    def forward(self, x):
        return Drop.apply(x @ x)


class Net(nn.Module):
    def __init__(self, block, counts):
        super().__init__()
        self.first = self.stage(block, counts[0])

    def stage(self, kind, count):
        {body}


class Wide(Block):
    pass


net = Net({handed}, [3])
"""


@pytest.mark.parametrize(
    ("body", "handed", "severity"),
    [
        ("return nn.Sequential(*[kind() for _ in range(count)])", "Block", "warning"),
        ("return nn.Sequential(*[kind() for _ in range(count)])", "Block if torch.rand(1) else Wide", "warning"),
        ("return kind()", "Block", "info"),
        ("return [isinstance(each, kind) for each in range(count)]", "Block", "info"),
        ("return nn.Sequential(*[kind() for _ in range(count)])", "nn.Linear", "info"),
    ],
)
def test_layers_of_a_class_that_is_handed_on_are_many(found: Found, body: str, handed: str, severity: str) -> None:
    assert found(STAGES.format(body=body, handed=handed))["severity"] == severity


def test_of_two_waits_that_are_both_to_be_mended_neither_excuses_the_other(found: Found) -> None:
    text = "class Layer(nn.Module):\n    def forward(self, x: torch.Tensor):\n        x = x.cuda()\n        x = x @ x\n"
    text += "        if x.sum() > 3:\n            x = -x\n        x = x * x.max().item()\n        return x\n\n\n"
    text += "layers = nn.ModuleList(Layer() for _ in range(12))\n"
    finding = found(text)
    assert (finding["start"]["line"], finding["severity"], len(finding["also"])) == (9, "warning", 1)
    assert found(text.replace("x = x * x.max().item()", "x = x @ x"))["severity"] == "warning"


SIZES = ("small", "base", "large", "huge")
FACTORIES = "".join(f"def {size}():\n    return made()\n\n\n" for size in SIZES)
CHOICE = "".join(f"if size == {size!r}:\n    net = Layer()\nel" for size in SIZES) + "se:\n    net = None\n"


@pytest.mark.parametrize(
    ("more", "severity"),
    [
        ("", "info"),
        ("layers = [Layer() for _ in range(12)]\n", "warning"),
        ("layer = Layer()\n", "info"),
        (f"def made():\n    return Layer()\n\n\n{FACTORIES}", "info"),
        ("def made():\n    return Layer()\n\n\nnets = (made(), made(), made(), made())\n", "warning"),
        (f"size = 'small'\n{CHOICE}", "info"),
    ],
)
def test_one_wait_of_a_module_counts_where_several_are_made(found: Found, more: str, severity: str) -> None:
    text = "class Layer(nn.Module):\n    def forward(self, x: torch.Tensor):\n"
    text += f"        return x @ x * x.cuda().max().item()\n\n\n{more}"
    finding = found(text)
    assert finding["severity"] == severity
    assert _is_hint(finding, ONCE) is (severity == "info")


@pytest.mark.parametrize(
    ("beside", "severity"),
    [
        ("pass", "warning"),
        ("if step % 100 == 0:\n            print(loss.isnan().item())", "warning"),
        ("if loss.isnan():\n            raise ValueError", "info"),
    ],
)
def test_a_wait_is_a_hint_where_each_turn_waits_anyway(found: Found, beside: str, severity: str) -> None:
    text = STEPS.format(
        loop="for step, (x, y) in enumerate(torch.utils.data.DataLoader(data)):",
        read=f"{READ}\n        loss = model(x).sum()\n        {beside}",
    )
    assert found(text, select="TPL101")["severity"] == severity  # type: ignore[call-arg]


FITTED = """\
def main(args, loader):
    device = torch.device("cuda" if {asked} else "cpu")
    model = nn.Sequential(nn.Linear(9, 9), nn.Linear(9, 9), nn.Linear(9, 9)).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    {more}
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("more", "severity"),
    [
        ("pass", "info"),
        ("scaler = torch.cuda.amp.GradScaler()", "info"),
        ("other = torch.optim.SGD(model.parameters())", "info"),
        ("if args.plain:\n        optimizer = torch.optim.AdamW(model.parameters())", "info"),
        ("for each in loader:\n        other = torch.optim.Adam(model.parameters())", "info"),
        ("other = torch.optim.Adam(model.parameters())", "warning"),
    ],
)
def test_a_fused_optimizer_counts_where_it_is_a_good_part_of_a_step(found: Found, more: str, severity: str) -> None:
    text = FITTED.format(asked="torch.cuda.is_available()", more=more)
    assert found(text, select="TPL605")["severity"] == severity  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("asked", "choice"),
    [
        ("torch.cuda.is_available()", "torch.cuda.is_available()"),
        ("args.gpu and torch.cuda.is_available()", "next(model.parameters()).is_cuda"),
    ],
)
def test_a_fused_optimizer_goes_by_the_device_of_the_weights(found: Found, asked: str, choice: str) -> None:
    finding = found(FITTED.format(asked=asked, more="pass"), select="TPL605")  # type: ignore[call-arg]
    assert finding["fix"]["title"] == f"Pass `fused={choice}`"


SCRIPT = """\
def pad(x, n):
    return torch.zeros(1, 3, n, n).type_as(x)


model = nn.Linear(3, 3).cuda()
loader = torch.utils.data.DataLoader([])
{more}
with {mode}():
    for batch in loader:
        x = batch[0].cuda(non_blocking=True)
        x = model(pad(x, x.shape[-1]))
        print(x.mean().item())
"""


@pytest.mark.parametrize("select", ["TPL201", "TPL101,TPL105"])
@pytest.mark.parametrize(
    ("more", "mode", "is_hint"),
    [
        ("", "torch.no_grad", True),
        ("", "torch.enable_grad", False),
        ("optimizer = torch.optim.SGD(model.parameters())\noptimizer.zero_grad()", "torch.no_grad", False),
    ],
)
def test_a_script_that_goes_through_a_loader_without_gradients_is_an_evaluation(
    found: Found, more: str, mode: str, is_hint: bool, select: str
) -> None:
    finding = found(SCRIPT.format(more=more, mode=mode), select=select)  # type: ignore[call-arg]
    assert _is_hint(finding, "an evaluation: nothing in this file trains") is is_hint


EVALUATION = """\
def measure(model, loader):
    model.eval()
    total = 0
    for x, y in loader:
        total += (model(x.cuda()).argmax(1) == y.cuda()).sum()
    return total
"""
CALLER = (
    "import torch\nfrom a import measure\n\n\n{head}def main(net, loader):\n    print(measure(net.cuda(), loader))\n"
)


@pytest.mark.parametrize(("head", "codes"), [("@torch.no_grad()\n", set()), ("", {"TPL401"})])
def test_gradients_that_a_caller_in_another_file_switches_off_are_off(
    run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str, codes: set[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.py", HEAD + EVALUATION)
    write("b.py", CALLER.format(head=head))
    run("--isolated", "--no-cache", "--format", "json", "--select", "TPL401", ".")
    assert {each["code"] for each in json.loads(run.out)["findings"]} == codes


FORCES = (
    "import torch\nfrom a import measure\n\n\ndef forces(energy, x):\n    return torch.autograd.grad(energy, x{how})\n"
)


@pytest.mark.parametrize(("how", "codes"), [(", create_graph=True", set()), ("", {"TPL401"})])
def test_a_model_of_another_file_may_take_gradients_itself(
    run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, codes: set[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.py", HEAD + EVALUATION)
    write("b.py", FORCES.format(how=how))
    run("--isolated", "--no-cache", "--format", "json", "--select", "TPL401", ".")
    assert {each["code"] for each in json.loads(run.out)["findings"]} == codes


POLICY = """class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(9, 9)

    def forward(self, x: torch.Tensor):
        return {act}

    def generate(self, x: torch.Tensor):
        for _ in range(900):
            x = {turn}
        return x


policy = Policy().cuda()
"""
DRAWN = "torch.distributions.Categorical(logits=self.body(x)).sample()"


@pytest.mark.parametrize(
    ("act", "turn", "severity"), [(DRAWN, "self.body(x)", "info"), ("self.body(x)", DRAWN, "warning")]
)
def test_checks_of_one_distribution_are_a_hint_and_those_in_a_loop_that_generates_are_not(
    found: Found, act: str, turn: str, severity: str
) -> None:
    finding = found(POLICY.format(act=act, turn=turn), select="TPL614")  # type: ignore[call-arg]
    assert finding["severity"] == severity


PHOTOS = """from PIL import Image


class Photos(torch.utils.data.Dataset):
    def __getitem__(self, index):
        return self.transform(Image.open(self.paths[index]).convert("RGB"))


def train(model, optimizer):
    shown = torch.utils.data.DataLoader(Photos(), batch_size=1, shuffle=True)
    for x in torch.utils.data.DataLoader(Photos(){workers}):
        model(x.cuda()).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("workers", "severity"), [(", num_workers=2", "info"), ("", "warning")])
def test_a_loader_without_workers_beside_one_that_has_some_is_a_hint(found: Found, workers: str, severity: str) -> None:
    finding = found(PHOTOS.format(workers=workers), select="TPL209")  # type: ignore[call-arg]
    assert (finding["severity"], finding["fix"] is None) == (severity, severity == "info")


@pytest.mark.parametrize(
    ("made", "more", "severity"),
    [
        ("shown = torch.utils.data.DataLoader(Photos(), shuffle=True)", "next(iter(shown))", "info"),
        (
            "shown = torch.utils.data.DataLoader(Photos(), shuffle=True)",
            "nn.Linear(3, 3)(torch.ones(3)).sum().backward()",
            "warning",
        ),
        ("def loader():\n    return torch.utils.data.DataLoader(Photos(), shuffle=True)", "", "warning"),
        ("def loader():\n    return torch.utils.data.DataLoader(Photos())", "", "info"),
    ],
)
def test_a_loader_without_workers_counts_where_it_is_trained_on(
    found: Found, made: str, more: str, severity: str
) -> None:
    photos = PHOTOS.partition("def train")[0]
    text = f"{photos}{made}\n{more}\nprint(torch.cuda.is_available())\n"
    assert found(text, select="TPL209")["severity"] == severity  # type: ignore[call-arg]


VALIDATED = """def validate(loader):
    model = {made}.cuda()
    model.eval()
    for x in loader:
        print(model(x.cuda()).sum())
"""
TRAINED = """

def train(model, x):
    model(x).sum().backward()
"""


@pytest.mark.parametrize(
    ("made", "more", "severity"),
    [
        ("nn.Sequential(nn.Linear(3, 3), nn.ReLU())", "", "warning"),
        ("load(path)", "", "info"),
        ("load(path)", TRAINED, "warning"),
        ("given()", "\n\ndef given() -> nn.Module: ...\n", "info"),
    ],
)
def test_an_evaluation_of_a_model_from_out_of_sight_is_a_hint_where_nothing_trains(
    found: Found, made: str, more: str, severity: str
) -> None:
    finding = found(VALIDATED.format(made=made) + more, select="TPL401")  # type: ignore[call-arg]
    assert finding["severity"] == severity


@pytest.mark.parametrize(
    ("trained", "more", "severity"),
    [
        ("model(x)", "", "info"),
        ("model.recognize(x)", "", "warning"),
        ("model(x)", "print(model(x.cuda()).sum())", "warning"),
    ],
)
def test_a_method_of_a_model_from_out_of_sight_may_switch_gradients_off(
    found: Found, trained: str, more: str, severity: str
) -> None:
    validated = VALIDATED.format(made="load(path)").replace("model(x.cuda())", "model.recognize(x.cuda())")
    text = f"{validated}        {more}\n\n\ndef train(model, x):\n    {trained}.sum().backward()\n"
    assert found(text, select="TPL401")["severity"] == severity  # type: ignore[call-arg]


COMPILED = """\
@torch.compile
def step(x: torch.Tensor, found):
    for row in x:
        {work}
    return x * 2
"""


@pytest.mark.parametrize(
    ("work", "severity"),
    [
        ("found.extend(host(row.tolist()))", "info"),
        ("print([str(each) for each in row.tolist()])", "info"),
        ("print('row')", "warning"),
        ("found.append(float(row.sum()))", "warning"),
    ],
)
def test_a_graph_that_ends_where_python_needs_numbers_is_a_hint(found: Found, work: str, severity: str) -> None:
    finding = found(COMPILED.format(work=work), select="TPL702")  # type: ignore[call-arg]
    assert finding["severity"] == severity


@pytest.mark.parametrize(
    ("text", "severity"),
    [("print 3\n", "info"), ("print(3\n", "error")],
)
def test_a_file_of_python_2_is_a_hint(found: Found, text: str, severity: str) -> None:
    assert found(text)["severity"] == severity


CODED = """\
class Coded(nn.Module):
    def forward(self, x: torch.Tensor, codes):
        for row in x:
            {first}
        return x

    def encode(self, x: torch.Tensor):
        return x / x.cuda().max().item()
"""


@pytest.mark.parametrize(
    ("first", "severity"),
    [
        ("codes = self.encode(row)", "warning"),
        ("if codes is None:\n                codes = self.encode(row)", "info"),
    ],
)
def test_what_the_first_turn_makes_is_made_once(found: Found, first: str, severity: str) -> None:
    assert found(CODED.format(first=first))["severity"] == severity


HALF = """\
class Layer(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.cuda()
        if {test}x.isinf().any():
            x = x.clamp(-3, 3)
        return x


layers = nn.ModuleList(Layer() for _ in range(12))
"""


@pytest.mark.parametrize(("test", "code"), [("", 1), ("x.dtype == torch.float16 and ", 0)])
def test_who_asks_for_half_precision_first_is_not_told_of_a_wait(
    run: Shell, found: Found, test: str, code: int
) -> None:
    write("a.py", HEAD + HALF.format(test=test))
    assert run("--isolated", "--no-cache", "--select", "TPL102,TPL103", ".") == code


MEASURED = """\
def cost(module, x, start, end):
    loss = module(x.cuda()).sum()
    {first}
    loss.backward()
    {last}
    torch.cuda.empty_cache()


cost(nn.Linear(3, 3), 3, 4, 5)
"""


@pytest.mark.parametrize(("last", "code"), [("start.step()", 1), ("print(start.elapsed_time(end))", 0)])
def test_who_measures_a_backward_pass_takes_no_step(run: Shell, found: Found, last: str, code: int) -> None:
    write("b.py", "from a import cost\n\nfor each in range(3):\n    cost(each, each, each, each)\n")
    write("a.py", HEAD + MEASURED.format(first="start.record()", last=last).partition("\n\n\ncost(")[0] + "\n")
    assert run("--isolated", "--no-cache", "--select", "TPL501", ".") == code


@pytest.mark.parametrize(("path", "code"), [("tests/run_test.py", 0), ("tests/run.py", 1), ("run_test.py", 1)])
def test_a_script_among_the_tests_is_a_test(run: Shell, found: Found, path: str, code: int) -> None:
    write(path, HEAD + VALIDATED.format(made="nn.Sequential(nn.Linear(3, 3), nn.ReLU())") + "\n\nvalidate([])\n")
    assert run("--isolated", "--no-cache", "--select", "TPL401", ".") == code


NORMS = """\
def norms(model):
    found = []
    for each in model.parameters():
        found.append(each.grad.norm().item())
    return found


def train(model, loader, optimizer):
    for x in loader:
        model(x).sum().backward()
        {call}
        optimizer.step()
"""
MAIN = "import a\n\n\nif __name__ == '__main__':\n    a.train(*made())\n"


@pytest.mark.parametrize(
    ("call", "program", "is_hint"),
    [
        ("norms(model)", MAIN, False),
        ("pass", MAIN, True),
        ("pass", "", False),
        ("pass", MAIN + "    a.norms(3)\n", False),
    ],
    ids=["called", "by nobody", "no program that could", "by the program"],
)
def test_what_nothing_in_a_project_with_a_program_calls_is_a_hint(
    call: str, program: str, is_hint: bool, found: Found
) -> None:
    write("main.py", program)
    write("setup.py", "import setuptools\nsetuptools.setup()\n")
    finding = found(NORMS.format(call=call), "TPL101,TPL607")
    assert _is_hint(finding, "nothing in the project is seen to use `norms`") == is_hint


def test_what_a_file_gives_away_and_nobody_takes_is_a_hint(found: Found) -> None:
    write("main.py", MAIN)
    write("setup.py", "import setuptools\nsetuptools.setup()\n")
    finding = found(NORMS.format(call="pass") + "\n\n__all__ = ['norms', 'train']\n", "TPL101,TPL607")
    assert _is_hint(finding, "nothing in the project is seen to use `norms`")


def test_what_tests_alone_call_is_a_hint(found: Found) -> None:
    write("main.py", MAIN)
    write("setup.py", "import setuptools\nsetuptools.setup()\n")
    write("tests/test_a.py", "import a\n\n\ndef test_norms():\n    assert a.norms(3) == 3\n")
    assert _is_hint(found(NORMS.format(call="pass"), "TPL101,TPL607"), "nothing in the project is seen to use `norms`")


@pytest.mark.parametrize(
    ("looked_up", "page", "is_run"),
    [
        ("args.model", "A program.\n", False),
        ("args.model", "Measured with `last_norms`.\n", True),
        ("'{}_norms'.format(args.kind)", "A program.\n", True),
        ("'last_norms'", "A program.\n", True),
    ],
)
def test_who_may_look_up_a_function_runs_what_texts_name(looked_up: str, page: str, is_run: bool, found: Found) -> None:
    write("main.py", MAIN.replace("import a\n", f"import a\nfrom a import *\n\nmade = eval({looked_up})\n"))
    write("README.md", page)
    text = NORMS.format(call="pass").replace("norms", "last_norms")
    assert bool(found(text, "TPL101,TPL607")) is is_run


PLUGIN = """\
class Plugin:
    def norms(self, model):
        found = []
        for each in model.parameters():
            found.append(each.grad.norm().item())
        return found

    def fit(self, model, loader, optimizer):
        for x in loader:
            model(x).sum().backward()
            self.norms(model)
            optimizer.step()
"""
FIND = """\
import importlib
import inspect
import sys


def find(name):
    module = importlib.import_module("plugins." + name)
    return [getattr(module, each) for each in module.__dir__() if inspect.isclass(getattr(module, each))]


if __name__ == "__main__":
    find(sys.argv[1])[0]().fit(*made())
"""


LOAD = """\
import glob
import importlib.util
import sys


def load(path):
    spec = importlib.util.spec_from_file_location("settings", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


if __name__ == "__main__":
    print(load({path})["made"].fit)
"""
OTHER = MAIN.replace("a.train(*made())", "print(made().fit)")


@pytest.mark.parametrize(
    ("program", "is_hint"),
    [
        (FIND, False),
        (OTHER, True),
        (LOAD.format(path="sys.argv[1]").replace("import glob\n", ""), True),
        (LOAD.format(path="glob.glob('*.py')[0]"), False),
    ],
)
def test_a_class_that_a_project_finds_by_looking_through_its_files_is_used(
    program: str, is_hint: bool, found: Found
) -> None:
    write("main.py", program)
    write("setup.py", "import setuptools\nsetuptools.setup()\n")
    finding = found(PLUGIN, "TPL101,TPL607")
    assert _is_hint(finding, "nothing in the project is seen to use") == is_hint


@pytest.mark.parametrize(
    ("more", "is_hint"),
    [
        ("from a import Plugin\n\n__all__ = ['Plugin']\n", True),
        ("from a import (\n    Plugin,\n    PluginState,\n)\n", True),
        ("from a import Plugin\n\nplugin = Plugin()\n", False),
        ("from a import Plugin as Adder\n\nmade = {'adder': Adder}\n", False),
        ("import a\n\nKINDS = {'adder': 'Plugin'}\n", False),
    ],
)
def test_who_only_hands_on_a_class_runs_nothing_of_it(more: str, is_hint: bool, found: Found) -> None:
    write("main.py", OTHER)
    write("setup.py", "import setuptools\nsetuptools.setup()\n")
    write("parts/__init__.py", more)
    assert _is_hint(found(PLUGIN, "TPL101,TPL607"), "nothing in the project is seen to use") == is_hint


def test_a_class_of_a_package_that_nothing_makes_is_a_hint(found: Found) -> None:
    write("main.py", OTHER)
    write("setup.py", "import setuptools\nsetuptools.setup()\n")
    write("parts/__init__.py", HEAD + PLUGIN)
    write("parts/more.py", "from parts import other\n")
    assert _is_hint(found("x = 3\n", "TPL101,TPL607"), "nothing in the project is seen to use")


USED = """\
def sample(logits, typical):
    probs = torch.softmax(logits, dim=-1)
    total = 0.0
    for each in range(probs.shape[-1]):
        total += {read}.item()
    return total


for prompt in range(1000):
    sample(answer(prompt), 0.9){more}
"""


@pytest.mark.parametrize(
    ("read", "more", "is_guess"),
    [
        ("logits.softmax(-1)[each]", "", True),
        ("logits.softmax(-1)[each]", "\nsample(torch.rand(3).cuda(), 0.9)", False),
        ("logits.cuda()[each]", "", False),
    ],
)
def test_what_only_its_use_shows_to_be_a_tensor_is_a_hint(found: Found, read: str, more: str, is_guess: bool) -> None:
    finding = found(USED.format(read=read, more=more))
    assert _is_hint(finding, "nothing but its use shows") is is_guess


ACTS = """\
class Act(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.act = act

    def forward(self, x: torch.Tensor):
        if self.act == "swish":
            return x * torch.sigmoid(x)
        return x


class Swish(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * torch.sigmoid(x)


class Net(nn.Module):
    def __init__(self, act="relu", is_old=False):
        super().__init__()
        self.acts = nn.ModuleList({made} for _ in range(9))
        if is_old:
            self.olds = nn.ModuleList([Swish(), Swish(), Swish(), Swish()])


net = Net({given}).cuda()
"""


@pytest.mark.parametrize(
    ("made", "given", "hints"),
    [
        ("Act(act)", "", [True, True]),
        ("Act(act)", "act='swish'", [False, True]),
        ("Act(act)", "is_old=True", [True, False]),
        ("Act('swish')", "", [False, True]),
        ("Act(chosen())", "", [False, True]),
        ("Act(act)", "chosen()", [False, True]),
    ],
)
def test_what_no_option_in_sight_makes_is_a_hint(
    run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: str, given: str, hints: list[bool]
) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.py", HEAD + ACTS.format(made=made, given=given))
    run("--isolated", "--no-cache", "--format", "json", "--select", "TPL601", ".")
    found = sorted(json.loads(run.out)["findings"], key=lambda each: each["start"]["line"])
    assert [_is_hint(each, "calls and defaults in sight leave") for each in found] == hints


GROWN = """\
class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor):
        out = x[:1].cuda()
        for i in range(x.size(0)):
            out = torch.cat([out, {part}])
        return out
"""


@pytest.mark.parametrize(("part", "severity"), [("x[i : i + 1]", "warning"), ("self.layer(x[i : i + 1])", "info")])
def test_what_grows_beside_a_layer_is_a_hint(found: Found, part: str, severity: str) -> None:
    finding = found(GROWN.format(part=part), select="TPL502")  # type: ignore[call-arg]
    assert finding["severity"] == severity


GATHERED = """\
def features(model, loader):
    model.cuda()
    out = torch.zeros(1, 3).cuda()
    for x in {loader}:
        out = torch.cat([out, {part}])
    return out
"""


@pytest.mark.parametrize(
    ("loader", "part"),
    [("torch.utils.data.DataLoader(loader)", "x.cuda()"), ("loader", "nn.Linear(3, 3).cuda()(x.cuda())")],
)
def test_what_grows_beside_batches_or_a_model_is_a_hint(found: Found, loader: str, part: str) -> None:
    assert found(GATHERED.format(loader=loader, part=part), select="TPL502")["severity"] == "info"  # type: ignore[call-arg]


INFERRED = """\
class Net(nn.Module):
    def forward(self, x: torch.Tensor, infer: bool = False):
        x = x.cuda()
        {test}:
            return x
        else:
            return x + torch.randn([x.shape[0], 16, x.shape[2]]).to(x.device)
"""


@pytest.mark.parametrize("test", ["if x.ndim == 2", "if infer"])
def test_what_is_made_at_every_step_is_a_warning(found: Found, test: str) -> None:
    assert found(INFERRED.format(test=test), select="TPL201")["severity"] == "warning"  # type: ignore[call-arg]


def test_what_is_made_in_inference_is_small_and_left_out_where_nobody_asks_for_it(
    run: Shell, empty_project: None
) -> None:
    write("a.py", HEAD + INFERRED.format(test="if not infer"))
    assert run("--isolated", "--no-cache", "a.py") == 0
    assert "TPL201" not in run.out
    assert run("reveal", "--isolated", "a.py:11") == 0
    assert "TPL201 is silent: left out, for nothing is gained here: line 8: calls and defaults in sight" in run.out


EVALUATED = """\
def evaluate(loader):
    model, layer = nn.Linear(3, 3).cuda().eval(), nn.Linear(3, 3).cuda().eval()
    total = 0
    for x in loader:
        y = layer(x.cuda())
        {manager}
            z = model(x.cuda())
        total += ((y - z) ** 2).mean().item()
    return total
"""


@pytest.mark.parametrize(("manager", "severity"), [("if x.ndim:", "warning"), ("with torch.no_grad():", "info")])
def test_an_evaluation_that_runs_its_model_without_gradients_is_a_hint_for_the_rest(
    found: Found, manager: str, severity: str
) -> None:
    assert found(EVALUATED.format(manager=manager), select="TPL401")["severity"] == severity  # type: ignore[call-arg]


TASKS = """\
def update(net, tasks, optimizer, loader):
    net.cuda()
    for batch in loader:
        net(batch.cuda()).sum().backward()
        for row in range(64):
            {inner}
            for p, q in zip(net.parameters(), inner.parameters()):
                p.grad.data.add_(q.grad.data * row)
        optimizer.step()
"""


@pytest.mark.parametrize(("inner", "severity"), [("inner = tasks", "warning"), ("inner = copy.deepcopy(net)", "info")])
def test_a_loop_over_weights_beside_a_task_of_meta_learning_is_a_hint(found: Found, inner: str, severity: str) -> None:
    text = "import copy\n\n" + TASKS.format(inner=inner)
    assert found(text, select="TPL607")["severity"] == severity  # type: ignore[call-arg]


SAMPLED = """\
from torchdiffeq import odeint


def dock(model, data, sampling):
    model.cuda()
    for x in torch.utils.data.DataLoader(data):
        torch.cuda.empty_cache()
        x = {made}
        model(x.cuda()).sum().backward()
"""


@pytest.mark.parametrize(("made", "severity"), [
    ("sampling(x, model=model, inference_steps=20)", "info"), ("sampling(x, model=model, width=20)", "warning"),
])  # fmt: skip
def test_a_flush_beside_a_whole_sampling_is_a_hint(found: Found, made: str, severity: str) -> None:
    assert found(SAMPLED.format(made=made), select="TPL501")["severity"] == severity  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("used", "severity"), [("print(model(x.cuda()))", "info"), ("model(x.cuda()).sum().backward()", "warning")]
)
def test_a_flush_is_a_hint_where_nothing_trains(found: Found, used: str, severity: str) -> None:
    loop = f"for x in torch.utils.data.DataLoader(data):\n        torch.cuda.empty_cache()\n        {used}\n"
    text = f"def go_through(model, data):\n    {loop}"
    assert found(text, select="TPL501")["severity"] == severity  # type: ignore[call-arg]


@pytest.mark.parametrize(("solver", "severity"), [("torchdiffeq", "info"), ("mine", "warning")])
def test_a_flush_beside_a_whole_solution_is_a_hint(found: Found, solver: str, severity: str) -> None:
    always = SAMPLED.replace("        if confident:\n    ", "").format(made="odeint(model, x, confident)")
    text = always.replace("torchdiffeq", solver)
    assert found(text, select="TPL501")["severity"] == severity  # type: ignore[call-arg]


PENALTY = """\
class Critic(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        ones = torch.ones(y.size()).to(y.device)
        return torch.autograd.grad({given}, create_graph=True)[0]
"""


@pytest.mark.parametrize(("given", "severity"), [
    ("y, x, grad_outputs=ones", "info"), ("outputs=y * ones, inputs=x", "warning"),
])  # fmt: skip
def test_what_weighs_scores_for_their_gradients_is_small(found: Found, given: str, severity: str) -> None:
    assert found(PENALTY.format(given=given), select="TPL201")["severity"] == severity  # type: ignore[call-arg]


CLIPPED = """\
def clip_gradient(optimizer, clip: float):
    for group in optimizer.param_groups:
        for p in group["params"]:
            if p.grad is not None:
                p.grad.data.clamp_(-clip, clip)
"""
CLIPS = """\


def train(model, loader, optimizer):
    for x in loader:
        loss = model.cuda()(x.cuda()).sum()
        loss.backward()
        clip_gradient(optimizer, 1.0)
        optimizer.step()
"""


@pytest.mark.parametrize(("rest", "is_shown"), [("", False), (CLIPS, True)])
def test_what_only_a_name_suggests_to_run_at_every_step_is_a_hint(found: Found, rest: str, is_shown: bool) -> None:
    finding = found(CLIPPED + rest, "TPL607")
    assert _is_hint(finding, "`clip_gradient` looks at the gradients of every step by its name") is not is_shown
    assert _is_hint(finding, "nothing shows that a step has many of these") is is_shown


ATTENTION = """\
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        {table}

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        scores = q @ k.mT / 8
        scores = scores + self.table.unsqueeze(0)
        return scores.softmax(dim=-1) @ v


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Attention() for _ in range(9))


{more}
"""
PROGRAM = """\
def main(loader):
    net = Net().cuda()
    optimizer = torch.optim.AdamW(net.parameters())
    for q, k, v in loader:
        {precision}
        net(q.cuda(), k.cuda(), v.cuda()).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    main(data())
"""
FIXED = "self.register_buffer('table', torch.zeros(4, 1, 64))"
TRAINED = "self.table = nn.Parameter(torch.zeros(4, 64, 64))"
IN_HALF = "torch.set_default_dtype(torch.bfloat16)"


@pytest.mark.parametrize(
    ("table", "more", "severity"),
    [
        (FIXED, "def made():\n    return Net().cuda()", "warning"),
        (TRAINED, "def made():\n    return Net().cuda()", "info"),
        (FIXED, PROGRAM.format(precision=IN_HALF), "warning"),
        (FIXED, PROGRAM.format(precision="pass"), "info"),
    ],
)
def test_attention_by_hand_is_a_hint_with_a_trained_bias_or_in_float32(
    found: Found, table: str, more: str, severity: str
) -> None:
    text = ATTENTION.format(table=table, more=more)
    assert found(text, "TPL602")["severity"] == severity


@pytest.mark.parametrize(("rows", "severity"), [("rows", "info"), ("rows: torch.Tensor", "warning")])
def test_a_condition_on_what_is_a_tensor_by_its_role_alone_is_a_hint(found: Found, rows: str, severity: str) -> None:
    text = f"""\
class Net(nn.Module):
    def forward(self, x, {rows}):
        device = x.device
        for row in rows:
            if row[0] > 0:
                x = x + torch.ones(3, device=device)
        return x
"""
    finding = found(text, "TPL103")
    assert finding["severity"] == severity
    assert severity == "warning" or _is_hint(finding, "nothing but its role shows that it is a tensor")


@pytest.mark.parametrize(("asked", "is_told"), [("rate > 0.0", False), ("not rate", False), ("rate.sum() > 0.0", True)])
def test_a_parameter_that_is_asked_as_numbers_are_is_none_that_is_told(
    run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, is_told: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    text = f"class Net(nn.Module):\n    def forward(self, x, rate):\n        return x * 2 if {asked} else x.cuda()\n"
    write("a.py", HEAD + text)
    assert run("--isolated", "--no-cache", "--format", "json", "--select", "TPL102,TPL103", ".") in (0, 1)
    assert bool(json.loads(run.out)["findings"]) is is_told


PLAIN_ATTENTION = """\
class Attention(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        weights = (q @ k.transpose(-2, -1) / 8).softmax(-1)
        return weights @ v


layers = nn.ModuleList(Attention().cuda() for _ in range(12))
"""


def test_attention_of_a_project_that_trains_in_float32_is_a_hint(found: Found) -> None:
    write("train.py", "def step(loss):\n    loss.backward()\n")
    assert found(PLAIN_ATTENTION, "TPL602")["severity"] == "info"
    write("half.py", "import torch\n\nhalf = torch.autocast('cuda')\n")
    assert found(PLAIN_ATTENTION, "TPL602")["severity"] == "warning"


SUMMED = """\
def train(model, loader, optimizer):
    device = {device}
    model.to(device)
    total = 0.0
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total
"""


@pytest.mark.parametrize(
    ("device", "text"), [("'cuda'", "loss.detach().double()"), ("'mps' if model.is_small else 'cuda'", "loss.detach()")]
)
def test_a_total_is_as_wide_as_each_device_that_the_file_names(found: Found, device: str, text: str) -> None:
    edits = found(SUMMED.format(device=device), "TPL101")["fix"]["edits"]
    assert text in [each["content"] for each in edits]


GUARDED = """\
class Net(nn.Module):
    def forward(self, x: torch.Tensor, cache):
        return self.scaled(x.cuda(), cache)

    def scaled(self, x, cache):
        for step in range(x.shape[0]):
            length = cache.length()
            {guard}
                length = length.item()
            x = x * length
        return x
"""


@pytest.mark.parametrize(
    ("guard", "is_found"),
    [("if torch.is_tensor(length):", False), ("assert torch.is_tensor(length)\n            if cache:", True)],
)
def test_a_tensor_that_only_a_guard_speaks_for_is_none(found: Found, guard: str, is_found: bool) -> None:
    assert bool(found(GUARDED.format(guard=guard), "TPL102")) == is_found


def test_a_guard_is_passed_by_what_is_a_tensor(found: Found) -> None:
    known = "if torch.is_tensor(length := x.sum()):"
    assert found(GUARDED.format(guard=known), "TPL102")
