"""Which of their names tensors and modules share with other things that programs hold; the rest are theirs alone.

Only `generate` uses it. Collected from the classes named at each group, at the versions named; a name stands at the
first group that has it. Data and one function.
"""

from __future__ import annotations

from typing import Final

WITH_TENSORS: Final = """
# NumPy 2.4: arrays, scalars, generators, masked arrays
H T all any argmax argmin argsort char clip conj cumprod cumsum data device diagonal dot dtype flatten imag item
itemsize mT max mean min multinomial name nbytes ndim nonzero prod put ravel real repeat reshape resize round shape
size sort squeeze std sum swapaxes take tolist trace transpose type var view
# pandas 3.1: frames, series, indices, groups
abs add ceil cov cummax cummin diff div divide eq floor ge gt index indices le lt median mode mul multiply ne pow
quantile select sub subtract unique values where
# polars 2.1: frames, series, expressions
arccos arccosh arcsin arcsinh arctan arctanh bitwise_and bitwise_or bitwise_xor clone cos cosh erf erfc exp gather
log log10 log1p neg scatter sign sin sinh sqrt tan tanh
# Pillow 13
histogram split
# SciPy 1.17: sparse matrices, rotations
count_nonzero deg2rad expm1 maximum minimum rad2deg trunc
# JAX 0.10
# xarray 2026.9
chunk roll
# Python: containers, numbers, paths, dates, files, matches, loggers
absolute contiguous detach expand is_signed logical_and logical_or logical_xor
# nn.Module and its kin
bfloat16 cpu cuda double float half ipu mtia requires_grad_ to xpu
# torch: Size, Storage, Generator, Stream, PackedSequence, DataLoader, profiler, fx, autograd nodes
backward bool byte copy_ data_ptr element_size fill_ get_device int is_complex is_cuda is_floating_point is_pinned
is_shared is_sparse is_sparse_csr long new numel pin_memory register_hook requires_grad resize_ share_memory_ short
# torch.distributions, optimizers, schedulers
# TensorFlow 2: tensors and variables
numpy scatter_add
# functions of numpy, math and torch.nn.functional: `xp.isnan(x)` says nothing of `xp`
acos acosh allclose amax amin angle arctan2 argwhere asin asinh atan atan2 atanh bincount bitwise_left_shift
bitwise_not bitwise_right_shift broadcast_to cdouble copysign corrcoef cross diag diagflat dist dsplit equal exp2
fix flip fliplr flipud float_power floor_divide fmax fmin fmod frexp gcd grad greater greater_equal hardshrink
heaviside hsplit hypot i0 inner isclose isfinite isinf isnan isneginf isposinf isreal kron lcm ldexp less less_equal
lgamma log2 log_softmax logaddexp logaddexp2 logical_not matmul moveaxis nan_to_num nanmean nanmedian nanquantile
nansum negative nextafter not_equal outer positive prelu reciprocal relu relu_ remainder rot90 sigmoid signbit sinc
softmax square tile tril triu true_divide unfold vdot vsplit
# doubtful: programs give these names to settings, flags, layers and fields of their own
adjoint as_subclass cholesky cholesky_solve coalesce dequantize det dim dim_order eig frac geqrf histc inverse
is_coalesced is_conj is_cpu is_distributed is_inference is_ipu is_leaf is_maia is_meta is_mkldnn is_mps is_mtia
is_neg is_nested is_quantized is_set_to is_vulkan is_xla is_xpu istft layout logdet logit lstsq lu mH mm mv narrow
ndimension norm orgqr output_nr pinverse q_scale qr qscheme record_stream reinforce renorm smm solve sspaddmm stft
storage storage_type stride svd symeig t t_ to_dense topk unbind unflatten volatile
"""

ALL_THE_SAME: Final = frozenset({"contiguous", "detach", "long"})
"""Shared with `memoryview.contiguous`, `detach` of `io` objects and `long` of storages alone: nobody means those."""

WITH_MODULES: Final = """
# tensors
bfloat16 cpu cuda double float half ipu mtia requires_grad_ to type xpu
# optimizers, schedulers, scalers
load_state_dict register_load_state_dict_post_hook register_load_state_dict_pre_hook register_state_dict_post_hook
register_state_dict_pre_hook share_memory state_dict zero_grad
# doubtful: signatures have `parameters`, trees `children`, much has `train`, `apply`, `compile` and `forward`
T_destination apply buffers children compile dump_patches eval extra_repr forward get_buffer get_extra_state
get_parameter modules parameters set_extra_state train training
"""


def only_of(names: list[str], shared: str) -> set[str]:
    """The public names that are not shared."""
    words = {word for line in shared.splitlines() if not line.startswith("#") for word in line.split()}
    return {name for name in names if not name.startswith("_") and (name not in words or name in ALL_THE_SAME)}
