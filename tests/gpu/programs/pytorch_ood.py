"""pytorch-ood 0.4.0"""

import torch
from torch import nn

stand_in("gdown", "cv2", "sklearn", "sklearn.decomposition")
from pytorch_ood import detector, loss
from pytorch_ood.metrics import OODMetrics

count, classes = 64, 4
x, y = torch.randn(count, 12), torch.arange(count) % classes
loader = torch.utils.data.DataLoader(list(zip(x, y)), batch_size=16)
features = nn.Sequential(nn.Linear(12, 16), nn.ReLU()).to(DEVICE)
head = nn.Linear(16, classes).to(DEVICE)
model = nn.Sequential(features, head)
losses = [loss.CenterLoss(classes, 4), loss.CACLoss(classes), loss.EntropicOpenSetLoss(classes), loss.ObjectosphereLoss(), loss.OutlierExposureLoss()]
losses += [loss.DeepSVDDLoss(16), loss.EnergyRegularizedLoss(), loss.IILoss(classes, 16), loss.LogitNorm() if hasattr(loss, "LogitNorm") else loss.CrossEntropyLoss()]
said = []
for criterion in losses:
    criterion = criterion.to(DEVICE)
    optimizer = torch.optim.SGD([*model.parameters(), *criterion.parameters()], lr=0.01)
    try:
        for a, b in loader:
            a, b = a.to(DEVICE), b.to(DEVICE).clone()
            if type(criterion).__name__ not in ("CenterLoss", "DeepSVDDLoss", "CACLoss", "LogitNorm", "IILoss"):
                b[:4] = -1
            z = features(a)
            given = (z,) if type(criterion).__name__ == "DeepSVDDLoss" else (z, b) if type(criterion).__name__ == "IILoss" else (head(z), b)
            if type(criterion).__name__ == "ObjectosphereLoss":
                given = (head(z), z, b)
            optimizer.zero_grad()
            criterion(*given).mean().backward()
            optimizer.step()
    except Exception as error:
        said.append(f"{type(criterion).__name__}: {error!r}"[:300])
model.eval()
makers = [lambda: detector.MaxSoftmax(model), lambda: detector.EnergyBased(model), lambda: detector.Entropy(model), lambda: detector.MaxLogit(model)]
makers += [lambda: detector.Mahalanobis(features), lambda: detector.RMD(features), lambda: detector.KLMatching(model), lambda: detector.OpenMax(model, tailsize=10, alpha=2)]
makers += [lambda: detector.ODIN(model, eps=0.02), lambda: detector.TemperatureScaling(model), lambda: detector.GEN(model), lambda: detector.SHE(features, head)]
makers += [lambda: detector.ReAct(features, head), lambda: detector.KNN(features), lambda: detector.MCD(model)]
for make in makers:
    try:
        found = make()
        if found.requires_fit:
            found.fit(loader)
        metrics = OODMetrics(device=DEVICE)
        for a, b in loader:
            b = torch.where(b == 3, -1, b).to(DEVICE)
            metrics.update(found(a.to(DEVICE)), b)
            step()
        metrics.compute()
    except Exception as error:
        said.append(f"{type(found).__name__}: {error!r}"[:300])
print(*said, sep="\n")
