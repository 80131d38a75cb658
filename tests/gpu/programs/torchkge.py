"""torchkge 0.17.7"""

import torch

stand_in("torchkge.utils.datasets", **dict.fromkeys(("load_fb13", "load_fb15k", "load_fb15k237", "load_wn18", "load_wn18rr", "load_yago3_10", "load_wikidatasets", "load_wikidata_vitals")))
from torchkge import evaluation, inference, models, sampling
from torchkge.data_structures import KnowledgeGraph
from torchkge.utils import data_redundancy, losses, training
from torchkge.utils.data import DataLoader

things, ties, facts = 40, 5, 400
names = {"ent2ix": {str(at): at for at in range(things)}, "rel2ix": {str(at): at for at in range(ties)}}
graph = KnowledgeGraph(kg={"heads": torch.randint(0, things, (facts,)), "tails": torch.randint(0, things, (facts,)), "relations": torch.arange(facts) % ties}, **names)
train, valid, test = graph.split_kg(sizes=(200, 100, 100))
where = "batch" if DEVICE == "cuda" else None
made = {
    "TransEModel": lambda: models.TransEModel(8, things, ties, "L2"), "TransHModel": lambda: models.TransHModel(8, things, ties),
    "TransRModel": lambda: models.TransRModel(8, 6, things, ties), "TransDModel": lambda: models.TransDModel(8, 6, things, ties),
    "TorusEModel": lambda: models.TorusEModel(8, things, ties, "torus_L2"), "RESCALModel": lambda: models.RESCALModel(8, things, ties),
    "DistMultModel": lambda: models.DistMultModel(8, things, ties), "HolEModel": lambda: models.HolEModel(8, things, ties),
    "ComplExModel": lambda: models.ComplExModel(8, things, ties), "AnalogyModel": lambda: models.AnalogyModel(8, things, ties),
    "ConvKBModel": lambda: models.ConvKBModel(8, 4, things, ties),
}
kinds = [losses.MarginLoss(0.5), losses.LogisticLoss(), losses.BinaryCrossEntropyLoss()]


def tried(name, what):
    try:
        what()
    except Exception as no:
        print(name, type(no).__name__, str(no)[:120])


for at, (name, make) in enumerate(made.items()):
    model = make().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    trainer = training.Trainer(model, kinds[at % 3], train, n_epochs=2, batch_size=50, optimizer=optimizer, sampling_type=("bern", "unif")[at % 2], use_cuda=where)
    loader = training.TrainDataLoader(train, 50, "bern", where)

    def epochs():
        for _ in range(2):
            for batch in loader:
                trainer.process_batch(batch)
            model.normalize_parameters()

    def linked():
        told = evaluation.LinkPredictionEvaluator(model, test)
        told.evaluate(20, verbose=False)
        told.print_results(k=[1, 3])
        told.mrr(), told.mean_rank(), told.hit_at_k(5)

    def related():
        told = evaluation.RelationPredictionEvaluator(model, test)
        told.evaluate(20, verbose=False)
        told.print_results()

    def sorted_out():
        told = evaluation.TripletClassificationEvaluator(model, valid, test)
        told.evaluate(25)
        told.accuracy(25)

    def inferred():
        some = torch.arange(20)
        inference.EntityInference(model, some, some % ties, top_k=3, dictionary=graph.dict_of_tails).evaluate(5, verbose=False)

    def inferred_ties():
        some = torch.arange(20)
        inference.RelationInference(model, some, some + 20, top_k=2, dictionary=graph.dict_of_rels).evaluate(5, verbose=False)

    trainer.criterion.to(DEVICE)
    tried(name, trainer.run)
    for what in (epochs, linked, related, sorted_out, inferred, inferred_ties):
        tried(f"{name} {what.__name__}", what)
        step()
for sampler in (sampling.UniformNegativeSampler(train, valid, test), sampling.BernoulliNegativeSampler(train, valid, test), sampling.PositionalNegativeSampler(train, valid, test), sampling.BernoulliRelationNegativeSampler(train)):
    for batch in DataLoader(train, 50, where):
        tried(type(sampler).__name__, lambda: sampler.corrupt_batch(*batch))
        step()
    tried("valid", lambda: sampler.corrupt_kg(50, DEVICE == "cuda", which="valid"))
tried("redundancy", lambda: data_redundancy.duplicates(train, theta1=0.1, theta2=0.1))
