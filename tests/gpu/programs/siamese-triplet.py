"""adambielski/siamese-triplet at 0c719f9e8f59fa386e8c59d10b2ddde9fac46276"""

import torch
from torch.optim import lr_scheduler
from torchvision import transforms

import datasets
import losses
import metrics
import networks
import trainer
import utils

cuda = DEVICE == "cuda"


class Digits(torch.utils.data.Dataset):
    """Stands for MNIST."""

    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.13,), (0.31,))])

    def __init__(self, train):
        self.train = train
        images, labels = torch.randint(0, 256, (120, 28, 28), dtype=torch.uint8), torch.arange(120) % 10
        self.train_data = self.test_data = self.data = images
        self.train_labels = self.test_labels = self.targets = labels

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.data[index].float()[None] / 255, int(self.targets[index])


def tried(name, what):
    try:
        what()
    except Exception as no:
        print(name, type(no).__name__, str(no)[:200])


def fitted(loaders, model, loss, seen=(), epochs=2):
    if cuda:
        model.cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    trainer.fit(*loaders, model, loss, optimizer, lr_scheduler.StepLR(optimizer, 8, gamma=0.1), epochs, cuda, 2, metrics=list(seen))


def loaded(train, test, **named):
    return [torch.utils.data.DataLoader(data, batch_size=20, shuffle=data is train, **named) for data in (train, test)]


train, test = Digits(True), Digits(False)
batches = [torch.utils.data.DataLoader(data, batch_sampler=datasets.BalancedBatchSampler(data.targets, n_classes=5, n_samples=4)) for data in (train, test)]
tried("classes", lambda: fitted(loaded(train, test), networks.ClassificationNet(networks.EmbeddingNet(), 10), torch.nn.NLLLoss(), [metrics.AccumulatedAccuracyMetric()]))
tried("siamese", lambda: fitted(loaded(datasets.SiameseMNIST(train), datasets.SiameseMNIST(test)), networks.SiameseNet(networks.EmbeddingNet()), losses.ContrastiveLoss(1.0)))
tried("triplets", lambda: fitted(loaded(datasets.TripletMNIST(train), datasets.TripletMNIST(test)), networks.TripletNet(networks.EmbeddingNetL2()), losses.TripletLoss(1.0)))
for pairs in (utils.AllPositivePairSelector(), utils.HardNegativePairSelector(), utils.HardNegativePairSelector(cpu=False)):
    tried(type(pairs).__name__, lambda: fitted(batches, networks.EmbeddingNet(), losses.OnlineContrastiveLoss(1.0, pairs)))
for triplets in (utils.AllTripletSelector(), utils.HardestNegativeTripletSelector(1.0), utils.RandomNegativeTripletSelector(1.0), utils.SemihardNegativeTripletSelector(1.0), utils.HardestNegativeTripletSelector(1.0, cpu=True)):
    tried("online", lambda: fitted(batches, networks.EmbeddingNet(), losses.OnlineTripletLoss(1.0, triplets), [metrics.AverageNonzeroTripletsMetric()]))
