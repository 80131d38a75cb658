"""A convolutional network fed by a loader with work of its own, from pageable memory, that logs every step."""
import sys
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import torchvision
WORKERS = int(sys.argv[1]) if len(sys.argv) > 1 else 0
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 120


class Images(Dataset):
    def __len__(self):
        return STEPS * 32

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(index)
        image = torch.rand(3, 128, 128, generator=g)
        return (image - 0.5) / 0.5, index % 10


model = torchvision.models.resnet18(num_classes=10).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
loader = DataLoader(Images(), batch_size=32, num_workers=WORKERS, shuffle=True)
running = 0.0
correct = 0
for images, labels in loader:
    images, labels = images.cuda(), labels.cuda()
    out = model(images)
    loss = nn.functional.cross_entropy(out, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    running += loss.item()
    correct += (out.argmax(1) == labels).sum().item()
print(f"{running / STEPS:.3f} {correct}")
