from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.compile.graph_break_in_compiled_code import cure, match, operands

SAYS = {
    "branch": "a tensor decides where Python goes, which ends the graph: choose with `torch.where`",
    "read": "a value is read from a tensor, which ends the graph: leave it a tensor",
    "size": "the data decide the size of this, which ends the graph: use a full mask",
    "print": "printing ends the graph: print outside of what is compiled",
    "log": "logging ends the graph: log outside of what is compiled",
    "random": "random numbers of the host end the graph: draw them with torch, or hand them in",
    "host": "this is work of the host, which ends the graph: do it outside of what is compiled",
    "context": "the graph cannot enter this context, so nothing here is compiled: enter it outside",
    "rnn": "Dynamo ends the graph at this layer, unless `torch._dynamo.config.allow_rnn` is set",
    "grad": "a backward pass ends the graph: take it outside of what is compiled",
    "script": "TorchScript ends the graph: call the module that it was made of",
    "sparse": "sparse tensors end the graph: make them outside of what is compiled",
    "power": "Dynamo cannot follow `pow` of a tensor, which ends the graph: write `**`",
    "requires": "asking for gradients here ends the graph: do it before the compiled code",
    "skipped": "Dynamo does not look into this, which ends the graph: do it outside of what is compiled",
    "parameter": "a parameter is made here, which ends the graph: make it in `__init__`",
    "variable": "`Variable` has done nothing since torch 0.4, and ends the graph: leave it out",
    "text": "making text of a tensor ends the graph: do it outside of what is compiled",
}
TURNS = "the data decide how many turns this loop has, which ends the graph: go through all rows, with a mask"
RAISES = "an error here (`fullgraph`): "


@rule(
    "TPL702",
    screen=match.ends_graph,
    file=Facts.has_compiled,
    fix=Safety.UNSAFE,
    impact=Faster("for a step of eight small layers", many=True),
)
def check(
    node: cst.Call
    | cst.If
    | cst.While
    | cst.IfExp
    | cst.Assert
    | cst.BooleanOperation
    | cst.UnaryOperation
    | cst.CompFor
    | cst.Subscript
    | cst.AugAssign
    | cst.With
    | cst.Comparison
    | cst.Assign,
    facts: Facts,
) -> Findings:
    """Something in compiled code ends the graph.

    `torch.compile` turns Python into graphs. Where it meets what cannot be part of one, it ends the graph, lets Python do
    that, and begins another one after it: a graph break. In a loop, or inside of a context manager that cannot be left and
    entered again, it gives up on the whole function. With `fullgraph=True` it raises.

    Why
    ---
    Each graph is optimised by itself: nothing is fused across a break, each graph pays for its guards and its launch, and CUDA
    graphs (`mode="reduce-overhead"`) are cut where the break is. How much that costs depends on what is around it, and is not
    said here: `torchperf-lint verify TPL702` shows it of a small program, with the number of graphs, on a CPU too.

    Instead
    -------
    Let tensors choose: `torch.where(cond, a, b)`, or `torch.cond` where one side is dear. Keep numbers that are read from
    tensors as tensors of no dimension. Keep what prints, logs, draws numbers or asks the clock outside of what is compiled, or
    behind `if not torch.compiler.is_compiling():`. `torch._dynamo.config.capture_scalar_outputs` and
    `capture_dynamic_output_shape_ops` let numbers and sizes that the data decide become a part of the graph. A check by
    `assert tensor` compiles; `assert not tensor` and `if tensor: raise` do not, and become one. (`torch._check` takes a bool, no
    tensor: with `assert` the check stays in the graph.)

    When it is fine
    ---------------
    Where it runs seldom, and where what is around it is large. A list of numbers that is read with `tolist()`, or printed, is a
    hint: Python needs it, so that the graph must end somewhere. So is a loop over what the data select,
    `for i in torch.unique(x)`: where it stands in another loop Dynamo leaves the whole function to Python, and nothing else is
    reported there. What stands in the `backward` of a function of one's own
    whose `forward` ends the graph is not reported: Dynamo leaves both to Python.
    To Dynamo an array of NumPy is a tensor, and so is a number out of it.
    Only code is looked at that the file is seen to compile, or
    another one of the project that imports it (tests aside; in projects of up to 2,000 files), by `torch.compile` or by a setting
    of `transformers` or `accelerate`; not what is kept out by
    `torch.compiler.disable`, what stands behind a gate, in a branch for eager code, or is switched off by default. Nor is code
    whose `torch.compile` the program itself leaves off (`compile_blocks=False`); where a command line or settings may switch
    that on, it is a hint. What torch 2.13 compiles is not reported, as `.numpy()`, generators, `try` and `x[mask] = 0`. With
    `--assume-compiled` every `forward` is taken for compiled. [What Dynamo says of the findings](graph-breaks.md) has the figures.

    Fix safety
    ----------
    What prints or logs is silent in compiled code after its fix. `torch.where` works both sides out, and each passes its gradient to
    what it is made of: a side that is infinite or not a number where it is not chosen makes the gradient so. A failed `assert` of a
    tensor is a `RuntimeError` in compiled code, an `AssertionError` elsewhere, and nothing under `python -O`. A number that stays a
    tensor is rounded to its dtype. `Variable(x)` was a new tensor object with the data of `x`; without it, it is `x` itself.
    Dynamo was asked of each of these fixes: none is left with a break.
    """
    found = facts.ask(match.at, node)
    how = facts.compiled_at(facts.at(node))
    if found is None or not how.known:
        return
    is_of_loop = match.turns(facts.module, found) is not None
    says = f"{RAISES if how.value.fullgraph else ''}{TURNS if is_of_loop else SAYS[found.kind]}"
    shown = facts.node(found.shown)
    if isinstance(shown, cst.Call):
        shown = facts.spot(shown)
    is_hint = is_of_loop or match.is_of_numbers(found)
    yield Draft(shown, says, because=(how, *match.proof(found)), fix=_fix(node, found, facts), is_hint=is_hint)


def _fix(node: cst.CSTNode, found: operands.Break, facts: Facts) -> Fix[Edit] | None:
    at = facts.at(node)
    where = facts.spelling("torch.where")
    choice = cure.choice(facts, at, found)
    is_elif = isinstance(node, cst.If) and isinstance(facts.parent(node), cst.If)
    if choice is not None and where is not None and not is_elif:
        parts = (choice.test, choice.chosen, choice.other)
        text = f"{where}({', '.join(facts.source(facts.node(each)) for each in parts)})"
        text = f"{choice.target.id} = {text}" if choice.target is not None else text
        return Fix("Choose with `torch.where`", (Replace(node, text),), Safety.UNSAFE)
    if found.kind in ("print", "log"):
        return _kept_out(node, facts)
    if found.kind == "variable":
        return _bare(node, facts)
    denied = cure.denied(at, found)
    if denied is not None and isinstance(node, cst.Assert):
        text = f"{facts.operand(facts.node(denied))}.logical_not()"
        return Fix("Assert a tensor", (Replace(node.test, text),), Safety.UNSAFE)
    raised = cure.raised(at, found) if not is_elif else None
    if raised is not None:
        message = f", {facts.source(facts.node(raised.message))}" if raised.message is not None else ""
        text = f"assert {facts.operand(facts.node(raised.test))}.logical_not(){message}"
        return Fix("Assert a tensor", (Replace(node, text),), Safety.UNSAFE)
    read = cure.read(facts, found)
    if read is None:
        return None
    text = f"{facts.operand(facts.node(read))}.detach()"
    return Fix("Keep it a tensor", (Replace(facts.node(found.shown), text),), Safety.UNSAFE)


def _bare(node: cst.CSTNode, facts: Facts) -> Fix[Edit] | None:
    """What `Variable` is given, where it is given nothing else: a tensor is one."""
    match node:
        case cst.Call(args=[cst.Arg(value=given, keyword=None, star="")]):
            return Fix("Leave `Variable` out", (Replace(node, facts.operand(given)),), Safety.UNSAFE)
    return None


def _kept_out(node: cst.CSTNode, facts: Facts) -> Fix[Edit] | None:
    """The statement behind `if not torch.compiler.is_compiling():`, where it is one by itself."""
    asks = facts.spelling("torch.compiler.is_compiling")
    kept = facts.behind(node, f"not {asks}()") if asks is not None else None
    return Fix("Leave it out of what is compiled", (Replace(*kept),), Safety.UNSAFE) if kept is not None else None
