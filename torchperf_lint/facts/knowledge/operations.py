"""What operations of torch do to dtype, rank, device and gradients: one line an operation.

    name   dtype   rank   device   grad   memory

A name alone is both a function of `torch` and a method of tensors; `.name` is a method or attribute alone, `F.name`
stands for `torch.nn.functional.name`, any other dotted name for itself. `-` means not known. A comma parts the items of
a result that is a tuple (`torch.max(x, 0)`); a result that is one tensor takes the first of them.

"First tensor" is the receiver of a method, else the first argument that is a tensor. Words that speak of an argument
(`dim`, `keepdim`, `size`, `dtype`, ...) mean the parameter of that name in the schema of the overload that is called;
`axis` and `keepdims` are NumPy's names for `dim` and `keepdim` and hold everywhere. Where such an argument is given and
its value is not known, the result is not known either. An `out=` argument overrides it all: the result is that tensor.

dtype
    same         that of the first tensor (of a list: promoted over its items)
    @name        that of the argument for the parameter `name`
    bool, int64, float32, ...   this one
    truth        uint8 stays, all else becomes bool
    promote      of all tensors and numbers as `torch.result_type` does it: a number counts only by its category, and
                 so does a 0-dim tensor beside others of the same category
    float        promoted; bool and integers become the default dtype (float32)
    arith        as `x * 2` does: bool becomes int64, all else stays
    sum          the dtype argument; else bool and integers become int64 and all else stays
    div          promote where `rounding_mode` is a string, else float
    where        promoted over all tensors and numbers but `condition`; with that alone int64
    arg          the dtype argument, else the default dtype (float32)
    arg-or-X     the dtype argument, else as X says; X is a word of this list
    data         the dtype argument; else that of a tensor given as data; else by the Python numbers in the data, of a
                 list by its leaves: complex64, the default dtype, int64 or bool, the widest that occurs
    fill         the same by the `fill_value` argument alone
    index        int64, or int32 where `out_int32` is true
    real         promoted; complex becomes the float of its parts, all else stays
    float-real   float, then real
    complex      float, then complex64 for float32 and so on
    double       complex128 for complex tensors, else float64
    to           by what is given: a dtype, or that of a tensor `other`; else it stays

rank (a word may end in +1, -1 or -2; a true `keepdim` cancels a minus; no rank falls below 0)
    same         that of the first tensor
    @name        that of the argument for the parameter `name`; a number counts as 0
    0, 1, 2, ... this one
    reduce       a true `keepdim`: same; no `dim`, None or `()`: 0; an int: one less; a tuple: less by its length
    minmax       a tensor as second argument: broadcast; else reduce
    quantile     reduce, and the rank of `q` more where `q` is a tensor
    broadcast    the largest among all tensors given
    cat          the largest among the items of the list
    hstack, vstack, dstack      cat, but at least 1, 2, 3
    atleast      at least the digit in the name of the function
    size         the count of the sizes given, or the length of the tuple; of `x.shape`: the rank of `x`; the parameter
                 is called size, shape, sizes, repeats or dims
    legacy       `torch.FloatTensor(2, 3)`: size where all arguments are ints, else nest
    nest         how deep the lists of the data are nested; of a tensor its rank; of a number 0
    view         size, but a dtype as argument means same
    tile         the larger of same and size
    flat         1 where `dim` is absent or None, else same
    flatten      same less (end_dim - start_dim), negative ones counted from the end, at least 1
    unflatten    same + length of `sizes` - 1
    squeeze      known only where the sizes are
    nonzero      2, but 1 where `as_tuple` is true
    where        with `condition` alone 1, else broadcast
    diag         1 becomes 2 and 2 becomes 1
    matmul       1, 1: 0; 1, n: n - 1; n, 1: n - 1; else the larger
    inner        0, n: n; n, 0: n; else the sum less 2
    tensordot    the sum less twice `dims` (2 by default), or twice the length of `dims[0]`
    einsum       the letters after `->`; without an arrow those that occur once; an ellipsis makes it unknown
    einops       the axes on the right of `->` in the pattern, brackets being one and `...` making it unknown; the
                 pattern is the parameter `pattern`, of `einops.einsum` the last argument
    count        how many tensors are given
    loss         the `reduction` argument: "none" broadcast, "mean", "sum" and "batchmean" 0; not known where
                 `size_average` or `reduce` is given
    loss-1       the same, but "none" gives same - 1
    loss0        the same, but "none" gives not known

device
    same         where the tensors are; a 0-dim tensor on the CPU yields to any other
    first        where the first tensor is, wherever the others are
    arg          the device argument, else the default device
    arg-or-same  the device argument, else same
    data         the device argument; else that of a tensor given as data; else the default device
    to           by what is given: a device, or that of a tensor `other`; else it stays
    cpu, cuda    there
    type         same, unless the argument is a CUDA type (`torch.cuda.HalfTensor`) or the name of one

grad
    same         the result requires a gradient where a tensor given does, grad mode is on and the result is floating or
                 complex
    first        the same by the first tensor alone
    view         same, but no where a dtype is given
    no           never requires one (a factory: unless `requires_grad=True`)
    set          as the argument says, True by default (`requires_grad_`)

memory
    copy         memory of its own
    view         shares memory with the first tensor
    maybe        either, as strides, dtype or device have it
    inplace      the first tensor itself, changed

An in-place form `name_` needs no line: dtype, rank and device are those of the receiver.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

Word = str | int | None
Column = Word | tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """What an operation does; the module's first lines define the words."""

    dtype: Column
    rank: Column
    device: str | None
    grad: str | None
    view: bool | None
    """Whether the result shares memory with the first tensor; None: it may."""
    inplace: bool = False


IN_PLACE: Final = Effect("same", "same", "same", "same", False, True)


def find(name: str, *, method: bool) -> Effect | None:
    """The effect of a function by its canonical name, or of a method."""
    key = f".{name}" if method else name
    found = table().get(key)
    if found is None and name.endswith("_") and not name.endswith("__"):
        base = table().get(key[:-1])
        return IN_PLACE if base is not None and base.grad == "same" else None
    return found


@cache
def table() -> dict[str, Effect]:
    """All rows by full name, methods with a leading dot."""
    rows: dict[str, Effect] = {}
    effects: dict[str, Effect] = {}
    for line in TABLE.splitlines():
        name, _, columns = line.partition(" ")
        if not name:
            continue
        columns = " ".join(columns.split())
        effect = effects.get(columns)
        if effect is None:
            effect = effects[columns] = _effect(*columns.split())
        head, dot, rest = name.partition(".")
        if not dot:
            rows["torch." + name] = rows["." + name] = effect
        else:
            rows[f"torch.nn.functional.{rest}" if head == "F" else name] = effect
    return rows


def _effect(dtype: str, rank: str, device: str, grad: str, memory: str) -> Effect:
    view = {"copy": False, "view": True, "maybe": None, "inplace": False}[memory]
    return Effect(
        _column(dtype),
        _column(rank),
        None if device == "-" else device,
        None if grad == "-" else grad,
        view,
        memory == "inplace",
    )


def _column(text: str) -> Column:
    items = tuple(_word(item) for item in text.split(","))
    return items if len(items) > 1 else items[0]


def _word(text: str) -> Word:
    if text == "-":
        return None
    return int(text) if text.isdigit() else text


TABLE: Final = """
.H                                same                    same                same          same   view
.T                                same                    same                same          same   view
.addbmm_                          same                    2                   same          same   inplace
.apply_                           same                    same                same          -      inplace
.as_strided_                      same                    size                same          same   inplace
.bernoulli_                       same                    same                same          same   inplace
.bfloat16                         bfloat16                same                same          same   maybe
.bitwise_and_                     same                    same                same          -      inplace
.bitwise_not_                     same                    same                same          -      inplace
.bitwise_or_                      same                    same                same          -      inplace
.bitwise_xor_                     same                    same                same          -      inplace
.bool                             bool                    same                same          same   maybe
.byte                             uint8                   same                same          same   maybe
.cauchy_                          same                    same                same          same   inplace
.cdouble                          complex128              same                same          same   maybe
.cfloat                           complex64               same                same          same   maybe
.chalf                            complex32               same                same          same   maybe
.char                             int8                    same                same          same   maybe
.contiguous                       same                    same                same          same   maybe
.copy_                            same                    same                same          same   inplace
.cpu                              same                    same                cpu           same   maybe
.cuda                             same                    same                cuda          same   maybe
.data                             same                    same                same          no     view
.detach_                          same                    same                same          no     inplace
.double                           float64                 same                same          same   maybe
.eq_                              same                    same                same          -      inplace
.expand                           same                    view                same          same   view
.expand_as                        same                    @other              first         first  view
.exponential_                     same                    same                same          same   inplace
.fill_                            same                    same                same          same   inplace
.fill_diagonal_                   same                    same                same          same   inplace
.float                            float32                 same                same          same   maybe
.ge_                              same                    same                same          -      inplace
.geometric_                       same                    same                same          same   inplace
.grad                             same                    same                same          -      copy
.gt_                              same                    same                same          -      inplace
.half                             float16                 same                same          same   maybe
.hardshrink                       same                    same                same          same   copy
.index_add_                       same                    same                same          same   inplace
.index_copy_                      same                    same                same          same   inplace
.index_fill_                      same                    same                same          same   inplace
.index_put_                       same                    same                same          same   inplace
.int                              int32                   same                same          same   maybe
.le_                              same                    same                same          -      inplace
.log_normal_                      same                    same                same          same   inplace
.logical_and_                     same                    same                same          -      inplace
.logical_not_                     same                    same                same          -      inplace
.logical_or_                      same                    same                same          -      inplace
.logical_xor_                     same                    same                same          -      inplace
.long                             int64                   same                same          same   maybe
.lt_                              same                    same                same          -      inplace
.mH                               same                    same                same          same   view
.mT                               same                    same                same          same   view
.map_                             same                    same                same          -      inplace
.masked_fill_                     same                    same                same          same   inplace
.masked_scatter_                  same                    same                same          same   inplace
.ne_                              same                    same                same          -      inplace
.new                              same                    legacy              same          no     copy
.new_empty                        arg-or-same             size                arg-or-same   no     copy
.new_empty_strided                arg-or-same             size                arg-or-same   no     copy
.new_full                         arg-or-same             size                arg-or-same   no     copy
.new_ones                         arg-or-same             size                arg-or-same   no     copy
.new_tensor                       -                       nest                arg-or-same   no     copy
.new_zeros                        arg-or-same             size                arg-or-same   no     copy
.normal_                          same                    same                same          same   inplace
.pin_memory                       same                    same                cpu           same   maybe
.prelu                            same                    same                same          same   copy
.put_                             same                    same                same          same   inplace
.random_                          same                    same                same          same   inplace
.repeat                           same                    view                same          same   copy
.requires_grad_                   same                    same                same          set    inplace
.reshape_as                       same                    @other              first         first  maybe
.resize_                          same                    -                   same          first  inplace
.resize_as_                       same                    -                   same          first  inplace
.scatter_                         same                    same                same          same   inplace
.scatter_add_                     same                    same                same          same   inplace
.scatter_reduce_                  same                    same                same          same   inplace
.set_                             same                    -                   same          -      inplace
.share_memory_                    same                    same                same          same   inplace
.short                            int16                   same                same          same   maybe
.squeeze_                         same                    squeeze             same          same   inplace
.stft                             -                       -                   same          same   copy
.swapaxes_                        same                    same                same          same   inplace
.swapdims_                        same                    same                same          same   inplace
.t_                               same                    same                same          same   inplace
.to                               to                      same                to            first  maybe
.transpose_                       same                    same                same          same   inplace
.type                             arg-or-same             same                type          same   maybe
.type_as                          @other                  same                to            first  maybe
.unfold                           same                    same+1              same          same   view
.uniform_                         same                    same                same          same   inplace
.unsqueeze_                       same                    same+1              same          same   inplace
.view                             arg-or-same             view                same          view   view
.view_as                          same                    @other              first         first  view
.zero_                            same                    same                same          same   inplace
F.adaptive_avg_pool1d             same                    same                same          same   copy
F.adaptive_avg_pool2d             same                    same                same          same   copy
F.adaptive_avg_pool3d             same                    same                same          same   copy
F.adaptive_max_pool1d             same,int64              same,same           same          same   copy
F.adaptive_max_pool2d             same,int64              same,same           same          same   copy
F.adaptive_max_pool3d             same,int64              same,same           same          same   copy
F.affine_grid                     same                    size                same          same   copy
F.alpha_dropout                   same                    same                same          same   maybe
F.avg_pool1d                      same                    same                same          same   copy
F.avg_pool2d                      same                    same                same          same   copy
F.avg_pool3d                      same                    same                same          same   copy
F.batch_norm                      same                    same                same          same   copy
F.bilinear                        same                    same                same          same   copy
F.binary_cross_entropy            same                    loss                same          same   copy
F.binary_cross_entropy_with_logits  same                    loss                same          same   copy
F.celu                            same                    same                same          same   copy
F.channel_shuffle                 same                    same                same          same   maybe
F.conv1d                          same                    same                same          same   copy
F.conv2d                          same                    same                same          same   copy
F.conv3d                          same                    same                same          same   copy
F.conv_transpose1d                same                    same                same          same   copy
F.conv_transpose2d                same                    same                same          same   copy
F.conv_transpose3d                same                    same                same          same   copy
F.cosine_embedding_loss           -                       loss0               same          same   copy
F.cosine_similarity               -                       broadcast-1         same          same   copy
F.cross_entropy                   same                    loss-1              same          same   copy
F.ctc_loss                        -                       loss0               same          same   copy
F.dropout                         same                    same                same          same   maybe
F.dropout1d                       same                    same                same          same   maybe
F.dropout2d                       same                    same                same          same   maybe
F.dropout3d                       same                    same                same          same   maybe
F.elu                             same                    same                same          same   copy
F.embedding                       @weight                 same+1              same          same   copy
F.embedding_bag                   -                       2                   same          same   copy
F.feature_alpha_dropout           same                    same                same          same   maybe
F.fold                            same                    same+1              same          same   copy
F.fractional_max_pool2d           same,int64              same,same           same          same   copy
F.fractional_max_pool3d           same,int64              same,same           same          same   copy
F.gaussian_nll_loss               -                       loss                same          same   copy
F.gelu                            same                    same                same          same   copy
F.glu                             same                    same                same          same   copy
F.grid_sample                     same                    same                same          same   copy
F.group_norm                      same                    same                same          same   copy
F.gumbel_softmax                  same                    same                same          same   copy
F.hardshrink                      same                    same                same          same   copy
F.hardsigmoid                     same                    same                same          same   copy
F.hardswish                       same                    same                same          same   copy
F.hardtanh                        same                    same                same          same   copy
F.hinge_embedding_loss            -                       loss                same          same   copy
F.huber_loss                      -                       loss                same          same   copy
F.instance_norm                   same                    same                same          same   copy
F.interpolate                     same                    same                same          same   copy
F.kl_div                          promote                 loss                same          same   copy
F.l1_loss                         real                    loss                same          same   copy
F.layer_norm                      same                    same                same          same   copy
F.leaky_relu                      same                    same                same          same   copy
F.linear                          same                    same                same          same   copy
F.local_response_norm             -                       same                same          same   copy
F.log_softmax                     arg-or-same             same                same          same   copy
F.logsigmoid                      same                    same                same          same   copy
F.lp_pool1d                       same                    same                same          same   copy
F.lp_pool2d                       same                    same                same          same   copy
F.lp_pool3d                       same                    same                same          same   copy
F.margin_ranking_loss             -                       loss                same          same   copy
F.max_pool1d                      same,int64              same,same           same          same   copy
F.max_pool2d                      same,int64              same,same           same          same   copy
F.max_pool3d                      same,int64              same,same           same          same   copy
F.max_unpool1d                    same                    same                same          same   copy
F.max_unpool2d                    same                    same                same          same   copy
F.max_unpool3d                    same                    same                same          same   copy
F.mish                            same                    same                same          same   copy
F.mse_loss                        promote                 loss                same          same   copy
F.multi_margin_loss               -                       loss0               same          same   copy
F.multilabel_margin_loss          -                       loss0               same          same   copy
F.multilabel_soft_margin_loss     -                       loss0               same          same   copy
F.nll_loss                        same                    loss-1              same          same   copy
F.normalize                       same                    same                same          same   copy
F.one_hot                         int64                   same+1              same          no     copy
F.pad                             same                    same                same          same   copy
F.pairwise_distance               -                       broadcast-1         same          same   copy
F.pdist                           same                    1                   same          same   copy
F.pixel_shuffle                   same                    same                same          same   copy
F.pixel_unshuffle                 same                    same                same          same   copy
F.poisson_nll_loss                float                   loss                same          same   copy
F.prelu                           same                    same                same          same   copy
F.relu                            same                    same                same          same   copy
F.relu6                           same                    same                same          same   copy
F.rms_norm                        same                    same                same          same   copy
F.rrelu                           same                    same                same          same   copy
F.scaled_dot_product_attention    same                    broadcast           same          same   copy
F.selu                            same                    same                same          same   copy
F.sigmoid                         float                   same                same          same   copy
F.silu                            same                    same                same          same   copy
F.smooth_l1_loss                  promote                 loss                same          same   copy
F.soft_margin_loss                -                       loss                same          same   copy
F.softmax                         arg-or-same             same                same          same   copy
F.softmin                         arg-or-same             same                same          same   copy
F.softplus                        same                    same                same          same   copy
F.softshrink                      same                    same                same          same   copy
F.softsign                        float                   same                same          same   copy
F.tanh                            float                   same                same          same   copy
F.tanhshrink                      float                   same                same          same   copy
F.threshold                       same                    same                same          same   copy
F.triplet_margin_loss             -                       loss0               same          same   copy
F.triplet_margin_with_distance_loss  -                       loss0               same          same   copy
F.unfold                          same                    same-1              same          same   copy
F.upsample                        same                    same                same          same   copy
F.upsample_bilinear               same                    same                same          same   copy
F.upsample_nearest                same                    same                same          same   copy
abs                               real                    same                same          same   copy
absolute                          real                    same                same          same   copy
acos                              float                   same                same          same   copy
acosh                             float                   same                same          same   copy
add                               promote                 broadcast           same          same   copy
addbmm                            same                    2                   same          same   copy
addcdiv                           promote                 broadcast           same          same   copy
addcmul                           promote                 broadcast           same          same   copy
addmm                             same                    2                   same          same   copy
addmv                             same                    1                   same          same   copy
addr                              promote                 2                   same          same   copy
adjoint                           same                    same                same          same   view
all                               truth                   reduce              same          no     copy
amax                              same                    reduce              same          same   copy
amin                              same                    reduce              same          same   copy
aminmax                           same,same               reduce,reduce       same          same   copy
angle                             float-real              same                same          same   copy
any                               truth                   reduce              same          no     copy
arccos                            float                   same                same          same   copy
arccosh                           float                   same                same          same   copy
arcsin                            float                   same                same          same   copy
arcsinh                           float                   same                same          same   copy
arctan                            float                   same                same          same   copy
arctan2                           float                   broadcast           same          same   copy
arctanh                           float                   same                same          same   copy
argmax                            int64                   reduce              same          no     copy
argmin                            int64                   reduce              same          no     copy
argsort                           int64                   same                same          no     copy
argwhere                          int64                   2                   same          no     copy
as_strided                        same                    size                same          same   view
asin                              float                   same                same          same   copy
asinh                             float                   same                same          same   copy
atan                              float                   same                same          same   copy
atan2                             float                   broadcast           same          same   copy
atanh                             float                   same                same          same   copy
baddbmm                           same                    3                   same          same   copy
bernoulli                         same                    same                same          same   copy
bincount                          -                       1                   same          -      copy
bitwise_and                       promote                 broadcast           same          no     copy
bitwise_left_shift                promote                 broadcast           same          no     copy
bitwise_not                       same                    same                same          no     copy
bitwise_or                        promote                 broadcast           same          no     copy
bitwise_right_shift               promote                 broadcast           same          no     copy
bitwise_xor                       promote                 broadcast           same          no     copy
bmm                               same                    3                   same          same   copy
broadcast_to                      same                    view                same          same   view
ceil                              same                    same                same          same   copy
cholesky                          same                    same                same          same   copy
cholesky_inverse                  same                    same                same          same   copy
cholesky_solve                    same                    -                   same          same   copy
chunk                             same                    same                same          same   view
clamp                             promote                 broadcast           same          same   copy
clamp_max                         promote                 broadcast           same          same   copy
clamp_min                         promote                 broadcast           same          same   copy
clip                              promote                 broadcast           same          same   copy
clone                             same                    same                same          same   copy
conj                              same                    same                same          same   view
conj_physical                     same                    same                same          same   maybe
copysign                          float                   broadcast           same          same   copy
corrcoef                          float                   -                   same          same   copy
cos                               float                   same                same          same   copy
cosh                              float                   same                same          same   copy
count_nonzero                     int64                   reduce              same          no     copy
cov                               -                       -                   same          same   copy
cross                             promote                 broadcast           same          same   copy
cummax                            same,int64              same,same           same          same   copy
cummin                            same,int64              same,same           same          same   copy
cumprod                           sum                     same                same          same   copy
cumsum                            sum                     same                same          same   copy
deg2rad                           float                   same                same          same   copy
det                               same                    same-2              same          same   copy
detach                            same                    same                same          no     view
diag                              same                    diag                same          same   maybe
diag_embed                        same                    same+1              same          same   copy
diagflat                          same                    2                   same          same   copy
diagonal                          same                    same-1              same          same   view
diagonal_scatter                  same                    same                same          same   copy
diff                              same                    same                same          same   copy
digamma                           float                   same                same          same   copy
dist                              real                    0                   same          same   copy
div                               div                     broadcast           same          same   copy
divide                            div                     broadcast           same          same   copy
dot                               same                    0                   same          same   copy
dsplit                            same                    same                same          same   view
einops.einsum                     same                    einops              same          same   copy
einops.rearrange                  same                    einops              same          same   maybe
einops.reduce                     -                       einops              same          same   copy
einops.repeat                     same                    einops              same          same   maybe
eq                                bool                    broadcast           same          no     copy
erf                               float                   same                same          same   copy
erfc                              float                   same                same          same   copy
erfinv                            float                   same                same          same   copy
exp                               float                   same                same          same   copy
exp2                              float                   same                same          same   copy
expm1                             float                   same                same          same   copy
fix                               same                    same                same          same   copy
flatten                           same                    flatten             same          same   maybe
flip                              same                    same                same          same   copy
fliplr                            same                    same                same          same   copy
flipud                            same                    same                same          same   copy
float_power                       double                  broadcast           same          same   copy
floor                             same                    same                same          same   copy
floor_divide                      promote                 broadcast           same          same   copy
fmax                              promote                 broadcast           same          same   copy
fmin                              promote                 broadcast           same          same   copy
fmod                              promote                 broadcast           same          same   copy
frac                              same                    same                same          same   copy
frexp                             same,int32              same,same           same          same   copy
gather                            same                    @index              same          same   copy
gcd                               promote                 broadcast           same          no     copy
ge                                bool                    broadcast           same          no     copy
ger                               promote                 2                   same          same   copy
greater                           bool                    broadcast           same          no     copy
greater_equal                     bool                    broadcast           same          no     copy
gt                                bool                    broadcast           same          no     copy
heaviside                         promote                 broadcast           same          same   copy
histc                             same                    1                   same          no     copy
hsplit                            same                    same                same          same   view
hypot                             promote                 broadcast           same          same   copy
i0                                float                   same                same          same   copy
igamma                            promote                 broadcast           same          same   copy
igammac                           promote                 broadcast           same          same   copy
imag                              real                    same                same          same   view
index_add                         same                    same                same          same   copy
index_copy                        same                    same                same          same   copy
index_fill                        same                    same                same          same   copy
index_put                         same                    same                same          same   copy
index_reduce                      same                    same                same          same   copy
index_select                      same                    same                same          same   copy
inner                             same                    inner               same          same   copy
inverse                           same                    same                same          same   copy
isclose                           bool                    broadcast           same          no     copy
isfinite                          bool                    same                same          no     copy
isinf                             bool                    same                same          no     copy
isnan                             bool                    same                same          no     copy
isneginf                          bool                    same                same          no     copy
isposinf                          bool                    same                same          no     copy
isreal                            bool                    same                same          no     copy
istft                             -                       -                   same          same   copy
kron                              promote                 broadcast           same          same   copy
kthvalue                          same,int64              same-1,same-1       same          same   copy
lcm                               promote                 broadcast           same          no     copy
ldexp                             -                       broadcast           same          same   copy
le                                bool                    broadcast           same          no     copy
lerp                              same                    broadcast           same          same   copy
less                              bool                    broadcast           same          no     copy
less_equal                        bool                    broadcast           same          no     copy
lgamma                            float                   same                same          same   copy
log                               float                   same                same          same   copy
log10                             float                   same                same          same   copy
log1p                             float                   same                same          same   copy
log2                              float                   same                same          same   copy
log_softmax                       arg-or-same             same                same          same   copy
logaddexp                         promote                 broadcast           same          same   copy
logaddexp2                        promote                 broadcast           same          same   copy
logcumsumexp                      same                    same                same          same   copy
logdet                            same                    same-2              same          same   copy
logical_and                       bool                    broadcast           same          no     copy
logical_not                       bool                    same                same          no     copy
logical_or                        bool                    broadcast           same          no     copy
logical_xor                       bool                    broadcast           same          no     copy
logit                             float                   same                same          same   copy
logsumexp                         float                   reduce              same          same   copy
lt                                bool                    broadcast           same          no     copy
lu_solve                          same                    -                   same          same   copy
masked_fill                       same                    broadcast           same          same   copy
masked_scatter                    same                    broadcast           same          same   copy
masked_select                     same                    1                   same          same   copy
matmul                            same                    matmul              same          same   copy
matrix_exp                        same                    same                same          same   copy
matrix_power                      same                    same                same          same   copy
max                               promote,int64           minmax,reduce       same          same   copy
maximum                           promote                 broadcast           same          same   copy
mean                              arg-or-same             reduce              same          same   copy
median                            same,int64              reduce,reduce       same          same   copy
min                               promote,int64           minmax,reduce       same          same   copy
minimum                           promote                 broadcast           same          same   copy
mm                                same                    2                   same          same   copy
mode                              same,int64              same-1,same-1       same          same   copy
moveaxis                          same                    same                same          same   view
movedim                           same                    same                same          same   view
msort                             same                    same                same          same   copy
mul                               promote                 broadcast           same          same   copy
multinomial                       int64                   same                same          no     copy
multiply                          promote                 broadcast           same          same   copy
mv                                same                    1                   same          same   copy
mvlgamma                          float                   same                same          same   copy
nan_to_num                        same                    same                same          same   copy
nanmean                           arg-or-same             reduce              same          same   copy
nanmedian                         same,int64              reduce,reduce       same          same   copy
nanquantile                       promote                 quantile            same          same   copy
nansum                            sum                     reduce              same          same   copy
narrow                            same                    same                same          same   view
narrow_copy                       same                    same                same          same   copy
ne                                bool                    broadcast           same          no     copy
neg                               same                    same                same          same   copy
negative                          same                    same                same          same   copy
nextafter                         promote                 broadcast           same          -      copy
nonzero                           int64                   nonzero             same          no     copy
norm                              arg-or-real             reduce              same          same   copy
not_equal                         bool                    broadcast           same          no     copy
operator.abs                      real                    same                same          same   copy
operator.add                      promote                 broadcast           same          same   copy
operator.and_                     promote                 broadcast           same          no     copy
operator.eq                       bool                    broadcast           same          no     copy
operator.floordiv                 promote                 broadcast           same          same   copy
operator.ge                       bool                    broadcast           same          no     copy
operator.gt                       bool                    broadcast           same          no     copy
operator.invert                   same                    same                same          no     copy
operator.le                       bool                    broadcast           same          no     copy
operator.lshift                   promote                 broadcast           same          no     copy
operator.lt                       bool                    broadcast           same          no     copy
operator.matmul                   same                    matmul              same          same   copy
operator.mod                      promote                 broadcast           same          same   copy
operator.mul                      promote                 broadcast           same          same   copy
operator.ne                       bool                    broadcast           same          no     copy
operator.neg                      same                    same                same          same   copy
operator.or_                      promote                 broadcast           same          no     copy
operator.pos                      same                    same                same          same   view
operator.pow                      promote                 broadcast           same          same   copy
operator.rshift                   promote                 broadcast           same          no     copy
operator.sub                      promote                 broadcast           same          same   copy
operator.truediv                  float                   broadcast           same          same   copy
operator.xor                      promote                 broadcast           same          no     copy
outer                             promote                 2                   same          same   copy
permute                           same                    same                same          same   view
pinverse                          same                    same                same          same   copy
polygamma                         float                   same                same          same   copy
positive                          same                    same                same          same   view
pow                               promote                 broadcast           same          same   copy
prod                              sum                     reduce              same          same   copy
put                               same                    same                same          same   copy
qr                                same,same               same,same           same          same   copy
quantile                          promote                 quantile            same          same   copy
rad2deg                           float                   same                same          same   copy
ravel                             same                    1                   same          same   maybe
real                              real                    same                same          same   view
reciprocal                        float                   same                same          same   copy
relu                              same                    same                same          same   copy
remainder                         promote                 broadcast           same          same   copy
renorm                            same                    same                same          same   copy
repeat_interleave                 same                    flat                same          same   copy
reshape                           same                    view                same          same   maybe
resolve_conj                      same                    same                same          same   maybe
resolve_neg                       same                    same                same          same   maybe
roll                              same                    same                same          same   copy
rot90                             same                    same                same          same   copy
round                             same                    same                same          same   copy
rsqrt                             float                   same                same          same   copy
scatter                           same                    same                same          same   copy
scatter_add                       same                    same                same          same   copy
scatter_reduce                    same                    same                same          same   copy
select                            same                    same-1              same          same   view
select_scatter                    same                    same                same          same   copy
sgn                               same                    same                same          same   copy
sigmoid                           float                   same                same          same   copy
sign                              same                    same                same          same   copy
signbit                           bool                    same                same          no     copy
sin                               float                   same                same          same   copy
sinc                              float                   same                same          same   copy
sinh                              float                   same                same          same   copy
slice_scatter                     same                    same                same          same   copy
slogdet                           same,real               same-2,same-2       same          same   copy
softmax                           arg-or-same             same                same          same   copy
sort                              same,int64              same,same           same          same   copy
split                             same                    same                same          same   view
split_with_sizes                  same                    same                same          same   view
sqrt                              float                   same                same          same   copy
square                            arith                   same                same          same   copy
squeeze                           same                    squeeze             same          same   view
std                               real                    reduce              same          same   copy
sub                               promote                 broadcast           same          same   copy
subtract                          promote                 broadcast           same          same   copy
sum                               sum                     reduce              same          same   copy
svd                               same,real,same          same,same-1,same    same          same   copy
swapaxes                          same                    same                same          same   view
swapdims                          same                    same                same          same   view
t                                 same                    same                same          same   view
take                              same                    @index              same          same   copy
take_along_dim                    same                    -                   same          same   copy
tan                               float                   same                same          same   copy
tanh                              float                   same                same          same   copy
tensor_split                      same                    same                same          same   view
tile                              same                    tile                same          same   maybe
topk                              same,int64              same,same           same          same   copy
torch.BFloat16Tensor              bfloat16                legacy              cpu           no     copy
torch.BoolTensor                  bool                    legacy              cpu           no     copy
torch.ByteTensor                  uint8                   legacy              cpu           no     copy
torch.CharTensor                  int8                    legacy              cpu           no     copy
torch.DoubleTensor                float64                 legacy              cpu           no     copy
torch.FloatTensor                 float32                 legacy              cpu           no     copy
torch.HalfTensor                  float16                 legacy              cpu           no     copy
torch.IntTensor                   int32                   legacy              cpu           no     copy
torch.LongTensor                  int64                   legacy              cpu           no     copy
torch.ShortTensor                 int16                   legacy              cpu           no     copy
torch.Tensor                      -                       legacy              cpu           no     copy
torch.alpha_dropout               same                    same                same          same   maybe
torch.arange                      data                    1                   arg           no     copy
torch.as_tensor                   data                    nest                data          -      maybe
torch.asarray                     data                    nest                data          -      maybe
torch.atleast_1d                  same                    atleast             same          same   view
torch.atleast_2d                  same                    atleast             same          same   view
torch.atleast_3d                  same                    atleast             same          same   view
torch.bartlett_window             arg                     1                   arg           no     copy
torch.blackman_window             arg                     1                   arg           no     copy
torch.block_diag                  promote                 2                   same          same   copy
torch.broadcast_tensors           -                       broadcast           same          same   view
torch.bucketize                   index                   same                same          no     copy
torch.cartesian_prod              same                    -                   same          same   maybe
torch.cat                         same                    cat                 same          same   copy
torch.cdist                       same                    broadcast           same          same   copy
torch.celu                        same                    same                same          same   copy
torch.chain_matmul                same                    2                   same          same   copy
torch.column_stack                same                    vstack              same          same   copy
torch.combinations                same                    2                   same          same   copy
torch.complex                     complex                 broadcast           same          same   copy
torch.concat                      same                    cat                 same          same   copy
torch.concatenate                 same                    cat                 same          same   copy
torch.cuda.BFloat16Tensor         bfloat16                legacy              cuda          no     copy
torch.cuda.BoolTensor             bool                    legacy              cuda          no     copy
torch.cuda.ByteTensor             uint8                   legacy              cuda          no     copy
torch.cuda.CharTensor             int8                    legacy              cuda          no     copy
torch.cuda.DoubleTensor           float64                 legacy              cuda          no     copy
torch.cuda.FloatTensor            float32                 legacy              cuda          no     copy
torch.cuda.HalfTensor             float16                 legacy              cuda          no     copy
torch.cuda.IntTensor              int32                   legacy              cuda          no     copy
torch.cuda.LongTensor             int64                   legacy              cuda          no     copy
torch.cuda.ShortTensor            int16                   legacy              cuda          no     copy
torch.cuda.sparse.DoubleTensor    float64                 2                   cuda          same   copy
torch.cuda.sparse.FloatTensor     float32                 2                   cuda          same   copy
torch.cumulative_trapezoid        -                       -                   same          same   copy
torch.dropout                     same                    same                same          same   maybe
torch.dstack                      same                    dstack              same          same   copy
torch.einsum                      same                    einsum              same          same   copy
torch.empty                       arg                     size                arg           no     copy
torch.empty_like                  arg-or-same             same                arg-or-same   no     copy
torch.empty_permuted              arg                     size                arg           no     copy
torch.empty_strided               arg                     size                arg           no     copy
torch.eye                         arg                     2                   arg           no     copy
torch.feature_alpha_dropout       same                    same                same          same   maybe
torch.feature_dropout             same                    same                same          same   maybe
torch.fft.fft                     complex                 same                same          same   copy
torch.fft.fft2                    complex                 same                same          same   copy
torch.fft.fftfreq                 arg                     1                   arg           no     copy
torch.fft.fftn                    complex                 same                same          same   copy
torch.fft.fftshift                same                    same                same          same   copy
torch.fft.hfft                    float-real              same                same          same   copy
torch.fft.hfft2                   float-real              same                same          same   copy
torch.fft.hfftn                   float-real              same                same          same   copy
torch.fft.ifft                    complex                 same                same          same   copy
torch.fft.ifft2                   complex                 same                same          same   copy
torch.fft.ifftn                   complex                 same                same          same   copy
torch.fft.ifftshift               same                    same                same          same   copy
torch.fft.ihfft                   complex                 same                same          same   copy
torch.fft.ihfft2                  complex                 same                same          same   copy
torch.fft.ihfftn                  complex                 same                same          same   copy
torch.fft.irfft                   float-real              same                same          same   copy
torch.fft.irfft2                  float-real              same                same          same   copy
torch.fft.irfftn                  float-real              same                same          same   copy
torch.fft.rfft                    complex                 same                same          same   copy
torch.fft.rfft2                   complex                 same                same          same   copy
torch.fft.rfftfreq                arg                     1                   arg           no     copy
torch.fft.rfftn                   complex                 same                same          same   copy
torch.from_dlpack                 -                       -                   -             no     view
torch.from_numpy                  @ndarray                -                   cpu           no     maybe
torch.frombuffer                  arg                     1                   cpu           no     maybe
torch.full                        fill                    size                arg           no     copy
torch.full_like                   arg-or-same             same                arg-or-same   no     copy
torch.hamming_window              arg                     1                   arg           no     copy
torch.hann_window                 arg                     1                   arg           no     copy
torch.hstack                      same                    hstack              same          same   copy
torch.isin                        bool                    same                same          no     copy
torch.kaiser_window               arg                     1                   arg           no     copy
torch.linalg.cholesky             same                    same                same          same   copy
torch.linalg.cholesky_ex          same,int32              same,same-2         same          same   copy
torch.linalg.cond                 real                    same-2              same          same   copy
torch.linalg.cross                promote                 broadcast           same          same   copy
torch.linalg.det                  same                    same-2              same          same   copy
torch.linalg.diagonal             same                    same-1              same          same   view
torch.linalg.eig                  complex,complex         same-1,same         same          same   copy
torch.linalg.eigh                 real,same               same-1,same         same          same   copy
torch.linalg.eigvals              complex                 same-1              same          same   copy
torch.linalg.eigvalsh             real                    same-1              same          same   copy
torch.linalg.householder_product  same                    same                same          same   copy
torch.linalg.inv                  same                    same                same          same   copy
torch.linalg.inv_ex               same,int32              same,same-2         same          same   copy
torch.linalg.lstsq                -,-,int64,-             -                   same          -      copy
torch.linalg.lu                   same,same,same          same,same,same      same          -      copy
torch.linalg.lu_factor            same,int32              same,same-1         same          same   copy
torch.linalg.matmul               same                    matmul              same          same   copy
torch.linalg.matrix_exp           same                    same                same          same   copy
torch.linalg.matrix_norm          arg-or-real             same-2              same          same   copy
torch.linalg.matrix_power         same                    same                same          same   copy
torch.linalg.matrix_rank          int64                   same-2              same          no     copy
torch.linalg.multi_dot            same                    -                   same          same   copy
torch.linalg.norm                 arg-or-real             reduce              same          same   copy
torch.linalg.pinv                 same                    -                   same          same   copy
torch.linalg.qr                   same,same               -,same              same          same   copy
torch.linalg.slogdet              same,real               same-2,same-2       same          same   copy
torch.linalg.solve                same                    -                   same          same   copy
torch.linalg.solve_triangular     same                    broadcast           same          same   copy
torch.linalg.svd                  same,real,same          same,same-1,same    same          same   copy
torch.linalg.svdvals              real                    same-1              same          same   copy
torch.linalg.tensorinv            same                    -                   same          same   copy
torch.linalg.tensorsolve          same                    -                   same          same   copy
torch.linalg.vander               sum                     -                   same          same   copy
torch.linalg.vecdot               promote                 broadcast-1         same          same   copy
torch.linalg.vector_norm          arg-or-real             reduce              same          same   copy
torch.linspace                    arg                     1                   arg           no     copy
torch.logspace                    arg                     1                   arg           no     copy
torch.meshgrid                    same                    count               same          same   view
torch.nn.Parameter                same                    same                same          -      view
torch.nn.init.constant_           same                    same                same          same   inplace
torch.nn.init.dirac_              same                    same                same          same   inplace
torch.nn.init.eye_                same                    same                same          same   inplace
torch.nn.init.kaiming_normal_     same                    same                same          same   inplace
torch.nn.init.kaiming_uniform_    same                    same                same          same   inplace
torch.nn.init.normal_             same                    same                same          same   inplace
torch.nn.init.ones_               same                    same                same          same   inplace
torch.nn.init.orthogonal_         same                    same                same          same   inplace
torch.nn.init.sparse_             same                    same                same          same   inplace
torch.nn.init.trunc_normal_       same                    same                same          same   inplace
torch.nn.init.uniform_            same                    same                same          same   inplace
torch.nn.init.xavier_normal_      same                    same                same          same   inplace
torch.nn.init.xavier_uniform_     same                    same                same          same   inplace
torch.nn.init.zeros_              same                    same                same          same   inplace
torch.nn.utils.clip_grad_norm_    -                       0                   same          no     copy
torch.nn.utils.get_total_norm     -                       0                   same          no     copy
torch.nn.utils.parameters_to_vector  -                       1                   -             same   copy
torch.nn.utils.rnn.pad_packed_sequence  -,int64                 -,1                 -             same   copy
torch.nn.utils.rnn.pad_sequence   same                    cat+1               same          same   copy
torch.normal                      -                       -                   -             -      copy
torch.ones                        arg                     size                arg           no     copy
torch.ones_like                   arg-or-same             same                arg-or-same   no     copy
torch.poisson                     same                    same                same          same   copy
torch.polar                       complex                 broadcast           same          same   copy
torch.rand                        arg                     size                arg           no     copy
torch.rand_like                   arg-or-same             same                arg-or-same   no     copy
torch.randint                     arg-or-int64            size                arg           no     copy
torch.randint_like                arg-or-same             same                arg-or-same   no     copy
torch.randn                       arg                     size                arg           no     copy
torch.randn_like                  arg-or-same             same                arg-or-same   no     copy
torch.randperm                    arg-or-int64            1                   arg           no     copy
torch.range                       arg                     1                   arg           no     copy
torch.row_stack                   same                    vstack              same          same   copy
torch.rrelu                       same                    same                same          same   copy
torch.rsub                        promote                 broadcast           same          same   copy
torch.scalar_tensor               arg                     0                   arg           no     copy
torch.searchsorted                index                   @input              same          no     copy
torch.selu                        same                    same                same          same   copy
torch.sparse.DoubleTensor         float64                 2                   same          same   copy
torch.sparse.FloatTensor          float32                 2                   same          same   copy
torch.sparse.addmm                same                    2                   same          same   copy
torch.sparse.mm                   same                    2                   same          same   copy
torch.sparse_coo_tensor           -                       size                arg-or-same   -      copy
torch.special.bessel_j0           float                   same                same          -      copy
torch.special.bessel_j1           float                   same                same          -      copy
torch.special.digamma             float                   same                same          same   copy
torch.special.entr                float                   same                same          same   copy
torch.special.erf                 float                   same                same          same   copy
torch.special.erfc                float                   same                same          same   copy
torch.special.erfcx               float                   same                same          same   copy
torch.special.erfinv              float                   same                same          same   copy
torch.special.exp2                float                   same                same          same   copy
torch.special.expit               float                   same                same          same   copy
torch.special.expm1               float                   same                same          same   copy
torch.special.gammainc            promote                 broadcast           same          same   copy
torch.special.gammaincc           promote                 broadcast           same          same   copy
torch.special.gammaln             float                   same                same          same   copy
torch.special.i0                  float                   same                same          same   copy
torch.special.i0e                 float                   same                same          same   copy
torch.special.i1                  float                   same                same          same   copy
torch.special.i1e                 float                   same                same          same   copy
torch.special.log1p               float                   same                same          same   copy
torch.special.log_ndtr            float                   same                same          same   copy
torch.special.log_softmax         arg-or-same             same                same          same   copy
torch.special.logit               float                   same                same          same   copy
torch.special.logsumexp           float                   reduce              same          same   copy
torch.special.multigammaln        float                   same                same          same   copy
torch.special.ndtr                float                   same                same          same   copy
torch.special.ndtri               float                   same                same          same   copy
torch.special.polygamma           float                   same                same          same   copy
torch.special.psi                 float                   same                same          same   copy
torch.special.round               same                    same                same          same   copy
torch.special.sinc                float                   same                same          same   copy
torch.special.softmax             arg-or-same             same                same          same   copy
torch.special.xlog1py             float                   broadcast           same          same   copy
torch.special.xlogy               float                   broadcast           same          same   copy
torch.special.zeta                float                   broadcast           same          same   copy
torch.spmm                        same                    2                   same          same   copy
torch.stack                       same                    cat+1               same          same   copy
torch.std_mean                    real,same               reduce,reduce       same          same   copy
torch.stft                        -                       -                   same          same   copy
torch.tensor                      data                    nest                data          no     copy
torch.tensordot                   same                    tensordot           same          same   copy
torch.threshold                   same                    same                same          same   copy
torch.trapezoid                   -                       -                   same          same   copy
torch.trapz                       -                       -                   same          same   copy
torch.tril_indices                arg-or-int64            2                   arg           no     copy
torch.triu_indices                arg-or-int64            2                   arg           no     copy
torch.vander                      arith                   2                   same          same   copy
torch.var_mean                    real,same               reduce,reduce       same          same   copy
torch.view_as_complex             complex                 same-1              same          same   view
torch.view_as_real                real                    same+1              same          same   view
torch.vstack                      same                    vstack              same          same   copy
torch.zeros                       arg                     size                arg           no     copy
torch.zeros_like                  arg-or-same             same                arg-or-same   no     copy
torchvision.io.decode_image       -                       3                   cpu           no     copy
torchvision.io.read_file          uint8                   1                   cpu           no     copy
torchvision.io.read_image         -                       3                   cpu           no     copy
torchvision.ops.batched_nms       int64                   1                   same          no     copy
torchvision.ops.box_area          -                       1                   same          same   copy
torchvision.ops.box_convert       same                    same                same          same   copy
torchvision.ops.box_iou           -                       2                   same          same   copy
torchvision.ops.clip_boxes_to_image  same                    same                same          same   copy
torchvision.ops.complete_box_iou  -                       2                   same          same   copy
torchvision.ops.distance_box_iou  -                       2                   same          same   copy
torchvision.ops.generalized_box_iou  -                       2                   same          same   copy
torchvision.ops.masks_to_boxes    float32                 2                   same          no     copy
torchvision.ops.nms               int64                   1                   same          no     copy
torchvision.ops.remove_small_boxes  int64                   1                   same          no     copy
torchvision.ops.roi_align         same                    same                same          same   copy
torchvision.ops.roi_pool          same                    same                same          same   copy
torchvision.transforms.functional.normalize  same                    same                same          same   copy
torchvision.transforms.functional.pil_to_tensor  -                       3                   cpu           no     maybe
torchvision.transforms.functional.to_tensor  -                       3                   cpu           no     maybe
torchvision.utils.make_grid       -                       3                   same          same   copy
trace                             sum                     0                   same          same   copy
transpose                         same                    same                same          same   view
tril                              same                    same                same          same   copy
triu                              same                    same                same          same   copy
true_divide                       float                   broadcast           same          same   copy
trunc                             same                    same                same          same   copy
unbind                            same                    same-1              same          same   view
unflatten                         same                    unflatten           same          same   view
unique                            same,-,int64            flat,-,1            same          -      copy
unique_consecutive                same,-,int64            flat,-,1            same          -      copy
unsafe_chunk                      same                    same                same          same   view
unsafe_split                      same                    same                same          same   view
unsafe_split_with_sizes           same                    same                same          same   view
unsqueeze                         same                    same+1              same          same   view
var                               real                    reduce              same          same   copy
vdot                              same                    0                   same          same   copy
vsplit                            same                    same                same          same   view
where                             where                   where               same          same   copy
xlogy                             float                   broadcast           same          same   copy
"""
