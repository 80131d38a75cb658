# doc: Constants of a layer, made at every call
class Normalized(nn.Module):
    def __init__(self, floor):
        super().__init__()
        self.floor = float(floor)
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]), persistent=False)

    def forward(self, x):
        mean = self.mean
        floor = torch.full((), self.floor, device=x.device)
        one = torch.full((), 1.0, device=x.device)
        return torch.maximum((x - mean) * self.scale, floor) / (one + x.abs())


# case: numbers of all kinds, in all forms
def exact(model, loader, optimizer):
    for x, y in loader:
        x = x.cuda()
        a = torch.full((), 0, device="cuda")
        b = torch.full((), True, dtype=torch.bool, device=x.device)
        c = torch.full((), -1e-6, dtype=torch.float16, device=x.device)
        d = torch.full((1,), 0.0, device="cuda", requires_grad=True)
        e = torch.full((3,), 7, device="cuda")
        f = torch.full((), 2.5, device="cuda")
        g = torch.full((), 2.5, device=x.device).to(x.dtype)
        h = torch.full((), 2.5, device="cuda").to(torch.float64)
        loss = model(x, a, b, c, d, e, f, g, h)
        loss.backward()
        optimizer.step()


# case: constants at the edges of what a dtype holds
# run: Edges()(anything("..."))
class Edges(nn.Module):
    def forward(self, x: torch.Tensor):
        a = torch.full((), -0.0, device=x.device)
        b = torch.full((), float("-inf"), dtype=torch.float16, device=x.device)
        c = torch.full((), 70000, dtype=torch.float16, device=x.device)
        d = torch.full((), 2.7, dtype=torch.int32, device=x.device)
        e = torch.full((), 9223372036854775807, device=x.device)
        f = torch.full((), True, dtype=torch.bfloat16, device=x.device)
        g = torch.full((), 1e40, device=x.device)
        h = torch.full((), -1e-50, dtype=torch.float64, device=x.device)
        return x * a, b, c, d, e, f, g, h


# case: a constant in the dtype of what is given
# run: Alike()(anything("..."))
class Alike(nn.Module):
    def forward(self, x: torch.Tensor):
        few = torch.full((), 200, dtype=x.dtype, device=x.device)
        low = torch.full((), -1.5, device=x.device).to(x.dtype)
        return few, low, x.float().new_full((), 0.1)


# case: like another tensor
# run: Padded(3)(anything("..."))
class Padded(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.width = width

    def forward(self, x: torch.Tensor):
        half = x.float()
        return half.new_full((), 0.5) + x.new_full((), 3)


# case: only the name of `tensor` was imported
from torch import tensor


def bare(model, loader):
    for x, y in loader:
        model(x.cuda(), torch.full((), 1.0, device="cuda")).backward()


# case: each step of a sampler, which is told of the time by name
def denoise(unet, scheduler, latents: torch.Tensor, strength: float):
    for t in scheduler.timesteps:
        scale = torch.full((1,), 7.5, device=latents.device)
        latents = scheduler.step(unet(latents, t) * scale, timestep=t, sample=latents).prev_sample
    return latents


# case: a step that is taken for each image in a loop of its own is a part of the step
def together(unet, scheduler, images: torch.Tensor):
    for t in scheduler.timesteps:
        scale = torch.full((1,), 2.0, device=images.device)
        noise = unet(images, t) * scale
        for i in range(len(images)):
            images[i] = scheduler.step(noise[i], t, images[i]).prev_sample
    return images


# case: a part of a setting
class Cropped(nn.Module):
    def __init__(self, bounds: tuple[float, ...]):
        super().__init__()
        self.bounds = bounds
        self.register_buffer("low", torch.tensor(self.bounds[:3]), persistent=False)

    def forward(self, points: torch.Tensor):
        low = self.low
        return (points >= low).all(1)


# case: where torch takes the number as it is, none is filled in; and a number that is computed has a shape
class Bounded(nn.Module):
    def forward(self, x):
        mask = x > 0
        x = torch.where(mask, x, 0.0)
        x = x.masked_fill(mask, 0.5)
        return x + torch.full((), float("-inf"), device=x.device)


# case: a small whole number is the same in every dtype
# run: Whole()(anything("..."))
class Whole(nn.Module):
    def forward(self, x: torch.Tensor):
        one = torch.full((), 1.0, dtype=x.dtype, device=x.device)
        return x * one
