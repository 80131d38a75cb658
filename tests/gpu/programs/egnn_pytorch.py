"""egnn-pytorch 0.2.8"""

import torch
from egnn_pytorch import EGNN, EGNN_Network

for more in ({}, {"num_nearest_neighbors": 4, "norm_coors": True}, {"only_sparse_neighbors": True, "num_adj_degrees": 2, "adj_dim": 4}, {"global_linear_attn_every": 1, "global_linear_attn_heads": 2, "global_linear_attn_dim_head": 8}):
    model = EGNN_Network(num_tokens=12, dim=16, depth=2, num_positions=20, num_edge_tokens=4, edge_dim=4, **more).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        atoms, places = torch.randint(0, 12, (2, 16), device=DEVICE), torch.randn(2, 16, 3, device=DEVICE)
        near = (torch.arange(16, device=DEVICE)[:, None] - torch.arange(16, device=DEVICE)).abs() <= 1
        edges, mask = torch.randint(0, 4, (2, 16, 16), device=DEVICE), torch.ones(2, 16, dtype=torch.bool, device=DEVICE)
        feats, moved = model(atoms, places, adj_mat=near, edges=edges, mask=mask)
        optimizer.zero_grad()
        (feats.sum() + moved.sum()).backward()
        optimizer.step()
        model(atoms, places, adj_mat=near, edges=edges, mask=mask, return_coor_changes=True)
layer = EGNN(dim=16, edge_dim=4, fourier_features=2, soft_edges=True, coor_weights_clamp_value=2.0).to(DEVICE)
for _ in range(3):
    layer(torch.randn(2, 16, 16, device=DEVICE), torch.randn(2, 16, 3, device=DEVICE), edges=torch.randn(2, 16, 16, 4, device=DEVICE))
    step()
