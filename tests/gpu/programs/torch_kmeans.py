"""torch-kmeans 0.2.0"""

import torch
from torch_kmeans import ConstrainedKMeans, KMeans, SoftKMeans
from torch_kmeans.clustering import KNN
from torch_kmeans.utils.distances import CosineSimilarity, DotProductSimilarity

for at in range(3):
    x = torch.randn(2, 60, 4, device=DEVICE)
    for how in ("rnd", "k-means++"):
        model = KMeans(n_clusters=4, init_method=how, num_init=2, max_iter=12, verbose=False)
        result = model(x)
        model.fit(x).predict(x)
        model.fit_predict(x)
        model(x, k=torch.tensor([3, 4], device=DEVICE))
    KMeans(n_clusters=4, distance=CosineSimilarity, max_iter=6, num_init=1, verbose=False)(x, centers=x[:, None, :4])
    SoftKMeans(n_clusters=4, max_iter=6, verbose=False)(x)
    ConstrainedKMeans(n_clusters=4, max_iter=6, raise_infeasible=False, verbose=False)(x, weights=torch.rand(2, 60, device=DEVICE) / 40)
    KNN(k=3, distance=DotProductSimilarity)(x)
    step()
