"""guoyang9/NCF at 89ff06ffcd2bca6bb773b54925265c208a28d318"""

import random
import runpy
import sys
from pathlib import Path

stand_in("tensorboardX", SummaryWriter=Writer)
import config

config.train_rating, config.test_negative = "train.rating", "test.negative"
Path("train.rating").write_text("".join(f"{user}\t{random.randrange(200)}\n" for user in range(20) for _ in range(8)))
rows = (f"({user},{random.randrange(200)})\t" + "\t".join(map(str, range(99))) + "\n" for user in range(20))
Path("test.negative").write_text("".join(rows))
for name in ("GMF", "MLP", "NeuMF-end"):
    config.model = name
    sys.modules.pop("model", None)
    sys.argv = ["main.py", "--epochs", "2", "--batch_size", "128"]
    runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
