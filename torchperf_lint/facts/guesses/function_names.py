"""What a function, or a class that is called like one, likely does by its name."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from torchperf_lint.facts.knowledge import lightning

_LOSSES: Final = frozenset(("loss", "compute_loss", "get_loss", "calculate_loss"))
_LOSS_CLASS: Final = re.compile("Loss|Criterion")
_AVERAGE_CLASS: Final = re.compile(r"Ema(?![a-z])|EMA|Exponential_?Moving_?Average|Averaged?_?Model|Model_?Averag")
_AVERAGING: Final = frozenset(
    ("update", "_update", "step", "update_parameters", "update_average", "update_weights", "update_ema", "avg_func", "avg_fn",
     "ema_update", "ema_step", "update_model_average", "on_step")
)  # fmt: skip
_STEP: Final = re.compile(r"^_?(run_|do_)?train(ing)?_(on_|one_)?(mini_?batch|batch|step|iter|iteration)$")
_GENERATING: Final = frozenset(
    ("generate", "sample", "rollout", "collect_rollouts", "p_sample_loop", "ddim_sample", "beam_search")
)
_SAMPLING: Final = re.compile(r"^_?sample_(diffusion|loop|euler|heun|dpm\w*|ddim|ddpm)$|_sample_loop$")
_ABOUT_STEPS: Final = re.compile(r"^_*(set|get|retrieve|prepare|add|update|make|build|init|super)(_|$)|^[A-Z]")
_OF_TOKEN: Final = ("input_ids", "scores")
_PICKING: Final = re.compile(
    r"^_?(generate|sample|greedy|translate|complete|autocomplete)(_\w+)?$|^\w+_generate$|^inference$"
)
_SETUP: Final = re.compile(
    r"^(__init__|__post_init__|_?reset_parameters|_?init_weights?|_?initiali[sz]e_weights|_init_.*|init_.*_weights|"
    r"init_non_persistent_buffers|fuse|_?fuse_(bn|conv|norm|batch_?norm)\w*|switch_to_deploy)$"
)
_INFERRING: Final = re.compile(r"^_?(is_)?(infer|inference|generate|sample|synthesi[sz]e|predict)(_\w+)?$")
_PART: Final = re.compile(r"^_?(forward|encode|decode|embed|predict|infer|inference|extract|classify|score)(_\w+)?$")
_TAKING: Final = re.compile(r"^_?(step|p_sample|ddim_sample|sample_step|denoise)(_|$)")
_FUSING: Final = re.compile("jit|compile|fus|kernel")
_AVERAGES: Final = re.compile(r"(^|_)(ema|avg|average|update)(_(fn|func|param|params))?$")
_TABLES: Final = re.compile(
    "anchor|grid|mask|pos|freq|window|prior|coord|mesh|table|bucket|basis|sinus|rotary|rope|ramp"
)
_GATHERING: Final = re.compile(r"^_?(update|add|append|extend|store|push|collect|accumulate|record|gather)(_|$)")
_STARTING: Final = re.compile(r"^_?(reset|clear|flush|empty)(_|$)")
_EVALUATING: Final = frozenset(("val", "valid", "validate", "validation", "eval", "evaluate", "evaluation", "test"))
_TRAINING: Final = frozenset(("backward", "manual_backward", "zero_grad", "optimizer", "enable_grad", "train"))
_TESTING: Final = frozenset(("eval", "evaluation", "test", "validation"))
_EVALUATION: Final = re.compile(
    r"^_?(run_|do_)?(val|valid|validate|validation|eval|evaluate|evaluation|test|predict|infer|inference)"
    r"(_(epoch|loop|model|net|network|loader|dataset|data|set|all|one_epoch|accuracy|loss))?$"
    r"|^_?(run_|do_)?(validate|validation|evaluate|evaluation|predict|infer|inference)_\w+$"
)
_BESIDE_TRAINING: Final = re.compile(
    r"init|load|save|restore|store|copy_to|reset|register|broadcast|merge|freeze|test|export"
)
_COMMON: Final = ("get_", "set_", "load_", "save_", "is_", "has_", "from_", "to_", "on_", "__")
_CLIPPING: Final = re.compile(r"(clip|norm)\w*_grad|grad\w*_(clip|norm)")
_TOLD: Final = re.compile(r"log|plot|print|report|show|track|monitor|record|test")
_BUILDING: Final = re.compile(r"^(from|build|create|make|convert)(_|$)|_(naive|python|reference|slow)$")
_RESULTS: Final = re.compile(r"^_?post_?process")
_COLLATE: Final = frozenset(("collate_fn", "collate", "collater", "worker_init_fn"))
_MAKING: Final = frozenset(("from_pretrained", "load_from_checkpoint", "from_config", "_make", "create"))
_COMPILING: Final = frozenset(
    ("is_compiling", "is_dynamo_compiling", "is_torchdynamo_compiling", "is_torch_compiling", "torchdynamo_is_compiling")
)  # fmt: skip
_TRACING: Final = frozenset(("is_tracing", "_is_tracing", "is_exporting", "is_fx_tracing", "is_jit_tracing"))
_STARTED: Final = frozenset(("lambda_handler", "model_fn", "input_fn", "predict_fn", "output_fn", "hubconf"))
_COMPLAINTS: Final = frozenset(("print", "warn", "warning", "warning_once", "warn_once", "error", "critical"))
_ENDING: Final = frozenset(("exit", "_exit", "quit", "abort"))
_TIMING: Final = frozenset(
    ("time", "timer", "timers", "timeit", "clock", "elapsed", "tic", "toc", "bench", "bm", "benchmark", "profile", "profiler", "perf")
)  # fmt: skip


def is_step(name: str) -> bool:
    """`training_step` of a class that nothing shows to be Lightning's: it runs with every batch all the same."""
    return name in lightning.STEPS


def seems_step(name: str) -> bool:
    """`train_batch`, `_train_step`: one step of a training, whoever calls it."""
    return _STEP.search(name) is not None


def is_loss_method(name: str) -> bool:
    """`compute_loss` of a module: its training calls it beside `forward`."""
    return name in _LOSSES


def is_loss_class(name: str) -> bool:
    """`DiceLoss.__call__`: a part of every training step though the class is no module."""
    return _LOSS_CLASS.search(name) is not None


def updates_average(of_class: str, name: str) -> bool:
    """`ModelEma.update`, `AveragedModel.avg_func`: a running average of weights, which a training updates at each step."""
    return name in _AVERAGING and _AVERAGE_CLASS.search(of_class) is not None


def is_for_tokens(given: tuple[str, ...]) -> bool:
    """`processor(self, input_ids, scores)`: what transformers has called for each token, by what it hands over."""
    return given[:2] == _OF_TOKEN or given[1:3] == _OF_TOKEN


def generates(name: str) -> bool:
    """`model.generate(...)`, `rollout(...)`: a loop around it is one of inference."""
    return name in _GENERATING


def generates_all(name: str) -> bool:
    """`model.generate(...)`: takes many steps of a model; what waits once beside it is nothing. `sample()` may be one draw."""
    return (name in _GENERATING and name != "sample") or name.endswith("_generate")


def samples_all(name: str) -> bool:
    """`sample_diffusion`, `ddim_sample_loop`: takes all steps of a sampler, of which each runs a model."""
    return _SAMPLING.search(name) is not None


def sets_steps(name: str) -> bool:
    """`set_timesteps(num_inference_steps=50)`, `SamplerConfig(...)`: is told how many steps there will be, and takes none."""
    return _ABOUT_STEPS.search(name) is not None


def picks_in_turn(name: str) -> bool:
    """`generate_text`, `greedy_decode`: makes a sequence item by item, each picked from what a model gives for those before."""
    return _PICKING.match(name) is not None


def infers(name: str) -> bool:
    """`def predict_mask`, `if not infer:`: runs a model for what it gives, on small batches; also a draw, as `sample`, and no test."""
    return _INFERRING.match(name) is not None


def runs_part(name: str) -> bool:
    """`model.encode_image(x)`, `model.forward_features(x)`: runs a model, or a part of it, beside its `forward`."""
    return _PART.match(name) is not None


def takes_sample(name: str) -> bool:
    """`step`, `p_sample` of a `DDIMScheduler`: takes a sample one of a few steps further, as any `step` may if its class does."""
    return _TAKING.match(name) is not None


def steps_optimizer(methods: Collection[str]) -> bool:
    """The `step` of a class that also has a `zero_grad`: an optimizer, or what holds one, whatever it derives from."""
    return "zero_grad" in methods


def is_of_its_own(name: str) -> bool:
    """`compute_preconditioners`: no two classes of one project have a method that is called so; `get_item` or `update` many have."""
    return len(name.strip("_").split("_")) > 1 and not name.startswith(_COMMON)


def may_be_for_others(qualname: str) -> bool:
    """`ops.expand`, `Mesh.smooth`: public, and nothing that is done beside the steps of a training, as `save`, `plot` and `build` are,
    nor a slow way that others are held against: `rasterize_naive`."""
    name = qualname.rpartition(".")[2]
    is_public = not any(part.startswith("_") for part in qualname.split("."))
    return is_public and not any(each.search(name) for each in (_BESIDE_TRAINING, _TOLD, _BUILDING))


def trains(name: str) -> bool:
    """`backward`, `optimizer`, `train`: a function that says so may train as well, whatever it is called."""
    return name in _TRAINING


def clips_gradients(name: str) -> bool:
    """`clip_grad_norm_`, `get_grad_norm`: done to gradients at every step of a training; not `log_grad_norm`, now and then."""
    return _CLIPPING.search(name) is not None and _TOLD.search(name) is None


def sets_up(name: str) -> bool:
    """`reset_parameters`, `fuse_conv_bn`: runs once, while parameters are on the host still."""
    return _SETUP.match(name) is not None


def reads_results(name: str) -> bool:
    """`postprocess`: makes what a user is shown of the outputs of a model; no step, but after it."""
    return _RESULTS.match(name) is not None


def evaluates(name: str) -> bool:
    """`validate`, `_eval_step`, `test_epoch`: measures a model, now and then, while others train it."""
    return not _EVALUATING.isdisjoint(name.lower().split("_"))


def tests(name: str) -> bool:
    """`simple_test`, `image_eval_step`: an evaluation even of one batch; `validate` may be to look at arguments."""
    return not _TESTING.isdisjoint(name.lower().split("_"))


def runs_evaluation(name: str) -> bool:
    """`run_test`, `predict_all`: runs a model for its outputs alone, over a whole data set."""
    return _EVALUATION.match(name) is not None


def is_beside_training(name: str) -> bool:
    """`load_ema`, `export`: runs before, between or after trainings."""
    return _BESIDE_TRAINING.search(name) is not None


def is_collate(name: str) -> bool:
    """`collate_fn`: runs on the host, for a loader."""
    return name in _COLLATE or name.endswith(("_collate", "_collate_fn"))


def is_collator(name: str) -> bool:
    """`PadCollator`: what is called as a `collate_fn`."""
    return name.endswith(("Collator", "Collater", "Collate"))


def makes_instance(name: str) -> bool:
    """`Net.from_pretrained(...)`, of a class method that the program does not show: an instance of the class."""
    return name in _MAKING


def memoises(decorator: str) -> bool:
    """`lru_cache`, `cached_property`: what is decorated so runs once."""
    return "cache" in decorator


def registers(decorator: str) -> bool:
    """`@HEADS.register_module()`, `@register`: keeps a class under its name, by which a setting or a text asks for it."""
    return decorator == "register" or decorator.startswith(("register_", "_register"))


def complains(name: str) -> bool:
    """`warn(...)`: what tells somebody off does not run at every step, nor does the branch that it is in."""
    return name in _COMPLAINTS


def ends_program(name: str) -> bool:
    """`sys.exit(...)`: what is done right before runs once."""
    return name in _ENDING


def asks_compiling(name: str) -> bool:
    """`is_torchdynamo_compiling()`, as projects wrap it: holds in compiled code, and nowhere else."""
    return name in _COMPILING


def asks_tracing(name: str) -> bool:
    """`is_tracing()`, by which projects mean this or that: of neither branch anything is said."""
    return name in _TRACING


def is_started_by_others(name: str) -> bool:
    """`lambda_handler`, `hubconf`: a function, or a whole file, that those who serve models start by its name; it is in use."""
    return name in _STARTED


def is_test(name: str) -> bool:
    """`test_forward`: a test, if it asserts as well."""
    return name.startswith("test")


def measures_time(name: str) -> bool:
    """`Timer`, `bench_step`: who measures time has to wait for the GPU."""
    words = name.lower().replace("-", "_").split("_")
    return any(word in _TIMING for word in words) or name.endswith(("Timer", "Profiler", "Benchmark"))


def fuses(decorator: str) -> bool:
    """`use_kernel_forward_from_hub`, `jit_fuser`: puts something fused in the place of what it decorates, wherever it comes from."""
    return _FUSING.search(decorator) is not None


def averages(name: str) -> bool:
    """`ema_update(e, p)`: averages two weights in place, if it is given those of two models."""
    return _AVERAGES.search(name) is not None


def makes_table(name: str) -> bool:
    """`make_anchors`, `get_rel_pos`: gives the same tensors for the same sizes, as its body has to show."""
    return _TABLES.search(name) is not None


def gathers(name: str) -> bool:
    """`update`, `push_scores`: called many times until somebody reads what it has put together."""
    return _GATHERING.match(name) is not None


def starts_anew(name: str) -> bool:
    """`reset`, `clear_buffers`: what was gathered is from one such call to the next, an epoch as a rule."""
    return _STARTING.match(name) is not None
