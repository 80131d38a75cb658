"""thuml/Time-Series-Library at 4e938a1767106324dd753b2a44832bf870a0252e"""

import os
import runpy
import sys
from types import SimpleNamespace

import numpy as np
import torch

stand_in("matplotlib", "matplotlib.pyplot", "sktime", "sktime.datasets", "reformer_pytorch", "mamba_ssm")
stand_in("patoolib", "pywt", "sympy")
stand_in("datasets", load_dataset=None)
stand_in("huggingface_hub", hf_hub_download=None)
from data_provider import data_factory


class Made(torch.utils.data.Dataset):
    """Seven series of noise."""

    scale, max_seq_len, class_names = False, 48, range(3)
    feature_df = SimpleNamespace(shape=(0, 7))

    def __init__(self, args, **_):
        self.args = args

    def __len__(self):
        return 24

    def __getitem__(self, at):
        x, y = np.random.randn(48, 7), np.random.randn(48, 7)
        if self.args.task_name == "anomaly_detection":
            return x.astype(np.float32), (np.random.rand(48) > 0.9).astype(np.float32)
        if self.args.task_name == "classification":
            return torch.randn(48, 7), torch.tensor([at % 3])
        return x, y, np.random.rand(48, 4), np.random.rand(48, 4)


data_factory.data_dict["ETTh1"] = Made
for name in ("models", "layers"):
    os.symlink(FOLDER / name, name)
same = ["run.py", "--is_training", "1", "--model_id", "made", "--data", "ETTh1", "--seq_len", "48", "--label_len", "24"]
same += ["--pred_len", "24", "--d_model", "16", "--d_ff", "16", "--n_heads", "2", "--e_layers", "1", "--batch_size", "8"]
same += ["--train_epochs", "2", "--num_workers", "0", "--top_k", "2"] + ([] if DEVICE == "cuda" else ["--no_use_gpu"])
for task, names in {
    "long_term_forecast": "TimesNet Autoformer Transformer Informer FEDformer PatchTST DLinear Crossformer iTransformer "
    "ETSformer FiLM LightTS Nonstationary_Transformer Pyraformer SCINet SegRNN FreTS TSMixer Koopa TimeXer "
    "TimeFilter",
    "imputation": "TimesNet DLinear",
    "anomaly_detection": "TimesNet Autoformer KANAD",
    "classification": "TimesNet Transformer",
}.items():
    for name in names.split():
        sys.argv = [*same, "--task_name", task, "--model", name]
        sys.argv += ["--pred_len", "0"] if task in ("imputation", "anomaly_detection") else []
        sys.argv += ["--seg_len", "24"] if name == "SegRNN" else []
        sys.argv += ["--use_amp"] if name == "DLinear" and DEVICE == "cuda" else []
        try:
            runpy.run_path(str(FOLDER / "run.py"), run_name="__main__")
        except Exception as error:  # some want other sizes
            print(task, name, repr(error))
