"""What torch's objects are, own and give, against the real ones; and what is known of other libraries by name."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.knowledge import objects, schema

torch = pytest.importorskip("torch")
pytest.importorskip("numpy")

from knowledge.binding import Call, agrees, kind_of  # noqa: E402
from knowledge.compare import check  # noqa: E402
from knowledge.samples import CALLS, resolve, values  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_classes_of_torch_construct_what_they_are() -> None:
    """Each public class of these modules is known, and as what it is."""
    expected = {
        "torch.optim": (torch.optim.Optimizer, "optimizer"),
        "torch.optim.lr_scheduler": (torch.optim.lr_scheduler.LRScheduler, "scheduler"),
        "torch.utils.data": (torch.utils.data.Dataset, "dataset"),
        "torch.distributions": (torch.distributions.Distribution, "distribution"),
        "torch.nn": (torch.nn.Module, "module"),
    }
    skipped = re.compile(r"Lazy|Container|NLLLoss2d|RNNBase|RNNCellBase|DataPipe|DataChunk")
    for path, (base, kind) in expected.items():
        for name, value in vars(resolve(path)).items():
            if (
                isinstance(value, type)
                and issubclass(value, base)
                and not name.startswith("_")
                and not skipped.search(name)
            ):
                assert knowledge.constructs(knowledge.canonical(f"{path}.{name}")) == kind, name


def test_members_exist() -> None:
    """Every member that a row gives to a kind of torch is one that such an object has."""
    net = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    data = torch.utils.data.TensorDataset(torch.zeros(4, 2))
    loader = torch.utils.data.DataLoader(data, 2, sampler=torch.utils.data.DistributedSampler(data, 1, 0))
    give = torch.distributions
    of_kind: dict[str, list[Any]] = {
        "dataset": [data],
        "distribution": [
            *(value for value in vars(give).values() if isinstance(value, type)),
            give.Normal(0.0, 1.0), give.Categorical(torch.ones(3)), give.Gamma(1.0, 1.0), give.Uniform(0.0, 1.0),
            give.StudentT(3.0), give.MultivariateNormal(torch.zeros(2), torch.eye(2)),
            give.Independent(give.Normal(torch.zeros(2), torch.ones(2)), 1),
        ],
        "generator": [torch.Generator()],
        "loader": [loader],
        "optimizer": [optimizer],
        "sampler": [loader.sampler, loader.batch_sampler, torch.utils.data.RandomSampler(data)],
        "scaler": [torch.amp.GradScaler("cpu")],
        "scheduler": [torch.optim.lr_scheduler.StepLR(optimizer, 1)],
    }  # fmt: skip
    if torch.version.cuda is not None:  # other builds have stand-ins
        of_kind |= {"event": [torch.cuda.Event], "stream": [torch.cuda.Stream]}
    for kind, owners in of_kind.items():
        for name in objects.members_of(kind):
            assert any(hasattr(owner, name) for owner in owners), (kind, name)


def instances() -> Iterator[tuple[str, str, str]]:
    """Each sample module: its class, the arguments of the constructor, and those of a call."""
    for line in CALLS.with_name("modules.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            names, settings, calls = line.split("|")
            for name in names.split():
                yield from ((name, settings.strip(), call.strip()) for call in calls.split(" ; "))


@pytest.mark.filterwarnings("ignore")
def test_modules_give_and_own_what_their_rows_say() -> None:
    seen: Counter[str] = Counter()
    errors = []
    for name, settings, arguments in instances():
        row = knowledge.module(f"torch.nn.{name}")
        assert row is not None, name
        names = values(f"{settings} {arguments}", "cpu", False)
        given, named = eval(f"(lambda *a, **k: (a, k))({settings})", names)
        args, kwargs = eval(f"(lambda *a, **k: (a, k))({arguments})", names)
        kind = getattr(torch.nn, name)
        try:
            made = kind(*given, **named)
            if isinstance(args[0], torch.Tensor) and args[0].dtype is torch.float64:
                made = made.double()
            result = made(*args, **kwargs)
        except (RuntimeError, TypeError, NotImplementedError):
            continue
        seen[name] += 1
        settled = inspect.signature(kind).bind_partial(*given, **named).arguments
        call = Call(
            name,
            schema.Overload((), "T"),
            dict(enumerate(args)) | {k: v for k, v in settled.items() if not isinstance(v, torch.nn.Module)},
        )
        first = result
        while isinstance(first, tuple):
            first = first[0]
        effect = knowledge.Effect(row.dtype, row.rank, "same", None, None)
        wrong = [] if nested(row.returns, result) else [f"returns {row.returns}, not {kind_of(result)}"]
        errors += [f"{name}({settings})({arguments}): {each}" for each in wrong + check(effect, call, first)]
        for parameter, rank in row.owns:
            owned = getattr(made, parameter)
            if owned is not None and rank is not None and owned.dim() != rank:
                errors.append(f"{name}.{parameter} has rank {owned.dim()}, not {rank}")
    assert not errors, "\n".join(errors)
    assert sorted(name for name in objects.torch_modules.TABLE.split("\n") if name and not seen[name.split()[0]]) == []


def nested(returns: Any, value: Any) -> bool:
    """Whether a value is nested as a module's row says."""
    if isinstance(returns, str):
        return agrees(returns, value, [])
    return isinstance(value, tuple) and len(value) == len(returns) and all(map(nested, returns, value))


def test_a_setting_may_change_what_a_module_gives() -> None:
    row = knowledge.module("torch.nn.MaxPool2d")
    assert row is not None
    assert row.unless == "return_indices"
    assert isinstance(torch.nn.MaxPool2d(2, return_indices=True)(torch.ones(1, 1, 4, 4)), tuple)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bitsandbytes.optim.AdamW8bit", "optimizer"),
        ("diffusers.DDPMScheduler", "object"),
        ("diffusers.UNet2DConditionModel.from_pretrained", "module"),
        ("numpy.zeros", None),
        ("timm.create_model", "module"),
        ("torchmetrics.Accuracy", "metric"),
        ("torchmetrics.classification.MulticlassF1Score", "metric"),
        ("torchmetrics.functional.accuracy", None),
        ("torchvision.datasets.CIFAR10", "dataset"),
        ("torchvision.models.ResNet50_Weights", None),
        ("torchvision.models.detection.fasterrcnn_resnet50_fpn", "module"),
        ("torchvision.models.resnet50", "module"),
        ("transformers.AutoModelForCausalLM.from_pretrained", "module"),
        ("transformers.AutoTokenizer.from_pretrained", "object"),
        ("transformers.get_linear_schedule_with_warmup", "scheduler"),
    ],
)
def test_names_of_other_libraries(name: str, kind: str | None) -> None:
    assert knowledge.constructs(name) == kind


def test_a_class_says_more_than_its_kind() -> None:
    assert knowledge.member("torchmetrics.Accuracy", "compute") == "T"
    assert knowledge.member("torchmetrics.MetricCollection", "compute") == "dict"
    assert knowledge.member("torch.distributions.Normal", "log_prob") == "T"
    assert knowledge.member("transformers.AutoTokenizer.from_pretrained", "__call__") == "tensor_tree"
    assert knowledge.member("torch.distributions.Normal", "nothing") is None
