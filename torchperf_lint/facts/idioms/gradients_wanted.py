"""Where gradients are wanted of what is evaluated, or were thought of: a model that works out forces, or freezes what it holds.

    def forward(self, z):
        return self.slope(z)
    def slope(self, z):
        return torch.autograd.grad(self.net(z).sum(), z, create_graph=True)[0]

Knows syntax, the words that say so, and what other files of the project say.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import class_names, value_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

REQUIRES: Final = frozenset(("requires_grad", "requires_grad_"))
OF_A_FORWARD: Final = "create_graph"
"""What nobody says but who trains on derivatives: a model's `forward` takes them, then."""
_GENERATES: Final = "generate"


@once
def hints(_: Module, node: ast.AST) -> bool:
    """Whether anything below a node says that gradients are wanted, or were thought of."""
    for inner in walk(node):
        match inner:
            case ast.Attribute(attr=name) | ast.Name(id=name) if value_names.wants_gradients(name):
                return True
            case ast.keyword(arg="requires_grad", value=ast.Constant(value=True)):
                return True
    return False


def are_told_by(model: Value) -> bool:
    """Whether the class of a model settles which gradients there are: it says so, has no parameters by its name, or runs
    `generate`, which Transformers does without them."""
    if not isinstance(model.ref, Class):
        return False
    methods = model.ref.methods
    generates = "forward" in methods and _GENERATES in _attributes(methods["forward"].node)
    sets = any(REQUIRES & _attributes(method.node) for method in methods.values())
    return sets or generates or class_names.reads(model.ref.name)


def are_taken_by(module: Module, model: Value) -> bool:
    """Whether the `forward` of a model, or a method that it calls, takes gradients itself, the forces of an energy; that of any in
    the file, if of the model nothing is known."""
    classes_of = [model.ref] if isinstance(model.ref, Class) else module.classes.values()
    return any(_takes(each) for each in classes_of if "forward" in each.methods)


def may_be_taken_elsewhere(analysis: Analysis, model: Value) -> bool:
    """Whether a file that imports this one takes gradients to train on: the model that it hands over may do so in its `forward`."""
    around = analysis.around()
    return not isinstance(model.ref, Class) and around is not None and around.is_said(analysis, OF_A_FORWARD)


def _takes(owner: Class) -> bool:
    """Whether a `forward` takes gradients, by way of methods of its class or not."""
    seen, left = set[str](), ["forward"]
    while left:
        name = left.pop()
        if name in seen or name not in owner.methods:
            continue
        seen.add(name)
        if hints(owner.methods[name].module, owner.methods[name].node):
            return True
        left += _attributes(owner.methods[name].node)
    return False


def _attributes(node: ast.AST) -> set[str]:
    return {inner.attr for inner in walk(node) if isinstance(inner, ast.Attribute)}
