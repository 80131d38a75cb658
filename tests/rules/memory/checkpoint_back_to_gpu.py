import torch
from torch import nn


# doc: A training that is resumed
def save(model: nn.Module, optimizer: torch.optim.Optimizer, path: str):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)


def resume(model: nn.Module, optimizer: torch.optim.Optimizer, path: str):
    model.cuda()
    state = torch.load(path)  # expect: TPL507 @ torch.load(path)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])


# ok: no name holds what is loaded, so it is freed at once
def save_weights(model: nn.Module, path: str):
    torch.save(model.state_dict(), path)


def test_best(model: nn.Module, path: str):
    model.to("cuda").load_state_dict(torch.load(path))
    model.load_state_dict(torch.load(path, weights_only=True)["model"], strict=False)


# case: a part of it has a name
def save_last(model: nn.Module, path: str):
    torch.save({"model": model.state_dict()}, path)


def test_last(model: nn.Module, path: str):
    weights = torch.load(path, weights_only=True)["model"]  # expect: TPL507 @ torch.load(path, weights_only=True)
    model.cuda().load_state_dict(weights, strict=False)


# ok: it says where to, or reads no more than it needs; what is loaded is no state
def save_all(model: nn.Module, path: str):
    torch.save(model.state_dict(), path)


def load_all(model: nn.Module, path: str, options: dict):
    model.cuda()
    model.load_state_dict(torch.load(path, map_location="cpu"))
    model.load_state_dict(torch.load(path, "cpu"))
    model.load_state_dict(torch.load(path, mmap=True))
    model.load_state_dict(torch.load(path, **options))
    images = torch.load("images.pt")
    return model(images)


# case: the count of steps is moved to the host, and the weights are not
class Keeper:
    def __init__(self, model: nn.Module):
        self.model = model.cuda()
        self.steps = torch.zeros(1, device="cuda")

    def save(self, path: str):
        torch.save({"model": self.model.state_dict(), "steps": self.steps.cpu()}, path)

    def load(self, path: str):
        state = torch.load(path)  # expect: TPL507 @ torch.load(path)
        self.model.load_state_dict(state["model"])


# ok: it is saved from the host
def save_from_host(model: nn.Module, path: str):
    torch.save({name: each.cpu() for name, each in model.state_dict().items()}, path)


def load_to_host(model: nn.Module, path: str):
    model.cuda().load_state_dict(torch.load(path))


# ok: nothing here saves one: who knows where it comes from
def pretrained(model: nn.Module, path: str):
    model.load_state_dict(torch.load(path))
    return model.cuda()


# ok: no GPU in sight, and no other file that saves one
def resume_only(model: nn.Module, optimizer: torch.optim.Optimizer, path: str):
    state = torch.load(path)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])


def keep(model: nn.Module, path: str):
    torch.save(model.state_dict(), path)
    model.load_state_dict(torch.load(path))


# ok: from one name to the next, without end
def unwrap(model: nn.Module, path: str):
    torch.save(model.cuda().state_dict(), path)
    state = torch.load(path)
    while "model" in state:
        state = state["model"]
    return state
