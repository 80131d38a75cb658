"""dragen1860/MAML-Pytorch at 98a00d41724c133bd29619a2fb2cc46dd128a368"""

from types import SimpleNamespace

import torch
from meta import Meta

args = SimpleNamespace(
    update_lr=0.4,
    meta_lr=1e-3,
    n_way=5,
    k_spt=1,
    k_qry=15,
    task_num=4,
    update_step=5,
    update_step_test=10,
    imgc=1,
    imgsz=28,
)
config = [
    ("conv2d", [64, 1, 3, 3, 2, 0]),
    ("relu", [True]),
    ("bn", [64]),
    ("conv2d", [64, 64, 3, 3, 2, 0]),
    ("relu", [True]),
    ("bn", [64]),
    ("conv2d", [64, 64, 3, 3, 2, 0]),
    ("relu", [True]),
    ("bn", [64]),
    ("conv2d", [64, 64, 2, 2, 1, 0]),
    ("relu", [True]),
    ("bn", [64]),
    ("flatten", []),
    ("linear", [5, 64]),
]
maml = Meta(args, config).to(DEVICE)
for _ in range(4):
    x_spt, y_spt = torch.randn(4, 5, 1, 28, 28).to(DEVICE), torch.arange(5).repeat(4, 1).to(DEVICE)
    x_qry, y_qry = torch.randn(4, 75, 1, 28, 28).to(DEVICE), torch.arange(5).repeat(4, 15).to(DEVICE)
    maml(x_spt, y_spt, x_qry, y_qry)
    maml.finetunning(x_spt[0], y_spt[0], x_qry[0], y_qry[0])
    maml.clip_grad_by_norm_([p.grad for p in maml.parameters() if p.grad is not None], 1.0)
    step()
