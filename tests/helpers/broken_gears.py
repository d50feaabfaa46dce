"""Gears with one thing broken, by kind of machine and code of the rule that finds it.

The preset with `GOOD` changes keeps the rule.
"""

from typing import Any

BROKEN: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}

PAIR, SET, GEARBOX = "gear-pair", "planetary-500kw", "planetary-gearbox"
WIDE_PAIR = {"pinion.face_width": "200 mm", "wheel.face_width": "200 mm"}

BROKEN |= {
    (PAIR, "overloaded"): (PAIR, {"operation.torque": "1000 N*m"}),
    (PAIR, "peak-below-rated"): (PAIR, {"peak_torque": "300 N*m"}),
    ("helical-in-space", "peak-below-rated"): ("helical-in-space", {"peak_torque": "300 N*m"}),
    (SET, "peak-below-rated"): (SET, {"peak_torque": "30000 N*m"}),
    (PAIR, "low-contact-ratio"): (PAIR, {"rack.addendum": 0.7}),
    (PAIR, "short-overlap"): (PAIR, {"wheel.face_width": "30 mm"}),
    (PAIR, "no-hunting-teeth"): (PAIR, {"wheel.teeth": 75, "centre_distance": None}),
    (PAIR, "slender-face"): (PAIR, WIDE_PAIR),
    (PAIR, "wide-in-modules"): (PAIR, WIDE_PAIR),
    (PAIR, "large-sliding"): (
        PAIR,
        {
            "pinion.teeth": 14,
            "pinion.profile_shift": 0.12,
            "centre_distance": None,
            "pinion.body.bore_diameter": "20 mm",
        },
    ),
    (PAIR, "jams-within-tolerance"): (
        PAIR,
        {"pinion.thickness_deviation": "-20 um", "wheel.thickness_deviation": "-20 um"},
    ),
    (PAIR, "much-backlash"): (PAIR, {"wheel.thickness_deviation": "-600 um"}),
    (PAIR, "much-relief"): (PAIR, {"rated_torque": "120 N*m"}),
    (PAIR, "fast-teeth"): (PAIR, {"operation.input_speed": "14000 rpm"}),
    (PAIR, "thin-film"): (PAIR, {"rating.viscosity": "32 mm^2/s"}),
    (PAIR, "mesh-resonance"): (PAIR, {"operation.input_speed": "12000 rpm"}),
    (PAIR, "uneven-face"): (PAIR, {"rating.misalignment": "60 um"}),
    (PAIR, "flank-safety"): (PAIR, {"rated_torque": "3500 N*m"}),
    (PAIR, "peak-flank-safety"): (PAIR, {"peak_torque": "12000 N*m"}),
    (PAIR, "weak-shaft-pinion"): (PAIR, {"pinion.body.bore_diameter": "25 mm"}),
    (PAIR, "weak-shaft-wheel"): (PAIR, {"wheel.body.bore_diameter": "35 mm"}),
    (PAIR, "strength-assumed"): (PAIR, {"pinion.material": "steel"}),
    (PAIR, "strength-unknown"): (PAIR, {"pinion.material": "POM"}),
    **{
        (PAIR, f"{code}-{gear}"): (PAIR, changes)
        for gear in ("pinion", "wheel")
        for code, changes in {
            "root-safety": {"rated_torque": "3500 N*m"},
            "peak-root-safety": {"peak_torque": "15000 N*m"},
            "thin-hardened-tip": {"rack.normal_pressure_angle": "30 deg", "rack.addendum": 1.1},
        }.items()
    },
    (PAIR, "near-undercut-pinion"): (
        PAIR,
        {"pinion.profile_shift": -0.61, "wheel.profile_shift": 0.89},
    ),
    (PAIR, "near-undercut-wheel"): (
        PAIR,
        {
            "wheel.teeth": 20,
            "wheel.profile_shift": -0.28,
            "centre_distance": None,
            "wheel.body.bore_diameter": "30 mm",
        },
    ),
    (PAIR, "thin-rim-pinion"): (PAIR, {"pinion.body.bore_diameter": "58 mm"}),
    (PAIR, "thin-rim-wheel"): (PAIR, {"wheel.body.bore_diameter": "222 mm"}),
}


SMALL_PLANETS = {
    "sun.teeth": 41,
    "planets.teeth": 19,
    "ring.teeth": 79,
    "sun.profile_shift": 0.2,
    "planets.profile_shift": -0.12,
    "ring.profile_shift": 0.04,
    "planets.bore_radius": "40 mm",
    "ring.tip_radius": "392 mm",
    "ring.outer_radius": "460 mm",
}

BROKEN |= {
    (GEARBOX, code): (SET, changes)
    for code, changes in {
        "low-contact-ratio-sun-mesh": {"rack.addendum": 0.6},
        "low-contact-ratio-ring-mesh": {"rack.addendum": 0.6, "ring.tip_radius": "523.5 mm"},
        "short-overlap-sun-mesh": {"sun.face_width": "180 mm"},
        "short-overlap-ring-mesh": {"ring.face_width": "180 mm"},
        "no-hunting-teeth-sun-mesh": {
            "sun.teeth": 22,
            "planets.teeth": 44,
            "ring.teeth": 110,
            "ring.tip_radius": "550 mm",
            "ring.outer_radius": "620 mm",
        },
        "no-hunting-teeth-ring-mesh": {
            "sun.teeth": 22,
            "planets.teeth": 44,
            "ring.teeth": 110,
            "ring.tip_radius": "550 mm",
            "ring.outer_radius": "620 mm",
        },
        "slender-face-sun-mesh": {
            "sun.face_width": "400 mm",
            "planets.face_width": "400 mm",
            "ring.face_width": "400 mm",
        },
        "slender-face-ring-mesh": {
            "planets.face_width": "650 mm",
            "ring.face_width": "650 mm",
        },
        "wide-in-modules-sun-mesh": {"sun.face_width": "500 mm", "planets.face_width": "500 mm"},
        "wide-in-modules-ring-mesh": {"planets.face_width": "500 mm", "ring.face_width": "500 mm"},
        "large-sliding-sun-mesh": {
            "sun.profile_shift": -0.2,
            "planets.profile_shift": 0.3,
            "ring.profile_shift": -0.4,
        },
        "jams-within-tolerance-sun-mesh": {"tolerances.sun_thickness": "300 um"},
        "jams-within-tolerance-ring-mesh": {"tolerances.ring_thickness": "300 um"},
        "much-backlash-sun-mesh": {"sun.thickness_deviation": "-2 mm"},
        "much-backlash-ring-mesh": {"ring.thickness_deviation": "-2 mm"},
        "much-relief-sun-mesh": {"rated_torque": "4000 N*m"},
        "much-relief-ring-mesh": {"rated_torque": "4000 N*m"},
        "fast-teeth-sun-mesh": {"operation.input_speed": "1000 rpm"},
        "fast-teeth-ring-mesh": {"operation.input_speed": "1000 rpm"},
        "thin-film-sun-mesh": {"rating.viscosity": "68 mm^2/s"},
        "thin-film-ring-mesh": {"rating.viscosity": "46 mm^2/s"},
        "mesh-resonance-sun-mesh": {"operation.input_speed": "36 rad/s"},
        "mesh-resonance-ring-mesh": {"operation.input_speed": "38.8 rad/s"},
        "uneven-face-sun-mesh": {"rating.misalignment": "300 um"},
        "uneven-face-ring-mesh": {"rating.misalignment": "300 um"},
        "flank-safety-sun-mesh": {"rated_torque": "220000 N*m"},
        "flank-safety-ring-mesh": {"rated_torque": "1500000 N*m"},
        "peak-flank-safety-sun-mesh": {"peak_torque": "500000 N*m"},
        "peak-flank-safety-ring-mesh": {"peak_torque": "2600000 N*m"},
        "thin-hardened-tip-sun": {"rack.normal_pressure_angle": "29 deg"},
        "thin-hardened-tip-planet": {"rack.normal_pressure_angle": "29 deg"},
        "thin-hardened-tip-ring": {"ring.thickness_deviation": "-8 mm"},
        "root-safety-sun": {"rated_torque": "170000 N*m"},
        "root-safety-planet": {"rated_torque": "150000 N*m"},
        "root-safety-ring": {"rated_torque": "200000 N*m"},
        "peak-root-safety-sun": {"peak_torque": "720000 N*m"},
        "peak-root-safety-planet": {"peak_torque": "600000 N*m"},
        "peak-root-safety-ring": {"peak_torque": "1100000 N*m"},
        "thin-rim-sun": {"sun.bore_radius": "80 mm"},
        "thin-rim-planet": {"planets.bore_radius": "178 mm"},
        "thin-rim-ring": {"ring.outer_radius": "570 mm"},
        "near-undercut-sun": {"sun.profile_shift": -0.3, "ring.profile_shift": 0.3},
        "near-undercut-planet": SMALL_PLANETS,
        "planets-close": {
            "planets.count": 4,
            "planets.angles": ["0 deg", "85.71428571 deg", "180 deg", "265.71428571 deg"],
        },
        "planets-in-step": {
            "sun.teeth": 21,
            "planets.teeth": 42,
            "ring.teeth": 105,
            "ring.tip_radius": "525 mm",
        },
        "distances-differ": {"ring.profile_shift": -0.6, "centre_distance": "321 mm"},
        "uneven-sharing": {"sun.support": {"kind": "rigid"}, "tolerances.pin_tangential": "80 um"},
        "nothing-centres": {"sun.support": {"kind": "rigid"}},
        "weak-pin": {"planets.bore_radius": "45 mm"},
        "weak-sun": {"sun.bore_radius": "88 mm"},
        "planets-fly": {"operation.input_speed": "120 rad/s"},
        "runs-hot": {"operation.input_speed": "6 rad/s"},
        "strength-assumed": {"planets.material": "steel"},
        "strength-unknown": {"planets.material": "POM"},
    }.items()
}
"""Of a planetary gearbox."""


_IN_SPACE: dict[str, dict[str, Any]] = {
    "pressed-flanks": {"rated_torque": "12000 N*m"},
    "dented-flanks": {"peak_torque": "20000 N*m"},
    "edge-bears": {"rated_torque": "12000 N*m"},
    "weak-shaft-wheel": {"wheel.body.bore_diameter": "20 mm"},
    "strength-assumed": {"pinion.material": "steel"},
    "strength-unknown": {"pinion.material": "POM"},
}

BROKEN |= {
    (kind, code): (preset, changes)
    for kind, preset, others in (
        (
            "bevel-pair",
            "bevel-pair",
            {
                "pressed-flanks": {"rated_torque": "900 N*m"},
                "dented-flanks": {"peak_torque": "1800 N*m"},
                "edge-bears": {"rated_torque": "1500 N*m"},
                "no-hunting-teeth": {"wheel.teeth": 36},
                "mesh-resonance": {"operation.input_speed": "12400 rpm"},
            },
        ),
        (
            "hypoid-pair",
            "hypoid-pair",
            {
                "pressed-flanks": {"rated_torque": "1500 N*m"},
                "dented-flanks": {"peak_torque": "5000 N*m"},
                "edge-bears": {"rated_torque": "4000 N*m"},
                "no-hunting-teeth": {"wheel.teeth": 39},
                "mesh-resonance": {"operation.input_speed": "14200 rpm"},
            },
        ),
        (
            "spatial-gear-pair",
            "helical-in-space",
            {
                "no-hunting-teeth": {"wheel.teeth": 75, "centre_distance": None},
                "mesh-resonance": {"operation.input_speed": "10500 rpm"},
            },
        ),
    )
    for code, changes in (_IN_SPACE | others).items()
}

JOINT = "cv-joint"

BROKEN |= {
    (JOINT, code): (JOINT, changes)
    for code, changes in {
        "dented-tracks": {"operation.torque": "6000 N*m"},
        "dented-windows": {"operation.torque": "6000 N*m"},
        "outer-track-edge": {"tracks.contact_angle": "66 deg"},
        "inner-track-edge": {"tracks.contact_angle": "58 deg"},
        "thin-outer-wall": {"outer.outer_diameter": "84 mm"},
        "thin-inner-wall": {"inner.bore_diameter": "36 mm"},
        "thin-cage-webs": {"cage.window_length": "21 mm"},
        "tight-tracks": {"tracks.conformity": 1.002},
        "open-tracks": {"tracks.conformity": 1.2},
        "deflected-far": {"operation.deflection": "17.5 deg"},
        "binding-tracks": {"outer.skew": "2 deg", "outer.inclination": "0.5 deg"},
        "fast-balls": {"operation.speed": "6000 rpm", "operation.deflection": "14 deg"},
    }.items()
}


HARDENED = "16MnCr5"

GOOD: dict[str, dict[str, Any]] = {
    "gear-pair": {"pinion.material": HARDENED, "wheel.material": HARDENED},
    "helical-in-space": {"pinion.material": HARDENED, "wheel.material": HARDENED},
    "bevel-pair": {"rated_torque": "300 N*m", "peak_torque": "400 N*m"},
    "cv-joint": {"operation.torque": "400 N*m", "tracks.conformity": 1.04},
    "planetary-500kw": {
        "sun.material": HARDENED,
        "planets.material": HARDENED,
        "ring.material": "nitrided",
        "materials": {
            "nitrided": {
                "youngs_modulus": "206 GPa",
                "poisson_ratio": 0.3,
                "density": "7850 kg/m^3",
                "gear_strength": "NV-MQ",
            }
        },
        "rack.helix_angle": "8 deg",
        "sun.teeth": 22,
        "planets.teeth": 41,
        "ring.teeth": 104,
        "sun.profile_shift": 0.3,
        "planets.profile_shift": 0.0,
        "ring.profile_shift": -0.3,
        "sun.tip_radius": None,
        "planets.tip_radius": None,
        "ring.tip_radius": "520 mm",
        "ring.outer_radius": "590 mm",
        "sun.bore_radius": "30 mm",
        "planets.bore_radius": "140 mm",
        "sun.mass": None,
        "planets.mass": None,
        "ring.mass": None,
        "sun.support": {"kind": "floating"},
        "sun.face_width": "240 mm",
        "planets.face_width": "240 mm",
        "ring.face_width": "240 mm",
        "sun.tip_relief": {"amount": "30 um", "length": "10 mm"},
        "ring.tip_relief": {"amount": "30 um", "length": "10 mm"},
        "rated_torque": "55000 N*m",
        "operation.input_speed": "1.2 rad/s",
        "rating.viscosity": "680 mm^2/s",
        "rating.flank_roughness": "1.5 um",
    },
}
"""What a preset lacks for all rules to apply to it."""
