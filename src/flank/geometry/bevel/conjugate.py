"""A pinion conjugate to its gear, less a prescribed ease-off.

The gear's flank, as its cutter leaves it, rolls with the exact ratio and leaves the pinion's flank
behind: an envelope of an envelope, with the equation of meshing twice. From it the ease-off

    E(u, v) = C_PA v + C_SA u + C_PC v² + C_LC u² + C_TW u v

is taken along the outward normal, u from toe to heel and v from root to tip, both in -1..1.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flank.arrays import Flags, Floats
from flank.errors import SpecError
from flank.geometry.bevel.cutting import CutFlank, FlankGrid, check_regular, places_of
from flank.geometry.bevel.envelope import Conditions, Envelope
from flank.geometry.bevel.jets import Jet
from flank.geometry.bevel.pair import rolled
from flank.geometry.bevel.section import AxialSection
from flank.geometry.mounting import Mounting
from flank.texts import mm

LIFTS, LIFT = 8, 0.03
"""How often, and by how much of its height, the root end of a flank may be raised."""


@dataclass(frozen=True)
class EaseOff:
    """What is taken off the conjugate flank, in m; positive is relief."""

    pressure_angle: float = 0.0  # C_PA
    spiral_angle: float = 0.0  # C_SA
    profile_crowning: float = 0.0  # C_PC
    lengthwise_crowning: float = 0.0  # C_LC
    twist: float = 0.0  # C_TW

    def __call__(self, u: Floats, v: Floats) -> Floats:
        linear = self.pressure_angle * v + self.spiral_angle * u
        square = self.profile_crowning * v**2 + self.lengthwise_crowning * u**2
        return linear + square + self.twist * u * v


CONJUGATE = EaseOff()
"""Nothing is taken off."""


@dataclass(frozen=True)
class ConjugateFlank:
    """Of the pinion, in an axial section of its blank, to a flank of the gear."""

    gear: CutFlank
    teeth: tuple[int, int]
    mounting: Mounting
    section: AxialSection

    def __call__(self, parameters: Floats) -> Jet:
        """The family of the gear's cutter in the frame of the pinion: s, θ, (Δq), φ_2."""
        last = parameters.shape[1] - 1
        jet = self.gear.cut(parameters)
        return rolled(self.mounting, jet, self.teeth, last, parameters[:, last])

    @property
    def name(self) -> str:
        """Of the pinion's flank: a concave one runs with a convex one."""
        return "convex" if self.gear.cut.name == "concave" else "concave"

    @cached_property
    def envelope(self) -> Envelope:
        outward = self.gear.cut.orientation
        return Envelope(self, (outward, -outward), self.gear.size)

    @cached_property
    def centre(self) -> tuple[Floats, Conditions]:
        place = self.section.points(np.zeros(1), np.zeros(1))
        conditions = Conditions.at(place)
        parameters, converged = self.envelope.solve(self._guess(place[0]), conditions, 60)
        if not converged[0]:
            raise SpecError(
                f"The gear's flank does not reach the middle of the pinion's {self.name} flank; "
                "check that the blanks belong to this shaft angle and offset."
            )
        return parameters, conditions

    def _guess(self, place: Floats) -> Floats:
        """Of the angles at which the middle of the gear's flank is in mesh, that nearest to the
        middle of the pinion's."""
        middle, _ = self.gear.centre
        angle = np.linspace(-math.pi, math.pi, 1441)
        parameters = np.column_stack([np.repeat(middle, len(angle), axis=0), angle])
        jet = self(parameters)
        rolling = jet.meshing()[0][-1]
        crossing = np.flatnonzero(rolling[:-1] * rolling[1:] <= 0)
        if not len(crossing):
            crossing = np.array([np.argmin(np.abs(rolling))])
        away = np.sum((places_of(jet.value[crossing]) - place) ** 2, axis=1)
        return np.asarray(parameters[[crossing[np.argmin(away)]]])

    def solve(self, rows: int, columns: int) -> tuple[Jet, Flags]:
        """The flank at a grid of its section, and where it is one."""
        return self._solve_at(self.section.grid(rows, columns))

    def _solve_at(self, places: Floats) -> tuple[Jet, Flags]:
        conditions = Conditions.at(places)
        start, begin = self.centre
        parameters, converged = self.envelope.follow(
            np.repeat(start, len(conditions.sides), axis=0), begin, conditions, steps=8
        )
        jet = self(parameters)
        return jet, converged & self.envelope.regular(jet)

    def grid(self, rows: int, columns: int) -> FlankGrid:
        """Down to the clearance, where the gear's surface, prolonged beyond its tip, gives that;
        else down to where its tip touches, or a little less at an end that the gear, narrower than
        the pinion, does not reach."""
        flank = self
        jet, good = flank.solve(rows, columns)
        for attempt in range(LIFTS):
            if good.all():
                break
            section = self.touched_section(columns) if attempt == 0 else flank.lifted(good, columns)
            flank = replace(self, section=section)
            jet, good = flank.solve(rows, columns)
        v, u = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
        self._check_tip(~good & (v.ravel() > 0), u.ravel())
        check_regular(self.name, good, u, v)
        shape = (rows, columns, 3)
        return FlankGrid(jet.value.reshape(shape), self.envelope.normals(jet).reshape(shape))

    def ease_off(self, flank: FlankGrid) -> Floats:
        """By how much a flank of the pinion lies below this one, along the normal at the same
        places of the axial plane (to first order); where this one has no point, not a number."""
        places = places_of(flank.points)
        jet, good = self._solve_at(places)
        away = jet.value - flank.points.reshape(-1, 3)
        distance = np.sum(away * self.envelope.normals(jet), axis=1)
        return np.where(good, distance, np.nan).reshape(places.shape[:-1])

    def _check_tip(self, bad: Flags, u: Floats) -> None:
        """SpecError where the tip of the pinion lies in the fillet of the gear."""
        if bad.any():
            radius = self.gear.cut.blade.edge_radius
            raise SpecError(
                f"The tip of the pinion's {self.name} flank meets the fillet of the gear at the "
                f"{'toe' if u[bad].mean() < 0 else 'heel'}, which no conjugate flank can; use an "
                f"edge radius below {mm(radius, 3)} on the gear's blades, or more clearance."
            )

    def lifted(self, good: Flags, columns: int) -> AxialSection:
        """With the root higher at the ends where the flank is none."""
        bad = np.flatnonzero(~good) % columns
        ends = np.array([np.any(bad < columns // 2), np.any(bad >= columns // 2)])
        heights = self.section.height(self.section.corners[0])
        return self.section.raised(heights + LIFT * self.gear.size * ends)

    def touched_section(self, columns: int) -> AxialSection:
        """With the flank's root end at a line just below what the tip of the gear touches."""
        u = np.linspace(-1, 1, columns)
        tip = self.gear.parameters(self.gear.section.points(u, np.ones_like(u)))[0]
        places = places_of(self(self._in_mesh(tip)).value)
        heights = self.section.height(places)
        along = self.section.bottom[1] - self.section.bottom[0]
        share = (places - self.section.bottom[0]) @ along / (along @ along)
        line = np.polynomial.Polynomial.fit(share, heights, 1)
        lowest = float(np.min(heights - line(share)))
        ends = np.array([line(0.0), line(1.0)]) + lowest
        return self.section.raised(np.maximum(ends, self.section.height(self.section.corners[0])))

    def _in_mesh(self, gear: Floats) -> Floats:
        """Parameters of points of the gear, with the angles at which they are in mesh."""
        angle = np.full((len(gear), 1), self.centre[0][0, -1])
        parameters = np.hstack([gear, angle])
        for _ in range(30):
            values, gradient = self(parameters).meshing()
            step = values[-1] / gradient[-1, -1]
            parameters[:, -1] -= np.clip(step, -0.1, 0.1)
        return parameters
