"""fast_pytorch_kmeans 0.2.2"""

import torch
from fast_pytorch_kmeans import KMeans, MultiKMeans

for at in range(3):
    x = torch.randn(400, 6, device=DEVICE)
    for mode in ("euclidean", "cosine"):
        for first in ("random", "gaussian", "kmeans++"):
            for some in (None, 64):
                try:
                    groups = KMeans(n_clusters=5, max_iter=6, mode=mode, init_method=first, minibatch=some, verbose=2 if at else 0)
                    groups.fit_predict(x)
                    groups.predict(x[:50])
                    groups.fit(x, centroids=x[:5].clone())
                except Exception as no:
                    if at == 0:
                        print(mode, first, some, type(no).__name__, str(no)[:120])
        for some in (None, 64):
            try:
                many = MultiKMeans(n_clusters=5, n_kmeans=3, max_iter=6, mode=mode, minibatch=some, verbose=2)
            except TypeError:
                many = MultiKMeans(n_clusters=5, max_iter=6, mode=mode, minibatch=some, verbose=2)
            try:
                many.fit_predict(torch.randn(3, 300, 6, device=DEVICE))
                many.predict(torch.randn(3, 30, 6, device=DEVICE))
            except Exception as no:
                if at == 0:
                    print("many", mode, some, type(no).__name__, str(no)[:120])
    step()
