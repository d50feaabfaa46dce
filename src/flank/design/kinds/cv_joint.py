"""Plunging ball joints with crossed tracks for given requirements.

Whole numbers: balls, and their diameter in thirty-seconds of an inch, as balls are sold. Free are
the radius of the pitch circle, conformity and contact angle of the tracks, and by how much their
skew exceeds the least. Tracks have no inclination, so that both senses of the torque press the
cage alike (Eq. 24 of machines/cv_joint/figures.py).

    skew        half the deflection and the friction angle at least: below that tracks wedge the
                balls; half of all the deflection that is kept in hand too
    cage        a wall that ball centres do not leave, windows that balls do not strike at their
                ends, both over a turn at deflection and plunge
    tracks      as long as balls travel in them
    races       a land that clears the cage, walls of WALL of a ball's diameter
    bore        of the inner race, as thick as the torque asks of a shaft (SHEAR), or as wanted

The operating point is in the middle of the plunge. Away from there a deflected joint with straight
tracks does not turn quite evenly, whatever its dimensions (geometry/ball_joint.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from flank.analyses import load_distribution
from flank.design.candidate import Candidate, Envelope, Fallen, Variable
from flank.design.kinds.crank_parts import made_spec
from flank.design.kinds.rounding import in_rpm, rounded, source
from flank.design.kinds.tolerances import ALMOST_ALL, tolerances
from flank.design.measure import Asked
from flank.design.overview import Size
from flank.geometry.ball_joint import BallJoint, TrackAngles
from flank.geometry.ball_joint_checks import JointRoom, margins
from flank.machines.cv_joint.joint import CvJoint
from flank.machines.cv_joint.spec import CvJointSpec
from flank.texts import mm

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.design.falls import Falls
    from flank.design.requirements import JointRequirements

BALLS = (6, 8, 10, 12)
BALL_GRID = 25.4e-3 / 32
BALL_SIZES = range(8, 49)
"""Of BALL_GRID: a quarter of an inch to one and a half."""

SLIDING, STATIC = 0.03, 0.05
"""Friction of greased tracks, as Marter et al. 2020 take it; static friction is assumed."""

SPARE = math.radians(1.3)
"""Of deflection, in hand: `check` asks for a degree."""

FRICTION_ANGLE = math.atan(STATIC)
SKEW_STEP, STEEPEST = math.radians(0.1), math.radians(20)
"""Of skews: the drawing's step, and the largest, a guide of this project: twice what propeller
shafts have (6 to 9 degrees, US 7785205 B2)."""

STATIC_PRESSURE = 4200e6
"""Pa, of point contact at the largest torque (ISO 76)."""

PRESSURE_POWER = 3.0
"""Of a pressure over its limit, by which the pitch circle has to grow: of a point contact it goes
with the third root of the force, and that with 1/R."""

SHEAR = 300e6
"""Pa: of a hardened shaft at the largest torque, a guide of this project."""

WALL, CAGE_WALL, CAGE_RIM, WEB, APART = 0.27, 0.16, 0.35, 0.07, 0.06
"""Over a ball's diameter: walls of races behind tracks; the cage's wall, its rims beside windows,
webs between them; gaps between balls."""

OUTWARD = 0.75
"""Share of the cage's wall outside the pitch circle: balls sink deeper into the outer race's land
than into that of the inner one."""

CLEARED, WINDOW_ROOM, GRID = 0.3e-3, 0.2e-3, 0.1e-3
"""m: between cage and races, in windows around the cage, and of the drawing."""

CONFORMITIES, ANGLES, EXTRA_SKEWS = (1.01, 1.07), (35.0, 50.0), (0.0, 5.0)
"""Of tracks; degrees."""

FIRST = (1.03, 40.0, 0.5)

SMALLEST, LARGEST, STEP, LARGEST_STEP, LOCAL = 8e-3, 0.3, 1.03, 1.3, 0.12
"""m, of the pitch circle's radius; steps of the ladder that is climbed; share in the local
search."""

PLACES = 4
"""Equilibria over two pitches of balls, after which the joint is the same again."""

ASSUMPTIONS = (
    "Gothic arches; tracks without inclination, so that both senses of the torque are alike.",
    "Sliding friction 0.03 and static friction 0.05 in tracks and windows; damping 0.2 s/m, not "
    "measured.",
    "The inner race held in the middle of its plunge, on the axis of its shaft; tracks, windows "
    "and cage leave room for all of the plunge.",
    "Walls, clearances between cage and races and the shaft's stress are guides of this project.",
)


class Around(NamedTuple):
    """What the balls' travel asks for at a pitch circle, in m: lengths of both tracks and of a
    window, radii of ball centres in the cage, gap of neighbours' centres."""

    track: float
    window: float
    inside: float
    outside: float
    gap: float


@dataclass(frozen=True)
class CvJointDesigner:
    """See above."""

    wanted: JointRequirements

    machine: ClassVar[str] = "cv-joint"
    title: ClassVar[str] = "Ball joints"
    heads: ClassVar[int] = 6
    evaluations: ClassVar[int] = 24

    @property
    def verified_by(self) -> tuple[str, ...]:
        """A turn in time only where something is limited that friction makes."""
        equilibria = ("transmission-error", "load-distribution")
        return (*equilibria, "joint-turns") if self._rubs else equilibria

    @property
    def _rubs(self) -> bool:
        wanted = self.wanted
        return any(each is not None for each in (wanted.axial_force, wanted.secondary_torque))

    @property
    def variables(self) -> Mapping[str, Variable]:
        return {
            "pitch": Variable("radius of the pitch circle", SMALLEST, LARGEST, LOCAL),
            "conformity": Variable("track radius over the ball's", *CONFORMITIES),
            "angle": Variable("contact angle in degrees", *ANGLES),
            "extra_skew": Variable("skew beyond the least, in degrees", *EXTRA_SKEWS),
        }

    def begin_larger(self, values: Sequence[float], factor: float) -> tuple[float, ...]:
        return (values[0] * factor, *values[1:])

    def ratio_problems(self) -> Iterator[str]:
        """A joint has no ratio; what no joint can is told here."""
        least = self._skew(0.0)
        if least > STEEPEST:
            yield (
                f"deflection is {math.degrees(self.wanted.deflection):.3g} deg; straight crossed "
                f"tracks would need a skew of {math.degrees(least):.3g} deg, and have at most "
                f"{math.degrees(STEEPEST):.3g} deg: give {self._largest_deflection:.3g} deg or less"
            )
        torque, limit = self._secondary_torque, self.wanted.secondary_torque
        if limit is not None and torque > limit:
            yield (
                f"secondary_torque is {limit:g} N*m, and T tan(deflection/2) is {torque:.4g} N*m "
                "in every joint of this torque and deflection; give as much, or less of these"
            )

    @property
    def _largest_deflection(self) -> float:
        """Degrees, that the steepest tracks bear."""
        wedge = 2 * (STEEPEST - 1.05 * FRICTION_ANGLE)
        return math.degrees(min(wedge, 2 * STEEPEST - SPARE))

    @property
    def _secondary_torque(self) -> float:
        return self.wanted.torque * math.tan(0.5 * self.wanted.deflection)

    def _skew(self, extra: float) -> float:
        """In rad, with so many degrees beyond the least, on the drawing's grid."""
        half = 0.5 * self.wanted.deflection
        least = max(half + 1.05 * FRICTION_ANGLE, half + 0.5 * SPARE)
        return rounded(least + math.radians(extra), SKEW_STEP, up=True)

    def candidates(self, falls: Falls) -> Sequence[Candidate]:
        found = []
        for balls in BALLS:
            for size in BALL_SIZES:
                numbers = (("balls", balls), ("ball_32nds_of_an_inch", size))
                try:
                    found.append(self._sized(Candidate(numbers, (0.0, *FIRST), 0.0)))
                except Fallen as fallen:
                    fallen.tell(falls)
        return found

    def _sized(self, blank: Candidate) -> Candidate:
        """On the smallest pitch circle where parts find room and closed forms of pressures hold;
        Fallen where that is beyond the envelope, with what asked for it."""
        diameter, last = blank.number("ball_32nds_of_an_inch") * BALL_GRID, Fallen("balls-no-room")
        pitch = max(
            0.5 * diameter / math.sin(math.pi / blank.number("balls")),
            0.5 * self._shaft + (0.5 + WALL) * diameter,
            SMALLEST,
        )
        if pitch > LARGEST:
            words = f"a bore of {mm(self._shaft, 4)} leaves no wall under the tracks"
            raise Fallen("bore", pitch / LARGEST, words)
        while pitch <= LARGEST:
            values = (pitch, *blank.values[1:])
            try:
                spec = made_spec(CvJointSpec, self.spec(blank, values))
                size = self._envelope(spec)
                if self.wanted.length is not None and size.length > self.wanted.length:
                    words = f"{mm(size.length, 4)} long"
                    raise Fallen("envelope-length", size.length / self.wanted.length, words)
                self._press(CvJoint(spec))
                self._enclose(size, last)
                return replace(blank, values=values, score=size.volume)
            except Fallen as fallen:
                last = fallen
                if last.code.startswith("envelope"):  # a larger joint is no smaller
                    raise
            grown = last.excess**PRESSURE_POWER if last.code.startswith("pressure") else STEP
            pitch *= min(max(grown, STEP), LARGEST_STEP)
        raise last

    def _enclose(self, size: Envelope, last: Fallen) -> None:
        """Fallen where the joint is larger than is wanted; `last` asked for its size."""
        outer = self.wanted.outer_diameter
        if outer is not None and size.diameter > outer:
            words = f"{mm(size.diameter, 4)} across needed because of {last.code.replace('-', ' ')}"
            raise Fallen("envelope-diameter", size.diameter / outer, words)

    def _outer(self, pitch: float, ball: float) -> float:
        return 2 * rounded(pitch + (0.5 + WALL) * ball, GRID, up=True)

    def _press(self, joint: CvJoint) -> None:
        """Pressures by closed forms; Fallen where one is too high."""
        from flank.design.cv_joint.figures import JointFigures

        figures = JointFigures(joint)
        more = math.pow(self.wanted.peak / self.wanted.torque, 1 / 3)
        for name, words in (("track_pressure", "tracks"), ("window_pressure", "windows")):
            pressure = figures.value(name) or 0.0
            for value, limit in (
                (pressure, self.wanted.pressure or math.inf),
                (more * pressure, STATIC_PRESSURE),
            ):
                if value > limit:
                    text = f"{value / 1e6:.0f} MPa in {words}"
                    raise Fallen(f"pressure-in-{words}", value / limit, text)

    def _around(self, pitch: float, balls: int, diameter: float, skew: float) -> Around:
        """At plunge and deflection, a little more than wanted."""
        angles = TrackAngles(skew, 0.0)
        joint = BallJoint(balls, pitch, angles, angles)
        most = self.wanted.deflection + SPARE, self.wanted.plunge
        none = margins(joint, JointRoom(0.5 * diameter, 0.0, 0.0, 0.0, 1e3, 0.0), *most)
        low = margins(joint, JointRoom(0.5 * diameter, 0.0, 0.0, -1e3, 0.0, 0.0), *most)
        track = -2 * min(none["outer track"], none["inner track"])
        window = -2 * none["window"]
        return Around(track, window, none["cage wall"], -low["cage wall"], none["neighbours"])

    def spec(self, candidate: Candidate, values: Sequence[float]) -> dict[str, Any]:
        """See Designer.spec."""
        wanted, balls = self.wanted, candidate.number("balls")
        ball = candidate.number("ball_32nds_of_an_inch") * BALL_GRID
        pitch, skew = rounded(values[0], 0.25e-3, up=True), self._skew(values[3])
        around = self._around(pitch, balls, ball, skew)
        if around.gap < APART * ball:
            raise Fallen("balls-no-room", math.inf, "balls touch each other")
        wall = CAGE_WALL * ball
        inside = rounded(min(pitch - (1 - OUTWARD) * wall, around.inside), GRID, down=True)
        outside = rounded(max(pitch + OUTWARD * wall, around.outside), GRID, up=True)
        window = rounded(around.window + WINDOW_ROOM, GRID, up=True)
        if 2 * math.pi * inside / balls < window + WEB * ball:
            raise Fallen("cage-no-room", math.inf, "no webs between the windows of the cage")
        track = rounded(around.track + 0.3 * ball, 0.5e-3, up=True)
        conformity = rounded(values[1], 1e-3)
        angle = math.radians(rounded(values[2], 0.5))
        spec: dict[str, Any] = {
            "machine": self.machine,
            "title": f"Ball joint, {wanted.torque:g} N·m at "
            f"{math.degrees(wanted.deflection):.3g}°: {balls} balls of {mm(ball, 5)} on "
            f"{mm(2 * pitch, 4)}",
            "source": source(wanted),
            "assumptions": ASSUMPTIONS,
            "pitch_circle_diameter": 2 * pitch,
            "balls": {"count": balls, "diameter": ball, "material": wanted.made_of},
            "tracks": {
                "conformity": conformity,
                "contact_angle": angle,
                "clearance": self._clearance(angle),
            },
            "outer": {
                "skew": skew,
                "inclination": 0.0,
                "outer_diameter": self._outer(pitch, ball),
                "bore_diameter": 2 * (outside + CLEARED),
                "width": track,
                "material": wanted.made_of,
            },
            "inner": {
                "outer_diameter": 2 * (inside - CLEARED),
                "bore_diameter": self._bore(pitch, ball),
                "width": track,
                "material": wanted.made_of,
            },
            "cage": {
                "outer_diameter": 2 * outside,
                "inner_diameter": 2 * inside,
                "width": rounded(ball + 2 * CAGE_RIM * ball, GRID, up=True),
                "window_length": window,
                "material": wanted.made_of,
            },
            "contact": {
                "theory": "exact",
                "damping": 0.2,
                "friction": {"sliding": SLIDING, "static": STATIC},
            },
            "operation": {
                "torque": wanted.torque,
                "speed": in_rpm(wanted.speed),
                "deflection": wanted.deflection,
            },
        }
        if self._matched:
            return spec
        made = made_spec(CvJointSpec, spec)
        return spec | {"tolerances": tolerances(made, wanted.deviation, pitch)}

    def _clearance(self, angle: float) -> float:
        """At each flank of a track: none where parts are matched as is usual; else what leaves 99
        of 100 balls free between tracks that deviate radially by ±t, 2 g/cos α of room for both."""
        deviation = self.wanted.deviation
        if self._matched or isinstance(deviation, str):
            return 0.0
        return rounded(ALMOST_ALL * deviation * math.cos(angle) / math.sqrt(2), 1e-6, up=True)

    @property
    def _matched(self) -> bool:
        return self.wanted.tolerance is None and self.wanted.process == "ground"

    def _bore(self, pitch: float, ball: float) -> float:
        """Of the inner race; Fallen where it is less than the shaft needs."""
        room = 2 * rounded(pitch - (0.5 + WALL) * ball, GRID, down=True)
        if room < self._shaft:
            words = f"a bore of {mm(self._shaft, 4)} leaves no wall under the tracks"
            raise Fallen("bore", self._shaft / max(room, 1e-9), words)
        return room

    @property
    def _shaft(self) -> float:
        """Diameter of the shaft in the inner race, τ = 16 T/(π D³), or the bore that is wanted."""
        shaft = math.pow(16 * self.wanted.peak / (math.pi * SHEAR), 1 / 3)
        return rounded(max(shaft, self.wanted.bore or 0.0), GRID, up=True)

    def envelope(self, machine: Any) -> Envelope:
        return self._envelope(machine.spec)

    def _envelope(self, spec: CvJointSpec) -> Envelope:
        length = max(spec.outer.width, spec.inner.width, spec.cage.width)
        return Envelope(spec.outer.outer_diameter, length)

    def asked(self, machine: Any, figures: Any) -> Iterator[Asked]:
        """Pressures from equilibria at places over two pitches, with the torque in both senses."""
        wanted = self.wanted
        if wanted.pressure is not None:
            yield from self._pressed(machine, wanted.torque, "", wanted.pressure)
        if wanted.peak > wanted.torque:
            yield from self._pressed(machine, wanted.peak, " at the peak torque", STATIC_PRESSURE)
        elif wanted.pressure is None:
            yield from self._pressed(machine, wanted.torque, "", STATIC_PRESSURE)
        if wanted.loss is not None:
            yield Asked("loss", LOSS, figures.loss, wanted.loss, "W", "W")

    def _pressed(self, machine: Any, torque: float, when: str, limit: float) -> Iterator[Asked]:
        largest = {"track": 0.0, "window": 0.0}
        for sense in (1, -1):
            joint = CvJoint(machine.spec.with_changes({"operation.torque": sense * torque}))
            for place in range(PLACES):
                angle = 4 * math.pi * place / PLACES / joint.spec.balls.count
                settings = load_distribution.LoadDistributionSettings(crank_angle=angle)
                result = load_distribution.run(joint, settings)
                for name in largest:
                    found = result.data.data_vars.get(f"largest_{name}_pressure")
                    value = float(found.values) if found is not None else 0.0
                    largest[name] = max(largest[name], value if result.complete else math.inf)
        for name, value in largest.items():
            title = f"pressure in {name}s{when}"
            yield Asked(f"{name}-pressure", title, value, limit, "Pa", "MPa", power=PRESSURE_POWER)

    def asked_of_runs(self, results: Mapping[str, Result]) -> Iterator[Asked]:
        """What friction makes, which equilibria do not know: of the turn in time."""
        wanted = self.wanted
        if not self._rubs:
            return
        turn = results["joint-turns"]
        ends = "secondary_torque_outer", "secondary_torque_inner"
        secondary = max(abs(float(turn[name])) for name in ends)
        for name, title, value, unit in (
            ("axial_force", "axial force, peak to peak", float(turn["axial_force_range"]), "N"),
            ("secondary_torque", "secondary torque with friction", secondary, "N*m"),
            ("loss", LOSS, float(turn["loss"]), "W"),
        ):
            limit = getattr(wanted, name)
            yield Asked(name, title, value, math.inf if limit is None else limit, unit, unit)

    def sizes(self, machine: Any) -> Sequence[Size]:
        spec = machine.spec
        return (
            Size("ball diameter", spec.balls.diameter),
            Size("pitch circle diameter", spec.pitch_circle_diameter),
            Size("track radius over the ball's", spec.tracks.conformity, "", ""),
            Size("contact angle", spec.tracks.contact_angle, "rad", "deg"),
            Size("skew of the tracks", spec.outer.skew, "rad", "deg"),
            Size("bore of the inner race", spec.inner.bore_diameter),
        )


LOSS = "power lost to friction"
