"""Hertz's ellipse: how good are the two approximations, and how stiff is a ball in its track?

    python validation/elliptic_contact.py

prints the tables of docs/theory/elliptic_contact.md.
"""

import math
from collections.abc import Iterator
from typing import get_args

from flank.elasticity.elliptic_contact import (
    EllipseShape,
    EllipticContact,
    Theory,
    ball_in_track,
    contact_approach,
    contact_stiffness,
    ellipse_shape,
    peak_pressure,
    semi_axes,
)
from flank.elasticity.material import Material, contact_modulus
from flank.geometry.roots import zero_between

THEORIES = get_args(Theory)
RATIOS = (1.0, 1.1, 1.5, 2.0, 3.0, 5.0, 10.0, 11.0, 21.0, 51.0, 101.0, 1e3, 1e4)
BALL_STEEL = Material(210e9, 0.3, 7850.0)
MODULUS = contact_modulus(BALL_STEEL, BALL_STEEL)
BALL_RADIUS = 0.5 * 17.462e-3
LOAD = 12e3
CONFORMITIES = (1.01, 1.02, 1.05, 1.10)

HARRIS = (
    ("0.1075", "1.0760", "0.9318", "0.9974"),
    ("0.3204", "1.2623", "0.8114", "0.9761"),
    ("0.4795", "1.4556", "0.7278", "0.9429"),
    ("0.5916", "1.6440", "0.6687", "0.9077"),
    ("0.6716", "1.8258", "0.6245", "0.8733"),
    ("0.7332", "2.011", "0.5881", "0.8394"),
    ("0.7948", "2.265", "0.5480", "0.7961"),
    ("0.83495", "2.494", "0.5186", "0.7602"),
    ("0.87366", "2.800", "0.4863", "0.7169"),
    ("0.90999", "3.233", "0.4499", "0.6636"),
    ("0.93657", "3.738", "0.4166", "0.6112"),
    ("0.95738", "4.395", "0.3830", "0.5551"),
    ("0.97290", "5.267", "0.3490", "0.4960"),
    ("0.983797", "6.448", "0.3150", "0.4352"),
    ("0.990902", "8.062", "0.2814", "0.3745"),
    ("0.995112", "10.222", "0.2497", "0.3176"),
    ("0.997300", "12.789", "0.2232", "0.2705"),
    ("0.9981847", "14.839", "0.2072", "0.2427"),
    ("0.9989156", "17.974", "0.18822", "0.2106"),
    ("0.9994785", "23.55", "0.16442", "0.17167"),
    ("0.9998527", "37.38", "0.13050", "0.11995"),
)
"""F(ρ) = (B - A)/(A + B), a*, b*, δ* of Harris and Kotzalas 2006, table 6.1, digits as printed."""


def harris_numbers(shape: EllipseShape) -> tuple[float, float, float]:
    """a*, b*, δ*: semi-axes and approach over those of a round contact of the same A + B and E*."""
    k, second, first = shape
    swell = 2 * second / math.pi
    long, short = (k**2 * swell) ** (1 / 3), (swell / k) ** (1 / 3)
    return long, short, 2 * first / math.pi / long


def half_digit(printed: str) -> float:
    """Half a unit of the last printed digit."""
    return 0.5 * 10.0 ** -len(printed.split(".")[1])


def harris_misses() -> Iterator[tuple[str, str, str, float]]:
    """Entries that no F(ρ) within its printed digits gives: F(ρ), name, printed, computed."""
    for printed_ratio, *row in HARRIS:
        found = []
        for slip in (-1, 0, 1):
            ratio = float(printed_ratio) + slip * half_digit(printed_ratio)
            found.append(harris_numbers(ellipse_shape((1 + ratio) / (1 - ratio))))
        for name, printed, values in zip(
            ("a*", "b*", "δ*"), row, zip(*found, strict=True), strict=True
        ):
            slack = half_digit(printed) * (1 + 1e-9)
            if not min(values) - slack <= float(printed) <= max(values) + slack:
                yield printed_ratio, name, printed, values[1]


def percent(found: float, exact: float) -> str:
    return f"{100 * (found / exact - 1):+.2f} %"


def errors(ratio: float, theory: Theory) -> str:
    """k, E, F, K and p0 of an approximation against the exact ones."""
    contact = EllipticContact(1.0, ratio, 1.0)
    pairs = list(zip(contact.shape(theory), contact.shape(), strict=True))
    pairs.append((contact_stiffness(contact, theory), contact_stiffness(contact)))
    pairs.append((peak_pressure(contact, 1.0, theory), peak_pressure(contact, 1.0)))
    return " | ".join(percent(*pair) for pair in pairs)


def approximation_table(theory: Theory) -> list[str]:
    lines = ["| λ = B/A | k exact | E | F | k | E | F | K | p0 |", "|---" * 9 + "|"]
    for ratio in RATIOS:
        k, second, first = ellipse_shape(ratio)
        lines.append(
            f"| {ratio:g} | {k:.4f} | {second:.4f} | {first:.4f} | {errors(ratio, theory)} |"
        )
    return lines


def track(conformity: float) -> EllipticContact:
    return ball_in_track(BALL_RADIUS, conformity * BALL_RADIUS, MODULUS)


def ball_table() -> list[str]:
    """The ball of 17.462 mm on a plane and in tracks, at 12 kN."""
    lines = [
        "| conformity | k | K exact | 1983 | 1977 | δ [µm] | a, b [mm] | p0 [GPa] | a/R_ball |",
        "|---" * 9 + "|",
    ]
    for conformity in (*CONFORMITIES, math.inf):
        contact = track(conformity)
        stiffness = " | ".join(f"{contact_stiffness(contact, theory):.3e}" for theory in THEORIES)
        long, short = semi_axes(contact, LOAD)
        lines.append(
            f"| {'plane' if conformity == math.inf else f'{conformity:.2f}'} "
            f"| {contact.shape().ellipticity:.3f} | {stiffness} "
            f"| {1e6 * contact_approach(contact, LOAD):.2f} "
            f"| {1e3 * long:.3f}, {1e3 * short:.4f} "
            f"| {1e-9 * peak_pressure(contact, LOAD):.3f} | {long / BALL_RADIUS:.2f} |"
        )
    return lines


def needed_excess(stiffness: float, theory: Theory) -> float:
    """R_track/R_ball - 1 at which the ball in its track has K = `stiffness`."""

    def excess_stiffness(logarithm: float) -> float:
        return math.log(contact_stiffness(track(1 + math.exp(logarithm)), theory) / stiffness)

    return math.exp(zero_between(excess_stiffness, math.log(1e-9), math.log(0.1)))


def needed_table() -> list[str]:
    """How close a track would have to fit for the stiffnesses of the paper."""
    lines = ["| K [N/m^1.5] | exact | 1983 | 1977 |", "|---" * 4 + "|"]
    for stiffness in (3e11, 6e12):
        cells = (f"{needed_excess(stiffness, theory):.3g}" for theory in THEORIES)
        lines.append(f"| {stiffness:.0e} | {' | '.join(cells)} |")
    return lines


def harris_table() -> list[str]:
    """What of Harris's 63 numbers is not a rounding of the exact one."""
    lines = ["| F(ρ) | | printed | exact |", "|---" * 4 + "|"]
    for ratio, name, printed, exact in harris_misses():
        lines.append(f"| {ratio} | {name} | {printed} | {exact:.5f} |")
    return lines


def tables() -> Iterator[list[str]]:
    yield approximation_table("hamrock-brewe-1983")
    yield approximation_table("brewe-hamrock-1977")
    yield harris_table()
    yield ball_table()
    yield needed_table()


if __name__ == "__main__":
    for table in tables():
        print("\n".join(table), end="\n\n")
