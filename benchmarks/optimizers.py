"""Optimisers on real problems of `flank optimize`: what they find, and with how many evaluations.

    python benchmarks/optimizers.py [SEEDS]

Local searches by quadratics alone (COBYQA), by planes alone (COBYLA), in turns as `flank optimize`
has them, and differential evolution, each with the budget that is the default. Of every search the
best figure, the evaluations in all, and those after which it was within 1 % of its best.
"""

import math
import sys
from collections.abc import Iterator

import flank
from flank.design import search
from flank.design.optimization import DEFAULT_BUDGET
from flank.design.problem import Problem, Spent, Trials, make_problem
from flank.design.search import LINEAR, QUADRATIC, Search

DRIVE = {
    "pins.count": 30,
    "pins.circle_radius": "54 mm",
    "eccentricity": "1.2 mm",
    "pins.radius": "3 mm",
    "output.rollers.circle_radius": "32 mm",
    "discs.bore_radius": "18 mm",
    "rated_torque": "50 N*m",
    "operation.torque": "20 N*m",
}
ERROR = "transmission-error.peak_to_peak"
PLAY = "0.97 arcmin < backlash < 1.5 arcmin"
QUICK = {"transmission-error": {"points_per_turn": 360}, "hysteresis": {"points_per_stage": 20}}


def problems() -> Iterator[tuple[str, Problem]]:
    """A drive of 30 pins: one modification, two of them, and three dimensions."""
    drive = flank.preset("cycloidal-drive", DRIVE)
    one = {"discs.equidistant": "-20..20 um"}
    two = {**one, "discs.radial": "-40..40 um"}
    three = {
        "eccentricity": "0.8..1.7 mm",
        "pins.radius": "2..5 mm",
        "output.rollers.circle_radius": "26..40 mm",
    }
    error, stiffness = [(ERROR, "better")], [("hysteresis.torsional_stiffness", "better")]
    limits = ["hysteresis.largest_pin_pressure < 600 MPa", "backlash < 1.8 arcmin"]
    yield "error by one modification", make_problem(drive, one, error, [PLAY], QUICK)
    yield "error by two modifications", make_problem(drive, two, error, [PLAY], QUICK)
    loop = {"hysteresis": QUICK["hysteresis"]}
    yield "stiffness by three dimensions", make_problem(drive, three, stiffness, limits, loop)


def evolve(trials: Trials, seed: int) -> None:
    """Differential evolution of the cost, what breaks a limit ranked behind everything else."""
    from scipy.optimize import differential_evolution

    count = len(trials.problem.varied)

    def merit(shares) -> float:
        reply = trials.problem.reply(trials.ask(shares))
        if reply.good:
            return reply.cost
        return 1e9 * (1.0 + min(reply.violation, 1e3) + 1e3 * (not reply.allowed))

    differential_evolution(
        merit, [(0.0, 1.0)] * count, popsize=max(4, 15 // count), rng=seed, polish=False
    )


METHODS = {
    "planes alone": (LINEAR,),
    "quadratics alone": (QUADRATIC,),
    "in turns": (QUADRATIC, LINEAR),
    "differential evolution": (),
}


def row(problem: Problem, method: str, seed: int) -> str:
    trials = Trials(problem, DEFAULT_BUDGET.most(problem))
    kinds = METHODS[method]
    try:
        if kinds:
            search.KINDS = kinds
            Search(trials, problem.reply, seed).run()
        else:
            evolve(trials, seed)
    except Spent:
        pass
    best, found = math.inf, []
    for trial in trials.all:
        reply = problem.reply(trial)
        best = min(best, reply.cost) if reply.good else best
        found.append(best)
    near = next(k for k, cost in enumerate(found, 1) if cost - best <= 0.01 * abs(best))
    text = problem.objectives[0].figure.text(abs(best), 3)
    return f"{text} ({near} of {len(found)})"


def main() -> None:
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
    for name, problem in problems():
        print(name)
        for method in METHODS:
            print(f"  {method:<24}", " | ".join(row(problem, method, seed) for seed in seeds))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
