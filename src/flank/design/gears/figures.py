"""Figures of meshes and gears as rows: a machine adds each for every mesh and gear that it has."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from flank.design.figure import Figure, Figures
from flank.design.gears.mesh import Mesh

Kind = TypeVar("Kind", bound=type[Figures])


class OfMesh(NamedTuple):
    """A figure of a mesh: name, title, how it is read, unit, the one it is shown in, heading."""

    name: str
    title: str
    read: Callable[[Mesh], float | None]
    unit: str = ""
    shown_unit: str = ""
    group: str = "Sizes"


class OfGear(NamedTuple):
    """A figure of a gear, by a mesh and its number in it; of several meshes the least counts."""

    name: str
    title: str
    read: Callable[[Mesh, int], float | None]
    unit: str = ""
    shown_unit: str = ""
    group: str = "Strength"


def _rated(read: Callable[[Any], float]) -> Callable[[Mesh], float | None]:
    """Of a rating, where there is one."""
    return lambda mesh: None if mesh.rating is None else read(mesh.rating)


def _at_peak(read: Callable[[Any], float]) -> Callable[[Mesh], float | None]:
    return lambda mesh: None if mesh.peak_rating is None else read(mesh.peak_rating)


def _of_gear(read: Callable[[Any, int], float], peak: bool = False) -> Any:
    def figure(mesh: Mesh, number: int) -> float | None:
        rating = mesh.peak_rating if peak else mesh.rating
        return None if rating is None else read(rating, number)

    return figure


OF_MESHES: tuple[OfMesh, ...] = (
    OfMesh("contact_ratio", "contact ratio ε_α", lambda m: m.contact_ratio, group="Profile"),
    OfMesh("overlap", "overlap ratio ε_β", lambda m: m.overlap, group="Profile"),
    OfMesh("common_factor", "common factor of the teeth", lambda m: m.common_factor, group="Ratio"),
    OfMesh("slenderness", "face width over pinion diameter", lambda m: m.slenderness),
    OfMesh("width_in_modules", "face width in modules", lambda m: m.width_in_modules),
    OfMesh("sliding", "largest specific sliding", lambda m: m.specific_sliding, group="Profile"),
    OfMesh(
        "play_left",
        "backlash left within tolerance",
        lambda m: m.play_left,
        "m",
        "um",
        "Play and stiffness",
    ),
    OfMesh(
        "play_in_modules",
        "backlash in modules",
        lambda m: m.play_in_modules,
        group="Play and stiffness",
    ),
    OfMesh("velocity", "pitch line velocity", lambda m: m.pitch_velocity, "m/s", "m/s", "Ratio"),
    OfMesh("efficiency", "efficiency of the teeth", lambda m: m.efficiency, group="Losses"),
    OfMesh("film", "film parameter λ", lambda m: m.film, group="Losses"),
    OfMesh("relief_share", "tip relief over deflection", lambda m: m.relief_share, group="Profile"),
    OfMesh(
        "resonance",
        "mesh over natural frequency N",
        _rated(lambda r: r.resonance),
        group="Vibration",
    ),
    OfMesh("resonance_distance", "distance of N from 1", lambda m: m.resonance_distance, group=""),
    OfMesh(
        "dynamic_factor", "dynamic factor K_V", _rated(lambda r: r.dynamic_factor), group="Strength"
    ),
    OfMesh(
        "face_factor", "face load factor K_Hβ", _rated(lambda r: r.face_factor), group="Strength"
    ),
    OfMesh(
        "transverse_factor",
        "transverse load factor K_Hα",
        _rated(lambda r: r.transverse_factors[0]),
        group="Strength",
    ),
    OfMesh(
        "pressure",
        "flank pressure σ_H",
        _rated(lambda r: max(r.flank_pressures)),
        "Pa",
        "MPa",
        "At rated torque",
    ),
    OfMesh(
        "peak_pressure",
        "flank pressure σ_H",
        _at_peak(lambda r: max(r.flank_pressures)),
        "Pa",
        "MPa",
        "At peak torque",
    ),
    OfMesh(
        "flank_safety",
        "flank safety S_H",
        _rated(lambda r: min(r.flank_safeties)),
        group="Strength",
    ),
    OfMesh(
        "peak_flank_safety",
        "flank safety S_H at peak, static",
        _at_peak(lambda r: min(r.flank_safeties)),
        group="Strength",
    ),
)

OF_GEARS: tuple[OfGear, ...] = (
    OfGear(
        "undercut_margin", "profile shift above undercut", Mesh.undercut_margin, group="Profile"
    ),
    OfGear("tip_thickness", "thickness at the tip in modules", Mesh.tip_thickness, group="Profile"),
    OfGear("rim", "rim over tooth depth, of a ring in modules", Mesh.rim, group="Walls"),
    OfGear("root_safety", "root safety S_F", _of_gear(lambda r, k: r.root_safeties[k])),
    OfGear(
        "peak_root_safety",
        "root safety S_F at peak, static",
        _of_gear(lambda r, k: r.root_safeties[k], peak=True),
    ),
    OfGear(
        "root_strength_left",
        "root strength less stress",
        _of_gear(lambda r, k: r.root_strength(k) - r.root_stresses[k]),
        "Pa",
        "MPa",
        "",
    ),
)


def with_meshes(meshes: dict[str, str]) -> Callable[[Kind], Kind]:
    """Adds the figures of meshes: attribute of the figures that is a `Mesh` by its words in
    titles."""

    def decorated(kind: Kind) -> Kind:
        for attribute, words in meshes.items():
            for row in OF_MESHES:
                _add(kind, f"{attribute}_{row.name}", _mesh_reader(attribute, row), row, words)
        return kind

    return decorated


def with_gears(gears: dict[str, tuple[tuple[str, int], ...]]) -> Callable[[Kind], Kind]:
    """Adds the figures of gears: name by the meshes that it is in and its numbers there."""

    def decorated(kind: Kind) -> Kind:
        for name, places in gears.items():
            for row in OF_GEARS:
                _add(kind, f"{name}_{row.name}", _gear_reader(places, row), row, f"the {name}")
        return kind

    return decorated


def _mesh_reader(attribute: str, row: OfMesh) -> Callable[[Any], float | None]:
    return lambda figures: row.read(getattr(figures, attribute))


def _gear_reader(places: Iterable[tuple[str, int]], row: OfGear) -> Callable[[Any], float | None]:
    def read(figures: Any) -> float | None:
        values = [row.read(getattr(figures, mesh), number) for mesh, number in places]
        known = [value for value in values if value is not None]
        return min(known, default=None)

    return read


def _add(kind: type[Figures], name: str, read: Any, row: OfMesh | OfGear, words: str) -> None:
    title = f"{row.title}, {words}" if words else row.title
    figure: Figure[Any] = Figure(read, title, row.unit, row.shown_unit, row.group)
    figure.__set_name__(kind, name)
    setattr(kind, name, figure)


def torsion(torque: float, outer: float, inner: float = 0.0) -> float:
    """τ in Pa at the outside of a round shaft with these radii: 2 T r/(π (r⁴ - r_i⁴))."""
    ring = outer**4 - inner**4
    return math.inf if ring <= 0 else 2 * abs(torque) * outer / (math.pi * ring)
