"""facenet-pytorch 2.6.0"""

import numpy as np
import torch
from facenet_pytorch.models import inception_resnet_v1, mtcnn
from facenet_pytorch.models.utils import training
from PIL import Image

for name in ("PNet", "RNet", "ONet"):
    make = getattr(mtcnn, name)
    setattr(mtcnn, name, lambda make=make: make(pretrained=False))
images = [Image.fromarray(np.random.randint(0, 255, (96, 96, 3)).astype(np.uint8)) for _ in range(3)]
same = {"thresholds": [0.49, 0.45, 0.45], "device": torch.device(DEVICE), "min_face_size": 40}
for more in ({}, {"keep_all": True}, {"selection_method": "center_weighted_size"}):
    find = mtcnn.MTCNN(**same, **more)
    for given in (*images, torch.as_tensor(np.array(images[0]), device=DEVICE)):
        find(given, return_prob=True) if isinstance(given, Image.Image) else find.detect(given, landmarks=True)
        step()
model = inception_resnet_v1.InceptionResnetV1(classify=True, num_classes=4).to(DEVICE)
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
loader = [(torch.randn(4, 3, 96, 96), torch.randint(0, 4, (4,))) for _ in range(3)]
named = {"batch_metrics": {"fps": training.BatchTimer(), "acc": training.accuracy}, "device": DEVICE, "writer": Writer()}
named["writer"].iteration, named["writer"].interval = 0, 1
for show in (True, False):
    model.train()
    schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, [5])
    training.pass_epoch(model, torch.nn.CrossEntropyLoss(), loader, optimizer, schedule, show_running=show, **named)
    model.eval()
    training.pass_epoch(model, torch.nn.CrossEntropyLoss(), loader, show_running=show, **named)
    step()
