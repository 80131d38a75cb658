"""What `torch.autocast("cuda")` does to the floating dtype of what an operation gives. Data and one look-up.

    lower    the operation runs, and gives, in the dtype of autocast, whatever floating dtype it gets (float64 excepted)
    float32  float16 and bfloat16 are raised to float32 first
    widest   the operands are brought to the widest of their dtypes first

What stands nowhere keeps to its row in `effects`. Names are written as there. Read off an H200 with torch 2.11.0, where
each sample call of the tests was made with and without autocast; convolutions, recurrent cells and `widest` are by
torch's documentation ("Autocast Op Reference").
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

Rule = Literal["lower", "float32", "widest"]

LOWER: Final = """
.pinverse .prelu addbmm addmm addmv addr baddbmm bmm chain_matmul corrcoef cov einsum F.conv1d F.conv2d F.conv3d
F.conv_tbc F.conv_transpose1d F.conv_transpose2d F.conv_transpose3d F.linear F.prelu F.scaled_dot_product_attention
matmul matrix_power mm mv operator.matmul torch.gru_cell torch.linalg.matmul torch.linalg.matrix_power
torch.linalg.multi_dot torch.linalg.pinv torch.linalg.vecdot torch.lstm_cell torch.pinverse torch.rnn_relu_cell
torch.rnn_tanh_cell torch.nn.Conv1d torch.nn.Conv2d torch.nn.Conv3d torch.nn.ConvTranspose1d torch.nn.ConvTranspose2d
torch.nn.ConvTranspose3d torch.nn.GRU torch.nn.GRUCell torch.nn.LSTM torch.nn.LSTMCell torch.nn.LazyConv1d
torch.nn.LazyConv2d torch.nn.LazyConv3d torch.nn.LazyConvTranspose1d torch.nn.LazyConvTranspose2d
torch.nn.LazyConvTranspose3d torch.nn.LazyLinear torch.nn.Linear torch.nn.MultiheadAttention torch.nn.PReLU torch.nn.RNN
torch.nn.RNNCell torch.nn.Transformer torch.nn.TransformerDecoder torch.nn.TransformerDecoderLayer
torch.nn.TransformerEncoder torch.nn.TransformerEncoderLayer
"""

FLOAT32: Final = """
acos arccos arcsin asin cosh cumprod cumsum dist erfinv exp expm1 F.cosine_embedding_loss F.cosine_similarity
F.cross_entropy F.gaussian_nll_loss F.group_norm F.gumbel_softmax F.hinge_embedding_loss F.huber_loss F.interpolate
F.kl_div F.l1_loss F.layer_norm F.local_response_norm F.log_softmax F.lp_pool1d F.lp_pool2d F.lp_pool3d
F.margin_ranking_loss F.mse_loss F.multi_margin_loss F.multilabel_margin_loss F.nll_loss F.normalize
F.pairwise_distance F.pdist F.poisson_nll_loss F.smooth_l1_loss F.soft_margin_loss F.softmax F.softmin F.softplus
F.triplet_margin_loss F.triplet_margin_with_distance_loss F.upsample F.upsample_bilinear F.upsample_nearest ldexp
log log10 log1p log2 log_softmax logsumexp mvlgamma norm operator.pow pow prod reciprocal renorm rsqrt sinh softmax
square sum tan torch.cdist torch.cumulative_trapezoid torch.linalg.matrix_norm torch.linalg.norm
torch.linalg.vector_norm torch.nn.utils.get_total_norm torch.special.erfinv torch.special.expm1 torch.special.log1p
torch.special.log_softmax torch.special.logsumexp torch.special.multigammaln torch.special.softmax torch.trapezoid
torch.trapz trace torch.nn.CosineSimilarity torch.nn.CrossEntropyLoss torch.nn.GroupNorm torch.nn.LayerNorm
torch.nn.LogSoftmax torch.nn.NLLLoss torch.nn.PairwiseDistance torch.nn.Softmax torch.nn.Softmin torch.nn.Softplus
"""

WIDEST: Final = """
addcdiv addcmul arctan2 atan2 cross dot F.bilinear F.grid_sample index_put inner scatter_add torch.tensordot vdot
"""


def find(name: str, *, method: bool) -> Rule | None:
    return _table().get(f".{name}" if method else name)


@cache
def _table() -> dict[str, Rule]:
    rows: dict[str, Rule] = {}
    groups: tuple[tuple[Rule, str], ...] = (("lower", LOWER), ("float32", FLOAT32), ("widest", WIDEST))
    for rule, names in groups:
        for name in names.split():
            head, dot, rest = name.partition(".")
            full = (
                [f"torch.{name}", f".{name}"] if not dot else [f"torch.nn.functional.{rest}" if head == "F" else name]
            )
            rows |= dict.fromkeys(full, rule)
    return rows
