import torch
import torch.nn.functional as F
from torch import nn


# doc: The average loss of an epoch
def train(model: nn.Module, loader, optimizer):
    model.cuda()
    total = 0.0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        loss.backward()
        optimizer.step()
        total += loss  # expect: TPL403 @ total += loss
    print(f"loss {total.item() / len(loader):.4f}")


# case: what runs on the CPU is the same before and after
def epoch(steps):
    torch.manual_seed(0)
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total, seen = torch.zeros(()), 0
    for _ in range(steps):
        x = torch.randn(8, 4)
        loss = F.mse_loss(model(x), x[:, :2])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss * len(x)  # expect: TPL403 @ total += loss * len(x)
        seen += len(x)
    return float(total / seen), [weight.detach().clone() for weight in model.parameters()]


# run: epoch(3)


# case: what is learnt from
# run: learn(floats("n 4", dtype=torch.float32), integers("n", 0, 3, dtype=torch.int64))
# run: learn(floats("n 4", dtype=torch.float32, grad=False), integers("n", 0, 4, dtype=torch.int64))
def learn(inputs: torch.Tensor, labels: torch.Tensor):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 3), nn.Dropout(0.5))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total, losses, numbers = torch.zeros(()), [], []
    for x, y in zip(inputs.split(2), labels.split(2)):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss  # expect: TPL403 @ total += loss
        losses.append(loss)  # expect: TPL403 @ losses.append(loss)
    for loss in losses:
        numbers.append(loss.item())
    return total.item(), numbers, list(model.parameters())


# case: lists, averages and attributes, with a scaler and with parts of the loss
class Trainer:
    def __init__(self, model: nn.Module, loader):
        self.model = model.cuda()
        self.loader = loader
        self.losses = []
        self.running = 0.0

    def train(self, optimizer, scaler: torch.amp.GradScaler):
        mean = 0.0
        totals = {"l1": 0.0, "l2": 0.0}
        outputs, parts = [], []
        for x, y in self.loader:
            output = self.model(x.cuda())
            l1 = F.l1_loss(output, y.cuda())
            l2 = F.mse_loss(output, y.cuda())
            loss = l1 + 0.5 * l2
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            mean = 0.9 * mean + 0.1 * loss  # expect: TPL403 @ mean = 0.9 * mean + 0.1 * loss
            totals["l1"] += l1  # expect: TPL403 @ totals["l1"] += l1
            parts.append(l2)  # expect: TPL403 @ parts.append(l2)
            outputs.append(output)  # expect: TPL403 @ outputs.append(output)
            self.losses.append(loss)  # expect: TPL403 @ self.losses.append(loss)
            self.running += loss * x.shape[0]  # expect: TPL403 @ self.running += loss * x.shape[0]
        return mean, totals, parts, outputs


# case: a framework does the backward pass
def train(accelerator, model: nn.Module, loader, optimizer):
    losses = []
    for x in loader:
        loss = model(x).mean()
        accelerator.backward(loss)
        optimizer.step()
        losses.append(loss)  # expect: TPL403 @ losses.append(loss)
    return torch.stack(losses).mean()


# case: every loss of the step, also those of which nothing but the sum shows that they are losses
def train_on_all(model: nn.Module, criterion, loader, optimizer):
    model.cuda()
    total = total_box = total_aux = 0.0
    overlaps = []
    for images, labels in loader:
        output = model(images.cuda())
        box, aux = criterion(output, labels), model.aux_loss(output)
        losses = criterion.overlap(output)
        loss = F.cross_entropy(output, labels.cuda()) + 2 * box + aux / 3
        loss += losses["overlap"]
        loss.backward()
        optimizer.step()
        total += loss  # expect: TPL403 @ total += loss
        total_box += box  # expect: TPL403 @ total_box += box
        total_aux += aux  # expect: TPL403 @ total_aux += aux
        overlaps.append(losses["overlap"])  # expect: TPL403 @ overlaps.append(losses["overlap"])
    return total, total_box, total_aux, overlaps


# ok: what a loss is multiplied with or divided by, what may be a number, and what is bound anew in between
def weigh(model: nn.Module, schedule, criterion, loader, optimizer, use_aux):
    model.cuda()
    weights = counts = total_aux = total_box = 0.0
    for x, y in loader:
        weight, count = schedule(x), schedule.count(y)
        aux = 0.0
        if use_aux:
            aux = criterion.aux(x)
        box = criterion(x, y)
        loss = weight * criterion(model(x.cuda()), y) / count + aux + box
        box = float(box)
        loss.backward()
        optimizer.step()
        weights += weight
        counts += count
        total_aux += aux
        total_box += box
    return weights, counts, total_aux, total_box


# ok: detached, or read
def train(model: nn.Module, loader, optimizer):
    total, count, losses = 0.0, 0, []
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()
        total += loss.detach()
        total += float(loss) * len(x)
        total += loss.data
        count += (loss > 1).sum()
        losses.append(loss.detach().cpu())
        losses.append(loss.item())
        with torch.no_grad():
            total += loss
    return total, count, losses


# ok: read, and times something of the batch that nobody knows
def train(model, loader, optimizer, device):
    total = seen = 0
    for batch in loader:
        batch = batch.to(device)
        loss = F.cross_entropy(model(batch.x, batch.edges), batch.y)
        loss.backward()
        optimizer.step()
        total += loss.item() * batch.num_graphs
        total += float(loss) * batch.num_graphs
        seen += batch.num_graphs
    return total / seen


# ok: the sum is what is trained on: several losses, several steps, the steps of a sequence
def train(model: nn.Module, loader, optimizer, terms):
    for x in loader:
        loss = 0.0
        parts = []
        for term in terms:
            loss += term(model(x.cuda()))
            parts.append(model(x.cuda()).mean())
        (loss + sum(parts)).backward()
        optimizer.step()


# ok: back-propagation through time, some steps at once
def unroll(cell: nn.Module, sequence, optimizer, span):
    state, loss, losses = torch.zeros(1, 8).cuda(), 0.0, []
    for turn, x in enumerate(sequence):
        state = cell(x.cuda(), state)
        loss = loss + state.mean()
        losses.append(state.mean())
        if turn % span == 0:
            (loss + torch.stack(losses).sum()).backward()
            optimizer.step()
            state, loss, losses = state.detach(), 0.0, []


# ok: the graph is kept on purpose
def train(model: nn.Module, loader, optimizer):
    total = 0.0
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward(retain_graph=True)
        total += loss
    total.backward()
    optimizer.step()


# ok: a loss of another graph than the one of the backward pass: what becomes of it is open
def meta(model: nn.Module, tasks, optimizer):
    outer = 0.0
    for task in tasks:
        inner = model(task.cuda()).mean()
        inner.backward()
        outer += model(task.cuda()).square().mean()
    outer.backward()
    optimizer.step()


# ok: a list that lets go: emptied in the loop, of bounded length, or only every so often
from collections import deque


def train(model: nn.Module, loader, optimizer, every):
    window, recent, seldom = [], deque(maxlen=20), []
    for turn, x in enumerate(loader):
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        window.append(loss)
        recent.append(loss)
        if turn % every == 0:
            seldom.append(loss)
            print(sum(window) / len(window))
            window.clear()


# ok: numbers and inputs have no graph
def train(model: nn.Module, loader, optimizer):
    seen, inputs, labels = 0, [], []
    for x, y in loader:
        x = x.cuda()
        loss = F.cross_entropy(model(x), y.cuda())
        loss.backward()
        optimizer.step()
        seen += x.shape[0]
        inputs.append(x)
        labels.append(y)
    return seen, inputs, labels


# ok: a program that never leaves the CPU
if __name__ == "__main__":
    model, total = nn.Linear(3, 3), 0.0
    for _ in range(3):
        loss = model(torch.ones(3)).sum()
        loss.backward()
        total += loss


# ok: a test holds on to a few losses
class ConvergenceTest(DistributedTest):
    def losses(self, model, loader, optimizer):
        losses = []
        for x in loader:
            loss = model(x.cuda()).sum()
            loss.backward()
            optimizer.step()
            losses.append(loss)
        return losses

    def test_convergence(self):
        self.assertEqual(self.losses(*self.wrapped()), self.losses(*self.plain()))


# ok: let go of where there was a backward pass
def cached(model, batches, backward: bool):
    losses = []
    for x in batches:
        loss = model(x.cuda()).sum()
        if backward:
            loss.backward()
            loss = loss.detach()
        losses.append(loss)
    return sum(losses)


# missed: the step is a function of its own
def step(model: nn.Module, x, optimizer):
    loss = model(x.cuda()).mean()
    loss.backward()
    optimizer.step()
    return loss


def train(model: nn.Module, loader, optimizer):
    total = 0.0
    for x in loader:
        total += step(model, x, optimizer)
    return total


# case: the backward pass is in a function, which returns the loss as it was
def train_step(model, batch, optimizer):
    optimizer.zero_grad()
    loss = model(batch.cuda()).square().mean()
    loss.backward()
    optimizer.step()
    return loss, loss.detach()


def fit(model: nn.Module, loader: torch.utils.data.DataLoader, optimizer):
    curve, smooth = [], 0.0
    for batch in loader:
        loss, plain = train_step(model, batch, optimizer)
        curve.append(loss)  # expect: TPL403 @ curve.append(loss)
        smooth = 0.9 * smooth + 0.1 * plain
    return curve, smooth


# case: the outputs of an evaluation for which gradients were left on
def embed(model: nn.Module, loader: torch.utils.data.DataLoader):
    model.eval()
    vectors, sizes = [], []
    for images in loader:
        out = model(images.cuda())  # expect: TPL401 @ model(images.cuda())
        vectors.append(out)  # expect: TPL403 @ vectors.append(out)
        sizes.append(out.argmax(1))
    return torch.cat(vectors), sizes


# ok: what is kept has no graph, or one that is wanted later
def embed(model: nn.Module, loader: torch.utils.data.DataLoader, optimizer):
    model.eval()
    vectors = []
    with torch.no_grad():
        for images in loader:
            vectors.append(model(images.cuda()))
    parts = []
    for images in loader:
        parts.append(model(images.cuda()).mean())
    torch.stack(parts).sum().backward()
    optimizer.step()
    return vectors


# case: the probability of what a policy drew has the graph of the policy
def improve(policy: nn.Module, rollouts, optimizer, device=torch.device("cuda")):
    history, drawn = [], []
    for states, actions, gains in rollouts:
        law = torch.distributions.Categorical(logits=policy(states.to(device)))
        cost = -(law.log_prob(actions.to(device)) * gains.to(device)).mean()
        loss = cost - 0.01 * law.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(cost)  # expect: TPL403 @ history.append(cost)
        drawn.append(law.sample())
    return history, drawn


# case: an object keeps what its step computed
class Learner:
    def __init__(self, model: nn.Module, optimizer):
        self.model, self.optimizer = model.cuda(), optimizer
        self.history = {"loss": [], "size": []}

    def update(self, batch):
        loss = self.model(batch.cuda()).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.history["loss"].append(loss)  # expect: TPL403 @ self.history["loss"].append(loss)
        self.history["size"].append(loss.detach())


# case: an output stays with its own node
class Grow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, rate, both: bool):
        ctx.rate = rate
        grown = x.exp() * rate
        if both:
            every = grown, grown.log()
            high, low = every
            ctx.low = low  # expect: TPL403 @ ctx.low = low
            return every
        ctx.grown = grown  # expect: TPL403 @ ctx.grown = grown
        return grown, rate

    @staticmethod
    def backward(ctx, up, *others):
        return up * ctx.grown * ctx.rate, None, None


# ok: an input, what is no output, what has no gradient, and what is no function of autograd
class Shrink(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        shrunk = x * scale
        ctx.x = x
        factor = scale.square()
        ctx.factor = factor
        shape = x.shape
        ctx.shape = shape
        return shrunk

    @staticmethod
    def backward(ctx, up):
        return up * ctx.factor, None


class Pick(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        best = x.argmax(1)
        ctx.best = best
        ctx.mark_non_differentiable(best)
        return best

    @staticmethod
    def backward(ctx, up):
        return None


class Keeping(nn.Module):
    def forward(self, x):
        y = x.exp()
        self.last = y
        return y

    def backward(self):
        pass

