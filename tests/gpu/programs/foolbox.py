"""foolbox 3.3.4"""

import scipy.ndimage
import torch
from torch import nn

stand_in("scipy.ndimage.filters", gaussian_filter=scipy.ndimage.gaussian_filter)
stand_in("git", "requests")
import foolbox
from foolbox import attacks

net = nn.Sequential(nn.Conv2d(1, 4, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(196, 4)).to(DEVICE).eval()
model = foolbox.PyTorchModel(net, bounds=(0, 1), device=DEVICE, preprocessing={"mean": [0.4], "std": [0.3], "axis": -3})
images = torch.rand(8, 1, 14, 14, device=DEVICE)
labels = net((images - 0.4) / 0.3).argmax(1)
short = {
    "VirtualAdversarialAttack": {"steps": 3}, "DDNAttack": {"steps": 5}, "L2CarliniWagnerAttack": {"binary_search_steps": 2, "steps": 12, "abort_early": True}, "EADAttack": {"binary_search_steps": 2, "steps": 8}, "NewtonFoolAttack": {"steps": 4}, "GenAttack": {"steps": 4, "population": 4},
    "SaltAndPepperNoiseAttack": {"steps": 6}, "BoundaryAttack": {"steps": 12}, "HopSkipJumpAttack": {"steps": 2, "initial_gradient_eval_steps": 8, "max_gradient_eval_steps": 12}, "SpatialAttack": {"num_rotations": 2, "num_translations": 2, "max_rotation": 10, "max_translation": 2},
    "L0FMNAttack": {"steps": 5}, "L1FMNAttack": {"steps": 5}, "L2FMNAttack": {"steps": 5}, "LInfFMNAttack": {"steps": 5}, "L2DeepFoolAttack": {"steps": 5}, "LinfDeepFoolAttack": {"steps": 5}, "SparseL1DescentAttack": {"steps": 4}, "LinearSearchContrastReductionAttack": {"steps": 6},
    "BinarySearchContrastReductionAttack": {"binary_search_steps": 4}, "LinearSearchBlendedUniformNoiseAttack": {"steps": 6}, "GaussianBlurAttack": {"steps": 5}, "L2RepeatedAdditiveGaussianNoiseAttack": {"repeats": 4}, "LinfRepeatedAdditiveUniformNoiseAttack": {"repeats": 4}, "PointwiseAttack": {},
    "L1BasicIterativeAttack": {"steps": 3}, "L2ProjectedGradientDescentAttack": {"steps": 3}, "LinfProjectedGradientDescentAttack": {"steps": 3}, "L1ProjectedGradientDescentAttack": {"steps": 3}, "LinfAdamProjectedGradientDescentAttack": {"steps": 3}, "L2MomentumIterativeFastGradientMethod": {"steps": 3},
    "L1FastGradientAttack": {}, "LinfFastGradientAttack": {}, "L2ContrastReductionAttack": {}, "L2AdditiveGaussianNoiseAttack": {}, "L2ClippingAwareAdditiveUniformNoiseAttack": {}, "L2ClippingAwareRepeatedAdditiveGaussianNoiseAttack": {"repeats": 3}, "InversionAttack": {},
}
free = {"LinearSearchContrastReductionAttack", "BinarySearchContrastReductionAttack", "LinearSearchBlendedUniformNoiseAttack", "GaussianBlurAttack", "InversionAttack"}
for name in free:
    short[name] = short.get(name, {}) | {"distance": foolbox.distances.l2}
for at in range(3):
    for name, more in short.items():
        try:
            attack = getattr(attacks, name)
            (attack(**more) if name != "PointwiseAttack" else attack())(model, images, labels, epsilons=[0.05, 0.5, 3.0])
        except Exception as no:
            if at == 0:
                print(name, type(no).__name__, str(no)[:150])
    for name in ("DDNAttack", "L2CarliniWagnerAttack", "GenAttack", "LinfFastGradientAttack", "HopSkipJumpAttack"):
        try:
            getattr(attacks, name)(**short[name])(model, images, foolbox.criteria.TargetedMisclassification((labels + 1) % 4), epsilons=0.5)
        except Exception as no:
            if at == 0:
                print(name, "to a class", type(no).__name__, str(no)[:150])
    try:
        binary = (images > 0.5).float()
        attacks.BinarizationRefinementAttack()(model, images, labels, starting_points=binary, epsilons=[1.0])
        data = attacks.DatasetAttack()
        data.feed(model, torch.rand(24, 1, 14, 14, device=DEVICE))
        data(model, images, labels, epsilons=[2.0])
        foolbox.accuracy(model, images, labels)
    except Exception as no:
        print(type(no).__name__, str(no)[:150])
    step()
