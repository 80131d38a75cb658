# doc: A block of a convolution and a BatchNorm
class Block(nn.Module):
    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
        )

    def forward(self, x: torch.Tensor):
        return self.conv(x)


# case: in `forward`
class Named(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, stride=2, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.ConvTranspose2d(width, width, 3, bias=False)
        self.bn2 = nn.BatchNorm2d(width)

    def forward(self, x: torch.Tensor):
        x = self.bn1(self.conv1(x)).relu()
        x = self.conv2(x)
        x = self.bn2(x)
        return x.relu()


# case: lines of layers, however they are made
def layers(inputs: int, outputs: int):
    made = [nn.Conv1d(inputs, outputs, 3, bias=False), nn.BatchNorm1d(outputs), nn.ReLU()]
    made.append(nn.Conv1d(outputs, outputs, 3, bias=False))
    made.append(nn.InstanceNorm1d(outputs))
    block = nn.Sequential()
    block.add_module("conv", nn.Conv3d(inputs, outputs, 3, bias=False))
    block.add_module("norm", nn.BatchNorm3d(outputs))
    named = OrderedDict([("conv", nn.Conv2d(inputs, outputs, 1, bias=False)), ("norm", nn.SyncBatchNorm(outputs))])
    return nn.Sequential(*made), block, nn.Sequential(named)
