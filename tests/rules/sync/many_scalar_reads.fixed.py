# doc: How often each class occurs
class Counter(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.names = names

    def forward(self, labels: torch.Tensor):
        counts = torch.bincount(labels.flatten(), minlength=len(self.names))
        numbers = counts.tolist()
        return dict(zip(self.names, numbers))


# run: Counter(["cat", "dog", "eel"])(integers("...", 0, 5))


# case: comprehensions over a tensor of one dimension
class Sizes(nn.Module):
    def forward(self, labels: torch.Tensor, other: torch.Tensor):
        first = labels.flatten()
        a = [2 * v for v in first.tolist() if v > 0]
        b = {i: int(v) for i, v in enumerate(first.tolist())}
        c = [(int(v), w) for v, w in zip(first.tolist(), range(9))]
        d = {float(v) for v in torch.unique(other).tolist()}
        return a, b, c, d


# run: Sizes()(anything("n m"), floats("..."))
# run: Sizes()(integers("...", 0, 9), anything("..."))


# case: in loops, by item and by index
def draw(scores: torch.Tensor, canvas):
    best = scores.cuda().flatten()
    for score in best.tolist():
        canvas.text(round(score, 2))
    best_values = best.tolist()
    for i in range(len(canvas)):
        canvas.text(best_values[i])
    best_values = best.tolist()
    widths = [int(best_values[i]) for i in range(3)]
    return widths


# case: losses in a list or a dict
def train(model, loader, optimizer):
    model.cuda()
    for x, y in loader:
        out = model(x.cuda())
        losses = [F.cross_entropy(out, y.cuda()), F.mse_loss(out, out.detach())]
        sum(losses).backward()
        optimizer.step()
        parts = {"entropy": losses[0], "square": losses[1]}
        numbers = torch.stack(losses).tolist()
        named = dict(zip(parts, torch.stack(tuple(parts.values())).tolist()))
        yield numbers, named
