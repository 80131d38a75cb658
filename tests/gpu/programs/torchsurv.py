"""torchsurv 0.2.0"""

import torch

import torchsurv

many = 48


def made():
    time = torch.randint(1, 40, (many,), device=DEVICE).float()  # with ties
    return torch.rand(many, device=DEVICE) < 0.6, time


net = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2)).to(DEVICE)
slow = torchsurv.Momentum(torch.nn.Linear(6, 1).to(DEVICE), torchsurv.neg_partial_log_likelihood, steps=3, rate=0.99)
optimizer = torch.optim.Adam([*net.parameters(), *slow.online.parameters()], lr=1e-3)
for at in range(3):
    event, time = made()
    told = torch.randn(many, 6, device=DEVICE)
    later, strata = torch.linspace(0.0, 40.0, 12, device=DEVICE), torch.arange(many, device=DEVICE) % 2
    for ties in ("efron", "breslow"):
        tried(ties, at, lambda: torchsurv.neg_partial_log_likelihood(net(told)[:, 0], event, time, ties_method=ties).backward())
        tried(ties, at, lambda: torchsurv.neg_partial_log_likelihood(net(told)[:, 0], event, time, ties_method=ties, strata=strata).backward())
    tried("varying", at, lambda: torchsurv.neg_partial_log_likelihood(net(told)[:, 0][:, None].expand(many, many), event, time).backward())
    tried("Weibull", at, lambda: torchsurv.neg_log_likelihood_weibull(net(told), event, time).backward())
    tried("survival", at, lambda: torchsurv.neg_log_likelihood(net(told)[:, :1].expand(many, 12), event, time, later).backward())
    tried("momentum", at, lambda: slow(told, event, time).backward())
    optimizer.step()
    optimizer.zero_grad()
    with torch.no_grad():
        risk, shape = net(told)[:, 0], net(told)

        def told_by_cox():
            base = torchsurv.baseline_survival_function(risk, event, time)
            torchsurv.survival_function_cox(base, risk, later)

        def cindex():
            found = torchsurv.ConcordanceIndex()
            found(risk, event, time)
            for method in ("noether", "conservative", "bootstrap"):
                tried(method, at, lambda: found.confidence_interval(method=method, n_bootstraps=4) if method == "bootstrap" else found.confidence_interval(method=method))
            tried("p", at, lambda: found.p_value(method="noether"))
            other = torchsurv.ConcordanceIndex()
            other(risk + 0.1 * torch.randn_like(risk), event, time)
            tried("compare", at, lambda: found.compare(other, method="noether"))
            tried("weights", at, lambda: found(risk, event, time, weight=torchsurv.get_ipcw(event, time)))

        def auc():
            found, weight = torchsurv.Auc(), torchsurv.get_ipcw(event, time)
            found(risk, event, time, weight=weight)
            tried("integral", at, found.integral)
            tried("interval", at, lambda: found.confidence_interval(method="blanche"))
            tried("bootstrap", at, lambda: found.confidence_interval(method="bootstrap", n_bootstraps=4))
            tried("incident", at, lambda: found(risk, event, time, auc_type="incident"))

        def brier():
            found = torchsurv.BrierScore()
            found(torch.rand(many, 12, device=DEVICE).sort(dim=1, descending=True)[0], event, time, later.clamp(1, 39))
            found.integral()
            tried("brier interval", at, lambda: found.confidence_interval(method="parametric"))
            tried("brier bootstrap", at, lambda: found.confidence_interval(method="bootstrap", n_bootstraps=4))

        def meier():
            found = torchsurv.KaplanMeierEstimator()
            found(event, time)
            found.predict(time[:8].clamp(max=float(time.max())))
            found(event, time, censoring_dist=True)

        for what in (told_by_cox, cindex, auc, brier, meier):
            tried(what.__name__, at, what)
        tried("ipcw", at, lambda: torchsurv.get_ipcw(event, time, time[:6]))
        tried("Weibull of", at, lambda: (torchsurv.survival_function_weibull(shape, later), torchsurv.log_hazard(shape, later)))
        tried("survival of", at, lambda: torchsurv.survival_function(risk[:, None].expand(many, 12), later, later))
        tried("slow", at, lambda: slow.infer(told))
    step()
