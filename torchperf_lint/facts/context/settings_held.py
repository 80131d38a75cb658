"""What settings hold by default: fields of dataclasses, arguments of a command line, and what `getattr` falls back to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import constant_attributes
from torchperf_lint.facts.guesses import class_names, value_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import last_name, parts
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_OF_COMMANDS: Final = frozenset(("click.command", "click.group", "click.option", "click.argument"))
_TYPES: Final = frozenset(("int", "float", "bool", "str", "None", "Optional"))


def of_getattr(node: ast.expr) -> list[object] | None:
    """What `getattr(args, "match_length", False)` gives unless somebody sets it; None: it is none."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(), ast.Constant(value=value)]):
            return [value]
    return None


def of_key(analysis: Analysis, option: ast.expr) -> list[object]:
    """What all settings of the project give a key that is read from what is called like settings: `cfg.fp16`, `cfg["fp16"]`; and
    what stands for it where one of them leaves it out."""
    left_out: list[object] = []
    match option:
        case ast.Attribute(value=held, attr=key) | ast.Subscript(value=held, slice=ast.Constant(value=str(key))):
            pass
        case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[ast.Constant(value=str(key))]):
            left_out = [None]
        case ast.Call(
            func=ast.Attribute(value=held, attr="get"),
            args=[ast.Constant(value=str(key)), ast.Constant(value=default)],
        ):
            left_out = [default]
        case _:
            return []
    neighbours = analysis.around()
    if neighbours is None or not _is_of_settings(held) or _is_given_in(analysis.module, key):
        return []
    found = neighbours.given(analysis, key)
    return [*found, *left_out] if found else []


def _is_given_in(module: Module, key: str) -> bool:
    """Whether a file may itself give settings a key."""
    is_set = constant_attributes.is_set_from_outside(module, key)
    is_given = key in module.keywords and key in _keywords_given(module, None)
    return is_set or is_given or "setattr" in module.calls or key in _keys_given(module, None)


@once
def _keywords_given(module: Module, _: None) -> frozenset[str]:
    """The keywords with which a file gives something else than what has the same name: `Layer(exact=cfg.exact)` hands that on."""
    given = (each for each in module.by_type.get(ast.keyword, ()) if isinstance(each, ast.keyword))
    return frozenset(each.arg for each in given if each.arg is not None and last_name(each.value) != each.arg)


@once
def _keys_given(module: Module, _: None) -> frozenset[str]:
    """The keys that a file gives by text: `cfg["fp16"] = True`, `{"fp16": True}`, `--fp16`."""
    found: list[ast.expr | None] = []
    for node in (each for kind in (ast.Dict, ast.Subscript, ast.Call) for each in module.by_type.get(kind, ())):
        match node:
            case ast.Dict(keys=keys):
                found += keys
            case ast.Subscript(slice=key, ctx=ast.Store() | ast.Del()):
                found.append(key)
            case ast.Call(args=args) if last_name(node.func) == "add_argument":
                found += args
    texts = (each.value for each in found if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return frozenset(each.lstrip("-").replace("-", "_") for each in texts)


def _is_of_settings(held: ast.expr) -> bool:
    """Whether something is called like settings, or is a part of them: `cfg.train`, `self.config["model"]`."""
    while not value_names.is_settings(last_name(held)):
        if not isinstance(held, (ast.Attribute, ast.Subscript)):
            return False
        held = held.value
    return True


def of_attribute(analysis: Analysis, function: Function, held: ast.expr, name: str) -> list[object] | None:
    """What a field of settings holds by default: of a dataclass, or of what a command line is parsed into; None: it is none."""
    value = analysis.value(held, function.module)
    if isinstance(value.ref, Class) and value.kind in ("instance", "object"):
        return _field(value.ref, name)
    found = _argument_of_line(function, held, name)
    if found is None and value.kind == "unknown" and value_names.is_settings(last_name(held)):
        found = _default_of_class(analysis, function.module, name)
    return found


def _default_of_class(analysis: Analysis, module: Module, name: str) -> list[object] | None:
    """The default that the one class of settings of a file takes for a name, which nothing else in the project says:
    `class Config: def __init__(self, kind=0)`."""
    found, neighbours = _taken_by_classes(module, None).get(name, []), analysis.around()
    if len(found) != 1 or neighbours is None or _is_given_in(module, name) or neighbours.given(analysis, name) is None:
        return None
    init, owner = found[0], found[0].owner
    stores = classes.sites(owner).get(name, ()) if owner is not None else ()
    match [module.parents.get(node) for _, node in stores], init.defaults[name]:
        case [ast.Assign(value=ast.Name(id=taken))], ast.Constant(value=value) if taken == name:
            return [value] if len(init.scope.stores.get(name, ())) == 1 else None
    return None


@once
def _taken_by_classes(module: Module, _: None) -> dict[str, list[Function]]:
    """The constructors of classes of settings that leave a default for a name, by it."""
    found: dict[str, list[Function]] = {}
    inits = (each.methods.get("__init__") for each in module.classes.values() if class_names.is_settings(each.name))
    for init in inits:
        for name in init.defaults if init is not None else ():
            assert init is not None
            found.setdefault(name, []).append(init)
    return found


def _field(owner: Class, name: str) -> list[object] | None:
    """The default of a field of a dataclass to which nothing in the file gives another value."""
    if not any(last_name(each) == "dataclass" for each in owner.node.decorator_list):
        return None
    made = (keyword.arg for call in owner.module.calls.get(owner.name, ()) for keyword in call.keywords)
    if name in made or any(call.args for call in owner.module.calls.get(owner.name, ())):
        return []
    for statement in owner.node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=field), value=ast.Constant(value=value)) if field == name:
                return [value]
            case ast.AnnAssign(target=ast.Name(id=field), value=ast.Call(keywords=keywords)) if field == name:
                return [
                    each.value.value
                    for each in keywords
                    if each.arg == "default" and isinstance(each.value, ast.Constant)
                ]
    return None


def _argument_of_line(function: Function, held: ast.expr, name: str) -> list[object] | None:
    """The default of `--name`, where the file parses a command line into what holds it, or is handed what holds it."""
    found = _declared(function, held, name)
    if found is None:
        return None
    given = {each.arg: each.value.value for each in found.keywords if isinstance(each.value, ast.Constant)}
    if given.get("action") in ("store_true", "store_false"):
        return [given["action"] == "store_false"]
    return [given.get("default")] if "action" not in given and not given.get("required") else []


def is_always_on(function: Function, held: ast.expr, name: str) -> bool:
    """Whether no word on a command line makes `--name` false: of `type=bool, default=True` even "False" is true."""
    found = _declared(function, held, name)
    given = {each.arg: each.value for each in found.keywords} if found is not None else {}
    match given.get("type"), given.get("default"):
        case ast.Name(id="bool"), ast.Constant(value=True):
            return True
    return False


def _declared(function: Function, held: ast.expr, name: str) -> ast.Call | None:
    """The call that adds `--name` to a command line that the file parses into what holds it, or of which it is handed that."""
    module = function.module
    is_handed = isinstance(held, ast.Name) and value_names.is_command_line(held.id) and held.id in function.parameters
    if not is_handed and last_name(held) not in _parsed(module):
        return None
    flag = "--" + name.replace("_", "-")
    found = [
        call
        for call in module.calls.get("add_argument", ())
        if any(isinstance(each, ast.Constant) and str(each.value).replace("_", "-") == flag for each in call.args)
    ]
    return found[0] if len(found) == 1 else None


def _parsed(module: Module) -> set[str]:
    """The names that hold what `parse_args` gives."""
    calls = (*module.calls.get("parse_args", ()), *module.calls.get("parse_known_args", ()))
    above = (module.statement(call) for call in calls)
    targets = (target for each in above if isinstance(each, ast.Assign) for target in each.targets)
    return {last_name(part) for target in targets for part in parts(target)}


def is_setting(function: Function, name: str) -> bool:
    """Whether a parameter says how to work, not what on."""
    default, annotation = function.defaults.get(name), function.parameters[name].annotation
    if isinstance(default, ast.Constant) and isinstance(default.value, (bool, str)):
        return True
    words = (
        {each.id for each in ast.walk(annotation) if isinstance(each, ast.Name)} if annotation is not None else set()
    )
    return bool(words) and words <= _TYPES


def is_command(function: Function) -> bool:
    """Whether a function is a command, whose parameters are options of its command line: `@click.option("--kind")`."""
    return any(names.of_decorator(function, each) in _OF_COMMANDS for each in function.decorators)
