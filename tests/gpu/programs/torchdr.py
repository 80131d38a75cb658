"""torchdr 0.5"""

import warnings

import torch

import torchdr


few = {"max_iter": 12, "device": DEVICE, "backend": None, "init": "normal"}
methods = {
    "TSNE": {"perplexity": 8, "early_exaggeration_iter": 4, "check_interval": 5, **few},
    "SNE": {"perplexity": 8, "early_exaggeration_iter": 4, "check_interval": 5, **few},
    "UMAP": {"n_neighbors": 8, "check_interval": 5, **few},
    "LargeVis": {"perplexity": 8, "early_exaggeration_iter": 4, "check_interval": 5, **few},
    "InfoTSNE": {"perplexity": 8, "early_exaggeration_iter": 4, "check_interval": 5, **few},
    "TSNEkhorn": {"perplexity": 8, "early_exaggeration_iter": 4, "check_interval": 5, **few},
    "COSNE": {"perplexity": 8, "early_exaggeration_iter": 4, "check_interval": 5, **few},
    "PACMAP": {"n_neighbors": 6, "check_interval": 5, **few},
    "PCA": {"device": DEVICE},
    "KernelPCA": {"affinity": torchdr.NormalizedGaussianAffinity(device=DEVICE), "device": DEVICE},
    "IncrementalPCA": {"batch_size": 32, "device": DEVICE},
    "ExactIncrementalPCA": {"batch_size": 32, "device": DEVICE},
    "PHATE": {"k": 5, "max_iter": 10, "device": DEVICE, "backend": None},
}
affinities = {
    "NormalizedGaussianAffinity": {}, "NormalizedStudentAffinity": {}, "SelfTuningAffinity": {"K": 5}, "MAGICAffinity": {"K": 5}, "EntropicAffinity": {"perplexity": 8, "max_iter": 20}, "SymmetricEntropicAffinity": {"perplexity": 8, "max_iter": 12}, "SinkhornAffinity": {"max_iter": 12},
    "DoublyStochasticQuadraticAffinity": {"max_iter": 12}, "UMAPAffinity": {"n_neighbors": 8}, "PHATEAffinity": {"k": 5}, "PACMAPAffinity": {"n_neighbors": 5},
}
warnings.filterwarnings("ignore", category=UserWarning, module="torchdr")
for at in range(3):
    x = torch.cat([torch.randn(32, 10, device=DEVICE) + shift for shift in (0, 4, 8)])
    labels = torch.arange(96, device=DEVICE) // 32
    for name, named in methods.items():
        tried(name, at, lambda: getattr(torchdr, name)(n_components=2, **named).fit_transform(x))
    for name, named in affinities.items():
        tried(name, at, lambda: getattr(torchdr, name)(device=DEVICE, backend=None, **named)(x))
    z = torch.randn(96, 2, device=DEVICE)
    tried("silhouette", at, lambda: (torchdr.silhouette_score(z, labels, device=DEVICE), torchdr.silhouette_samples(z, labels, weights=torch.full((96,), 1 / 96, device=DEVICE))))
    tried("knn", at, lambda: torchdr.knn_label_accuracy(z, labels, k=5, backend=None))
    tried("neighbors", at, lambda: torchdr.neighborhood_preservation(x, z, K=5))
    tried("kmeans", at, lambda: torchdr.kmeans_ari(z, labels, n_clusters=3))
    for metric in ("sqeuclidean", "euclidean", "manhattan", "angular", "sqhyperbolic"):
        tried(metric, at, lambda: torchdr.pairwise_distances(x, metric=metric, k=4, exclude_diag=True))
    target = torch.rand(20, device=DEVICE) * 3
    tried("search", at, lambda: torchdr.binary_search(lambda v: v.square() - target, 20, max_iter=12, device=DEVICE))
    tried("position", at, lambda: torchdr.false_position(lambda v: v.square() - target, 20, max_iter=12, device=DEVICE))
    step()
