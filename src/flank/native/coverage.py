"""Small runs that call every kernel, for each kind of model, as machines and analyses do.

A library serves what was called here. All planar models are of one type, and so are all spatial
ones but for what their contacts remember, so that few runs are enough; tests run every preset
without Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

QUICK: dict[str, dict[str, Any]] = {
    "transmission-error": {"points_per_turn": 8},
    "natural-frequencies": {"count": 3},
    "time-response": {"duration": 5e-4, "step": 5e-5, "points": 10, "contacts": "full"},
}


def _plane() -> None:
    """Contacts, and meshes as springs, whose forces are read by a kernel of their own; the load
    distributions that maps of meshes are made of."""
    import numpy as np

    import flank
    from flank.contact.load_distribution import (
        LoadPoints,
        distribute,
        distribute_total,
        load_work,
    )
    from flank.geometry.cycloid import cycloid_point

    cycloid_point(0.0, 0.05, 1e-3, 40.0, 0.0, 0.0)  # as elements of a lobe ask for it
    alone = LoadPoints(np.eye(1), np.zeros(1), np.ones(1), np.ones(1), np.zeros(1), np.ones(1))
    distribute(alone, 1, 1.0, load_work(1))
    distribute_total(alone, 1, 1.0, 0.0, load_work(1))
    _roll()
    _search(flank.preset("cycloidal-drive"))
    for preset in ("cycloidal-drive", "planetary-lin-parker"):
        machine = flank.preset(preset)
        for analysis, settings in QUICK.items():
            flank.run(machine, analysis, **settings)
        for way in ({"method": "runge-kutta"}, {"keeps_tangent": True}):
            flank.run(machine, "time-response", **QUICK["time-response"], **way)


def _roll() -> None:
    """A mass that rests on one point."""
    import numpy as np

    from flank.dynamics.rolling import (
        FIGURES,
        READ,
        Modes,
        RollingMesh,
        roll,
        rolling_state,
        rolling_work,
    )

    none, one = np.zeros(1), np.ones(1)
    numbers = np.zeros(1, np.int64)
    waves = numbers, one, none, none, none
    modes = Modes(none, none, one[:, None], one, one, *waves, 0.0)
    point = np.ones((1, 1))
    tables = (0 * point, point, 0 * point, point, np.ones((1, 1, 1)))
    teeth = np.zeros((0, 1, 1))
    one_point = numbers[:, None], numbers + 1, numbers, np.zeros((1, 1, 1))
    mesh = RollingMesh(*one_point, *tables, teeth, teeth, 1, 1, 1, -1.0)
    figures, record = np.zeros((1, len(FIGURES))), np.zeros((1, 1, READ + 1))
    state, work = rolling_state(modes, mesh), rolling_work(modes, mesh)
    roll(mesh, modes, state, one, np.ones((1, 1)), -1.0, figures, record, work)


def _space() -> None:
    import flank

    joint = flank.preset("cv-joint")
    flank.run(joint, "joint-turns", mode="static", points_per_turn=16)
    flank.run(joint, "joint-turns", most_turns=2, points_per_turn=16)
    flank.run(joint, "natural-frequencies", count=3)
    flank.run(joint, "transmission-error", points_per_turn=8, contacts="full")
    _search(joint)
    _call_what_units_call(joint)


def _search(machine: Any) -> None:
    """One equilibrium by itself."""
    from flank.dynamics.motion import accept_pose
    from flank.dynamics.poses import state_at, workspace
    from flank.dynamics.statics import StaticTolerances, equilibrium, new_search
    from flank.machines.base import Drive

    assembly = machine.assemble(Drive())
    model, state = assembly.model, state_at(assembly.model, assembly.pose)
    equilibrium(model, state, 0.0, StaticTolerances(1e-9, 120), workspace(model), new_search())
    accept_pose(model, state)


def _call_what_units_call(joint: Any) -> None:
    """Shafts of a machine in space are read, and bodies are placed where others say."""
    import numpy as np

    from flank.dynamics.poses import state_at
    from flank.dynamics.spatial.body_forces import (
        GIVEN,
        place_bodies,
        read_derivatives,
        read_forces,
    )
    from flank.dynamics.spatial.turning import SHAFT, TURNING, read_turning
    from flank.machines.base import Drive

    assembly = joint.assemble(Drive())
    state = state_at(assembly.model, assembly.pose)
    read_turning(state, np.zeros(2, SHAFT), np.zeros(2), np.zeros(2, TURNING))
    given, square, force = np.ones((1, GIVEN)), np.zeros((6, 6)), np.zeros((2, 6))
    place_bodies(given, state)
    read_forces(state, force, square, np.zeros((1, 6)), square)
    read_derivatives(given, square, square, np.zeros((6, GIVEN)))


def _flanks() -> None:
    """Flanks in space, rolling without load, under load by all methods, and in models; teeth that
    are springs are served by `_space`."""
    import numpy as np

    import flank
    from flank.contact.iterated_loads import deletion, proportion_printed
    from flank.contact.partial_contact import distribute_sections, section_points, section_work

    points, loads = section_points(1), section_work(1)
    distribute_sections(points, 1, loads)
    deletion(points, 1, loads, np.zeros((0, 1)))
    proportion_printed(points, 1, 1.0, loads)
    pair = flank.preset("hypoid-pair", {"mesh.points": 9, "mesh.friction": 0.05})
    flank.run(pair, "contact-pattern", positions=16, misalignment=0)
    flank.run(pair, "loaded-contact", positions=1)
    cases = [{"method": "deletion", "points": 9}, {"method": "proportion-printed", "points": 9}]
    flank.run(pair, "forced-roll", steps=16, cases=cases)
    for analysis, settings in QUICK.items():
        flank.run(pair, analysis, **settings)


def _teeth() -> None:
    """Involute gears on bodies in space, as springs and as joints."""
    import flank

    for model in ("table", "rigid"):
        mesh = {"model": model}
        changes = {"motion": "spatial", "sun_mesh": mesh, "ring_mesh": mesh}
        machine = flank.preset("planetary-500kw", changes)
        for analysis, settings in QUICK.items():
            flank.run(machine, analysis, **settings)


RUNS: dict[str, Callable[[], None]] = {
    "flanks": _flanks,
    "teeth": _teeth,
    "space": _space,
    "plane": _plane,
}
"""By part: each is compiled in a process of its own. The longest first."""
