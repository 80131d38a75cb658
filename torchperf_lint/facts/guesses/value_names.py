"""What a value likely is by what it is called."""

from __future__ import annotations

import re
from typing import Final

_DEVICE: Final = re.compile(r"device|^(dev|cuda|gpu|rank|local_rank)$", re.IGNORECASE)
_GPU: Final = re.compile(r"(^|[^a-z])(cuda|gpu|gpus)([^a-z]|$)", re.IGNORECASE)
_ON_HOST: Final = re.compile(r"^(cpu|host)_|_(cpu|host)$")
_ABOUT_DATA: Final = re.compile(r"^(\w+_)?meta(s|data|_?info)?$")
_COUNT: Final = re.compile(r"^(?!time)(\w+_)?(epoch|step|iter|iteration|stage|phase|mode)s?$")
_BATCH: Final = re.compile(r"^((?!num_|n_|per_|per|last_|is_|no_)\w+_)?(mini_?)?batch$", re.IGNORECASE)
_LAYERS: Final = re.compile(r"(layers|blocks)$|^(depth|n|num_\w+)$", re.IGNORECASE)
_PARSED: Final = frozenset(("args", "opt", "opts", "options", "flags", "FLAGS", "hparams"))
_SETTINGS: Final = _PARSED | frozenset(
    ("C", "cfg", "conf", "config", "configs", "hp", "kargs", "kwargs", "parameters", "params", "settings")
)
_DISTRIBUTION: Final = re.compile(r"(^|_)(dists?|distribs?|distributions?)$")
_PARAMETERS: Final = re.compile(r"param|shadow|weight", re.IGNORECASE)
_OF_GRADIENTS: Final = frozenset(
    "backward manual_backward grad enable_grad requires_grad requires_grad_ set_grad_enabled autograd jacobian hessian vjp jvp"
    " is_grad_enabled retain_grad attack fgsm pgd saliency perturb optimizer".split()
)
_DERIVING: Final = re.compile(
    r"jacobian|hessian|fisher|saliency|grad_?cam|attribution|explanation|_expl$", re.IGNORECASE
)
_OPTIMIZER: Final = re.compile(r"optim|^(opt|(grad_)?scaler)$", re.IGNORECASE)
_ROWS: Final = re.compile(r"(^|_)(logits?|preds?|predictions|scores?|probs?|embeddings?|actions?|action_means?)$")
_LOADER: Final = re.compile("loader|batches")
_LEARNING: Final = re.compile(r"optim|scaler|accelerator|fabric|engine|update|learn|train|fit", re.IGNORECASE)
_FROM_PICKS: Final = re.compile(r"log_?p|loss|entropy|gumbel|reinforce|reward|teacher_forc", re.IGNORECASE)
_PLACED: Final = frozenset(("accelerator", "fabric", "model", "self", "trainer"))


def is_device(name: str) -> bool:
    """`x.to(self.device)`: what is called so is no dtype and no tensor."""
    return _DEVICE.search(name) is not None


def is_about_gpu(text: str) -> bool:
    """`not args.no_cuda`: an option whether to use the GPU, and no other."""
    return _GPU.search(text) is not None


def is_distribution(name: str) -> bool:
    """`action_dist.log_prob(action)`: what is called so is a distribution of torch."""
    return _DISTRIBUTION.search(name) is not None


def is_dtype(name: str) -> bool:
    """`x.to(weight_dtype)`: what is called so is no device."""
    return "dtype" in name


def is_on_host(name: str) -> bool:
    """`points_cpu`, `host_mask`: a parameter that is called so is not on the GPU, as far as nothing else is known."""
    return _ON_HOST.search(name) is not None


def is_about_data(name: str) -> bool:
    """`batch["meta"]`: what a loader tells of its samples beside them; nobody moves it with the batch."""
    return _ABOUT_DATA.search(name) is not None


def is_settings(name: str) -> bool:
    """`cfg`, `args`: what a part of it is, is decided before the first step; nobody compares a tensor with a setting, and tensors in
    a table of settings were given on the host."""
    return name in _SETTINGS


def is_command_line(name: str) -> bool:
    """`args`, `opt`: a parameter that is called so is given what a command line is parsed into."""
    return name in _PARSED


def has_program_device(name: str) -> bool:
    """`self.device`, `args.device`: the device that a program works on, where `other.device` is that of one tensor."""
    return name in _PLACED or name in _SETTINGS


def is_mask(name: str) -> bool:
    """`attention_mask`: of ones and zeros, most often whole numbers or bits, unless it is known to be of another dtype."""
    return "mask" in name.lower()


def is_loss(name: str) -> bool:
    """`kl_loss`: most often one number, on the GPU or not."""
    return "loss" in name


def is_count(name: str) -> bool:
    """`global_step`, `stage`: a number or a word, not a tensor, unless a use shows one."""
    return _COUNT.search(name) is not None


def is_batch(name: str) -> bool:
    """`for batch in source:`: a loop whose items are called so goes over batches, unless it counts, or a container shows another thing."""
    return _BATCH.match(name) is not None


def is_count_of_layers(name: str) -> bool:
    """`num_layers`, `depth`, `n`: of how many layers something is made."""
    return _LAYERS.search(name) is not None


def is_index(name: str) -> bool:
    """`batch_idx` of a `training_step`: the number of the batch."""
    return name.endswith(("idx", "index"))


def is_weight(name: str) -> bool:
    """`layer.weight` of a module out of sight: one of its parameters."""
    return name in ("weight", "bias")


def is_of_parameters(name: str) -> bool:
    """`self.shadow_params`: a list of the parameters of a module."""
    return _PARAMETERS.search(name) is not None


def wants_gradients(name: str) -> bool:
    """`requires_grad_`, `fgsm`, `optimizer`, `update_fisher`: code that says so wants gradients, or has thought of them."""
    return name in _OF_GRADIENTS or _DERIVING.search(name) is not None


def is_optimizer(name: str) -> bool:
    """`optim_g`, `opt`, `scaler`: of what nothing is known, and whose `step` ends a step of a training."""
    return _OPTIMIZER.search(name) is not None


def is_accelerator(name: str) -> bool:
    """`accelerator.backward(loss)`: of accelerate, which reduces gradients by itself, whoever made it."""
    return name == "accelerator"


def is_sampler(name: str) -> bool:
    """`self.bbox_sampler.sample(...)`, `class Own(base.Sampler)`: picks some of what there is, and draws nothing."""
    return name.lower().endswith("sampler")


def is_constant(name: str) -> bool:
    """`cfg.LONGEST`: a setting in capitals, as some write all of them, is bound by whoever has the settings."""
    return name.isupper()


def is_of_rows(name: str) -> bool:
    """`logits`, `action_scores`: a row of numbers for each item and no more, where nothing shows its rank."""
    return _ROWS.search(name) is not None


def is_dataset(text: str) -> bool:
    """`loader.dataset.epoch = 3`: what goes over data would see the change at its next pass."""
    return "dataset" in text


def is_loader(text: str) -> bool:
    """`for x in train_loader`, `tqdm(batches)`: goes over batches, where a model is run of which nobody reads the output."""
    return is_dataset(text) or _LOADER.search(text) is not None


def learns(name: str) -> bool:
    """`optimizer`, `update`, `fit`: a function that says so may take a backward pass of what it reads a number of."""
    return _LEARNING.search(name) is not None


def learns_from_picks(name: str) -> bool:
    """`log_probs`, `entropy`, `reward`: a function that says so learns from what it picks; one that only reads a loss need not."""
    return _FROM_PICKS.search(name) is not None
