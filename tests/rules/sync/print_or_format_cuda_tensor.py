import logging

import torch
import torch.nn.functional as F
from einops import rearrange
from torch import Tensor, nn

logger = logging.getLogger(__name__)


# doc: The loss of every step, in a debug message and on a progress bar
from tqdm import tqdm


def train(model, loader, optimizer):
    bar = tqdm(loader)
    for x, y in bar:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.debug(f"loss {loss.item():.4f}")  # expect: TPL106 @ logger.debug(f"loss {loss.item():.4f}")
        bar.set_postfix(loss=loss.item())  # expect: TPL106 @ bar.set_postfix(loss=loss.item())


# case: printed, as an f-string, with `%`, with `format`, and as it is
def shown(model, loader, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        print(loss)  # expect: TPL106 @ print(loss)
        print("step", step, "loss", loss.item())  # expect: TPL106 @ print("step", step, "loss", loss.item())
        print(f"{step}: {loss:.3f}")  # expect: TPL106 @ print(f"{step}: {loss:.3f}")
        print("%d: %.3f" % (step, loss))  # expect: TPL106 @ print("%d: %.3f" % (step, loss))
        print("{}: {}".format(step, loss.item()))  # expect: TPL106 @ print("{}: {}".format(step, loss.item()))
        text = f"loss {loss}"  # expect: TPL106 @ f"loss {loss}"
        line = "loss %s" % loss  # expect: TPL106 @ "loss %s" % loss
        print(text, line)


# case: a text in several pieces
class Pieces(nn.Module):
    def forward(self, x: Tensor):
        print("mean " f"{x.mean()}" " of a batch")  # expect: TPL106 @ print("mean " f"{x.mean()}" " of a batch")
        text = "mean " f"{x.mean():.3f}"  # expect: TPL106 @ "mean " f"{x.mean():.3f}"
        logger.debug("mean " f"{x.mean()}")  # expect: TPL106 @ logger.debug("mean " f"{x.mean()}")
        return x, text


# case: to the libraries that keep such numbers
import wandb
from torch.utils.tensorboard import SummaryWriter


def kept(model, loader, optimizer):
    writer = SummaryWriter()
    for step, x in enumerate(loader):
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        writer.add_scalar("loss", loss, step)  # expect: TPL106 @ writer.add_scalar("loss", loss, step)
        writer.add_scalar("loss", loss.item(), step)  # expect: TPL106 @ writer.add_scalar("loss", loss.item(), step)
        wandb.log({"loss": loss, "step": step})  # expect: TPL106 @ wandb.log({"loss": loss, "step": step})
        logger.info("loss %s", loss)  # expect: TPL106 @ logger.info("loss %s", loss)


# case: debug messages whose values become arguments
class Talking(nn.Module):
    def forward(self, x: Tensor):
        low, high = x.min(), x.max()
        logger.debug(f"{{low}} {low} 100% {high!r} {x.shape[0]:d} {low.item():6.2f}")  # expect: TPL106 @ logger.debug(f"{{low}} {low} 100% {high!r} {x.shape[0]:d} {low.item():6.2f}")
        logging.debug(f"high {high:.3e}")  # expect: TPL106 @ logging.debug(f"high {high:.3e}")
        logger.debug(f"high {high:>10}")  # expect: TPL106 @ logger.debug(f"high {high:>10}")
        return x


# ok: the name of an attribute is text, whatever else is given
class Rotary(nn.Module):
    def forward(self, x, positions, kind):
        frequencies = getattr(self, f"{kind}_frequencies")
        if hasattr(self, f"{kind}_scale"):
            frequencies = frequencies * 2
        return x * (positions[..., None].float() * frequencies).cos()


# ok: every so many steps, on one rank, and for who asks for it
def seldom(model, loader, optimizer, rank, verbose, watched):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            print(f"loss {loss.item()}")
        if rank == 0 and verbose:
            logger.info(f"loss {loss}")
        if logger.isEnabledFor(logging.DEBUG):
            logger.debug(f"loss {loss}")
        if step in watched:
            print(loss)


# ok: shapes, dtypes, devices, and numbers of Python
class Shapes(nn.Module):
    def forward(self, x: Tensor, name: str, n: int):
        print(x.shape, x.dtype, x.device, x.size(0), name, n)
        logger.debug(f"{name}: {tuple(x.shape)} {x.numel()} {x.ndim} {x.requires_grad}")
        print("%s %d" % (name, n), "{}".format(x.stride()))
        return x * (n % 3)


# ok: debug messages that are formatted only if they are shown
class Lazy(nn.Module):
    def forward(self, x: Tensor):
        logger.debug("mean %s", x.mean())
        return x


# ok: a condition that has waited already
class Watched(nn.Module):
    def forward(self, x: Tensor):
        dead = x.sum(dim=0) == 0
        if dead.any():
            print(f"{dead.sum()} dead channels")
            x = x + dead
        if x.mean().item() > 10:
            logger.warning(f"mean {x.mean()}")
            x = x / 10
        return x


# ok: a text that is made in one case alone
class Checked(nn.Module):
    def forward(self, x: Tensor, check, good: bool, quiet: bool):
        check(good, "fine" if good else f"not fine: {x}")
        quiet or print(x)
        return x


# ok: a text that is made only if somebody asks for it
class Late(nn.Module):
    def forward(self, x: Tensor, check):
        check(x.ndim == 3, lambda: f"not three dimensions: {x}")
        check(x.ndim == 3, lambda: "not three dimensions: {}".format(x.max().item()))
        return x


# ok: the text of an error
class Strict(nn.Module):
    def forward(self, x: Tensor, allowed: list[int]):
        if x.shape[0] not in allowed:
            raise ValueError(f"{x} has {x.shape[0]} rows")
        assert x.ndim == 3, f"{x} has not three dimensions"
        return x


# ok: tensors of the host
def collate(rows):
    lengths = torch.tensor([len(row) for row in rows])
    print(lengths, f"{lengths.max()}")
    return lengths


def batches(model, loader):
    for x, y in loader:
        print(y.float().mean().item())
        print(f"{x.mean()}")
        model(x.cuda(), y.cuda())


# ok: once an epoch
def epochs(model, loader, optimizer, count):
    for epoch in range(count):
        total = torch.zeros((), device="cuda")
        for x, y in loader:
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()
            optimizer.step()
            total += loss.detach()
        print(f"epoch {epoch}: {total.item()}")
        logger.info("total %s", total)


# ok: Lightning keeps a tensor as it is, and what only looks like a logger
class Module(nn.Module):
    def training_step(self, batch, batch_idx):
        loss = self.model(batch).mean()
        self.log("loss", loss)
        self.camera.info(loss)
        self.meter.update(loss)
        return loss


# ok: a remainder is no text
class Remainder(nn.Module):
    def forward(self, x: Tensor):
        return x % 3 + (x % x.mean())


# missed: a helper out of sight that prints what it is given
from elsewhere import show


class Helped(nn.Module):
    def forward(self, x: Tensor):
        show("mean", x.mean())
        return x


# ok: a function says whether it is time, or this is the last step
def divisible_by(step, period):
    return step % period == 0


def logged(model, loader, optimizer, print_period, steps):
    model.cuda()
    for step, x in enumerate(loader):
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        last_step = step + 1 == steps
        if divisible_by(step, print_period):
            print(f"loss {loss.item()}")
        if last_step or step % 100 == 0:
            print(f"loss {loss.item()}")


# case: all steps but the last
def until_the_last(model, loader, optimizer):
    model.cuda()
    seen = 0
    for x, is_last in loader:
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        if not is_last:
            seen += len(x)
            print(loss.item())  # expect: TPL106 @ print(loss.item())


# ok: a few numbers are copied to the host to be logged, which makes no steps of them
def report(model: nn.Module, x, logger):
    out = model(x.cuda())
    for name, value in {"mean": out.mean(), "most": out.max()}.items():
        logger.info("%s %f", name, value.cpu().item())


# ok: what makes a pattern of axes is text, whatever `forward` is given beside it
class Divided(nn.Module):
    def forward(self, x, given, wanted, **sizes):
        return rearrange(x.cuda(), f"{given} -> {wanted}", **sizes)
