from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import (
    AddImport,
    Draft,
    Edit,
    Facts,
    Findings,
    Fix,
    InsertBefore,
    LessMemory,
    Replace,
    Safety,
    rule,
)
from torchperf_lint.rules.autograd.eval_without_no_grad import match


@rule(
    "TPL401",
    among=match.candidates,
    screen=match.may_be_evaluation,
    fix=Safety.UNSAFE,
    impact=LessMemory("for what a forward pass adds"),
)
def check(node: cst.For | cst.While | cst.Call, facts: Facts) -> Findings:
    """A model is evaluated with gradients on, so it keeps activations for a backward that never comes.

    `model.eval()` changes what dropout and batch norm do. Gradients are switched off by `torch.no_grad()` and `torch.inference_mode()`.

    Why
    ---
    With gradients on each operation holds its inputs until the output is let go. The peak memory of an evaluation is then about that
    of a training step, and outputs in a list keep all of it. Time changes little: with the memory, batches may be larger.

    `target = reward + discount * critic(actor(state)).detach()` in a training step or a `forward` makes two graphs and throws them
    away. Their memory is gained only where a step needs most memory just there, so it is a hint.

    A `predict` that puts a model into evaluation mode and runs it once is a hint as well: what its caller keeps of the output keeps
    the activations, and nothing shows that it asks for no gradient of it. So is a generation: a loop of a function called like
    `generate`, `sample` or `greedy` that picks an index at each turn, by `argmax` or `multinomial`, and runs the model on with it. No
    gradient comes back through an index, so where nothing else of what the model gives leaves the function, all graphs are thrown away.
    So is a function that runs a model for numbers of Python, `return q.argmax(1).item()`, or for what it detaches: whoever calls it
    gets no gradient of them. A method of a module counts where another one of its class switches gradients off itself, or where it
    predicts and nobody in the project switches them off. So is a function in one that is decorated, which gives it back to be run
    where gradients are on again, and one that a `generate` hands to a search.
    So is a forward pass of which nobody reads the output, as where statistics of batch norms are gathered, or in evaluation mode
    for what a first pass sets up, and so is a teacher that runs in the step of its student. Where nobody froze it, and its output
    is not detached, the backward pass of the loss goes through it too, for gradients that no optimizer takes: with a teacher as
    large as its student, made of linear layers, a step on an H100 took 1.49 times as long, and twice the memory (once, by hand).

    Instead
    -------
    Put `@torch.no_grad()` above the function, or the loop, or the line with `detach()`, into `with torch.no_grad():`.

    When it is fine
    ---------------
    When gradients are wanted in evaluation mode: adversarial examples, saliency, forces as gradients of an energy. Code that
    says so, frozen models, methods of modules and hooks of frameworks, and functions whose caller switches gradients off are not
    reported. A model of which nothing shows the class, in a file that trains nothing, is a hint: it may be frozen, or switch gradients
    off itself. So is one beside another that the same loop runs with gradients off: what is left may have no weights. So is a loop
    that says `volatile=True`, which was `no_grad` before torch 0.4: it has no fix.

    Fix safety
    ----------
    What leaves the function or the loop has no graph any more. Code out of sight that calls `backward` on it would raise.
    """
    if not facts.may_use_gpu():
        return
    if isinstance(node, cst.Call):
        for form in (_discarded, _one_batch, _of_teacher, _thrown_away):
            yield from form(node, facts)
        return
    loop = node
    evaluation = facts.ask(match.evaluation_of, loop)
    if not evaluation.known:
        return
    forward = facts.node(evaluation.value.forward)
    if not (facts.ask(match.is_called_without_gradients, loop) or facts.ask(match.is_derived_elsewhere, forward)):
        message = "gradients are on in an evaluation: activations are kept for a backward pass that never comes"
        is_old, whole = facts.ask(match.is_volatile, loop), evaluation.value.whole_function
        fix = None if is_old else _fix(loop, whole, facts)
        is_hint = is_old or not evaluation.value.is_shown or facts.ask(match.runs_another_without_gradients, loop)
        yield Draft(forward, message, because=(evaluation,), fix=fix, is_hint=is_hint)


def _discarded(detach: cst.Call, facts: Facts) -> Findings:
    """Forward passes of which nothing but a `detach()` is read, in a training step or the `forward` of a module."""
    found = facts.ask(match.discarded_forwards, detach)
    if not found.known or facts.runs_seldom(detach) or facts.gated(detach):
        return
    for forward in map(facts.node, found.value):
        if facts.in_training_step(forward) or facts.in_forward(forward):
            message = "gradients are on in a forward pass of which `detach()` throws the graph away"
            yield Draft(forward, message, because=(found,), is_hint=True)


def _one_batch(switch: cst.Call, facts: Facts) -> Findings:
    """A function called like an evaluation, which runs a model once."""
    found = facts.ask(match.single_forward, switch)
    function = facts.function(switch)
    if not found.known or not isinstance(function, cst.FunctionDef):
        return
    forward = facts.node(found.value)
    if not (facts.ask(match.is_called_without_gradients, forward) or facts.ask(match.is_derived_elsewhere, forward)):
        message = "gradients are on in an evaluation of one batch: the output keeps the activations alive"
        yield Draft(forward, message, because=(found,), fix=_decorated(function, facts), is_hint=True)


def _of_teacher(call: cst.Call, facts: Facts) -> Findings:
    """A teacher that runs in the step of its student."""
    found = facts.ask(match.teacher_forward, call)
    if not found.known or facts.runs_seldom(call) or facts.gated(call):
        return
    if (facts.in_training_step(call) or facts.in_forward(call)) and not facts.ask(
        match.is_called_without_gradients, call
    ):
        message = "gradients are on in a teacher: activations are kept for gradients that nobody takes"
        yield Draft(call, message, because=(found,), is_hint=True)


def _thrown_away(call: cst.Call, facts: Facts) -> Findings:
    """A forward pass for each batch of which nobody reads the output, or one of which nothing but picks, or numbers, is read."""
    found, fix = facts.ask(match.unread_forward, call), None
    message = "gradients are on in a forward pass of which nobody reads the output"
    if not found.known:
        found, function = facts.ask(match.generating_forward, call), facts.function(call)
        fix = _decorated(function, facts) if isinstance(function, cst.FunctionDef) else None
        message = "gradients are on in a generation: what it picks lets none of them through"
    if not found.known and (found := facts.ask(match.inner_forward, call)).known:
        message = "gradients are on in a function that is run later: decorate it as well"
    if not found.known:
        found = facts.ask(match.numbers_forward, call)
        message = "gradients are on in a forward pass of which nothing but numbers leaves the function"
    if found.known and not facts.ask(match.is_called_without_gradients, call):
        yield Draft(facts.node(found.value), message, because=(found,), fix=fix, is_hint=True)


def _fix(loop: cst.For | cst.While, whole_function: bool, facts: Facts) -> Fix[Edit]:
    """A decorator where all of the function is an evaluation, else a `with` around the loop."""
    function = facts.function(loop)
    if whole_function and isinstance(function, cst.FunctionDef):
        return _decorated(function, facts)
    no_grad, needed = _no_grad(facts)
    inside = cst.IndentedBlock([loop.with_changes(leading_lines=[])])
    around = cst.Module([cst.With([cst.WithItem(cst.parse_expression(no_grad))], inside)])
    return Fix(f"Run it under `{no_grad}`", (Replace(loop, _to_last_line(around.code)), *needed), Safety.UNSAFE)


def _decorated(function: cst.FunctionDef, facts: Facts) -> Fix[Edit]:
    no_grad, needed = _no_grad(facts)
    return Fix(f"Decorate it with `@{no_grad}`", (InsertBefore(function, f"@{no_grad}"), *needed), Safety.UNSAFE)


def _no_grad(facts: Facts) -> tuple[str, tuple[AddImport, ...]]:
    """How a file says that gradients are off, and what it has to import for that."""
    known = facts.spelling("torch.no_grad")
    return f"{known or 'torch.no_grad'}()", () if known else (AddImport("torch"),)


def _to_last_line(code: str) -> str:
    """Code without the comments below its last line, which stay where they are."""
    lines = code.rstrip().split("\n")
    while lines[-1].lstrip().startswith("#"):
        lines.pop()
    return "\n".join(lines)
