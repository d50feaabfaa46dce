"""What designs of reducers with cranks share: trains of teeth before them, first stages that fill
the circle of the cranks, bearings that last, and the limits that static solves tell of.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from flank.design.candidate import Fallen
from flank.design.kinds.tolerances import tolerances
from flank.design.measure import Asked
from flank.errors import SpecError
from flank.machines.crank_reducer.crank_loads import support_load, turning_arm_load
from flank.machines.crank_reducer.proportions import PROPORTIONS
from flank.texts import mm

if TYPE_CHECKING:
    from flank.design.requirements import CrankRequirements
    from flank.machines.crank_reducer.spec import CrankReducerSpec

CRANKS = (2, 3)

LARGEST_DENOMINATOR = 10
STAGE_RATIOS = (1.0, 5.0)
"""Of z2/z1, between which planets and sun are neither too small."""

SUN_TEETH = range(17, 41)
"""From 17 on a rack of 20 degrees does not undercut."""

MODULES = tuple(
    1e-3 * module
    for module in (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.125, 1.25, 1.375, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3)
)
"""m, of DIN 780."""

NEARLY_FULL = 0.98
"""Of the largest crank circle: of stages that fill as much, the largest module is taken."""

FORM_FACTOR, ROOT_STRESS = 4.5, 350e6
"""Y_F Y_S of the teeth of the first stage, and Pa that their roots bear (ISO 6336-5, case-hardened,
with a safety of 1.3)."""

ARM, GROWN = PROPORTIONS["cranks.pin_radius"].rule, 1.1
"""Eccentric over the crank circle by the rule; by how much rollers may have to be larger."""

FRICTION_OF_BEARINGS = {"turning_arm": 0.0025, "supports": 0.0018}
"""Rolling resistance of needles and tapered rollers."""


class Stage(NamedTuple):
    """Sun, planets and module in m."""

    sun: int
    planet: int
    module: float

    @property
    def distance(self) -> float:
        return 0.5 * self.module * (self.sun + self.planet)


class Train(NamedTuple):
    """z2/z1 of a first stage in lowest terms, before a ring that gives `ring`: 1 + ring z2/z1; by
    how much that is off the ratio that is wanted."""

    off: float
    sun_part: int
    planet_part: int


def operating_point(wanted: CrankRequirements) -> str:
    """What heat and losses are about, among the assumptions of a spec."""
    share = (
        "Half" if wanted.operating_torque is None else f"{wanted.operating / wanted.torque:.3g} of"
    )
    return (
        f"{share} the rated torque at the operating point; pressures and lives are those at all "
        "of it."
    )


def nearest_train(wanted: float, ring: float) -> Train:
    """The one whose ratio comes nearest; infinitely far off where there is none."""
    found = []
    for denominator in range(1, LARGEST_DENOMINATOR + 1):
        numerator = max(round((wanted - 1) / ring * denominator), 1)
        u = numerator / denominator
        if STAGE_RATIOS[0] <= u <= STAGE_RATIOS[1]:
            off = abs(1 + ring * u - wanted)
            found.append(Train(round(off, 9), denominator, numerator))
    return min(found, default=Train(math.inf, 1, 1))


def largest_crank_circle(reach: float) -> float:
    """Radius of the crank circle whose turning arms leave a disc its walls, which begin at
    `reach`."""
    rollers = PROPORTIONS["turning_arm.radius"].rule
    return reach / (1 + ARM * (1 + 2 * rollers * GROWN))


def fitting_stage(
    wanted: CrankRequirements, train: tuple[int, int], cranks: int, reach: float, width: float
) -> Stage:
    """The stage whose crank circle leaves the discs their walls and whose planets are keyed alike
    to all cranks; of those that nearly fill it the largest module. Fallen where there is none."""
    sun_part, planet_part = train
    found = [
        stage
        for sun in SUN_TEETH
        if sun % sun_part == 0 and (sun + sun // sun_part * planet_part) % cranks == 0
        for module in MODULES
        if (stage := Stage(sun, sun // sun_part * planet_part, module)).distance
        <= largest_crank_circle(reach)
    ]
    if not found:
        raise Fallen("first-stage", math.inf, "no teeth of a preferred module fit the cranks")
    widest = max(stage.distance for stage in found)
    fitting = [stage for stage in found if stage.distance >= NEARLY_FULL * widest]
    stage = max(fitting, key=lambda each: (each.module, each.distance))
    _bend(wanted, stage, cranks, width)
    return stage


def _bend(wanted: CrankRequirements, stage: Stage, cranks: int, width: float) -> None:
    """σ = Y F_t/(b m) at the root of a sun's tooth."""
    face = PROPORTIONS["first_stage.face_width"].rule * width
    force = wanted.torque / wanted.wanted_ratio / cranks
    force /= 0.5 * stage.module * stage.sun
    stress = FORM_FACTOR * force / (face * stage.module)
    if stress > ROOT_STRESS:
        words = f"{stress / 1e6:.0f} MPa at the roots of the first stage"
        raise Fallen("tooth-root", stress / ROOT_STRESS, words)


def made_spec(kind: Any, spec: dict[str, Any]) -> Any:
    """Checked; Fallen where parts find no room."""
    try:
        return kind.from_mapping(spec)
    except SpecError as error:
        raise Fallen("no-room", math.inf, error.problems[0]) from None


def refuse_short_lives(spec: CrankReducerSpec) -> None:
    """Fallen where bearings do not last, by closed forms."""
    size, toothing = spec.dimensions, spec.toothing
    turns = spec.rated_life * (spec.crank_ratio + 1) * spec.rated_speed / (2 * math.pi)
    lengths = (size.journal_length, size.eccentric_length, size.web_length, size.face_width)
    for name, bearing, load in (
        ("turning-arm", size.turning_arm, turning_arm_load(spec, toothing)),
        ("support", size.support, support_load(spec, toothing, lengths)),
    ):
        life = bearing.rating.life(load)
        if life < turns:
            raise Fallen(f"{name}-life", turns / life, f"{name}s last too short")


def refuse_too_long(wanted: CrankRequirements, spec: CrankReducerSpec) -> None:
    """Fallen where the length that is wanted is less."""
    length = length_of(spec)
    if wanted.length is not None and length > wanted.length:
        raise Fallen("envelope-length", length / wanted.length, f"{mm(length, 4)} long")


def length_of(spec: CrankReducerSpec) -> float:
    """From the outer face of one flange to that of the other, and the planets beyond."""
    size, discs = spec.dimensions, spec.discs.count
    between = discs * size.eccentric_length + (discs - 1) * size.web_length
    planets = 0.0 if spec.first_stage is None else size.face_width
    return 2 * size.flange_width + between + planets


def with_tolerances(
    wanted: CrankRequirements, kind: Any, spec: dict[str, Any], radius: float
) -> dict[str, Any]:
    """With those that were asked for; of ground parts the usual ones if nothing was. Angles by the
    radius at which they are measured."""
    if wanted.tolerance is None and wanted.process == "ground":
        return spec
    return spec | {"tolerances": tolerances(made_spec(kind, spec), wanted.deviation, radius)}


def lives_asked(wanted: CrankRequirements, machine: Any) -> Iterator[Asked]:
    """Of turning arms and supports, by equilibria over a turn at the rated torque."""
    if not machine.rated_turn.known:
        return
    for block, duty in machine.bearing_lives.duties.items():
        title = f"life of {block.replace('_', ' ')} bearings"
        yield Asked(f"{block}-life", title, duty.basic_life, wanted.life, "s", "h", True)
