"""What findings say and how grave they are, where that depends on the program; where they stand, the fixtures hold."""

from __future__ import annotations

from textwrap import dedent

import pytest

from torchperf_lint import Finding, lint_text
from torchperf_lint.model.finding import Confidence, Safety, Severity


def only(code: str, text: str) -> Finding:
    """The one finding of a rule in a program."""
    (found,) = lint_text(dedent(text), select=[code])
    return found


@pytest.mark.parametrize(
    ("made", "says", "severity"),
    [
        ("torch.randn(1024, 1024)", "makes 4 MiB on the CPU", Severity.WARNING),
        ("torch.zeros((2, 1024), dtype=torch.float64)", "makes 16 KiB on the CPU", Severity.INFO),
        ("torch.zeros(x.shape[0], 4)", "makes it on the CPU", Severity.INFO),
        ("torch.zeros(x.shape[0], 1024)", "makes it on the CPU", Severity.WARNING),
        ("torch.ones(3)", "makes 12 bytes on the CPU", Severity.INFO),
        ("torch.full((2, 2), 0.5)", "makes 16 bytes on the CPU", Severity.INFO),
        ("torch.eye(3)", "makes 36 bytes on the CPU", Severity.INFO),
        ("torch.arange(10)", "makes 80 bytes on the CPU", Severity.INFO),
        ("torch.randint(0, 5, (3,))", "makes 24 bytes on the CPU", Severity.INFO),
        ("torch.randperm(8)", "makes 64 bytes on the CPU", Severity.INFO),
    ],
)
def test_how_much_is_copied(made: str, says: str, severity: Severity) -> None:
    found = only(
        "TPL201",
        f"""
        import torch
        from torch import nn

        class Net(nn.Module):
            def forward(self, x):
                return x + {made}.to(x.device)
        """,
    )
    assert says in found.message
    assert found.severity is severity
    random = "rand" in made
    assert found.fix is not None
    assert found.fix.safety is (Safety.UNSAFE if random else Safety.SAFE)


def written(findings: list[Finding]) -> list[str]:
    """All that the fixes of some findings write."""
    return [edit.content for each in findings if each.fix is not None for edit in each.fix.edits]


def test_each_index_is_a_buffer_of_its_own_name() -> None:
    found = lint_text(
        dedent(
            """
            import torch
            from torch import nn

            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.layer = nn.Linear(3, 3)

                def forward(self, x):
                    return self.first(x), self.second(x), self.third(x)

                def first(self, x):
                    return x[:, [0, 2, 5]]

                def second(self, x):
                    return x[:, [4, 1]]

                def third(self, x):
                    return x[:, [-1, 0]]
            """
        ),
        select=["TPL114"],
    )
    names = [text for text in written(found) if text.startswith("self.")]
    assert names == ["self.index_0_2_5", "self.index_4_1", "self.index_minus1_0"]


@pytest.mark.parametrize("level", ["    ", "  ", "\t"])
def test_further_lines_of_a_statement_move_with_the_first(level: str) -> None:
    text = dedent(
        """
        import torch
        from torch import nn

        def train(model: nn.Module, loader, optimizer):
            model.cuda()
            for step, x in enumerate(loader):
                loss = model(x.cuda()).mean()
                loss.backward()
                optimizer.step()
                print(
                    f"step {step}",
                    loss.item(),
                )
        """
    ).replace("    ", level)
    (found,) = lint_text(text, select=["TPL106"])
    assert written([found]) == [
        'if step % 100 == 0:\n{3}print(\n{4}f"step {{step}}",\n{4}loss.item(),\n{3})'.format(
            *(level * depth for depth in range(5))
        )
    ]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (
            ["n = p.grad.data.norm(2)", "total += n.item() ** 2"],
            "total += torch.stack(torch._foreach_norm([p.grad for p in model.parameters()])).square().sum().item()",
        ),
        (
            ["if p.grad is not None:", "    total += p.grad.norm().item()"],
            "total += torch.stack(torch._foreach_norm("
            "[p.grad for p in model.parameters() if p.grad is not None])).sum().item()",
        ),
        (
            ["if p.grad is None:", "    continue", "total += p.grad.detach().pow(2).sum().item()"],
            "total += torch.stack(torch._foreach_norm("
            "[p.grad for p in model.parameters() if p.grad is not None])).square().sum().item()",
        ),
        (
            ["total += torch.norm(p, 2).item()"],
            "total += torch.stack(torch._foreach_norm([p for p in model.parameters()])).sum().item()",
        ),
        (["total += p.abs().max().item()"], None),
        (["total += p.norm(1).item()"], None),
        (["total += p.grad.norm().item()", "p.grad.mul_(0.5)"], None),
    ],
)
def test_norms_of_all_parameters_are_taken_at_once(body: list[str], shown: str | None) -> None:
    """Adding up on the GPU what each parameter gives is no faster: three launches cost what the wait did."""
    head = "import torch\nfrom torch import nn\n\ndef train(model: nn.Module, loader, optimizer):\n    model.cuda()\n"
    step = "    for x in loader:\n        model(x.cuda()).mean().backward()\n        total = 0.0\n"
    loop = "        for p in model.parameters():\n" + "".join(f"            {line}\n" for line in body)
    text = f"{head}{step}{loop}        optimizer.step()\n        print(total)\n"
    (found,) = lint_text(text, select=["TPL101"])
    assert (found.fix.edits[0].content if found.fix is not None else None) == shown
    if shown is None:
        return
    assert found.fix is not None
    assert found.fix.safety is Safety.SHOWN
    torch = pytest.importorskip("torch")
    model = torch.nn.Linear(3, 4)
    model(torch.randn(2, 3)).sum().backward()
    totals = []
    for code in (dedent(loop), shown):
        names = {"torch": torch, "model": model, "total": 0.0}
        exec(compile(code, "norms.py", "exec"), names)
        totals.append(names["total"])
    assert totals[0] == pytest.approx(totals[1])


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        ("right += (out.argmax(1) == y.cuda()).sum().item()", None),
        ("if loss.item() > 3: break", "`loss.item()` waits all the same"),
        ("if loss > 3: break", "`loss > 3` waits all the same"),
        ("if step % 100 == 0: print(loss.item())", None),
        ("numbers.append(loss.item())", "`loss.item()` waits all the same"),
    ],
)
def test_a_fix_says_what_waits_beside_it(line: str, stays: str | None) -> None:
    """Of two reads side by side, the cure of one alone gains nothing."""
    text = dedent(
        f"""
        import torch.nn.functional as F
        from torch import nn

        def train(model: nn.Module, loader, optimizer):
            model.cuda()
            total, right, numbers = 0.0, 0, []
            for step, (x, y) in enumerate(loader):
                out = model(x.cuda())
                loss = F.cross_entropy(out, y.cuda())
                loss.backward()
                optimizer.step()
                total += loss.item()
                {line}
            return total, right, numbers
        """
    )
    fixes = [each.fix for each in lint_text(text, select=["TPL101"]) if each.fix is not None]
    title = "Add up on the GPU and read the total once after the loop"
    titles = {each.title.removesuffix(" (here and at 1 more)") for each in fixes}
    assert titles == {title if stays is None else f"{title}; {stays}"}


def test_backward_of_what_nothing_is_known_of_proves_no_step() -> None:
    text = """\
import torch


def run(things):
    for thing in things:
        thing.backward()
        torch.cuda.empty_cache()
"""
    (finding,) = lint_text(text, select=["TPL501"])
    assert finding.confidence is Confidence.LIKELY
    (proven,) = lint_text(text.replace("thing.back", "torch.ones(3, requires_grad=True).sum().back"), select=["TPL501"])
    assert proven.confidence is Confidence.PROVEN


def test_a_loop_that_draws_from_a_replay_buffer_is_not_said_to_generate() -> None:
    found = only(
        "TPL607",
        """
        import torch
        from torch import nn

        critic, target = nn.Linear(3, 3).cuda(), nn.Linear(3, 3).cuda()


        def average() -> None:
            for kept, new in zip(target.parameters(), critic.parameters()):
                kept.data.copy_(0.9 * kept.data + 0.1 * new.data)


        def train(buffer, agent):
            for turn in range(1000):
                agent.learn(buffer.sample(64))
                average()
        """,
    )
    said = " ".join(each.message for each in found.because)
    assert "a loop that draws samples" in said
    assert "generates" not in said


@pytest.mark.parametrize(
    ("index", "says"),
    [
        ("x.argmax(0)", "or an index of one element"),
        ("torch.arange(3, device='cuda')", "copied to the GPU to be written"),
    ],
)
def test_what_is_copied_where_an_index_may_be_one_number(index: str, says: str) -> None:
    found = only(
        "TPL113",
        f"""
        import torch
        from torch import nn

        class Net(nn.Module):
            def forward(self, x):
                y = torch.zeros(4, 4, device="cuda")
                i = {index}
                y[:, i] = -1
                return y
        """,
    )
    assert says in found.message


@pytest.mark.parametrize(
    ("start", "says"),
    [("", "at every step, for bookkeeping alone"), ("total = 0.0", "at each turn, only to be added up")],
)
def test_a_sum_that_a_step_looks_at_is_no_bookkeeping(start: str, says: str) -> None:
    found = only(
        "TPL101",
        f"""
        import torch
        from torch import nn

        def train(model: nn.Module, loader, optimizer, scale=1.0):
            model.cuda()
            total = 0.0
            for x in loader:
                {start or "pass"}
                model(x.cuda()).sum().backward()
                for head in (0, 1, 2):
                    total += model(x.cuda() * head).mean().item()
                {"scale = scale - total / 3" if start else "pass"}
                optimizer.step()
            return total, scale
        """,
    )
    assert says in found.message
