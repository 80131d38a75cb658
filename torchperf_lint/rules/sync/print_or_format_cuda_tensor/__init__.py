from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.sync.print_or_format_cuda_tensor import match

LEVELS = ("debug", "info", "warning", "warn", "error", "critical", "exception")
BARS = ("set_postfix", "set_postfix_str", "set_description", "set_description_str")
WRITERS = ("add_scalar", "add_scalars", "add_histogram")
TRACKERS = ("wandb.log", "mlflow.log_metric", "mlflow.log_metrics")
TEXTS = ("format", "str", "repr")
SAYS = dict.fromkeys(LEVELS, "the text of this message needs a value of the GPU: the host waits at every step")
SAYS |= dict.fromkeys(BARS, "the progress bar asks for a value of the GPU: the host waits for it at every step")
SAYS["print"] = "printing a value of the GPU at every step makes the host wait for it"
LOGGING = ("print", "log", "log_metric", "log_metrics", *LEVELS, *BARS, *WRITERS, *TEXTS)


@rule(
    "TPL106", names=LOGGING, frequency=Frequency.STEP, screen=match.may_be_shown, fix=Safety.UNSAFE,
    impact=Faster(host_work=(5, 10), many=True),
)  # fmt: skip
def check(node: cst.Call | cst.FormattedString | cst.BinaryOperation, facts: Facts) -> Findings:
    """A value on the GPU is printed, formatted or logged at every step, and the host waits for it.

    `print(loss)` must know the digits, and so must an f-string, `%`, a progress bar, TensorBoard and Weights & Biases.
    An f-string in `logger.debug(...)` is made even when nobody sees debug messages.

    Why
    ---
    The host waits until the GPU has done all that was queued before it. Printing a tensor waits more than once: for
    each value that is shown, and for the range that decides on the format.

    Instead
    -------
    Log every so many steps (`if step % 100 == 0`), or keep the values on the GPU and read them together at the end of
    an epoch. Give loggers their values as arguments (`logger.debug("loss %s", loss)`): they are formatted only if the
    message is wanted.

    When it is fine
    ---------------
    Behind a condition on the step, the rank or the level of detail, once an epoch, and for shapes, dtypes and numbers
    of Python. None of these is reported.

    Fix safety
    ----------
    In `logger.debug` of the standard library an f-string becomes a format with arguments. The text is the same, but it
    is not made where the level is off. Elsewhere a condition on the step is shown: you say how often to log.
    """
    kind = _kind(node, facts)
    if kind is None or _is_part_of_log(node, facts) or not facts.may_use_gpu():
        return
    read = _read(node, facts) or _given(node, kind, facts)
    if read is None:
        return
    wait = facts.host_wait(read)
    spot = facts.spot(node) if isinstance(node, cst.Call) else read if "\n" in facts.source(node) else node
    message = SAYS.get(kind, "a value of the GPU is made into text or logged: the host waits for it at every step")
    because = (wait if wait.known else facts.tensor(read),)
    fix = _lazy(node, kind, facts) or _every_so_often(node, facts)
    yield Draft(spot, message, because=because, about=node, fix=fix)


def _kind(node: cst.CSTNode | None, facts: Facts) -> str | None:
    """By what a node logs, or makes text; None if it does neither."""
    match node:
        case cst.FormattedString() | cst.ConcatenatedString():
            return "text"
        case cst.BinaryOperation(left=left, operator=cst.Modulo()):
            held = facts.value(left)
            return "text" if held.known and held.value.kind == "string" else None
        case cst.Call(func=cst.Name(value=name)) if name == "print" or name in TEXTS:
            return name
        case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=name))):
            is_logger = name in LEVELS and match.is_logger(_last(receiver))
            if is_logger or name in (*BARS, *WRITERS, "format") or facts.name(node.func) in TRACKERS:
                return name
    return None


def _last(node: cst.BaseExpression) -> str:
    match node:
        case cst.Call(func=func):
            return _last(func)
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name
    return ""


def _is_part_of_log(node: cst.CSTNode, facts: Facts) -> bool:
    """Whether something around a node speaks for it, or the text is that of an error, or made in some case alone."""
    above = facts.parent(node)
    while above is not None and not isinstance(above, cst.BaseStatement | cst.BaseSmallStatement):
        is_text = isinstance(above, cst.Call | cst.FormattedString | cst.BinaryOperation)
        if isinstance(above, cst.IfExp | cst.BooleanOperation) or (is_text and _kind(above, facts) is not None):
            return True
        above = facts.parent(above)
    return isinstance(above, cst.Raise | cst.Assert) or facts.ask(match.is_behind_wait, node)


def _read(node: cst.CSTNode, facts: Facts) -> cst.CSTNode | None:
    """What waits in something that is logged: a value that is read for it, or a text that is made."""
    if isinstance(node, cst.Call | cst.FormattedString | cst.ConcatenatedString | cst.BinaryOperation):
        wait = facts.host_wait(node)
        if wait.known and (wait.value.form == "format" or (wait.value.form == "read" and "logged" in facts.uses(node))):
            return node
    children = [] if isinstance(node, cst.Lambda) else node.children
    return next((found for child in children if (found := _read(child, facts)) is not None), None)


def _given(node: cst.CSTNode, kind: str, facts: Facts) -> cst.CSTNode | None:
    """A tensor that is handed over as it is, to be read at once."""
    if not isinstance(node, cst.Call) or kind in ("debug", "print", *TEXTS):
        return None
    values = [arg.value for arg in node.args]
    values += [item.value for each in values if isinstance(each, cst.Dict) for item in each.elements]
    return next((each for each in values if (fact := facts.tensor(each)).known and fact.value.maybe_cuda), None)


def _lazy(node: cst.CSTNode, kind: str, facts: Facts) -> Fix[Edit] | None:
    """`logger.debug(f"loss {loss:.3f}")` with the loss as an argument."""
    match node:
        case cst.Call(func=cst.Attribute(value=logger), args=[cst.Arg(value=cst.FormattedString() as text)]):
            lazy = facts.as_percent(text)
            if kind == "debug" and lazy is not None and _is_standard(logger, facts):
                values = ", ".join(facts.source(_unread(each, facts)) for each in lazy[1])
                return Fix("Format only what is shown", (Replace(text, f"{lazy[0]}, {values}"),), Safety.UNSAFE)
    return None


def _is_standard(logger: cst.BaseExpression, facts: Facts) -> bool:
    """Whether a logger is one of the standard library, whose messages are formatted by `%`."""
    bound = facts.ask(match.only_binding, logger)
    made = facts.node(bound) if bound is not None else None
    is_made = isinstance(made, cst.Call) and match.call_names.makes_logger(_last(made))
    return is_made or facts.name(logger) == "logging"


def _unread(node: cst.BaseExpression, facts: Facts) -> cst.BaseExpression:
    """`loss` of `loss.item()`."""
    match node:
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("item")), args=[]) if facts.tensor(inner).known:
            return inner
    return node


def _every_so_often(node: cst.CSTNode, facts: Facts) -> Fix[Edit] | None:
    """The statement behind `if step % 100 == 0`, where the loop counts its steps."""
    step = facts.ask(match.counter, node)
    gated = facts.behind(node, f"{step} % 100 == 0") if step is not None else None
    return Fix("Log every so many steps", (Replace(*gated),), Safety.SHOWN) if gated is not None else None
