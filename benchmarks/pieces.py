"""Where the time of a Newton step goes, for any preset.

    python benchmarks/pieces.py PRESET [KEY=VALUE ...]

At the loaded equilibrium the system is assembled and solved over and over, each time without one
kind of element; what is then missing is its share. Pieces called in loops of their own stay in the
processor's cache, so their sum is some per cent off the whole.
"""

import sys
import time

import numpy as np

import flank
from flank.dynamics.engine import assemble
from flank.dynamics.functions import constant
from flank.dynamics.model import BEAMS, CONTACTS, JOINTS, LOADS, SPRINGS
from flank.dynamics.motion import fill_right, solve_step
from flank.dynamics.poses import state_at, workspace
from flank.dynamics.run import solve_statics
from flank.io.spec_files import parse_assignments
from flank.kernel import kernel
from flank.machines.base import Drive

LEFT_OUT = {
    "contacts": (CONTACTS,),
    "springs and meshes": (SPRINGS,),
    "beams": (BEAMS,),
    "loads": (LOADS,),
    "joints": (JOINTS,),
}
RATE_FACTOR = 1e-4
"""Any but zero: damping counts, as it does in a step in time."""


@kernel
def assemble_often(model, state, work, rate_factor, count):
    total = 0.0
    for _ in range(count):
        energy, _largest = assemble(model, state, 0.0, work, rate_factor, 1.0, 1.0)
        total += energy
    return total


@kernel
def solve_often(model, state, work, rate_factor, count):
    solved = 0
    for _ in range(count):
        assemble(model, state, 0.0, work, rate_factor, 1.0, 1.0)
        fill_right(model, work, 1.0, 1.0)
        if solve_step(model, work):
            solved += 1
    return solved


def microseconds(function, *arguments) -> float:
    """Processor time of one turn of the loop: the least of five."""
    function(*arguments, 1)
    count, spent = 1, 0.0
    while spent < 0.02:
        count *= 2
        start = time.process_time()
        function(*arguments, count)
        spent = time.process_time() - start
    times = []
    for _ in range(5):
        start = time.process_time()
        function(*arguments, count)
        times.append(time.process_time() - start)
    return 1e6 * min(times) / count


def without(model, places):
    counts = model.counts.copy()
    counts[list(places)] = 0
    return model._replace(counts=counts)


def pieces(machine) -> list[tuple[str, float]]:
    torque = getattr(machine, "load_torque", None) or machine.torque
    assembly = machine.assemble(Drive.of_ends(constant(0.0), constant(torque)))
    found = solve_statics(assembly.model, assembly.pose, np.zeros(1))
    model, work = assembly.model, workspace(assembly.model)
    state = state_at(model, found.last if found.complete else assembly.pose)
    arguments = (state, work, RATE_FACTOR)
    whole = microseconds(assemble_often, model, *arguments)
    rows = [("assembling", whole)]
    for name, places in LEFT_OUT.items():
        if model.counts[list(places)].any():
            rows.append(
                (
                    f"- {name}",
                    whole - microseconds(assemble_often, without(model, places), *arguments),
                )
            )
    both = microseconds(solve_often, model, *arguments)
    return [*rows, ("solving", both - whole), ("an iteration", both)]


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    machine = flank.preset(sys.argv[1], parse_assignments(sys.argv[2:]))
    rows = pieces(machine)
    print(f"| {sys.argv[1]} | µs | share |\n|---|---|---|")
    for name, spent in rows:
        print(f"| {name} | {spent:.1f} | {spent / rows[-1][1]:.0%} |")


if __name__ == "__main__":
    main()
