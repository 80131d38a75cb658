"""pytorch-metric-learning 2.9.0"""

import torch

stand_in(
    "sklearn",
    "sklearn.metrics",
    "sklearn.cluster",
    "sklearn.preprocessing",
    "tqdm",
    "scipy",
    "scipy.special",
    "scipy.stats",
    "scipy.optimize",
    "scipy.integrate",
)
from pytorch_metric_learning import distances, losses, miners, reducers, regularizers

labels = torch.arange(8, device=DEVICE).repeat(4)
sized = (
    "ArcFaceLoss",
    "CosFaceLoss",
    "NormalizedSoftmaxLoss",
    "ProxyAnchorLoss",
    "ProxyNCALoss",
    "SoftTripleLoss",
    "SubCenterArcFaceLoss",
    "LargeMarginSoftmaxLoss",
)
names = (
    "ContrastiveLoss",
    "TripletMarginLoss",
    "NTXentLoss",
    "MultiSimilarityLoss",
    "CircleLoss",
    "SupConLoss",
    "AngularLoss",
    "FastAPLoss",
    "GeneralizedLiftedStructureLoss",
    "LiftedStructureLoss",
    "MarginLoss",
    "NPairsLoss",
    "NCALoss",
    "IntraPairVarianceLoss",
    "SignalToNoiseRatioContrastiveLoss",
    "InstanceLoss",
    "TupletMarginLoss",
    *sized,
)
finders = [
    None,
    miners.MultiSimilarityMiner(),
    miners.TripletMarginMiner(),
    miners.BatchHardMiner(),
    miners.PairMarginMiner(),
    miners.BatchEasyHardMiner(),
    miners.DistanceWeightedMiner(),
    miners.AngularMiner(),
    miners.UniformHistogramMiner(),
]
for name in names:
    loss = getattr(losses, name)(**({"num_classes": 8, "embedding_size": 16} if name in sized else {})).to(DEVICE)
    for _ in range(3):
        x = torch.randn(32, 16, device=DEVICE, requires_grad=True)
        try:
            loss(x, labels).backward()
        except (RuntimeError, AttributeError) as error:  # some want other labels
            print(name, error)
        step()
for finder in finders[1:]:
    loss = losses.TripletMarginLoss(distance=distances.CosineSimilarity(), reducer=reducers.ThresholdReducer(low=0)).to(
        DEVICE
    )
    pair = losses.ContrastiveLoss(embedding_regularizer=regularizers.LpRegularizer()).to(DEVICE)
    for _ in range(3):
        x = torch.randn(32, 16, device=DEVICE, requires_grad=True)
        found = finder(x, labels)
        try:
            (loss(x, labels, found) + pair(x, labels, found)).backward()
        except (RuntimeError, AttributeError) as error:
            print(finder, error)
        step()
memory = losses.CrossBatchMemory(losses.NTXentLoss(), 16, 64, miner=miners.MultiSimilarityMiner()).to(DEVICE)
for _ in range(4):
    memory(torch.randn(32, 16, device=DEVICE, requires_grad=True), labels).backward()
    step()
