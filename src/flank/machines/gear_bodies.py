"""Which bodies under the teeth the stiffness of a mesh takes for granted, in words.

A bore that is left out can double the stiffness of a mesh; so whoever shows one says what bodies it
has, and `check_bodies` doubts those that nobody gave.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from flank.elasticity.tooth_beam import RIM, SMALLEST_BORE, held_radius
from flank.geometry.findings import Finding, note
from flank.geometry.gear import Gear
from flank.geometry.pair_checks import Names
from flank.texts import joined, mm

if TYPE_CHECKING:
    from flank.elasticity.finite_elements.sector_mesh import GearBody
    from flank.machines.meshed_pair import MeshedPair

BY_BODIES = ("spring", "table", "contact", "fe")
"""Mesh models that count what bodies give way; a spring does where its stiffness is not given."""

DIGITS = 4

ASSUMED = ", assumed"
"""Where nobody told how a body is held."""


def body_words(gear: Gear, body: "GearBody | None" = None) -> str:
    """What of the body gives way under the teeth, and where it is held."""
    assumed = "" if gear.held_radius is not None or body is not None else ASSUMED
    held = held_radius(gear) if body is None else body.held_radius
    rim = abs(gear.root_radius - held)
    if gear.internal:
        return f"rim of {mm(rim, DIGITS)} held at its outside{assumed}"
    bore = mm(2 * held, DIGITS)
    if body is not None and body.web_thickness is not None:
        rim_and_web = mm(body.rim_thickness or 0.0, DIGITS), mm(body.web_thickness, DIGITS)
        return "rim of {} on a web of {}, held at its bore of {}".format(*rim_and_web, bore)
    if not assumed:
        return f"disc held at its bore of {bore}"
    if held > SMALLEST_BORE * gear.root_radius:
        return f"{mm(rim, DIGITS)} below the root elastic ({RIM:g} modules), rigid inside{assumed}"
    return f"disc held at half its root radius, {bore} across{assumed}"


def is_assumed(words: str) -> bool:
    """Whether `body_words` tell of a body that nobody gave."""
    return ASSUMED in words


def mesh_bodies(meshed: "MeshedPair", elements: bool) -> tuple[str, str]:
    """Of both gears, as beams of teeth know them, or as `elements`."""
    gears = meshed.pair.first, meshed.pair.second
    bodies = meshed.bodies if elements else (None, None)
    supports = meshed.supports if elements else (None, None)
    first, second = (
        body_words(gear, body) + (", on springs" if support else "")
        for gear, body, support in zip(gears, bodies, supports, strict=True)
    )
    return first, second


def with_bores(meshed: "MeshedPair") -> "MeshedPair":
    """The same mesh, external gears whose bore nobody gave held at half their root radius."""
    first, second = (
        gear
        if gear.held_radius is not None or gear.internal
        else replace(gear, held_radius=SMALLEST_BORE * gear.root_radius)
        for gear in (meshed.pair.first, meshed.pair.second)
    )
    return replace(meshed, pair=replace(meshed.pair, first=first, second=second))


def check_bodies(meshed: "MeshedPair", names: Names, keys: tuple[str, str]) -> Iterator[Finding]:
    """Bores that nobody gave under teeth whose stiffness hangs on them, and how much it does.

    `keys` are those of the bores in the spec, empty where there is none.
    """
    form = meshed.form
    if form.model not in BY_BODIES or form.stiffness or form.tooth_foundation == "cornell":
        return
    bored = with_bores(meshed)
    gears = (meshed.pair.first, bored.pair.first), (meshed.pair.second, bored.pair.second)
    missing = [
        (f"the {name}", key)
        for name, key, (gear, other) in zip(names, keys, gears, strict=True)
        if key and gear != other
    ]
    if not missing:
        return
    told, wanted = (joined(words, "and") for words in zip(*missing, strict=True))
    found, other = meshed.mean_stiffness, bored.mean_stiffness
    yield note(
        "body-assumed",
        (found, other, "N/m"),
        f"no bore of {told} is told: with bodies that are rigid {RIM:g} modules below their teeth "
        f"the mesh has {found * 1e-6:.4g} N/um in the mean, with bores of half the root diameter "
        f"it would have {other * 1e-6:.4g} N/um",
        f"give {wanted}, where a body is held on its shaft",
    )
