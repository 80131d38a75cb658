"""torchkge 0.17.7"""

import pandas as pd
import torch

stand_in("tqdm.autonotebook")
from torchkge import models
from torchkge.data_structures import KnowledgeGraph
from torchkge.evaluation import LinkPredictionEvaluator, RelationPredictionEvaluator, TripletClassificationEvaluator
from torchkge.sampling import BernoulliNegativeSampler, PositionalNegativeSampler, UniformNegativeSampler
from torchkge.utils import losses
from torchkge.utils.training import TrainDataLoader, Trainer

TrainDataLoader.get_counter_examples = lambda _: None  # it is asked before there are any

heads, tails, kinds = (torch.randint(0, most, (120,)).tolist() for most in (30, 30, 4))
frame = pd.DataFrame({"from": [*range(30), *heads], "to": [*range(30), *tails], "rel": [0, 1, 2, 3, *[0] * 26, *kinds]})
graph = KnowledgeGraph(frame)
cuda = "all" if DEVICE == "cuda" else None
for name, sizes, more in (
    ("TransEModel", (16,), {}),
    ("TransHModel", (16,), {}),
    ("TransRModel", (16, 8), {}),
    ("TransDModel", (16, 8), {}),
    ("TorusEModel", (16,), {"dissimilarity_type": "torus_L2"}),
    ("RESCALModel", (16,), {}),
    ("DistMultModel", (16,), {}),
    ("HolEModel", (16,), {}),
    ("ComplExModel", (16,), {}),
    ("AnalogyModel", (16,), {}),
    ("ConvKBModel", (16, 4), {}),
):
    model = getattr(models, name)(*sizes, n_entities=graph.n_ent, n_relations=graph.n_rel, **more).to(DEVICE)
    loss = losses.MarginLoss(0.5) if name[0] == "T" else losses.LogisticLoss()
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    Trainer(model, loss, graph, 2, 64, optimizer, use_cuda="batch" if cuda and name[0] == "T" else cuda).run()
    for check in (LinkPredictionEvaluator(model, graph), RelationPredictionEvaluator(model, graph)):
        try:
            check.evaluate(64, verbose=False)
            check.print_results(k=3)
        except (AttributeError, NotImplementedError) as error:  # not each model knows each question
            print(name, error)
        step()
    triplets = TripletClassificationEvaluator(model, graph, graph)
    for _ in range(2):
        triplets.evaluate(64)
        triplets.accuracy(64)
        step()
batch = [x.to(DEVICE) for x in (graph.head_idx, graph.tail_idx, graph.relations)]
for make in (UniformNegativeSampler, BernoulliNegativeSampler, PositionalNegativeSampler):
    sampler = make(graph)
    for _ in range(2):
        sampler.corrupt_batch(*batch)
        step()
