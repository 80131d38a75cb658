"""geoopt 0.5.1"""

import torch

stand_in("scipy", "scipy.special", "scipy.optimize", "scipy.linalg", "scipy.stats")
import geoopt

made = [
    geoopt.PoincareBall(),
    geoopt.Sphere(),
    geoopt.Euclidean(1),
    geoopt.Stereographic(-1.0),
    geoopt.SphereProjection(),
    geoopt.Lorentz(),
    geoopt.CanonicalStiefel(),
    geoopt.EuclideanStiefel(),
    geoopt.SymmetricPositiveDefinite(),
    geoopt.BirkhoffPolytope(),
]
for manifold in made:
    manifold = manifold.to(DEVICE)
    shape = (4, 4)
    start = torch.rand(shape, device=DEVICE) * 0.1 + torch.eye(4, device=DEVICE)
    point = geoopt.ManifoldParameter(manifold.projx(start), manifold=manifold)
    for make in (geoopt.optim.RiemannianAdam, geoopt.optim.RiemannianSGD):
        optimizer = make(
            [point],
            lr=1e-3,
            stabilize=2,
            **({"amsgrad": True} if make is geoopt.optim.RiemannianAdam else {"momentum": 0.9}),
        )
        for _ in range(4):
            optimizer.zero_grad()
            ((point - 0.3) ** 2).sum().backward()
            optimizer.step()
    with torch.no_grad():
        for _ in range(2):
            tangent = manifold.proju(point.data, torch.randn(shape, device=DEVICE) * 0.01)
            moved = manifold.retr(point.data, tangent)
            manifold.inner(point.data, tangent)
            try:
                manifold.transp(point.data, moved, tangent)
                manifold.dist(point.data, moved)
                manifold.expmap(point.data, tangent)
                manifold.logmap(point.data, moved)
            except NotImplementedError:
                pass
            manifold.check_point_on_manifold(point.data)
            manifold.assert_check_point(point.data)
            step()
