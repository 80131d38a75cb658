"""torch_rechub 0.9.0"""

import numpy as np
import torch

from torch_rechub.basic import features, loss_func, metric
from torch_rechub.models import matching, multi_task, ranking
from torch_rechub.trainers import CTRTrainer, MatchTrainer, MTLTrainer
from torch_rechub.utils.data import DataGenerator, MatchDataGenerator


def tried(name, what):
    try:
        what()
    except Exception as no:
        print(name, type(no).__name__, str(no)[:180])


many = 120
sparse = [features.SparseFeature(f"s{at}", vocab_size=20, embed_dim=8) for at in range(4)]
dense = [features.DenseFeature(f"d{at}") for at in range(3)]
x = {**{f"s{at}": np.random.randint(0, 20, many) for at in range(4)}, **{f"d{at}": np.random.rand(many).astype("float32") for at in range(3)}}
x |= {"hist": np.random.randint(1, 20, (many, 6)), "hist_cate": np.random.randint(1, 20, (many, 6))}
y = np.random.randint(0, 2, many).astype("float32")
hist = [features.SequenceFeature("hist", vocab_size=20, embed_dim=8, pooling="concat", shared_with="s1"), features.SequenceFeature("hist_cate", vocab_size=20, embed_dim=8, pooling="concat", shared_with="s2")]
mlp = {"dims": [16], "dropout": 0.1, "activation": "relu"}


def ctr(model, **named):
    train, val, test = DataGenerator(x, y).generate_dataloader(split_ratio=[0.6, 0.2], batch_size=24)
    trainer = CTRTrainer(model, optimizer_params={"lr": 1e-3}, n_epoch=2, earlystop_patience=2, device=DEVICE, **named)
    trainer.fit(train, val)
    trainer.evaluate(trainer.model, test)
    trainer.predict(trainer.model, test)


for name, made in (
    ("WideDeep", lambda: ranking.WideDeep(wide_features=dense, deep_features=sparse, mlp_params=mlp)), ("DeepFM", lambda: ranking.DeepFM(deep_features=dense + sparse, fm_features=sparse, mlp_params=mlp)), ("DCN", lambda: ranking.DCN(features=dense + sparse, n_cross_layers=2, mlp_params=mlp)),
    ("DCNv2", lambda: ranking.DCNv2(features=dense + sparse, n_cross_layers=2, mlp_params=mlp)), ("EDCN", lambda: ranking.EDCN(features=sparse, n_cross_layers=2, mlp_params=mlp)), ("FiBiNet", lambda: ranking.FiBiNet(features=sparse, mlp_params=mlp)), ("AFM", lambda: ranking.AFM(sparse, dense, 8)), ("AutoInt", lambda: ranking.AutoInt(sparse_features=sparse, dense_features=dense)),
    ("DIN", lambda: ranking.DIN(features=dense + sparse, history_features=hist, target_features=sparse[1:3], mlp_params={"dims": [16]}, attention_mlp_params={"dims": [8]})), ("BST", lambda: ranking.BST(features=dense + sparse, history_features=hist, target_features=sparse[1:3], mlp_params={"dims": [16]})),
):
    tried(name, lambda: ctr(made()))
tried("kept small", lambda: ctr(ranking.DCN(features=dense + sparse, n_cross_layers=1, mlp_params=mlp), regularization_params={"embedding_l1": 1e-4, "embedding_l2": 1e-4, "dense_l1": 1e-4, "dense_l2": 1e-4}, scheduler_fn=torch.optim.lr_scheduler.StepLR, scheduler_params={"step_size": 1, "gamma": 0.8}))


def mtl(model, tasks):
    labels = np.random.randint(0, 2, (many, tasks)).astype("float32")
    train, val, test = DataGenerator(x, labels).generate_dataloader(split_ratio=[0.6, 0.2], batch_size=24)
    for method in (None, {"method": "uwl"}, {"method": "gradnorm"}, {"method": "metabalance"}):
        trainer = MTLTrainer(model(), task_types=["classification"] * tasks, optimizer_params={"lr": 1e-3}, adaptive_params=method, n_epoch=2, earlystop_patience=2, device=DEVICE)
        trainer.fit(train, val)
        trainer.evaluate(trainer.model, test)
        trainer.predict(trainer.model, test)


tower = [{"dims": [8]}, {"dims": [8]}]
for name, made in (
    ("SharedBottom", lambda: multi_task.SharedBottom(dense + sparse, ["classification"] * 2, bottom_params={"dims": [16]}, tower_params_list=tower)), ("MMOE", lambda: multi_task.MMOE(dense + sparse, ["classification"] * 2, 3, expert_params={"dims": [16]}, tower_params_list=tower)),
    ("PLE", lambda: multi_task.PLE(dense + sparse, ["classification"] * 2, n_level=1, n_expert_specific=2, n_expert_shared=1, expert_params={"dims": [16]}, tower_params_list=tower)), ("AITM", lambda: multi_task.AITM(dense + sparse, 2, bottom_params={"dims": [16]}, tower_params_list=tower)),
):
    tried(name, lambda: mtl(made, 2))
user, item = sparse[:2], sparse[2:]
told = {name: x[name] for name in ("s0", "s1", "s2", "s3", "hist")}


def matched(model, mode, **named):
    loaders = MatchDataGenerator(told, y if mode != 2 else np.zeros(many, dtype="int64")).generate_dataloader({name: told[name] for name in ("s0", "s1", "hist")}, {name: told[name] for name in ("s2", "s3")}, batch_size=24)
    train, users, items = loaders
    trainer = MatchTrainer(model, mode=mode, optimizer_params={"lr": 1e-3}, n_epoch=2, device=DEVICE, **named)
    trainer.fit(train)
    trainer.inference_embedding(trainer.model, "user", users, ".")
    trainer.inference_embedding(trainer.model, "item", items, ".")


for name, made in (("DSSM", lambda: matching.DSSM(user, item, user_params={"dims": [16, 8]}, item_params={"dims": [16, 8]}, temperature=0.1)), ("FaceBookDSSM", lambda: matching.DSSM_FACEBOOK(user, item, [], user_params={"dims": [16]}, item_params={"dims": [16]})) if hasattr(matching, "DSSM_FACEBOOK") else ("DSSM again", lambda: matching.DSSM(user, item, user_params={"dims": [16]}, item_params={"dims": [16]}))):
    tried(name, lambda: matched(made(), 0))
    tried(f"{name} in batch", lambda: matched(made(), 0, in_batch_neg=True, in_batch_neg_ratio=4, hard_negative=True, sampler_seed=1))
for at in range(3):
    a, b = (torch.rand(16, device=DEVICE, requires_grad=True) for _ in range(2))
    for name in ("BPRLoss", "HingeLoss", "NCELoss", "InBatchNCELoss", "RegularizationLoss"):
        if hasattr(loss_func, name):
            try:
                loss = getattr(loss_func, name)().to(DEVICE)
                (loss(torch.rand(8, 8, device=DEVICE), torch.arange(8, device=DEVICE)) if "NCE" in name else loss(a, b)).backward()
            except Exception as no:
                print(name, type(no).__name__, str(no)[:150])
    step()
