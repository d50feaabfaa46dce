"""Campbell diagram: natural frequencies over the speed, the machine's orders, and who excites whom.

The order n excites with n Ω/2π at the input speed Ω. It meets the natural frequency f at the
critical speed

    Ω_c = 2π f / n,        margin  Ω_c/Ω - 1,

the share by which the working speed would have to change to be critical. Frequencies are those of
small vibrations about loaded equilibria. Bodies are at rest there, so that nothing of them depends
on the speed but by the torque, if that does; they are level else. A mode is followed from one speed
to the next by its shape: of shapes x, y with unit modal mass the one with the largest |xᵀM y|.

What passes (teeth, pins, rollers) excites by its stiffness and its error where it passes, a mode as
far as it strains those contacts. With K_p the stiffness of what passes alone, the share of the
mode's strain energy that lies there is

    s = φᵀ K_p φ / ω².

A mode with no share to speak of is not excited. Of evenly spaced planets the phases of the meshes
rule out more: a harmonic leaves a torque, a force or neither of the planets' sum, and so excites
rotational, translational or planet modes alone (`mesh_phasing`). What turns excites by its errors:
its orders count where the machine has some.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np

from flank.analyses.joint_resonance import axial_orders
from flank.analyses.natural_frequencies import (
    Modes,
    body_axes,
    family_values,
    mode_values,
    modes_of,
    modes_warnings,
)
from flank.analyses.quantities import MORE, Declared, Quantities, Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import assemble_locked, linearize_at
from flank.analyses.settings import InputAngle, LoadTorque
from flank.analyses.warnings import contact_warnings, load_warnings
from flank.arrays import Floats, first_largest
from flank.dynamics.linearize import Linearization, elastic_tangent
from flank.dynamics.model import Model
from flank.dynamics.run import Progress, solve_statics
from flank.dynamics.trajectory import AnyTrajectory
from flank.errors import SpecError
from flank.machines.base import Assembly, HasBallTracks, HasPlanets, Transmission
from flank.machines.orders import CAGE, PINS, STAGE, TEETH, Orders
from flank.machines.quantities import AngularSpeed, Fraction, Torque, WholeNumber
from flank.machines.spec import Spec, key

QUANTITIES = Quantities(
    "campbell",
    {
        "speed": Declared("Working speed of the input", "rad/s", "rpm"),
        "torque": Declared("Output torque at it", "N*m"),
        "last_speed": Declared("Speeds looked at, up to", "rad/s", "rpm"),
        "mode_count": Declared("Modes looked at"),
        "critical_count": Declared("Critical speeds up to there"),
        "ruled_out_count": Declared("Crossings that excite nothing"),
        "margin_wanted": Declared("Margin wanted", "", "percent"),
        "least_margin": Declared("Least margin of the working speed", "", "percent", better=MORE),
        "nearest_critical_speed": Declared("Nearest critical speed", "rad/s", "rpm"),
        "frequency": Declared("Frequency", "1/s", "Hz", "mode"),
        "eigenvalue": Declared("ω², negative where unstable", "1/s^2", over="mode"),
        "motion": Declared("Who moves", over="mode"),
        "family": Declared("Family", over="mode"),
        "energy_share": Declared("Share of the kinetic energy", "", "percent", "mode body"),
        "mode_shape": Declared(
            "Mode shape with unit modal mass: shifts in m, angles in rad",
            over="mode body coordinate",
        ),
        "excited_by": Declared("Excited by, with the margin", over="mode"),
        "swept_torque": Declared("Output torque", "N*m", over="swept_speed"),
        "swept_frequency": Declared("Frequency", "1/s", "Hz", "swept_speed mode"),
        "line_order": Declared("Order", over="line"),
        "line_frequency": Declared("Frequency at working speed", "1/s", "Hz", "line"),
        "line_cause": Declared("Cause", over="line"),
        "line_excites": Declared("Excites", over="line"),
        "strain_share": Declared("Share of a mode's strain energy", "", "percent", "line mode"),
        "critical_speed": Declared("Critical speed", "rad/s", "rpm", "critical"),
        "critical_margin": Declared("Margin", "", "percent", "critical"),
        "critical_frequency": Declared("Frequency", "1/s", "Hz", "critical"),
        "critical_mode": Declared("Mode", over="critical"),
        "critical_order": Declared("Met by", over="critical"),
        "critical_kept": Declared("Margin kept", over="critical"),
        "ruled_out_speed": Declared("Speed", "rad/s", "rpm", "ruled_out"),
        "ruled_out_frequency": Declared("Frequency", "1/s", "Hz", "ruled_out"),
        "ruled_out_mode": Declared("Mode", over="ruled_out"),
        "ruled_out_order": Declared("Met by", over="ruled_out"),
        "ruled_out_reason": Declared("Why it excites nothing", over="ruled_out"),
    },
    {
        "mode": Declared("Mode", over="mode"),
        "body": Declared("Body", over="body"),
        "coordinate": Declared("Coordinate", over="coordinate"),
        "swept_speed": Declared("Input speed", "rad/s", "rpm", "swept_speed"),
        "line": Declared("Order of", over="line"),
        "critical": Declared("Critical", over="critical"),
        "ruled_out": Declared("Crossing", over="ruled_out"),
    },
    {
        "Critical speeds, the nearest first": (
            "critical",
            "critical_speed",
            "critical_margin",
            "critical_frequency",
            "critical_mode",
            "critical_order",
            "critical_kept",
        ),
        "Modes": ("mode", "frequency", "family", "excited_by", "motion"),
        "Orders": ("line", "line_order", "line_frequency", "line_cause", "line_excites"),
        "Crossings that excite nothing": (
            "ruled_out",
            "ruled_out_speed",
            "ruled_out_frequency",
            "ruled_out_mode",
            "ruled_out_order",
            "ruled_out_reason",
        ),
    },
)

REACH = 2.0
"""Last speed over the working one, where none is given."""

LEAST_SHARE = 0.01
"""Of a mode's strain energy where something passes, below which this does not excite it."""

ALIKE = 0.5
"""Least |xᵀMy| of two shapes, at most 1, by which they are one mode at two speeds."""

SAME_ORDER = 1e-9
"""Relative distance of two orders that are one line."""

NAMED = 5
"""Margins too small that have a sentence each."""

MULTIPLE = 1e-6
"""Relative distance of frequencies that are one critical speed."""

CAUSES = {TEETH: "teeth pass", PINS: "pins pass", STAGE: "teeth pass", CAGE: "rollers pass"}
BALL, BALLS = "ball", "balls"
TURNS, FORCE_OF_BALLS = "turns, by errors", "axial force"

PARTS = {
    TEETH: ("mesh", "sun_mesh", "ring_mesh", "tooth"),
    PINS: ("pin",),
    STAGE: ("first_stage",),
    CAGE: ("turning_arm", "roller"),
}
"""Parts of a model that what passes strains."""

ANY = "any mode"


class SpeedPoint(Spec):
    """A torque at a speed."""

    speed: AngularSpeed = key("the input speed", "1500 rpm")
    torque: Torque = key("the output torque at it", "200 N*m")


def _in_order(points: tuple[SpeedPoint, ...]) -> bool:
    return all(a.speed < b.speed for a, b in pairwise(points))


class CampbellSettings(Spec):
    """The working point, how far to look, and what margin is wanted."""

    crank_angle: InputAngle = 0.0
    torque: LoadTorque = None
    torque_over_speed: tuple[SpeedPoint, ...] = key(
        "points (speed, torque) with straight lines between them, for a load that depends on the "
        "speed; frequencies depend on the speed with it",
        "[{speed: 0 rpm, torque: 10 N*m}, {speed: 3000 rpm, torque: 90 N*m}]",
        default=(),
    )
    input: Literal["locked", "free"] = key(
        "input held at its angle, or held by a constant torque only", default="locked"
    )
    count: Annotated[int, WholeNumber(minimum=1, maximum=1000)] = key(
        "the number of modes looked at", default=12
    )
    harmonics: Annotated[int, WholeNumber(minimum=1, maximum=50)] = key(
        "harmonics of the teeth, pins and rollers that pass", default=3
    )
    last_speed: AngularSpeed | None = key(
        "the last speed; twice the working one if absent", "3000 rpm", default=None
    )
    points: Annotated[int, WholeNumber(minimum=2, maximum=1000)] = key(
        "speeds at which equilibria are found where the torque depends on the speed", default=21
    )
    margin: Fraction = key("the least margin wanted", "15 percent", default=0.15)

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.last_speed is not None and self.last_speed <= 0:
            yield "last_speed must be positive; a machine at rest is excited by nothing"
        if len(self.torque_over_speed) == 1:
            yield "torque_over_speed has one point; give two or more, or torque alone"
        if not _in_order(self.torque_over_speed):
            yield "torque_over_speed: speeds must rise from point to point"
        if self.torque_over_speed and self.torque is not None:
            yield "torque and torque_over_speed say the same twice; leave one of them out"


DEFAULTS = CampbellSettings()


@dataclass(frozen=True)
class Line:
    """An order of the machine: its name, number, harmonic, what causes it and the kind of that,
    '' of what turns; `family` of the modes that it excites alone, '' where no rule says."""

    name: str
    number: float
    cause: str
    kind: str = ""
    family: str = ""
    counts: bool = True

    @property
    def excites(self) -> str:
        if not self.counts:
            return "nothing without errors"
        return f"{self.family} modes" if self.family else ANY


@dataclass(frozen=True)
class Crossing:
    """Where a line meets a mode (both by number), and why that excites nothing, '' if it does."""

    speed: float
    frequency: float
    mode: int
    line: int
    reason: str


def run(
    machine: Transmission,
    settings: CampbellSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Frequencies over the speed, lines of orders, crossings and margins."""
    working = abs(machine.input_speed)
    last = REACH * working if settings.last_speed is None else settings.last_speed
    if last == 0:
        raise SpecError(
            "operation.input_speed is zero, and a machine at rest is excited by nothing; give "
            "last_speed, or a working speed"
        )
    torque = _torque_at(machine, settings, np.array([working]))
    assembly = assemble_locked(machine, settings.crank_angle)
    start = machine.ideal_pose(settings.crank_angle)
    trajectory = solve_statics(assembly.model, start, torque, progress=progress)
    warnings = contact_warnings(assembly, trajectory, static=True)
    warnings += load_warnings(machine, assembly, float(torque[0]), trajectory)
    values: Values = {}
    if trajectory.complete:
        at = linearize_at(assembly, trajectory, 0)
        modes = modes_of(assembly, at, settings.input == "free")
        warnings += modes_warnings(modes, assembly)
        shown = modes.first(settings.count)
        speeds, frequencies, lost = _over_speed(machine, settings, assembly, trajectory, shown)
        values = _mode_values(machine, settings, assembly, at, modes, float(torque[0]))
        values |= {"speed": working, "last_speed": last, "margin_wanted": settings.margin}
        values |= {
            "swept_speed": speeds,
            "swept_torque": _torque_at(machine, settings, speeds),
            "swept_frequency": frequencies,
        }
        lines = list(excitations(machine, settings.harmonics))
        values |= _line_values(lines, working)
        shares = _strain_shares(assembly, at, shown, lines)
        if shares is not None:
            values["strain_share"] = shares
        families = [str(name) for name in np.asarray(values.get("family", ())).tolist()]
        crossings = list(_crossings(speeds, frequencies, lines, shares, families))
        values |= _crossing_values(crossings, lines, working, last, settings.margin)
        values |= _excited_by(crossings, lines, len(shown.eigenvalues), working)
        warnings += [*lost, *_margin_warnings(values, settings)]
    ordered = {name: values[name] for name, _ in QUANTITIES.items() if name in values}
    return make_result(QUANTITIES, machine, settings, trajectory, ordered, warnings)


def excitations(machine: Transmission, harmonics: int) -> Iterator[Line]:
    """Lines of a machine: what turns, one for parts that turn alike, then what passes, with
    harmonics of it."""
    orders = Orders.of(machine.orders)
    balls = isinstance(machine, HasBallTracks)
    turning: dict[str, float] = {}
    for name, number in orders.items():
        if name in orders.kinds or number <= 0 or (balls and name == BALL):
            continue
        alike = (
            key for key, known in turning.items() if abs(number - known) <= SAME_ORDER * number
        )
        before = next(alike, "")
        if before:
            turning.pop(before)
        turning[f"{before}, {name}" if before else name] = number
    for name, number in turning.items():
        yield Line(name, number, TURNS, counts=machine.deviates)
    if balls:
        for number in axial_orders(round(orders[BALL]), harmonics).tolist():
            yield Line(f"{number:g} × input", number, FORCE_OF_BALLS, BALLS)
    for name, kind in orders.kinds.items():
        for harmonic in range(1, harmonics + 1):
            label = name if harmonic == 1 else f"{harmonic} × {name}"
            family = _family(machine, orders[name], harmonic)
            yield Line(label, harmonic * orders[name], CAUSES[kind], kind, family)


def _family(machine: Transmission, order: float, harmonic: int) -> str:
    """Of the modes that a harmonic excites alone, where planets' phases say so."""
    if not isinstance(machine, HasPlanets) or machine.planet_count == 0:
        return ""
    if abs(order - machine.planet_mesh_order) > SAME_ORDER * order:
        return ""
    return machine.excited_family(harmonic)


def _torque_at(machine: Transmission, settings: CampbellSettings, speeds: Floats) -> Floats:
    """The output's torque at input speeds, constant beyond the points."""
    points = settings.torque_over_speed
    if points:
        known = [point.speed for point in points], [point.torque for point in points]
        return np.interp(speeds, *known)
    torque = machine.load_torque if settings.torque is None else settings.torque
    return np.full(len(speeds), torque)


def _over_speed(
    machine: Transmission,
    settings: CampbellSettings,
    assembly: Assembly,
    working: AnyTrajectory,
    shown: Modes,
) -> tuple[Floats, Floats, list[str]]:
    """Speeds, frequencies (speed, mode) followed from the working speed both ways, and sentences
    on what could not be followed. Two speeds where nothing depends on them."""
    at = abs(machine.input_speed)
    last = REACH * at if settings.last_speed is None else settings.last_speed
    if not settings.torque_over_speed:
        return np.array([0.0, last]), np.tile(shown.frequencies, (2, 1)), []
    speeds = np.unique(np.append(np.linspace(0.0, last, settings.points), min(at, last)))
    here = int(np.argmin(np.abs(speeds - at)))
    frequencies = np.full((len(speeds), len(shown.eigenvalues)), np.nan)
    lost = []
    for way in (np.arange(here, len(speeds)), np.arange(here, -1, -1)):
        torques = _torque_at(machine, settings, speeds[way])
        path = solve_statics(assembly.model, working.pose(0), torques)
        found = way[: len(path.time)]
        frequencies[found] = _followed(assembly, path, shown, settings.input == "free")
        if not path.complete:
            lost.append(
                f"No equilibrium is found beyond {speeds[way[len(found) - 1]] * 30 / math.pi:.4g} "
                "rpm; frequencies are not drawn there."
            )
    if np.isnan(frequencies).any() and not lost:
        lost.append(
            "Modes end where their shape changes too much from one speed to the next; use more "
            "points to follow them further."
        )
    return speeds, frequencies, lost


def _followed(assembly: Assembly, path: AnyTrajectory, first: Modes, input_free: bool) -> Floats:
    """Frequencies (row, mode) along a path, each by the shape most like it in the row before; nan
    once none is like it."""
    frequencies = np.full((len(path.time), len(first.eigenvalues)), np.nan)
    shapes = first.shapes
    lost = np.zeros(shapes.shape[1], dtype=bool)
    for row in range(len(path.time)):
        modes = modes_of(assembly, linearize_at(assembly, path, row), input_free)
        like = np.abs(shapes.T @ modes.mass @ modes.shapes)
        for mode, other in _pairs(like):
            frequencies[row, mode] = modes.frequencies[other]
            shapes[:, mode] = modes.shapes[:, other]
        lost |= np.isnan(frequencies[row])
        frequencies[row, lost] = np.nan
    return frequencies


def _pairs(like: Floats) -> Iterator[tuple[int, int]]:
    """Of |xᵀMy| (shape before, shape now), the likest first, each once; what has the same frequency
    may turn within its plane, so that 1/√2 is still alike."""
    like = like.copy()
    while like.size and like.max() >= ALIKE:
        mode, other = np.unravel_index(int(first_largest(like.ravel())), like.shape)
        yield int(mode), int(other)
        like[mode], like[:, other] = 0.0, 0.0


def _mode_values(
    machine: Transmission,
    settings: CampbellSettings,
    assembly: Assembly,
    at: Linearization,
    modes: Modes,
    torque: float,
) -> Values:
    values = mode_values(modes.first(settings.count), assembly, body_axes(assembly, at), torque)
    values |= family_values(machine, assembly, at, modes, settings.count)
    known = {name for name, _ in QUANTITIES.items()}
    return {name: value for name, value in values.items() if name in known}


def _line_values(lines: Sequence[Line], working: float) -> Values:
    return {
        "line_order": [line.number for line in lines],
        "line_frequency": np.array([line.number for line in lines]) * working / (2 * math.pi),
        "line_cause": np.array([line.cause for line in lines], dtype=str),
        "line_excites": np.array([line.excites for line in lines], dtype=str),
        "line": np.array([line.name for line in lines], dtype=str),
    }


def _strain_shares(
    assembly: Assembly, at: Linearization, modes: Modes, lines: Sequence[Line]
) -> Floats | None:
    """φᵀK_p φ/ω² (line, mode): nan of what turns; none of machines in space."""
    if not isinstance(assembly.model, Model) or not (modes.eigenvalues > 0).all():
        return None
    shares = np.full((len(lines), len(modes.eigenvalues)), np.nan)
    for kind in {line.kind for line in lines if line.kind in PARTS}:
        parts = [part for part in assembly.parts if part.name in PARTS[kind]]
        if not any(part.contacts or part.springs for part in parts):
            continue
        contacts, springs = (
            [row for part in parts for row in getattr(part, name)]
            for name in ("contacts", "springs")
        )
        stiffness = elastic_tangent(assembly.model, at, contacts, springs)
        energy = np.einsum("rm,rs,sm->m", modes.shapes, stiffness, modes.shapes)
        rows = [number for number, line in enumerate(lines) if line.kind == kind]
        shares[rows] = energy / modes.eigenvalues
    return shares


def _crossings(
    speeds: Floats,
    frequencies: Floats,
    lines: Sequence[Line],
    shares: Floats | None,
    families: Sequence[str],
) -> Iterator[Crossing]:
    """Every sign that f - n Ω/2π changes, of all lines and modes; of level ones beyond the last
    speed, too."""
    for number, line in enumerate(lines):
        above = frequencies - line.number * speeds[:, None] / (2 * math.pi)
        for mode in range(frequencies.shape[1]):
            share = math.nan if shares is None else float(shares[number, mode])
            reason = _reason(line, families[mode] if families else "", share)
            roots = list(_roots(speeds, above[:, mode]))
            if len(speeds) == 2 and not roots:  # level, and met beyond
                roots = [float(2 * math.pi * frequencies[0, mode] / line.number)]
            for speed in roots:
                frequency = line.number * speed / (2 * math.pi)
                if speed > 0:
                    yield Crossing(speed, frequency, mode, number, reason)


def _roots(speeds: Floats, above: Floats) -> Iterator[float]:
    """Where a piecewise linear curve is zero; where it is nan there is none."""
    for k in range(len(speeds) - 1):
        first, second = above[k], above[k + 1]
        if first * second < 0 or (second == 0 and first != 0):
            yield float(speeds[k] + (speeds[k + 1] - speeds[k]) * first / (first - second))


def _reason(line: Line, family: str, share: float) -> str:
    """Why a line does not excite a mode, '' if it may."""
    if not line.counts:
        return "shows by errors alone, and there are none"
    if line.family and family in FAMILIES and family != line.family:
        return f"by their phases meshes excite {line.family} modes alone"
    if share < LEAST_SHARE:
        return f"has {share:.1%} of its energy there"
    return ""


FAMILIES = ("rotational", "translational", "planet")
"""Of modes that phases of meshes can rule out; modes of a ring, or mixed ones, they cannot."""


def _crossing_values(
    crossings: Sequence[Crossing], lines: Sequence[Line], working: float, last: float, wanted: float
) -> Values:
    """Critical speeds up to the last one, the nearest first, and those ruled out by their speed;
    the least margin to any."""
    every = [crossing for crossing in crossings if not crossing.reason]
    every.sort(key=lambda crossing: (_distance(crossing, working), crossing.mode))
    critical = [crossing for crossing in every if crossing.speed <= last]
    others = [crossing for crossing in crossings if crossing.reason and crossing.speed <= last]
    others.sort(key=lambda crossing: (crossing.speed, crossing.mode))
    values: Values = {"critical_count": len(critical), "ruled_out_count": len(others)}
    for name, chosen in (("critical", critical), ("ruled_out", others)):
        if chosen:
            values |= {
                f"{name}_speed": [crossing.speed for crossing in chosen],
                f"{name}_frequency": [crossing.frequency for crossing in chosen],
                f"{name}_mode": [crossing.mode + 1 for crossing in chosen],
                f"{name}_order": np.array([lines[each.line].name for each in chosen], dtype=str),
                name: np.arange(1, len(chosen) + 1),
            }
    if others:
        values["ruled_out_reason"] = np.array([each.reason for each in others], dtype=str)
    if critical and working:
        margins = np.array([crossing.speed / working - 1 for crossing in critical])
        kept = np.where(np.abs(margins) >= wanted * (1 - 1e-9), "yes", "no")
        values |= {
            "critical_margin": margins,
            "critical_kept": kept.astype(str),
        }
    if every and working:
        nearest = every[0].speed
        values |= {"least_margin": abs(nearest / working - 1), "nearest_critical_speed": nearest}
    return values


def _distance(crossing: Crossing, working: float) -> float:
    """Size of the margin; of equals, such as a mode that is there twice, the first is named."""
    return round(abs(crossing.speed - working) / (working or 1.0), 9)


def _excited_by(
    crossings: Sequence[Crossing], lines: Sequence[Line], modes: int, working: float
) -> Values:
    """Of every mode the lines that excite it, the nearest first."""
    texts = []
    for mode in range(modes):
        of_mode = [each for each in crossings if each.mode == mode and not each.reason]
        of_mode.sort(key=lambda crossing: _distance(crossing, working))
        named = [
            f"{lines[each.line].name} ({each.speed / working - 1:+.0%})"
            if working
            else lines[each.line].name
            for each in of_mode[:NAMED]
        ]
        more = [f"{len(of_mode) - NAMED} more"] if len(of_mode) > NAMED else []
        texts.append(", ".join([*named, *more]) or "nothing")
    return {"excited_by": np.array(texts, dtype=str)}


def _margin_warnings(values: Values, settings: CampbellSettings) -> list[str]:
    """Sentences on margins that are not kept; modes of one frequency share one."""
    if "critical_margin" not in values:
        return []
    speeds, margins, frequencies, names = (
        np.asarray(values[f"critical_{name}"]) for name in ("speed", "margin", "frequency", "order")
    )
    few = np.flatnonzero(np.asarray(values["critical_kept"]) == "no").tolist()
    distinct = [
        k
        for place, k in enumerate(few)
        if not any(
            names[k] == names[j] and abs(speeds[k] - speeds[j]) <= MULTIPLE * speeds[k]
            for j in few[:place]
        )
    ]
    sentences = [
        f"{names[k]} meets {frequencies[k]:.4g} Hz at {speeds[k] * 30 / math.pi:.4g} rpm, "
        f"{margins[k]:+.1%} from the working speed; {settings.margin:.0%} is wanted."
        for k in distinct[:NAMED]
    ]
    if len(distinct) > NAMED:
        sentences.append(
            f"{len(distinct) - NAMED} more critical speeds lie nearer than {settings.margin:.0%}; "
            "the table has all."
        )
    return sentences
