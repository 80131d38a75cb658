import torch
import torch.nn.functional as F
from torch import nn


# doc: A segmentation loss that leaves out the pixels nobody labelled
class SegmentationLoss(nn.Module):
    def __init__(self, unlabelled: int = 255, classes: int = 19):
        super().__init__()
        self.unlabelled = unlabelled
        self.classes = classes
        self.loss = nn.CrossEntropyLoss(label_smoothing=0.1)

    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        mask = labels != self.unlabelled
        pixels = logits.permute(0, 2, 3, 1)
        chosen = pixels[mask.unsqueeze(-1).expand(-1, -1, -1, self.classes)]  # expect: TPL109 @ pixels[mask.unsqueeze(-1).expand(-1, -1, -1, self.classes)]
        return self.loss(chosen.reshape(-1, self.classes), labels[mask])  # expect: TPL109 @ labels[mask]


# case: in place, with names, with the functions
class Functions(nn.Module):
    def forward(self, logits: torch.Tensor, labels: torch.Tensor, weight: torch.Tensor):
        mask = labels != -1
        first = F.cross_entropy(logits[mask], labels[mask], weight=weight)  # expect: TPL109 @ logits[mask] && TPL109 @ labels[mask]
        known = ~(labels == 0)
        kept = logits.transpose(1, 2)[known]  # expect: TPL109 @ logits.transpose(1, 2)[known]
        wanted = labels[known].long()  # expect: TPL109 @ labels[known]
        second = F.nll_loss(kept, wanted, reduction="sum")
        logits = logits.reshape(-1, 10)
        labels = labels.view(-1)
        used = labels.ne(5)
        logits, rest = logits, None
        third = F.cross_entropy(target=labels[used], input=logits[used])  # expect: TPL109 @ labels[used] && TPL109 @ logits[used]
        return first + second + third


# case: a script whose loss is a module of its own
IGNORED = -1

model = nn.Sequential(nn.Linear(64, 32), nn.Linear(32, 10)).cuda()
criterion = nn.CrossEntropyLoss(reduction="mean").cuda()


def train(loader: torch.utils.data.DataLoader, optimizer):
    for x, y in loader:
        y = y.cuda()
        logits = model(x.cuda())
        valid = y != IGNORED
        loss = criterion(logits[valid], y[valid])  # expect: TPL109 @ logits[valid] && TPL109 @ y[valid]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: no cure that is certain: one value for each element, a loss that others use as well, another label ignored
class NoCure(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = nn.CrossEntropyLoss()

    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        mask = labels != -1
        each = F.cross_entropy(logits[mask], labels[mask], reduction="none")  # expect: TPL109 @ logits[mask] && TPL109 @ labels[mask]
        other = F.cross_entropy(logits[mask], labels[mask], ignore_index=3)  # expect: TPL109 @ logits[mask] && TPL109 @ labels[mask]
        total = self.loss(logits[mask], labels[mask])  # expect: TPL109 @ logits[mask] && TPL109 @ labels[mask]
        return each.mean() + other + total, self.loss(logits, labels)


# ok: the cure
class Cured(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = nn.CrossEntropyLoss(ignore_index=-1)

    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        return self.loss(logits, labels) + F.cross_entropy(logits, labels, ignore_index=255)


# ok: the mask says more, or something else
class More(nn.Module):
    def forward(self, logits: torch.Tensor, labels: torch.Tensor, attention: torch.Tensor, pad: torch.Tensor):
        active = attention.view(-1) == 1
        first = F.cross_entropy(logits.view(-1, 9)[active], labels.view(-1)[active])
        both = (labels != -1) & attention.bool()
        second = F.cross_entropy(logits[both], labels[both])
        known = labels >= 0
        third = F.cross_entropy(logits[known], labels[known])
        each = labels != pad
        fourth = F.cross_entropy(logits[each], labels[each])
        return first + second + third + fourth


# ok: what the mask selects is used for other things too
class Shared(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.head = nn.Linear(size, 10)

    def forward(self, hidden: torch.Tensor, labels: torch.Tensor):
        mask = labels != -1
        kept, wanted = hidden[mask], labels[mask]
        logits = self.head(kept)
        masked = hidden[mask]
        loss = F.cross_entropy(masked, wanted)
        return loss, masked.argmax(-1), logits


# ok: other losses have no such argument
class Others(nn.Module):
    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        mask = labels != -1
        binary = F.binary_cross_entropy_with_logits(logits[mask], labels[mask].float())
        return binary + F.mse_loss(logits[mask], labels[mask])


# ok: labels change between the mask and the loss
class Changed(nn.Module):
    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        mask = labels != -1
        labels[labels == 3] = 2
        first = F.cross_entropy(logits[mask], labels[mask])
        keep = labels != 0
        labels = labels + 1
        return first + F.cross_entropy(logits[keep], labels[keep])


# ok: on the host there is no wait
def on_host(logits_path, labels_path):
    logits, labels = torch.from_numpy(logits_path), torch.from_numpy(labels_path)
    mask = labels != -1
    return F.cross_entropy(logits[mask], labels[mask])


# case: a loss that is given tables, by a step whose batch is on the GPU
import lightning


class Segmentation(nn.Module):
    def __init__(self):
        super().__init__()
        self.entropy = nn.CrossEntropyLoss()

    def forward(self, predicted, wanted):
        return self.classes(predicted["classes"], wanted["classes"]) + predicted["offsets"].abs().mean()

    def classes(self, scores, classes):
        known = classes != 255
        scores = scores.permute(0, 2, 3, 1)[known]  # expect: TPL109 @ scores.permute(0, 2, 3, 1)[known]
        return self.entropy(scores, classes[known])


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


# ok: what a test compares a result with is meant to be plain
import unittest


def by_hand(logits: torch.Tensor, labels: torch.Tensor):
    counted = labels != -100
    return F.cross_entropy(logits[counted], labels[counted])


class SameAsByHand(unittest.TestCase):
    def test_loss(self):
        logits, labels = torch.randn(8, 3).cuda(), torch.randint(0, 3, (8,)).cuda()
        self.assertAlmostEqual(by_hand(logits, labels).item(), F.cross_entropy(logits, labels).item(), places=5)


# missed: the mask is applied to both in one assignment
class Together(nn.Module):
    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        mask = labels != -1
        logits, labels = logits[mask], labels[mask]
        return F.cross_entropy(logits, labels)
