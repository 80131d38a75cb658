"""deepctr-torch 0.3.0"""

import numpy as np

stand_in("requests", "packaging", "packaging.version")
stand_in("sklearn")
stand_in("sklearn.metrics", **{name: lambda *_, **__: 0.5 for name in ("log_loss", "roc_auc_score", "mean_squared_error", "accuracy_score")})
from deepctr_torch.inputs import DenseFeat, SparseFeat, VarLenSparseFeat, get_feature_names
from deepctr_torch.models import DCN, DIN, DeepFM, FiBiNET, xDeepFM

count = 96
columns = [SparseFeat("item", 20, embedding_dim=4), SparseFeat("user", 10, embedding_dim=4), DenseFeat("age", 1)]
columns += [VarLenSparseFeat(SparseFeat("words", 30, embedding_dim=4), maxlen=5, combiner=how, length_name=None) for how in ("mean",)]
data = {"item": np.random.randint(0, 20, count), "user": np.random.randint(0, 10, count), "age": np.random.rand(count), "words": np.random.randint(0, 30, (count, 5))}
labels = np.random.randint(0, 2, count)
for kind, more in ((DeepFM, {}), (DCN, {}), (xDeepFM, {}), (FiBiNET, {})):
    model = kind(columns, columns, task="binary", l2_reg_embedding=1e-5, device=DEVICE, **more)
    model.compile("adam", "binary_crossentropy", metrics=["binary_crossentropy", "auc"])
    model.fit({name: data[name] for name in get_feature_names(columns)}, labels, batch_size=16, epochs=2, verbose=2, validation_split=0.25)
    model.predict(data, batch_size=16)
columns = [SparseFeat("user", 10, embedding_dim=4), SparseFeat("item_id", 20 + 1, embedding_dim=8), DenseFeat("score", 1)]
columns += [VarLenSparseFeat(SparseFeat("hist_item_id", 20 + 1, embedding_dim=8, embedding_name="item_id"), 4, length_name="seq_length")]
data = {"user": np.random.randint(0, 10, count), "item_id": np.random.randint(1, 20, count), "score": np.random.rand(count)}
data |= {"hist_item_id": np.random.randint(1, 20, (count, 4)), "seq_length": np.random.randint(1, 5, count)}
model = DIN(columns, ["item_id"], device=DEVICE, att_weight_normalization=True)
model.compile("adagrad", "binary_crossentropy", metrics=["binary_crossentropy"])
model.fit({name: data[name] for name in get_feature_names(columns)}, labels, batch_size=16, epochs=2, verbose=2)
model.predict(data, batch_size=16)
