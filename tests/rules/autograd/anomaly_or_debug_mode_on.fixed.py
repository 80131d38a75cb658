# doc: Anomaly detection was left on after a hunt for a NaN
def train(model, loader, optimizer):
    model.cuda()
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: as a context around the backward pass, of the module or of its function
def step(model, x, y, optimizer):
    loss = F.cross_entropy(model(x.cuda()), y.cuda())
    with autograd.set_detect_anomaly(False):
        loss.backward()
    with torch.autograd.set_detect_anomaly(mode=False, check_nan=True):
        model(x).sum().backward()
    optimizer.step()


# case: by name, in `main`, where there is a GPU anyway
from torch.autograd import detect_anomaly as anomalies, set_detect_anomaly

DEBUG = True


def main():
    with torch.device("cuda"), set_detect_anomaly(False):
        nn.Linear(3, 3)(torch.ones(3)).sum().backward()


if __name__ == "__main__":
    main()


# case: every kernel is waited for
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
