"""piq 0.8.0"""

import torch
import torchvision

torchvision.models.vgg16 = lambda *_, **__: torchvision.models.VGG(torchvision.models.vgg.make_layers(torchvision.models.vgg.cfgs["D"]), 10, False)
torchvision.models.vgg19 = lambda *_, **__: torchvision.models.VGG(torchvision.models.vgg.make_layers(torchvision.models.vgg.cfgs["E"]), 10, False)
import piq

pairs = (piq.ssim, piq.multi_scale_ssim, piq.psnr, piq.vif_p, piq.fsim, piq.gmsd, piq.multi_scale_gmsd, piq.vsi, piq.mdsi, piq.haarpsi, piq.dss, piq.srsim, piq.information_weighted_ssim)
losses = (piq.SSIMLoss, piq.MultiScaleSSIMLoss, piq.VIFLoss, piq.FSIMLoss, piq.GMSDLoss, piq.MultiScaleGMSDLoss, piq.VSILoss, piq.MDSILoss, piq.HaarPSILoss, piq.DSSLoss, piq.SRSIMLoss, piq.InformationWeightedSSIMLoss)
sets = (piq.FID, piq.KID, piq.IS, piq.PR, piq.MSID)
deep = (piq.ContentLoss, piq.StyleLoss)
for at in range(3):
    x, y = torch.rand(2, 3, 192, 192, device=DEVICE, requires_grad=True), torch.rand(2, 3, 192, 192, device=DEVICE)
    for measure in pairs:
        try:
            measure(x.detach(), y)
        except Exception as no:
            print(measure.__name__, type(no), str(no)[:90])
    for kind in losses:
        try:
            kind().to(DEVICE)(x, y).backward()
        except Exception as no:
            print(kind.__name__, type(no), str(no)[:90])
    piq.total_variation(y), piq.TVLoss()(x).backward()
    for kind in sets:
        try:
            kind()(torch.rand(40, 8, device=DEVICE), torch.rand(40, 8, device=DEVICE))
        except Exception as no:
            print(kind.__name__, type(no), str(no)[:90])
    for kind in deep:
        try:
            kind(feature_extractor="vgg16", layers=("relu1_2",)).to(DEVICE)(x[:, :, :64, :64], y[:, :, :64, :64]).backward()
        except Exception as no:
            print(kind.__name__, type(no), str(no)[:90])
    step()
