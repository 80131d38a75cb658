# doc: Images of a size that is drawn
def train(model: nn.Module, loader, optimizer):
    torch.backends.cudnn.benchmark = False
    for x in loader:
        size = random.choice([320, 384, 448])
        x = F.interpolate(x.cuda(), size=(size, size))
        model(x).sum().backward()
        optimizer.step()


# case: other ways to draw it
def scaled(model: nn.Module, loader):
    cudnn.benchmark = False
    for x in loader:
        factor = np.random.uniform(0.5, 1.5)
        model(F.interpolate(x.cuda(), None, factor)).sum().backward()


# case: a detector
def detect(loader):
    cudnn.benchmark = False
    model = torchvision.models.detection.fasterrcnn_resnet50_fpn().cuda()
    return [model(x) for x in loader]
