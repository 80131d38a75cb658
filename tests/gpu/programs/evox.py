"""evox 1.4.0"""

import torch
from evox import algorithms, metrics
from evox.problems import numerical
from evox.problems.hpo_wrapper import HPOFitnessMonitor, HPOProblemWrapper
from evox.problems.neuroevolution.supervised_learning import SupervisedLearningProblem
from evox.utils import ParamsAndVector
from evox.workflows import EvalMonitor, StdWorkflow

DIM, MANY, STEPS = 10, 40, 4
low, high, middle = (torch.full((DIM,), value, device=DEVICE) for value in (-32.0, 32.0, 1.0))
bounded = {"pop_size": MANY, "lb": low, "ub": high}
centred = {"pop_size": MANY, "center_init": middle}
more = {
    **dict.fromkeys(("DE", "SHADE", "CoDE", "SaDE", "ODE", "JaDE", "CLPSO", "CSO", "FSPSO", "PSO", "SLPSOGS", "SLPSOUS"), bounded),
    **dict.fromkeys(("DES", "SNES", "ARS", "ASEBO", "PersistentES", "NoiseReuseES", "GuidedES", "ESMC"), centred),
    "DMSPSOEL": {"lb": low, "ub": high},
    "OpenES": {**centred, "learning_rate": 0.05, "noise_stdev": 0.02},
}
more["ESMC"] = {**centred, "pop_size": MANY + 1}
optimized = {**{f"{name} by Adam": (name, {**centred, "optimizer": "adam"}) for name in ("ARS", "ASEBO", "PersistentES", "GuidedES", "NoiseReuseES")}, **{name: (name, kept) for name, kept in more.items()}}
for title, (name, kept) in optimized.items():

    def ran():
        monitor = EvalMonitor(topk=2, full_sol_history=True, device=DEVICE)
        workflow = StdWorkflow(getattr(algorithms, name)(**kept, device=DEVICE), numerical.Ackley(), monitor, device=DEVICE)
        workflow.init_step()
        for _ in range(STEPS):
            workflow.step()
            monitor.get_best_fitness(), monitor.get_topk_solutions()
            step()

    tried(title, 0, ran)
for problem in ("Griewank", "Rastrigin", "Rosenbrock", "Schwefel", "Sphere", "Ellipsoid"):

    def asked():
        for _ in range(STEPS):
            getattr(numerical, problem)().evaluate(torch.rand(MANY, DIM, device=DEVICE))
            step()

    tried(problem, 0, asked)
for number in (1, 3, 5, 6, 9, 10):

    def asked():
        problem = numerical.CEC2022(number, DIM, device=DEVICE)
        for _ in range(STEPS):
            problem.evaluate(torch.rand(MANY, DIM, device=DEVICE))
            step()

    tried(f"CEC {number}", 0, asked)
unit = {"lb": torch.zeros(12, device=DEVICE), "ub": torch.ones(12, device=DEVICE), "n_objs": 3, "pop_size": 36, "device": DEVICE}
for name in ("NSGA2", "MOEAD", "RVEAa", "HypE"):
    for kind in ("DTLZ2", "DTLZ5") if name == "NSGA2" else ("DTLZ1",):

        def ran():
            problem = getattr(numerical, kind)(d=12, m=3)
            monitor = EvalMonitor(multi_obj=True, full_sol_history=True, device=DEVICE)
            workflow = StdWorkflow(getattr(algorithms, name)(**unit), problem, monitor, device=DEVICE)
            workflow.init_step()
            for at in range(STEPS):
                workflow.step()
                front, found = problem.pf().to(DEVICE), workflow.algorithm.fit
                metrics.igd(found, front), metrics.gd(found, front)
                tried("hv", at, lambda: metrics.hv(found, torch.full((3,), 1.1, device=DEVICE)))
                step()
            monitor.get_pf(), monitor.get_pf_fitness()

        tried(f"{name} {kind}", 0, ran)


def learned():
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3)).to(DEVICE)
    both = ParamsAndVector(dummy_model=model)
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 8), torch.arange(64) % 3), batch_size=16)
    problem = SupervisedLearningProblem(model=model, data_loader=data, criterion=torch.nn.CrossEntropyLoss(reduction="none"), pop_size=MANY, device=DEVICE)
    centre = both.to_vector(dict(model.named_parameters()))
    workflow = StdWorkflow(algorithms.OpenES(MANY, centre, 0.05, 0.02, device=DEVICE), problem, EvalMonitor(device=DEVICE), solution_transform=both, device=DEVICE)
    workflow.init_step()
    for _ in range(STEPS):
        workflow.step()
        step()


def tuned():
    inner = StdWorkflow(algorithms.PSO(**bounded, device=DEVICE), numerical.Sphere(), HPOFitnessMonitor(), device=DEVICE)
    problem = HPOProblemWrapper(iterations=3, num_instances=4, workflow=inner, copy_init_state=True)
    asked = problem.get_init_params()
    for _ in range(2):
        problem.evaluate({name: asked[name] for name in list(asked)[:3]})
        step()


tried("learned", 0, learned)
tried("tuned", 0, tuned)
