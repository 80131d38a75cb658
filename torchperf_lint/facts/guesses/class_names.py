"""What a class is by its own name, also where it is called: `Trainer(model, Arguments(...))`."""

from __future__ import annotations

import re
from typing import Final

_DEBUGGER: Final = re.compile(r"^Debug|Debugger$")
_SETTINGS: Final = ("Arguments", "Config")
_SAMPLING: Final = re.compile(r"(Scheduler|Sampler|Solver|Diffusion)(_?V?\d+)?$")
_WEIGHTLESS: Final = re.compile("Render|Raster|Loss|Criterion|Metric|Distance|Similarity|Augment|Transform(?!er)")
_READING: Final = ("Loader", "Reader")


def is_class(name: str) -> bool:
    """`from shapes import Normal`: what is imported under a name with a capital is a class, as a rule."""
    return name[:1].isupper()


def is_debugger(name: str) -> bool:
    """`DebugUnderflowOverflow`: looks for errors, behind options as a rule, so its hooks run seldom."""
    return _DEBUGGER.search(name) is not None


def is_settings(name: str) -> bool:
    """`TrainingArguments`, `BertConfig`: what it is made with, and leaves out, are settings."""
    return name.endswith(_SETTINGS)


def takes_samples(name: str) -> bool:
    """`DDIMScheduler`, `EulerSampler`: its `step` takes a sample one of a few steps further, beside a whole run of a model."""
    return _SAMPLING.search(name) is not None


def may_have_weights(of_class: str) -> bool:
    """`PointsRenderer`, `DiceLoss`: a class of modules that is called so computes, and learns nothing."""
    return _WEIGHTLESS.search(of_class) is None


def reads(of_class: str) -> bool:
    """`CacheLoader`, `FeatureReader`: a module that is called gives what it reads from somewhere, and learns nothing."""
    return of_class.endswith(_READING)
