"""Code that stands in a test, by what it does, what its file imports, and where that stands."""

from __future__ import annotations

import ast
from pathlib import PurePath

from torchperf_lint.facts.guesses import base_names, call_names, file_names, function_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import last_name, walk


def is_test(function: Function) -> bool:
    """Whether a function is a test, by what it does: it is named for one, and asserts; or its file has a test case, or
    imports a test tool."""
    module, node, known = function.module, function.node, function.module.tests
    if node not in known:
        named = (each.node for each in function.around() if function_names.is_test(each.name) and not _is_handed(each))
        known[node] = (
            _is_of_tests(module)
            if function.is_module
            else is_test(module.body) or any(_asserts(below) for each in named for below in walk(each))
        )
    return known[node]


def _is_handed(function: Function) -> bool:
    """Whether a file calls what is named `test` with arguments from within a function: it tests a model, `test(model, batches)`."""
    module = function.module
    calls = module.calls.get(function.name, ()) if function.name == "test" else ()
    return any(call.args and not module.function_of(call).is_module for call in calls)


def _is_of_tests(module: Module) -> bool:
    *folders, name = PurePath(module.path).parts
    is_in_tests = file_names.is_file_of_tests(name) and any(map(file_names.is_folder_of_tests, folders))
    return is_in_tests or file_names.is_of_tests(module.names) or any(map(_is_test_case, module.classes.values()))


def _asserts(node: ast.AST) -> bool:
    """`assert x`, and `self.assertEqual(x, y)`."""
    return isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and call_names.asserts(last_name(node.func)))


def _is_test_case(owner: Class) -> bool:
    """Whether a class derives from what is called a test, and has tests: whoever runs them imports the tool."""
    is_derived = base_names.is_test_case(last_name(base) for base in owner.bases)
    return is_derived and any(map(function_names.is_test, owner.methods))
