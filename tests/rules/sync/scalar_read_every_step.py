import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader


# doc: A training loop that keeps its loss and its accuracy
def train(model, loader, optimizer, epochs):
    model.cuda()
    for epoch in range(epochs):
        total_loss, correct, seen = 0.0, 0, 0
        for x, y in loader:
            x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total_loss += loss.item() * x.size(0)  # expect: TPL101 @ loss.item()
            correct += (logits.argmax(dim=1) == y).sum().item()  # expect: TPL101 @ (logits.argmax(dim=1) == y).sum().item()
            seen += x.size(0)
        total_loss /= seen
        print(epoch, total_loss, correct / seen)


# case: an evaluation, without gradients, over several lines
def evaluate(model, loader, device: torch.device):
    model.eval()
    total = 0
    hits = 0
    with torch.no_grad():
        for images, labels in loader:
            images, labels = images.to(device), labels.to(device)
            output = model(images)
            total += F.cross_entropy(output, labels, reduction="sum").item()  # expect: TPL101 @ F.cross_entropy(output, labels, reduction="sum").item()
            hits += int((output.argmax(1) == labels).sum())  # expect: TPL101 @ int((output.argmax(1) == labels).sum())
    return total / len(loader.dataset), hits


# case: a mean over the whole run, divided at each step; `float()` reads as well
def fit(model, loader, optimizer, epochs):
    model.cuda()
    mean = 0
    for _ in range(epochs):
        for x in loader:
            loss = model(x.cuda()).square().mean()
            loss.backward()
            optimizer.step()
            mean += float(loss) / len(loader)  # expect: TPL101 @ float(loss)
    return mean


# case: what is moved or detached first
def moved(model, loader, optimizer, criterion):
    model.cuda()
    first = second = 0.0
    for x, y in loader:
        loss = criterion(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        first += loss.detach().cpu().item()  # expect: TPL101 @ loss.detach().cpu()
        second += loss.data.item()  # expect: TPL101 @ loss.data.item()
    return first, second


# case: a meter, a list and a dict of lists have no fix; nor has a total that the loop shows
class Meter:
    def __init__(self):
        self.sum = 0

    def update(self, value, n=1):
        self.sum += value * n


def metered(model, loader, optimizer, bar):
    model.cuda()
    meter, losses, running = Meter(), [], 0.0
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        meter.update(loss.item(), x.size(0))  # expect: TPL101 @ loss.item()
        losses.append(loss.item())  # expect: TPL101 @ loss.item()
        running += loss.item()  # expect: TPL101 @ loss.item()
        if step % 100 == 0:
            bar.set_description(f"{running / 100:.3f}")
            running = 0.0
    return meter.sum, losses


# case: a value that is read at every step and only shown every hundred
def shown(model, loader, optimizer, logger):
    model.cuda()
    for step, x in enumerate(loader):
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        value = loss.item()  # expect: TPL101 @ loss.item()
        if step % 100 == 0:
            logger.info("loss %.4f", value)


# case: where float64 may be missing, the fix is only shown, and asks for none
def anywhere(model, loader, optimizer):
    device = torch.device("mps" if torch.backends.mps.is_available() else "cuda")
    model.to(device)
    total = 0.0
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()  # expect: TPL101 @ loss.item()
    return total


# case: totals that a closure, a global or the next turn looks at
total = 0.0


def watched(model, loader, optimizer):
    global total
    model.cuda()
    last, best = 0.0, 0.0

    def show():
        print(last)

    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()  # expect: TPL101 @ loss.item()
        last += loss.item()  # expect: TPL101 @ loss.item()
        best += loss.item() * best  # expect: TPL101 @ loss.item()
    show()
    return total, best


# ok: the values live on the CPU: drawn for an augmentation, the lengths of a collate function, a dataset
def collate(samples):
    total = 0
    for sample in samples:
        total += sample["length"].sum().item()
    return total


def augment(model, loader, optimizer):
    model.cuda()
    flips = 0
    for x in loader:
        flips += torch.randint(0, 2, (1,)).item()
        model(x.cuda()).mean().backward()
        optimizer.step()
    return flips


class Lengths(torch.utils.data.Dataset):
    def __init__(self, rows):
        self.rows = rows
        self.seen = 0

    def __getitem__(self, index):
        self.seen += self.rows[index].sum().item()
        return self.rows[index]


# ok: arrays and data frames look alike
import numpy as np


def arrays(model, loader, optimizer, frame):
    model.cuda()
    total = 0.0
    for x, weights in loader:
        model(x.cuda()).mean().backward()
        optimizer.step()
        total += np.asarray(weights).sum().item()
        total += frame["weight"].mean().item()
    return total


# ok: a program that never leaves the CPU
def main():
    model = nn.Linear(10, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0.0
    for x, y in DataLoader([(torch.zeros(10), 1)] * 8, batch_size=4):
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(total)


if __name__ == "__main__":
    main()


# ok: every so many steps, on one rank, for whoever wants to see it, in an error
def gated(model, loader, optimizer, rank, verbose):
    model.cuda()
    history = []
    for step, x in enumerate(loader):
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            history.append(loss.item())
        if verbose:
            print(loss.item())
        if rank == 0 and step % 10 == 0:
            history.append(loss.item())
        if step + 1 == len(loader):
            history.append(loss.item())
        if x.shape[0] == 0:
            raise ValueError(f"an empty batch; the loss before was {loss.item()}")
    return history


# ok: once an epoch
def epochs(model, loader, optimizer, n):
    model.cuda()
    history = []
    for _ in range(n):
        loss = None
        for x in loader:
            loss = model(x.cuda()).mean()
            loss.backward()
            optimizer.step()
        history.append(loss.item())
    return history


# ok: the step needs the number: an action for an environment, a loss that decides, the learning rate
def play(env, policy, steps):
    policy.cuda()
    state = torch.zeros(1, 4, device="cuda")
    rewards = []
    for _ in range(steps):
        action = policy(state).argmax(dim=1).item()
        observation, reward, done, info = env.step(action)
        rewards.append(reward)
        state = torch.as_tensor(observation, device="cuda")
    return rewards


def careful(model, loader, optimizer, scheduler):
    model.cuda()
    losses = []
    for x in loader:
        loss = model(x.cuda()).mean()
        value = loss.item()
        if not value < 1e4:
            break
        losses.append(value)
        loss.backward()
        optimizer.step()
        scheduler.step(loss.item())
    return losses


# ok: predictions that are kept: they would fill the GPU
def predict(model, loader):
    model.cuda()
    kept = []
    with torch.no_grad():
        for x in loader:
            kept.append(model(x.cuda()).cpu())
            kept.append(model(x.cuda()).softmax(dim=1).cpu().numpy())
    return kept


# ok: a set that is asked again is no bookkeeping
def unseen(model, loader):
    model.cuda()
    seen = set()
    for x in loader:
        label = model(x.cuda()).argmax()
        seen.add(label.item())
    return seen


# ok: what a loop goes through afterwards is no bookkeeping
def marked(model, loader, labels, kept):
    found = []
    for x in loader:
        found.append(model(x.cuda()).argmax().item())
    for label in set(found):
        kept[labels == label] = 1
    return kept


# missed: a step that returns its loss as a number, and a caller that adds it up
def step(model, batch, optimizer):
    loss = model(batch.cuda()).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


# case: a function returns the number, for a total of its caller; the whole tensor is copied to be added up
def hits(scores, labels):
    return (scores.argmax(1) == labels).float().mean().item()  # expect: TPL101 @ (scores.argmax(1) == labels).float().mean().item()


def share(scores, labels):
    return (scores.argmax(1) == labels).float().mean().item()


def measure(model: nn.Module, loader: torch.utils.data.DataLoader):
    total, right = 0.0, []
    with torch.no_grad():
        for images, labels in loader:
            scores, labels = model(images.cuda()), labels.cuda()
            total += hits(scores, labels)
            if share(scores, labels) > 0.9:
                break
            correct = scores.argmax(1).eq(labels).cpu().sum()  # expect: TPL101 @ scores.argmax(1).eq(labels).cpu()
            right.append(correct.item() / len(images))
            total += scores.argmax(1).eq(labels).cpu().float().sum()  # expect: TPL101 @ scores.argmax(1).eq(labels).cpu()
            right.append(scores.argmax(1).eq(labels).cpu().numpy().mean())  # expect: TPL101 @ scores.argmax(1).eq(labels).cpu()
            right.append(scores.argmax(1).eq(labels).cpu().float())
    return total, right


# ok: every hundredth step, and the last one too
def every_hundredth(model, loader, optimizer, writer):
    model.cuda()
    last = len(loader) - 1
    for step, x in enumerate(loader):
        last_batch = step == last
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        if step % 100 == 0 or last_batch:
            writer.add_scalar("loss", loss.item(), step)
        if (step % 500 == 0 and (step > 0 or loader.first)) or loader.stopped or step == last:
            writer.add_scalar("epoch", loss.item(), step)
        if (not step % 500 and loader.first) or loader.stopped:
            writer.add_scalar("first", loss.item(), step)


# case: the loss of a trainer, which calls it at every step with a batch that it has placed
from transformers import Trainer


class Weighted(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **rest):
        outputs = model(**inputs)
        loss = outputs.loss * 2
        self.history.append(loss.item())  # expect: TPL101 @ loss.item()
        return (loss, outputs) if return_outputs else loss


# ok: the scheduler is given the losses in the same loop
def scheduled(model, loader, optimizer, scheduler):
    losses = []
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        scheduler.step(losses)


# ok: all of the data is one batch, so that a turn is an epoch
def full_batch(model, graph, optimizer, epochs):
    total = 0.0
    graph = graph.cuda()
    for epoch in range(epochs):
        loss = model(graph).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


# case: the sum of what is read of each parameter may decide something, and one read for all would do
class Master:
    def __init__(self, model: nn.Module):
        self.model = model.cuda()
        self.master_params = list(self.model.parameters())

    def step(self, loss, optimizer):
        loss.backward()
        norm = self.norm()
        if norm == float("inf"):
            return
        optimizer.step()

    def norm(self):
        total = 0.0
        for p in self.master_params:
            if p.grad is not None:
                total += torch.norm(p.grad).item() ** 2  # expect: TPL101 @ torch.norm(p.grad).item()
        return total


# ok: a sampler that picks some of what it is given generates nothing
def assign(proposals: list, overlaps: torch.Tensor, bbox_sampler, seen: list):
    overlaps = overlaps.cuda()
    for number, each in enumerate(proposals):
        bbox_sampler.sample(overlaps, each)
        seen.append(overlaps[number].max().item())


# case: what is called with a model tests that, whatever it asserts
def test(model, loader):
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x.cuda(non_blocking=True))
            assert not out.requires_grad
            hits += (out.argmax(1) == y.cuda(non_blocking=True)).sum().item()  # expect: TPL101 @ (out.argmax(1) == y.cuda(non_blocking=True)).sum().item()
    return hits


def tested(model, loaders: list):
    return [test(model.cuda(), loader) for loader in loaders]


# case: the largest so far is kept as a total is
class Bounds:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net.cuda(), optimizer
        self.high, self.low, self.bound = -1e8, 1e8, 0.0

    def train(self, loader):
        for turn, x in enumerate(loader):
            values = self.net(x.cuda(non_blocking=True))
            values.square().mean().backward()
            self.optimizer.step()
            self.high = max(self.high, float(values.max()))  # expect: TPL101 @ float(values.max())
            self.low = min(values.min().item(), self.low)  # expect: TPL101 @ values.min().item()
            if turn % 200 == 0:
                self.bound = self.high


# ok: a loop that looks at the largest so far needs it
def until(net, optimizer, loader):
    best, net = -1.0, net.cuda()
    for x in loader:
        values = net(x.cuda(non_blocking=True))
        values.square().mean().backward()
        optimizer.step()
        best = max(best, float(values.max()))
        if best > 5.0:
            break


# ok: the larger of two numbers is another one
def shares(net, optimizer, loader, least: float):
    net = net.cuda()
    for x in loader:
        values = net(x.cuda(non_blocking=True))
        values.square().mean().backward()
        optimizer.step()
        share = max(least, float(values.max()))
        for group in optimizer.param_groups:
            group["lr"] = share
