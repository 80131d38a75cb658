"""HobbitLong/SupContrast at 66a8fe53880d6a1084b2e4e0db0a019024d6d41a"""

from types import SimpleNamespace

import torch

stand_in("tensorboard_logger", "torchvision", "torchvision.transforms", "torchvision.datasets")
import main_ce
import main_linear
import main_supcon

opt = SimpleNamespace(
    model="resnet18",
    temp=0.1,
    syncBN=False,
    method="SupCon",
    print_freq=2,
    warm=True,
    warm_epochs=2,
    warmup_from=0.01,
    warmup_to=0.05,
    n_cls=10,
    ckpt="",
)
views = [([torch.randn(32, 3, 32, 32), torch.randn(32, 3, 32, 32)], torch.randint(0, 10, (32,))) for _ in range(4)]
images = [(torch.randn(32, 3, 32, 32), torch.randint(0, 10, (32,))) for _ in range(4)]
model, criterion = main_supcon.set_model(opt)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
main_supcon.train(views, model, criterion, optimizer, 1, opt)
opt.method = "SimCLR"
main_supcon.train(views, model, criterion, optimizer, 1, opt)
# theirs does not run with this torch: a view of what is not contiguous
main_ce.accuracy = main_linear.accuracy = lambda output, target, topk: [
    (output.topk(k)[1] == target[:, None]).float().sum().mul_(100 / len(target)).view(1) for k in topk
]
model, criterion = main_ce.set_model(opt)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
main_ce.train(images, model, criterion, optimizer, 1, opt)
main_ce.validate(images, model, criterion, opt)
step()
encoder, _ = main_supcon.set_model(opt)
classifier = main_linear.LinearClassifier(name="resnet18", num_classes=10).to(DEVICE)
optimizer = torch.optim.SGD(classifier.parameters(), lr=0.05)
criterion = torch.nn.CrossEntropyLoss()
main_linear.train(images, encoder, classifier, criterion, optimizer, 1, opt)
main_linear.validate(images, encoder, classifier, criterion, opt)
