import torch
import torch.nn.functional as F
from torch import nn


# doc: A validation that only calls `eval()`
def validate(model, loader, criterion):
    model.eval()  # dropout and batch norm, nothing else
    total, correct = 0.0, 0
    for images, labels in loader:
        images, labels = images.cuda(), labels.cuda()
        logits = model(images)  # expect: TPL401 @ model(images)
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
        for x, y in make_loader():
            with torch.autocast("cuda"):
                errors += F.mse_loss(model(x.cuda()), y.cuda()).item()  # expect: TPL401 @ model(x.cuda())
            # of one batch, and the next
        print(errors)


# case: a method, known by its name and its loop, and a model of its own
from tqdm import tqdm


class Runner:
    def __init__(self, model: nn.Module, loader, device: torch.device):
        self.model = model.to(device)
        self.loader = loader
        self.device = device

    def evaluate(self):
        hits = 0
        for x, y in tqdm(self.loader):
            output = self.model(x.to(self.device))  # expect: TPL401 @ self.model(x.to(self.device))
            hits += (output.argmax(1) == y.to(self.device)).sum().item()
        return hits

    def predict(self):
        model = self.model.eval()
        outputs = []
        for x, _ in self.loader:
            outputs.append(model(x.to(self.device)).argmax(1))  # expect: TPL401 @ model(x.to(self.device))
        return torch.cat(outputs)


# case: a forward pass for its numbers alone, in a training step
class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, state):
        return self.layers(state)


def learn(loader):
    critic, target, teacher = Critic().cuda(), Critic().cuda(), Critic().cuda()
    optimizer = torch.optim.Adam(critic.parameters(), fused=True)
    for state, following, reward in loader:
        state, following, reward = state.cuda(), following.cuda(), reward.cuda()
        value = target(following)  # expect: TPL401 @ target(following)
        goal = reward + (0.99 * value).detach()
        taught = teacher(state).squeeze(-1).detach()  # expect: TPL401 @ teacher(state)
        best = target(following).max(1)[0].detach()  # expect: TPL401 @ target(following)
        other = target(state)  # expect: TPL401 @ target(state)
        device = other.device
        best = best + (torch.ones(1, device=device) * other).detach()
        output = critic(state)
        loss = F.mse_loss(output, goal) + F.mse_loss(output.squeeze(-1), taught + best)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: the lesser of two outputs, by several names, one of which is bound anew
class Twin(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, state):
        return self.layers(state).chunk(2, -1)


def learn_twins(loader):
    critic, target = Twin().cuda(), Twin().cuda()
    optimizer = torch.optim.Adam(critic.parameters(), fused=True)
    for state, following, reward in loader:
        state, following, reward = state.cuda(), following.cuda(), reward.cuda()
        first, second = target(following)  # expect: TPL401 @ target(following)
        least = torch.min(first, second)
        least = reward + (0.99 * least).detach()
        loss = F.mse_loss(critic(state)[1], least)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: one of two arms makes it, and a number is read of it beside
class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, state):
        return self.layers(state)


def learn_mixed(loader):
    critic, mixer = Mixer().cuda(), Mixer().cuda()
    optimizer = torch.optim.Adam(critic.parameters(), fused=True)
    for state, following, reward in loader:
        state, following, reward = state.cuda(), following.cuda(), reward.cuda()
        if following.ndim > 2:
            mixed = mixer(following.flatten(1))  # expect: TPL401 @ mixer(following.flatten(1))
        else:
            mixed = mixer(following)  # expect: TPL401 @ mixer(following)
        goal = reward + 0.9 * mixed
        error = critic(state) - goal.detach()
        print(goal.mean().item())
        optimizer.zero_grad()
        (error * error).sum().backward()
        optimizer.step()


# ok: a branch binds it anew and leaves the first to the loss, a loop reads it at its next turn, and one goes into a list
class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, state):
        return self.layers(state)


def learn_more(loader, is_new):
    critic, target = Judge().cuda(), Judge().cuda()
    optimizer = torch.optim.Adam(critic.parameters(), fused=True)
    before, kept = torch.zeros(1, device="cuda"), []
    for state, following, reward in loader:
        state, following, reward = state.cuda(), following.cuda(), reward.cuda()
        value = critic(state)
        held = value.detach()
        if is_new:
            value = torch.zeros_like(held)
        loss = (value - reward).sum() + before.sum()
        before = target(following)
        held = held + before.detach()
        listed = target(state)
        kept.append(listed)
        held = held + listed.detach()
        loss.backward()
        optimizer.step()


# ok: the output is read with its graph as well, gradients are off, a loss, a layer without a graph, an output of the step
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 8))

    def forward(self, x):
        return self.layers(x)


def adversarial(loader, criterion: nn.CrossEntropyLoss):
    generator, judge, sharpen = Net().cuda(), Net().cuda(), nn.Softmax(dim=-1)
    optimizer = torch.optim.Adam(generator.parameters(), fused=True)
    for step, (x, y) in enumerate(loader):
        x, y = x.cuda(), y.cuda()
        fake = generator(x)
        real = judge(fake.detach())
        with torch.no_grad():
            taught = judge(x).detach()
        soft = sharpen(x).detach()
        loss = criterion(judge(fake), y) + real.sum() + (taught * soft).sum()
        total = loss.detach()
        worst = criterion(fake, y).detach()
        if step % 100 == 0:
            shown = generator(x).detach()
        loss.backward()
        optimizer.step()


# case: an output that is shown once, and nothing trains in sight
def show(x):
    net = Net().cuda()
    return net(x.cuda()).detach()  # expect: TPL401 @ net(x.cuda())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 8))

    def forward(self, x):
        return self.layers(x)


# ok: what is evaluated is explained as well, by a method from out of sight that takes gradients
from elsewhere import Explainer


def explain(loader):
    model = nn.Linear(3, 3).cuda()
    model.eval()
    explainer = Explainer(model)
    method_expl = {"cam": explainer.attention_gradcam, "all": explainer.all_layers}
    for x, _ in loader:
        print(model(x.cuda()).argmax(1).item(), method_expl["cam"](x))
    for x, _ in loader:
        print(model(x.cuda()).argmax(1).item(), explainer.grad_cam(x))


# ok: gradients are off around the loop, in it, for the function, or for all of its callers
@torch.no_grad()
def decorated(model, loader):
    model.eval()
    return [model(x.cuda()) for x in loader], sum(evaluate(model, x) for x in loader)


@torch.inference_mode
def undecorated(model: nn.Module, loader):
    model.eval()
    for x in loader:
        model(x.cuda())


def test(model, loader):
    model.eval()
    with torch.no_grad():
        for x in loader:
            model(x.cuda())
    for x in loader:
        with torch.autocast("cuda"), torch.inference_mode():
            model(x.cuda())
    helper(model, loader)


def helper(model, loader):
    model.eval()
    for x in loader:
        model(x.cuda())


def main(model, loader):
    with torch.no_grad():
        helper(model, loader)


# ok: gradients of the input: adversarial examples, saliency, forces
def evaluate_attack(model, loader, epsilon):
    model.eval()
    for x, y in loader:
        x = x.cuda().requires_grad_(True)
        F.cross_entropy(model(x), y.cuda()).backward()
        model(x + epsilon * x.grad.sign())


def validate(potential, loader):
    potential.eval()
    for positions in loader:
        positions = positions.cuda()
        positions.requires_grad = True
        energy = potential(positions).sum()
        (slope,) = torch.autograd.grad(energy, positions)
        print(-slope.norm())


# ok: a generator that trains against a network in evaluation mode, and a loop that adapts
def train(generator: nn.Module, judge: nn.Module, loader, optimizer):
    judge.eval()
    for z in loader:
        loss = judge(generator(z.cuda())).mean()
        loss.backward()
        optimizer.step()


# ok: the model trains again before it is run, or is only sometimes evaluated
def warm_up(model: nn.Module, loader, args, meter):
    model.eval()
    model.train()
    for x in loader:
        meter(model(x.cuda()))
    if args.debug:
        model.eval()
    for x in loader:
        meter(model(x.cuda()))


# ok: a framework switches gradients off for its hooks, and methods of modules do as their caller says
import lightning.pytorch as pl
from transformers import Trainer


class Classifier(pl.LightningModule):
    def validation_step(self, batch, index):
        self.net.eval()
        for x in batch:
            self.net(x)


class OwnTrainer(Trainer):
    def evaluate(self, dataset=None):
        self.model.eval()
        for batch in self.get_eval_dataloader(dataset):
            self.model(**batch)


class Ensemble(nn.Module):
    def __init__(self, nets):
        super().__init__()
        self.nets = nn.ModuleList(nets)

    def predict(self, x):
        for net in self.nets:
            net.eval()
            x = net(x)
        return x


# ok: a frozen model makes no graph
def embed(loader):
    model = nn.Linear(3, 3).cuda().eval()
    for parameter in model.parameters():
        parameter.requires_grad = False
    for x in loader:
        model(x.cuda())


# ok: gradients are off for the whole file
torch.set_grad_enabled(False)


def evaluate(model, loader):
    model.eval()
    for x in loader:
        model(x.cuda())


# ok: an output becomes an array as it is: that would raise if gradients were on, so they are off
def predict(model, loader):
    model.eval()
    return_values = []
    for x in loader:
        output = model(x.cuda())
        return_values.append(output.cpu().numpy())
    return return_values


# ok: a context or a decorator of which nothing is known
def infer(model, loader, context):
    model.eval()
    with context:
        for x in loader:
            model(x.cuda())


class Server:
    @quiet
    def evaluate(self, model, loader):
        model.eval()
        for x in loader:
            model(x.cuda())


def quiet(function):
    return torch.no_grad()(function)


# ok: a generator, which no decorator and no `with` should hold
def predict(model, loader):
    model.eval()
    for x in loader:
        yield model(x.cuda())


# ok: a forward that switches gradients off itself, and other things that have `eval`
import pandas as pd


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    @torch.no_grad()
    def forward(self, x):
        return self.layer(x)


def embed(loader, frame: pd.DataFrame):
    encoder = Encoder().cuda()
    encoder.eval()
    for x in loader:
        encoder(x.cuda())
        frame.eval("a + b")


# ok: a test of the model itself
def test_shapes(loader):
    model = nn.Linear(3, 3).cuda()
    model.eval()
    for x in loader:
        assert model(x.cuda()).shape == x.shape


# ok: a test that leaves the comparison to a method
class ShapeTest(Shared):
    def test_shapes(self, loader):
        model = nn.Linear(3, 3).cuda()
        model.eval()
        for x in loader:
            self.assertAllClose(model(x.cuda()), x)


# ok: a program that never leaves the CPU
if __name__ == "__main__":
    model = nn.Linear(3, 3)
    model.eval()
    for x in torch.utils.data.DataLoader(list(range(3))):
        model(x)


# missed: the loop calls a function that runs the model
def run(model: nn.Module, x):
    return model(x.cuda())


def evaluate(model, loader):
    model.eval()
    for x in loader:
        run(model, x)


# case: a teacher, in the step of its student
def distill(student: nn.Module, teacher: nn.Module, loader, optimizer):
    teacher.eval()
    for x in loader:
        target = teacher(x.cuda())  # expect: TPL401 @ teacher(x.cuda())
        loss = F.mse_loss(student(x.cuda()), target)
        loss.backward()
        optimizer.step()


class Distilled(nn.Module):
    def __init__(self, teacher, student):
        super().__init__()
        self.teacher, self.student = teacher, student

    def forward(self, x: torch.Tensor):
        wanted = self.teacher(x.cuda())  # expect: TPL401 @ self.teacher(x.cuda())
        return F.mse_loss(self.student(x), wanted.softmax(-1).detach())


# ok: a teacher without gradients, or outside of a step
def distil(student: nn.Module, teacher: nn.Module, loader, optimizer):
    teacher.cuda().eval()
    for x in loader:
        with torch.no_grad():
            target = teacher(x.cuda())
        F.mse_loss(student(x.cuda()), target).backward()
        optimizer.step()


def once(teacher, x):
    return teacher(x.cuda())


# ok: a teacher that learns as well
def mutual(student: nn.Module, teacher: nn.Module, loader):
    optimizer = torch.optim.SGD([*student.parameters(), *teacher.parameters()], lr=0.1)
    for x in loader:
        F.mse_loss(student(x.cuda()), teacher(x.cuda())).backward()
        optimizer.step()


# ok: a teacher that is frozen
def frozen(student: nn.Module, teacher: nn.Module, loader, optimizer):
    teacher.requires_grad_(False)
    for x in loader:
        F.mse_loss(student(x.cuda()), teacher(x.cuda())).backward()
        optimizer.step()


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

    def evaluate(self, sentences: list[torch.Tensor], size: int):
        batches = [torch.stack(sentences[i : i + size]).cuda() for i in range(0, len(sentences), size)]
        total = 0
        for batch in batches:
            total += self.model(batch).sum()  # expect: TPL401 @ self.model(batch)
        return total


# case: by the name of the function and what it goes through, a part of the model, and a method beside `forward`
def predict_folder(net: nn.Module, frames):
    scores = []
    for frame in frames:
        scores.append(net(frame.cuda()).argmax(1))  # expect: TPL401 @ net(frame.cuda())
    return scores


def decode(autoencoder: Autoencoder, turns: int):
    autoencoder.eval()
    for _ in range(turns):
        show(autoencoder.decoder(torch.randn(8, 4, device="cuda")))  # expect: TPL401 @ autoencoder.decoder(torch.randn(8, 4, device="cuda"))


def index(model, loader: torch.utils.data.DataLoader):
    model.eval()
    for images, names in loader:
        save(names, model.encode(images.cuda()))  # expect: TPL401 @ model.encode(images.cuda())


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = nn.Linear(4, 16)

    def forward(self, z):
        return self.decoder(z)

    def generate(self, z: torch.Tensor, turns: int):
        self.eval()
        for _ in range(turns):
            z = self(z).relu()[:, :4]  # expect: TPL401 @ self(z)
        return z


# case: another function switches gradients for its own block
def epoch(model, loader: torch.utils.data.DataLoader, optimizer, training):
    for x, y in loader:
        with torch.set_grad_enabled(training):
            loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        if training:
            loss.backward()
            optimizer.step()


def test_loss(model: nn.Module, loader: torch.utils.data.DataLoader):
    model.eval()
    total = torch.zeros((), device="cuda")
    for x, y in loader:
        total += (model(x.cuda()) - y.cuda()).square().mean().detach()  # expect: TPL401 @ model(x.cuda())
    return total


# ok: the model takes gradients itself, the forces of an energy
class Potential(nn.Module):
    def __init__(self):
        super().__init__()
        self.energy = nn.Linear(3, 1)

    def forward(self, places):
        places.requires_grad_()
        return -torch.autograd.grad(self.energy(places).sum(), places)[0]


def validate(model, loader: torch.utils.data.DataLoader):
    model.eval()
    for places, forces in loader:
        report((model(places.cuda()) - forces.cuda()).abs().mean())


def report(error):
    error.backward()


# ok: a backward pass behind the loop starts from its outputs
def adapt(model: nn.Module, loader: torch.utils.data.DataLoader, optimizer):
    model.eval()
    losses = []
    for x in loader:
        losses.append(model(x.cuda()).square().mean())
    torch.stack(losses).mean().backward()
    optimizer.step()


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

    def sharpen(self, image: torch.Tensor, rounds: int):
        self.net.eval()
        for _ in range(rounds):
            image = self.net(image).clamp(0, 1)  # expect: TPL401 @ self.net(image)
        return image


# case: the model's `forward` is called by its name
class Scorer:
    def __init__(self, model: nn.Linear):
        self.model = model.cuda()

    def evaluate(self, batches):
        self.model.eval()
        total = 0.0
        for x, y in batches:
            scores = self.model.forward(x.cuda())  # expect: TPL401 @ self.model.forward(x.cuda())
            total += (scores.argmax(1) == y.cuda()).sum().item()
        return total


# ok: another object's method of that name
class Route:
    def __init__(self, sender):
        self.sender = sender

    def evaluate(self, batches):
        for x in batches:
            self.sender.forward(x)


# ok: an evaluation that works derivatives out, by way of a helper
def importance(model: nn.Linear, batches, own_jacobian):
    model = model.cuda()
    model.eval()
    scores = []
    for x in batches:
        scores.append(own_jacobian(model(x.cuda())))
    return scores


# ok: what generates switches gradients off itself, and a class that freezes what it holds makes no graph
def answer(model, loader):
    model.eval()
    return [model.generate(questions.cuda()) for questions in loader], [each for each in loader]


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3))
        for each in self.body.parameters():
            each.requires_grad = False

    def forward(self, x):
        return self.body(x)


def describe(loader):
    net, answered = Features().cuda().eval(), make_model().eval()
    for x in loader:
        print(net(x.cuda()).sum())
        print(answered.generate(x.cuda()))


# ok: a method of the model, which its `forward` calls, takes gradients
class Hamiltonian(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, places):
        return self.slope(places)

    def slope(self, places):
        return torch.autograd.grad(self.net(places).sum(), places, create_graph=True)[0]


def deviation(loader):
    model = Hamiltonian().cuda()
    model.eval()
    for places, slopes in loader:
        report((model(places.cuda()) - slopes.cuda()).abs().mean())


# ok: a `forward` that steps on what it makes with gradients
class Unrolled(nn.Module):
    def __init__(self):
        super().__init__()
        self.energy = nn.Bilinear(4, 2, 1)

    def forward(self, x):
        y = torch.zeros(x.shape[0], 2, device=x.device, requires_grad=True)
        for _ in range(5):
            y = unroll(y, self.energy(x, y).sum())
        return y


def unrolled(loader):
    model = Unrolled().cuda()
    model.eval()
    for x, y in loader:
        report((model(x.cuda()) - y.cuda()).abs().mean())


# case: a method that predicts one batch
class Predicting(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))

    def forward(self, x):
        return self.net(x)

    def predict(self, x):
        if self.training:
            self.eval()
        return self.forward(x)  # expect: TPL401 @ self.forward(x)


# case: an object that holds a model
class Agent:
    def __init__(self):
        self.net = Predicting().cuda()

    def predict_values(self, states: torch.Tensor):
        self.net.eval()
        values = self.net(states)  # expect: TPL401 @ self.net(states)
        self.net.train()
        return values


# ok: gradients are wanted, or off; a mode for an export; a model that others made, which may be frozen
class Others:
    def __init__(self):
        self.net = Predicting().cuda()

    def predict_saliency(self, x: torch.Tensor):
        self.net.eval()
        x.requires_grad_()
        return torch.autograd.grad(self.net(x).sum(), x)

    def predict_quietly(self, x: torch.Tensor):
        self.net.eval()
        with torch.no_grad():
            return self.net(x)

    @torch.inference_mode()
    def predict(self, x: torch.Tensor):
        self.net.eval()
        return self.net(x)

    def export(self, x: torch.Tensor):
        self.net.eval()
        return self.net(x)

    def evaluate_text(self, frame, text):
        frame.eval()
        return frame(text)


# case: nobody reads the output
def gather_statistics(model, data_loader):
    for images in data_loader:
        model(images.cuda())  # expect: TPL401 @ model(images.cuda())


# ok: hooks are for what is registered, layers are no batches, gradients are off
@torch.no_grad()
def gather_without(model, data_loader):
    for images in data_loader:
        model(images.cuda())


def run_each(models, images):
    for model in models:
        model(images.cuda())


# case: a wrapper that generates with what it holds in evaluation mode
class Sampler(nn.Module):
    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net.cuda()

    def generate(self, tokens: torch.Tensor, length: int):
        self.net.eval()
        for _ in range(length):
            logits = self.net(tokens)[:, -1]  # expect: TPL401 @ self.net(tokens)
            tokens = torch.cat((tokens, logits.softmax(-1).multinomial(1)), -1)
        return tokens

    def forward(self, tokens: torch.Tensor):
        self.net.eval()
        for _ in range(3):
            tokens = tokens + self.net(tokens)
        return tokens


# case: a context that is there for what it gives
def evaluate_stream(model: nn.Module, data):
    model.cuda().eval()
    total = 0
    with data.open_batches() as batches:
        for x in batches:
            total += model(x.cuda()).argmax(1).sum()  # expect: TPL401 @ model(x.cuda())
    return total


# ok: a context that may switch something
def evaluate_average(model: nn.Module, data, ema, switched):
    model.cuda().eval()
    total = 0
    with ema.average_parameters() as kept:
        for x in data:
            total += model(x.cuda()).argmax(1).sum() + len(kept)
    with switched(model):
        for x in data:
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

    def generate(self, tokens, length: int):
        for _ in range(length):
            logits, _ = self(tokens)  # expect: TPL401 @ self(tokens)
            tokens = torch.cat((tokens, torch.multinomial(logits[:, -1].softmax(-1), 1)), 1)
        return tokens

    def greedy(self, token, length: int):
        state, picked = None, []
        for _ in range(length):
            logits, state = self.forward(token, state)  # expect: TPL401 @ self.forward(token, state)
            token = logits.argmax(-1)
            picked.append(token.item())
        return picked


def generate_text(model, token, length: int):
    words = []
    for _ in range(length):
        token = model(token.cuda())[0].argmax(-1)  # expect: TPL401 @ model(token.cuda())
        words.append(token)
    return words


# ok: gradients are off; what the model gives leaves the function too; the function learns; no turn goes on from another
class Careful(Writer):
    @torch.no_grad()
    def generate(self, tokens, length: int):
        for _ in range(length):
            tokens = torch.cat((tokens, self(tokens)[0][:, -1:].argmax(-1)), 1)
        return tokens

    def sample_with_scores(self, token, length: int):
        scores = []
        for _ in range(length):
            logits, _ = self(token)
            scores.append(logits.softmax(-1))
            token = logits.argmax(-1)
        return torch.stack(scores)

    def sample_for_reward(self, token, length: int):
        log_probs = 0
        for _ in range(length):
            logits, _ = self(token)
            token = logits.argmax(-1)
            log_probs = log_probs + logits.log_softmax(-1).max(-1)[0]
        self.total = log_probs
        return token

    def sample_slots(self, tokens, length: int):
        found = []
        for number in range(length):
            found.append(self(tokens)[0][number].argmax(-1))
        return found

    def translate(self, tokens, length: int):
        with torch.inference_mode():
            for _ in range(length):
                tokens = torch.cat((tokens, self(tokens)[0][:, -1:].argmax(-1)), 1)
        return tokens


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

    def act(self, state):
        q = self.critic(torch.as_tensor(state, device=self.device))  # expect: TPL401 @ self.critic(torch.as_tensor(state, device=self.device))
        return q.argmax(-1).item()

    def rate(self, states):
        rated = []
        for state in states:
            best, _ = self.critic(state.to(self.device)).max(-1)  # expect: TPL401 @ self.critic(state.to(self.device))
            rated.append((float(best.sum()), bool((best > 0).all())))
        return rated, [float(each) for each in best]


# case: a model from out of sight, of which nothing but arrays is kept
class Calculator:
    def __init__(self, model, device):
        self.model, self.device = model, device

    def calculate(self, atoms):
        result = self.model(torch.as_tensor(atoms, device=self.device))  # expect: TPL401 @ self.model(torch.as_tensor(atoms, device=self.device))
        forces = result["slopes"].detach().cpu().numpy() * 3
        self.results = {"energy": result["out"].detach().cpu().numpy(), "forces": forces}


# ok: the same in a project that trains on derivatives: it may take the forces of an energy
class Calculator:
    def __init__(self, model, device):
        self.model, self.device = model, device

    def calculate(self, atoms):
        result = self.model(torch.as_tensor(atoms, device=self.device))
        forces = result["slopes"].detach().cpu().numpy() * 3
        self.results = {"energy": result["out"].detach().cpu().numpy(), "forces": forces}


def slopes(energy, places):
    return torch.autograd.grad(energy.sum(), places, create_graph=True)[0]


# ok: more than numbers leaves it, is kept, handed on, read by an inner function, or learned from; gradients are off; one layer;
# a module's own method; an array of what has no gradient
class Reader(Player):
    def __init__(self, device):
        super().__init__(device)
        self.layer = nn.Linear(8, 8).cuda()

    def both(self, state):
        q = self.critic(state.to(self.device))
        return q.argmax(-1).item(), q

    def keep(self, state):
        q = self.critic(state.to(self.device))
        self.kept.append(q.max())
        return q.argmax(-1).item()

    def hold(self, state):
        self.q = self.critic(state.to(self.device))
        return self.q.argmax(-1).item()

    def hand_on(self, state, memory):
        q = self.critic(state.to(self.device))
        memory.push(q)
        return q.argmax(-1).item()

    def later(self, state):
        q = self.critic(state.to(self.device))
        return float(q.max()), lambda: q

    def step(self, state, goal):
        loss = (self.critic(state.to(self.device)) - goal).square().mean()
        self.update(loss)
        return loss.item()

    @torch.no_grad()
    def careful(self, state):
        return self.critic(state.to(self.device)).argmax(-1).item()

    def one_layer(self, state):
        return self.layer(state.to(self.device)).argmax(-1).item()

    def array(self, state):
        q = self.critic(state.to(self.device))
        return q.cpu().numpy().max(), float(q.max())

    def update(self, loss):
        loss.backward()


class Judge(Critic):
    def judge(self, x):
        return self.forward(x.cuda()).argmax(-1).item()


# case: of the time before torch 0.4
from torch.autograd import Variable


def test(model, test_loader):
    model.eval()
    correct = 0
    for data, target in test_loader:
        data, target = Variable(data.cuda(), volatile=True), Variable(target.cuda())
        output = model(data)  # expect: TPL401 @ model(data)
        correct += output.max(1)[1].eq(target).sum()
    return correct


# case: the same, said once above the loop
def test(model, images, targets):
    batch = Variable(torch.zeros(8, 3, 32, 32).cuda(), volatile=True)
    total = 0
    model.eval()
    for i in range(0, images.size(0), 8):
        batch.data[:] = images[i : i + 8]
        output = model(batch)  # expect: TPL401 @ model(batch)
        total += nn.MSELoss()(output, Variable(targets[i : i + 8].cuda())).item()
    return total


# case: an actor feeds a critic, by way of a list and several names
class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 8))

    def forward(self, x):
        return self.layers(x)


def learn_pairs(loader):
    actor, critic, other = Actor().cuda(), Actor().cuda(), Actor().cuda()
    optimizer = torch.optim.Adam(critic.parameters(), fused=True)
    for state, following, reward in loader:
        state, following, reward = state.cuda(), following.cuda(), reward.cuda()
        moves = actor(following)  # expect: TPL401 @ actor(following)
        moves = torch.where(moves > 0, moves * 2.0, moves * 0.5)
        moves = moves + torch.randn_like(moves).clamp(-0.5, 0.5)
        both = torch.cat([following, moves], 1)
        least = critic(both)  # expect: TPL401 @ critic(both)
        least = torch.min(least, other(both))  # expect: TPL401 @ other(both)
        goal = reward + (0.99 * least).detach()
        loss = F.mse_loss(critic(state), goal)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: a `forward` that detaches all that it reads of a part
class Paired(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))
        self.target = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))

    def forward(self, x):
        wanted = self.target(x.cuda())  # expect: TPL401 @ self.target(x.cuda())
        return F.mse_loss(self.online(x), F.normalize(wanted, dim=-1).detach())


# ok: its `forward` reads it with its graph as well
class Symmetric(Paired):
    def forward(self, x, y):
        first, second = self.online(x.cuda()), self.online(y.cuda())
        return F.mse_loss(self.target(first), second.detach()) + F.mse_loss(self.target(second), first.detach())


# case: a module that predicts arrays, and a model from out of sight of which the output is detached
class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.entries, self.mix = nn.Embedding(100, 64), nn.Linear(64, 64)

    def forward(self, data):
        return self.mix(self.entries(data["rows"].cuda()))

    def predict(self, data):
        score = -self.forward(data)  # expect: TPL401 @ self.forward(data)
        return score.cpu().data.numpy()


def rate_sentence(model, tokens, marks):
    logits, _ = model.forward(tokens.cuda(), marks)  # expect: TPL401 @ model.forward(tokens.cuda(), marks)
    rated = F.cross_entropy(logits, tokens, reduction="none")
    rated = rated[0].cpu().detach().numpy()
    return rated


def describe_images(model, images: torch.Tensor):
    found = model.encode_image(images.cuda())  # expect: TPL401 @ model.encode_image(images.cuda())
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

    def likelihood(self, x, turns: int):
        each = torch.zeros(len(x), turns)
        for turn in range(turns):
            each[:, turn] = self.forward(x).sum(-1)  # expect: TPL401 @ self.forward(x)
        return torch.logsumexp(each, -1).sum().item()


# ok: a method that its caller decides on, one that learns, what leaves with its graph, by a name that is bound anew or at the next turn
class Left(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))

    def forward(self, x):
        return self.net(x.cuda())

    def features(self, x):
        return self.forward(x).detach()

    def update_center(self, x):
        self.center = self.forward(x).mean(0).detach()


def score(model, tokens):
    logits = model(tokens.cuda())
    print(logits.detach().cpu().numpy())
    logits = logits.softmax(-1)
    return logits


def carry(model, tokens, turns: int):
    state = tokens.cuda()
    for _ in range(turns):
        kept = state
        state = model(state)
        print(state.detach().cpu().numpy())
    return kept


# ok: names that a model has for its settings and weights, and a file that has thought of gradients
def weights_of(model, index):
    return model.get_row(index.cuda()).detach().cpu().numpy()


def text_of(tokenizer, words):
    return tokenizer.encode(words.cuda()).detach()


# case: a first pass in evaluation mode, for what it sets up
def warm_up_once(model: nn.Module, images: torch.Tensor):
    model.cuda().eval()
    model.eval()
    model(images.cuda())  # expect: TPL401 @ model(images.cuda())
    return model


# ok: the same in training mode, and what a hook reads
def first_pass(model: nn.Module, images: torch.Tensor):
    model.cuda().train()
    model(images.cuda())


# ok: handed to what switches gradients off, added to a list that the caller has, and what has no weights
class Sides(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))

    def forward(self, x):
        return self.net(x)


class PointRenderer(nn.Module):
    def __init__(self, shader):
        super().__init__()
        self.shader = shader

    def forward(self, points):
        return self.shader(points)


class Matching:
    def __init__(self):
        self.sides = Sides().cuda()

    def matches(self, x):
        with torch.no_grad():
            return self.apart(self._matches, x)

    def apart(self, function, x):
        return function(x, x.shape)

    def _matches(self, x, shape):
        near = self.sides(x.cuda()) > 0
        return near.any().item()

    def choose(self, x, kept):
        scores = self.sides(x.cuda())
        kept.append(scores.log_softmax(-1))
        return scores.argmax(-1).item()


def draw(points, shader):
    renderer = PointRenderer(shader).cuda()
    return renderer(points.cuda()).detach().cpu().numpy()


def read_out(points, run_model):
    found = run_model(points.cuda())
    return found.detach().cpu().numpy()


# ok: a module that gives what it reads from a file, or what Transformers generate without gradients, keeps no activations
class PredictionLoader(nn.Module):
    def __init__(self, path):
        super().__init__()
        self.path = path

    def forward(self, names):
        return torch.stack([torch.load(self.path / name) for name in names]).cuda()


def evaluate_stored(path, loader):
    stored = PredictionLoader(path).eval()
    correct = 0
    for names, labels in loader:
        correct += (stored(names).argmax(1) == labels.cuda()).sum().item()
    return correct


class Forecaster(nn.Module):
    def __init__(self, language):
        super().__init__()
        self.language = language

    def forward(self, tokens):
        return self.language.generate(tokens, max_new_tokens=8)[:, -8:]


def evaluate_forecasts(language, loader):
    forecaster = Forecaster(language).eval()
    missed = 0
    for tokens, wanted in loader:
        missed += (forecaster(tokens.cuda()) != wanted.cuda()).sum().item()
    return missed


# case: what is made without gradients runs where they are on again
class Painter:
    def __init__(self, model: nn.Module, sampler):
        self.model, self.sampler = model.cuda(), sampler

    @torch.no_grad()
    def maker(self, prompt, steps):
        def paint(noise):
            hint = self.model(prompt)  # expect: TPL401 @ self.model(prompt)
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
        def step(last, state):
            logits = self(state["tokens"])[:, -1]  # expect: TPL401 @ self(state["tokens"])
            return logits.log_softmax(-1), state

        return search.run(tokens.cuda(), {"tokens": tokens}, step)


# ok: it switches them off itself, it is run where it is made, or whoever has it made does
class Drawer:
    def __init__(self, model: nn.Module, sampler):
        self.model, self.sampler = model.cuda(), sampler

    @torch.no_grad()
    def own(self, prompt):
        @torch.no_grad()
        def draw(noise):
            return self.sampler.sample(noise, self.model(prompt))

        return draw

    @torch.no_grad()
    def here(self, prompt, noise):
        def draw(noise):
            return self.sampler.sample(noise, self.model(prompt))

        return draw(noise)

    @torch.no_grad()
    def made(self, prompt):
        def draw(noise):
            return self.sampler.sample(noise, self.model(prompt))

        return draw

    @torch.no_grad()
    def run(self, prompt):
        return self.made(prompt)(torch.randn(1, 4, 64, 64, device="cuda"))


# ok: gradients are wanted inside, and a method that trains
class Tuned(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Embedding(100, 64), nn.Linear(64, 100))

    def forward(self, tokens):
        return self.layers(tokens)

    @torch.no_grad()
    def slope(self, weight):
        def at(tokens):
            with torch.enable_grad():
                return torch.autograd.grad(self(tokens).sum(), weight)

        return at

    def fit(self, tokens, solver):
        def step(last):
            return self(tokens).sum()

        return solver.run(step)


# case: the model is handed to a method that runs it
class Judge:
    def __init__(self, model: nn.Module):
        self.model = model.cuda()

    def judge(self, batches):
        self.model.eval()
        found = []
        while not batches.is_empty():
            found.append(self._scores(self.model, batches.pop()))  # expect: TPL401 @ self._scores(self.model, batches.pop())
        return found

    def _scores(self, model, batch):
        return model(torch.from_numpy(batch).cuda()).softmax(-1)


# ok: that one switches gradients off, or does not run it
class Judged:
    def __init__(self, model: nn.Module):
        self.model = model.cuda()

    def judge(self, batches):
        self.model.eval()
        found = []
        while not batches.is_empty():
            found.append(self._scores(self.model, batches.pop()))
            self._tell(self.model, len(found))
        return found

    def _scores(self, model, batch):
        with torch.no_grad():
            return model(torch.from_numpy(batch).cuda()).softmax(-1)

    def _tell(self, model, count):
        print(model.training, count)
