import torch
from torch import nn


# doc: Constants of a layer, made at every call
class Normalized(nn.Module):
    def __init__(self, floor):
        super().__init__()
        self.floor = float(floor)
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x):
        mean = torch.tensor([0.485, 0.456, 0.406], device=x.device)  # expect: TPL202 @ torch.tensor([0.485, 0.456, 0.406], device=x.device)
        floor = torch.tensor(self.floor, device=x.device)  # expect: TPL202 @ torch.tensor(self.floor, device=x.device)
        one = torch.tensor(1.0).to(x.device)  # expect: TPL202 @ torch.tensor(1.0).to(x.device)
        return torch.maximum((x - mean) * self.scale, floor) / (one + x.abs())


# case: numbers of all kinds, in all forms
def exact(model, loader, optimizer):
    for x, y in loader:
        x = x.cuda()
        a = torch.tensor(0, device="cuda")  # expect: TPL202 @ torch.tensor(0, device="cuda")
        b = torch.tensor(True, device=x.device)  # expect: TPL202 @ torch.tensor(True, device=x.device)
        c = torch.tensor(-1e-6, dtype=torch.float16, device=x.device)  # expect: TPL202 @ torch.tensor(-1e-6, dtype=torch.float16, device=x.device)
        d = torch.tensor([0.0], device="cuda", requires_grad=True)  # expect: TPL202 @ torch.tensor([0.0], device="cuda", requires_grad=True)
        e = torch.tensor([7, 7, 7], device="cuda")  # expect: TPL202 @ torch.tensor([7, 7, 7], device="cuda")
        f = torch.as_tensor(2.5).cuda()  # expect: TPL202 @ torch.as_tensor(2.5).cuda()
        g = torch.tensor(2.5).to(x)  # expect: TPL202 @ torch.tensor(2.5).to(x)
        h = torch.tensor(2.5).to("cuda", torch.float64)  # expect: TPL202 @ torch.tensor(2.5).to("cuda", torch.float64)
        loss = model(x, a, b, c, d, e, f, g, h)
        loss.backward()
        optimizer.step()


# case: constants at the edges of what a dtype holds
# run: Edges()(anything("..."))
class Edges(nn.Module):
    def forward(self, x: torch.Tensor):
        a = torch.tensor(-0.0, device=x.device)  # expect: TPL202 @ torch.tensor(-0.0, device=x.device)
        b = torch.tensor(float("-inf"), dtype=torch.float16, device=x.device)  # expect: TPL202 @ torch.tensor(float("-inf"), dtype=torch.float16, device=x.device)
        c = torch.tensor(70000, dtype=torch.float16, device=x.device)  # expect: TPL202 @ torch.tensor(70000, dtype=torch.float16, device=x.device)
        d = torch.tensor(2.7, dtype=torch.int32, device=x.device)  # expect: TPL202 @ torch.tensor(2.7, dtype=torch.int32, device=x.device)
        e = torch.tensor(9223372036854775807, device=x.device)  # expect: TPL202 @ torch.tensor(9223372036854775807, device=x.device)
        f = torch.tensor(True, dtype=torch.bfloat16).to(x.device)  # expect: TPL202 @ torch.tensor(True, dtype=torch.bfloat16).to(x.device)
        g = torch.tensor(1e40, device=x.device)  # expect: TPL202 @ torch.tensor(1e40, device=x.device)
        h = torch.tensor(-1e-50, dtype=torch.float64).to(x.device)  # expect: TPL202 @ torch.tensor(-1e-50, dtype=torch.float64).to(x.device)
        return x * a, b, c, d, e, f, g, h


# case: a constant in the dtype of what is given
# run: Alike()(anything("..."))
class Alike(nn.Module):
    def forward(self, x: torch.Tensor):
        few = torch.tensor(200, dtype=x.dtype, device=x.device)  # expect: TPL202 @ torch.tensor(200, dtype=x.dtype, device=x.device)
        low = torch.tensor(-1.5).to(x)  # expect: TPL202 @ torch.tensor(-1.5).to(x)
        return few, low, x.float().new_tensor(0.1)  # expect: TPL202 @ x.float().new_tensor(0.1)


# case: like another tensor
# run: Padded(3)(anything("..."))
class Padded(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.width = width

    def forward(self, x: torch.Tensor):
        half = x.float()
        return half.new_tensor(0.5) + x.new_tensor(3)  # expect: TPL202 @ half.new_tensor(0.5) && TPL202 @ x.new_tensor(3)


# case: a number that is another at each step
def diffuse(model, optimizer, batch: int, steps: int):
    x = torch.zeros(batch, 3, device="cuda")
    for step in range(steps):
        t = torch.tensor(step, device="cuda")  # expect: TPL202 @ torch.tensor(step, device="cuda")
        ts = torch.tensor([step] * batch, device="cuda")  # expect: TPL202 @ torch.tensor([step] * batch, device="cuda")
        model(x, t, ts).sum().backward()
        optimizer.step()


# case: a vector in a loop
weights = [0.2, 0.8]


def weighted(model, loader, criterion):
    device = torch.device("cuda")
    for x, y in loader:
        weight = torch.tensor(weights, device=device)  # expect: TPL202 @ torch.tensor(weights, device=device)
        criterion(model(x.to(device)), y.to(device), weight).backward()


# case: only the name of `tensor` was imported
from torch import tensor


def bare(model, loader):
    for x, y in loader:
        model(x.cuda(), tensor(1.0, device="cuda")).backward()  # expect: TPL202 @ tensor(1.0, device="cuda")


# case: a vector in a function that has no object to keep it
class Helped(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(2, 2)

    @staticmethod
    def centred(x):
        mean = torch.tensor([0.4, 0.5], device=x.device)  # expect: TPL202 @ torch.tensor([0.4, 0.5], device=x.device)
        return x - mean

    def forward(self, x):
        def shifted():
            shift = torch.tensor([0.1, 0.2], device=x.device)  # expect: TPL202 @ torch.tensor([0.1, 0.2], device=x.device)
            return x + shift

        return self.proj(self.centred(shifted()))


# case: data that may be None makes no buffer: without it, the model can be built all the same
class Options:
    weights: list[float] | None = None


class Weighted(nn.Module):
    def __init__(self, options: Options, width):
        super().__init__()
        self.options = options
        self.fc = nn.Linear(width, 2)

    def forward(self, x):
        weights = torch.tensor(self.options.weights, dtype=torch.float32, device=x.device)  # expect: TPL202 @ torch.tensor(self.options.weights, dtype=torch.float32, device=x.device)
        return self.fc(x) * weights


# ok: once, outside of steps
def setup(model, loader):
    mean = torch.tensor([0.5, 0.5], device="cuda")
    one = torch.tensor(1.0).cuda()
    for x, y in loader:
        model(x.cuda(), mean, one).backward()


# ok: on the host
def on_host(model, loader):
    for x, y in loader:
        half = torch.tensor(0.5)
        host = torch.tensor([1.0, 2.0], device="cpu")
        model(x * half, host, torch.tensor(3).to(torch.float32), y.new_tensor(4.0)).backward()


# ok: new data at each step, which must be copied
def data(model, loader, rows: list):
    for step, (x, y) in enumerate(loader):
        lengths = torch.tensor([len(row) for row in rows[step]], device="cuda")
        target = torch.tensor(rows[step], device="cuda")
        moved = torch.tensor(rows[step]).cuda()
        model(x.cuda(), lengths, target, moved).backward()


# ok: the count of steps of an optimizer is a tensor of the host, unless it is made for capture
class Factored(torch.optim.Optimizer):
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                step = self.state[p]["step"]
                if torch.is_tensor(step):
                    cap = torch.tensor(0.99, dtype=step.dtype, device=step.device)
                    p.data.mul_(torch.minimum(cap, 1.0 - step.pow(-0.8)))


# ok: images of the host, whichever library they are of
from torchvision.transforms.functional import pil_to_tensor


class Mixed(nn.Module):
    def forward(self, picture):
        image = picture if isinstance(picture, torch.Tensor) else pil_to_tensor(picture)
        weight = torch.tensor([0.3, 0.7], device=image.device)
        return weight[:, None, None] * image.float()


# ok: what is given back where there is nothing to work on, and in a branch that complains
class Spread(nn.Module):
    def forward(self, x, weights=None):
        if x.numel() == 0:
            return torch.tensor(0.0, device=x.device)
        if weights is None:
            print("no weights, all count the same")
            weights = torch.tensor([0.5, 0.5], device=x.device)
        return self.ratio((x * weights).sum(0))

    def ratio(self, x):
        if x.shape[0] == 1:
            return torch.tensor([0], device=x.device, dtype=x.dtype)
        return x.var() / x.mean() ** 2


# ok: every so many steps
def gated(model, loader):
    for step, (x, y) in enumerate(loader):
        if step % 100 == 0:
            print(model(torch.tensor([1.0, 0.0], device="cuda")))
        model(x.cuda()).backward()


# ok: filled in on the GPU, or no tensor at all
class Filled(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.5, 0.5]), persistent=False)

    def forward(self, x):
        return torch.full((), 0.5, device=x.device) * (x - self.mean) * 2.0 + torch.zeros((), device=x.device)


# missed: a table that a function makes of constants
def table():
    return [0.1, 0.2]


class Tabled(nn.Module):
    def forward(self, x):
        return x * torch.tensor(table()).to(x.device)


# case: each step of a sampler, which is told of the time by name
def denoise(unet, scheduler, latents: torch.Tensor, strength: float):
    for t in scheduler.timesteps:
        scale = torch.tensor([7.5], device=latents.device)  # expect: TPL202 @ torch.tensor([7.5], device=latents.device)
        latents = scheduler.step(unet(latents, t) * scale, timestep=t, sample=latents).prev_sample
    return latents


# ok: once a video, around the steps of its sampler, and what is called from there
def ends(latents: torch.Tensor):
    return torch.tensor([0, 999], device=latents.device)


def films(unet, scheduler, prompts, latents: torch.Tensor):
    found = []
    for prompt in prompts:
        shift = torch.tensor([0.1], device=latents.device)
        x = latents + shift
        for t in scheduler.timesteps[1:]:
            x = scheduler.step(unet(x, t, prompt), t, x).prev_sample
        found.append((x, ends(x)))
    return found


# case: a step that is taken for each image in a loop of its own is a part of the step
def together(unet, scheduler, images: torch.Tensor):
    for t in scheduler.timesteps:
        scale = torch.tensor([2.0], device=images.device)  # expect: TPL202 @ torch.tensor([2.0], device=images.device)
        noise = unet(images, t) * scale
        for i in range(len(images)):
            images[i] = scheduler.step(noise[i], t, images[i]).prev_sample
    return images


# case: a setting of the run
class Weighted(LightningModule):
    def __init__(self, weight: float):
        super().__init__()
        self.save_hyperparameters()

    def training_step(self, batch, index):
        weight = torch.tensor([self.hparams.weight, 1.0], device=self.device)  # expect: TPL202 @ torch.tensor([self.hparams.weight, 1.0], device=self.device)
        return (self(batch["x"]) * weight).mean()


def train(model: nn.Module, loader, optimizer, args):
    for x, y in loader:
        weights = torch.tensor(args.weights, device="cuda")  # expect: TPL202 @ torch.tensor(args.weights, device="cuda")
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda(), weight=weights)
        loss.backward()
        optimizer.step()


# ok: a setting that changes on the way
def anneal(model: nn.Module, loader, optimizer, args):
    for x in loader:
        args.scales = [scale * 0.99 for scale in args.scales]
        scales = torch.tensor(args.scales, device="cuda")
        (model(x.cuda()) * scales).mean().backward()
        optimizer.step()


# case: a part of a setting
class Cropped(nn.Module):
    def __init__(self, bounds: tuple[float, ...]):
        super().__init__()
        self.bounds = bounds

    def forward(self, points: torch.Tensor):
        low = torch.tensor(self.bounds[:3], device=points.device)  # expect: TPL202 @ torch.tensor(self.bounds[:3], device=points.device)
        return (points >= low).all(1)


# ok: a part of what is written to on the way
class Scheduled(nn.Module):
    def __init__(self, weights: list[float]):
        super().__init__()
        self.weights = weights

    def raise_first(self):
        self.weights[0] += 0.1

    def forward(self, losses: torch.Tensor):
        return losses @ torch.tensor(self.weights[:3], device=losses.device)


# ok: a constant where there is nothing to work on
class Labelled(nn.Module):
    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        known = (labels >= 0).nonzero()
        if known.size(0) > 0:
            loss = nn.functional.cross_entropy(logits, labels.clamp(min=0))
        else:
            loss = torch.tensor(0).to(logits)
        return loss


# ok: what is counted and told of is no ordinary turn
def fit(model, loader, optimizer, logger, device="cuda"):
    skipped = 0
    model.to(device)
    for x in loader:
        loss = model(x.to(device)).mean()
        if loss < 100:
            loss.backward()
            optimizer.step()
        else:
            skipped += 1
            logger.info(f"infinite loss: {skipped} so far")
            loss.data = torch.tensor(0.0).to(device)
        optimizer.zero_grad()


# ok: annotated as a number, and by its default, its use or its callers a list
class Anchors(nn.Module):
    def __init__(self, strides: int, ratios: int = (1, 2), topk: int = 9):
        super().__init__()
        self.strides, self.ratios = strides, ratios
        self.topk = topk
        self.counts = [k + 1 for k in topk]
        self.layer = nn.Linear(3, 3)

    def forward(self, x, sizes: int):
        first = torch.tensor(self.ratios, device=x.device)
        second = torch.tensor(self.topk).to(x.device)
        return first, second, torch.tensor(sizes, device=x.device), self.strides[0]


anchors = Anchors([8, 16])
anchors(torch.zeros(3).cuda(), [1, 2])


# case: where torch takes the number as it is, none is filled in; and a number that is computed has a shape
class Bounded(nn.Module):
    def forward(self, x):
        mask = x > 0
        x = torch.where(mask, x, torch.tensor(0.0, device=x.device))  # expect: TPL202 @ torch.tensor(0.0, device=x.device)
        x = x.masked_fill(mask, torch.tensor(0.5).to(x.device))  # expect: TPL202 @ torch.tensor(0.5).to(x.device)
        return x + torch.tensor(float("-inf"), device=x.device)  # expect: TPL202 @ torch.tensor(float("-inf"), device=x.device)


# case: a list that the constructor fills
class Adapted(nn.Module):
    def __init__(self, ranks):
        super().__init__()
        self.weight = nn.Linear(64, 64)
        self.columns = []
        if ranks[0]:
            self.columns.extend(range(32))
        self.columns.extend(range(40, 64))

    def forward(self, x):
        columns = torch.tensor(self.columns, device=x.device)  # expect: TPL202 @ torch.tensor(self.columns, device=x.device)
        return self.weight(x).index_select(-1, columns)


# ok: a list that grows from step to step
class Counted(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Linear(width, width)
        self.seen = []

    def forward(self, x):
        self.seen.append(len(x))
        return self.weight(x) / torch.tensor(self.seen, device=x.device).sum()


# case: a small whole number is the same in every dtype
# run: Whole()(anything("..."))
class Whole(nn.Module):
    def forward(self, x: torch.Tensor):
        one = torch.tensor(1.0).to(x)  # expect: TPL202 @ torch.tensor(1.0).to(x)
        return x * one


# ok: drawn anew at each call, whatever loop is inside of it
class Dropped(nn.Module):
    def forward(self, parts: list[torch.Tensor], rng):
        kept = rng.choice(2, size=(8,))
        return self.joined([each.cuda() for each in parts], kept)

    def joined(self, parts, kept: np.ndarray):
        found = []
        for each in parts:
            found.append(each * torch.tensor(1 - kept, device=each.device))
        return found


# case: by a constructor of old, which says the dtype
class Begin(nn.Module):
    def __init__(self, first: int):
        super().__init__()
        self.first = first

    def forward(self, x: torch.Tensor):
        start = torch.LongTensor([self.first]).to(x.device)  # expect: TPL202 @ torch.LongTensor([self.first]).to(x.device)
        return torch.cat([start, x]), torch.FloatTensor([0.5, 1]).cuda()  # expect: TPL202 @ torch.FloatTensor([0.5, 1]).cuda()


# ok: a number is a size, and what is new at each step must be copied
class Sized(nn.Module):
    def forward(self, x: torch.Tensor, names: list[int]):
        return torch.FloatTensor(5).to(x.device).zero_(), torch.LongTensor(names).to(x.device)
