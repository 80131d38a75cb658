"""torch-hd 5.8.4"""

import torch

stand_in("requests", "pandas", "openpyxl")
import torchhd
from torchhd import classifiers, embeddings, memory, models, structures, utils

MANY, FEATURES, CLASSES, WIDE = 128, 16, 5, 1024


samples, labels = torch.rand(MANY, FEATURES), torch.arange(MANY) % CLASSES
batches = [(samples[at : at + 32].to(DEVICE), labels[at : at + 32].to(DEVICE)) for at in range(0, MANY, 32)]
for at, (name, more) in enumerate({
    "Vanilla": {}, "AdaptHD": {"epochs": 2}, "OnlineHD": {"epochs": 2}, "NeuralHD": {"epochs": 4, "regen_freq": 2}, "DistHD": {"epochs": 4, "regen_freq": 2}, "LeHDC": {"epochs": 3},
    "CompHD": {}, "SparseHD": {"epochs": 2}, "QuantHD": {"epochs": 2}, "IntRVFL": {},
}.items()):  # fmt: skip

    def learn():
        model = getattr(classifiers, name)(FEATURES, WIDE, CLASSES, device=DEVICE, **more)
        model.fit(batches)
        step()
        for _ in range(2):
            model.accuracy(batches)
            model.predict(batches[0][0])
            step()

    tried(name, 0, learn)
for at in range(3):
    for vsa in ("MAP", "BSC", "HRR", "FHRR", "VTB", "BSBC", "MCR", "CGR"):
        more = {"block_size": 64} if vsa in ("BSBC", "MCR", "CGR") else {}
        make = lambda count, dim=WIDE: torchhd.random(count, dim, vsa, device=DEVICE, **more)
        keys, values = tried(vsa, at, lambda: make(8)), tried(vsa, at, lambda: make(8))
        if keys is None:
            continue
        given = {"vsa": vsa, "device": DEVICE, **more}
        for what, call in {
            "table": lambda: torchhd.hash_table(keys, values), "sequence": lambda: torchhd.bundle_sequence(keys), "bound": lambda: torchhd.bind_sequence(keys), "ngrams": lambda: torchhd.ngrams(keys, 3),
            "graph": lambda: torchhd.graph(torch.stack([keys, values])), "product": lambda: torchhd.cross_product(keys, values), "cleanup": lambda: torchhd.cleanup(keys[0], keys), "set": lambda: torchhd.multiset(keys),
            "choice": lambda: torchhd.randsel(keys[0], keys[1]), "choices": lambda: torchhd.multirandsel(keys), "cos": lambda: torchhd.cosine_similarity(keys, values), "dot": lambda: torchhd.dot_similarity(keys, values),
            "resonator": lambda: torchhd.resonator(keys[0], keys[:3], torch.stack([keys, values, keys])), "hard": lambda: torchhd.hard_quantize(keys), "level": lambda: torchhd.level(6, WIDE, **given), "circular": lambda: torchhd.circular(6, WIDE, **given),
            "thermometer": lambda: torchhd.thermometer(6, WIDE, **given), "permute": lambda: torchhd.permute(keys, shifts=2), "inverse": lambda: torchhd.inverse(keys), "normalize": lambda: torchhd.normalize(keys), "negative": lambda: torchhd.negative(keys),
        }.items():  # fmt: skip
            tried(f"{vsa} {what}", at, call)

        def kept():
            found = structures.Memory(threshold=0.3)
            for key, value in zip(keys, range(8)):
                found.add(key, value)
            for key in keys[:4]:
                found[key]
            found[keys[0]] = 9
            del found[keys[1]]

        def tables():
            table = structures.HashTable.from_tensors(keys, values)
            table.add(keys[0], values[1])
            table.replace(keys[0], values[1], values[2])
            table[keys[0]], len(table)
            some = structures.Multiset.from_ngrams(keys, 2)
            some.add(keys[0])
            some.contains(keys[0])
            order = structures.BundleSequence.from_tensor(keys)
            order.append(keys[0]), order.appendleft(keys[1]), order.pop(keys[0]), order.popleft(keys[1]), order[2]
            bound = structures.BindSequence.from_tensor(keys)
            bound.append(keys[0]), bound.appendleft(keys[1])

        def graphs():
            net = structures.Graph.from_edges(torch.stack([keys, values]), directed=True)
            net.add_edge(keys[0], values[1])
            net.contains(net.encode_edge(keys[0], values[1])), net.node_neighbors(keys[0])
            tree = structures.Tree(WIDE, vsa, device=DEVICE)
            tree.add_leaf(keys[0], ["l", "r"]), tree.get_leaf(["l", "r"])
            machine = structures.FiniteStateAutomata(WIDE, vsa, device=DEVICE)
            machine.add_transition(keys[0], keys[1], keys[2]), machine.transition(keys[1], keys[0])

        for what in (kept, tables, graphs):
            tried(f"{vsa} {what.__name__}", at, what)
    level, places = embeddings.Level(20, WIDE, device=DEVICE), embeddings.Random(FEATURES, WIDE, device=DEVICE)
    seen = torchhd.multiset(torchhd.bind(places.weight, level(samples.to(DEVICE))))
    model = models.Centroid(WIDE, CLASSES, device=DEVICE)
    for what in ("add", "add_adapt", "add_online"):
        tried(what, at, lambda: getattr(model, what)(seen.float(), labels.to(DEVICE)))
    tried("normalize", at, model.normalize)
    tried("seen", at, lambda: model(seen.float(), dot=True))
    for kind in (embeddings.Circular, embeddings.Thermometer):
        tried(kind.__name__, at, lambda: kind(20, WIDE, device=DEVICE)(samples.to(DEVICE)))
    for kind in (embeddings.Projection, embeddings.Sinusoid, embeddings.Density, embeddings.FractionalPower):
        tried(kind.__name__, at, lambda: kind(FEATURES, WIDE, device=DEVICE)(samples.to(DEVICE)))
    keys = torchhd.random(16, WIDE, device=DEVICE)
    sparse = memory.SparseDistributed(64, WIDE, WIDE, device=DEVICE)
    tried("write", at, lambda: sparse.write(keys, keys))
    tried("read", at, lambda: sparse.read(keys))
    tried("Hopfield", at, lambda: (lambda net: (net.write(keys), net.read(keys)))(memory.Hopfield(WIDE, device=DEVICE)))
    tried("hopfield", at, lambda: memory.hopfield(keys, keys, kappa=3))
    tried("modern", at, lambda: memory.modern_hopfield(keys, keys))
    tried("plot", at, lambda: utils.plot_similarity(keys[0], keys))
    step()
