"""skorch 1.4.0"""

import warnings

import numpy as np
import torch
from torch import nn

stand_in("tabulate")
import skorch
from skorch import callbacks
from skorch.helper import SliceDataset, SliceDict, predefined_split

x, y = np.random.randn(120, 8).astype(np.float32), np.random.randint(0, 3, 120)


def net(out, *last):
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, out), *last)


def tried(name, what):
    try:
        what()
    except Exception as no:
        print(name, type(no).__name__, str(no)[:150])


shared = {"max_epochs": 3, "batch_size": 16, "device": DEVICE, "lr": 0.01}
noted = [
    callbacks.EpochScoring("accuracy", name="right", on_train=True, lower_is_better=False), callbacks.BatchScoring("accuracy", name="per batch", on_train=True),
    callbacks.PassthroughScoring("train_loss", on_train=True), callbacks.EarlyStopping(patience=5), callbacks.GradientNormClipping(1.0), callbacks.Checkpoint(dirname="kept"),
    callbacks.TrainEndCheckpoint(dirname="kept"), callbacks.LRScheduler("ReduceLROnPlateau", monitor="valid_loss"), callbacks.ParamMapper("*weight", at=2, fn=lambda _: None), callbacks.ProgressBar(),
]  # fmt: skip


def classified():
    model = skorch.NeuralNetClassifier(net(3, nn.Softmax(dim=-1)), callbacks=noted, optimizer=torch.optim.Adam, **shared)
    model.fit(x, y)
    model.partial_fit(x, y)
    model.predict(x), model.predict_proba(torch.from_numpy(x)), model.score(x, y)
    list(model.forward_iter(x)), model.forward(x, device="cpu")
    model.save_params(f_params="params.pt", f_optimizer="optimizer.pt", f_history="history.json")
    model.load_params(f_params="params.pt", f_optimizer="optimizer.pt")
    model.check_data(x, y), model.get_loss(model.forward(x, training=False), torch.from_numpy(y).to(DEVICE))


def batches_scheduled():
    for policy, more in (("CosineAnnealingLR", {"T_max": 3}), ("CyclicLR", {"base_lr": 1e-3, "max_lr": 1e-2, "step_every": "batch"})):
        skorch.NeuralNetClassifier(net(3), criterion=nn.CrossEntropyLoss(), callbacks=[callbacks.LRScheduler(policy, **more)], optimizer__momentum=0.9, **shared).fit(x, y)


def of_two():
    model = skorch.NeuralNetBinaryClassifier(net(1), callbacks=[callbacks.EpochScoring("roc_auc", lower_is_better=False)], **shared)
    model.fit(x, (y > 0).astype(np.float32))
    model.predict(x), model.predict_proba(x)


def regressed():
    model = skorch.NeuralNetRegressor(net(1), callbacks=[callbacks.EpochScoring("r2", use_caching=False)], **shared)
    model.fit(SliceDataset(torch.utils.data.TensorDataset(torch.from_numpy(x))), np.random.randn(120, 1).astype(np.float32))
    model.predict(x), model.score(x, np.random.randn(120, 1).astype(np.float32))


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = net(3)

    def forward(self, first, second):
        return self.body(first + second)


def by_name():
    held = torch.utils.data.TensorDataset(torch.from_numpy(x[:30]), torch.from_numpy(y[:30]))
    skorch.NeuralNet(net(3), nn.CrossEntropyLoss, train_split=predefined_split(held), optimizer=torch.optim.LBFGS, **shared).fit(x, y)
    model = skorch.NeuralNetClassifier(Named, criterion=nn.CrossEntropyLoss, train_split=None, **shared)
    model.fit(SliceDict(first=x, second=x), y)
    model.predict_proba(SliceDict(first=x, second=x))


def frozen():
    made = [callbacks.Freezer("0*"), callbacks.Unfreezer("0*", at=2), callbacks.Initializer("2*", fn=lambda _: None)]
    skorch.NeuralNetClassifier(net(3), criterion=nn.CrossEntropyLoss, callbacks=made, **shared).fit(x, y)


def doctored():
    from skorch._doctor import SkorchDoctor

    found = SkorchDoctor(skorch.NeuralNetClassifier(net(3), criterion=nn.CrossEntropyLoss, **shared))
    found.fit(x, y)


def processes():
    import gpytorch
    from skorch.probabilistic import ExactGPRegressor, GPBinaryClassifier

    class Exact(gpytorch.models.ExactGP):
        def __init__(self, likelihood):
            super().__init__(None, None, likelihood)
            self.mean_module, self.covar_module = gpytorch.means.ConstantMean(), gpytorch.kernels.RBFKernel()

        def forward(self, given):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(given), self.covar_module(given))

    model = ExactGPRegressor(Exact, optimizer=torch.optim.Adam, max_epochs=3, device=DEVICE, batch_size=-1)
    model.fit(x, np.random.randn(120).astype(np.float32))
    model.predict(x, return_std=True), model.sample(x, 2), model.confidence_region(x)


warnings.simplefilter("ignore")
for what in (classified, batches_scheduled, of_two, regressed, by_name, frozen, doctored, processes):
    for _ in range(2):
        tried(what.__name__, what)
        step()
