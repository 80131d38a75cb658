"""649453932/Chinese-Text-Classification-Pytorch at 6cb26819af7b646275aff8a4693676f2849e67f6"""

import random
import runpy
import sys
from pathlib import Path

stand_in("tensorboardX", SummaryWriter=lambda log_dir: Writer())
data = Path("THUCNews/data")
data.mkdir(parents=True)
for folder in ("saved_dict", "log"):
    Path("THUCNews", folder).mkdir()
(data / "class.txt").write_text("\n".join(f"class{at}" for at in range(10)), encoding="utf-8")
for part, many in (("train", 70), ("dev", 40), ("test", 40)):
    (data / f"{part}.txt").write_text("\n".join("".join(chr(0x4E00 + random.randint(0, 300)) for _ in range(random.randint(8, 30))) + f"\t{at % 10}" for at in range(many)), encoding="utf-8")
import importlib

for name in ("TextCNN", "TextRNN", "FastText", "TextRCNN", "TextRNN_Att", "DPCNN", "Transformer"):
    module = importlib.import_module(f"models.{name}")
    made = module.Config.__init__

    def short(self, *given, made=made):
        made(self, *given)
        self.num_epochs, self.batch_size = 3, 16
        if hasattr(self, "n_gram_vocab"):
            self.n_gram_vocab = 500

    module.Config.__init__ = short
    sys.argv = ["run.py", "--model", name, "--embedding", "random"]
    try:
        runpy.run_path(str(FOLDER / "run.py"), run_name="__main__")
    except Exception as no:
        print(name, type(no).__name__, str(no)[:200])
