"""How far to trust the constant-velocity joint: closed forms, symmetries, independent figures.

    python validation/cv_joint.py      writes docs/validation/cv_joint.md

Every case is also a test.
"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cases import as_table, finish
from joint_assumptions import assumption_table
from joint_contact import geometry_cases, hertz_cases
from joint_equilibrium import cage_axis, held_at, still
from joint_refusals import refusal_cases
from joint_running import friction_cases, rotation_cases, running_order_cases
from joint_statics import (
    STIFF,
    TORQUE,
    closed_form_cases,
    limit_torque_cases,
    rigid_track_force,
    static_order_cases,
    stiffness_cases,
    straight,
)
from joint_symmetry import LEANING, ROTATION, exchange_cases, limit_cases, mirror_cases, space_cases
from joint_tops import top_cases
from joint_transients import guidance_cases, ramp_cases, transient_cases

import flank
from flank.machines.cv_joint.figures import track_force
from flank.reproduce.cv_joint.computing import BY_HERTZ, DEFLECTION, PAPERS, axial_stiffness

PAGE = Path(__file__).parent.parent / "docs" / "validation" / "cv_joint.md"

SECTIONS = {
    "Spatial bodies": (top_cases, rotation_cases),
    "Hertz's ellipse and the contact's place": (hertz_cases, geometry_cases),
    "The frictionless joint": (
        closed_form_cases,
        stiffness_cases,
        limit_torque_cases,
        static_order_cases,
        running_order_cases,
    ),
    "Friction, repetition and energy": (friction_cases,),
    "Guidance and transient operation": (guidance_cases, transient_cases, ramp_cases),
    "Symmetries and limits": (space_cases, exchange_cases, mirror_cases, limit_cases),
    "Refusals": (refusal_cases,),
}
GROUPS = tuple(group for groups in SECTIONS.values() for group in groups)

PROSE = """# How far to trust the constant-velocity joint

Written by `make validation`; every row is also a test. Equations are those of Marter, Daniel,
Duvigneau and Woschke 2020 as [the theory page](../theory/cv_joint.md) has them. The joint is
`cv-joint-marter`, with 6e12 N/m^1.5 in all contacts, unless a row names `cv-joint`, which has
Hertz's stiffness; 2000 N·m and 2° unless a row says otherwise. 'Computed independently' are
figures of another program for the same joint, with the digits that it gives.

{tables}
## What assumptions do

Static friction, its velocities and the damping of contacts are assumed. A turn at 300 rpm with them
changed:

{assumptions}

Where static friction exceeds sliding friction, balls and cage stick and slip: of two contacts of a
ball one sticks while the other slides, and they change places within microseconds. With Hertz's
stiffness, how the cage leans, the secondary torque of the driving race and axial orders then depend
on damping; losses and the driven race hardly do. With the larger stiffness nothing does from
100 s/m on. With much less its balls chatter within microseconds: runs become many times
slower, turns no longer repeat to 1 %, and the secondary torque of the driving race falls.

## How to read it

- Eq. 23 is of first order in the inclinations of the tracks. For a reversed torque it is
  {first_order:.1%} below what the normals of the inclined track give, and the elastic joint, whose
  contact angle opens under load, lies between, {reversed_track:.2%} above Eq. 23.
- The cage also leans out of the plane of the shafts, by {out_of_plane:.3f}° at 5e10 N/m^1.5. Its
  angle to the outer race is therefore a little larger than that in the plane.
- The bound on the secondary torque lets all balls slide at μ = 0.03, which not all do; static
  friction of 0.05 stands against it. The driving side lies below T tan(β/2), the driven side above.
- Exchanging the races between the shafts mirrors the joint in the plane that halves their angle,
  exactly so with the same torques on the same races. Those of one joint differ by {uneven:.0e}:
  elastic, it turns with nearly constant velocity only.

## What is not validated

- **No measured joint stands behind these figures**, and no published run with all its dimensions.
- 6e12 N/m^1.5 is a number for numerics. With Hertz's stiffness, a hundred times less, contact
  angles open by eight degrees, and the ellipse is longer than the ball's radius: too long for the
  half-space that Hertz's theory stands on.
- Stick is a steep slope of friction at small speed, and drilling and sliding share one limit;
  neither rolling friction nor a film of grease is there.
- Races and cage are rigid but for their contacts: no widening of the outer race under load, which
  would make a real joint softer.
- Along its axis the inner race of the straight, frictionless joint meets no stiffness; deflected by
  2° it meets {axial:.1f} N/µm, and with Hertz's stiffness {soft_axial:.2f} N/µm, if it is guided
  rigidly sideways. What guides it decides how far a free one moves with friction
  ([why](../theory/cv_joint.md#guidance)), and no shaft of a vehicle stands behind the choice.
- A ramp of the deflection meets the steady turn as it becomes slow. The secondary torque of the
  driving race, where two terms nearly cancel, is the last to do so.
"""


def figures() -> dict[str, float]:
    """What the prose names."""
    joint, found = straight(-TORQUE)
    exact, first = rigid_track_force(joint, -TORQUE), track_force(joint.spec, TORQUE)
    soft = flank.preset(STIFF, {"contact.stiffness": "5e10 N/m^1.5"})
    leaning = held_at(flank.preset(STIFF, LEANING), ROTATION)
    torque = float(still(leaning).torque(leaning.input_shaft)[0])
    return {
        "first_order": 1 - first / exact,
        "reversed_track": float(found["mean_track_force"]) / first - 1,
        "out_of_plane": math.degrees(cage_axis(soft)[1]),
        "uneven": abs(torque / TORQUE - 1),
        "axial": 1e-6 * axial_stiffness(PAPERS, DEFLECTION),
        "soft_axial": 1e-6 * axial_stiffness(BY_HERTZ, DEFLECTION),
    }


def main() -> None:
    found = {title: [c for group in groups for c in group()] for title, groups in SECTIONS.items()}
    tables = "\n".join(f"## {title}\n\n{as_table(cases)}\n" for title, cases in found.items())
    cases = [case for group in found.values() for case in group]
    text = PROSE.format(tables=tables, assumptions=assumption_table(), **figures())
    finish(PAGE, text, cases)


if __name__ == "__main__":
    main()
