"""facebookresearch/dino at 7c446df5b9f45747937fb0d72314eb9f7b66930a"""

from types import SimpleNamespace

import torch

stand_in("PIL", "torchvision", "torchvision.datasets", "torchvision.transforms", "torchvision.models")
import main_dino
import utils
import vision_transformer as vits
from main_dino import DINOHead, DINOLoss

torch.distributed.init_process_group(
    "nccl" if DEVICE == "cuda" else "gloo", init_method="tcp://127.0.0.1:29517", world_size=1, rank=0
)
args = SimpleNamespace(epochs=1, clip_grad=3.0, freeze_last_layer=1)
student = utils.MultiCropWrapper(vits.vit_tiny(patch_size=16, drop_path_rate=0.1), DINOHead(192, 1024)).to(DEVICE)
teacher = utils.MultiCropWrapper(vits.vit_tiny(patch_size=16), DINOHead(192, 1024)).to(DEVICE)
student = torch.nn.parallel.DistributedDataParallel(student, device_ids=[0] if DEVICE == "cuda" else None)
criterion = DINOLoss(1024, 4, 0.04, 0.04, 0, 1).to(DEVICE)
optimizer = torch.optim.AdamW(utils.get_params_groups(student))
crops = [([torch.randn(4, 3, size, size) for size in (224, 224, 96, 96)], 0) for _ in range(4)]
schedule = utils.cosine_scheduler(1e-4, 1e-6, 1, 4)
for scaler in (None, torch.cuda.amp.GradScaler()) if DEVICE == "cuda" else (None,):
    main_dino.train_one_epoch(
        student, teacher, teacher, criterion, crops, optimizer, schedule, schedule, schedule, 0, scaler, args
    )
probe = torch.randn(64, 1000, device=DEVICE)
for _ in range(2):
    utils.accuracy(probe, torch.randint(0, 1000, (64,), device=DEVICE), topk=(1, 5))
    step()
