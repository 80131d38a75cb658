"""Programs drawn from a grammar of what people write with torch: some sense, any nesting, comments everywhere."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = st.sampled_from(["x", "y", "loss", "model", "out", "mask", "total", "device", "i"])
LEAVES = st.one_of(
    NAMES,
    st.sampled_from(
        ["0", "1.5", "None", '"cuda"', '"cpu"', "torch.float16", "self.scale", "x.shape[0]", "batch['x']", "-1", "True", "[]"]
    ),
)  # fmt: skip
CALLS = st.sampled_from(
    [
        "torch.zeros({0}, {1})", "torch.ones({0})", "torch.arange({0})", "torch.tensor([{0}, {1}])", "torch.randn({0})",
        "{0}.cuda()", "{0}.to({1})", '{0}.to("cuda")', "{0}.to(device, non_blocking=True)", "{0}.cpu()", "{0}.item()",
        "{0}.tolist()", "{0}.numpy()", "{0}.detach()", "{0}.float()", "{0}.half()", "{0}.sum()", "{0}.mean(dim=-1)",
        "{0}[{1}]", "{0}[{0} > {1}]", "{0}[..., None]", "{0} + {1}", "{0} @ {1}", "{0} > {1}", "not {0}", "({0} & {1}).any()",
        "torch.cat([{0}, {1}])", "torch.stack([{0} for _ in {1}])", "F.cross_entropy({0}, {1})", "model({0})", "float({0})",
        "torch.where({0}, {1}, 0)", "{0}.nonzero()", "len({0})", "print({0}, {1})", "{0} if {1} else {0}", "({0}, {1})",
        "lambda x: {0}", "{{'x': {0}, **{1}}}", "f'{{{0}}} {{{1}:.2f}}'", "[y for y in {0} if y]", "(z := {0})", "await_({0})",
        "torch.compile({0})", "torch.nn.Linear(3, 3)({0})", "torch.cuda.synchronize() or {0}", "{0}.masked_fill(mask, {1})",
        "{0}.to({1}.device)", "torch.zeros_like({0})", "torch.empty({0}).uniform_().cuda()", "nn.functional.relu({0})",
    ]
)  # fmt: skip
SIMPLE = st.sampled_from(
    [
        "{n} = {0}", "{n} += {0}", "{n}, y = {0}, {1}", "{0}", "return {0}", "del {n}", "assert {0}", "pass", "loss.backward()",
        "optimizer.step()", "optimizer.zero_grad()", "self.h = {0}", "outs.append({0})", "{n}: torch.Tensor = {0}",
        "x[mask] = {0}", "torch.cuda.empty_cache()", "raise ValueError({0})", "losses.append(loss.item())", "a = b = {0}",
        "x = torch.cat([x, {0}])", "global total", "from torch import nn as m", "x.add_({0}); y = {1}", "scaler.step(optimizer)",
    ]
)  # fmt: skip
COMPOUND = st.sampled_from(
    [
        "for {n} in {0}:", "for x, y in loader:", "for i, x in enumerate(loader):", "while {0}:", "if {0}:", "if i % 10 == 0:",
        "with torch.no_grad():", 'with torch.autocast("cuda"):', "with {0} as {n}:", "try:", "def f({n}, x={0}):",
        "class Net(torch.nn.Module):", "def forward(self, x):", "async def g(x: torch.Tensor, *a, **k):", "match {0}:",
        "@torch.compile", "@torch.no_grad()", "if torch.cuda.is_available():", "if self.training and {0}:", "else_",
        'if __name__ == "__main__":', "def __getitem__(self, i):", "def training_step(self, batch, i):",
    ]
)  # fmt: skip
COMMENTS = st.sampled_from(
    ["", "", "", "  # why", "  # noqa", "  # tpl: ignore[TPL201] it is meant", "  # type: ignore"]
)
HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\nfrom torch.utils.data import DataLoader\n"


def expressions() -> st.SearchStrategy[str]:
    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(lambda form, a, b: form.format(_closed(a), _closed(b)), CALLS, inner, inner)

    return st.recursive(LEAVES, larger, max_leaves=6)


def _closed(text: str) -> str:
    return text if text.isidentifier() else f"({text})"


@st.composite
def block(draw: st.DrawFn, depth: int) -> list[str]:
    """Some statements, each line without the indentation of the block."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()) and draw(st.booleans()):
            lines.append(draw(st.sampled_from(["", "# a comment", "    # one that stands wrong", "#: another"])))
        lines += draw(compound(depth - 1)) if depth and draw(st.integers(0, 2)) == 0 else [draw(statement())]
    return lines if any(line.strip() and not line.lstrip().startswith("#") for line in lines) else [*lines, "pass"]


@st.composite
def statement(draw: st.DrawFn) -> str:
    values = draw(expressions()), draw(expressions())
    return draw(SIMPLE).format(*values, n=draw(NAMES)) + draw(COMMENTS)


@st.composite
def compound(draw: st.DrawFn, depth: int) -> list[str]:
    head = draw(COMPOUND).format(draw(expressions()), n=draw(NAMES))
    inner = ["    " + line for line in draw(block(depth))]
    if head.startswith("@"):
        return [head, "def h(x, y=None):" + draw(COMMENTS), *inner]
    if head == "else_":
        return ["for x in y:", *inner, "else:", *inner]
    if head == "try:":
        return [head, *inner, "except RuntimeError as error:" + draw(COMMENTS), *inner, "finally:", "    pass"]
    if head.startswith("match"):
        return [
            head,
            "    case {'x': torch.Tensor(shape=[n, *_]) as x, **rest} if x:",
            *["    " + line for line in inner],
        ]
    return [head + draw(COMMENTS), *inner]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A whole program, with the newlines of any system."""
    text = HEAD + "\n".join(draw(block(3))) + draw(st.sampled_from(["\n", ""]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n", "\r"])))
