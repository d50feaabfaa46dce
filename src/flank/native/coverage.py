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
    "time-response": {"duration": 5e-4, "step": 5e-5, "points": 10},
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

    alone = LoadPoints(np.eye(1), np.zeros(1), np.ones(1), np.ones(1), np.zeros(1), np.ones(1))
    distribute(alone, 1, 1.0, load_work(1))
    distribute_total(alone, 1, 1.0, 0.0, load_work(1))
    _roll()
    for preset in ("cycloidal-drive", "planetary-lin-parker"):
        machine = flank.preset(preset)
        for analysis, settings in QUICK.items():
            flank.run(machine, analysis, **settings)


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
    modes = Modes(none, none, one, one, one, numbers, one, none, none, none, 0.0)
    point = np.ones((1, 1))
    tables = (0 * point, point, 0 * point, point, np.ones((1, 1, 1)))
    alike = np.zeros((0, 1, 1))
    one_point = numbers[:, None], numbers + 1, numbers, np.zeros((1, 1, 1))
    mesh = RollingMesh(*one_point, *tables, alike, alike, 1, 1, 1, -1.0)
    figures, record = np.zeros((1, len(FIGURES))), np.zeros((1, 1, READ + 1))
    state, work = rolling_state(modes, mesh), rolling_work(modes, mesh)
    roll(mesh, modes, state, one, np.ones((1, 1)), -1.0, figures, record, work)


def _space() -> None:
    import flank

    joint = flank.preset("cv-joint")
    flank.run(joint, "joint-turns", mode="static", points_per_turn=16)
    flank.run(joint, "joint-turns", most_turns=2, points_per_turn=16)
    flank.run(joint, "natural-frequencies", count=3)
    _call_what_units_call(joint)


def _call_what_units_call(joint: Any) -> None:
    """Shafts of a machine in space are read, and bodies are placed where others say."""
    import numpy as np

    from flank.dynamics.poses import state_at
    from flank.dynamics.spatial.body_forces import (
        GIVEN,
        keep_stiffness,
        place_bodies,
        read_forces,
    )
    from flank.dynamics.spatial.turning import SHAFT, TURNING, read_turning
    from flank.machines.base import Drive

    assembly = joint.assemble(Drive())
    state = state_at(assembly.model, assembly.pose)
    read_turning(state, np.zeros(2, SHAFT), np.zeros(2), np.zeros(2, TURNING))
    given, square, forces = np.ones((1, GIVEN)), np.zeros((6, 6)), np.zeros((2, 6))
    place_bodies(given, state)
    keep_stiffness(square, square)
    read_forces(given, forces, square, square, forces, np.zeros((6, GIVEN)))


def _flanks() -> None:
    """Two arcs that roll on each other, crowned, as flanks in space."""
    import numpy as np

    from flank.contact.iterated_loads import deletion, proportion_printed
    from flank.contact.partial_contact import distribute_sections, section_points, section_work
    from flank.contact.spatial.flank_forces import evaluate_flanks, flank_work
    from flank.contact.spatial.flank_sections import FlankLoading, flank_mesh, gear_poses
    from flank.contact.spatial.flank_tangent import flank_tangent
    from flank.elasticity.material import STEEL
    from flank.elasticity.tooth_plate import ToothPlate
    from flank.geometry.flank_pair import FlankPair, Mounting
    from flank.geometry.gear import Gear
    from flank.geometry.spline_surface import SplineSurface

    u, v = np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9))
    across = 2.5e-3 * v - 8e-3 * np.sin(np.pi / 9)
    convex = 8e-3 * np.cos(np.pi / 9) - np.sqrt(64e-6 - across**2) + 1e-5 * u**2
    arcs = [
        np.stack((side * (convex + across * np.tan(np.pi / 9)), 40e-3 + 2.5e-3 * v, 10e-3 * u), -1)
        for side in (1, 1)
    ]
    surfaces = SplineSurface(arcs[0]), SplineSurface(arcs[1])
    surfaces[0].project([0.0, 40e-3, 0.0])
    pair = FlankPair(surfaces, (30, 30), Mounting(shaft_angle=0.0, offset=80e-3))
    gear = Gear(30, 80e-3 / 30, np.pi / 9)
    plates = ToothPlate(gear, STEEL, 20e-3), ToothPlate(gear, STEEL, 20e-3)
    mesh = flank_mesh(FlankLoading(pair, plates, (STEEL, STEEL), sections=8, apex=None))
    first, second = gear_poses(pair, (pair.start[0], pair.start[5]))
    position, matrix = np.array([first[0], second[0]]), np.array([first[1], second[1]])
    work, block = flank_work(mesh), np.zeros((12, 12))
    velocity, force = np.zeros((2, 6)), np.zeros(12)
    evaluate_flanks(mesh, 0, position, matrix, velocity, 0, 1, work, force)
    flank_tangent(mesh, position, matrix, 0, 1, 0.0, 1.0, work, block)
    points, loads = section_points(1), section_work(1)
    distribute_sections(points, 1, loads)
    deletion(points, 1, loads, np.zeros((0, 1)))
    proportion_printed(points, 1, 1.0, loads)


RUNS: dict[str, Callable[[], None]] = {"space": _space, "plane": _plane, "flanks": _flanks}
"""By part: each is compiled in a process of its own. The longest first."""
