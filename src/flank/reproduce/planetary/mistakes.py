"""The paper's mistakes one by one, each with what shows it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flank.reproduce.planetary.closed_forms import (
    as_printed,
    frequencies_by_equation_13,
    mesh_frequencies,
    reflected_inertia,
    rigid_angle,
    steady_acceleration,
    willis,
)
from flank.reproduce.planetary.gearboxes import PRESET, STAGE, gearbox
from flank.reproduce.planetary.published import (
    CAPTION_STIFFNESS,
    HALF_PERIODS,
    LAST_FORCE,
    STAGE_FORCES,
    STIFFER,
    TABLE_1C,
    TEXT_STIFFNESS,
)
from flank.reproduce.planetary.stage import StageRun
from flank.reproduce.planetary.swings import Periods, Swing
from flank.reproduce.planetary.switching import Offset
from flank.reproduce.planetary.tables import Swings, largest


@dataclass(frozen=True)
class Evidence:
    """What the sentences take their figures from."""

    text: Swings
    caption: Swings
    most_damped: Swing
    periods: dict[tuple[int, float], Periods]
    first_stage: StageRun
    offsets: Sequence[Offset]


def mistakes(seen: Evidence) -> list[str]:
    """Numbered sentences."""
    found = [
        _stiffness(seen.text, seen.caption),
        _radius(seen.first_stage),
        _ring_sign(),
        _mean_angle(),
        _offsets(seen.offsets),
        _phases(),
        _half_period(seen.periods),
        _last_force(seen.most_damped),
        _inertias(),
        _deviations(),
    ]
    return [f"Mistake {number}. {sentence}" for number, sentence in enumerate(found, start=1)]


def _off(swings: Swings) -> float:
    return max(abs(swings[count].angle - paper.flexible) for count, paper in TABLE_1C.items())


def _stiffness(text: Swings, caption: Swings) -> str:
    return (
        f"The caption of Table 1a has k = {CAPTION_STIFFNESS:g} N/m, the text {TEXT_STIFFNESS:g}. "
        f"The angles of Table 1c are met within {_off(text):.3f}° with {TEXT_STIFFNESS:g} and "
        f"missed by up to {_off(caption):.3f}° with {CAPTION_STIFFNESS:g}."
    )


def _radius(first: StageRun) -> str:
    sun, ring = STAGE_FORCES["rigid"]
    gears = gearbox(STAGE, {}).layout.gears
    angles = gears.sun_planet.working_angle, gears.planet_ring.working_angle
    cosines = math.cos(angles[1]) / math.cos(angles[0])
    normal = abs(first.normal.get("sun/planet 1", math.nan)) / 1e3
    return (
        "Eq. 9 has the base radius, Eq. 12 the working radius times the tangential force: the same "
        "torque only if α is the working angle, which the text does not say. 'Gear tooth forces' "
        "are called normal for the rigid model and tangential for the flexible one; printed are "
        f"tangential ones of both: {abs(ring):.0f}/{abs(sun):.0f} = {abs(ring / sun):.4f} against "
        f"cos {math.degrees(angles[1]):.2f}°/cos {math.degrees(angles[0]):.2f}° = {cosines:.4f}, "
        f"while the normal forces are equal ({normal:.1f} kN)."
    )


def _ring_sign() -> str:
    teeth = gearbox(PRESET, {}).kinematics.teeth
    right, wrong = willis(teeth), as_printed(teeth)
    return (
        "Eqs. 9, 11 and 12 hold for two external gears; between planet and ring the ring's term "
        "changes its sign, and so does that of sin α in Eq. 10. Taken as printed, stiff meshes "
        f"would turn planets {wrong.planet:+.1f} and the sun {wrong.sun:+.1f} times as fast as the "
        f"carrier instead of {right.planet:+.1f} and {right.sun:+.1f}, and three planets would end "
        f"at {rigid_angle(3, wrong):.2f}° instead of {rigid_angle(3):.2f}°. Table 1c shows that "
        "the authors' program has the right sign."
    )


def _mean_angle() -> str:
    machine = gearbox(STAGE, {})
    right, wrong = mesh_frequencies(machine), frequencies_by_equation_13(machine)
    return (
        "Eq. 13 needs angles against the carrier, and +r_b2/r_b1 for a ring. As printed the meshes "
        f"of the 500 kW stage would pass teeth at {wrong.sun:.1f} Hz (sun) and {wrong.ring:.1f} Hz "
        f"(ring); both pass {right.sun:.1f}. That Fig. 12a, as the text has it, 'shows that the "
        "sun rotates faster than the planets' points to such angles: the arc lengths of both "
        "meshes run equally fast. They fall, as sun and planets are driven and touched from tip to "
        "root."
    )


def _offsets(offsets: Sequence[Offset]) -> str:
    by_equation = {offset.equation: offset for offset in offsets if "x = 0" in offset.gears}
    apart = by_equation["17"].tooth - by_equation["19"].tooth
    others = by_equation["18"].tooth - by_equation["20"].tooth
    shifted = [offset for offset in offsets if "shifted" in offset.gears]
    best = [min(abs(offset.tooth), abs(offset.space)) for offset in shifted]
    return (
        "Eqs. 17 and 19 contradict each other: without profile shift (17) is s_min/ρ_b less (19), "
        f"{abs(math.remainder(apart, 1)):.3f} of a pitch apart for 20/40 teeth; so do (18) and "
        f"(20), by {abs(math.remainder(others, 1)):.3f} for 40/100. Neither pair is the geometry: "
        "they contain s_min, so that another tip circle would move the flanks, and (19) and (20) "
        f"are off by {best[0]:.2f} and {best[1]:.2f} of a pitch for the 500 kW stage. They also "
        "have α_w where the cutter's α_0 belongs. That (17) alone comes within "
        f"{abs(by_equation['17'].tooth):.3f} of a pitch is chance."
    )


def _phases() -> str:
    return (
        "'Without profile shift all planets switch between one and two pairs at the same time' "
        "holds for 1, 2 and 4 planets of Table 1, as 20 ψ_n/2π is whole, and not for 3: phases 0, "
        "1/3, 2/3. Profile shift has no part in it: the paper's own shifts for planets 2 and 3, "
        "±2π/3 after Eq. 19, do not contain x."
    )


def _half_period(periods: dict[tuple[int, float], Periods]) -> str:
    soft = [p.first for (_, stiffness), p in periods.items() if stiffness == TEXT_STIFFNESS]
    stiff = periods[3, STIFFER].first
    return (
        f"The 'half period' of {HALF_PERIODS[TEXT_STIFFNESS]:.2f} and {HALF_PERIODS[STIFFER]:.2f} "
        f"s is the whole one: {max(soft):.3f} to {min(soft):.3f} s with {TEXT_STIFFNESS:g} N/m and "
        f"{stiff:.3f} s with {STIFFER:g} N/m."
    )


def _last_force(damped: Swing) -> str:
    late = damped.time > 4.0
    left = max((largest(force[late]) for force in damped.tangential.values()), default=math.nan)
    return (
        f"With 60 N·s/m tooth forces 'end up at around ±{LAST_FORCE} N' while everything turns "
        f"steadily (section 3.1.2): impossible without a load. {LAST_FORCE} N of each of three "
        f"planets would speed up the sun by {steady_acceleration(LAST_FORCE, 3):.1f} rad/s². Here "
        f"no mesh carries more than {left:.2f} N after 4 s."
    )


def _inertias() -> str:
    machine = gearbox(STAGE, {})
    mass, printed = machine.masses.planet
    disc = 0.5 * mass * machine.spec.planet_gear.reference_radius**2
    sun = machine.masses.sun[1]
    return (
        f"Table 2 is no table of gears. A planet of {mass:.1f} kg is a disc of about {disc:.1f} "
        f"kg·m²; {printed:.1f} is close to m (277.5 mm)² = {mass * 0.2775**2:.1f}, its mass at the "
        f"carrier's radius of the author's model. {sun:.0f} kg·m² for the sun are most likely "
        f"the generator's, {reflected_inertia(sun):.1f} kg·m² behind 81/20 and 72/29. The ring's "
        "0.8 kg·m² does not matter, as it stands still."
    )


def _deviations() -> str:
    return (
        "ε in the table of Fig. 10a is taken against -41.170°, the rigid angle rounded; the "
        f"closed form is {rigid_angle(3):.3f}°. With 60 N·s/m that makes 0.015 % out of "
        f"{100 * (1 - 41.164 / abs(rigid_angle(3))):.3f} %."
    )
