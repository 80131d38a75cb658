# case: a choice between two tensors inside forward
class Gate(nn.Module):
    def forward(self, x, y):
        return torch.where(x.mean() > 0, x * 2, y)
