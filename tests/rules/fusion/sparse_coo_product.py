import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


# doc: A graph network, its matrix of the graph as coordinates
class GraphNet(nn.Module):
    def __init__(self, indices: torch.Tensor, values: torch.Tensor, nodes: int, width: int, classes: int):
        super().__init__()
        self.graph = torch.sparse_coo_tensor(indices, values, (nodes, nodes)).cuda()
        self.first = nn.Linear(width, width, bias=False)
        self.second = nn.Linear(width, classes, bias=False)

    def forward(self, x: torch.Tensor):
        x = torch.relu(torch.sparse.mm(self.graph, self.first(x)))  # expect: TPL616 @ torch.sparse.mm(self.graph, self.first(x))
        return self.second(x)


def train(model: GraphNet, optimizer, x, y):
    for _ in range(200):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: the old class, by a helper, as a method and coalesced, which its transpose is not
def as_sparse(rows, columns, values, size):
    indices = torch.from_numpy(np.vstack((rows, columns)))
    return torch.sparse.FloatTensor(indices, torch.from_numpy(values), torch.Size((size, size)))


class Smooth(nn.Module):
    def __init__(self, rows, columns, values, size: int, width: int):
        super().__init__()
        self.graph = as_sparse(rows, columns, values, size).coalesce().cuda()
        self.layer = nn.Linear(width, width).cuda()

    def forward(self, x):
        graph = self.graph
        return graph.mm(self.layer(x))  # expect: TPL616 @ graph.mm(self.layer(x))


def fit(model: Smooth, optimizer, x):
    for _ in range(200):
        model(x).sum().backward()
        optimizer.step()


# case: the matrix is given, by a file that makes such and none of rows
class Convolution(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width, width).cuda())

    def forward(self, x, adj):
        return torch.spmm(adj, x @ self.weight)  # expect: TPL616 @ torch.spmm(adj, x @ self.weight)


class Pair(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.layer = nn.Linear(width, width).cuda()

    def forward(self, given):
        x, adj = given
        return torch.spmm(adj, self.layer(x)), adj  # expect: TPL616 @ torch.spmm(adj, self.layer(x))


def load(indices, values, size):
    return torch.sparse_coo_tensor(indices, values, (size, size))


def train_given(model: nn.Module, optimizer, x, *others):
    for _ in range(200):
        model(x, *others).sum().backward()
        optimizer.step()


# ok: of rows, made once
class Rows(nn.Module):
    def __init__(self, indices, values, nodes: int, width: int):
        super().__init__()
        self.graph = torch.sparse_coo_tensor(indices, values, (nodes, nodes)).to_sparse_csr().cuda()
        self.layer = nn.Linear(width, width).cuda()

    def forward(self, x):
        return torch.sparse.mm(self.graph, self.layer(x))


def train_rows(model: nn.Module, optimizer, x, *others):
    for _ in range(200):
        model(x, *others).sum().backward()
        optimizer.step()


# ok: made anew at each step, of what is learned
class Weighted(nn.Module):
    def __init__(self, indices, edges: int):
        super().__init__()
        self.indices = indices.cuda()
        self.weights = nn.Parameter(torch.rand(edges).cuda())

    def forward(self, x):
        graph = torch.sparse_coo_tensor(self.indices, self.weights, (x.shape[0], x.shape[0]))
        return torch.sparse.mm(graph, x)


def train_weights(model: Weighted, optimizer, x):
    for _ in range(200):
        model(x).sum().backward()
        optimizer.step()


# ok: some of its edges are left out anew at each step
class Dropped(nn.Module):
    def __init__(self, indices, values, nodes: int):
        super().__init__()
        self.nodes = nodes
        self.graph = torch.sparse_coo_tensor(indices, values, (nodes, nodes)).cuda()

    def without_some(self, graph):
        keep = torch.rand(graph._values().shape, device="cuda") < 0.9
        return torch.sparse_coo_tensor(graph._indices()[:, keep], graph._values()[keep], (self.nodes, self.nodes))

    def forward(self, x):
        graph = self.without_some(self.graph)
        return torch.sparse.mm(graph, x)


def train_dropped(model: Dropped, optimizer, x):
    for _ in range(200):
        model(x).sum().backward()
        optimizer.step()


# ok: features are smoothed once, before the training
def smoothed(indices, values, features):
    graph = torch.sparse_coo_tensor(indices, values, (1000, 1000)).cuda()
    features = features.cuda()
    for _ in range(2):
        features = torch.spmm(graph, features)
    return features


def train_smoothed(model: nn.Module, optimizer, indices, values, features):
    x = smoothed(indices, values, features)
    for _ in range(200):
        model(x).sum().backward()
        optimizer.step()


# ok: a dense product, and one of rows that the file names
class Dense(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width, width).cuda())

    def forward(self, x, adj):
        return torch.mm(adj, x.mm(self.weight))


def train_dense(model: nn.Module, optimizer, x, *others):
    for _ in range(200):
        model(x, *others).sum().backward()
        optimizer.step()


def rows(graph: torch.Tensor, x: torch.Tensor, layer: nn.Linear):
    loss = torch.sparse.mm(graph.to_sparse_csr(), layer(x)).sum()
    loss.backward()


# ok: on the CPU
class Host(nn.Module):
    def __init__(self, indices, values, nodes: int):
        super().__init__()
        self.graph = torch.sparse_coo_tensor(indices, values, (nodes, nodes), device="cpu")

    def forward(self, x):
        return torch.sparse.mm(self.graph, x.cpu())


def train_host(model: nn.Module, optimizer, x, *others):
    for _ in range(200):
        model(x, *others).sum().backward()
        optimizer.step()


# missed: the operator, and a matrix that is transposed where it is multiplied
class Spread(nn.Module):
    def __init__(self, indices, values, nodes: int, width: int):
        super().__init__()
        self.graph = torch.sparse_coo_tensor(indices, values, (nodes, nodes)).cuda()
        self.layer = nn.Linear(width, width).cuda()

    def forward(self, x):
        x = self.graph @ self.layer(x)
        return torch.mm(self.graph.t(), x)


def train_spread(model: nn.Module, optimizer, x, *others):
    for _ in range(200):
        model(x, *others).sum().backward()
        optimizer.step()


# ok: the project asks a matrix for its coordinates, and coalesces some
class Asked(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.layer = nn.Linear(width, width).cuda()

    def forward(self, x, adj):
        return torch.spmm(adj, self.layer(x))


def ordered(indices, values, size):
    made = torch.sparse_coo_tensor(indices, values, (size, size)).coalesce()
    return made, made._indices()


def train_asked(model: nn.Module, optimizer, x, *others):
    for _ in range(200):
        model(x, *others).sum().backward()
        optimizer.step()
