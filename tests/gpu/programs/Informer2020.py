"""zhouhaoyi/Informer2020 at 29f2a739226a509202a092b464163da81fa74960"""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch

np.Inf = np.inf  # numpy 2 lacks it
stand_in("pandas", "pandas.tseries", "pandas.tseries.frequencies")
from exp.exp_informer import Exp_Informer

args = SimpleNamespace(
    model="informer",
    data="ETTh1",
    features="M",
    freq="h",
    checkpoints="checkpoints",
    seq_len=24,
    label_len=12,
    pred_len=8,
    enc_in=7,
    dec_in=7,
    c_out=7,
    d_model=64,
    n_heads=4,
    e_layers=2,
    d_layers=1,
    s_layers=[2, 1],
    d_ff=128,
    factor=2,
    padding=0,
    distil=True,
    dropout=0.05,
    attn="prob",
    embed="timeF",
    activation="gelu",
    output_attention=False,
    mix=True,
    train_epochs=2,
    batch_size=8,
    patience=3,
    learning_rate=1e-4,
    lradj="type1",
    use_amp=False,
    inverse=False,
    use_gpu=DEVICE == "cuda",
    gpu=0,
    use_multi_gpu=False,
)


def batches(flag):
    made = [
        (torch.randn(8, 24, 7), torch.randn(8, 20, 7), torch.randn(8, 24, 4), torch.randn(8, 20, 4)) for _ in range(4)
    ]
    return SimpleNamespace(), made


for name in ("informer", "informerstack"):
    args.model = name
    Path("checkpoints", name).mkdir(parents=True)
    exp = Exp_Informer(args)
    exp._get_data = batches
    exp.train(name)
    exp.test(name)
    step()
    exp.predict(name, load=True)
