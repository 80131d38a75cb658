"""torch_uncertainty 0.13.0"""

import torch
from torch import nn

from torch_uncertainty import losses, metrics, ood_criteria, post_processing
from torch_uncertainty.layers import bayesian
from torch_uncertainty.transforms import Mixup


classes = 4
net = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, classes)).to(DEVICE)
bayes = nn.Sequential(bayesian.BayesLinear(10, 16), nn.ReLU(), bayesian.BayesLinear(16, classes)).to(DEVICE)
optimizer = torch.optim.Adam([*net.parameters(), *bayes.parameters()], lr=1e-3)
scored = {
    "AUGRC": {}, "AURC": {}, "AdaptiveCalibrationError": {"task": "multiclass", "num_classes": classes}, "BrierScore": {"num_classes": classes}, "CalibrationError": {"task": "multiclass", "num_classes": classes}, "CategoricalNLL": {}, "CovAt5Risk": {}, "CoverageRate": {}, "Entropy": {}, "RiskAt80Cov": {}, "SetSize": {},
    "ClasswiseCalibrationError": {"num_classes": classes, "task": "multiclass"}, "SmoothCalibrationError": {"task": "multiclass", "num_classes": classes},
}
kept = {}
for name, named in scored.items():
    tried(name, 0, lambda: kept.__setitem__(name, getattr(metrics, name)(**named).to(DEVICE)))
of_two = {"FPR95": metrics.FPR95(pos_label=1).to(DEVICE)}
several = {"Disagreement": metrics.Disagreement().to(DEVICE), "MutualInformation": metrics.MutualInformation().to(DEVICE), "VariationRatio": metrics.VariationRatio().to(DEVICE)}
depths = {}
for name in ("Log10", "MeanAbsoluteErrorInverse", "MeanGTRelativeAbsoluteError", "MeanGTRelativeSquaredError", "MeanSquaredErrorInverse", "MeanSquaredLogError", "SILog", "ThresholdAccuracy"):
    tried(name, 0, lambda: depths.__setitem__(name, (getattr(metrics, name)(power=1) if name == "ThresholdAccuracy" else getattr(metrics, name)()).to(DEVICE)))
seen = {"MeanIntersectionOverUnion": {"num_classes": classes}, "PAvPU": {"num_classes": classes}, "SegmentationBinaryAUROC": {}, "SegmentationBinaryAveragePrecision": {}, "SegmentationFPR95": {"pos_label": 1}}
segments = {}
for name, named in seen.items():
    tried(name, 0, lambda: segments.__setitem__(name, getattr(metrics, name)(**named).to(DEVICE)))
sparse = metrics.AUSE().to(DEVICE)
for at in range(3):
    x, y = torch.randn(32, 10, device=DEVICE), torch.randint(0, classes, (32,), device=DEVICE)

    def trained(loss, model):
        loss(model(x)).backward()
        optimizer.step()
        optimizer.zero_grad()

    one_hot = nn.functional.one_hot(y, classes).float()
    for name, loss in {
        "DEC": losses.DECLoss(reg_weight=1e-2, annealing_step=3) if at else losses.DECLoss(reg_weight=1e-2), "focal": losses.FocalLoss(gamma=2), "confidence": losses.ConfidencePenaltyLoss(reg_weight=0.1), "conflictual": losses.ConflictualLoss(reg_weight=0.1),
        "mmce": losses.MMCELoss() if hasattr(losses, "MMCELoss") else losses.FocalLoss(gamma=1), "mixup mp": losses.MixupMPLoss() if hasattr(losses, "MixupMPLoss") else losses.FocalLoss(gamma=1),
    }.items():
        tried(name, at, lambda: trained(lambda out: loss(out, y, 2) if name == "DEC" and at else loss(out, y), net))
    tried("ELBO", at, lambda: (losses.ELBOLoss(model=bayes, inner_loss=nn.CrossEntropyLoss(), kl_weight=1e-3, num_samples=2)(x, y).backward(), optimizer.step(), optimizer.zero_grad()))
    tried("KL", at, lambda: losses.KLDiv(bayes)())
    with torch.no_grad():
        probs = net(x).softmax(-1)
        for name, metric in kept.items():
            tried(name, at, lambda: (metric.update(probs) if name == "Entropy" else metric.update(probs > 0.3, y) if name in ("CoverageRate", "SetSize") else metric.update(probs, y), metric.compute()))
        for name, metric in of_two.items():
            tried(name, at, lambda: (metric.update(probs[:, 0], y > 1), metric.compute()))
        for name, metric in several.items():
            tried(name, at, lambda: (metric.update(torch.rand(32, 3, classes, device=DEVICE).softmax(-1)), metric.compute()))
        a, b = torch.rand(4, 1, 8, 8, device=DEVICE) + 0.1, torch.rand(4, 1, 8, 8, device=DEVICE) + 0.1
        for name, metric in depths.items():
            tried(name, at, lambda: (metric.update(a, b), metric.compute()))
        masks = torch.randint(0, classes, (2, 8, 8), device=DEVICE)
        for name, metric in segments.items():
            tried(name, at, lambda: (metric.update(torch.rand(2, classes, 8, 8, device=DEVICE).softmax(1), masks) if name in ("MeanIntersectionOverUnion", "PAvPU") else metric.update(torch.rand(2, 8, 8, device=DEVICE), masks > 1), metric.compute()))
        tried("sparsification", at, lambda: (sparse.update(torch.rand(32, device=DEVICE), torch.rand(32, device=DEVICE)), sparse.compute()))
        for name in ("MaxLogitCriterion", "EnergyCriterion", "MaxSoftmaxCriterion", "EntropyCriterion", "MutualInformationCriterion", "VariationRatioCriterion"):
            if hasattr(ood_criteria, name):
                tried(name, at, lambda: getattr(ood_criteria, name)()(torch.randn(3, 32, classes, device=DEVICE) if "Mutual" in name or "Ratio" in name else net(x)))
    tried("mixup", at, lambda: Mixup(alpha=1.0, mode="batch", num_classes=classes)(x, y))
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x.cpu(), y.cpu()), batch_size=16)
    for name, made in (("temperature", lambda: post_processing.TemperatureScaler(model=net, device=DEVICE, max_iter=5)), ("vector", lambda: post_processing.VectorScaler(model=net, num_classes=classes, device=DEVICE, max_iter=5)), ("matrix", lambda: post_processing.MatrixScaler(model=net, num_classes=classes, device=DEVICE, max_iter=5)), ("conformal", lambda: post_processing.ConformalClsTHR(alpha=0.1, model=net, device=DEVICE)), ("adaptive", lambda: post_processing.ConformalClsAPS(alpha=0.1, model=net, device=DEVICE)), ("ranked", lambda: post_processing.ConformalClsRAPS(alpha=0.1, model=net, device=DEVICE))):

        def fitted():
            scaler = made()
            scaler.fit(loader)
            scaler(x) if not hasattr(scaler, "conformal") else scaler.conformal(x)

        tried(name, at, fitted)
    step()
