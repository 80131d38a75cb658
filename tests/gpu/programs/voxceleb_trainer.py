"""clovaai/voxceleb_trainer at f51bab870672a9b0b50fa158b4e30f329e7866d7"""

from pathlib import Path

import torch

stand_in("soundfile", "tensorboardX")
import SpeakerNet


class Test(torch.utils.data.Dataset):
    """Ten pieces of each of the recordings."""

    def __init__(self, names, *_, **__):
        self.names = names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, at):
        return torch.randn(4, 16000), self.names[at]


SpeakerNet.test_dataset_loader = Test
Path("trials").write_text("".join(f"{at % 2} a{at} b{at}\n" for at in range(4)))
given = {"nOut": 32, "nClasses": 6, "lr": 1e-3, "lr_decay": 0.9, "test_interval": 1, "weight_decay": 0, "margin": 0.2}
given |= {"scale": 30, "hard_rank": 0, "hard_prob": 0.5, "encoder_type": "SAP", "n_mels": 40, "log_input": True}
given |= {"max_frames": 100, "sinc_stride": 10, "scheduler": "steplr", "max_epoch": 2}
for loss, each in (("softmax", 1), ("aamsoftmax", 1), ("amsoftmax", 1), ("ge2e", 2), ("angleproto", 2)):
    loader = [(torch.randn(6, each, 16000), torch.randint(0, 6, (6,))) for _ in range(3)]
    kind = "ResNetSE34L" if each == 1 else "ResNetSE34V2"
    net = SpeakerNet.SpeakerNet(model=kind, optimizer="adam", trainfunc=loss, nPerSpeaker=each, **given)
    model = SpeakerNet.WrappedModel(net).to(DEVICE)
    trainer = SpeakerNet.ModelTrainer(model, optimizer="adam", gpu=0, mixedprec=each == 1, **given)
    trainer.train_network(loader, verbose=True)
    trainer.evaluateFromList("trials", "", 0, False, num_eval=4)
    trainer.saveParameters("model", 1)
    step()
