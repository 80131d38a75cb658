# doc: One-hot rows, written by index
def train(model, loader, optimizer, classes):
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        rows = torch.arange(len(y), device="cuda")
        wanted = torch.zeros(len(y), classes, device="cuda")
        wanted[rows, y] = wanted.new_full((), 1.0)
        loss = (model(x).softmax(dim=-1) - wanted).square().mean()
        loss.backward()
        optimizer.step()


# case: an index of one dimension, of the first, a middle or the last dimension
class Dropped(nn.Module):
    def forward(self, x: Tensor):
        h = torch.ones(8, 8, 8, device="cuda")
        index = torch.randperm(8, device="cuda")[:2]
        h.index_fill_(0, index, 0.0)
        h.index_fill_(1, index, 2)
        h.index_fill_(-1, index, -1.5)
        h[0, index] = h.new_full((), 3.0)
        n = torch.zeros(8, dtype=torch.int64, device="cuda")
        n.index_fill_(0, index, 5)
        n.index_fill_(0, index, 0.5)
        return x * h * n


# run: Dropped()(anything("8"))


# case: on the device of the input
class Spread(nn.Module):
    def forward(self, x: Tensor):
        h = torch.ones(4, 4, device=x.device)
        index = torch.arange(3, device=x.device)
        h.index_fill_(0, index, 0.1)
        h.index_fill_(1, index, -2)
        h[index, index] = h.new_full((), 3.0)
        h[0, 0].fill_(True)
        return x * h


# run: Spread()(floats("4"))
# run: Spread()(anything("... 1 4"))


# case: what is given, at places that are counted
# run: Marked()(floats("4 4"))
# run: Marked()(floats("2 n ..."))
# run: Marked()(floats("3 3 n"))
class Marked(nn.Module):
    def forward(self, x: Tensor):
        h = x.float()
        rows = torch.arange(2, device=x.device)
        h.index_fill_(0, rows, 0.5)
        h.index_fill_(-1, rows, 2)
        order = torch.arange(x.shape[0], device=x.device).flip(0)
        h[order, 0] = h.new_full((), -0.0)
        h[0, order[:1]] = h.new_full((), 1)
        return h


# case: what is likely only gets a fix that a person looks at
class Likely(nn.Module):
    def forward(self, x, index: Tensor, value: float):
        h = x.clone()
        index = index.long().view(-1)
        h.index_fill_(0, index, 0.0)
        h.index_fill_(0, index, value)
        return h


# case: one element
class Corner(nn.Module):
    def forward(self, x: Tensor):
        mask = torch.zeros(4, 4, device="cuda")
        mask[0, 0].fill_(1.0)
        mask[-1, 2].fill_(True)
        first = torch.zeros(4, device="cuda", dtype=torch.uint8)
        first[0].fill_(1)
        return x * mask + first


# run: Corner()(anything("... 1 4"))


# case: numbers that the host reads back
class Read(nn.Module):
    def forward(self, x: Tensor, y: Tensor, mask: Tensor):
        low, step = x.min(), y.mean()
        a = torch.where(mask, low, x)
        b = x.sub(step * (y * 2))
        c = torch.add(x, step * y)
        d = torch.empty_like(x).fill_(low)
        e = x.new_empty((2,), dtype=torch.float64).fill_(low)
        f = torch.where(mask, x, 0.0)
        return a, b, c, d, e, f
