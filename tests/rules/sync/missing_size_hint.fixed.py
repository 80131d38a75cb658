# doc: Labels as vectors, in a loss
class SoftDice(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.num_classes = num_classes

    def forward(self, logits, target):
        probabilities = logits.softmax(dim=1)
        wanted = F.one_hot(target, num_classes=self.num_classes).permute(0, 3, 1, 2)
        overlap = (probabilities * wanted).sum(dim=(2, 3))
        return 1 - (2 * overlap / (probabilities + wanted).sum(dim=(2, 3))).mean()


# case: in a training loop, with the number of classes as a parameter
def train(model, loader, optimizer, num_classes):
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        wanted = F.one_hot(y, num_classes=num_classes).float()
        loss = F.binary_cross_entropy_with_logits(model(x), wanted)
        loss.backward()
        optimizer.step()


# case: repeats that are made of a list of numbers
class Packed(nn.Module):
    def forward(self, x: Tensor, lengths: list[int]):
        repeats = torch.tensor(lengths, device=x.device)
        return x.repeat_interleave(repeats, dim=0, output_size=sum(lengths))


# case: a name in scope holds the sum, and no name is made up where none does
class Unrolled(nn.Module):
    def forward(self, x, durations: Tensor, lengths: list[int]):
        frames = int(durations.sum())
        steps = sum(lengths)
        wide = x.repeat_interleave(durations, dim=1, output_size=frames)
        counts = torch.as_tensor(lengths, device=x.device)
        again = x.repeat_interleave(counts, dim=0, output_size=steps)
        return wide, again, frames, steps
