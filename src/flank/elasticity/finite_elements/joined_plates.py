"""Two round plates that pillars join, in space, seen from what loads them: a carrier.

Tetrahedra over the triangles of one plate; plates stand at z < 0 and z > L, round pillars between
them. Loads are forces in the plane:

    seats     a bearing presses on half of its hole with p ~ cos φ, even across the plate. That is
              p cos φ all round, which is linear in the force, and half of p |cos φ| besides, which
              goes with the force's size alone and stays near: `pressed`, without couplings
    plate     the first plate as a whole: p cos φ on its rim for a force, an even traction around
              it for a torque
    stations  a force spread over a length of a pillar

Displacements are those on which the loads do work, so that compliances are symmetric. They are
relative to the outer face of the second plate, which is rigid (`held`), or which an even shear, a
twist in proportion to the radius and a linear pressure hold in balance, and which stands still on
the average (`free`).

The mesh has fewer symmetries than the carrier, which is turned into itself by 2π/g, g the common
divisor of both counts, and mirrored by a plane through a seat: the mean over all of these is taken.
"""

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.elasticity.finite_elements.store import stored
from flank.elasticity.material import Material
from flank.elasticity.plate import Holes

SIDES_ACROSS = 8
"""Sides of triangles over the radius of a plate."""

FINEST = 24
"""The same, where walls are thin."""

THINNEST_WALL = 1 / 40
"""Of the radius: thinner ones are no walls to the finest triangles."""


@dataclass(frozen=True)
class JoinedPlates:
    """Lengths in m. `stations` are heights over the first plate at which pillars are loaded, each
    with the length over which its force is spread. `plate_material` is that of the plates where it
    differs from the pillars'."""

    radius: float
    width: float
    bore_radius: float
    distance: float
    pillars: Holes
    seats: Holes
    material: Material
    face: Literal["held", "free"] = "held"
    stations: tuple[tuple[float, float], ...] = ()
    plate_material: Material | None = None

    @property
    def thinnest_wall(self) -> float:
        """Between two of the circles of a plate."""
        seats, pillars = self.seats, self.pillars
        around = (*_walls(self, seats), *_walls(self, pillars))
        apart = np.linalg.norm(seats.centres()[:, None] - pillars.centres(), axis=-1)
        return min(*around, float(apart.min()) - seats.radius - pillars.radius)


class Coordinates(NamedTuple):
    """Places in the compliance, (…, radial and along the circle); the plate's x, y, turn."""

    seats: Integers  # (plate, seat, 2)
    plate: Integers  # (3,)
    stations: Integers  # (station, pillar, 2)

    @property
    def total(self) -> int:
        return self.seats.size + self.plate.size + self.stations.size


def coordinates(plates: JoinedPlates) -> Coordinates:
    """Seats first, then the first plate, then stations."""
    shapes = ((2, plates.seats.count, 2), (3,), (len(plates.stations), plates.pillars.count, 2))
    ends = np.cumsum([0, *(math.prod(shape) for shape in shapes)])
    parts = (np.arange(low, high) for low, high in pairwise(ends.tolist()))
    return Coordinates(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))


@functools.lru_cache(maxsize=64)
def plates_compliance(plates: JoinedPlates, across: int = SIDES_ACROSS) -> Floats:
    """Compliances in m/N, rad/N and rad/(N·m) of all coordinates, from the disk if known."""
    inputs = (plates, across)
    arrays = stored("joined_plates", inputs, lambda: {"compliance": symmetric(plates, across)})
    arrays["compliance"].flags.writeable = False
    return arrays["compliance"]


def symmetric(plates: JoinedPlates, across: int = SIDES_ACROSS) -> Floats:
    """The mean over all symmetries, computed."""
    # a run that finds it on the disk does without elements, whose import takes longer
    from flank.elasticity.finite_elements.joined_elements import compliance_of

    compliance = compliance_of(plates, across)
    motions = list(symmetries(plates))
    mean = np.asarray(sum(m @ compliance @ m.T for m in motions) / len(motions))
    return np.asarray(0.5 * (mean + mean.T))


def symmetries(plates: JoinedPlates) -> Iterator[Floats]:
    """How coordinates follow the turns and mirrors of the carrier."""
    places, seats, pillars = coordinates(plates), plates.seats.count, plates.pillars.count
    common = math.gcd(seats, pillars)
    for turn in range(common):
        angle = 2 * math.pi * turn / common
        c, s = math.cos(angle), math.sin(angle)
        turned = np.zeros((places.total, places.total))
        for of, count in ((places.seats, seats), (places.stations, pillars)):
            for k in range(count):
                turned[of[:, (k + turn * count // common) % count], of[:, k]] = 1.0
        turned[np.ix_(places.plate, places.plate)] = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        mirrored = np.zeros_like(turned)
        for k in range(seats):
            mirrored[places.seats[:, -k % seats], places.seats[:, k]] = [1.0, -1.0]
        for k in range(pillars):
            mirrored[places.stations[:, pillars - 1 - k], places.stations[:, k]] = [1.0, -1.0]
        mirrored[places.plate, places.plate] = [1.0, -1.0, -1.0]
        yield turned
        yield turned @ mirrored


def _walls(plates: JoinedPlates, holes: Holes) -> tuple[float, float, float]:
    """To the rim, to the bore, and between neighbours."""
    chord = 2 * holes.circle_radius * math.sin(math.pi / holes.count)
    return (
        plates.radius - holes.circle_radius - holes.radius,
        holes.circle_radius - holes.radius - plates.bore_radius,
        chord - 2 * holes.radius if holes.count > 1 else math.inf,
    )
