"""What a number counts by what it is called: samples, steps, sizes that somebody else gives."""

from __future__ import annotations

import re
from typing import Final

_SAMPLES: Final = re.compile(r"^(n|num|number_of|sample)_?(samples?|draws|shape|size)$")
_STEPS: Final = re.compile(r"(num_)?(inference|sampling|sample|diffusion|denoising|ddim)_(time)?steps$|max_new_tokens$")
_SIZE: Final = re.compile(r"len|size|height|width|^num|^n_|^(h|w|n)$|count|dim|seq")
_FEW: Final = re.compile(r"\b(num|n)_\w*(chunk|segment|tile|stage|level|scale)|latent")
_CLASSES: Final = (
    "num_classes", "n_classes", "nb_classes", "num_class", "n_class", "nclass", "num_labels", "n_labels", "class_num",
    "number_of_classes", "NUM_CLASSES", "N_CLASSES",
)  # fmt: skip
_OF_TASK: Final = re.compile(
    r"class|label|categor|anchor|(^|_)no$|(^|_)tags?($|_)|species|speaker|rank|lora"
    r"|(^|_)(in|input|obs|state|action|act)(_?(dim|size|features|feats|shape|channels))?$"
)


def is_of_samples(name: str) -> bool:
    """`n_samples`, `sample_shape`: a `forward` that is told no more draws them, and is no step of a model."""
    return _SAMPLES.match(name) is not None


def is_of_model_steps(name: str) -> bool:
    """`num_inference_steps=20`, `max_new_tokens=100`: a call that is told so takes that many steps of a model."""
    return _STEPS.match(name) is not None


def is_turn_of_sampler(name: str) -> bool:
    """`scheduler.step(noise, timestep=t, sample=x)`: a `step` that is told so is that of a sampler, and `t` is where it is."""
    return name == "timestep"


def is_of_padding(name: str) -> bool:
    """`pad_length = longest - n`: what is missing to a length, and little as a rule."""
    return "pad" in name


def is_of_elements(name: str) -> bool:
    """`seq_len`, `height`, `n_heads`: a parameter that is called so is the size of something, and the same at most calls."""
    return _SIZE.search(name) is not None


def is_of_few(text: str) -> bool:
    """`range(num_chunks)`, `latents`: goes over parts so large that something has but a few of them."""
    return _FEW.search(text) is not None


def of_classes() -> list[str]:
    """`num_classes`, `self.n_labels`: what is called so says how many columns `one_hot` makes."""
    return list(_CLASSES)


def is_given_by_task(name: str) -> bool:
    """`num_classes`, `obs_dim`, `lora_rank`: the width of a layer that the data, the task or a method gives, and nobody may pad."""
    return _OF_TASK.search(name) is not None
