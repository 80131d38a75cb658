"""backpack-for-pytorch 1.7.1"""

import torch
from backpack import backpack, extend, extensions
from torch import nn

kinds = ("BatchGrad", "BatchL2Grad", "SumGradSquared", "Variance", "DiagGGNExact", "DiagGGNMC", "BatchDiagGGNExact", "DiagHessian", "BatchDiagHessian", "KFAC", "KFLR", "KFRA", "SqrtGGNExact", "SqrtGGNMC", "GGNMP", "HMP", "PCHMP")
models = {
    "dense": (lambda: nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 4)), (5, 6)),
    "conv": (lambda: nn.Sequential(nn.Conv2d(2, 3, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(27, 4)), (5, 2, 8, 8)),
    "other": (lambda: nn.Sequential(nn.Conv2d(2, 3, 3), nn.Sigmoid(), nn.AvgPool2d(2), nn.Flatten(), nn.Dropout(0.2), nn.Linear(27, 4)), (5, 2, 8, 8)),
    "norm": (lambda: nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.LeakyReLU(), nn.Linear(8, 4)).eval(), (5, 6)),
}
for name, (make, shape) in models.items():
    for loss in (nn.CrossEntropyLoss(), nn.MSELoss()):
        for kind in kinds:
            model, criterion = extend(make().to(DEVICE)), extend(loss.to(DEVICE))
            extension = getattr(extensions, kind)()
            optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
            for at in range(3):
                x = torch.randn(*shape, device=DEVICE)
                y = torch.randint(0, 4, (5,), device=DEVICE) if isinstance(loss, nn.CrossEntropyLoss) else torch.randn(5, 4, device=DEVICE)
                optimizer.zero_grad()
                try:
                    with backpack(extension):
                        criterion(model(x), y).backward()
                except Exception as no:
                    if at == 0:
                        print(name, type(loss).__name__, kind, type(no).__name__, str(no)[:90])
                    break
                optimizer.step()
