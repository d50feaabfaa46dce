"""Rules about meshes and gears as builders: a machine names its mesh, its words and its keys."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flank.design.rule import GUIDE, Move, Put, Rule
from flank.design.rules_of_reducers import lower_peak, lower_rating

AGREED = "ISO 6336 leaves minima to agreement; "

LEAST_FLANK, LEAST_ROOT = 1.0, 1.4
"""S_H and S_F that gears of 1 % failures keep in industrial use."""

HARDENED_TIP = 0.4

NEAR_UNDERCUT = 0.05
"""Of the profile shift coefficient above undercut."""


@dataclass(frozen=True)
class MeshKeys:
    """Where a spec has what moves a mesh: `mesh` the attribute of the figures, `code` what follows
    every code, `words` how sentences call it, face widths and thickness deviations of its gears,
    what gives numbers of teeth without a common factor, and whether it always is that of a ring:
    whose tips meet fillets, a finding of the geometry, before they slide much."""

    mesh: str
    code: str
    words: str
    widths: tuple[str, ...]
    thicknesses: tuple[str, ...]
    hunting: Callable[[Any], dict[str, Any]]
    internal: bool = False


def mesh_rules(keys: MeshKeys) -> tuple[Rule, ...]:
    """Of one mesh."""
    name, of = keys.mesh, f" of {keys.words}" if keys.words else ""

    def rule(code: str, figure: str, *rest: Any, **named: Any) -> Rule:
        return Rule(f"{code}{keys.code}", f"{name}_{figure}", *rest, **named)

    wider = "make the gears wider"
    load = lower_rating(0.0, most=10.0)
    peak = lower_peak()
    rules = (
        rule(
            "low-contact-ratio",
            "contact_ratio",
            "at_least",
            1.2,
            f"teeth{of} overlap little: they take the load over with a jolt, and wear and errors "
            "may "
            "open a gap",
            (Move("make the teeth taller", ("rack.addendum",), up=True, most=2.0),),
            "Niemann and Winter, Maschinenelemente II: ε_α of at least 1.1 in all tolerances, 1.2 "
            "to 1.25 by the drawing",
        ),
        rule(
            "short-overlap",
            "overlap",
            "at_least",
            1.0,
            f"helical teeth{of} overlap across the face by less than a pitch, and lose most of "
            "their "
            "evenness",
            (
                Move(wider, keys.widths, up=True, power=1.0),
                Move("use a larger helix angle", ("rack.helix_angle",), up=True, most=3.0),
            ),
            "ISO 6336: Z_ε, Z_β and Y_β count a full overlap from ε_β = 1",
            severity="note",
        ),
        rule(
            "no-hunting-teeth",
            "common_factor",
            "at_most",
            1.0,
            f"the same teeth{of} meet again and again, so that one bad tooth marks its few mates",
            (Put("change a number of teeth by few", keys.hunting),),
            GUIDE + "numbers of teeth without a common factor",
            severity="note",
        ),
        rule(
            "slender-face",
            "slenderness",
            "at_most",
            1.4,
            f"the face{of} is wide for its pinion, whose twist and bend alone load one end",
            (Move("make the gears narrower", keys.widths, up=False),),
            "Niemann and Winter, Maschinenelemente II: b/d1 up to 1.4 between bearings, hardened",
        ),
        rule(
            "wide-in-modules",
            "width_in_modules",
            "at_most",
            40.0,
            f"the face{of} is wide for its teeth: hardly any accuracy has all of it carry",
            (Move("make the gears narrower", keys.widths, up=False),),
            "Niemann and Winter, Maschinenelemente II: b/m up to 25 to 40 on stiff shafts",
        ),
        rule(
            "large-sliding",
            "sliding",
            "at_most",
            4.0,
            f"flanks{of} slide far more than they roll where they touch first or last: they wear, "
            "heat and scuff",
            (Move("shorten the teeth", ("rack.addendum",), up=False, most=3.0),),
            GUIDE + "specific sliding of balanced teeth is 1 to 3",
        ),
        rule(
            "jams-within-tolerance",
            "play_left",
            "at_least",
            0.0,
            f"tolerances together may take all the backlash{of}",
            (Move("make the teeth thinner", keys.thicknesses, up=False, amount=2e-6),),
            "sum of the tolerances of the spec on the line of action",
        ),
        rule(
            "much-backlash",
            "play_in_modules",
            "at_most",
            0.15,
            f"backlash{of} is far more than errors and heat need",
            (Move("make the teeth thicker", keys.thicknesses, up=True, amount=2e-6),),
            GUIDE + "allowances of DIN 3967 stay below 0.1 modules",
        ),
        rule(
            "much-relief",
            "relief_share",
            "at_most",
            3.0,
            f"tip relief{of} is far more than teeth give way, so that it costs contact",
            (Move("raise the load that it is for", ("rated_torque",), up=True),),
            GUIDE + "tip relief up to about the deflection of one pair of teeth",
            severity="note",
        ),
        rule(
            "fast-teeth",
            "velocity",
            "at_most",
            50.0,
            f"the pitch line{of} runs faster than splash or plain jets of oil reach",
            (Move("lower the speed", ("operation.input_speed",), up=False, most=1e3),),
            "Niemann and Winter, Maschinenelemente II: injection needed, special design above 50 "
            "m/s",
        ),
        rule(
            "thin-film",
            "film",
            "at_least",
            0.4,
            f"hardly any film of oil parts the flanks{of}: they run on their additives alone",
            (
                Move("use a thicker oil", ("rating.viscosity",), up=True, most=10.0),
                Move("grind the flanks smoother", ("rating.flank_roughness",), up=False),
            ),
            GUIDE + "boundary lubrication below λ = 0.4, mixed up to 1 (AGMA 925)",
            severity="note",
        ),
        rule(
            "mesh-resonance",
            "resonance_distance",
            "at_least",
            0.15,
            f"the teeth{of} come in at nearly the frequency at which both gears swing on them",
            (Move("run slower", ("operation.input_speed",), up=False),),
            "ISO 6336-1: main resonance from N = 0.85 to 1.15",
        ),
        rule(
            "uneven-face",
            "face_factor",
            "at_most",
            _face_limit(name),
            f"part of the face{of} carries nothing, so far are the flanks misaligned",
            (
                Move("align the flanks better", ("rating.misalignment",), up=False, most=1e3),
                Move("give K_Hβ of a contact analysis", ("rating.face_load_factor",), up=False),
            ),
            "ISO 6336-1, K_Hβ = 2: the load falls to nothing at one end",
            limit_is="2, where flanks would have less than four times their safety if even",
        ),
        rule(
            "flank-safety",
            "flank_safety",
            "at_least",
            LEAST_FLANK,
            f"flanks{of} pit before their life is over",
            (Move(wider, keys.widths, up=True, most=20.0), load),
            AGREED + "1.0 for 1 % of damage, Niemann and Winter, Maschinenelemente II",
        ),
        rule(
            "peak-flank-safety",
            "peak_flank_safety",
            "at_least",
            LEAST_FLANK,
            f"flanks{of} are dented for good at the peak torque",
            (Move(wider, keys.widths, up=True, most=20.0), peak),
            AGREED + "1.0 against static strength, ISO 6336-2 with the life factor of few cycles",
        ),
    )
    return tuple(each for each in rules if not (keys.internal and each.figure.endswith("_sliding")))


@dataclass(frozen=True)
class GearKeys:
    """The same of a gear: its name in figures and sentences, its block of the spec, the key that
    makes its rim thicker, and what goes with more profile shift where that alone does not fit."""

    gear: str
    widths: tuple[str, ...]
    block: str
    rim: str
    internal: bool = False
    shifted: Put | None = None


def gear_rules(keys: GearKeys) -> tuple[Rule, ...]:
    """Of one gear."""
    name = keys.gear
    wider = "make the gears wider"
    rules = [
        Rule(
            f"thin-hardened-tip-{name}",
            f"{name}_tip_thickness",
            "at_least",
            _tip_limit_of(name),
            f"tips of the {name} are thin for a hardened layer on both sides, and break",
            (Move("shorten its teeth", (f"{keys.block}.tip_radius",), up=keys.internal, most=1.2),),
            "Niemann and Winter, Maschinenelemente II: 0.4 m_n hardened, 0.2 m_n else",
            limit_is="0.4, of gears that are known to be hardened",
        ),
        Rule(
            f"root-safety-{name}",
            f"{name}_root_safety",
            "at_least",
            LEAST_ROOT,
            f"teeth of the {name} break at the root before their life is over",
            (
                Move(wider, keys.widths, up=True, most=20.0),
                lower_rating(0.0, most=10.0),
            ),
            AGREED + "1.4 as industrial gears keep, Niemann and Winter, Maschinenelemente II",
        ),
        Rule(
            f"peak-root-safety-{name}",
            f"{name}_peak_root_safety",
            "at_least",
            1.0,
            f"teeth of the {name} crack or bend for good at the peak torque",
            (
                Move(wider, keys.widths, up=True, most=20.0),
                lower_peak(),
            ),
            AGREED + "1.0 against static strength, ISO 6336-3 with the life factor of few cycles",
        ),
        Rule(
            f"thin-rim-{name}",
            f"{name}_rim",
            "at_least",
            3.5 if keys.internal else 1.2,
            f"the rim of the {name} bends with its teeth, and cracks run through it",
            (
                Move(
                    "make it thicker outside" if keys.internal else "make its bore smaller",
                    (keys.rim,),
                    up=keys.internal,
                ),
            ),
            "ISO 6336-3, rim factor Y_B above one",
        ),
    ]
    if not keys.internal:
        rules.append(
            Rule(
                f"near-undercut-{name}",
                f"{name}_undercut_margin",
                "at_least",
                _undercut_limit(name),
                f"the {name} is close to undercut: a little less profile shift, or a worn tool, "
                "takes "
                "flank away",
                (keys.shifted or _more_shift(keys.block),),
                GUIDE + "0.05 above x_min of ISO 21771",
                limit_is="0.05; undercut itself is a finding of the geometry",
                severity="note",
            )
        )
    return tuple(rules)


def _more_shift(block: str) -> Move:
    return Move("use more profile shift", (f"{block}.profile_shift",), up=True, amount=0.01)


def _undercut_limit(name: str) -> Callable[[Any], float | None]:
    """0.05, none of an undercut gear."""
    return lambda figures: NEAR_UNDERCUT if figures.value(f"{name}_undercut_margin") >= 0 else None


def _face_limit(name: str) -> Callable[[Any], float | None]:
    """2, none where an even load of the face would press it so little that no unevenness
    matters."""

    def limit(figures: Any) -> float | None:
        even = figures.value(f"{name}_flank_safety") * math.sqrt(
            figures.value(f"{name}_face_factor")
        )
        return 2.0 if even < 4 * LEAST_FLANK else None

    return limit


def _tip_limit_of(name: str) -> Callable[[Any], float | None]:
    """0.4 modules of gears that are known to be hardened; 0.2 of others is the geometry's own."""
    return lambda figures: HARDENED_TIP if figures.hardened(name) else None
