# doc: What is repeated for an operation that broadcasts, and a copy for a product
class Pairs(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        each = x.unsqueeze(1).expand(-1, y.shape[0], -1)
        return each * y, x @ y.t()


# case: other operations
class Others(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, index: torch.Tensor, n: int):
        a = torch.gather(x, 1, index.unsqueeze(-1).expand(-1, -1, n))
        b = torch.where(x > 0, x, y[:, None].expand(-1, n, -1))
        c = y[None].expand(n, -1, -1) + x
        d = torch.matmul(x, y.transpose(-1, -2))
        e = x.gather(1, index[:, :, None].expand(-1, -1, n))
        return a, b, c, d, e, F.linear(x, y.mT)


# case: logits without the last position, for a loss
class Language(nn.Module):
    def __init__(self, width: int, words: int):
        super().__init__()
        self.head = nn.Linear(width, words)
        self.words = words

    def forward(self, hidden: torch.Tensor, labels: torch.Tensor):
        logits = self.head(hidden)
        shift_logits = logits
        shift_labels = F.pad(labels[..., 1:], (0, 1), value=-100)
        loss_fct = nn.CrossEntropyLoss()
        shift_logits = shift_logits.view(-1, self.words)
        shift_labels = shift_labels.view(-1)
        shift_labels = shift_labels.to(shift_logits.device)
        loss = loss_fct(shift_logits, shift_labels)
        cut = logits
        return loss, F.cross_entropy(cut.view(-1, cut.size(-1)), F.pad(labels[:, 1:], (0, 1), value=-100).reshape(-1))


# case: a part that is reduced, and compared
class Accuracy(nn.Module):
    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        guessed = logits[..., :-1, :]
        return guessed.argmax(-1) == labels[..., 1:], logits[:, 1:, :].sum(-1)


# case: repeated for a comparison, by way of a view, or with `tile`
class Compared(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, n: int):
        same = x.view(1, -1).expand(n, -1) == y
        scaled = x.mean(-1).unsqueeze(-1).expand(-1, n) * y
        return same, scaled


# case: a clone of what was just made, at once or by a name that nobody else reads
class Cloned(nn.Module):
    def forward(self, x: torch.Tensor, parts: list[torch.Tensor], index: torch.Tensor):
        joined = torch.cat([x, x * 2], 0)
        moved = torch.clamp(x + 0.1, 0, 1)
        moved = moved.view(x.shape)
        kept = moved.detach()
        mean = 0.1 * x + 0.9 * joined
        mean = mean
        thrice = (x + mean) * 3
        return kept, thrice, x.index_select(0, index)


# case: a second name for what is bound anew, and written to by neither
def diffuse(rates, start: torch.Tensor, spread):
    state = start.cuda() * 2
    before = state.clone()
    for rate in rates:
        noise = torch.randn_like(state)
        state = state + rate * (before - state[0]) + noise * state.shape[0]
        before = state
        state = torch.clamp(state, -1, 1)
    return (state - before).abs().max()
