# doc: A segmentation loss that leaves out the pixels nobody labelled
class SegmentationLoss(nn.Module):
    def __init__(self, unlabelled: int = 255, classes: int = 19):
        super().__init__()
        self.unlabelled = unlabelled
        self.classes = classes
        self.loss = nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=self.unlabelled)

    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        return self.loss(logits, labels)


# case: in place, with names, with the functions
class Functions(nn.Module):
    def forward(self, logits: torch.Tensor, labels: torch.Tensor, weight: torch.Tensor):
        first = F.cross_entropy(logits.flatten(0, -2), labels.flatten(), weight=weight, ignore_index=-1)
        second = F.nll_loss(logits, labels.long(), reduction="sum", ignore_index=0)
        logits = logits.reshape(-1, 10)
        labels = labels.view(-1)
        logits, rest = logits, None
        third = F.cross_entropy(logits, labels, ignore_index=5)
        return first + second + third


# case: a script whose loss is a module of its own
IGNORED = -1

model = nn.Sequential(nn.Linear(64, 32), nn.Linear(32, 10)).cuda()
criterion = nn.CrossEntropyLoss(reduction="mean", ignore_index=IGNORED).cuda()


def train(loader: torch.utils.data.DataLoader, optimizer):
    for x, y in loader:
        y = y.cuda()
        logits = model(x.cuda())
        loss = criterion(logits.flatten(0, -2), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: a loss that is given tables, by a step whose batch is on the GPU
import lightning


class Segmentation(nn.Module):
    def __init__(self):
        super().__init__()
        self.entropy = nn.CrossEntropyLoss(ignore_index=255)

    def forward(self, predicted, wanted):
        return self.classes(predicted["classes"], wanted["classes"]) + predicted["offsets"].abs().mean()

    def classes(self, scores, classes):
        return self.entropy(scores, classes)


class Network(lightning.LightningModule):
    def __init__(self, backbone):
        super().__init__()
        self.backbone, self.objective = backbone, Segmentation()
        self.head, self.offsets = nn.Conv2d(64, 19, 1), nn.Conv2d(64, 2, 1)

    def forward(self, images):
        features = self.backbone(images)
        return {"classes": self.head(features), "offsets": self.offsets(features)}

    def training_step(self, batch, index):
        images, wanted = batch
        return self.objective(self(images), wanted)
