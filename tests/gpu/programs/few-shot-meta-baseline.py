"""yinboc/few-shot-meta-baseline at 779fae39dad3537e7c801049c858923e2a352dfe"""

from types import SimpleNamespace

import torch

stand_in("tensorboardX", SummaryWriter=Writer)
import datasets.datasets
import test_few_shot
import train_classifier
import train_meta


class Made(torch.utils.data.Dataset):
    """Small images of six kinds."""

    def __init__(self, root_path, **_):
        self.label, self.n_classes, self.default_transform = [at % 6 for at in range(132)], 6, None

    def __len__(self):
        return len(self.label)

    def __getitem__(self, at):
        return torch.randn(3, 32, 32), self.label[at]

    def convert_raw(self, x):
        return x


datasets.datasets.datasets["made"] = Made
programs = (train_classifier, train_meta, test_few_shot)
for program in programs:
    real = program.CategoriesSampler
    program.CategoriesSampler = lambda label, _, *more, real=real, **named: real(label, 3, *more, **named)
    program.args = SimpleNamespace(name=None, tag=None, shot=1, test_epochs=2, sauc=False)
same = {"train_dataset": "made", "train_dataset_args": {}, "val_dataset": "made", "val_dataset_args": {}}
same |= {"max_epoch": 2, "optimizer": "sgd", "optimizer_args": {"lr": 0.01, "weight_decay": 5e-4}, "save_epoch": 1}
model = {"encoder": "resnet12", "encoder_args": {}}
linear = {"classifier": "linear-classifier", "classifier_args": {"n_classes": 6}}
few = {"fs_dataset": "made", "fs_dataset_args": {}, "eval_fs_epoch": 1, "batch_size": 32}
train_classifier.main({**same, **few, "model": "classifier", "model_args": {**model, **linear}, "epoch_ex": True})
ways = {"n_way": 5, "n_shot": 1, "n_query": 15, "train_batches": 4, "ep_per_batch": 2, "freeze_bn": True}
meta = {"model": "meta-baseline", "model_args": model, "tval_dataset": "made", "tval_dataset_args": {}}
train_meta.main({**same, **ways, **meta, "visualize_datasets": True})
load = "save/meta_made-1shot_meta-baseline-resnet12/epoch-last.pth"
real_load = torch.load
torch.load = lambda *path, **_: real_load(*path, weights_only=False)  # as it was
for test_few_shot.args.sauc in (False, True):
    test_few_shot.main({"dataset": "made", "dataset_args": {}, "load": load})
    step()
