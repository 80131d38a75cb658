# case: as a bound, an index, a size, and for a loop
class Sizes(nn.Module):
    def forward(self, x: Tensor, lengths: Tensor):
        longest = lengths.amax()
        a = x[:, :longest]
        first = lengths[0].amin()
        b = x.new_zeros(first)
        last = lengths[-1].amin()
        c = x.narrow(1, 0, last)
        turns = lengths.sum()
        for i in range(turns):
            c = c * 2
        d = x.index_select(0, lengths.argmax().view(1)).squeeze(0)
        middle = lengths.float().mean()
        e = x.index_select(0, (middle.long() - 1).view(1)).squeeze(0)
        return a, b, c, d, e


# case: a table that is indexed by a time step on the GPU
@torch.no_grad()
def denoise(model, x: Tensor, sigmas: Tensor):
    model.cuda()
    x, sigmas = x.cuda(), sigmas.cuda()
    step = torch.zeros((), dtype=torch.int64, device="cuda")
    for _ in range(50):
        sigma = sigmas.index_select(0, step.view(1)).squeeze(0)
        x = x - sigma * model(x, step)
        step = step + 1
    return x
