"""What a number counts by what it is called: samples, steps, sizes that somebody else gives."""

from __future__ import annotations

import re
from typing import Final

_SAMPLES: Final = re.compile(r"^(n|num|number_of|sample)_?(samples?|draws|shape|size)$")
_STEPS: Final = re.compile(r"(num_)?(inference|sampling|sample|diffusion|denoising|ddim)_(time)?steps$|max_new_tokens$")


def is_of_samples(name: str) -> bool:
    """`n_samples`, `sample_shape`: a `forward` that is told no more draws them, and is no step of a model."""
    return _SAMPLES.match(name) is not None


def is_of_model_steps(name: str) -> bool:
    """`num_inference_steps=20`, `max_new_tokens=100`: a call that is told so takes that many steps of a model."""
    return _STEPS.match(name) is not None
