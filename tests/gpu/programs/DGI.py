"""PetarV-/DGI at 61baf67d7052905c77bdeb28c22926f04e182362"""

import numpy as np
import scipy.sparse

stand_in("scipy.sparse.linalg.eigen", arpack=None)
stand_in("scipy.sparse.linalg.eigen.arpack", eigsh=None)
from utils import process

nodes, words, kinds = 300, 40, 4


def load_data(_):
    """Edges, words and labels at random."""
    edges = scipy.sparse.random(nodes, nodes, 0.02, format="csr")
    labels = np.eye(kinds)[np.random.randint(kinds, size=nodes)]
    return edges + edges.T, scipy.sparse.random(nodes, words, 0.2, format="lil"), labels, range(60), range(60, 120), list(range(120, nodes))


process.load_data = load_data
process.preprocess_features = lambda features: (features.toarray(), None)
path = FOLDER / "execute.py"
text = path.read_text(encoding="utf-8").replace("nb_epochs = 10000", "nb_epochs = 8").replace("range(50)", "range(4)").replace("range(100)", "range(5)")
exec(compile(text, str(path), "exec"), {"__name__": "__main__"})
