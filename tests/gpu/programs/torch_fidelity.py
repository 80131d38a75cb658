"""torch-fidelity 0.4.0"""

import torch

import torch_fidelity as made


class Features(made.FeatureExtractorBase):
    """Of a random network, in place of one whose weights are downloaded."""

    def __init__(self, name, features_list, **_):
        super().__init__(name, features_list)
        self.net = torch.nn.Linear(3 * 16 * 16, 24)

    @staticmethod
    def get_provided_features_list():
        return ("logits", "pool")

    @staticmethod
    def get_default_feature_layer_for_metric(metric):
        return "logits" if metric == "isc" else "pool"

    @staticmethod
    def can_be_compiled():
        return False

    def forward(self, x):
        out = self.net(x.flatten(1).float() / 255)
        return tuple(out for _ in self.features_list)


class Images(torch.utils.data.Dataset):
    def __len__(self):
        return 60

    def __getitem__(self, at):
        return torch.randint(0, 255, (3, 16, 16), dtype=torch.uint8)


class Similar(made.SampleSimilarityBase):
    def __init__(self, name, **_):
        super().__init__(name)

    def forward(self, one, other):
        return (one.float() - other.float()).square().mean((1, 2, 3))


class Generator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(8, 3 * 16 * 16)

    def forward(self, z):
        return (self.net(z).sigmoid() * 255).to(torch.uint8).view(-1, 3, 16, 16)


made.register_feature_extractor("made", Features)
made.register_sample_similarity("made", Similar)
generator = made.GenerativeModelModuleWrapper(Generator(), 8, "normal", 0)
same = {"cuda": DEVICE == "cuda", "feature_extractor": "made", "batch_size": 16, "verbose": False, "save_cpu_ram": True}
same |= {"kid_subsets": 4, "kid_subset_size": 20, "isc_splits": 2, "input2": Images(), "cache": False}
same |= {"input1_model_num_samples": 48, "ppl_sample_similarity": "made", "ppl_z_interp_mode": "lerp"}
same |= {"ppl_discard_percentile_lower": None, "ppl_discard_percentile_higher": None}
for input1, ppl in ((Images(), False), (generator, True)):
    for more in ({}, {"prc_batch_size": 20}):
        made.calculate_metrics(input1=input1, isc=True, fid=True, kid=True, prc=True, ppl=ppl, **same, **more)
        step()
