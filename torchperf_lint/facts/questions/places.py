"""Questions about places: how hot they are, behind which gate, in which mode, and what the file is like."""

from __future__ import annotations

import ast

import libcst as cst

from torchperf_lint.facts.context import (
    by_name,
    callers_elsewhere,
    compiled,
    compiled_elsewhere,
    conditional,
    distribution_checks,
    eager_code,
    evaluations,
    file_traits,
    gates,
    gpu_use,
    host_only,
    how_often,
    in_tests,
    loader_workers,
    many_times,
    matmul_precision,
    modes,
    once_a_step,
    option_branches,
    overridden,
    placed_by_maker,
    runs_once,
    training,
    unused,
)
from torchperf_lint.facts.context.compiled import Compiled
from torchperf_lint.facts.context.frequency import COLD, Frequency
from torchperf_lint.facts.context.modes import Autocast
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.fact import Evidence, Fact
from torchperf_lint.facts.idioms import momentum, several_optimizers
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.questions.values import ValueQuestions


class PlaceQuestions(ValueQuestions):
    """Questions about places: how hot they are, behind which gate, in which mode, and what the file is like."""

    def frequency(self, node: cst.CSTNode) -> Fact[Frequency]:
        """How often the place of a node runs."""
        at = self._at(node)
        return self.frequency_at(at) if at is not None else COLD

    def frequency_at(self, node: ast.AST) -> Fact[Frequency]:
        return how_often.of(self.plain, self.module, node, self.settings.hot_functions)

    def never_runs_so_often_at(self, node: ast.AST, least: Frequency) -> bool:
        """Whether a node runs less often than this for all that is seen here, and no other file may make it run.

        It is the same for all that stands in one loop, or in one function outside of loops, and asked for each of them.
        """
        key = self._place(node)[0], least
        known = self._idle.get(key)
        if known is None:
            is_reached = self.may_be_reached_at(node) or by_name.has_any_for_others(self.plain, self.module)
            known = self._idle[key] = not is_reached and not self._runs_so_often(node, least)
        return known

    def _runs_so_often(self, node: ast.AST, least: Frequency) -> bool:
        here = self.frequency_at(node).value
        return isinstance(here, Frequency) and here >= least

    def may_be_reached_at(self, node: ast.AST) -> bool:
        """Whether another file may make a node run; none is read for that."""
        return callers_elsewhere.may_be_reached(self.plain, self.module.function_of(node))

    def frequency_in_project_at(self, node: ast.AST) -> Fact[Frequency]:
        """The same after a look at the files that may call what is here: they are read for it."""
        return how_often.of(self.plain, self.module, node, self.settings.hot_functions, away=how_often.AWAY)

    def knows_frequency_in_project_at(self, node: ast.AST) -> bool:
        """Whether that was looked at before, for something that runs as often."""
        return how_often.is_known(self.plain, self.module, node, self.settings.hot_functions, how_often.AWAY)

    def gated(self, node: cst.CSTNode) -> bool:
        """Whether a node stands behind a gate: every so many steps, one rank, verbose only, an exception."""
        at = self._at(node)
        return at is not None and self.gated_at(at)

    def gated_at(self, node: ast.AST) -> bool:
        return self.gate_at(node) is not None

    def gate_at(self, node: ast.AST) -> ast.AST | None:
        """The gate that a node stands behind: a condition, an `except`."""
        return gates.of(self.module, node)

    def runs_seldom(self, node: cst.CSTNode) -> bool:
        """Whether all in sight says that a node runs no more than once an epoch; nobody knows that of a library's functions."""
        return runs_once.runs_seldom(self.analysis, self.module, self.at(node), self.settings.hot_functions)

    def in_no_grad(self, node: cst.CSTNode) -> Fact[bool]:
        """Whether gradients are off where a node runs."""
        return modes.no_grad(self.analysis, self.module, self.at(node))

    def autocasts(self) -> list[Fact[Autocast]]:
        """Every autocast of the file; not known for what is only called so."""
        return modes.autocasts(self.analysis, self.module)

    def in_training_step(self, node: cst.CSTNode) -> bool:
        """Whether a loop that trains is what shows that a node runs at every step, or a call in one, in another file."""
        return training.in_step(self.analysis, self.module, self.at(node), self.frequency(node))

    def in_forward(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in the `forward` of a module."""
        return modes.in_forward(self.analysis, self.module, self.at(node)) is not None

    def serves_forward(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in the `forward` of a module, or in a function that one calls."""
        return modes.serves_forward(self.analysis, self.module, self.at(node))

    def in_compiled(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in code that `torch.compile` or `torch.jit` compiles."""
        return modes.compiled(self.module, self.at(node)) is not None

    def names_gpu(self) -> bool:
        """Whether the file names the GPU, or a device."""
        return bool(gpu_use.shown(self.module))

    def may_compile(self) -> bool:
        """Whether `torch.compile` may compile anything of the file, by its words and those of the files that import it."""
        if self.settings.assume_compiled or compiled.may_compile(self.module):
            return True
        return compiled_elsewhere.may_be(self.plain, self.module)

    def has_compiled(self) -> bool:
        """Whether `torch.compile` is seen to compile anything of the file: where it is not, nothing needs to ask of each node."""
        if self.settings.assume_compiled:
            return True
        try:
            return bool(compiled.reached(self.analysis, self.module)) or compiled_elsewhere.is_any(
                self.plain, self.module
            )
        except GaveUpError:
            return True  # who asks of a node is told so

    def compiled_at(self, node: ast.AST) -> Fact[Compiled]:
        """How `torch.compile` compiles the code of a node; not known where nothing in sight does."""
        assumed = self.settings.assume_compiled and not compiled.makes_batches(self.module)
        found = compiled.how(self.analysis, self.module, node, assumed=assumed)
        return found if found.known else compiled_elsewhere.how(self.plain, self.module, node, assumed=assumed)

    def compiled_by_option_at(self, node: ast.AST) -> Evidence | None:
        """The setting that is off by default, without which the code of a node is not compiled."""
        how = self.compiled_at(node)
        return how.value.option if isinstance(how.value, Compiled) else None

    def may_use_gpu(self) -> bool:
        """Whether anything of the file may run on a GPU."""
        return file_traits.may_use_gpu(self.analysis, self.module)

    def mentions(self, *names: str) -> bool:
        """Whether the file uses one of some names, as an identifier or as a keyword of a call."""
        return file_traits.mentions(self.module, names)

    def project_mentions(self, *names: str) -> bool:
        """Whether any file of the project, tests aside, says one of some names."""
        neighbours = self.plain.around()
        return neighbours is not None and any(map(neighbours.is_said_anywhere, names))

    def imports(self, *packages: str) -> bool:
        """Whether the file imports one of some packages, or something out of it."""
        return file_traits.imports(self.module, packages)

    def has_no_distribution_checks(self) -> bool:
        """Whether the program switches off, for all distributions, the checks of their arguments."""
        return distribution_checks.are_off(self.analysis, self.module)

    def keeps_momentum(self, made: cst.Call) -> bool:
        """Whether SGD, made by a call, may keep momentum."""
        at = self.at(made)
        return isinstance(at, ast.Call) and momentum.is_kept(self.analysis, self.module, at)

    def steps_several_optimizers(self) -> bool:
        """Whether the file makes several optimizers that are stepped side by side: their steps are a good part of the whole."""
        return several_optimizers.are_made(self.analysis, self.module)

    def conditional(self, node: cst.CSTNode) -> bool:
        """Whether a node runs only if some condition holds, also one around all calls of its function in sight."""
        return conditional.conditional(self.analysis, self.module, self.at(node))

    def product_precision(self) -> str:
        """In what the file multiplies matrices: "half", "tf32", "float32" where that is certain, or "open"."""
        return matmul_precision.of_products(self.module)

    def has_free_shapes(self, node: cst.CSTNode) -> bool:
        """Whether the shapes of a layer are the author's to choose: not those of weights that others trained, which nobody
        may change, nor compiled, where the compiler pads."""
        if matmul_precision.is_given(self.module) or matmul_precision.is_compiled(self.module):
            return False
        return not self.in_compiled(node)

    def tested_at(self, node: ast.AST) -> bool:
        """Whether a node stands in a test."""
        return self._place(node)[1]

    def is_of_tests(self) -> bool:
        """Whether all that the file holds stands in a test."""
        return in_tests.is_test(self.module.body)

    def _place(self, node: ast.AST) -> tuple[ast.AST | Function, bool]:
        known = self._places.get(node)
        if known is None:
            is_test = in_tests.is_test(self.module.function_of(node))
            known = self._places[node] = (how_often.place_of(self.module, node), is_test)
        return known

    def evaluation_at(self, node: ast.AST, frequency: Fact[Frequency]) -> Evidence | None:
        """The evaluation that a node is part of, which runs so often."""
        return evaluations.around(self.plain, self.module, node, frequency, self.settings.hot_functions)

    def trial_at(self, node: ast.AST) -> Evidence | None:
        """The `__main__` guard behind which a node tries out what other files import."""
        return file_traits.trial(self.plain, self.module, node)

    def once_a_step_at(self, node: ast.AST) -> Evidence | None:
        """The place around a node that runs once a step, where nothing shows that the host has work to do meanwhile."""
        return once_a_step.shown(self.plain, self.module, node)

    def many_times_at(self, node: ast.AST) -> Evidence | None:
        """What shows that a step comes to a node many times."""
        try:
            return many_times.shown(self.plain, node)
        except GaveUpError:
            return None

    def batch_after_at(self, node: ast.AST) -> Evidence | None:
        """The step loop around a node in which the host makes the next batch by itself."""
        return many_times.batch_after(self.plain, node)

    def place_at(self, node: ast.AST) -> ast.AST:
        """The innermost loop around a node, or its function."""
        place = self._place(node)[0]
        return place.node if isinstance(place, Function) else place

    def unused_at(self, node: ast.AST) -> bool:
        """Whether a node stands in a function or a class that nothing in the project uses."""
        return unused.is_unused(self.plain, self.module, node)

    def nobody_runs_at(self, node: ast.AST) -> Evidence | None:
        """The function or class around a node that nothing in the project is seen to run."""
        found = unused.nobody_runs(self.plain, self.module, node)
        said = f"nothing in the project is seen to use `{found.name}`" if found is not None else ""
        return Evidence(found, said, self.module.path) if found is not None else None

    def nobody_at_all_runs_at(self, node: ast.AST) -> Evidence | None:
        """The same where nobody out of sight can: the project is a program, and no package."""
        neighbours = self.neighbours
        if neighbours is None or neighbours.is_open(self.plain):
            return None
        return self.nobody_runs_at(node)

    def in_loader(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in what runs on the host for a data loader."""
        return loader_workers.runs_on_host(self.analysis, self.module.function_of(self.at(node)))

    def host_only_at(self, node: ast.AST) -> Evidence | None:
        """What the function around a node does that raises an error where its model is on a GPU."""
        return host_only.shown(self.plain, self.module, node)

    def is_device_of_host_at(self, node: ast.expr | None) -> bool:
        """Whether a node is a device of an object that all who make one have on the host."""
        return placed_by_maker.is_on_host(self.plain, node)

    def off_at(self, node: ast.AST) -> Evidence | None:
        """The option that keeps control from coming to a node, unless somebody asks for it, or the method that runs instead."""
        found = option_branches.off(self.analysis, self.module, node, self.settings.hot_functions)
        return found or overridden.by_all(self.plain, self.module, node)

    def written_off_at(self, node: ast.AST) -> Evidence | None:
        """The same where the code alone tells: no setting and no argument of a command line, which users choose each time."""
        found = option_branches.written_off(self.analysis, self.module, node, self.settings.hot_functions)
        return found or overridden.by_all(self.plain, self.module, node)

    def never_eager_at(self, node: ast.AST) -> bool:
        """Whether eager code never comes to a node: it is for tracing, scripting or export."""
        return eager_code.is_never_run(self.module, node)

    def never_asked_for_at(self, node: ast.AST) -> bool:
        """Whether all calls in the project keep control from coming to a node."""
        return option_branches.is_never_asked_for(self.plain, self.module, node, self.settings.hot_functions)

    def is_passed_by_at(self, node: ast.AST) -> bool:
        """Whether all calls that make the function of a node hot pass what keeps control from coming to it."""
        try:
            return option_branches.is_passed_by(self.plain, self.module, node, self.settings.hot_functions)
        except GaveUpError:
            return False
