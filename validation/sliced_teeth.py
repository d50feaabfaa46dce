"""The mesh model `fe` against explicit contacts, slice by slice: helical, misaligned, run-out.

Explicit contacts know no common body and no neighbours. So `fe` has the influence numbers of the
beam model here, each tooth with its share of the bodies: what is compared is all else, roll
lengths, separations, contacts by load, the sum over teeth and slices, and the map.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from unittest.mock import patch

import numpy as np
from beam_influence import beam_loading
from cases import Case
from gear_models import MODULE, gears, turned, two_gears

from flank.arrays import Floats
from flank.contact.gear_loading import GearLoading
from flank.dynamics.assembly import assemble
from flank.dynamics.model import initial_state, workspace
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines import meshes
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import add_mesh

BOTH = (STEEL, STEEL)
LOAD = 200e3
"""N/m."""


def forces(
    pair: GearPair,
    rung: str,
    closer: float,
    centre: tuple[float, float] = (0.0, 0.0),
    slices: int | None = None,
    count: int = 60,
    turns: float = 1.0,
    load: float = LOAD,
    misalignment: float = 0.0,
) -> Floats:
    """On the line of action over some pitches, the flanks pressed together by `closer`."""
    b, first, second = two_gears(pair, centre)
    form = MeshSpec(model=rung, slices=slices)
    force = load * pair.face_width
    meshed = MeshedPair(pair, BOTH, form, force, misalignment=misalignment)
    add_mesh(b, "mesh", meshed, first, second)
    model, pose = b.build(), b.pose()
    state, work = initial_state(model, pose), workspace(model)
    carried = []
    for angle in np.linspace(0, turns * pair.first.pitch_angle, count, endpoint=False):
        moved = turned(pair, pose, angle, closer + 0.5 * pair.normal_backlash)
        assemble(model, state, moved, np.zeros_like(moved), 0.0, work, 0.0, 1.0, 1.0)
        carried.append(abs(work.force[2, 2]) / pair.second.base_radius)
    return np.array(carried)


@contextmanager
def separate_bodies() -> Iterator[None]:
    """Teeth as the mesh model `contact` has them: each bears its share of the bodies."""

    def loading(
        pair: GearPair, materials: Any, strips: int, *_: Any, misalignment: float, **__: Any
    ) -> GearLoading:
        sharing = pair.contact_ratio
        return beam_loading(pair, strips, body=0.0, sharing=sharing, misalignment=misalignment)

    with (
        patch.object(meshes, "elastic_loading", loading),
        patch.object(meshes, "elastic_map", lru_cache(meshes.elastic_map.__wrapped__)),
    ):
        yield


def helical(crowning: float = 0.0) -> GearPair:
    form = {"helix_angle": 0.3, "edge_radius": 0.1e-3, "crowning": crowning}
    angle = math.radians(20)
    return GearPair(
        Gear(20, MODULE, angle, 0.3, **form), Gear(35, MODULE, angle, 0.2, **form), face_width=0.03
    )


def slice_cases() -> Iterator[Case]:
    """Forces over the pitch, or a revolution, relative to their largest."""
    source = "mesh model `contact`"
    for name, crowning in (("helical", 0.0), ("helical, crowned by 8 µm on both gears", 8e-6)):
        with separate_bodies():
            pair = helical(crowning)
            elastic, contact = (forces(pair, rung, 15e-6, slices=9) for rung in ("fe", "contact"))
        yield Case(f"{name}: largest error", source, 0.0, _off(elastic, contact), "", 0.02)
    for internal, kind in ((False, "external"), (True, "internal")):
        yield from _misaligned(f"{kind}, misaligned by 15 µm over the face", gears(internal))
        yield from _run_out(
            f"{kind}, run-out of 40 µm", gears(internal, thickness_deviation=-100e-6)
        )


def _off(found: Floats, expected: Floats) -> float:
    return float(np.abs(found - expected).max() / expected.max())


def _misaligned(name: str, pair: GearPair) -> Iterator[Case]:
    aligned = forces(pair, "contact", 12e-6, slices=5)
    turn = 15e-6 / pair.face_width
    with separate_bodies():
        elastic, contact = (
            forces(pair, rung, 12e-6, slices=5, misalignment=turn) for rung in ("fe", "contact")
        )
    assert np.abs(contact / aligned - 1).max() > 0.05
    off = _off(elastic, contact)
    yield Case(f"{name}: largest error", "mesh model `contact`", 0.0, off, "", 0.04)


def _run_out(name: str, pair: GearPair) -> Iterator[Case]:
    """Pressed 10 µm deeper than run-out could part the gears, and no further: above some 400 N/mm a
    contact in the ring is as wide as its teeth are deep. There the law of `fe` goes on straight,
    and that of `contact`, in series with its tooth, does not: 2 % of the force at 40 µm."""
    with separate_bodies():
        elastic, contact = (
            forces(pair, rung, 30e-6, (20e-6, 0.0), count=90, turns=pair.first.teeth)
            for rung in ("fe", "contact")
        )
    assert contact.max() > 1.5 * contact.min()
    off = _off(elastic, contact)
    yield Case(f"{name}: largest error", "mesh model `contact`", 0.0, off, "", 0.03)
