"""Worked examples of others: what was given, and what they print.

ISO/TR 6336-30:2017, example 1: a helical pair, case-hardened, ground. Its inputs and the results of
its flank are quoted in the open program gfsReboucas/Drivetrain (class MATISO_6336), its basic rack
and x1 in the tests of an open geometry library; its root results are quoted nowhere that could be
read.

Pu and Ji, Mechanical Design, 8th edition, example 10-1 and table 10-5 (20°, h_a 1, c 0.25, ρ 0.38
modules): a spur pair sized by the load at the tip, without factors of the contact ratio.

The open program din3990 (hanslhansl), example 1: a spur pair by DIN 3990-11 of 1989, with all
intermediate factors.
"""

import math

from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear, Relief
from flank.geometry.gear_pair import GearPair
from flank.strength.materials import strength_of
from flank.strength.rating import Duty, Known, Making, Rating

ANGLE = math.radians(20)
BOTH = (STEEL, STEEL)
CASE_HARDENED = strength_of("Eh-MQ")


def technical_report() -> Rating:
    """ISO/TR 6336-30:2017, example 1; K_Hβ = 1.16 is its input, tip relief 70 µm."""
    relief = Relief(70e-6, 5e-3)
    rack = {"helix_angle": math.radians(15.8), "dedendum": 1.4, "fillet_radius": 0.39}
    gears = [Gear(z, 8e-3, ANGLE, x, relief=relief, **rack) for z, x in ((17, 0.14522), (103, 0))]
    pair = GearPair(*gears, 0.5, 0.1)
    pinion, ratio = pair.first, 103 / 17
    middle = pinion.tip_radius + pinion.root_radius
    inertial = math.pi / 8 * STEEL.density * pair.face_width * ratio**2 / (1 + ratio**2)
    reduced = inertial * middle**4 / (2 * pinion.base_radius) ** 2  # ISO 6336-1, solid discs
    speed, force = 360 * 2 * math.pi / 60, 9000 / pinion.reference_radius
    turns = 360 * 60 * 50e3
    return Rating(
        pair,
        BOTH,
        (CASE_HARDENED, CASE_HARDENED),
        Duty(force, speed, (turns, turns / ratio)),
        Making(5, 6e-6, 10e-6, 320e-6),
        reduced,
        known=Known(face=1.16),
    )


PRINTED = {
    "Z_H": 2.39533,
    "Z_E": 189.81170,
    "Z_eps": 0.803,
    "Z_beta": 1.01944,
    "Z_L": 1.04739,
    "Z_V": 0.96911,
    "Z_R": 0.96599,
    "sigma_H0": 1206.58207,
    "sigma_H": 1301.35343,
    "sigma_HG": (1338.48050, 1414.52551),
    "S_H": (1.02853, 1.08696),
    "K_V": 1.003,
    "K_Ha": 1.0,
    "K_Fb": 1.12803,
    "c'": 12.37047,
    "c_ga": 17.46485,
    "Z_NT": (0.910, 0.962),
    "F_t": 127352.0,
    "v": 2.664,
}
"""Of the technical report, in N, mm, µm and s."""

ROOT_TABLE = {
    17: (2.97, 1.52),
    18: (2.91, 1.53),
    19: (2.85, 1.54),
    20: (2.80, 1.55),
    21: (2.76, 1.56),
    22: (2.72, 1.57),
    24: (2.65, 1.58),
    26: (2.60, 1.595),
    28: (2.55, 1.61),
    30: (2.52, 1.625),
    35: (2.45, 1.65),
    40: (2.40, 1.67),
    50: (2.32, 1.70),
    60: (2.28, 1.73),
    80: (2.22, 1.77),
    100: (2.18, 1.79),
    150: (2.14, 1.83),
    200: (2.12, 1.865),
}
"""Y_Fa and Y_Sa by number of teeth, Pu and Ji, table 10-5."""


def sized_pinion(module: float) -> GearPair:
    """Pu and Ji, example 10-1: 24/77 teeth, face as wide as the pinion's reference circle."""
    return GearPair(
        Gear(24, module, ANGLE, fillet_radius=0.38),
        Gear(77, module, ANGLE, fillet_radius=0.38),
        face_width=24 * module,
    )


def open_program() -> GearPair:
    """din3990, example 1."""
    return GearPair(
        Gear(19, 4e-3, ANGLE, 0.5, fillet_radius=0.25),
        Gear(104, 4e-3, ANGLE, 0.15, fillet_radius=0.25),
        face_width=48.64e-3,
    )


PROGRAM = {
    "F_t": 14103.41869503906,
    "K_V": (1.0278576187783273, 1.0360454442926832),
    "K_Hb": 1.1064272863295082,
    "K_Fb": (1.0864854433487987, 1.0866055432520856),
    "Z_B": 1.00554704549864,
    "S_H": 1.2079360526264216,
    "S_F": (1.9120087306681766, 1.8787026617886324),
    "s_Fn": (8.748743355951145, 9.239504610725831),
    "rho_F": (1.3161477577049423, 1.325999192893118),
    "Y_Fa": (2.246336378902072, 2.1616566798058514),
    "Y_Sa": (1.9147262565947287, 2.008781657562889),
}
"""Of din3990, example 1, in N and mm."""
