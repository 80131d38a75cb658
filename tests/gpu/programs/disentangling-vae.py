"""YannDubs/disentangling-vae at f0452191bab6d94eba0b4e6a065f74dcfd54ac52"""

import numpy as np
import torch

np.product = np.prod  # NumPy 1's name
stand_in("imageio")
from disvae import Evaluator, Trainer, init_specific_model
from disvae.models.losses import get_loss_f

LOSSES, EPOCHS, PICTURES = ("factor", "betaB", "btcvae", "betaH", "VAE"), 2, 640
data = torch.utils.data.TensorDataset(torch.rand(PICTURES, 3, 64, 64), torch.zeros(PICTURES))
loader = torch.utils.data.DataLoader(data, batch_size=64, shuffle=True, pin_memory=DEVICE == "cuda")
few = torch.utils.data.Subset(data, range(128))
few.imgs, few.lat_values, few.lat_names, few.lat_sizes = None, None, (), ()
options = {"rec_dist": "bernoulli", "reg_anneal": 10000, "betaH_B": 4, "betaB_initC": 0, "betaB_finC": 25, "betaB_G": 100, "factor_G": 6, "lr_disc": 5e-5, "btcvae_A": 1, "btcvae_G": 1, "btcvae_B": 6, "latent_dim": 10, "n_data": PICTURES, "device": DEVICE}
for name in LOSSES:
    model = init_specific_model("Burgess", (3, 64, 64), 10)
    loss = get_loss_f(name, **options)
    Trainer(model, torch.optim.Adam(model.parameters(), lr=5e-4), loss, device=torch.device(DEVICE), save_dir=".", is_progress_bar=False)(loader, epochs=EPOCHS, checkpoint_every=1000)
    Evaluator(model, loss, device=torch.device(DEVICE), save_dir=".", is_progress_bar=False)(torch.utils.data.DataLoader(few, batch_size=64), is_metrics=False, is_losses=True)
