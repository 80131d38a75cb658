"""allegro/allRank at c88475661cb72db292d13283fdbc4f2ae6498ee4"""

import json
import random
import runpy
import sys
from pathlib import Path

import numpy as np

stand_in("tensorboardX", SummaryWriter=Writer)
stand_in("gcsfs", "flatten_dict", "flatten_dict.reducers")
Path("some").mkdir()
for part, many in (("train", 24), ("vali", 12)):
    rows = []
    for query in range(many):
        for _ in range(random.randint(4, 9)):
            rows.append(f"{random.randint(0, 3)} qid:{query} " + " ".join(f"{at}:{value:.3f}" for at, value in enumerate(np.random.rand(8), 1)))
    Path(f"some/{part}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
positions = {"strategy": "fixed", "max_indices": 12}
for at, (loss, named, more) in enumerate(
    (
        ("ordinal", {"n": 4}, {"post_model": {"output_activation": "Sigmoid", "d_output": 4}}),
        ("approxNDCGLoss", {}, {}),
        ("binary_listNet", {}, {}),
        ("lambdaLoss", {"weighing_scheme": "ndcgLoss2_scheme", "mu": 10.0, "k": 5}, {}),
        ("lambdaLoss", {"weighing_scheme": "lambdaRank_scheme"}, {}),
        ("listMLE", {}, {}),
        ("listNet", {}, {}),
        ("neuralNDCG", {}, {}),
        ("neuralNDCG_transposed", {"stochastic": True, "n_samples": 2}, {}),
        ("pointwise_rmse", {"no_of_levels": 4}, {}),
        ("rankNet", {"weight_by_diff": True}, {}),
        ("bce", {}, {"post_model": {"output_activation": "Sigmoid", "d_output": 1}}),
    )
):
    told = {
        "model": {"fc_model": {"sizes": [16], "input_norm": bool(at % 2), "activation": "ReLU", "dropout": 0.1}, "transformer": {"N": 1, "d_ff": 16, "h": 2, "positional_encoding": positions if at % 3 == 0 else None, "dropout": 0.1}, "post_model": {"output_activation": None, "d_output": 1}},
        "data": {"path": "some", "validation_ds_role": "vali", "num_workers": 0, "batch_size": 6, "slate_length": 8},
        "optimizer": {"name": "Adam", "args": {"lr": 0.001}},
        "lr_scheduler": {"name": "StepLR", "args": {"step_size": 3, "gamma": 0.5}} if at else {"name": "ReduceLROnPlateau", "args": {"mode": "max"}},
        "training": {"epochs": 2, "early_stopping_patience": 10, "gradient_clipping_norm": 1.0 if at % 2 else None},
        "val_metric": "ndcg_5",
        "metrics": ["ndcg_5", "ndcg_10", "mrr_5"],
        "loss": {"name": loss, "args": named},
        **more,
    }
    Path(f"told{at}.json").write_text(json.dumps(told), encoding="utf-8")
    sys.argv = ["main.py", "--job-dir", "out", "--run-id", f"run{at}", "--config-file-name", f"told{at}.json"]
    try:
        runpy.run_path(str(FOLDER / "allrank" / "main.py"), run_name="__main__")
    except (Exception, SystemExit) as no:
        print(loss, type(no).__name__, str(no)[:200])
told["click_model"] = {"name": "FixedClickModel", "args": {"click_positions": [0, 2]}}
Path("click.json").write_text(json.dumps(told), encoding="utf-8")
sys.argv = ["rank_and_click.py", "--input-model-path", "out/results/run11/model.pkl", "--roles", "train,vali", "--job-dir", "out", "--run-id", "clicks", "--config-file-name", "click.json"]
try:
    runpy.run_path(str(FOLDER / "allrank" / "rank_and_click.py"), run_name="__main__")
except (Exception, SystemExit) as no:
    print("clicks", type(no).__name__, str(no)[:200])
