"""The classes of `torch.nn`: what calling an instance gives, and what it owns. Data, read by `objects`.

    class   returns   dtype   rank   parameters with their ranks

Words are those of `effects`. `T:return_indices`: a tensor, unless that setting of the constructor is true. Where a
rank or dtype depends on what the row cannot say, it is `-`; a module whose result is not known (`Sequential`,
`Identity`) has no row. `flatten1` is `flatten` with a start_dim of 1 by default. Source: `torch.nn` of torch 2.13, each
row held against it.
"""

from __future__ import annotations

from typing import Final

TABLE: Final = """
AdaptiveAvgPool1d           T                 same     same      -
AdaptiveAvgPool2d           T                 same     same      -
AdaptiveAvgPool3d           T                 same     same      -
AdaptiveLogSoftmaxWithLoss  TT                -        -         -
AdaptiveMaxPool1d           T:return_indices  same     same      -
AdaptiveMaxPool2d           T:return_indices  same     same      -
AdaptiveMaxPool3d           T:return_indices  same     same      -
AlphaDropout                T                 same     same      -
AvgPool1d                   T                 same     same      -
AvgPool2d                   T                 same     same      -
AvgPool3d                   T                 same     same      -
BCELoss                     T                 same     loss      -
BCEWithLogitsLoss           T                 same     loss      -
BatchNorm1d                 T                 same     same      weight:1,bias:1
BatchNorm2d                 T                 same     same      weight:1,bias:1
BatchNorm3d                 T                 same     same      weight:1,bias:1
Bilinear                    T                 same     same      weight:3,bias:1
CELU                        T                 same     same      -
CTCLoss                     T                 -        loss0     -
ChannelShuffle              T                 same     same      -
CircularPad1d               T                 same     same      -
CircularPad2d               T                 same     same      -
CircularPad3d               T                 same     same      -
ConstantPad1d               T                 same     same      -
ConstantPad2d               T                 same     same      -
ConstantPad3d               T                 same     same      -
Conv1d                      T                 same     same      weight:3,bias:1
Conv2d                      T                 same     same      weight:4,bias:1
Conv3d                      T                 same     same      weight:5,bias:1
ConvTranspose1d             T                 same     same      weight:3,bias:1
ConvTranspose2d             T                 same     same      weight:4,bias:1
ConvTranspose3d             T                 same     same      weight:5,bias:1
CosineEmbeddingLoss         T                 -        loss0     -
CosineSimilarity            T                 -        broadcast-1  -
CrossEntropyLoss            T                 same     loss-1    -
CrossMapLRN2d               T                 -        same      -
Dropout                     T                 same     same      -
Dropout1d                   T                 same     same      -
Dropout2d                   T                 same     same      -
Dropout3d                   T                 same     same      -
ELU                         T                 same     same      -
Embedding                   T                 -        same+1    weight:2
EmbeddingBag                T                 -        2         weight:2
FeatureAlphaDropout         T                 same     same      -
Flatten                     T                 same     flatten1  -
Fold                        T                 same     same+1    -
FractionalMaxPool2d         T:return_indices  same     same      -
FractionalMaxPool3d         T:return_indices  same     same      -
GELU                        T                 same     same      -
GLU                         T                 same     same      -
GRU                         (T,T)             same     same      weight_ih_l0:2,weight_hh_l0:2,bias_ih_l0:1,bias_hh_l0:1
GRUCell                     T                 same     same      weight_ih:2,weight_hh:2,bias_ih:1,bias_hh:1
GaussianNLLLoss             T                 -        loss      -
GroupNorm                   T                 same     same      weight:1,bias:1
Hardshrink                  T                 same     same      -
Hardsigmoid                 T                 same     same      -
Hardswish                   T                 same     same      -
Hardtanh                    T                 same     same      -
HingeEmbeddingLoss          T                 -        loss      -
HuberLoss                   T                 -        loss      -
InstanceNorm1d              T                 same     same      weight:1,bias:1
InstanceNorm2d              T                 same     same      weight:1,bias:1
InstanceNorm3d              T                 same     same      weight:1,bias:1
KLDivLoss                   T                 promote  loss      -
L1Loss                      T                 real     loss      -
LPPool1d                    T                 same     same      -
LPPool2d                    T                 same     same      -
LPPool3d                    T                 same     same      -
LSTM                        (T,(T,T))         same     same      weight_ih_l0:2,weight_hh_l0:2,bias_ih_l0:1,bias_hh_l0:1
LSTMCell                    (T,T)             same     same      weight_ih:2,weight_hh:2,bias_ih:1,bias_hh:1
LayerNorm                   T                 same     same      weight:-,bias:-
LazyBatchNorm1d             T                 same     same      weight:1,bias:1
LazyBatchNorm2d             T                 same     same      weight:1,bias:1
LazyBatchNorm3d             T                 same     same      weight:1,bias:1
LazyConv1d                  T                 same     same      weight:3,bias:1
LazyConv2d                  T                 same     same      weight:4,bias:1
LazyConv3d                  T                 same     same      weight:5,bias:1
LazyConvTranspose1d         T                 same     same      weight:3,bias:1
LazyConvTranspose2d         T                 same     same      weight:4,bias:1
LazyConvTranspose3d         T                 same     same      weight:5,bias:1
LazyInstanceNorm1d          T                 same     same      weight:1,bias:1
LazyInstanceNorm2d          T                 same     same      weight:1,bias:1
LazyInstanceNorm3d          T                 same     same      weight:1,bias:1
LazyLinear                  T                 same     same      weight:2,bias:1
LeakyReLU                   T                 same     same      -
Linear                      T                 same     same      weight:2,bias:1
LinearCrossEntropyLoss      T                 -        -         weight:2
LocalResponseNorm           T                 -        same      -
LogSigmoid                  T                 same     same      -
LogSoftmax                  T                 same     same      -
MSELoss                     T                 promote  loss      -
MarginRankingLoss           T                 -        loss      -
MaxPool1d                   T:return_indices  same     same      -
MaxPool2d                   T:return_indices  same     same      -
MaxPool3d                   T:return_indices  same     same      -
MaxUnpool1d                 T                 same     same      -
MaxUnpool2d                 T                 same     same      -
MaxUnpool3d                 T                 same     same      -
Mish                        T                 same     same      -
MultiLabelMarginLoss        T                 -        loss0     -
MultiLabelSoftMarginLoss    T                 -        loss0     -
MultiMarginLoss             T                 -        loss0     -
MultiheadAttention          (T,T?)            same     same      in_proj_weight:2,in_proj_bias:1
NLLLoss                     T                 same     loss-1    -
PReLU                       T                 same     same      weight:1
PairwiseDistance            T                 -        broadcast-1  -
PixelShuffle                T                 same     same      -
PixelUnshuffle              T                 same     same      -
PoissonNLLLoss              T                 float    loss      -
RMSNorm                     T                 same     same      weight:-
RNN                         (T,T)             same     same      weight_ih_l0:2,weight_hh_l0:2,bias_ih_l0:1,bias_hh_l0:1
RNNCell                     T                 same     same      weight_ih:2,weight_hh:2,bias_ih:1,bias_hh:1
RReLU                       T                 same     same      -
ReLU                        T                 same     same      -
ReLU6                       T                 same     same      -
ReflectionPad1d             T                 same     same      -
ReflectionPad2d             T                 same     same      -
ReflectionPad3d             T                 same     same      -
ReplicationPad1d            T                 same     same      -
ReplicationPad2d            T                 same     same      -
ReplicationPad3d            T                 same     same      -
SELU                        T                 same     same      -
SiLU                        T                 same     same      -
Sigmoid                     T                 float    same      -
SmoothL1Loss                T                 promote  loss      -
SoftMarginLoss              T                 -        loss      -
Softmax                     T                 same     same      -
Softmax2d                   T                 same     same      -
Softmin                     T                 same     same      -
Softplus                    T                 same     same      -
Softshrink                  T                 same     same      -
Softsign                    T                 float    same      -
SyncBatchNorm               T                 same     same      weight:1,bias:1
Tanh                        T                 float    same      -
Tanhshrink                  T                 float    same      -
Threshold                   T                 same     same      -
Transformer                 T                 same     same      -
TransformerDecoder          T                 same     same      -
TransformerDecoderLayer     T                 same     same      -
TransformerEncoder          T                 same     same      -
TransformerEncoderLayer     T                 same     same      -
TripletMarginLoss           T                 -        loss0     -
TripletMarginWithDistanceLoss  T                 -        loss0     -
Unflatten                   T                 same     -         -
Unfold                      T                 same     same-1    -
Upsample                    T                 same     same      -
UpsamplingBilinear2d        T                 same     same      -
UpsamplingNearest2d         T                 same     same      -
ZeroPad1d                   T                 same     same      -
ZeroPad2d                   T                 same     same      -
ZeroPad3d                   T                 same     same      -
"""
