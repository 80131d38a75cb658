"""facebookresearch/DeepSDF at 48c19b8d49ed5293da4edd7da8c3941444bc5cd7"""

import json
from pathlib import Path

import numpy as np

stand_in("plyfile", "skimage", "skimage.measure", "trimesh")
import train_deep_sdf

EPOCHS, SCENES, SAMPLES, BATCH, REPEATED = 2, 32, 1024, 8, 1
draw = np.random.RandomState(0)
folder = Path("data/SdfSamples/made/chairs")
folder.mkdir(parents=True)
for at in range(SCENES):
    np.savez(folder / f"{at}.npz", pos=draw.randn(SAMPLES, 4).astype(np.float32), neg=-np.abs(draw.randn(SAMPLES, 4)).astype(np.float32))
Path("split.json").write_text(json.dumps({"made": {"chairs": [str(at) for at in range(SCENES)] * REPEATED}}))
specs = json.loads((FOLDER / "examples/chairs/specs.json").read_text())
specs |= {"Description": "Chairs", "DataSource": "data", "TrainSplit": "split.json", "NumEpochs": EPOCHS, "AdditionalSnapshots": [], "SamplesPerScene": SAMPLES, "ScenesPerBatch": BATCH, "DataLoaderThreads": 4, "LogFrequency": 2}
for name in ("ModelParameters", "OptimizerParameters", "LatentCodes"):
    Path("experiment", name).mkdir(parents=True)
Path("experiment/specs.json").write_text(json.dumps(specs))
train_deep_sdf.main_function("experiment", None, 1)
