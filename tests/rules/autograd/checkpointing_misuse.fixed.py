# doc: A model that recomputes its blocks
class Net(nn.Module):
    def __init__(self, blocks: nn.ModuleList):
        super().__init__()
        self.blocks = blocks

    def forward(self, x: torch.Tensor):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return x


# case: other names
def run(blocks: nn.Sequential, x: torch.Tensor, y: torch.Tensor):
    x = ckpt.checkpoint(blocks, x, y, use_reentrant=False)
    return checkpoint_sequential(blocks, 4, x, use_reentrant=False)
