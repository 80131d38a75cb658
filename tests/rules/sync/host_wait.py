import torch
from torch import nn


# doc: An audit of a loss
class MaskedLoss(nn.Module):
    def forward(self, pred, target):
        mask = target != -1
        kept = pred[mask]  # expect: TPL100 @ pred[mask]
        if kept.numel() == 0:
            return pred.sum() * 0
        classes = torch.unique(target)  # expect: TPL100 @ torch.unique(target)
        weight = torch.tensor([0.5, 2.0], device=pred.device)  # expect: TPL100 @ torch.tensor([0.5, 2.0], device=pred.device)
        return (kept.mean() * weight).sum() / len(classes)


# case: three look-alikes, of which two wait
def look_alikes(x: torch.Tensor):
    mask, index = x > 0, x.argsort(dim=0)
    x[mask] = 0
    x[index] = 0  # expect: TPL100 @ x[index]
    x[mask] = x[mask] * 2  # expect: TPL100 @ x[mask] && TPL100 @ x[mask]
    x[index] = x * 2
    return x


# case: however cold, however gated
def report(step):
    model = nn.Linear(3, 3)
    model.cuda()  # expect: TPL100 @ model.cuda()
    loss = model(torch.ones(2, 3, device="cuda"))
    if step % 100 == 0:
        print(loss)  # expect: TPL100 @ print(loss)


# case: of a call over several lines, the line of the method is underlined
def gather(outputs):
    return (
        torch.stack(
            [each.cuda() for each in outputs],  # expect: TPL100 @ each.cuda()
        )
        .sum()
        .item()  # expect: TPL100 @ item
    )


# ok: the host has it all
def on_cpu(n):
    x = torch.arange(n)
    if x.sum() > 3:
        return x.tolist()
    return x[x > 2].numpy()


# ok: questions about a tensor are not questions to the GPU
def metadata(x: torch.Tensor, y=None):
    if x.dim() == 3 and x.is_cuda and y is None:
        return x.shape[0], x.size(1), len(x), x.numel(), x.dtype
    return [row for row in x], x.unbind(0)


# ok: it does not wait, whatever it looks like
def asynchronous(x: torch.Tensor, mask: torch.BoolTensor, index: torch.LongTensor):
    x = x.masked_fill(mask, 0.0)
    x.index_fill_(0, index, 0.0)
    x[2:4] = 0
    values, order = x.topk(3)
    return torch.where(mask, x, 0.0), values.sort().values, torch.multinomial(x.softmax(-1), 1), x.repeat_interleave(2)


# missed: what waits is inside a function that the file does not show
def hidden(x: torch.Tensor):
    from somewhere import checked

    return checked(x)
