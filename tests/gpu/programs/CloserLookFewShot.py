"""wyharveychen/CloserLookFewShot at e03aca8a2d01c9b5861a5a816cd5d3fdfc47cd45, `loss.data[0]` written `loss.item()`"""

import runpy
import sys

import torch


class Episodes:
    """Pictures of noise, four episodes."""

    def __init__(self, size, n_way=None, n_support=None, n_query=None, batch_size=None):
        self.size, self.way, self.shots, self.batch = size, n_way, (n_support or 0) + (n_query or 0), batch_size

    def get_data_loader(self, *_, **__):
        return self

    def __len__(self):
        return 4

    def __iter__(self):
        for _ in range(4):
            if self.batch:
                yield torch.randn(self.batch, 3, self.size, self.size), torch.randint(0, 200, (self.batch,))
            else:
                labels = torch.arange(self.way)[:, None].repeat(1, self.shots)
                yield torch.randn(self.way, self.shots, 3, self.size, self.size), labels


stand_in("h5py")
stand_in("data.datamgr", SimpleDataManager=Episodes, SetDataManager=Episodes)
import configs

configs.save_dir = "saved"
for method, more in (("baseline", []), ("baseline++", []), ("protonet", []), ("matchingnet", []), ("relationnet", []), ("relationnet_softmax", []), ("maml_approx", [])):
    sys.argv = ["train.py", "--method", method, "--stop_epoch", "1" if "maml" in method else "2", "--train_n_way", "3", "--test_n_way", "3", "--n_shot", "2"]
    runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
    step()
