import torch
import torch.nn.functional as F
from torch import nn


# doc: What is repeated for an operation that broadcasts, and a copy for a product
class Pairs(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        each = x.unsqueeze(1).repeat(1, y.shape[0], 1)  # expect: TPL503 @ x.unsqueeze(1).repeat(1, y.shape[0], 1)
        return each * y, x @ y.t().contiguous()  # expect: TPL503 @ y.t().contiguous()


# case: other operations
class Others(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, index: torch.Tensor, n: int):
        a = torch.gather(x, 1, index.unsqueeze(-1).repeat(1, 1, n))  # expect: TPL503 @ index.unsqueeze(-1).repeat(1, 1, n)
        b = torch.where(x > 0, x, y[:, None].repeat(1, n, 1))  # expect: TPL503 @ y[:, None].repeat(1, n, 1)
        c = y[None].repeat(n, 1, 1) + x  # expect: TPL503 @ y[None].repeat(n, 1, 1)
        d = torch.matmul(x, y.transpose(-1, -2).contiguous())  # expect: TPL503 @ y.transpose(-1, -2).contiguous()
        e = x.gather(1, index[:, :, None].repeat(1, 1, n))  # expect: TPL503 @ index[:, :, None].repeat(1, 1, n)
        return a, b, c, d, e, F.linear(x, y.mT.contiguous())  # expect: TPL503 @ y.mT.contiguous()


# case: logits without the last position, for a loss
class Language(nn.Module):
    def __init__(self, width: int, words: int):
        super().__init__()
        self.head = nn.Linear(width, words)
        self.words = words

    def forward(self, hidden: torch.Tensor, labels: torch.Tensor):
        logits = self.head(hidden)
        shift_logits = logits[..., :-1, :].contiguous()  # expect: TPL503 @ logits[..., :-1, :].contiguous()
        shift_labels = labels[..., 1:].contiguous()
        loss_fct = nn.CrossEntropyLoss()
        shift_logits = shift_logits.view(-1, self.words)
        shift_labels = shift_labels.view(-1)
        shift_labels = shift_labels.to(shift_logits.device)
        loss = loss_fct(shift_logits, shift_labels)
        cut = logits[:, :-1].contiguous()  # expect: TPL503 @ logits[:, :-1].contiguous()
        return loss, F.cross_entropy(cut.view(-1, cut.size(-1)), labels[:, 1:].reshape(-1))


# case: a part that is reduced, and compared
class Accuracy(nn.Module):
    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        guessed = logits[..., :-1, :].contiguous()  # expect: TPL503 @ logits[..., :-1, :].contiguous()
        return guessed.argmax(-1) == labels[..., 1:], logits[:, 1:, :].contiguous().sum(-1)  # expect: TPL503 @ logits[:, 1:, :].contiguous()


# ok: the shifted are read besides, other labels are ignored, one loss for each position, labels that are not shifted
class Shifted(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, keep: torch.Tensor):
        read = x[..., :-1, :].contiguous()
        a = F.cross_entropy(read.view(-1, 8), y[..., 1:].reshape(-1))
        other = x[..., :-1, :].contiguous()
        b = F.cross_entropy(other.view(-1, 8), y[..., 1:].reshape(-1), ignore_index=0)
        each = x[..., :-1, :].contiguous()
        loss = nn.CrossEntropyLoss(reduction="none")
        c = loss(each.view(-1, 8), y[..., 1:].reshape(-1)).mean()
        far = x[..., :-2, :].contiguous()
        d = F.cross_entropy(far.view(-1, 8), y[..., 2:].reshape(-1))
        masked = x[..., :-1, :].contiguous()
        targets = y[..., 1:].contiguous()
        e = F.cross_entropy(masked.view(-1, 8), targets.view(-1)) * (targets != 3).sum()
        same = x[..., :-1, :].contiguous()
        f = F.cross_entropy(same.view(-1, 8), y.reshape(-1))
        sized = x[..., :-1, :].contiguous()
        g = F.cross_entropy(sized.view(y.numel() - 1, 8), y[..., 1:].reshape(-1))
        return read.softmax(-1), a, b, c, d, e, f, g


# ok: a part whose elements lie apart, or that is read otherwise
class Parts(nn.Module):
    def forward(self, x: torch.Tensor, index: torch.Tensor):
        strided = x[:, ::2].contiguous()
        columns = x[:, :, 0].contiguous()
        picked = x[:, index].contiguous()
        kept = x[:, 1:, :].contiguous()
        return strided.sum(), columns.argmax(-1), picked.sum(-1), kept.sum(-1), kept.view(-1)


# ok: the copy is viewed, written, returned, kept
class Kept(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, n: int):
        viewed = x.unsqueeze(1).repeat(1, n, 1).view(-1, 4)
        written = x.unsqueeze(1).repeat(1, n, 1)
        written[:, 0] = 0
        both = x.unsqueeze(1).repeat(1, n, 1)
        z = both + y
        self.kept = x.unsqueeze(0).repeat(n, 1, 1)
        other = x.unsqueeze(1).repeat(1, n, 1)
        other += y
        joined = torch.cat([y, x.unsqueeze(1).repeat(1, n, 1)], dim=-1)
        return joined, viewed, written + y, both.view(-1), z, x.unsqueeze(1).repeat(1, n, 1), other


# ok: more than the new dimension is repeated, or one that has more than one element
class Tiled(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, n: int):
        a = x.unsqueeze(1).repeat(1, n, 2) + y
        b = x.repeat(n, 1) + y
        c = x[:, 0:1].repeat(1, n) * y
        d = x.unsqueeze(2).repeat(1, n, 1) * y
        return a, b, c, d, x[0].repeat(n, 1) * y


# ok: dense for something else than a product
class Dense(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        flat = x.transpose(1, 2).contiguous().view(x.shape[0], -1)
        heads = x.permute(0, 2, 1, 3).contiguous() @ y
        batch = x.transpose(0, 1).contiguous() @ y
        return flat, heads, batch, x.contiguous() @ y


# ok: a comment says why
class Explained(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return x @ y.transpose(-2, -1).contiguous()  # contiguous() fixes a bug of the compiler


# ok: on the host, and once
def host(n: int):
    x = torch.rand(3, 4)
    y = torch.rand(3, n, 4)
    return x.unsqueeze(1).repeat(1, n, 1) * y


# ok: the counts are those of the last dimensions, and a new one comes before them
def more_counts_than_dimensions(y: torch.Tensor, n: int):
    x = torch.arange(10, device="cuda")
    return x.unsqueeze(1).repeat(1, n, 1) * y


# case: repeated for a comparison, by way of a view, or with `tile`
class Compared(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, n: int):
        same = x.view(1, -1).repeat(n, 1) == y  # expect: TPL503 @ x.view(1, -1).repeat(n, 1)
        scaled = x.mean(-1).unsqueeze(-1).tile([1, n]) * y  # expect: TPL503 @ x.mean(-1).unsqueeze(-1).tile([1, n])
        return same, scaled


# ok: more than one element, several at once, a tensor that is kept
class Tiled(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, n: int):
        rows = x.view(2, -1).repeat(n, 1) == y
        both = x.view(1, 1, -1).repeat(n, n, 1) == y
        kept = x.unsqueeze(-1).tile([1, n])
        return rows, both, kept, x.tile([1, n]) * y


# case: a clone of what was just made, at once or by a name that nobody else reads
class Cloned(nn.Module):
    def forward(self, x: torch.Tensor, parts: list[torch.Tensor], index: torch.Tensor):
        joined = torch.cat([x, x * 2], 0).clone()  # expect: TPL503 @ torch.cat([x, x * 2], 0).clone()
        moved = torch.clamp(x + 0.1, 0, 1)
        moved = moved.view(x.shape)
        kept = moved.clone().detach()  # expect: TPL503 @ moved.clone()
        mean = 0.1 * x + 0.9 * joined
        mean = mean.clone()  # expect: TPL503 @ mean.clone()
        thrice = (x + mean).clone() * 3  # expect: TPL503 @ (x + mean).clone()
        return kept, thrice, x.index_select(0, index).clone()  # expect: TPL503 @ x.index_select(0, index).clone()


# ok: the name is read elsewhere too, or at each turn, what was made is a part or a view of something else, autograd keeps it, or it is made to be a leaf
class Own(nn.Module):
    def forward(self, x: torch.Tensor, n: int):
        doubled = x * 2
        copied = doubled.clone()
        copied[0] = 0
        start = x + 1
        turns = []
        for _ in range(n):
            turn = start.clone()
            turn.add_(1)
            turns.append(turn)
        added = x - 1
        before = added.clone()
        added += 1
        held = x * 3
        turns += [before, held.clone(), (lambda: held)()]
        part = (x * 2)[:2].clone()
        turned = x.transpose(0, 1).clone()
        grown = torch.exp(x).clone()
        grown += 1
        leaf = torch.zeros(3, 3, device=x.device, requires_grad=True).clone()
        return doubled, copied, turns, part, turned, grown, leaf, x.clone()


# case: a second name for what is bound anew, and written to by neither
def diffuse(rates, start: torch.Tensor, spread):
    state = start.cuda() * 2
    before = state.clone()
    for rate in rates:
        noise = torch.randn_like(state)
        state = state + rate * (before - state[0]) + noise * state.shape[0]
        before = state.clone()  # expect: TPL503 @ state.clone()
        state = torch.clamp(state, -1, 1)
    return (state - before).abs().max()


# ok: one of them is written to, returned, kept, or given to a layer, which may work in place
class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=True)
        self.last = None

    def forward(self, x: torch.Tensor, other: torch.Tensor, keep: list):
        first = x * 2
        before = first.clone()
        first += other
        second = x * 3
        again = second.clone()
        third = x * 4
        held = third.clone()
        given = x * 5
        left = given.clone()
        fourth = x * 6
        moved = fourth.clone()
        self.last = moved
        fifth = x * 7
        row = fifth[0]
        whole = fifth.clone()
        row.zero_()
        keep.append(held)
        return before - first, again, self.act(given) + left, second, third, moved - fourth, whole - fifth
