"""qfgaohao/pytorch-ssd at 7a839cbc8c3fb39679856b4dc42a1ab19ec07581"""

import sys

import torch

stand_in("cv2", "pandas", "torchvision", "torchvision.transforms")
sys.argv = ["train_ssd.py"]
import train_ssd
from vision.ssd.config import vgg_ssd_config as config

EPOCHS, PICTURES, BATCH, WORKERS, PINNED = 1, 192, 32, 4, False


class Pictures(torch.utils.data.Dataset):
    """Pictures with three boxes, matched to the priors as those of VOC are."""

    def __init__(self):
        self.match = train_ssd.MatchPrior(config.priors, config.center_variance, config.size_variance, 0.5)
        self.pictures = torch.randn(16, 3, 300, 300)

    def __len__(self):
        return PICTURES

    def __getitem__(self, at):
        corner = torch.rand(3, 2) * 0.6
        locations, labels = self.match(torch.cat([corner, corner + 0.1 + torch.rand(3, 2) * 0.3], 1), torch.randint(1, 21, (3,)))
        return self.pictures[at % 16], locations, labels


loader = torch.utils.data.DataLoader(Pictures(), BATCH, num_workers=WORKERS, shuffle=True, pin_memory=PINNED)
for made, settings in ((train_ssd.create_vgg_ssd, train_ssd.vgg_ssd_config), (train_ssd.create_mobilenetv1_ssd_lite, train_ssd.mobilenetv1_ssd_config)):
    if settings is not config:
        loader.dataset.match = train_ssd.MatchPrior(settings.priors, settings.center_variance, settings.size_variance, 0.5)
    net = made(21).to(DEVICE)
    criterion = train_ssd.MultiboxLoss(settings.priors, iou_threshold=0.5, neg_pos_ratio=3, center_variance=0.1, size_variance=0.2, device=DEVICE)
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-4, momentum=0.9, weight_decay=5e-4)
    for epoch in range(EPOCHS):
        train_ssd.train(loader, net, criterion, optimizer, device=DEVICE, debug_steps=100, epoch=epoch)
    train_ssd.test(loader, net, criterion, DEVICE)
