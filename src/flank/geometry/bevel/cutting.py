"""A flank and its fillet as one blade cuts them."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flank.arrays import Flags, Floats
from flank.errors import SpecError
from flank.geometry.bevel.blade import OUTSIDE, Blade
from flank.geometry.bevel.cradle import CradleSettings, edge_in_work
from flank.geometry.bevel.envelope import Conditions, Envelope
from flank.geometry.bevel.jets import Jet
from flank.geometry.bevel.section import AxialSection
from flank.texts import mm

LEFT, RIGHT = 1, -1

DEEPEST_DISAGREEMENT = 0.1
"""Of the tooth's height: by how much the cutter may miss the bottom of the blank's spaces."""


@dataclass(frozen=True)
class FlankGrid:
    """Points (profile, lengthwise, 3) and outward unit normals: root to tip, toe to heel."""

    points: Floats
    normals: Floats


@dataclass(frozen=True)
class Cut:
    """One flank: its machine, its blade, the member's hand."""

    settings: CradleSettings
    blade: Blade
    hand: int = LEFT

    @property
    def name(self) -> str:
        return "concave" if self.blade.side == OUTSIDE else "convex"

    @property
    def variables(self) -> int:
        return 2 if self.settings.formate else 3

    def __call__(self, parameters: Floats) -> Jet:
        """The family of the cutter's surfaces, in the frame of the work."""
        jet = edge_in_work(self.settings, self.blade, parameters)
        return jet if self.hand == LEFT else jet.mirrored()

    @property
    def orientation(self) -> int:
        """Out of the work is into the blade, to smaller radii of an outside one."""
        return -self.blade.side * self.hand

    def envelope(self, size: float) -> Envelope:
        return Envelope(self, (self.orientation,), size)


@dataclass(frozen=True)
class CutFlank:
    """A cut, and the axial section in which its flank lies."""

    cut: Cut
    section: AxialSection

    @cached_property
    def size(self) -> float:
        """Of a tooth: its mean height."""
        low, high = self.section.points(np.zeros(2), np.array([-1.0, 1.0]))
        return float(np.hypot(*(high - low)))

    @cached_property
    def envelope(self) -> Envelope:
        return self.cut.envelope(self.size)

    @cached_property
    def centre(self) -> tuple[Floats, Conditions]:
        """Parameters in the middle of the flank, and the conditions that they fulfil."""
        place = self.section.points(np.zeros(1), np.zeros(1))
        conditions = Conditions.at(place)
        parameters, converged = self.envelope.solve(self._guess(place[0]), conditions, 60)
        if not converged[0] or abs(parameters[0, 1]) > 4 * math.pi:
            raise SpecError(
                f"Blank and settings of the {self.cut.name} flank disagree: the cutter does not "
                f"pass through the middle of the tooth, at a radius of {mm(place[0, 1], 4)}, "
                f"{mm(place[0, 0], 4)} along the axis; check radial setting, cradle angle, root "
                "angle and cutter radius."
            )
        return parameters, conditions

    def parameters(self, places: Floats) -> tuple[Floats, Flags]:
        """Of points of the flank at (..., 2) places (z, radius), and whether there are any."""
        start, begin = self.centre
        conditions = Conditions.at(places)
        many = np.repeat(start, len(conditions.sides), axis=0)
        return self.envelope.follow(many, begin, conditions)

    def point(self, place: Floats) -> Floats:
        """Of the flank at (z, radius)."""
        parameters, converged = self.parameters(place)
        check_regular(self.cut.name, converged, np.zeros(1), np.zeros(1))
        return np.asarray(self.cut(parameters).value[0])

    def _guess(self, place: Floats) -> Floats:
        """Where the blade passes nearest to the axial plane's point, the cradle at rest."""
        theta = np.linspace(0, 2 * math.pi, 721)
        parameters = np.zeros((len(theta), self.cut.variables))
        parameters[:, 0], parameters[:, 1] = 0.5 * self.size, theta
        away = self.cut(parameters).value - np.array([place[1], 0.0, place[0]])
        return parameters[[np.argmin(np.sum(away**2, axis=1))]]

    def grid(self, rows: int, columns: int) -> tuple[FlankGrid, Floats]:
        """Points of the flank, and their parameters (profile, lengthwise, ...)."""
        parameters, converged = self.parameters(self.section.grid(rows, columns))
        jet = self.cut(parameters)
        v, u = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
        check_regular(self.cut.name, converged & self.envelope.regular(jet), u, v)
        shape = (rows, columns)
        grid = FlankGrid(
            jet.value.reshape(*shape, 3), self.envelope.normals(jet).reshape(*shape, 3)
        )
        return grid, parameters.reshape(*shape, -1)

    def fillet(self, rows: int, end: Floats) -> FlankGrid:
        """From the root end of the flank, whose parameters are given (lengthwise, ...), to where
        the edge radius ends in the tip plane of the cutter."""
        columns = len(end)
        shares = np.linspace(0, 1, rows)[:, None]
        s = (1 - shares) * end[:, 0] + shares * self.cut.blade.bottom
        u = np.broadcast_to(np.linspace(-1, 1, columns), s.shape)
        start = np.broadcast_to(end, (rows, *end.shape)).reshape(s.size, -1)
        parameters, converged = self._at_lengths(start, u.ravel(), s.ravel())
        jet = self.cut(parameters)
        good = converged & self.envelope.regular(jet)
        check_regular(f"fillet of the {self.cut.name}", good, u, -1 - shares + 0 * u)
        shape = (rows, columns, 3)
        return FlankGrid(jet.value.reshape(shape), self.envelope.normals(jet).reshape(shape))

    def _at_lengths(self, start: Floats, u: Floats, s: Floats) -> tuple[Floats, Flags]:
        """Where the arc lengths s of the edge pass the lines from root to tip at u."""
        low, high = (self.section.points(u, np.full_like(u, v)) for v in (-1.0, 1.0))
        begin = Conditions.on_lines(low, high, start[:, 0])
        return self.envelope.follow(start, begin, Conditions.on_lines(low, high, s))

    def form_height(self, columns: int) -> float:
        """Greatest height above the bottom of the space at which the edge radius begins."""
        u = np.linspace(-1, 1, columns)
        middle, _ = self.parameters(self.section.points(u, np.zeros_like(u)))
        parameters, converged = self._at_lengths(middle, u, np.zeros_like(u))
        good = converged & self.envelope.regular(self.cut(parameters))
        check_regular(self.cut.name, good, u, np.full_like(u, -1.0))
        heights = self.section.height(places_of(self.cut(parameters).value))
        return float(heights.max())

    def bottom_height(self) -> float:
        """Of the cutter's tip above the bottom of the blank's space, in the middle of the face."""
        start, _ = self.centre
        u = np.zeros(1)
        parameters, _ = self._at_lengths(start, u, np.full(1, self.cut.blade.bottom))
        return float(self.section.height(places_of(self.cut(parameters).value))[0])


def places_of(points: Floats) -> Floats:
    """(z, radius) of points."""
    return np.stack([points[..., 2], np.hypot(points[..., 0], points[..., 1])], axis=-1)


def where(u: float, v: float) -> str:
    """A place on the flank in words."""
    along = "toe" if u < -1 / 3 else "heel" if u > 1 / 3 else "middle of the face"
    heights = ((-1 / 3, "at the root"), (1 / 3, "at mid-height"), (math.inf, "at the tip"))
    across = "in the fillet" if v < -1 else next(name for end, name in heights if v <= end)
    return f"the {along} {across} (u = {u:.2f}, v = {max(v, -1):.2f})"


def check_regular(name: str, good: Flags, u: Floats, v: Floats) -> None:
    """SpecError that names where the flank is undercut."""
    bad = ~good.reshape(np.shape(u))
    if not bad.any():
        return
    k = np.flatnonzero(bad)[np.argmin(np.abs(np.asarray(v)[bad]))]
    place = where(float(np.ravel(u)[k]), float(np.ravel(v)[k]))
    raise SpecError(
        f"The {name} flank is undercut on {100 * bad.mean():.3g} % of it, up to {place}: the "
        "cutter takes away what it has cut before; use less dedendum, a larger blade angle or more "
        "teeth."
    )


def cut_flank(cut: Cut, section: AxialSection, columns: int) -> CutFlank:
    """A flank that ends where its edge radius begins, or above, where the blank says.

    SpecError where blank and settings do not belong together, or the edge radius leaves nothing.
    """
    flank = CutFlank(cut, section)
    bottom = flank.bottom_height()
    if abs(bottom) > DEEPEST_DISAGREEMENT * flank.size:
        raise SpecError(
            f"Blank and settings of the {cut.name} flank disagree: the cutter's tip passes "
            f"{mm(abs(bottom), 3)} {'above' if bottom > 0 else 'below'} the root cone; check "
            "root angle, sliding base and machine centre to back."
        )
    height = flank.form_height(columns)
    if height <= section.root_height:
        return flank
    if height > section.root_height + 0.5 * flank.size:
        if cut.blade.join[0] < 0.25 * flank.size:
            raise SpecError(
                f"Blank and settings of the {cut.name} flank disagree: towards an end of the face "
                f"the cutter's tip passes {mm(height - cut.blade.join[0], 3)} above the root cone; "
                "check dedendum angle, root angle, cradle angle and ratio of roll."
            )
        raise SpecError(
            f"An edge radius of {mm(cut.blade.edge_radius, 4)} on the {cut.name} side leaves "
            "less than half of the flank; use a smaller one."
        )
    return CutFlank(cut, section.raised(height + 1e-6 * flank.size))
