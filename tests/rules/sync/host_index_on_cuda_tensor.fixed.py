# doc: Two of three channels, in forward
class Chroma(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 8, 3)

    def forward(self, image):
        chroma = image[:, 1:3]
        return self.conv(chroma)


# case: runs of numbers become slices
class Slices(nn.Module):
    def forward(self, x: Tensor):
        a = x[..., 0:3:2]
        b = x[3:4]
        c = x[:, -2:]
        d = x[:, -3:-1, None]
        x[:, 0:3] *= 2
        x[..., 4:6] = 0
        return a, b, c, d


# case: a range of Python beside labels
class Picked(nn.Module):
    def forward(self, logits: Tensor, labels: Tensor):
        return logits[torch.arange(labels.shape[0], device=logits.device), labels]


# run: Picked()(floats("3 3"), torch.arange(3))


# case: an index that is made in place
class Rows(nn.Module):
    def forward(self, x: Tensor):
        best = x.argmax(dim=-1)
        y = x[torch.arange(x.shape[0], device=x.device)[:, None], best[None]]
        x = x[torch.arange(2, device=x.device).view(1, 2), torch.arange(1, 3, device=x.device).unsqueeze(0)]
        return y[torch.arange(3, device=y.device), best], x


# run: Rows()(floats("3 3"))
# run: Rows()(anything("3 5"))
