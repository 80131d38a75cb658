"""torchkbnufft 1.5.2"""

import torch
import torchkbnufft as tkbn

side, coils, points = (16, 16), 2, 60


there, back = tkbn.KbNufft(im_size=side).to(DEVICE), tkbn.KbNufftAdjoint(im_size=side).to(DEVICE)
into, out = tkbn.KbInterp(im_size=side, grid_size=(32, 32)).to(DEVICE), tkbn.KbInterpAdjoint(im_size=side, grid_size=(32, 32)).to(DEVICE)
toep = tkbn.ToepNufft().to(DEVICE)
for at in range(3):
    x = torch.randn(2, coils, *side, device=DEVICE, dtype=torch.complex64, requires_grad=True)
    maps = torch.randn(2, coils, *side, device=DEVICE, dtype=torch.complex64)
    for omega in (torch.rand(2, points, device=DEVICE) * 6 - 3, torch.rand(2, 2, points, device=DEVICE) * 6 - 3):

        def tables():
            told = there(x, omega, norm="ortho")
            back(told, omega, norm="ortho").abs().sum().backward()

        def mapped():
            told = there(x[:, :1], omega, smaps=maps)
            back(told, omega, smaps=maps)

        def toeplitz():
            kernel = tkbn.calc_toeplitz_kernel(omega, side, norm="ortho")
            toep(x, kernel, norm="ortho")

        def weighed():
            tkbn.calc_density_compensation_function(ktraj=omega, im_size=side, num_iterations=3)

        def spread():
            grid = torch.randn(2, coils, 32, 32, device=DEVICE, dtype=torch.complex64)
            out(into(grid, omega), omega)

        for name, what in (("tables", tables), ("mapped", mapped), ("toeplitz", toeplitz), ("weighed", weighed), ("spread", spread)):
            tried(name, at, what)

    def sparse():
        omega = torch.rand(2, points, device=DEVICE) * 6 - 3
        matrices = tkbn.calc_tensor_spmatrix(omega, im_size=side)
        back(there(x, omega, interp_mats=matrices), omega, interp_mats=matrices)

    tried("sparse", at, sparse)
    real = torch.randn(2, coils, *side, 2, device=DEVICE)
    tried("real", at, lambda: (there(real, torch.rand(2, points, device=DEVICE)), tkbn.complex_mult(real, real), tkbn.absolute(real), tkbn.inner_product(real, real), tkbn.complex_sign(real)))
    step()
