# doc: A graph network, its matrix of the graph as coordinates
class GraphNet(nn.Module):
    def __init__(self, indices: torch.Tensor, values: torch.Tensor, nodes: int, width: int, classes: int):
        super().__init__()
        self.graph = torch.sparse_coo_tensor(indices, values, (nodes, nodes)).to_sparse_csr().cuda()
        self.first = nn.Linear(width, width, bias=False)
        self.second = nn.Linear(width, classes, bias=False)

    def forward(self, x: torch.Tensor):
        x = torch.relu(torch.sparse.mm(self.graph, self.first(x)))
        return self.second(x)


def train(model: GraphNet, optimizer, x, y):
    for _ in range(200):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
