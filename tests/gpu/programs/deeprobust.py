"""deeprobust 0.2.11"""

import numpy as np
import scipy.sparse as sp
import torch
from torch import nn

for name, kind in {"int": int, "float": float, "bool": bool}.items():
    if name not in np.__dict__:
        setattr(np, name, kind)
stand_in("gensim", "gensim.models", "texttable", "tensorboardX", "torch_sparse", "torch_scatter")


many, width, classes = 40, 12, 3
rng = np.random.RandomState(0)
dense = np.triu(rng.rand(many, many) < 0.15, 1)
dense = (dense | dense.T).astype("float32")
dense[np.arange(many), (np.arange(many) + 1) % many] = dense[(np.arange(many) + 1) % many, np.arange(many)] = 1
adj, features, labels = sp.csr_matrix(dense), sp.csr_matrix((rng.rand(many, width) < 0.3).astype("float32")), rng.randint(0, classes, many)
train, val, test = np.arange(16), np.arange(16, 26), np.arange(26, 40)
from deeprobust.graph import utils
from deeprobust.graph.defense import GCN, RGCN, GCNJaccard, GCNSVD, ProGNN, SimPGCN


def gcn(**named):
    return GCN(nfeat=width, nhid=8, nclass=classes, device=DEVICE, **named).to(DEVICE)


for at in range(2):

    def plain():
        net = gcn(dropout=0.5)
        net.fit(features, adj, labels, train, val, train_iters=6, verbose=True)
        net.test(test)
        net.fit(features, adj, labels, train, train_iters=4)
        net.fit(features, adj, labels, train, val, train_iters=6, patience=2)
        net.predict(features, adj)

    tried("GCN", at, plain)
    tried("Jaccard", at, lambda: GCNJaccard(width, 8, classes, device=DEVICE).to(DEVICE).fit(features, adj, labels, train, val, threshold=0.05, train_iters=5))
    tried("SVD", at, lambda: GCNSVD(width, 8, classes, device=DEVICE).to(DEVICE).fit(features, adj, labels, train, val, k=5, train_iters=5))

    def robust():
        net = RGCN(nnodes=many, nfeat=width, nclass=classes, nhid=8, device=DEVICE).to(DEVICE)
        net.fit(features, adj, labels, train, val, train_iters=6, verbose=True)
        net.test(test)

    tried("RGCN", at, robust)
    tried("SimPGCN", at, lambda: SimPGCN(nnodes=many, nfeat=width, nhid=8, nclass=classes, device=DEVICE).to(DEVICE).fit(features, adj, labels, train, val, train_iters=5))

    def learned():
        from argparse import Namespace

        told = Namespace(lr=0.01, weight_decay=5e-4, epochs=3, symmetric=True, only_gcn=False, lr_adj=0.01, alpha=5e-4, beta=1.5, gamma=1, phi=0.01, lambda_=0.1, lambda_smooth=0.1, inner_steps=2, outer_steps=1, debug=True, ptb_rate=0.05, attack="meta")
        setattr(told, "lambda", 0.1)
        a, b, c = utils.preprocess(adj, features, labels, preprocess_adj=False, device=DEVICE)
        net = ProGNN(gcn(), told, DEVICE)
        net.fit(b, a, c, train, val)
        net.test(b, c, test)

    tried("ProGNN", at, learned)
    from deeprobust.graph import global_attack, targeted_attack

    surrogate = gcn(dropout=0, with_relu=False, with_bias=False)
    tried("surrogate", at, lambda: surrogate.fit(features, adj, labels, train, val, train_iters=6, patience=3))
    a, b, c = utils.preprocess(adj, features, labels, preprocess_adj=False, device=DEVICE)
    tried("FGA", at, lambda: targeted_attack.FGA(surrogate, nnodes=many, device=DEVICE).to(DEVICE).attack(features, adj, labels, train, 5, n_perturbations=2, verbose=True))
    tried("Nettack", at, lambda: targeted_attack.Nettack(surrogate, nnodes=many, attack_structure=True, attack_features=True, device=DEVICE).to(DEVICE).attack(features, adj, labels, 5, n_perturbations=2, verbose=False))
    tried("IG", at, lambda: targeted_attack.IGAttack(surrogate, nnodes=many, attack_structure=True, attack_features=True, device=DEVICE).to(DEVICE).attack(features, adj, labels, train, 5, n_perturbations=2, steps=2))
    tried("RND", at, lambda: targeted_attack.RND().attack(adj, labels, train, 5, n_perturbations=2))
    for name in ("CE", "CW"):
        tried(f"PGD {name}", at, lambda: global_attack.PGDAttack(surrogate, nnodes=many, loss_type=name, device=DEVICE).to(DEVICE).attack(b, a, c, train, n_perturbations=4, epochs=3))
    tried("MinMax", at, lambda: global_attack.MinMax(surrogate, nnodes=many, loss_type="CE", device=DEVICE).to(DEVICE).attack(b, a, c, train, n_perturbations=4))
    tried("meta", at, lambda: global_attack.Metattack(surrogate, nnodes=many, feature_shape=(many, width), attack_structure=True, attack_features=True, device=DEVICE, train_iters=3).to(DEVICE).attack(b, a, c, train, np.concatenate([val, test]), n_perturbations=2, ll_constraint=False))
    tried("meta approx", at, lambda: global_attack.MetaApprox(surrogate, nnodes=many, feature_shape=(many, width), attack_structure=True, attack_features=False, device=DEVICE, train_iters=3).to(DEVICE).attack(b, a, c, train, np.concatenate([val, test]), n_perturbations=2, ll_constraint=True))
    tried("DICE", at, lambda: global_attack.DICE().attack(adj, labels, n_perturbations=3))
    tried("random", at, lambda: global_attack.Random().attack(adj, n_perturbations=3, type="add"))
    step()
net = nn.Sequential(nn.Conv2d(1, 4, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(784, 10), nn.LogSoftmax(1)).to(DEVICE)


def imported():
    from deeprobust.image.attack.cw import CarliniWagner
    from deeprobust.image.attack.deepfool import DeepFool
    from deeprobust.image.attack.fgsm import FGSM
    from deeprobust.image.attack.pgd import PGD

    for at in range(2):
        images, marks = torch.rand(4, 1, 28, 28, device=DEVICE), torch.randint(0, 10, (4,), device=DEVICE)
        tried("FGSM", at, lambda: FGSM(net, DEVICE).generate(images, marks, epsilon=0.1))
        tried("PGD", at, lambda: PGD(net, DEVICE).generate(images, marks, epsilon=0.1, num_steps=3, step_size=0.05))
        tried("CW", at, lambda: CarliniWagner(net, DEVICE).generate(images[:1], marks[:1], target_label=3, classnum=10, max_iterations=6, binary_search_steps=2))
        tried("DeepFool", at, lambda: DeepFool(net, DEVICE).generate(images[:1], marks[:1], num_classes=4, max_iteration=4))
        step()


tried("images", 0, imported)
