"""bindsnet 0.3.4"""

import torch

stand_in("matplotlib", "matplotlib.pyplot", "matplotlib.animation", "matplotlib.axes", "matplotlib.collections", "matplotlib.image", "matplotlib.figure", "mpl_toolkits", "mpl_toolkits.axes_grid1")
stand_in("gymnasium", "gymnasium.wrappers", "ale_py", "cv2", "pandas", "tensorboardX", "PIL", "PIL.Image", "torchvision", "torchvision.transforms", "torchvision.datasets", "torchvision.utils")
from bindsnet import conversion, encoding, evaluation, learning, models
from bindsnet.network import Network, monitors, nodes, topology

TIME, INPUTS, NEURONS, BATCH = 25, 64, 20, 4


def spikes(batch=BATCH, time=TIME, shape=(INPUTS,)):
    seen = torch.rand(batch, *shape, device=DEVICE) * 128
    return torch.stack([encoding.poisson(each.cpu(), time=time, device=DEVICE) if at % 2 else encoding.bernoulli(each / 128, time=time, device=DEVICE) for at, each in enumerate(seen)], 1).to(DEVICE)


def watched(network, layers):
    for name in layers:
        network.add_monitor(monitors.Monitor(network.layers[name], ["s", "v"] if hasattr(network.layers[name], "v") else ["s"], time=TIME, batch_size=BATCH, device=DEVICE), name)
    return network.to(DEVICE)


def simple(neurons, rule):
    network = Network(dt=1.0, batch_size=BATCH)
    network.add_layer(nodes.Input(n=INPUTS, traces=True), "X")
    network.add_layer(neurons(n=NEURONS, traces=True), "Y")
    network.add_connection(topology.Connection(network.layers["X"], network.layers["Y"], update_rule=rule, nu=(1e-4, 1e-2), wmin=-1, wmax=1, norm=10.0), "X", "Y")
    return watched(network, ("X", "Y"))


built = {name: tried(name, 0, build) for name, build in {
    "two": lambda: watched(models.TwoLayerNetwork(INPUTS, NEURONS), ("X", "Y")), "Diehl": lambda: watched(models.DiehlAndCook2015(INPUTS, device=DEVICE, batch_size=BATCH, n_neurons=NEURONS, inpt_shape=(INPUTS,)), ("X", "Ae", "Ai")),
    "Diehl 2": lambda: watched(models.DiehlAndCook2015v2(INPUTS, NEURONS, inpt_shape=(INPUTS,)), ("X", "Y")), "inhibition": lambda: watched(models.IncreasingInhibitionNetwork(INPUTS, 16, inpt_shape=(INPUTS,)), ("X", "Y")),
    "local": lambda: watched(models.LocallyConnectedNetwork(INPUTS, (8, 8), 4, 2, 3), ("X", "Y")),
    **{each.__name__: lambda each=each: simple(each, learning.PostPre) for each in (nodes.McCullochPitts, nodes.IFNodes, nodes.LIFNodes, nodes.BoostedLIFNodes, nodes.CurrentLIFNodes, nodes.AdaptiveLIFNodes, nodes.DiehlAndCookNodes, nodes.IzhikevichNodes, nodes.SRM0Nodes)},
    **{each.__name__: lambda each=each: simple(nodes.LIFNodes, each) for each in (learning.WeightDependentPostPre, learning.Hebbian, learning.MSTDP, learning.MSTDPET)},
}.items()}  # fmt: skip
ann = torch.nn.Sequential(torch.nn.Linear(INPUTS, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10)).to(DEVICE)
for at in range(3):
    labels = torch.arange(BATCH, device=DEVICE) % 4
    for name, network in built.items():
        if network is None:
            continue

        def learnt():
            network.train(at < 2)
            network.run(inputs={"X": spikes()}, time=TIME, reward=0.5)
            seen = network.monitors.get("Y", network.monitors.get("Ae")).get("s").reshape(TIME, BATCH, -1).transpose(0, 1)
            assigned, share, rates = evaluation.assign_labels(seen, labels, 4)
            right = (evaluation.all_activity(seen, assigned, 4) == labels).float().mean() + (evaluation.proportion_weighting(seen, assigned, share, 4) == labels).float().mean()
            scores = evaluation.update_ngram_scores(seen, labels, 4, 2, {})
            evaluation.ngram(seen, scores, 4, 2)
            network.reset_state_variables()
            return right.item()

        tried(name, at, learnt)
        step()
    for code in ("single", "repeat", "rank_order"):
        tried(code, at, lambda: getattr(encoding, code)(torch.rand(INPUTS, device=DEVICE), time=TIME, device=DEVICE))

    def converted():
        data = torch.rand(BATCH, INPUTS, device=DEVICE)
        network = conversion.ann_to_snn(ann, input_shape=(INPUTS,), data=data).to(DEVICE)
        network.run(inputs={"Input": data.repeat(TIME, 1, 1)}, time=TIME)

    tried("converted", at, converted)

    def convolved():
        network = Network(batch_size=BATCH)
        network.add_layer(nodes.Input(shape=(1, 8, 8), traces=True), "X")
        network.add_layer(nodes.LIFNodes(shape=(3, 6, 6), traces=True), "C")
        network.add_layer(nodes.LIFNodes(shape=(3, 3, 3), traces=True), "P")
        network.add_connection(topology.Conv2dConnection(network.layers["X"], network.layers["C"], kernel_size=3, update_rule=learning.PostPre, nu=(1e-4, 1e-2), norm=2.0, wmin=-1, wmax=1), "X", "C")
        network.add_connection(topology.MaxPool2dConnection(network.layers["C"], network.layers["P"], kernel_size=2, stride=2, decay=0.1), "C", "P")
        network.to(DEVICE).run(inputs={"X": spikes(shape=(1, 8, 8))}, time=TIME)

    tried("convolved", at, convolved)
    step()
