"""What comes out of a loop together was in one place."""

import torch
import torch.nn.functional as F


def batches(model, pairs):
    for x, y in pairs:  # fact: x => tensor_tree, cpu && y => tensor, cpu
        wanted = F.one_hot(y)  # fact: F.one_hot(y) => no wait
        model(x.cuda(), wanted.cuda())


def nested(model, pairs):
    for i, (x, y) in enumerate(pairs):  # fact: y => tensor, cpu
        loss = F.cross_entropy(model(x.cuda()), y)


def not_moved(model, pairs):
    for x, y in pairs:  # fact: y => tensor, no device
        wanted = F.one_hot(y)  # fact: F.one_hot(y) => wait
        model(x, wanted)


def sizes(x: torch.Tensor, lengths: torch.Tensor, n: int):
    longest = lengths.amax()
    a = x.new_zeros(longest)  # fact: x.new_zeros(longest) => wait
    b = torch.zeros(2, longest)  # fact: torch.zeros(2, longest) => wait
    c = x.view(-1, longest)  # fact: x.view(-1, longest) => wait
    d = x.view(-1, n)  # fact: x.view(-1, n) => no wait
    e = x.view(*x.shape[:2], x.shape[-1] // 2)  # fact: x.view(*x.shape[:2], x.shape[-1] // 2) => no wait
    return a, b, c, d, e


class Table(torch.nn.Module):
    def forward(self, x, epoch, scores):
        a = self.schedule[epoch]
        names = ["a", "b"]
        b = names[epoch]  # fact: names[epoch] => no wait
        c = names[scores.argmax()]  # fact: names[scores.argmax()] => wait
        return x, a, b, c


@torch.jit.script
def scripted(x: torch.Tensor, n: torch.Tensor):
    return x[: n[0]]  # fact: x[:n[0]] => no wait


class Grid(torch.nn.Module):
    def forward(self, x, device, kind):  # fact: device => unknown && kind => unknown
        y = x.to(device=device, dtype=kind)
        return y.flatten(), str(device)  # fact: str(device) => no wait


def fused(a, b, channels):
    return torch.tanh((a + b)[:, :channels])  # fact: (a + b)[:, :channels] => no wait


class Wave(torch.nn.Module):
    def forward(self, x, y, lengths: torch.Tensor):
        channels = torch.IntTensor([self.hidden])
        longest = lengths.max()
        return fused(x, y, channels[0]), x[:, :longest]  # fact: x[:, :longest] => wait


def lengths_and_a_device(x: torch.Tensor, y: list, made):
    batch, length, device = *x.shape, x.device  # fact: batch => number && device => device
    a, b, c = 1, *made  # fact: a => number, = 1 && b => unknown
    a, b = *made, *made  # fact: b => unknown
    return torch.arange(length, device=device), a, b, c


class Masks:
    def of(self, x: torch.Tensor, by_name):
        return {"x": x} if by_name else torch.relu(x)

    def use(self, x: torch.Tensor, by_name, places: torch.LongTensor):
        masks = self.of(x, by_name)  # fact: masks => unknown
        kept = masks[x > 0]  # fact: kept => tensor, likely
        some = self.of(x, by_name)[places]  # fact: some => unknown
        return kept, some


class Moved(torch.utils.data.Dataset):
    def __getitem__(self, index):
        return self.data[index].long().cuda()



def for_ever(loader):
    while True:
        for batch in loader:
            yield batch


def moved_by_the_dataset(model, collate):
    loader = torch.utils.data.DataLoader(Moved(), batch_size=4)
    for x in loader:  # fact: x => tensor, cuda, int64
        model(x)
    other = torch.utils.data.DataLoader(Moved(), batch_size=4, collate_fn=collate)
    for x in other:  # fact: x => cpu
        model(x)
    y = next(for_ever(loader))  # fact: y => tensor, cuda, int64
    z = next(for_ever(other))  # fact: z => cpu
    return y, z


def of_a_comprehension(x, rows):
    words = [str(x) for x in rows()]  # fact: str(x) => no wait
    more = [str(each) for each in x]  # fact: str(each) => wait
    return torch.zeros_like(x), words, more


def sizes_are_no_tensor(x: torch.Tensor, size: tuple[int, int], y: torch.Tensor):
    if x == (3, 4):  # fact: x == (3, 4) => number
        return y
    if x == y:  # fact: x == y => tensor
        return x
    return y + x


def around_a_comprehension(rows, x):
    kept = [x.unsqueeze(0) for x in rows]
    return str(x), kept  # fact: str(x) => no wait


def mapped(batch, device: torch.device):
    x, y = map(lambda each: each.to(device), batch)
    moved = list(map(onto, [x, y]))
    return y.ne(0).sum().item(), moved[0]  # fact: y.ne(0).sum().item() => wait && moved[0] => tensor, cuda


def onto(each):
    return each.cuda()
