"""DeepGraphLearning/KnowledgeGraphEmbedding at 2e440e0f9c687314d5ff67ead68ce985dc446e3a"""

import random
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(FOLDER / "codes"))
np.in1d = np.isin
import run

Path("made").mkdir()
Path("made/entities.dict").write_text("".join(f"{at}\te{at}\n" for at in range(40)))
Path("made/relations.dict").write_text("".join(f"{at}\tr{at}\n" for at in range(4)))
Path("made/regions.list").write_text("".join(f"e{at}\n" for at in range(5)))
for name, count in (("train", 200), ("valid", 12), ("test", 12)):
    rows = (f"e{random.randrange(40)}\tr{random.randrange(4)}\te{random.randrange(40)}\n" for _ in range(count))
    Path(f"made/{name}.txt").write_text("".join(rows))
for model, more in (
    ("TransE", ["-adv"]),
    ("DistMult", ["-r", "0.001"]),
    ("ComplEx", ["-de", "-dr", "--uni_weight"]),
    ("RotatE", ["-de", "-adv"]),
    ("pRotatE", ["--countries"]),
):
    command = ["--data_path", "made", "--model", model, "-save", f"out-{model}", "--do_train", "--do_valid", "--do_test"]
    command += ["--max_steps", "6", "--log_steps", "2", "--valid_steps", "3", "--save_checkpoint_steps", "3"]
    command += ["-d", "32", "-b", "16", "-n", "8", "-cpu", "2", "--test_log_steps", "1", *more]
    run.main(run.parse_args(command + (["--cuda"] if DEVICE == "cuda" else [])))
    step()
