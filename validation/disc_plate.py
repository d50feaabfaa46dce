"""The disc of rv-320 as an elastic plate on its pins, beside other finite elements; pin forces of
all presets with plates.

What the other elements had: a free plate, forces of the bearings at its holes, pins unilateral on
Hertz springs, the least complementary energy. Forces at the holes are shared alike by the cranks
here and press with a cosine on half of a wall. In the machine cranks share unevenly, as they bend
and tilt, and rollers press one by one: its figures stand beside.

What is not told of the others is how large those forces were. A disc's torque about its middle is
T_d = (T/n)(1 - 1/i) z_c/(z_c + 1), less than its part T/n of the output's. With T/n, and what
presses along the crank as is least, their energies are met best (`as_the_others`); `reading` says
how well.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from cases import Case

import flank
from flank.analyses.runs import assemble_locked
from flank.arrays import Floats, Integers, Rows
from flank.contact.plate_modes import plate_modes
from flank.dynamics.contact_states import ContactStates
from flank.dynamics.run import solve_statics
from flank.dynamics.trajectory import Trajectory
from flank.elasticity.finite_elements.elastic_plate import (
    HOLE_WAVES,
    PlateBody,
    PlateElements,
    plate_loads,
    wave_count,
    wave_values,
)
from flank.elasticity.line_contact import Cylinder, DeepBody, LineLaw, line_law
from flank.elasticity.plate import Holes, Plate, plate_compliance
from flank.io.tables import MISSING, Column, Table, table
from flank.machines.base import Assembly
from flank.machines.crank_reducer.disc_plates import modes_of_discs, plate_of_discs
from flank.machines.rv.reducer import RvReducer

ARCSEC = 180 / math.pi * 3600
CRANKS = (0.0, 30.0)
"""Degrees by which the cranks are turned."""

EQUIDISTANT = 10e-6
OTHER = {(0.0, 0.0): 0.0110, (0.0, 30.0): 0.0115, (EQUIDISTANT, 30.0): 0.0122}
"""arcsec/(N·m) by modification and crank, both discs, at the output; grid 160 against 260 cells
1 %, smearing of the pin forces 2 %."""

OTHER_HELD, OTHER_PINS = 0.0083, 13
"""The root circle held all round; pins that carry with the modification."""

FREE = {"friction.pins": 0, "friction.turning_arm": 0, "friction.supports": 0}
PRESETS = ("rv-320", "rv-80", "rv-40", "rv-generic", "rv-paper")
DRIVES = ("cycloidal-drive", "monocrank")


@dataclass(frozen=True, eq=False)
class Loaded:
    """rv-320 with plates at rated torque, its cranks turned by an angle in degrees."""

    modification: float
    crank: float

    @cached_property
    def machine(self) -> RvReducer:
        discs = {"body": "elastic", "equidistant": self.modification, "radial": 0}
        machine = flank.preset("rv-320", FREE | {f"discs.{k}": v for k, v in discs.items()})
        assert isinstance(machine, RvReducer)
        return machine

    @cached_property
    def solved(self) -> tuple[Assembly, Trajectory]:
        return self.as_built(self.machine)

    def as_built(self, machine: RvReducer) -> tuple[Assembly, Trajectory]:
        """A machine of other discs in the same place."""
        turned = -math.radians(self.crank) * machine.ratio / machine.layout.crank_ratio
        assembly = assemble_locked(machine, turned)
        torques = machine.rated_torque * np.linspace(0, 1, 11)[1:]
        run = solve_statics(assembly.model, machine.ideal_pose(turned), torques)
        assert isinstance(run, Trajectory)
        assert run.complete
        return assembly, run

    @cached_property
    def body(self) -> PlateBody:
        return plate_of_discs(self.machine.spec, self.machine.size)

    @cached_property
    def discs(self) -> "list[Disc]":
        return [Disc(self, j) for j in range(self.machine.spec.discs.count)]

    def states(self, group: str) -> Rows:
        assembly, run = self.solved
        return ContactStates(assembly.planar, run).of(assembly.groups[group])[-1]

    def compliance(self, work: float) -> float:
        """arcsec/(N·m) of the work that forces do on all plates, twice their energy."""
        return work / self.machine.rated_torque**2 * ARCSEC

    def in_machine(self) -> float:
        """Of what its plates store."""
        modes, run = modes_of_discs(self.machine.spec, self.machine.size), self.solved[1]
        rows = len(modes) // 3
        z = [run.position[-1][r : r + rows].ravel() for r in self.machine.layout.plate_rows]
        return self.compliance(sum(float((modes.stiffness * each**2).sum()) for each in z))

    def by_twist(self, body: str = "elastic") -> float:
        """By how much more the output turns than with rigid discs."""
        angles = []
        for each in (body, "rigid"):
            changed = flank.preset("rv-320", FREE | self._changes(each))
            assert isinstance(changed, RvReducer)
            assembly, run = self.as_built(changed)
            angles.append(run.angle(assembly.output_shaft)[-1])
        return abs(angles[0] - angles[1]) / self.machine.rated_torque * ARCSEC

    def _changes(self, body: str) -> Mapping[str, Any]:
        discs = {"body": body, "equidistant": self.modification, "radial": 0}
        return {f"discs.{key}": value for key, value in discs.items()}


@dataclass(frozen=True, eq=False)
class Disc:
    """One disc under the forces that other elements gave it."""

    loaded: Loaded
    number: int
    given: tuple[Floats, float] | None = None  # force and torque of its bearings, not its own
    sides: float = 1.0  # of its triangles, over those of the model

    @cached_property
    def frame(self) -> tuple[Floats, Floats]:
        """Its middle, and the axes of its plate in space."""
        machine, run = self.loaded.machine, self.loaded.solved[1]
        x, y, turned = run.position[-1][machine.layout.rim[self.number]]
        turned += machine.layout.phases[self.number] / machine.layout.crank_ratio
        c, s = math.cos(turned), math.sin(turned)
        return np.array([x, y]), np.array([[c, s], [-s, c]])

    @cached_property
    def bearings(self) -> tuple[Floats, float]:
        """Force and torque of all its bearings about its middle."""
        if self.given is not None:
            return self.given
        states, (_, axes) = self.loaded.states("turning_arm")[:, self.number], self.frame
        holes = self.loaded.body.holes
        force, torque = np.zeros(2), 0.0
        for crank, rollers in enumerate(states):
            pushed = axes @ (rollers["normal_force"] @ rollers["normal"][:, :2])
            force = force + pushed
            torque += holes[crank].x * pushed[1] - holes[crank].y * pushed[0]
        return force, torque

    @cached_property
    def at_holes(self) -> Floats:
        """Loads of the holes, shared alike, as waves."""
        body, (force, torque) = self.loaded.body, self.bearings
        rim, hole = wave_count(body.rim_waves), wave_count(HOLE_WAVES)
        loads = np.zeros(2 * rim + hole * len(body.loaded))
        cranks = self.loaded.machine.spec.cranks
        for number in range(cranks.count):
            circle = body.holes[number]
            along = np.array([-circle.y, circle.x]) / cranks.circle_radius
            share = force / cranks.count + along * torque / (cranks.count * cranks.circle_radius)
            first = 2 * rim + hole * number
            loads[first : first + hole] = half_cosine(share)
        return loads

    @cached_property
    def pins(self) -> tuple[Floats, Floats]:
        """Unit forces of all pins as waves (load, pin), and what they do to the rigid disc
        (direction, pin)."""
        states, (middle, axes) = self.loaded.states("pin")[self.number], self.frame
        body = self.loaded.body
        rim = wave_count(body.rim_waves)
        pressed = -states["normal"][:, :2] @ axes.T
        places = (states["point"][:, :2] - middle) @ axes.T
        angle = np.arctan2(places[:, 1], places[:, 0])
        outward = pressed[:, 0] * np.cos(angle) + pressed[:, 1] * np.sin(angle)
        around = pressed[:, 1] * np.cos(angle) - pressed[:, 0] * np.sin(angle)
        waves = wave_values(body.rim_waves, angle)
        loads = np.zeros((len(self.at_holes), len(angle)))
        loads[:rim], loads[rim : 2 * rim] = outward * waves, around * waves
        torque = places[:, 0] * pressed[:, 1] - places[:, 1] * pressed[:, 0]
        return loads, np.vstack((pressed.T, torque))

    @cached_property
    def _contact(self) -> tuple[LineLaw, Floats]:
        """Hertz law of its pins, and the curvature at each."""
        machine = self.loaded.machine
        spec, curvature = machine.spec, self.loaded.states("pin")[self.number]["curvature"]
        flank_body = DeepBody(machine.contact_depth, spec.elastic(spec.discs.material))
        pin = Cylinder(spec.pins.radius, spec.elastic(spec.pins.material))
        return line_law(flank_body, pin, machine.disc_width), curvature

    @property
    def plate(self) -> Floats:
        """Compliance of the plate between all its loads."""
        body = self.loaded.body
        side = None if self.sides == 1 else self.sides * body.side
        return plate_loads(body, side).compliance

    @cached_property
    def forces(self) -> Floats:
        """Of the pins: least complementary energy of plate and Hertz contacts, none pulling."""
        (loads, rigid), (law, curvature) = self.pins, self._contact
        compliance = self.plate
        between = loads.T @ compliance @ loads
        gap = self.loaded.modification + loads.T @ compliance @ self.at_holes
        force, torque = self.bearings
        balance = -np.array([*force, torque])
        found = np.full(len(gap), np.abs(force).sum() / len(gap))
        carries = np.arange(len(gap))
        for _ in range(200):
            secant = [law.approach(f, 1 / k) / f for f, k in zip(found, curvature, strict=True)]
            solved, moved = _solve(between + np.diag(secant), gap, rigid, balance, carries)
            apart = gap + between @ solved + rigid.T @ moved
            now = np.flatnonzero((solved > 0) | ((solved == 0) & (apart < 0)))
            done = np.array_equal(now, carries) and np.allclose(solved[now], found[now], rtol=1e-9)
            carries, found = now, np.where(solved > 0, solved, found)
            if done:
                return solved
        raise RuntimeError("pin forces were not found")

    def energy(self) -> float:
        """Complementary: ∫ δ dF of the contacts, g F, and that of the plate."""
        law, curvature = self._contact
        carries = self.forces > 0
        load = self.forces[carries] / law.length
        constant = law.constant + law.slope * np.log(curvature[carries])
        hertz = load**2 / 2 * (constant - law.slope * (np.log(load) - 0.5))
        removed = self.loaded.modification * self.forces.sum()
        return float(law.length * hertz.sum() + removed + 0.5 * self.work())

    def work(self) -> float:
        """Twice the energy of the plate under these pins and holes."""
        load = self.at_holes + self.pins[0] @ self.forces
        return float(load @ self.plate @ load)

    def work_held(self) -> float:
        """The same where the whole rim stands still."""
        load = self.at_holes[2 * wave_count(self.loaded.body.rim_waves) :]
        return float(load @ _held(self.loaded.body) @ load)


def _solve(
    compliance: Floats, gap: Floats, rigid: Floats, balance: Floats, carries: Integers
) -> tuple[Floats, Floats]:
    """Forces of pins that carry, and how far the rigid disc goes."""
    chosen, scale = rigid[:, carries], np.abs(compliance).max()
    system = np.block(
        [
            [compliance[np.ix_(carries, carries)] / scale, chosen.T],
            [chosen, np.zeros((3, 3))],
        ]
    )
    solved = np.linalg.solve(system, np.concatenate((-gap[carries] / scale, balance)))
    forces = np.zeros(len(gap))
    forces[carries] = solved[: len(carries)]
    return forces, solved[len(carries) :] * scale


def half_cosine(force: Floats) -> Floats:
    """2/π cos φ on half of a wall, as the waves of a hole."""
    size, direction = math.hypot(*force), math.atan2(force[1], force[0])
    angle = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 2001)
    pressure = 2 / math.pi * np.cos(angle)
    waves = wave_values(HOLE_WAVES, direction + angle)
    return np.asarray(size * np.trapezoid(waves * pressure, angle, axis=1))


@lru_cache
def _held(body: PlateBody) -> Floats:
    """Compliance between loads of holes with all waves of the rim standing still."""
    elements, compliance = PlateElements(body, body.side), plate_loads(body).compliance
    moved, rim = elements.loads().T @ elements.rigid, 2 * wave_count(body.rim_waves)
    scale = np.abs(compliance).max()
    still = np.block(
        [[compliance[:rim, :rim] / scale, moved[:rim]], [moved[:rim].T, np.zeros((3, 3))]]
    )
    right = np.vstack((compliance[:rim, rim:] / scale, moved[rim:].T))
    solved = np.linalg.lstsq(still, right, rcond=1e-11)[0]
    beside = np.hstack((compliance[rim:, :rim] / scale, moved[rim:]))
    return np.asarray(compliance[rim:, rim:] - scale * beside @ solved)


@lru_cache
def loaded(modification: float, crank: float) -> Loaded:
    return Loaded(modification, crank)


def shared_alike(at: Loaded) -> float:
    return at.compliance(sum(disc.work() for disc in at.discs))


def held_by_elements(at: Loaded) -> float:
    return at.compliance(sum(disc.work_held() for disc in at.discs))


def held_by_formula(at: Loaded) -> float:
    """Of the form rigid_rim, its plate on 360 cells: holes shift alike, and turn alike."""
    machine, size, body = at.machine, at.machine.size, at.body
    cranks = machine.spec.cranks
    holes = Holes(cranks.count, cranks.circle_radius, size.turning_arm.bore_radius)
    first = math.pi / size.pillar_count
    pillars = Holes(size.pillar_count, size.pillar_circle_radius, size.pillar_hole_radius, first)
    plate = (body.radius, body.width, size.disc_bore_radius, body.material, holes, (pillars,))
    found = plate_compliance(Plate(*plate), 360)
    work = 0.0
    for disc in at.discs:
        force, torque = disc.bearings
        work += found.shift * float(force @ force) / cranks.count
        work += found.turn * torque**2 / (cranks.count * cranks.circle_radius**2)
    return at.compliance(work)


@lru_cache
def as_the_others(at: Loaded) -> list[Disc]:
    """Discs with their part of the output's torque as their own, and along the crank what makes the
    energy least."""
    part = at.machine.rated_torque / at.machine.spec.discs.count
    discs = []
    for disc in at.discs:
        force, torque = disc.bearings
        more = part / abs(torque)
        discs.append(_least(replace(disc, given=(more * force, more * torque))))
    return discs


def plate_cases() -> Iterator[Case]:
    for crank in CRANKS:
        yield Case(
            f"rv-320: discs as plates, unmodified, crank at {crank:.0f}°, holes loaded alike",
            "other elements in plane stress on the same dimensions",
            OTHER[0.0, crank],
            shared_alike(loaded(0.0, crank)),
            "arcsec/(N·m)",
            0.05,
        )
    for (modification, crank), known in OTHER.items():
        at = loaded(modification, crank)
        form = "unmodified" if modification == 0 else "10 µm equidistant"
        yield Case(
            f"rv-320: discs as plates, {form}, crank at {crank:.0f}°, each with T/2, least energy",
            "the same elements, read so",
            known,
            at.compliance(sum(disc.work() for disc in as_the_others(at))),
            "arcsec/(N·m)",
            0.05,
        )
    at = loaded(0.0, 0.0)
    yield Case(
        "rv-320: the same loads, unmodified, the plate's rim held all round",
        "the same elements, read so",
        OTHER_HELD,
        at.compliance(sum(disc.work_held() for disc in as_the_others(at))),
        "arcsec/(N·m)",
        0.03,
    )
    at = loaded(EQUIDISTANT, 30.0)
    yield Case(
        "rv-320: pins of a disc that carry with 10 µm equidistant, mean of both",
        "the same elements, give or take one",
        OTHER_PINS,
        carrying(at),
        "",
        1 / OTHER_PINS,
    )
    at = loaded(0.0, 0.0)
    yield Case(
        "rv-320: these holes loaded, the plate's rim held all round",
        "the form `rigid_rim`, its plate on 360 cells",
        held_by_formula(at),
        held_by_elements(at),
        "arcsec/(N·m)",
        0.03,
    )
    body = at.body
    whole, half = (
        float(np.sum(1 / plate_modes(body, side).stiffness)) for side in (body.side, body.side / 2)
    )
    yield Case(
        "rv-320: compliance of the plate's modes, added up",
        "sides of triangles half as long",
        half,
        whole,
        "m/N",
        0.01,
    )


def carrying(at: Loaded) -> float:
    """Pins of a disc, in the mean."""
    return float(np.mean([np.count_nonzero(disc.forces) for disc in at.discs]))


def plate_table() -> Table:
    """Compliance of both discs by what loads them, arcsec/(N·m); pins that carry."""
    places = [loaded(m, c) for m in (0.0, EQUIDISTANT) for c in CRANKS]
    alike = [shared_alike(at) for at in places]
    others = [OTHER.get((at.modification, at.crank)) for at in places]
    read = [as_the_others(at) for at in places]
    so = [
        at.compliance(sum(d.work() for d in discs)) for at, discs in zip(places, read, strict=True)
    ]
    so_carry = [np.mean([np.count_nonzero(d.forces) for d in discs]) for discs in read]
    return table(
        "Discs as plates",
        [
            Column("equidistant, µm", [1e6 * at.modification for at in places], ".0f"),
            Column("crank, deg", [at.crank for at in places], ".0f"),
            Column("other elements", others, ".4f"),
            Column("holes loaded alike", alike, ".4f"),
            Column("off by", _off(alike, others)),
            Column("pins that carry", map(carrying, places), ".1f"),
            Column("along the crank as is least", map(least_along, places), ".4f"),
            Column("and with T/2 each", so, ".4f"),
            Column("that off by", _off(so, others)),
            Column("pins that then carry", so_carry, ".1f"),
            Column("in the machine, energy", [at.in_machine() for at in places], ".4f"),
            Column("in the machine, twist", [at.by_twist() for at in places], ".4f"),
        ],
    )


def _off(found: list[float], others: list[float | None]) -> list[str]:
    return [
        f"{100 * (own / other - 1):+.1f} %" if other else MISSING
        for own, other in zip(found, others, strict=True)
    ]


def reading() -> str:
    """What the others' loads may have been, and what then follows, in words."""
    machine = loaded(0.0, 0.0).machine
    less = (1 - 1 / machine.ratio) * machine.lobes / (machine.lobes + 1)
    discs = [as_the_others(loaded(*place)) for place in OTHER]
    off = [
        loaded(*place).compliance(sum(disc.work() for disc in each)) / known - 1
        for (place, known), each in zip(OTHER.items(), discs, strict=True)
    ]
    held = loaded(0.0, 0.0)
    off.append(held.compliance(sum(disc.work_held() for disc in discs[0])) / OTHER_HELD - 1)
    carry = [np.count_nonzero(disc.forces) for disc in discs[-1]]
    return (
        "How large the forces at their holes were, the others do not tell. A disc's torque about "
        r"its middle is $T_d = \frac Tn\left(1 - \frac1i\right)\frac{z_c}{z_c + 1}$, "
        f"{100 * (1 - less):.1f} % less than its part $T/n$ of the output's, and energies over "
        f"$T^2$ differ by {100 * (1 / less**2 - 1):.1f} %. With $T/n$ for the disc's own torque, "
        "and along the crank what makes the energy least, their four energies (that of the held "
        f"rim is the fourth) are off by {100 * min(off):+.1f} to {100 * max(off):+.1f} %. How many "
        f"pins carry does not follow from that reading: {carry[0]} and {carry[1]} of the two discs "
        f"where the others have {OTHER_PINS}; with the forces of the machine it is "
        f"{carrying(loaded(*list(OTHER)[-1])):.1f} in the mean."
    )


ALONG, FINER = np.arange(2e3, 8e3, 1e3), np.arange(1e3, 8.1e3, 250.0)
"""N: what the bearings of a disc may press along the crank, of the table, and of the verdict."""


@lru_cache
def _pressed_along(share: bool) -> dict[float, tuple[float, float]]:
    """With the modification: energy, and pins that carry, by what presses along the crank; with
    the torque that a disc has, or with its `share` T/2 of the output's."""
    at, found = loaded(EQUIDISTANT, 30.0), {}
    half = at.machine.rated_torque / at.machine.spec.discs.count
    for along in FINER:
        discs = [_pressed(d, along, half if share else abs(d.bearings[1])) for d in at.discs]
        pins = float(np.mean([np.count_nonzero(disc.forces) for disc in discs]))
        found[float(along)] = at.compliance(sum(disc.work() for disc in discs)), pins
    return found


def along_table() -> Table:
    """What presses along the crank, which no equilibrium tells."""
    columns = [Column("along the crank, kN", ALONG / 1e3, ".0f")]
    for name, share in (("", False), (", T/2 each", True)):
        read = [_pressed_along(share)[float(along)] for along in ALONG]
        columns.append(Column(f"arcsec/(N·m){name}", [energy for energy, _ in read], ".4f"))
        columns.append(Column(f"pins that carry{name}", [pins for _, pins in read], ".1f"))
    return table("Along the crank", columns)


def together() -> str:
    """Whether one such force gives both of the others' figures, in words."""
    energy, read = OTHER[EQUIDISTANT, 30.0], [_pressed_along(share) for share in (False, True)]
    pairs = [pair for each in read for pair in each.values()]
    both = [e for e, pins in pairs if abs(e / energy - 1) < 0.05 and abs(pins - OTHER_PINS) <= 1]
    if both:
        return f"{OTHER_PINS} pins, give or take one, and {energy:.4f} are met together there."
    near = min(e for e, pins in pairs if abs(pins - OTHER_PINS) <= 1)
    return (
        f"{OTHER_PINS} pins, give or take one, and {energy:.4f} within 5 % are not met together "
        f"under any of {FINER[0] / 1e3:.0f} to {FINER[-1] / 1e3:.0f} kN in steps of a quarter: "
        f"so few pins carry with {near:.4f} and more, {100 * (near / energy - 1):+.1f} %. How the "
        "others shared these forces would have to be known."
    )


def _pressed(disc: Disc, along: float, torque: float) -> Disc:
    """With a force of the bearings along the crank, away from it, and a torque of theirs."""
    (force, before), (middle, axes) = disc.bearings, disc.frame
    out = axes @ (middle / np.linalg.norm(middle))
    scale = torque / abs(before)
    across = scale * (force - (force @ out) * out)
    return replace(disc, given=(across - along * out, scale * before))


def finer() -> str:
    """What triangles with sides half as long make of the figures, in words."""
    moved, pins = [], 0
    for place in OTHER:
        at = loaded(*place)
        fine = [replace(disc, sides=0.5) for disc in at.discs]
        moved.append(at.compliance(sum(disc.work() for disc in fine)) / shared_alike(at) - 1)
        for disc, same in zip(at.discs, fine, strict=True):
            pins += abs(np.count_nonzero(disc.forces) - np.count_nonzero(same.forces))
    return (
        "With sides of triangles half as long, under the same forces at the holes, the three "
        f"move by {100 * min(moved):+.2f} to {100 * max(moved):+.2f} % and {pins or 'no'} pins "
        "more or less carry."
    )


def held_table() -> Table:
    """The same of a rim that is held."""
    at = loaded(0.0, 0.0)
    rows = {
        "other elements": OTHER_HELD,
        "`rigid_rim` on 360 cells, holes loaded alike": held_by_formula(at),
        "the plate's elements, holes loaded alike": held_by_elements(at),
        "the same with T/2 each, along the crank as is least": at.compliance(
            sum(disc.work_held() for disc in as_the_others(at))
        ),
        "`rigid_rim` in the machine, twist": at.by_twist("rigid_rim"),
    }
    columns = [Column("rim held all round", rows), Column("arcsec/(N·m)", rows.values(), ".4f")]
    return table("Rim held", columns)


def least_along(at: Loaded) -> float:
    """With the bearings' force along the crank such that energy is least: no crank gives way."""
    return at.compliance(sum(_least(disc).work() for disc in at.discs))


def _least(disc: Disc) -> Disc:
    from scipy.optimize import minimize_scalar

    (force, torque), (middle, axes) = disc.bearings, disc.frame
    along = axes @ (middle / np.linalg.norm(middle))

    def given(more: float) -> Disc:
        return replace(disc, given=(force + more * along, torque))

    found = minimize_scalar(lambda more: given(more).energy(), bracket=(-500.0, 500.0), tol=1e-4)
    return given(float(found.x))


def pin_table(names: tuple[str, ...] = PRESETS) -> Table:
    """Largest pin forces of a turn at rated torque, before and with plates."""
    rows = []
    for name in names:
        before = "rigid_rim" if name.startswith("rv") else "rigid"
        plain = {"discs.equidistant": 0, "discs.radial": 0} if name.startswith("rv") else {}
        cells = [f"`{name}`"]
        for changes in ({"discs.body": before, **plain}, {"discs.body": "elastic"}):
            pins = flank.preset(name, changes).rated_turn.pins()
            fewest, most, force, pressure = (row.values for row in pins.rows)
            cells.append(f"{min(fewest):.0f} to {max(most):.0f}")
            cells += [f"{max(force) / 1e3:.2f}", f"{max(pressure) / 1e6:.0f}"]
        rows.append(cells)
    form = ["pins that carry", "largest force, kN", "pressure, MPa"]
    headings = ["preset", *(f"{each}, {when}" for when in ("before", "now") for each in form)]
    return Table("Pins", headings, [True, *[False] * 6], rows)
