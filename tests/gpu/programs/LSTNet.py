"""laiguokun/LSTNet at 093c4dced7b7f7405be0620d65bb288b6d7ab4f0, `.data[0]` written `.item()`, `skip` a whole number"""

import os
import runpy
import sys

import numpy as np
import torch

os.mkdir("model")
np.savetxt("data.txt", np.random.rand(400, 6), delimiter=",")
load = torch.load
torch.load = lambda *arguments, **named: load(*arguments, **{"weights_only": False, **named})
few = ["--data", "data.txt", "--window", "24", "--skip", "4", "--highway_window", "4", "--hidCNN", "8", "--hidRNN", "8", "--horizon", "3", "--batch_size", "32", "--gpu", "0"]
for more in (["--epochs", "5"], ["--epochs", "2", "--optim", "sgd", "--L1Loss", "", "--output_fun", "no"]):
    sys.argv = ["main.py", *few, *more]
    runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
