# doc: The loss of every step, in a debug message and on a progress bar
from tqdm import tqdm


def train(model, loader, optimizer):
    bar = tqdm(loader)
    for x, y in bar:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.debug("loss %.4f", loss)
        bar.set_postfix(loss=loss.item())


# case: debug messages whose values become arguments
class Talking(nn.Module):
    def forward(self, x: Tensor):
        low, high = x.min(), x.max()
        logger.debug("{low} %s 100%% %r %d %6.2f", low, high, x.shape[0], low)
        logging.debug("high %.3e", high)
        logger.debug(f"high {high:>10}")
        return x
