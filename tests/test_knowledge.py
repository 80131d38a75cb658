"""The knowledge base against the real torch: rows, return kinds, generated files.

Every sample call of `knowledge/calls.txt` is made, and what comes back is compared with what the row of the operation
promises and what its schema says that it returns. A call is made thrice: with tensors that need no gradient, with
tensors that do, and on the meta device, which shows where a result is.
"""

from __future__ import annotations

import re
from collections import Counter
from types import ModuleType

import pytest

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.knowledge import operation_waits, operations, schema, schema_additions

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")

from knowledge.samples import made, resolve, samples, wrong  # noqa: E402

MADE_FROM = knowledge.made_from() == torch.__version__.partition("+")[0]


@pytest.fixture(scope="module")
def outcomes() -> tuple[list[str], Counter[str]]:
    """All that is wrong, and how often each row was seen to be right."""
    errors: list[str] = []
    seen: Counter[str] = Counter()
    for name, method, arguments in samples():
        for device, grad in (("cpu", False), ("cpu", True), ("meta", False)):
            found = wrong(name, method, arguments, device, grad)
            if found is None:
                continue
            spelled = f"{'.' * method}{name}"
            seen[spelled] += device == "cpu"
            errors += [f"{spelled}{arguments} on {device}, grad {grad}: {each}" for each in found]
    return errors, seen


@pytest.mark.slow
class TestRows:
    """Told by all sample calls, which one process makes."""

    @pytest.mark.filterwarnings("ignore")
    def test_rows_promise_what_torch_gives(self, outcomes: tuple[list[str], Counter[str]]) -> None:
        errors, seen = outcomes
        assert not errors, "\n".join(errors)
        assert sum(seen.values()) > 8000

    def test_every_row_is_seen(self, outcomes: tuple[list[str], Counter[str]]) -> None:
        """A row without a sample call promises what nobody checked."""
        _, seen = outcomes
        elsewhere = re.compile(r"torch\.cuda\.(sparse\.)?\w+Tensor|\.cuda|\.pin_memory|einops\..*|torchvision\..*")
        rows = {name for name in operations.table() if not elsewhere.fullmatch(name)}
        unseen = " ".join(sorted(rows - {name for name, count in seen.items() if count}))
        assert not unseen, f"write sample calls in tests/knowledge/calls.txt for: {unseen}"


def test_rows_say_words_that_are_defined() -> None:
    """The first lines of the table's module define the words of each column."""
    columns = ("dtype", "rank", "device", "grad", "memory")
    defined: dict[str, set[str]] = {column: {"-"} for column in columns}
    column = ""
    for line in (operations.__doc__ or "").splitlines():
        column = next((each for each in columns if line.split(" ")[0] == each), column)
        if column and (match := re.match(r"    (\S.*?)  +\S", line)):
            defined[column] |= {word.strip() for word in match[1].split(",")}
    for row in filter(None, operations.TABLE.splitlines()):
        name, *words = row.split()
        assert len(words) == len(columns), f"{name}: a row has a name and {', '.join(columns)}"
        for column, said in zip(columns, words, strict=True):
            for word in said.split(","):
                known = word in defined[column] or _is_built(word, defined[column])
                assert known, (
                    f"{name}: `{word}` is no word of the column {column}: {', '.join(sorted(defined[column]))}"
                )


def test_a_wait_by_an_argument_names_one_of_the_operation() -> None:
    """Else the row says nothing, and nobody is told."""
    words = re.compile(r"!?(\w+?)(:tensor|:point|:host|=False|=True|=None)?")
    for name, rows in operation_waits.operations().items():
        known = (knowledge.method(name[1:]) if name.startswith(".") else knowledge.function(name)) or ()
        named = {parameter.name for overload in known for parameter in overload.parameters}
        for word in (word for row in rows if named for word in row.when if word != "2d"):
            match = words.fullmatch(word)
            assert match is not None, f"{name}: `{word}` is no condition"
            assert match[1] in named, f"{name}: `{match[1]}` is no argument: {', '.join(sorted(named))}"


def _is_built(word: str, defined: set[str]) -> bool:
    """Whether a word is an argument, a dtype or a number, or is made of words: `same-1`, `arg-or-same`."""
    if re.fullmatch(r"@\w+|\d|(float|bfloat|complex|u?int)\d+|bool", word):
        return True
    base = re.sub(r"[+-]\d$", "", word.removeprefix("arg-or-"))
    return base != word and (base in defined or _is_built(base, defined))


@pytest.mark.slow
@pytest.mark.skipif(not MADE_FROM, reason="another version of torch is installed")
@pytest.mark.filterwarnings("ignore")
def test_two_lines_of_one_name_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"two lines for torch\.one: put all its signatures on one"):
        schema_additions.lines("torch.one -> T\ntorch.two -> T\ntorch.one x:T -> T\n")


def test_the_generated_file_is_what_this_torch_gives() -> None:
    from torchperf_lint.facts.knowledge import generate

    assert generate.text() == (generate.HERE / "schemas.json").read_text(encoding="utf-8")


def test_schemas_are_read_as_they_are_written() -> None:
    lines = [*knowledge.schemas()["functions"].values(), *knowledge.schemas()["methods"].values()]
    assert len(lines) > 1800
    assert [line for line in lines if schema.write(schema.read(line)) != line] == []


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("torch.nn.modules.linear.Linear", "torch.nn.Linear"),
        ("torch.nn.modules.Linear", "torch.nn.Linear"),
        ("torch.nn.parameter.Parameter", "torch.nn.Parameter"),
        ("torch.utils.data.dataloader.DataLoader", "torch.utils.data.DataLoader"),
        ("torch.utils.data.dataset.TensorDataset", "torch.utils.data.TensorDataset"),
        ("torch.cuda.amp.autocast_mode.autocast", "torch.cuda.amp.autocast"),
        ("torch.amp.autocast", "torch.autocast"),
        ("torch.amp.grad_scaler.GradScaler", "torch.amp.GradScaler"),
        ("torch.optim.adam.Adam", "torch.optim.Adam"),
        ("torch.autograd.no_grad", "torch.no_grad"),
        ("torch.autograd.grad_mode.no_grad", "torch.no_grad"),
        ("torch.functional.einsum", "torch.einsum"),
        ("torch._tensor.Tensor", "torch.Tensor"),
        ("torch.conv2d", "torch.nn.functional.conv2d"),
        ("torch.nn.utils.spectral_norm", "torch.nn.utils.spectral_norm"),
        ("torch.nn.utils.clip_grad.clip_grad_norm_", "torch.nn.utils.clip_grad_norm_"),
        ("torch.random.manual_seed", "torch.manual_seed"),
        ("torch.distributions.normal.Normal", "torch.distributions.Normal"),
        ("pytorch_lightning.LightningModule", "lightning.pytorch.LightningModule"),
        ("lightning.LightningModule", "lightning.pytorch.LightningModule"),
        ("torch.zeros", "torch.zeros"),
        ("numpy.zeros", "numpy.zeros"),
    ],
)
def test_canonical(name: str, public: str) -> None:
    assert knowledge.canonical(name) == public


def test_canonical_names_stand_for_the_same_thing() -> None:
    """Every generated alias that this torch has leads to the very object that its public name gives."""
    checked = 0
    for alias, public in knowledge.schemas()["names"].items():
        one, other = resolve(alias), resolve(public)
        if one is not None and other is not None and not isinstance(one, ModuleType):
            assert one is other, (alias, public)
            checked += 1
    assert checked > 40


def test_tensor_only_names() -> None:
    only = knowledge.tensor_only()
    assert only <= set(dir(torch.Tensor))
    others = (
        np.ndarray,
        np.float32,
        torch.nn.Module,
        torch.optim.SGD,
        torch.device,
        torch.Size,
        list,
        dict,
        set,
        str,
        int,
        float,
    )
    assert sorted(name for name in only for other in others if hasattr(other, name)) == []
    assert {"unsqueeze", "masked_fill", "detach", "contiguous", "add_", "long", "new_zeros"} <= only
    assert not {"shape", "sum", "float", "cuda", "to", "gather", "clone", "stride", "grad"} & only


def test_module_only_names() -> None:
    only = knowledge.module_only()
    assert only <= set(dir(torch.nn.Module))
    others = (
        torch.Tensor,
        np.ndarray,
        torch.optim.SGD,
        torch.optim.lr_scheduler.StepLR,
        torch.amp.GradScaler,
        list,
        dict,
        type,
    )
    assert sorted(name for name in only for other in others if hasattr(other, name)) == []
    assert "named_parameters" in only


@pytest.mark.skipif(not torch.cuda.is_available(), reason="autocast for CUDA needs CUDA")
@pytest.mark.filterwarnings("ignore")
def test_autocast_does_what_its_table_says() -> None:
    """Where autocast changes the dtype of a result, the table says which way."""
    wrong, changed = [], 0
    for name, method, arguments in samples():
        rule = knowledge.autocast(name, method=method)
        for letter in "fg":
            text = re.sub(r"\bf(\d)\b", rf"{letter}\1", arguments)
            plain = made(name, method, text, "cuda", False)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                cast = made(name, method, text, "cuda", False)
            results = [each[1] for each in (plain, cast) if each is not None and isinstance(each[1], torch.Tensor)]
            if len(results) == 2 and results[0].dtype != results[1].dtype:
                changed += 1
                expected = "lower" if results[1].dtype is torch.bfloat16 else "float32"
                wrong += [f"{name}{text} is {expected}, not {rule}"] if rule not in (expected, "widest") else []
    assert not wrong, "\n".join(wrong)
    assert changed > 300
