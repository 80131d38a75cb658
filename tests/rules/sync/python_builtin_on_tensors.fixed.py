# doc: Python compares two tensors
class Loss(nn.Module):
    def forward(self, prediction: torch.Tensor, target: torch.Tensor):
        first, second = (prediction - target).abs().mean(), (prediction - target).square().mean()
        kept = (target >= 0).sum()
        return torch.maximum(first, second) / kept.clamp(min=1)


# case: a library, and nothing shows how often it runs
def mean_of_kept(losses: list[torch.Tensor], targets: torch.Tensor):
    kept = (targets.cuda() != -1).sum()
    return torch.cat(losses).sum() / kept.clamp(min=1)


# case: Python goes through a mask
class Checked(nn.Module):
    def forward(self, x: torch.Tensor):
        if (x.view(-1) < 0).any():
            x = x + 1
        is_high = (x[:, 0] > 0).all()
        return x, is_high


# case: one tensor is gone through, where a length is needed, and a bound of a mask
class Padded(nn.Module):
    def forward(self, x: torch.Tensor, lengths: torch.Tensor, scores: torch.Tensor):
        x = x[:, : lengths.cuda().max()]
        least = scores.cuda()[3]
        threshold = least.clamp(min=0.9)
        return x, scores[scores < threshold]
