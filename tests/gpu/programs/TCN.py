"""locuslab/TCN at 2f8c2b817050206397458dfd1f5a25ce8a32fe65"""

import runpy
import sys

given = [] if DEVICE == "cuda" else ["--cuda"]
sys.argv = [
    "add_test.py",
    "--epochs",
    "1",
    "--batch_size",
    "5000",
    "--seq_len",
    "60",
    "--log-interval",
    "3",
    "--clip",
    "1",
    *given,
]
runpy.run_path(str(FOLDER / "TCN/adding_problem/add_test.py"), run_name="__main__")
sys.argv = [
    "copymem_test.py",
    "--epochs",
    "1",
    "--batch_size",
    "2500",
    "--blank_len",
    "30",
    "--log-interval",
    "2",
    *given,
]
runpy.run_path(str(FOLDER / "TCN/copy_memory/copymem_test.py"), run_name="__main__")
