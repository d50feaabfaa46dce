"""Machines with one thing broken, by the rule that finds it.

The machine with the changes `good` keeps the rule, with those of `breaks` on top it does not.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import flank
from tests.helpers.broken_gears import BROKEN, GOOD


@dataclass(frozen=True)
class Case:
    """`remedied` says whether a single change is known to keep the rule."""

    preset: str
    breaks: Mapping[str, Any]
    good: Mapping[str, Any] = field(default_factory=dict)
    remedied: bool = True

    def good_machine(self) -> Any:
        return flank.preset(self.preset, dict(self.good))

    def broken_machine(self) -> Any:
        return flank.preset(self.preset, {**self.good, **self.breaks})


DRIVE = "cycloidal-drive"

MAKING = {"making": {"process": "ground", "cutter_radius": "2 mm"}}
MOTOR = {
    "motor": {"torque": "8 N*m", "peak_torque": "40 N*m", "speed": "3000 rpm"},
    "friction": {"pins": 0.05, "rollers": 0.05},
}
DUTY = {
    "duty": {
        "torques": ["400 N*m", "200 N*m"],
        "speeds": ["20 rpm", "35 rpm"],
        "times": ["0.5 s", "2 s"],
    }
}
NEEDLES = {
    "eccentric": {
        "bearing": "needles",
        "needles": {"count": 24, "radius": "2.5 mm", "length": "9 mm", "clearance": "5 um"},
    },
    "rated_life": "1000 h",
}
STRUCTURE = {
    "structure": {
        "output_pins": {"held": "both ends", "gap": "1 mm", "radius": "5 mm"},
        "shaft": {"length": "60 mm", "radius": "12 mm"},
    }
}
LOOSE = {"pins.mounting": "rolling", "pins.groove_radius": "3.01 mm"}

RV, FEW = "rv-40", "few-teeth-38"

SIZED = {
    "turning_arm": {"count": 17, "radius": "2.394 mm", "length": "7.488 mm"},
    "supports": {
        "count": 19,
        "radius": "1.891 mm",
        "length": "7.205 mm",
        "race_radius": "10.9 mm",
    },
}
"""Bearings of the preset, which do not follow a sizing rule then."""

RELIEF = {"amount": "12 um", "length": "0.6 mm"}
RELIEVED = {"discs.tip_relief": RELIEF, "ring.tip_relief": RELIEF}

CASES: dict[tuple[str, str], Case] = {
    (DRIVE, "no-equilibrium"): Case(DRIVE, {"rated_torque": "1.6e6 N*m"}),
    (DRIVE, "overloaded"): Case(DRIVE, {"operation.torque": "500 N*m"}),
    (DRIVE, "peak-below-rated"): Case(DRIVE, {"peak_torque": "300 N*m"}),
    (DRIVE, "hot"): Case(
        DRIVE,
        {"operation.input_speed": "3000 rpm"},
        {"friction": {"pins": 0.05}, "operation.input_speed": "500 rpm"},
    ),
    (DRIVE, "resonance"): Case(DRIVE, {"operation.input_speed": "6400 rpm"}),
    (DRIVE, "weak-motor"): Case(DRIVE, {"motor.torque": "4 N*m"}, MOTOR),
    (DRIVE, "weak-motor-at-peak"): Case(DRIVE, {"motor.peak_torque": "20 N*m"}, MOTOR),
    (DRIVE, "slow-motor"): Case(DRIVE, {"motor.speed": "1000 rpm"}, MOTOR),
    (DRIVE, "duty-beyond-rating"): Case(
        DRIVE, {"duty.torques": ["500 N*m", "480 N*m"]}, DUTY, remedied=True
    ),
    (DRIVE, "duty-beyond-peak"): Case(DRIVE, {"duty.torques": ["1200 N*m", "200 N*m"]}, DUTY),
    (DRIVE, "small-shortening"): Case(DRIVE, {"eccentricity": "0.05 mm"}),
    (DRIVE, "large-shortening"): Case(DRIVE, {"eccentricity": "1.5 mm", "pins.radius": "2 mm"}),
    (DRIVE, "undercut-margin"): Case(DRIVE, {"pins.radius": "4.2 mm"}),
    (DRIVE, "crowded-pins"): Case(DRIVE, {"pins.radius": "4.57 mm", "eccentricity": "0.8 mm"}),
    (DRIVE, "thin-disc"): Case(DRIVE, {"discs.width": "0.5 mm"}),
    (DRIVE, "slender-pins"): Case(DRIVE, {"discs.width": "30 mm"}),
    (DRIVE, "too-much-clearance"): Case(DRIVE, {"discs.equidistant": "500 um"}),
    (DRIVE, "too-little-clearance"): Case(DRIVE, {"discs.equidistant": "0 um"}, MAKING),
    (DRIVE, "jams-within-tolerance"): Case(DRIVE, {"tolerances.equidistant": "30 um"}),
    (DRIVE, "position-beyond-process"): Case(
        DRIVE,
        {"tolerances.pin_radial": "1 um"},
        {**MAKING, "tolerances.pin_radial": "6 um", "tolerances.pin_tangential": "6 um"},
    ),
    (DRIVE, "wall-beyond-process"): Case(
        DRIVE, {"output.rollers.circle_radius": "52.6 mm"}, MAKING
    ),
    (DRIVE, "cutter-too-large"): Case(DRIVE, {"making.cutter_radius": "4 mm"}, MAKING),
    (DRIVE, "few-pins-carry"): Case(
        DRIVE, {"discs.equidistant": "150 um", "pins.count": 12, "eccentricity": "3 mm"}
    ),
    (DRIVE, "load-concentration"): Case(DRIVE, {"discs.equidistant": "40 um"}),
    (DRIVE, "pin-pressure"): Case(DRIVE, {"rated_torque": "1200 N*m"}),
    (DRIVE, "pins-crushed"): Case(DRIVE, {"discs.width": "0.5 mm"}),
    (DRIVE, "static-pin-pressure"): Case(DRIVE, {"rated_torque": "4120 N*m"}),
    (DRIVE, "pin-wear"): Case(
        DRIVE,
        {"operation.input_speed": "1500 rpm"},
        {"discs.material": "POM", "operation.input_speed": "1 rpm"},
    ),
    (DRIVE, "thin-film"): Case(
        DRIVE, {"lubrication.viscosity": "0.05 Pa*s"}, {"lubrication": {"viscosity": "6 Pa*s"}}
    ),
    (DRIVE, "open-groove"): Case(
        DRIVE, {"pins.radius": "1.6 mm", "pins.groove_radius": "1.605 mm"}, LOOSE
    ),
    (DRIVE, "loose-groove"): Case(DRIVE, {"pins.groove_radius": "3.2 mm"}, LOOSE),
    (DRIVE, "unbalance"): Case(DRIVE, {"operation.input_speed": "20000 rpm"}, {"discs.count": 1}),
    (DRIVE, "thin-outer-wall"): Case(DRIVE, {"output.rollers.circle_radius": "52.6 mm"}),
    (DRIVE, "thin-inner-wall"): Case(DRIVE, {"discs.bore_radius": "35 mm"}),
    (DRIVE, "thin-wall-between-holes"): Case(DRIVE, {"output.rollers.count": 19}),
    (DRIVE, "web-shears"): Case(
        DRIVE, {"output.rollers.circle_radius": "53.1 mm", "output.rollers.count": 3}
    ),
    (DRIVE, "few-rollers"): Case(DRIVE, {"output.rollers.count": 3}),
    (DRIVE, "short-rollers"): Case(
        DRIVE, {"output.rollers.radius": "6 mm", "output.rollers.length": "4 mm"}
    ),
    (DRIVE, "slender-rollers"): Case(DRIVE, {"output.rollers.radius": "1 mm"}),
    (DRIVE, "tight-holes"): Case(DRIVE, {"tolerances.hole_radius": "40 um"}),
    (DRIVE, "loose-holes"): Case(DRIVE, {"output.rollers.hole_radius": "6.7 mm"}),
    (DRIVE, "roller-pressure"): Case(
        DRIVE, {"output.rollers.radius": "1.2 mm", "output.rollers.count": 4}
    ),
    (DRIVE, "static-roller-pressure"): Case(
        DRIVE,
        {"output.rollers.radius": "1.2 mm", "output.rollers.count": 4, "rated_torque": "1500 N*m"},
    ),
    (DRIVE, "output-pin-fatigue"): Case(DRIVE, {"structure.output_pins.radius": "3 mm"}, STRUCTURE),
    (DRIVE, "output-pin-yields"): Case(
        DRIVE, {"structure.output_pins.radius": "2.5 mm"}, STRUCTURE
    ),
    (DRIVE, "shaft-yields"): Case(DRIVE, {"structure.shaft.radius": "3 mm"}, STRUCTURE),
    (DRIVE, "thin-shaft"): Case(DRIVE, {"discs.bore_radius": "6 mm"}),
    (DRIVE, "short-needle-life"): Case(DRIVE, {"rated_life": "10000 h"}, NEEDLES),
    (DRIVE, "needle-safety"): Case(DRIVE, {"eccentric.needles.length": "2 mm"}, NEEDLES),
    (DRIVE, "few-needles"): Case(DRIVE, {"eccentric.needles.count": 12}, NEEDLES),
    (DRIVE, "slender-needles"): Case(
        DRIVE,
        {"eccentric.needles.radius": "0.4 mm", "eccentric.needles.count": 150},
        NEEDLES,
    ),
    (RV, "short-arm-life"): Case(RV, {"rated_life": "9000 h"}, SIZED),
    (RV, "short-support-life"): Case(RV, {"rated_life": "9000 h"}, SIZED),
    (RV, "arm-static-safety"): Case(RV, {"peak_torque": "3000 N*m"}),
    (RV, "support-static-safety"): Case(RV, {"peak_torque": "3000 N*m"}),
    (RV, "arm-rollers-few"): Case(RV, {"turning_arm.count": 6}),
    (RV, "support-rollers-few"): Case(RV, {"supports.count": 8}),
    (RV, "arm-rollers-slender"): Case(RV, {"turning_arm.radius": "0.35 mm"}),
    (RV, "support-rollers-slender"): Case(RV, {"supports.radius": "0.28 mm"}),
    (RV, "arm-rollers-short"): Case(RV, {"turning_arm.length": "2 mm"}),
    (RV, "support-rollers-short"): Case(RV, {"supports.length": "1.5 mm"}),
    (RV, "static-arm-pressure"): Case(RV, {"peak_torque": "3000 N*m"}),
    (RV, "static-support-pressure"): Case(RV, {"peak_torque": "3500 N*m"}),
    (RV, "crank-tilts"): Case(RV, {"rated_torque": "1400 N*m"}, SIZED),
    (RV, "loose-turning-arm"): Case(RV, {"turning_arm.clearance": "30 um"}),
    (RV, "tight-support"): Case(RV, {"supports.clearance": "-8 um"}),
    (RV, "journal-fatigue"): Case(RV, {"cranks.journal_radius": "4.5 mm"}, SIZED),
    (RV, "journal-yields"): Case(
        RV, {"cranks.journal_radius": "5 mm", "peak_torque": "3000 N*m"}, SIZED
    ),
    (RV, "pillars-yield"): Case(RV, {"carrier.pillar_radius": "4 mm", "peak_torque": "2000 N*m"}),
    (RV, "thin-crank-wall-to-root"): Case(RV, {"turning_arm.radius": "4.6 mm"}),
    (RV, "thin-crank-wall-to-bore"): Case(RV, {"discs.bore_radius": "18 mm"}),
    (RV, "thin-crank-wall-to-pillar"): Case(
        RV, {"carrier.pillar_count": 4, "carrier.pillar_radius": "7.5 mm"}
    ),
    (RV, "thin-pillar-wall-to-root"): Case(
        RV,
        {
            "pins.radius": "4 mm",
            "main_bearings.ball_radius": "0.3 mm",
            "carrier.pillar_radius": "19.3 mm",
            "main_bearings.ball_count": 300,
            "carrier.body": "elastic",
        },
    ),
    (RV, "thin-flange"): Case(RV, {"supports.radius": "2.6 mm", "supports.count": 14}, SIZED),
    (RV, "stage-contact-ratio"): Case(
        "rv-80", {"first_stage.profile_shift": 0.0}, {"first_stage.profile_shift": 0.37}
    ),
    (RV, "not-hunting"): Case(
        RV,
        {"first_stage.sun_teeth": 18, "first_stage.planet_teeth": 54},
        {"first_stage.sun_teeth": 17, "first_stage.planet_teeth": 55},
    ),
    (RV, "wide-sun"): Case(RV, {"first_stage.face_width": "40 mm"}),
    (RV, "planets-close"): Case(
        RV, {"cranks.count": 3, "first_stage.sun_teeth": 12, "first_stage.planet_teeth": 60}
    ),
    (RV, "too-fast"): Case(RV, {"operation.input_speed": "10000 rpm"}),
    (FEW, "steep-mesh"): Case(FEW, {"ring.profile_shift": -1.3}, {"cranks.journal_radius": "3 mm"}),
    (FEW, "tips-pass-close"): Case("few-teeth-60", {"rack.addendum": 0.64}, {"rack.addendum": 0.6}),
    (FEW, "thin-ring"): Case(FEW, {"ring.outer_radius": "44.5 mm"}),
    (FEW, "teeth-jam-within-tolerance"): Case(FEW, {"tolerances.tooth_thickness": "60 um"}),
    (FEW, "tooth-pressure"): Case(
        FEW, {"rated_torque": "120 N*m"}, {"discs.material": "EN-GJS-400"}
    ),
    (FEW, "edges-press"): Case(FEW, {"discs.tip_relief": None, "ring.tip_relief": None}, RELIEVED),
    (FEW, "static-tooth-pressure"): Case(FEW, {"peak_torque": "15000 N*m"}),
    (FEW, "root-fatigue"): Case(FEW, {"rated_torque": "150 N*m"}),
    (FEW, "thin-discs"): Case(FEW, {"discs.width": "1.5 mm", "supports.length": "2 mm"}),
    (FEW, "unbalance"): Case(FEW, {"operation.input_speed": "200000 rpm"}, {"discs.count": 1}),
}
"""By kind of machine and code; a rule that several kinds share is broken once."""

CASES |= {
    key: Case(preset, breaks, GOOD.get(preset, {})) for key, (preset, breaks) in BROKEN.items()
}
