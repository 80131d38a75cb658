"""kymatio 0.3.0"""

import scipy.special
import torch

if not hasattr(scipy.special, "sph_harm"):  # newer ones name it otherwise, and turn its arguments
    scipy.special.sph_harm = lambda m, n, theta, phi: scipy.special.sph_harm_y(n, m, phi, theta)
from kymatio.torch import HarmonicScattering3D, Scattering1D, Scattering2D


def tried(name, what):
    try:
        what()
    except Exception as no:
        print(name, type(no).__name__, str(no)[:120])


line = [Scattering1D(J=4, shape=512, Q=(8, 1), **more).to(DEVICE) for more in ({}, {"max_order": 1}, {"out_type": "list"}, {"T": 0}, {"average": False, "out_type": "list"})]
plane = [Scattering2D(J=2, shape=(32, 32), L=4, **more).to(DEVICE) for more in ({}, {"max_order": 1}, {"out_type": "list"}, {"pre_pad": True})]
space = [HarmonicScattering3D(J=2, shape=(16, 16, 16), L=2, **more).to(DEVICE) for more in ({}, {"max_order": 1}, {"method": "local", "points": [[4, 4, 4]]}, {"integral_powers": (0.5, 1.0), "rotation_covariant": False})]
for at in range(3):
    for number, scatter in enumerate(line):
        tried(f"line {number}", lambda: scatter(torch.randn(2, 512, device=DEVICE)))
    for number, scatter in enumerate(plane):
        tried(f"plane {number}", lambda: scatter(torch.randn(2, 3, 36, 36, device=DEVICE) if number == 3 else torch.randn(2, 3, 32, 32, device=DEVICE)))
    for number, scatter in enumerate(space):
        tried(f"space {number}", lambda: scatter(torch.randn(2, 16, 16, 16, device=DEVICE)))
    step()
