"""Worked examples of others: what was given, and what they print.

ISO/TR 6336-30:2017, example 1: a helical pair, case-hardened, ground. Its inputs and the results of
its flank are quoted in the open program gfsReboucas/Drivetrain (class MATISO_6336), its basic rack
and x1 in the tests of an open geometry library; its root results are quoted nowhere that could be
read.

Pu and Ji, Mechanical Design, 8th edition, example 10-1 and table 10-5 (20°, h_a 1, c 0.25, ρ 0.38
modules): a spur pair sized by the load at the tip, without factors of the contact ratio.

The open program din3990 (hanslhansl), example 1: a spur pair by DIN 3990-11 of 1989, with all
intermediate factors.

Two stages of the NREL 5 MW reference gearbox (Nejad, Guo, Gao and Moan, Wind Energy 19, 2016),
rated by ISO 6336:2006 method B with KISSsoft 03/2017. Its printed reports, inputs and all factors,
stand in the open repository gfsReboucas/Drivetrain, @NREL_5MW/stage_03.rtf (helical pair 24/95) and
stage_02.rtf (spur planets 18/36/93).
"""

import math
from dataclasses import replace

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


def _wind_gear(
    teeth: int, module: float, shift: float, tip_diameter: float, slant: float = 0.0
) -> Gear:
    """A gear of the wind turbine: rack 1.25/0.38/1.0, its tip turned to a diameter in m."""
    gear = Gear(teeth, module, ANGLE, shift, helix_angle=math.radians(slant), fillet_radius=0.38)
    return replace(gear, tip_shortening=(gear.tip_radius - 0.5 * tip_diameter) / module)


TURBINE_STEEL = replace(CASE_HARDENED, root=430e6)
"""18CrNiMo7-6 of quality MQ as KISSsoft has it."""


def wind_pair() -> Rating:
    """High-speed pair of the NREL 5 MW gearbox, with the load factors that the report has."""
    pair = GearPair(
        _wind_gear(24, 14e-3, 0.4800, 380.747e-3, 10),
        _wind_gear(95, 14e-3, 0.6691, 1395.376e-3, 10),
        0.861,
        0.36,
    )
    return Rating(
        pair,
        BOTH,
        (TURBINE_STEEL, TURBINE_STEEL),
        Duty(240064.4, 1165.9 * 2 * math.pi / 60, (12255.788e6, 3096.199e6), 1.25),
        Making(6, 4.8e-6, 20e-6, 220e-6),
        0.36503e3 * 0.36,
        known=Known(dynamic=1.092, face=1.150, transverse=1.069),
    )


RING_STEEL = replace(strength_of("V-alloy-MQ", 240), flank=700e6, root=290e6)
"""34CrNiMo6, through-hardened, as KISSsoft has it."""


def wind_planets() -> tuple[Rating, Rating]:
    """Second stage: sun with a planet, planet with the ring, whose cutter we do not know of."""
    sun, planet = _wind_gear(18, 21e-3, 0.3890, 432.838e-3), _wind_gear(36, 21e-3, 0.5039, 0.815663)
    ring = Gear(93, 21e-3, ANGLE, 0.1171, internal=True, fillet_radius=0.30)
    turns, force, loads = (7782.3e6, 1297.1e6, 1506.3e6), 285900.438, (1.25, 1.10)
    inner = Rating(
        GearPair(sun, planet, 0.584, 0.55),
        BOTH,
        (TURBINE_STEEL, TURBINE_STEEL),
        Duty(force, (294.5 - 47.8) * 2 * math.pi / 60, turns[:2], *loads),
        Making(6, 4.8e-6, 20e-6, 220e-6),
        0.1534e3 * 0.55,
        reversed_load=(False, True),
        known=Known(dynamic=1.06, face=2.06, transverse=1.0),
    )
    outer = Rating(
        GearPair(planet, ring, 0.584, 0.55),
        BOTH,
        (TURBINE_STEEL, RING_STEEL),
        Duty(force, 123.4 * 2 * math.pi / 60, turns[1:], *loads),
        Making(6, 6.4e-6, 20e-6, 220e-6),  # mean of 4.8 and 8.0 µm
        1.4684e3 * 0.55,
        reversed_load=(True, False),
        known=Known(dynamic=1.06, face=1.15, transverse=1.0),
    )
    return inner, outer


WIND_PAIR = {
    "s_Fn": (31.18, 32.75),
    "ρ_F": (5.95, 5.39),
    "h_Fe": (14.06, 16.11),
    "α_Fen": (23.89, 22.20),
    "Y_F": (1.18, 1.24),
    "Y_S": (2.28, 2.35),
    "Y_β": 0.917,
    "K_Fβ": 1.136,
    "σ_F0": (117.92, 127.69),
    "σ_F": (195.64, 211.85),
    "Y_δrelT": (1.001, 1.005),
    "Y_RrelT": (0.957, 0.957),
    "Y_X": (0.910, 0.910),
    "σ_FG": (637.15, 654.72),
    "S_F": (3.26, 3.09),
    "σ_H0": 570.79,
    "σ_HG": (1338.30, 1387.31),
    "S_H": (1.81, 1.88),
}
"""Of the report on the helical pair, in N, mm and degrees."""

WIND_PLANETS = {
    "sun, to a planet": {"Y_F": 1.47, "Y_S": 2.04, "σ_F0": 73.95, "S_F": 2.82, "S_H": 1.21},
    "planet, to the sun": {"Y_F": 1.38, "Y_S": 2.18, "σ_F0": 74.21, "S_F": 2.04, "S_H": 1.38},
    "planet, to the ring": {"Y_F": 1.01, "Y_S": 2.48, "σ_F0": 61.98, "S_F": 4.18, "S_H": 3.43},
    "ring": {"ρ_F": 8.78, "Y_F": 1.20, "Y_S": 2.34, "S_F": 3.88, "S_H": 1.81},
}
"""Of the report on the planets, in N and mm."""
