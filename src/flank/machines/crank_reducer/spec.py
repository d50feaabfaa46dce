"""What the specs of all reducers with cranks have in common; the carrier is the output."""

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Annotated

from flank.elasticity.finite_elements.elastic_ring import RingBody
from flank.elasticity.finite_elements.joined_plates import THINNEST_WALL
from flank.machines.contact_spec import ContactSpec
from flank.machines.crank_reducer.carrier import carrier_plates
from flank.machines.crank_reducer.disc_plates import circles_of_discs
from flank.machines.crank_reducer.parts import (
    BearingFrictionSpec,
    CarrierSpec,
    CranksSpec,
    DiscsSpec,
    FirstStageSpec,
    MainBearingsSpec,
    RollersBearingSpec,
    SupportBearingSpec,
)
from flank.machines.crank_reducer.rules import (
    BearingDimensions,
    Dimensions,
    Toothing,
    dimensions,
    nearest_pillar,
)
from flank.machines.elastic_discs import thin_wall_problems
from flank.machines.error_kinds import (
    ARCSECOND,
    ROLLER_TOLERANCE,
    Counts,
    ErrorKind,
    Kinds,
    diameter,
    distance,
)
from flank.machines.machine_spec import OperationSpec
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec
from flank.machines.mistakes import first_causes
from flank.machines.output_rollers import RollersSpec
from flank.machines.quantities import MOST_ROLLERS, NonNegativeTime, quantity
from flank.machines.release_spec import RATED_LIFE, RatedLife, ReleaseSpec
from flank.machines.spec import key, optional
from flank.texts import mm, um

RatedSpeed = Annotated[float, quantity("rad/s", "rpm", positive=True)]

RATED_SPEED = 15 * math.pi / 30
"""rad/s: catalogues of RV reducers rate torques at 15 rpm of the output."""

LARGEST_SHIFTS = 2.0
"""Sum of the profile shifts of sun and planet: teeth beyond are pointed or undercut."""

ROUND_OFF = 1e-9
"""m: parts that are to be equally large may differ by this."""

MATERIAL_BLOCKS = ("discs", "cranks", "turning_arm", "supports", "carrier", "output_rollers")

LARGEST_PRELOAD = 0.005
"""Interference over the roller's radius that a press can still close: stress near 4 GPa."""

_THROW = distance("eccentricity", "dimensions.eccentricity")
_CRANK_CIRCLE = distance("radius of the crank circle", "cranks.circle_radius")

STAGE_KINDS: Kinds = {
    "sun_x": ErrorKind("run-out along x of the teeth of the sun", (), 5e-6),
    "sun_y": ErrorKind("run-out along y of the teeth of the sun", (), 5e-6),
    "input_x": ErrorKind("axis of the sun off that of the housing along x", (), 10e-6),
    "input_y": ErrorKind("axis of the sun off that of the housing along y", (), 10e-6),
    "planet_x": ErrorKind("run-out along x of the teeth of the planet of {}", ("crank",), 7e-6),
    "planet_y": ErrorKind("run-out along y of the teeth of the planet of {}", ("crank",), 7e-6),
    "planet_phase": ErrorKind(
        "rotation of the planet's teeth on {}", ("crank",), 60 * ARCSECOND, "rad"
    ),
}
"""Of the first stage. A run-out is the first wave of accumulated pitch deviations, and a rotation
their mean; 5 and 7 µm are half of the run-outs of sun and planet by quality 5 of ISO 1328-1."""

CRANK_KINDS: Kinds = {
    "crank_pin_radius": ErrorKind(
        "radius of an eccentric",
        ("crank", "disc"),
        4e-6,
        size=diameter("diameter of an eccentric", "dimensions.pin_radius"),
    ),
    "eccentricity": ErrorKind("eccentricity", ("crank", "disc"), 3e-6, size=_THROW),
    "eccentric_phase": ErrorKind("phase of an eccentric", ("crank", "disc"), 90 * ARCSECOND, "rad"),
    "crank_radial": ErrorKind("outward position of {}", ("crank",), 5e-6, size=_CRANK_CIRCLE),
    "crank_tangential": ErrorKind(
        "tangential position of {}", ("crank",), 5e-6, size=_CRANK_CIRCLE
    ),
    "hole_radial": ErrorKind(
        "outward position of a disc hole", ("disc", "crank"), 5e-6, size=_CRANK_CIRCLE
    ),
    "hole_tangential": ErrorKind(
        "tangential position of a disc hole", ("disc", "crank"), 5e-6, size=_CRANK_CIRCLE
    ),
    "hole_radius": ErrorKind(
        "radius of a disc hole",
        ("disc", "crank"),
        4e-6,
        size=diameter("diameter of a disc hole", "dimensions.turning_arm.bore_radius"),
    ),
    "turning_arm_clearance": ErrorKind("clearance of a turning arm", ("crank", "disc"), 3e-6),
    "support_clearance": ErrorKind("clearance of a support", ("crank", "side"), 2e-6),
    "arm_roller_radius": ErrorKind(
        "radius of a roller", ("crank", "disc", "arm roller"), ROLLER_TOLERANCE
    ),
    "support_roller_radius": ErrorKind(
        "radius of a roller", ("crank", "side", "support roller"), ROLLER_TOLERANCE
    ),
    "carrier_x": ErrorKind("run-out along x of the carrier", ("side",), 4e-6),
    "carrier_y": ErrorKind("run-out along y of the carrier", ("side",), 4e-6),
    "main_bearing_x": ErrorKind("main bearing off the axis along x", ("side",), 5e-6),
    "main_bearing_y": ErrorKind("main bearing off the axis along y", ("side",), 5e-6),
    **STAGE_KINDS,
}
"""Drawing tolerances: eccentric radius, eccentricity, phase within 3 arcmin in all (arXiv
2604.02387, Table 9, which names grades whose widths by ISO 286-1 are less); the others are assumed
of the same size. Run-outs of the carrier are those of its journals in the main bearings, inner
rings included: they turn with it, x to crank 1. Seats of the bearings and the axis of the sun stand
in the housing, x to crank 1 at the start."""


class CrankReducerSpec(ReleaseSpec):
    """Discs on cranks inside a ring; a machine's spec adds the ring."""

    rated_speed: RatedSpeed = key(
        "the output speed at which the rated torque lasts for the rated life",
        "15 rpm",
        default=RATED_SPEED,
    )
    rated_life: RatedLife = key(
        "the basic rating life that bearings are to have at rated torque and speed",
        "6000 h",
        default=RATED_LIFE,
    )
    discs: DiscsSpec = key("the discs")
    cranks: CranksSpec = key("the crankshafts")
    turning_arm: RollersBearingSpec = key(
        "the bearings between eccentrics and discs", default=RollersBearingSpec()
    )
    supports: SupportBearingSpec = key(
        "the bearings between cranks and carrier", default=SupportBearingSpec()
    )
    first_stage: FirstStageSpec | None = optional("sun and planets")
    carrier: CarrierSpec = key("the carrier", default=CarrierSpec())
    output_rollers: RollersSpec | None = optional(
        "rollers on the carrier's pillars in holes of the discs, which keep a disc on one crank "
        "from turning"
    )
    main_bearings: MainBearingsSpec = key(
        "the bearings of the carrier in the housing", default=MainBearingsSpec()
    )
    contact: ContactSpec = key("the law of contact", default=ContactSpec())
    structural_damping: NonNegativeTime = key(
        "damping over stiffness of everything that bends or twists, a loss factor of "
        "1 % near 1.6 kHz if absent",
        "1e-6 s",
        default=1e-6,
    )
    friction: BearingFrictionSpec = key("the friction", default=BearingFrictionSpec())
    materials: dict[str, MaterialSpec] = key(MATERIALS_MEANING, default={})
    operation: OperationSpec = key("the operating point")

    @property
    @abstractmethod
    def toothing(self) -> Toothing:
        """What the mesh of discs and housing tells the other parts."""

    @property
    @abstractmethod
    def crank_ratio(self) -> float:
        """u, turns of a crank for one of the output, against it."""

    @property
    @abstractmethod
    def elastic_ring(self) -> RingBody | None:
        """What holds pins or teeth in the housing, where it gives way."""

    @property
    def pressed_depth(self) -> float:
        """Depth to which the law of contact counts the compression of a disc's flank; the wall
        behind its root."""
        size, outermost = self.dimensions, self.cranks.circle_radius
        outermost += size.turning_arm.bore_radius
        if self.output_rollers is not None:
            outermost = max(outermost, size.pillar_circle_radius + size.pillar_hole_radius)
        return size.root_radius - outermost

    @cached_property
    def dimensions(self) -> Dimensions:
        """Every dimension, those left out by the sizing rule."""
        return dimensions(self)

    @property
    def ratio(self) -> float:
        """i = 1 + (u + 1) z2/z1, ring fixed and carrier out; -u where the input turns the cranks.

        The planet on a crank turns against the carrier by u + 1 for one turn of the output.
        """
        stage = self.first_stage
        if stage is None:
            return -float(self.crank_ratio)
        return 1 + (self.crank_ratio + 1) * stage.planet_teeth / stage.sun_teeth

    @property
    def counts(self) -> Counts:
        size = self.dimensions
        return {
            "crank": self.cranks.count,
            "disc": self.discs.count,
            "side": 2,
            "arm roller": size.turning_arm.count,
            "support roller": size.support.count,
        }

    @property
    def absent_errors(self) -> Mapping[str, str]:
        stage = STAGE_KINDS if self.first_stage is None else ()
        return {**super().absent_errors, **dict.fromkeys(stage, "without a first stage")}

    @property
    def _half_spacing(self) -> float:
        """Half the distance of neighbouring cranks; no other one is near a single one."""
        cranks = self.cranks
        if cranks.count == 1:
            return math.inf
        return cranks.circle_radius * math.sin(math.pi / cranks.count)

    @property
    def _pillar_key(self) -> str:
        """Of the radius that pillars have."""
        return "carrier.pillar_radius" if self.output_rollers is None else "output_rollers.radius"

    def size_problems(self) -> Iterator[str]:
        """Whether cranks, bearings, discs and carrier leave each other room."""
        size = self.dimensions
        balls = (size.main_circle_radius, size.ball_radius, size.ball_count)
        bearings = (
            *_bearing("turning_arm", size.turning_arm),
            *_bearing("supports", size.support),
            *_crowded("main_bearings.ball_", "balls", balls),
        )
        yield from first_causes(
            self._rollers(size),
            bearings,
            islice(self._holes(size), 1),
            self._crank(size),
            self._carrier(size),
            islice(self._flange(size), 1),
            self._disc_plate(size),
        )

    def _rollers(self, size: Dimensions) -> Iterator[str]:
        """Whether a disc is kept from turning, and rollers find room."""
        rollers = self.output_rollers
        if rollers is None:
            if self.cranks.count == 1:
                yield (
                    "output_rollers is missing: one crank leaves the discs free to turn about it; "
                    "give the block with the keys count, circle_radius, radius, or use 2 cranks "
                    "or more"
                )
            if self.friction.rollers is not None:
                yield "friction.rollers does nothing without output_rollers; remove it"
            return
        for name in ("pillar_count", "pillar_circle_radius", "pillar_radius"):
            if getattr(self.carrier, name) is not None:
                yield (
                    f"carrier.{name} does nothing with output_rollers, whose pins are the pillars; "
                    "remove it"
                )
        yield from rollers.hole_problems("output_rollers", size.eccentricity)
        if size.pillar_hole_radius >= rollers.circle_radius * math.sin(math.pi / rollers.count):
            yield "output_rollers: neighbouring holes overlap; use fewer or smaller rollers"

    def stage_problems(self) -> Iterator[str]:
        stage, ring = self.first_stage, self.cranks.circle_radius
        if stage is None:
            return
        shifts = stage.shift_sum(ring)
        if not abs(shifts) <= LARGEST_SHIFTS:
            asked = "none can" if math.isnan(shifts) else f"they would add up to {shifts:.3g}"
            yield (
                f"cranks.circle_radius is {mm(ring)} and the gears' centre distance "
                f"first_stage.module (sun_teeth + planet_teeth)/2 is {mm(stage.plain_distance)}; "
                f"profile shifts of {LARGEST_SHIFTS:g} in all may bring them together, and {asked}"
            )
            return
        if stage.backlash > 0.25 * math.pi * stage.module:
            yield (
                f"first_stage.backlash is {mm(stage.backlash)}, more than a quarter of the pitch "
                f"{mm(math.pi * stage.module)}; check its unit"
            )
        planets = 2 * self._half_spacing
        tip = stage.module * (stage.planet_teeth + 2 + 2 * (shifts - stage.profile_shift))
        if tip >= planets:
            yield (
                f"first_stage.planet_teeth is {stage.planet_teeth}: planets of tip diameter "
                f"{mm(tip)} touch each other on cranks {mm(planets)} apart; "
                "use fewer cranks or smaller planets"
            )

    def _holes(self, size: Dimensions) -> Iterator[str]:
        ring, hole = self.cranks.circle_radius, size.turning_arm.bore_radius
        if ring + hole >= size.root_radius:
            yield (
                f"cranks.circle_radius {mm(ring)} plus the disc hole's radius {mm(hole)} reach out "
                f"to {mm(ring + hole)} and cut the flank, whose root radius is "
                f"{mm(size.root_radius)}; use a smaller circle or thinner eccentrics"
            )
        if ring - hole <= size.disc_bore_radius:
            yield (
                f"discs.bore_radius is {mm(size.disc_bore_radius)} and the crank holes reach in to "
                f"{mm(ring - hole)}; use a smaller bore or a larger cranks.circle_radius"
            )
        if hole >= self._half_spacing:
            yield (
                f"cranks.count is {self.cranks.count}: neighbouring disc holes of radius "
                f"{mm(hole)} overlap on the circle of {mm(ring)}; use fewer cranks or thinner "
                "eccentrics"
            )

    def _crank(self, size: Dimensions) -> Iterator[str]:
        if size.pin_radius <= size.eccentricity + 0.5 * size.journal_radius:
            yield (
                f"cranks.pin_radius is {mm(size.pin_radius)} and eccentricity "
                f"{mm(size.eccentricity)}: the eccentrics of a crank hardly overlap; "
                "use a larger pin_radius"
            )
        if size.journal_radius + size.eccentricity > size.pin_radius + ROUND_OFF:
            yield (
                f"cranks.journal_radius is {mm(size.journal_radius)} and cranks.pin_radius "
                f"{mm(size.pin_radius)}: the rollers of the turning arm cannot pass the journal; "
                f"the journal must stay below {mm(size.pin_radius - size.eccentricity)}"
            )
        if size.support.race_radius < size.journal_radius - ROUND_OFF:
            yield (
                f"supports.race_radius is {mm(size.support.race_radius)} and cranks.journal_radius "
                f"{mm(size.journal_radius)}; the inner race lies on the journal or is the journal"
            )
        arm, support = size.turning_arm.length, size.support.length
        for rollers, length, under, limit, part in (
            ("supports", support, "cranks.journal_length", size.journal_length, "journal"),
            ("turning_arm", arm, "discs.width", size.disc_width, "disc"),
            ("turning_arm", arm, "cranks.eccentric_length", size.eccentric_length, "eccentric"),
        ):
            if length > limit:
                yield (
                    f"{rollers}.length is {mm(length)} and {under} {mm(limit)}; rollers must not "
                    f"hang over the {part}"
                )

    def _carrier(self, size: Dimensions) -> Iterator[str]:
        if size.pillar_radius <= 0:
            yield (
                f"cranks.circle_radius {mm(self.cranks.circle_radius)} and the disc holes of "
                f"{mm(size.turning_arm.bore_radius)} leave no room for pillars between the cranks; "
                "give carrier.pillar_radius and pillar_circle_radius, or use thinner eccentrics"
            )
        hole, distance = (
            size.turning_arm.bore_radius,
            nearest_pillar(self, size.pillar_circle_radius),
        )
        if hole + size.pillar_hole_radius >= distance:
            yield (
                f"{self._pillar_key}: pillar holes of {mm(size.pillar_hole_radius)} and crank "
                f"holes of {mm(hole)} in the discs overlap, their axes being {mm(distance)} apart"
            )
        reach = size.pillar_circle_radius + size.pillar_hole_radius
        if reach >= size.root_radius:
            yield (
                f"{self._pillar_key}: the pillars' holes in the discs reach out to {mm(reach)} "
                f"and cut the flank, whose root radius is {mm(size.root_radius)}"
            )

    def _disc_plate(self, size: Dimensions) -> Iterator[str]:
        """Whether elements can tell the walls of a disc apart."""
        if self.discs.bends:
            circles = circles_of_discs(self, size)
            yield from thin_wall_problems(size.root_radius, circles, "'rigid_rim'")

    def _flange(self, size: Dimensions) -> Iterator[str]:
        rim, ring = size.main_circle_radius - size.ball_radius, self.cranks.circle_radius
        seat, bore = size.support.bore_radius, size.disc_bore_radius
        if ring + seat >= rim:
            yield (
                f"supports: bearings of outer radius {mm(seat)} on cranks.circle_radius {mm(ring)} "
                f"cut the rim of the flange at {mm(rim)}; use smaller supports"
            )
        if ring - seat <= bore or seat >= self._half_spacing:
            yield (
                f"supports: bearings of outer radius {mm(seat)} on cranks.circle_radius {mm(ring)} "
                f"cut each other or the flange's bore of {mm(bore)}; use smaller supports"
            )
        pillars, pillar = size.pillar_circle_radius, size.pillar_radius
        circle = self._pillar_key.replace("radius", "circle_radius")
        if pillars - pillar <= bore or pillars + pillar >= rim:
            yield (
                f"{circle} is {mm(pillars)}: pillars of radius {mm(pillar)} "
                f"reach into the flange's bore of {mm(bore)} or over its rim of {mm(rim)}"
            )
        if seat + pillar >= nearest_pillar(self, pillars):
            yield (
                f"{self._pillar_key} {mm(pillar)} and the supports' outer radius {mm(seat)}: "
                "pillars and bearings overlap in the flanges"
            )
            return
        if self.carrier.body == "solid":
            yield from self._solid_flange(size, rim)

    def _solid_flange(self, size: Dimensions, rim: float) -> Iterator[str]:
        """Whether elements can tell the walls of a flange apart, and it is a plate at all."""
        wall, least = carrier_plates(self, size).thinnest_wall, THINNEST_WALL * rim
        if wall < least:
            yield (
                f"carrier.body 'solid' needs walls of {mm(least)} and more in the flanges, and "
                f"between bearings, pillars, bore and rim one is {mm(max(wall, 0.0))}; use "
                "smaller pillars or supports, or set carrier.body to 'elastic'"
            )
        if not least <= size.flange_width <= 2 * rim:
            yield (
                f"carrier.flange_width is {mm(size.flange_width)}; a flange of radius {mm(rim)} is "
                f"a plate of elements from {mm(least)} to {mm(2 * rim)}, else set carrier.body to "
                "'elastic'"
            )

    def friction_problems(self, loose: bool, fixed: str = "") -> Iterator[str]:
        """`loose`: whether others than rollers go by sliding velocity; `fixed` names them else."""
        for name in ("turning_arm", "supports"):
            inside = getattr(self, name).elements == "inside"
            if inside and getattr(self.friction, name) and self.friction.form != "elastic":
                yield (
                    f"friction.{name}: rollers solved inside their bearing resist by the form "
                    f"'elastic' only, and friction.form is '{self.friction.form}'"
                )
        loose = loose or "bodies" in (self.turning_arm.elements, self.supports.elements)
        velocity = self.friction.regularization_velocity
        if velocity is not None and self.friction.form == "elastic" and not loose:
            yield (
                f"friction.regularization_velocity does nothing with the form 'elastic', {fixed}"
                "rollers solved inside their bearings; remove it"
            )

    def unused_problems(self) -> Iterator[str]:
        for name in ("turning_arm", "supports"):
            profile = getattr(self, name).profile
            if profile != "straight" and self.contact.law != "hertz":
                yield (
                    f"{name}.profile '{profile}' needs the contact law 'hertz', which rollers in "
                    f"slices follow; the law is '{self.contact.law}'"
                )
        if self.discs.count == 1 and self.cranks.web_length is not None:
            yield "cranks.web_length does nothing with one disc, there is no web; remove it"
        if self.discs.hole_wall == "ancf":
            yield from self._hole_wall()
        if self.discs.wall_segments is not None:
            yield from self._polyline_holes()

    def _hole_wall(self) -> Iterator[str]:
        if self.turning_arm.elements == "bodies":
            yield (
                "discs.hole_wall 'ancf' needs turning_arm.elements 'inside': "
                "rollers that are bodies run on a round hole"
            )
        if self.discs.body == "rigid":
            yield (
                "discs.hole_wall 'ancf' needs discs.body 'rigid_rim'; a rigid disc has a rigid wall"
            )
        if self.discs.bends:
            yield (
                "discs.hole_wall 'ancf' is a ring in a disc whose rim is held; set discs.body to "
                "'rigid_rim', or leave hole_wall out: an elastic disc's holes become oval by itself"
            )

    def _polyline_holes(self) -> Iterator[str]:
        if self.turning_arm.elements != "bodies":
            yield (
                "discs.hole_profile 'polyline' needs turning_arm.elements 'bodies': "
                "rollers solved inside their bearing run between round races"
            )
        arm = self.dimensions.turning_arm
        if arm.clearance >= 0:  # preloaded rollers have no room to lose
            room = arm.clearance + LARGEST_PRELOAD * arm.roller_radius
            yield from self.discs.chord_problems("discs", arm.bore_radius, room)


def _bearing(name: str, size: BearingDimensions) -> Iterator[str]:
    circle = (size.pitch_radius, size.roller_radius, size.count)
    yield from _crowded(f"{name}.", "rollers", circle, "rollers ")
    if size.profile.drop >= size.roller_radius:
        yield (
            f"{name}.crown is {mm(size.profile.drop)}, larger than the rollers' radius of "
            f"{mm(size.roller_radius)}; give some um"
        )
    if size.clearance < -LARGEST_PRELOAD * size.roller_radius:
        yield (
            f"{name}.clearance is {um(size.clearance)}: rollers of radius "
            f"{mm(size.roller_radius)} cannot be pressed between races that tight; "
            f"the least is {um(-LARGEST_PRELOAD * size.roller_radius, 4)}"
        )


def _crowded(
    keys: str, elements: str, circle: tuple[float, float, int], fitting: str = ""
) -> Iterator[str]:
    """Whether so many rolling elements of this radius find room on a pitch circle; `keys` of the
    spec begin so."""
    pitch_radius, radius, count = circle
    most = int(math.pi / math.asin(min(1.0, radius / pitch_radius)))
    if most >= count > MOST_ROLLERS:
        yield (
            f"{keys}radius is {mm(radius)}: {count} {elements} would fill the bearing; use "
            f"larger ones, or give a {keys.partition('.')[2]}count of at most {MOST_ROLLERS}"
        )
    if count > most:
        yield f"{keys}count is {count}; at most {most} {fitting}of this radius fit"
