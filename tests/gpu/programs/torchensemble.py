"""torchensemble 0.2.0"""

import torch
import torchensemble
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.rand(48, 6)
classes, values = (x.sum(1) * 3 % 3).long(), x.sum(1, keepdim=True)


class Net(nn.Module):
    """A small one."""

    def __init__(self, out=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, out))

    def forward(self, given):
        return self.layers(given)


for name in ("Fusion", "Voting", "Bagging", "GradientBoosting", "SnapshotEnsemble", "AdversarialTraining", "FastGeometric", "SoftGradientBoosting", "NeuralForest"):
    for kind, target in (("Classifier", classes), ("Regressor", values)):
        train, test = DataLoader(TensorDataset(x, target), 12, shuffle=True), DataLoader(TensorDataset(x[:24], target[:24]), 12)
        try:
            shape = {"depth": 2} if name == "NeuralForest" else {"estimator": Net, "estimator_args": {"out": 3 if kind == "Classifier" else 1}}
            model = getattr(torchensemble, name + kind)(n_estimators=2, cuda=DEVICE == "cuda", **shape)
            model.set_optimizer("Adam", lr=0.01)
            if name not in ("FastGeometric", "SnapshotEnsemble", "GradientBoosting"):
                model.set_scheduler("StepLR", step_size=2)
            model.fit(train, epochs=4, log_interval=1, test_loader=test, save_model=True, save_dir=".")
            model.evaluate(test)
            model.predict(x[:5])
            if name == "FastGeometric":
                model.ensemble(train, epochs=4, test_loader=test, save_dir=".")
        except Exception as no:
            print(name, kind, type(no).__name__, str(no)[:150])
        step()
