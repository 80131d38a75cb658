"""karpathy/makemore at 988aa59e4d8fefa526d06f3b453ad116258398d4"""

import runpy
import sys

for kind in ("transformer", "rnn", "gru", "mlp", "bow", "bigram"):
    sys.argv = ["makemore.py", "--device", DEVICE, "--max-steps", "4", "-n", "0", "--type", kind]
    sys.argv += ["-i", str(FOLDER / "names.txt")]
    made = runpy.run_path(str(FOLDER / "makemore.py"), run_name="__main__")
    for _ in range(2):
        made["evaluate"](made["model"], made["test_dataset"], batch_size=100, max_batches=3)
        made["print_samples"](num=4)
        step()
