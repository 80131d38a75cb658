# doc: A program that trains linear layers
def train(loader):
    model = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 8)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()


torch.set_float32_matmul_precision("high")
if __name__ == "__main__":
    train(torch.rand(10, 64, 512))
