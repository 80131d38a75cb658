"""vector-quantize-pytorch 1.32.0"""

import torch

stand_in("loguru")
import vector_quantize_pytorch as library

x = torch.randn(2, 64, 32, device=DEVICE)
made = {
    "VectorQuantize": [
        {"codebook_size": 64, "threshold_ema_dead_code": 2},
        {"codebook_size": 64, "kmeans_init": True, "use_cosine_sim": True},
        {"codebook_size": 64, "codebook_dim": 8, "heads": 4, "separate_codebook_per_head": True},
        {"codebook_size": 64, "learnable_codebook": True, "ema_update": False, "orthogonal_reg_weight": 10.0},
    ],
    "ResidualVQ": [
        {"num_quantizers": 3, "codebook_size": 64, "quantize_dropout": True},
        {"num_quantizers": 2, "codebook_size": 64},
    ],
    "GroupedResidualVQ": [{"num_quantizers": 2, "groups": 2, "codebook_size": 64}],
    "SimVQ": [{"codebook_size": 64}],
    "LFQ": [{"codebook_size": 64, "entropy_loss_weight": 0.1}],
    "FSQ": [{"levels": [8, 5, 5]}],
    "RandomProjectionQuantizer": [{"codebook_size": 64, "codebook_dim": 8, "num_codebooks": 2}],
}
for name, forms in made.items():
    for given in forms:
        size = {"dim": 32}
        layer = getattr(library, name)(**size, **given).to(DEVICE)
        for _ in range(3):
            out = layer(x.clone().requires_grad_())
            out = out if isinstance(out, tuple) else (out,)
            losses = [each.float().sum() for each in out if torch.is_tensor(each) and each.requires_grad]
            if losses:
                sum(losses).backward()
            step()
        layer.eval()
        with torch.no_grad():
            for _ in range(2):
                layer(x)
                step()
