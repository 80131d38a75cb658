"""pomegranate 1.1.2"""

import torch

stand_in("apricot", FacilityLocationSelection=None, FeatureBasedSelection=None)
from pomegranate import distributions as made
from pomegranate.bayes_classifier import BayesClassifier
from pomegranate.bayesian_network import BayesianNetwork
from pomegranate.factor_graph import FactorGraph
from pomegranate.gmm import GeneralMixtureModel
from pomegranate.hmm import DenseHMM, SparseHMM
from pomegranate.kmeans import KMeans
from pomegranate.markov_chain import MarkovChain


def used(model, x, *more):
    """Fitted whole and in parts, and asked."""
    model = model.to(DEVICE)
    model.fit(x, *more)
    model.summarize(x, *more)
    model.from_summaries()
    for name in ("log_probability", "probability", "predict", "predict_proba", "predict_log_proba"):
        if hasattr(model, name):
            getattr(model, name)(x)
    if hasattr(model, "sample"):
        model.sample(3)


for at in range(3):
    x = torch.rand(60, 3, device=DEVICE) + 0.1
    whole, bits = torch.randint(0, 3, (60, 3), device=DEVICE), torch.randint(0, 2, (60, 3), device=DEVICE)
    weight = torch.rand(60, 1, device=DEVICE)
    for name, model, given in (
        ("Normal", made.Normal(), x), ("diag", made.Normal(covariance_type="diag"), x), ("sphere", made.Normal(covariance_type="sphere"), x), ("LogNormal", made.LogNormal(), x),
        ("HalfNormal", made.HalfNormal(), x), ("Gamma", made.Gamma(), x), ("Exponential", made.Exponential(), x), ("Poisson", made.Poisson(), whole.float()), ("Bernoulli", made.Bernoulli(), bits.float()),
        ("Categorical", made.Categorical(), whole), ("JointCategorical", made.JointCategorical(), whole), ("ConditionalCategorical", made.ConditionalCategorical(), torch.stack([whole, whole.flip(0)], 1)),
        ("Uniform", made.Uniform(), x), ("DiracDelta", made.DiracDelta(), x), ("StudentT", made.StudentT(3), x),
        ("Independent", made.IndependentComponents([made.Normal(covariance_type="diag"), made.Exponential(), made.Gamma()]), x), ("ZeroInflated", made.ZeroInflated(made.Poisson()), whole.float()),
    ):  # fmt: skip
        tried(name, at, lambda: used(model, given))
        tried(f"{name} weighed", at, lambda: model.fit(given, sample_weight=weight))
    tried("KMeans", at, lambda: used(KMeans(3, init="random"), x))
    tried("KMeans first", at, lambda: used(KMeans(3, verbose=True), x))
    for kind in (made.Normal, made.Exponential):
        tried("mixture", at, lambda: used(GeneralMixtureModel([kind().to(DEVICE) for _ in range(3)], verbose=True, max_iter=4, tol=0.0), x))
    tried("mixture masked", at, lambda: used(GeneralMixtureModel([made.Normal(covariance_type="diag") for _ in range(2)], max_iter=3), torch.masked.MaskedTensor(x, mask=x > 0.2)))
    tried("Bayes", at, lambda: used(BayesClassifier([made.Normal() for _ in range(2)]), x, bits[:, 0]))
    paths = torch.randint(0, 3, (20, 8, 2), device=DEVICE)
    tried("chain", at, lambda: used(MarkovChain(k=2), paths))
    walks = torch.randn(20, 8, 3, device=DEVICE)
    for kind, edges in ((DenseHMM, None), (SparseHMM, "all")):

        def hidden():
            states = [made.Normal(covariance_type="diag").to(DEVICE) for _ in range(3)]
            if edges:
                model = kind(max_iter=3, verbose=True, init="random", sample_length=5)
                model.add_distributions(states)
                for one in states:
                    model.add_edge(model.start, one, 1 / 3)
                    for other in states:
                        model.add_edge(one, other, 0.3)
                    model.add_edge(one, model.end, 0.1)
            else:
                model = kind(states, max_iter=3, verbose=True, init="random", sample_length=5)
            model = model.to(DEVICE)
            tried(f"{kind.__name__} fit", at, lambda: model.fit([walks, walks[:, :5]]))
            tried(f"{kind.__name__} fit one", at, lambda: model.fit(walks))
            for ask in ("viterbi", "forward", "backward", "forward_backward", "predict", "predict_proba", "log_probability"):
                tried(f"{kind.__name__} {ask}", at, lambda: getattr(model, ask)(walks))
            tried(f"{kind.__name__} sample", at, lambda: model.sample(2))

        tried(kind.__name__, at, hidden)

    def network():
        parent, child = made.Categorical([[0.2, 0.5, 0.3]]), made.ConditionalCategorical([[[0.3, 0.7], [0.5, 0.5], [0.9, 0.1]]])
        model = BayesianNetwork([parent, child], [(parent, child)]).to(DEVICE)
        seen = torch.stack([whole[:, 0], bits[:, 0]], 1)
        model.fit(seen)
        model.log_probability(seen), model.sample(4)
        some = torch.masked.MaskedTensor(seen, mask=torch.rand(60, 2, device=DEVICE) < 0.5)
        model.predict(some), model.predict_proba(some)

    def learned():
        for algorithm in ("chow-liu", "exact"):
            tried(algorithm, at, lambda: BayesianNetwork(algorithm=algorithm).to(DEVICE).fit(whole))

    def factors():
        first, second = made.Categorical([[0.3, 0.7]]), made.Categorical([[0.6, 0.4]])
        both = made.JointCategorical([[0.1, 0.3], [0.2, 0.4]])
        model = FactorGraph([both], [first, second], [(first, both), (second, both)]).to(DEVICE)
        some = torch.masked.MaskedTensor(bits[:, :2], mask=torch.rand(60, 2, device=DEVICE) < 0.5)
        model.predict_proba(some), model.predict(some), model.log_probability(bits[:, :2])
        model.fit(bits[:, :2])

    for what in (network, learned, factors):
        tried(what.__name__, at, what)
    step()
