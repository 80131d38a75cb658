"""What the author of a file has thought of, or leaves to others, by the identifiers in it: rules are silent there.

Each takes the identifiers of a file, as `file_traits.suggests` hands them over. What a file is stands in `file_names`.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

_FRAMEWORKS: Final = frozenset(
    ("Trainer", "Fabric", "LightningModule", "Accelerator", "pl", "lightning", "TrainingArguments")
)
_DIGITS: Final = frozenset(
    ("float64", "double", "DoubleTensor", "set_default_dtype", "gradcheck", "eigh", "eigvalsh", "svd", "cholesky", "GaussianProcess")
)  # fmt: skip
_HALF: Final = frozenset(
    ("autocast", "GradScaler", "half", "float16", "bfloat16", "fp16", "bf16", "mixed_precision", "precision", "amp", "use_amp",
     "torch_dtype", "Accelerator", "deepspeed")
)  # fmt: skip
HALF_BY_PROJECT: Final = (
    "autocast", "GradScaler", "float16", "bfloat16", "fp16", "bf16", "mixed_precision", "use_amp", "amp", "apex",
    "Accelerator", "deepspeed", "Fabric", "lightning", "pytorch_lightning", "TrainingArguments",
)  # fmt: skip
"""What a project says somewhere whose models compute in half precision, or do so if they are asked to; not `half`, a word of comments."""
_FLOAT16: Final = frozenset(("float16", "half", "fp16", "use_fp16", "is_fp16"))
_MASTERS: Final = frozenset(
    ("deepspeed", "apex", "FP16_Optimizer", "master_params", "master_weights", "MixedPrecision")
)
_ENVIRONMENTS: Final = frozenset(("env", "gym", "gymnasium"))
_TRAINED: Final = frozenset(
    ("from_pretrained", "load_state_dict_from_url", "PreTrainedModel", "register_model", "pretrained", "ModelMixin",
     "PreTrainedConfig", "PretrainedConfig", "hf_hub_download", "model_urls")
)  # fmt: skip
_LOW_RANK: Final = frozenset(("lora", "lora_rank", "LoRA", "bottleneck", "low_rank", "weight_norm", "spectral_norm"))
_CHANGING_LAYERS: Final = frozenset(
    ("fuse_modules", "quantization", "quantize", "fuse_conv_bn", "fuse_conv_bn_eval", "fuse", "weight_norm", "spectral_norm")
)  # fmt: skip
_ATTENTION: Final = frozenset(
    ("scaled_dot_product_attention", "flash_attn_func", "flash_attn_varlen_func", "memory_efficient_attention", "xformers",
     "flash_attn", "FlashAttention", "flash_attention", "use_flash_attn", "flex_attention", "ALL_ATTENTION_FUNCTIONS",
     "_attn_implementation", "attn_implementation", "sparse_softmax")
)  # fmt: skip
_GRADIENTS: Final = frozenset(
    ("requires_grad", "requires_grad_", "freeze", "retain_grad", "register_hook", "register_full_backward_hook",
     "register_backward_hook", "set_grad_enabled")
)  # fmt: skip
FREEZING: Final = ("freeze", "freeze_params", "freeze_parameters", "freeze_model", "frozen")
"""What a project says that freezes its models: one from out of sight may then be frozen."""
_TRAINING: Final = frozenset(("backward", "optimizer", "optim"))


def settles_precision(names: AbstractSet[str]) -> bool:
    """`TrainingArguments`, `float64`: who settles precision elsewhere, and who wants all digits."""
    return not names.isdisjoint(_FRAMEWORKS) or wants_digits(names)


def wants_digits(names: AbstractSet[str]) -> bool:
    """`gradcheck`, `cholesky`: what a file says that looks at gradients by differences or decomposes matrices, in float64."""
    return not names.isdisjoint(_DIGITS)


def is_of_half(names: AbstractSet[str]) -> bool:
    """`autocast`, `use_amp`: a program that says so multiplies matrices in half precision, at least if it is asked to."""
    return not names.isdisjoint(_HALF)


def is_of_float16(names: AbstractSet[str]) -> bool:
    """`use_fp16`: a file that says so may compute in float16 rather than in bfloat16, and then needs its scaler."""
    return not names.isdisjoint(_FLOAT16)


def keeps_masters(names: AbstractSet[str]) -> bool:
    """`master_weights`, `apex`: a copy of the parameters is kept in float32, or the loss scaled out of sight."""
    return not names.isdisjoint(_MASTERS)


def steps_environments(names: AbstractSet[str]) -> bool:
    """`env`, `gym`: what learns by acting has networks that are too small to gain by half precision."""
    return not names.isdisjoint(_ENVIRONMENTS)


def takes_trained(names: AbstractSet[str]) -> bool:
    """`pretrained`, `model_urls`: a file that says so works with weights that others trained, whose shapes are given."""
    return not names.isdisjoint(_TRAINED)


def means_two_layers(names: AbstractSet[str]) -> bool:
    """`lora`, `bottleneck`: that two linear layers follow each other without anything between is meant."""
    return not names.isdisjoint(_LOW_RANK)


def changes_layers(names: AbstractSet[str]) -> bool:
    """`quantize`, `fuse`: a file that says so works on layers after they are made, and may want a bias that is cancelled."""
    return not names.isdisjoint(_CHANGING_LAYERS)


def knows_fused_attention(names: AbstractSet[str]) -> bool:
    """`flash_attn_func`, `attn_implementation`: the file knows the fused way, and has the one by hand beside it."""
    return not names.isdisjoint(_ATTENTION)


def thinks_of_gradients(names: AbstractSet[str]) -> bool:
    """`freeze`, `register_hook`: a file that says so has models without gradients, or wants those of what is detached."""
    return not names.isdisjoint(_GRADIENTS)


def trains(names: AbstractSet[str]) -> bool:
    """`backward`, `optim`: one of these is in every file that wraps a model to train it; who wraps one to run it has none."""
    return not names.isdisjoint(_TRAINING)
