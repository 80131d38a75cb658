# doc: A validation that only calls `eval()`
@torch.no_grad()
def validate(model, loader, criterion):
    model.eval()  # dropout and batch norm, nothing else
    total, correct = 0.0, 0
    for images, labels in loader:
        images, labels = images.cuda(), labels.cuda()
        logits = model(images)
        total += criterion(logits, labels).item()
        correct += (logits.argmax(1) == labels).sum().item()
    return total / len(loader), correct


# case: in a script, between two epochs of training
def main():
    model = nn.Linear(3, 3).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model.train()
        for x, y in make_loader():
            loss = F.mse_loss(model(x.cuda()), y.cuda())
            loss.backward()
            optimizer.step()
        model.eval()
        errors = 0.0
        # on what it has not seen
        with torch.no_grad():
            for x, y in make_loader():
                with torch.autocast("cuda"):
                    errors += F.mse_loss(model(x.cuda()), y.cuda()).item()
            # of one batch, and the next
        print(errors)


# case: a method, known by its name and its loop, and a model of its own
from tqdm import tqdm


class Runner:
    def __init__(self, model: nn.Module, loader, device: torch.device):
        self.model = model.to(device)
        self.loader = loader
        self.device = device

    @torch.no_grad()
    def evaluate(self):
        hits = 0
        for x, y in tqdm(self.loader):
            output = self.model(x.to(self.device))
            hits += (output.argmax(1) == y.to(self.device)).sum().item()
        return hits

    @torch.no_grad()
    def predict(self):
        model = self.model.eval()
        outputs = []
        for x, _ in self.loader:
            outputs.append(model(x.to(self.device)).argmax(1))
        return torch.cat(outputs)


# case: an output that is shown once, and nothing trains in sight
@torch.no_grad()
def show(x):
    net = Net().cuda()
    return net(x.cuda()).detach()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 8))

    def forward(self, x):
        return self.layers(x)


# case: an evaluation by its name, whose model is given what the loop goes through
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3))

    def forward(self, x: torch.Tensor):
        return self.layers(x)


class Measured:
    def __init__(self, model: Head):
        self.model = model

    @torch.no_grad()
    def evaluate(self, sentences: list[torch.Tensor], size: int):
        batches = [torch.stack(sentences[i : i + size]).cuda() for i in range(0, len(sentences), size)]
        total = 0
        for batch in batches:
            total += self.model(batch).sum()
        return total


# case: by the name of the function and what it goes through, a part of the model, and a method beside `forward`
@torch.no_grad()
def predict_folder(net: nn.Module, frames):
    scores = []
    for frame in frames:
        scores.append(net(frame.cuda()).argmax(1))
    return scores


@torch.no_grad()
def decode(autoencoder: Autoencoder, turns: int):
    autoencoder.eval()
    for _ in range(turns):
        show(autoencoder.decoder(torch.randn(8, 4, device="cuda")))


@torch.no_grad()
def index(model, loader: torch.utils.data.DataLoader):
    model.eval()
    for images, names in loader:
        save(names, model.encode(images.cuda()))


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = nn.Linear(4, 16)

    def forward(self, z):
        return self.decoder(z)

    @torch.no_grad()
    def generate(self, z: torch.Tensor, turns: int):
        self.eval()
        for _ in range(turns):
            z = self(z).relu()[:, :4]
        return z


# case: another function switches gradients for its own block
def epoch(model, loader: torch.utils.data.DataLoader, optimizer, training):
    for x, y in loader:
        with torch.set_grad_enabled(training):
            loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        if training:
            loss.backward()
            optimizer.step()


@torch.no_grad()
def test_loss(model: nn.Module, loader: torch.utils.data.DataLoader):
    model.eval()
    total = torch.zeros((), device="cuda")
    for x, y in loader:
        total += (model(x.cuda()) - y.cuda()).square().mean().detach()
    return total


# case: a model out of sight, of which the file shows that it is called, and in which mode
from networks import Upscaler


class Restorer:
    def __init__(self, settings):
        self.net = Upscaler(settings.width).to("cuda")
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=settings.rate)

    def fit(self, pairs):
        self.net.train()
        for small, large in pairs:
            loss = F.l1_loss(self.net(small.cuda()), large.cuda())
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def sharpen(self, image: torch.Tensor, rounds: int):
        self.net.eval()
        for _ in range(rounds):
            image = self.net(image).clamp(0, 1)
        return image


# case: the model's `forward` is called by its name
class Scorer:
    def __init__(self, model: nn.Linear):
        self.model = model.cuda()

    @torch.no_grad()
    def evaluate(self, batches):
        self.model.eval()
        total = 0.0
        for x, y in batches:
            scores = self.model.forward(x.cuda())
            total += (scores.argmax(1) == y.cuda()).sum().item()
        return total


# case: a method that predicts one batch
class Predicting(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))

    def forward(self, x):
        return self.net(x)

    @torch.no_grad()
    def predict(self, x):
        if self.training:
            self.eval()
        return self.forward(x)


# case: an object that holds a model
class Agent:
    def __init__(self):
        self.net = Predicting().cuda()

    @torch.no_grad()
    def predict_values(self, states: torch.Tensor):
        self.net.eval()
        values = self.net(states)
        self.net.train()
        return values


# case: a wrapper that generates with what it holds in evaluation mode
class Sampler(nn.Module):
    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net.cuda()

    @torch.no_grad()
    def generate(self, tokens: torch.Tensor, length: int):
        self.net.eval()
        for _ in range(length):
            logits = self.net(tokens)[:, -1]
            tokens = torch.cat((tokens, logits.softmax(-1).multinomial(1)), -1)
        return tokens

    def forward(self, tokens: torch.Tensor):
        self.net.eval()
        for _ in range(3):
            tokens = tokens + self.net(tokens)
        return tokens


# case: a context that is there for what it gives
@torch.no_grad()
def evaluate_stream(model: nn.Module, data):
    model.cuda().eval()
    total = 0
    with data.open_batches() as batches:
        for x in batches:
            total += model(x.cuda()).argmax(1).sum()
    return total


# case: what a model picks, item by item, is all that leaves the function
class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 64)
        self.cell = nn.GRU(64, 64)
        self.head = nn.Linear(64, 100)

    def forward(self, tokens, state=None):
        hidden, state = self.cell(self.embed(tokens), state)
        return self.head(hidden), state

    @torch.no_grad()
    def generate(self, tokens, length: int):
        for _ in range(length):
            logits, _ = self(tokens)
            tokens = torch.cat((tokens, torch.multinomial(logits[:, -1].softmax(-1), 1)), 1)
        return tokens

    @torch.no_grad()
    def greedy(self, token, length: int):
        state, picked = None, []
        for _ in range(length):
            logits, state = self.forward(token, state)
            token = logits.argmax(-1)
            picked.append(token.item())
        return picked


@torch.no_grad()
def generate_text(model, token, length: int):
    words = []
    for _ in range(length):
        token = model(token.cuda())[0].argmax(-1)
        words.append(token)
    return words


# case: nothing but numbers leaves the function
class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(8, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.last(torch.relu(self.first(x)))


class Player:
    def __init__(self, device):
        self.critic = Critic().cuda()
        self.kept, self.device = [], device

    @torch.no_grad()
    def act(self, state):
        q = self.critic(torch.as_tensor(state, device=self.device))
        return q.argmax(-1).item()

    @torch.no_grad()
    def rate(self, states):
        rated = []
        for state in states:
            best, _ = self.critic(state.to(self.device)).max(-1)
            rated.append((float(best.sum()), bool((best > 0).all())))
        return rated, [float(each) for each in best]


# case: a model from out of sight, of which nothing but arrays is kept
class Calculator:
    def __init__(self, model, device):
        self.model, self.device = model, device

    @torch.no_grad()
    def calculate(self, atoms):
        result = self.model(torch.as_tensor(atoms, device=self.device))
        forces = result["slopes"].detach().cpu().numpy() * 3
        self.results = {"energy": result["out"].detach().cpu().numpy(), "forces": forces}


# case: a module that predicts arrays, and a model from out of sight of which the output is detached
class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.entries, self.mix = nn.Embedding(100, 64), nn.Linear(64, 64)

    def forward(self, data):
        return self.mix(self.entries(data["rows"].cuda()))

    @torch.no_grad()
    def predict(self, data):
        score = -self.forward(data)
        return score.cpu().data.numpy()


@torch.no_grad()
def rate_sentence(model, tokens, marks):
    logits, _ = model.forward(tokens.cuda(), marks)
    rated = F.cross_entropy(logits, tokens, reduction="none")
    rated = rated[0].cpu().detach().numpy()
    return rated


@torch.no_grad()
def describe_images(model, images: torch.Tensor):
    found = model.encode_image(images.cuda())
    return F.normalize(found, dim=-1).detach().cpu()


# case: another method of the module switches gradients off itself, so this one is not left to its caller
class Estimator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))

    def forward(self, x):
        return self.net(x.cuda())

    @torch.no_grad()
    def draw(self, x):
        return self.forward(x)

    @torch.no_grad()
    def likelihood(self, x, turns: int):
        each = torch.zeros(len(x), turns)
        for turn in range(turns):
            each[:, turn] = self.forward(x).sum(-1)
        return torch.logsumexp(each, -1).sum().item()


# case: what is made without gradients runs where they are on again
class Painter:
    def __init__(self, model: nn.Module, sampler):
        self.model, self.sampler = model.cuda(), sampler

    @torch.no_grad()
    def maker(self, prompt, steps):
        @torch.no_grad()
        def paint(noise):
            hint = self.model(prompt)
            return self.sampler.sample(noise, hint, steps)

        return paint

    def run(self, prompt):
        return self.maker(prompt, 50)(torch.randn(1, 4, 64, 64, device="cuda"))


# case: a search runs the model for each token
class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Embedding(100, 64), nn.Linear(64, 100))

    def forward(self, tokens):
        return self.layers(tokens)

    def generate(self, tokens: torch.Tensor, search):
        @torch.no_grad()
        def step(last, state):
            logits = self(state["tokens"])[:, -1]
            return logits.log_softmax(-1), state

        return search.run(tokens.cuda(), {"tokens": tokens}, step)


# case: the model is handed to a method that runs it
class Judge:
    def __init__(self, model: nn.Module):
        self.model = model.cuda()

    @torch.no_grad()
    def judge(self, batches):
        self.model.eval()
        found = []
        while not batches.is_empty():
            found.append(self._scores(self.model, batches.pop()))
        return found

    def _scores(self, model, batch):
        return model(torch.from_numpy(batch).cuda()).softmax(-1)
