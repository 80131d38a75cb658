"""x-clip 0.14.4"""

import typing

import torch

stand_in("ftfy", "regex")
stand_in("beartype", beartype=lambda call: call)
stand_in("beartype.typing", **vars(typing))
from x_clip import CLIP

sizes = {"dim_text": 32, "dim_image": 32, "dim_latent": 32, "num_text_tokens": 100, "text_enc_depth": 1, "text_seq_len": 16}
sizes |= {"text_heads": 2, "visual_enc_depth": 1, "visual_image_size": 32, "visual_patch_size": 8, "visual_heads": 2}
text, image = torch.randint(1, 100, (4, 16), device=DEVICE), torch.randn(4, 3, 32, 32, device=DEVICE)
for more in (
    {"use_mlm": True, "use_visual_ssl": True, "decoupled_contrastive_learning": True, "extra_latent_projection": True},
    {"use_all_token_embeds": True, "text_encode_without_mask": True},
    {"use_visual_ssl": True, "visual_ssl_type": "simclr", "extra_latent_projection": True, "sim_reg_loss_weight": 0.1, "text_rotary_pos_emb": True, "checkpoint_during_training": True},
):
    model = CLIP(**sizes, **more).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters())
    for at in range(4):
        views = {"aug_text": text.flip(0), "aug_image": (image.flip(0), image)} if at % 2 and "sim_reg_loss_weight" not in more else {}
        optimizer.zero_grad()
        model(text, image, return_loss=True, freeze_image_encoder=at == 0, **views).backward()
        optimizer.step()
    with torch.no_grad():
        for _ in range(2):
            model.eval()(text, image)
            model(text, image, return_latents=True)
            step()
