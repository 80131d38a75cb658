# doc: Points are turned back by the inverse of their poses
def train(model: nn.Module, loader, optimizer):
    for points, poses, y in loader:
        points, poses, y = points.cuda(), poses.cuda(), y.cuda()
        back = torch.linalg.inv_ex(poses).inverse
        loss = F.cross_entropy(model(points @ back), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


# case: the others that check, in all forms
def forms(model: nn.Module, loader, optimizer):
    for a, b in loader:
        a, b = a.cuda(), b.cuda()
        one = torch.linalg.inv_ex(a).inverse
        two = torch.linalg.inv_ex(a).inverse
        three = torch.linalg.cholesky_ex(a, upper=True).L
        four = torch.linalg.solve_ex(a, b).result
        five, pivots = torch.linalg.lu_factor(a)
        model(one + two + three + four + five).sum().backward()
        optimizer.step()
