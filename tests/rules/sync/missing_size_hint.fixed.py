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
