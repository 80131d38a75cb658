# doc: The features of a data set are gathered batch by batch
@torch.no_grad()
def extract(model, dataset, device):
    features = torch.empty(0, 512, device=device)
    features_parts = [features]
    for images, _ in DataLoader(dataset, batch_size=64):
        new = F.normalize(model(images.to(device)), dim=1)
        features_parts.append(new)
    features = torch.cat(features_parts)
    return features


# case: a simulation keeps its trajectory, and a dimension is named
def simulate(state: torch.Tensor, steps: int):
    path = state.unsqueeze(0)
    path_parts = [path]
    for step in range(1, steps):
        state = state * 0.99 + torch.randn_like(state)
        path_parts.append(state.unsqueeze(0))
    path = torch.cat(path_parts, dim=0)
    return path.mean(0)


# case: several parts at a turn, in nested loops, under an alias
from torch import hstack as beside


def rollout(policy: nn.Module, observations: torch.Tensor, turns: int):
    record = beside([observations, observations])
    record_parts = [record]
    for _ in range(turns):
        for observation in observations:
            action = policy(observation)
            # both of them
            record_parts += [observation, action]
    record = beside(record_parts)
    return record


# case: a row of indices, and a loop whose turns wait: hints
def padded(lengths: list[int], longest: int, n: int):
    where = torch.zeros(0, dtype=torch.long, device="cuda")
    where_parts = [where]
    for turn in range(n):
        row = torch.arange(longest, device="cuda")
        row = row + turn * longest
        where_parts.append(row)
    where = torch.cat(where_parts)
    return where


def chosen(rows: torch.Tensor, n: int):
    rows = rows.cuda()
    found = rows[:0]
    found_parts = [found]
    for turn in range(n):
        found_parts.append(rows[rows > turn])
    found = torch.cat(found_parts)
    return found


# case: with a bar of progress, and of a loader that is numbered
from tqdm import tqdm


@torch.no_grad()
def predict(model: nn.Module, loader: DataLoader, n: int):
    scores = torch.zeros(0).cuda()
    scores_parts = [scores]
    for index, x in enumerate(tqdm(loader)):
        scores_parts.append(model(x.cuda()).sigmoid())
    scores = torch.cat(scores_parts)
    noise = torch.zeros(0).cuda()
    noise_parts = [noise]
    for index in tqdm(range(n)):
        noise_parts.append(torch.randn(8, device="cuda"))
    noise = torch.cat(noise_parts)
    return scores, noise


# case: chunks of which there may be any number
def render(model: nn.Module, rays: torch.Tensor, chunk: int = 4096):
    image = torch.empty(0, 3, device="cuda")
    image_parts = [image]
    for start in range(0, rays.shape[0], chunk):
        part = model(rays[start : start + chunk])
        image_parts.append(part.detach())
    image = torch.cat(image_parts)
    return image


# case: nothing but its name says that it is a loader, and many turns
@torch.no_grad()
def collect(model, train_loader):
    features = torch.zeros(0).cuda()
    features_parts = [features]
    for image, label in train_loader:
        features_parts.append(model(image.cuda()))
    features = torch.cat(features_parts)
    return features


# case: the steps are a tensor
def follow(field: nn.Module, y: torch.Tensor, times: torch.Tensor):
    path = y[None]
    path_parts = [path]
    for start, end in zip(times[:-1], times[1:]):
        y = y + (end - start) * field(y)
        path_parts.append(y[None])
    path = torch.cat(path_parts)
    return path


# case: a compiled callable may write its next result into the memory of the last, so the list holds copies
def encode(model: nn.Module, loader):
    encoder = torch.compile(model.cuda(), mode="reduce-overhead")
    features = torch.empty(0, 512, device="cuda")
    features_parts = [features]
    for batch in loader:
        features_parts.append(encoder(batch.cuda()).clone())
    features = torch.cat(features_parts)
    return features


# case: a buffer that each turn fills anew is copied, too
def record(state: torch.Tensor, steps: int):
    path, buffer = state.cuda()[None], torch.empty_like(state, device="cuda")
    path_parts = [path]
    for step in range(steps):
        buffer.copy_(state * step)
        path_parts.append(buffer.clone())
    path = torch.cat(path_parts)
    return path


# case: and so is a view of what the next turn changes
def drift(state: torch.Tensor, steps: int):
    state = state.cuda()
    path = state[None].clone()
    path_parts = [path]
    for step in range(steps):
        state.add_(0.1)
        path_parts.append(state.unsqueeze(0).clone())
    path = torch.cat(path_parts)
    return path


# case: chunks of one size, the more of them the larger the batch
class Parts(nn.Module):
    def __init__(self, most: int):
        super().__init__()
        self.norm, self.most = nn.BatchNorm1d(64), most

    def forward(self, x: torch.Tensor):
        parts = x.chunk(x.shape[0] // self.most + (x.shape[0] % self.most > 0))
        out = torch.empty(0, 64, device=x.device)
        out_parts = [out]
        for part in parts:
            out_parts.append(self.norm(part))
        out = torch.cat(out_parts)
        return out
