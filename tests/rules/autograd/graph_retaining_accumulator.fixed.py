# doc: The average loss of an epoch
def train(model: nn.Module, loader, optimizer):
    model.cuda()
    total = 0.0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        loss.backward()
        optimizer.step()
        total += loss.detach()
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
        total += (loss * len(x)).detach()
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
        total += loss.detach()
        losses.append(loss.detach())
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
            mean = 0.9 * mean + 0.1 * loss.detach()
            totals["l1"] += l1.detach()
            parts.append(l2.detach())
            outputs.append(output.detach())
            self.losses.append(loss.detach())
            self.running += (loss * x.shape[0]).detach()
        return mean, totals, parts, outputs


# case: a framework does the backward pass
def train(accelerator, model: nn.Module, loader, optimizer):
    losses = []
    for x in loader:
        loss = model(x).mean()
        accelerator.backward(loss)
        optimizer.step()
        losses.append(loss.detach())
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
        total += loss.detach()
        total_box += box.detach()
        total_aux += aux.detach()
        overlaps.append(losses["overlap"].detach())
    return total, total_box, total_aux, overlaps


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
        curve.append(loss.detach())
        smooth = 0.9 * smooth + 0.1 * plain
    return curve, smooth


# case: the outputs of an evaluation for which gradients were left on
def embed(model: nn.Module, loader: torch.utils.data.DataLoader):
    model.eval()
    vectors, sizes = [], []
    for images in loader:
        out = model(images.cuda())
        vectors.append(out.detach())
        sizes.append(out.argmax(1))
    return torch.cat(vectors), sizes


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
        history.append(cost.detach())
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
        self.history["loss"].append(loss.detach())
        self.history["size"].append(loss.detach())
