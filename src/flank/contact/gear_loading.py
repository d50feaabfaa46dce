"""Two cylindrical gears under load: who carries what, over the teeth in mesh and across the face.

Every pair of teeth that may touch has n points across the face. Where the pair number k stands
at the position x along the line of action, its point at z from the middle of the face touches at

    ρ_1 = ρ_start + x - k p_b + z tan β_b,     ρ_2 = a sin α ∓ ρ_1,

roll lengths of both gears; ρ_start is where the path of contact begins. Pairs count in the order in
which they come into mesh. What gives way:

    teeth and bodies   influence numbers of both gears between all these points, on the same tooth
                       and on others, read by cubic splines along the profile
    contact            the law of line contact down to the depth that those leave out
    separations        tip and root relief, crowning, lead slope, misalignment, deviations of pitch
                       and profile tooth by tooth, run-out; beyond the path the way to a tip's edge

Forces and approach are those of the transverse plane, as everywhere with cylindrical gears: a force
F along the line of action is F/cos β_b along the normal of the flank, whose displacement u_n is the
approach u_n/cos β_b.

The other flanks of the same teeth touch where the gears are turned back by their backlash. Turned
over, both gears are the same gears, and mesh by these flanks at

    x' = 2 r_b1 (ψ_b1 + α) - 2 ρ_start - x,     pairs -k,     heights -z:

tooth k of the first gear meets tooth k + 1 of the second there. Teeth that are displaced or slanted
as a whole are so with both flanks. A misalignment in the plane of action of one flank has the share
-cos 2α in that of the other.
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.load_distribution import LoadPoints
from flank.elasticity.line_contact import DeepBody, line_law
from flank.elasticity.material import Material
from flank.elasticity.tooth_beam import held_radius
from flank.elasticity.tooth_curvature import relative_curvature
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_gap import LARGEST_DEFLECTION, separation, steps_beyond

if TYPE_CHECKING:
    from flank.elasticity.finite_elements.flank_modes import FlankModes
    from flank.elasticity.finite_elements.influence import FlankInfluence
    from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity

STEPS = 512
"""Steps in a base pitch of the table of separations."""


class Influence(Protocol):
    """Influence numbers of one gear's flanks.

    `compliance` (2 K + 1, P Q, P Q) in m/N: displacement along the inward normal of the point p, q
    (row p Q + q) of tooth t + k under a unit normal force at a point of tooth t, k = -K ... K
    counter-clockwise; the body is held, and what happens between a flank and `depth` is left out.
    It is the flank on the counter-clockwise side of teeth that wind as on a right-hand gear.
    """

    @property
    def roll(self) -> Floats: ...
    @property
    def face(self) -> Floats: ...
    @property
    def depth(self) -> Floats: ...
    @property
    def compliance(self) -> Floats: ...


@dataclass(frozen=True, eq=False)
class FlankDeviations:
    """What one gear's flanks have beyond reliefs and crowning, which `Gear` knows.

    `lead_slope` is taken off at the end z > 0 of the face, half of it, and put on at the other.
    `pitch` and the rows of `profile` (uniform over the active flank, from root to tip) are material
    beyond the nominal flank, by tooth, in the order in which teeth come into mesh; the other flanks
    have no deviation of profile. `eccentricity` (m) is that of all teeth, in a direction that is
    measured from where the axis of the other gear is (of a ring: the mesh) when the first tooth of
    the first gear points there.
    """

    lead_slope: float = 0.0
    pitch: Floats = field(default_factory=lambda: np.zeros(1))
    profile: Floats = field(default_factory=lambda: np.zeros((1, 2)))
    eccentricity: float = 0.0
    direction: float = 0.0

    def repeats_after(self, teeth: int) -> int:
        """Mesh cycles of a gear of so many teeth."""
        rows = max(len(self.pitch), len(self.profile))
        return teeth if self.eccentricity or rows > 1 else 1

    @property
    def of_all_teeth(self) -> "FlankDeviations":
        """What does not depend on which teeth are in mesh."""
        return FlankDeviations(self.lead_slope)


@dataclass(frozen=True, eq=False)
class GearLoading:
    """Two gears and all that decides how they share a load; `misalignment` (rad) turns one against
    the other in the plane of action, `edges` says whether edges of tips touch beyond the path."""

    pair: GearPair
    influences: tuple[Influence, Influence]
    materials: tuple[Material, Material]
    deviations: tuple[FlankDeviations, FlankDeviations] = (FlankDeviations(), FlankDeviations())
    misalignment: float = 0.0
    edges: bool = True
    points: int = 0  # across the face; as many as the influence numbers have if zero
    modal: float = 0.0  # m/N that modes with mass give, taken off between all points

    @cached_property
    def face(self) -> Floats:
        """Middles of equal parts of the common face."""
        count = self.points or len(self.influences[0].face)
        return self.pair.face_width * ((np.arange(count) + 0.5) / count - 0.5)

    @property
    def lag(self) -> Floats:
        """How far the contact line is ahead in roll length, across the face."""
        return self.face * math.tan(self.pair.first.base_helix_angle)

    @cached_property
    def _flanks(self) -> tuple["_Flank", "_Flank"]:
        """The helix of an external mate runs the other way; of a ring the other flank is touched,
        which is the mirror image of a gear that winds the other way."""
        first, second = self.influences
        scale = 1 / math.cos(self.pair.first.base_helix_angle) ** 2
        return _Flank(first, self.face, scale), _Flank(second, -self.face, scale)

    def rolls(self, position: float, numbers: Integers) -> Floats:
        """Roll lengths of the first gear (pair, point), as if involutes were endless."""
        at = self.pair.path[0] + position - self.pair.base_pitch * numbers
        return at[:, None] + self.lag

    def system(self, position: float) -> tuple[Integers, LoadPoints]:
        """Numbers of the pairs that may touch, and their points, pair by pair."""
        numbers = pairs_in_reach(self.pair, position, self.edges)
        rolls = self.rolls(position, numbers)
        inside = np.clip(rolls, *self.pair.path)
        constant, slope = self._contact_law(rolls, inside)
        count = rolls.size
        points = LoadPoints(
            self._compliance(numbers, inside),
            self.gaps(position, numbers).ravel(),
            np.ones(count),
            constant.ravel(),
            np.full(count, slope),
            np.full(count, self.pair.face_width / len(self.face)),
        )
        return numbers, points

    def gaps(self, position: float, numbers: Integers) -> Floats:
        """Separations of all points along the line of action."""
        pair, face, width = self.pair, self.face, self.pair.face_width
        rolls = self.rolls(position, numbers)
        far = 2 * LARGEST_DEFLECTION * pair.first.normal_module
        gaps = np.interp(rolls, *separation_table(pair), far, far)
        if not self.edges:
            gaps = np.where((rolls < pair.path[0]) | (rolls > pair.path[1]), far, gaps)
        gaps += (pair.first.crowning + pair.second.crowning) * (2 * face / width) ** 2
        slope = sum(gear.lead_slope for gear in self.deviations) / width + self.misalignment
        gaps += slope * face
        for which in (0, 1):
            gaps += self.deviation(which, position, numbers)
        return gaps

    def deviation(self, which: int, position: float, numbers: Integers) -> Floats:
        """What pitch, profile and run-out of one gear's teeth add to the gaps (pair, point)."""
        pair, deviation = self.pair, self.deviations[which]
        inside = np.clip(self.rolls(position, numbers), *pair.path)
        own, gear = (inside, pair.first) if which == 0 else (pair.second_roll(inside), pair.second)
        pitch = deviation.pitch[numbers % len(deviation.pitch)][:, None]
        profile = _profile(gear, deviation.profile, numbers, own, self._starts[which])
        return np.asarray(self._run_out(which, position, 1) - pitch - profile)

    def other_deviation(self, which: int, position: float, numbers: Integers) -> Floats:
        """The same of the other flanks (pair, 1)."""
        pitch = self.deviations[which].pitch
        teeth = pitch[(numbers + which) % len(pitch)][:, None]
        return np.asarray(teeth + self._run_out(which, position, -1))

    def _run_out(self, which: int, position: float, flank: int) -> float:
        """Separation by the centres of both gears' teeth, which go round."""
        pair, deviation = self.pair, self.deviations[which]
        turned = self.turned(position)
        if which == 1:
            turned /= pair.signed_ratio
        along = math.sin(pair.working_angle + flank * (turned + deviation.direction))
        return (-1.0, 1.0)[which] * deviation.eccentricity * along

    def turned(self, position: float) -> float:
        """Angle of the first gear, zero where its tooth 0 points to the mesh."""
        first, start = self.pair.first, self.pair.path[0]
        angle = (start + position) / first.base_radius
        return angle - first.base_half_angle - self.pair.working_angle

    def other_flanks(self, position: float) -> tuple[Integers, Floats, LoadPoints]:
        """Numbers of the pairs whose other flanks may touch, by the first gear's tooth, their roll
        lengths and points, ordered as those of `system`; deviations by tooth are left out."""
        pair = self.pair
        over = replace(
            self,
            deviations=(self.deviations[0].of_all_teeth, self.deviations[1].of_all_teeth),
            misalignment=self.misalignment * math.cos(2 * pair.working_angle),
        )
        mirrored = -2 * pair.first.base_radius * self.turned(0.5 * position)
        numbers, points = over.system(mirrored)
        rolls = over.rolls(mirrored, numbers)[::-1, ::-1]
        turned_over = LoadPoints(
            points.compliance[::-1, ::-1],
            points.gap[::-1] + pair.normal_backlash,
            *(values[::-1] for values in points[2:]),
        )
        return -numbers[::-1], rolls, turned_over

    @property
    def _starts(self) -> tuple[float, float]:
        """Roll lengths at which both gears' active flanks begin at their roots."""
        start, end = self.pair.path
        return start, self.pair.second_roll(end)

    def _compliance(self, numbers: Integers, inside: Floats) -> Floats:
        """Of both gears between all points. Of two pairs the later one has its teeth clockwise of
        the other's on the first gear, counter-clockwise on its external mate and on the mirror
        image of a ring."""
        first, second = self._flanks
        whole = first.between(-numbers, inside)
        whole += second.between(numbers, self.pair.second_roll(inside))
        whole -= self.modal
        return whole

    def _contact_law(self, rolls: Floats, inside: Floats) -> tuple[Floats, float]:
        """P and Q of all points; see elasticity/tooth.py for helical teeth."""
        scale = math.cos(self.pair.first.base_helix_angle)
        first, second = self.materials
        law = line_law(DeepBody(1.0, first), DeepBody(1.0, second), 1.0)
        depths = self._flanks[0].depth(inside), self._flanks[1].depth(self.pair.second_roll(inside))
        curvature = relative_curvature(self.pair, self.materials, rolls)
        constant = law.constant + law.slope * np.log(scale * curvature)
        for depth, material in zip(depths, self.materials, strict=True):
            constant += 2 * material.line_compliance * np.log(depth)
        return constant / scale, law.slope / scale


def elastic_loading(
    pair: GearPair,
    materials: tuple[Material, Material],
    strips: int,
    bodies: "tuple[GearBody | None, GearBody | None]" = (None, None),
    deviations: tuple[FlankDeviations, FlankDeviations] = (FlankDeviations(), FlankDeviations()),
    misalignment: float = 0.0,
    edges: bool = True,
    supports: tuple[float | None, float | None] = (None, None),
) -> GearLoading:
    """Two gears of finite elements, `strips` across the face. A gear whose body is not given is a
    disc as wide as the common face, held where `tooth_beam.held_radius` says: rigidly, or by
    springs of a stiffness per area, `supports`."""
    from flank.elasticity.finite_elements.sector_mesh import GearBody

    places = pair.base_pitch * np.arange(64) / 64
    reach = max(len(pairs_in_reach(pair, float(place))) for place in places) - 1
    influences = []
    gears = (pair.first, pair.second)
    for gear, material, body, support in zip(gears, materials, bodies, supports, strict=True):
        disc = GearBody(pair.face_width, held_radius(gear))
        teeth = min(reach, (gear.teeth - 1) // 2)
        elements = _unmodified(gear), body or disc, material
        influences.append(_elements(*elements, strips, teeth, support))
    first, second = influences
    return GearLoading(pair, (first, second), materials, deviations, misalignment, edges, strips)


@lru_cache(maxsize=32)
def _elements(
    gear: Gear, body: "GearBody", material: Material, strips: int, teeth: int, support: float | None
) -> "FlankInfluence":
    from flank.elasticity.finite_elements.influence import FlankGrid, flank_influence

    grid = FlankGrid(face=strips, teeth=teeth)
    return flank_influence(gear, body, material, grid, _density(strips), support)


def _density(strips: int) -> "MeshDensity":
    from flank.elasticity.finite_elements.sector_mesh import MeshDensity

    usual = MeshDensity()
    return replace(usual, layers=max(usual.layers, (strips + 1) // 2))


def elastic_modes(
    gear: Gear, material: Material, body: "GearBody | None", face_width: float, strips: int,
    harmonics: int, count: int, support: float | None = None,
) -> "FlankModes":  # fmt: skip
    """Modes of a gear whose influence numbers `elastic_loading` has, its centre held: the lowest
    `count` of every number of waves up to `harmonics`."""
    from flank.elasticity.finite_elements.flank_modes import flank_modes
    from flank.elasticity.finite_elements.influence import FlankGrid
    from flank.elasticity.finite_elements.sector_mesh import GearBody

    disc = GearBody(face_width, held_radius(gear))
    grid = FlankGrid(face=strips)
    elements, density = (_unmodified(gear), body or disc, material), _density(strips)
    return flank_modes(*elements, harmonics, count, grid=grid, density=density, support=support)


def _unmodified(gear: Gear) -> Gear:
    """The gear as its elements know it: micrometres of its flanks change no stiffness."""
    plain = replace(gear, relief=None, root_relief=None, crowning=0.0, held_radius=None)
    return rounded_thickness(plain)


def rounded_thickness(gear: Gear) -> Gear:
    """Teeth in hundredths of a module, so that gears with errors share what is elastic."""
    step = 0.01 * gear.normal_module
    return replace(gear, thickness_deviation=step * round(gear.thickness_deviation / step))


class _Flank:
    """Influence numbers of one gear at points across the face that the mesh has."""

    def __init__(self, influence: Influence, face: Floats, scale: float) -> None:
        from scipy.interpolate import CubicSpline

        rolls, across = np.asarray(influence.roll), np.asarray(influence.face)
        self.ends = float(rolls.min()), float(rolls.max())
        self.basis = CubicSpline(rolls, np.eye(len(rolls)))
        self.depths = CubicSpline(rolls, influence.depth)
        self.blocks = _across(influence.compliance, len(rolls), across, face) * scale
        self.neighbours = len(self.blocks) // 2

    def depth(self, rolls: Floats) -> Floats:
        return np.asarray(self.depths(np.clip(rolls, *self.ends)))

    def between(self, teeth: Integers, rolls: Floats) -> Floats:
        """Compliance between all points (tooth, point), m/N."""
        count, width = rolls.shape
        if count - 1 > self.neighbours:
            raise ValueError(
                f"{count} teeth may touch at once, and influence numbers reach "
                f"{self.neighbours} teeth to either side; compute them for {count - 1}"
            )
        weights = self.basis(np.clip(rolls, *self.ends))
        whole = np.empty((count, width, count, width))
        for i in range(count):
            for j in range(i + 1):
                block = self.blocks[self.neighbours + teeth[i] - teeth[j]]
                loaded = np.einsum("pqrs,sr->pqs", block, weights[j])
                whole[i, :, j] = np.einsum("qp,pqs->qs", weights[i], loaded)
                whole[j, :, i] = whole[i, :, j].T
            whole[i, :, i] = 0.5 * (whole[i, :, i] + whole[i, :, i].T)
        return whole.reshape(count * width, count * width)


def _across(compliance: Floats, rolls: int, given: Floats, wanted: Floats) -> Floats:
    """Blocks (k, p, q, p', q') at other positions across the face, linear between those given."""
    blocks = np.asarray(compliance).reshape(-1, rolls, len(given), rolls, len(given))
    if len(given) == len(wanted) and np.allclose(given, wanted, atol=1e-9 * np.ptp(given)):
        return blocks
    if len(given) == 1:
        weights = np.ones((len(wanted), 1))
    else:
        weights = np.array([np.interp(wanted, given, row) for row in np.eye(len(given))]).T
    return np.asarray(np.einsum("aq,kpqrs,bs->kparb", weights, blocks, weights, optimize=True))


def pairs_in_reach(pair: GearPair, position: float, edges: bool = True) -> Integers:
    """Numbers of the pairs that may touch at a position, if the teeth give way far enough."""
    start = pair.path[0]
    ahead = 0.5 * pair.face_width * math.tan(pair.first.base_helix_angle)
    table_rolls = separation_table(pair)[0] if edges else pair.path
    last = math.floor((position + start + ahead - table_rolls[0]) / pair.base_pitch)
    first = math.ceil((position + start - ahead - table_rolls[-1]) / pair.base_pitch)
    return np.arange(first, last + 1, dtype=np.int64)


@lru_cache(maxsize=64)
def separation_table(pair: GearPair) -> tuple[Floats, Floats]:
    """Separations of two flanks over the roll length of the first gear, tips included."""
    step = pair.base_pitch / STEPS
    before, after = steps_beyond(pair, step)
    start, end = pair.path
    rolls = np.concatenate(
        [
            start + step * np.arange(-before, 0),
            np.linspace(start, end, int((end - start) / step) + 2),
            end + step * np.arange(1, after + 1),
        ]
    )
    apart = np.array([separation(pair, roll) for roll in rolls])
    return rolls, apart


def _profile(gear: Gear, profile: Floats, numbers: Integers, rolls: Floats, start: float) -> Floats:
    """Deviations of the profiles of some teeth at roll lengths (tooth, point)."""
    if not np.any(profile):
        return np.zeros_like(rolls)
    places = (rolls - start) / (gear.edge_roll_length - start) * (profile.shape[1] - 1)
    grid = np.arange(profile.shape[1], dtype=float)
    rows = profile[numbers % len(profile)]
    return np.array([np.interp(place, grid, row) for place, row in zip(places, rows, strict=True)])
