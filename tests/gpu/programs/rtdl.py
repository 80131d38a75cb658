"""rtdl 0.0.13"""

import torch

import rtdl

numbers, kinds = torch.randn(32, 5, device=DEVICE), torch.randint(0, 3, (32, 2), device=DEVICE)
models = [
    rtdl.MLP.make_baseline(5, [32, 16], 0.1, 1),
    rtdl.ResNet.make_baseline(d_in=5, n_blocks=2, d_main=16, d_hidden=32, dropout_first=0.1, dropout_second=0.0, d_out=1),
    rtdl.FTTransformer.make_default(n_num_features=5, cat_cardinalities=[3, 3], n_blocks=2, last_layer_query_idx=[-1], d_out=1),
]
for model in models:
    model.to(DEVICE)
    late = isinstance(model, rtdl.FTTransformer)
    optimizer = model.make_default_optimizer() if late else torch.optim.AdamW(model.parameters())
    for _ in range(4):
        optimizer.zero_grad()
        (model(numbers, kinds) if late else model(numbers)).square().mean().backward()
        optimizer.step()
    with torch.no_grad():
        for _ in range(2):
            model.eval()(numbers, kinds) if late else model.eval()(numbers)
            step()
for _ in range(3):
    rtdl.data.get_category_sizes(kinds.cpu().numpy())
    step()
