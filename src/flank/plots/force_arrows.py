"""Forces of a result as arrows on the drawing of its machine, their tips where they act."""

from typing import NamedTuple

import numpy as np

from flank.analyses.drawing import Drawing
from flank.analyses.result import Result
from flank.arrays import Floats
from flank.io.shown import quantity_text
from flank.plots.style import INK, MAIN, SECOND

SMALLEST_ARROW = 0.01
"""Forces below this share of the largest are not drawn."""

OUTER_RACE = 1
"""Number of the disc's race among the contacts of a roller that is a body."""

SIDES = np.array([1.0, -1.0])
"""Sign of y of a track's flanks."""

LONGEST_ON_DISC, LONGEST_ON_PLANET, LONGEST_ON_BALL = 0.3, 0.45, 0.5
"""Length of the largest force over the machine's radius, the planets' and the balls' circle."""

RACES = {"outer": MAIN, "inner": SECOND}


class Arrows(NamedTuple):
    """Tips and tails in m, and the pressure in MPa behind each; not known is nan."""

    tip: Floats
    tail: Floats
    pressure: Floats


class Forces(NamedTuple):
    """Arrows of one kind in one panel, in one colour; without one, in colours of the pressure."""

    arrows: Arrows
    colour: str


NO_ARROWS = Arrows(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))


def panel_forces(result: Result, drawing: Drawing, panel: int, layer: str) -> list[Forces]:
    """All that is known of forces in one panel of a drawing."""
    if drawing.spatial:
        if layer != "front" or not tracks_known(result):
            return []
        return [
            Forces(track_arrows(result, drawing, race), colour) for race, colour in RACES.items()
        ]
    forces = []
    if rollers_known(result):
        eccentrics = eccentric_centres(drawing, layer)
        arrows = roller_arrows(result, panel, eccentric_radius(drawing, layer), eccentrics)
        forces.append(Forces(arrows, INK))
    if drawn_groups(result):
        longest = LONGEST_ON_DISC * drawing_radius(drawing, layer)
        forces.append(Forces(force_arrows(result, panel, longest), ""))
    if meshes_known(result, drawing):
        forces.append(Forces(mesh_arrows(result, drawing), INK))
    return forces


def forces_caption(result: Result, drawing: Drawing) -> str:
    """What the arrows are, and how large the longest is."""
    text = ""
    if drawing.spatial and tracks_known(result):
        text += (
            "Right: arrows are the forces of the tracks on the balls; the longest is "
            f"{_force(result.data['track_force'].isel(angle=0).largest())}. "
        )
    if not drawing.spatial and largest(result, "pressure"):
        text += (
            "Arrows are contact forces on the disc, their tips at the contact points; the longest "
            f"is {_force(largest(result, 'force'))}. Colour is the Hertz pressure. "
        )
    if rollers_known(result):
        text += (
            "Dark arrows are the forces of the turning-arm rollers on the holes, in a scale of "
            f"their own; the longest is {_force(largest_roller_force(result))}. "
        )
    if meshes_known(result, drawing):
        size = quantity_text(float(np.abs(result.data["mesh_load"].values).max()), "N", "kN")
        text += (
            "Arrows are the normal tooth forces on the planets, along the lines of action at the "
            f"pitch points; the longest is {size}. "
        )
    return text


def _force(newton: float) -> str:
    return quantity_text(newton, "N", "N")


def drawing_radius(drawing: Drawing, layer: str = "") -> float:
    """How far outlines of a plane machine reach from its centre, in m."""
    return max(
        float(np.linalg.norm(drawing.placed(outline), axis=1).max())
        for outline in drawing.in_layer(layer)
    )


def force_names(result: Result) -> list[str]:
    """The variables that hold the force of one kind of contact, in the result's order."""
    return [
        str(name)
        for name, variable in result.data.data_vars.items()
        if str(name).endswith("_force") and variable.ndim > 0
    ]


def drawn_groups(result: Result) -> list[str]:
    """Kinds of contact on a disc whose points and pressures are known; rollers have their own."""
    data = result.data
    names = (name.removesuffix("_force") for name in force_names(result))
    known = [name for name in names if f"{name}_pressure" in data and f"{name}_normal_x" in data]
    dimensions = {name: data[f"{name}_x"].dims for name in known}
    return [
        name for name in known if "disc" in dimensions[name] and "crank" not in dimensions[name]
    ]


def largest(result: Result, field: str) -> float:
    """Largest 'force' or 'pressure' among the line contacts that are drawn, in SI."""
    names = drawn_groups(result)
    return max((result.data[f"{name}_{field}"].largest() for name in names), default=0.0)


def force_arrows(result: Result, disc: int, longest: float) -> Arrows:
    """Forces of line contacts on one disc; the largest of all discs is `longest` long.

    A normal points out of the disc, so that the force on the disc runs against it.
    """
    top = largest(result, "force")
    parts = [_group_arrows(result, name, disc, longest, top) for name in drawn_groups(result)]
    return _joined(parts)


def _joined(parts: list[Arrows]) -> Arrows:
    if not parts:
        return NO_ARROWS
    return Arrows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _group_arrows(result: Result, name: str, disc: int, longest: float, top: float) -> Arrows:
    def field(column: str) -> Floats:
        values: Floats = result.data[f"{name}_{column}"].isel(disc=disc).values.ravel()
        return values

    force = field("force")
    drawn = force > SMALLEST_ARROW * top
    tip = np.column_stack((field("x"), field("y")))
    normal = np.column_stack((field("normal_x"), field("normal_y")))
    tail = tip + normal * (force * longest / (top or 1.0))[:, None]
    return Arrows(tip[drawn], tail[drawn], field("pressure")[drawn] * 1e-6)


def rollers_known(result: Result) -> bool:
    return {"turning_arm_force", "turning_arm_x"} <= set(result.data.data_vars)


def largest_roller_force(result: Result) -> float:
    """Largest force of a turning-arm roller in N."""
    return result.data["turning_arm_force"].largest()


def eccentric_centres(drawing: Drawing, layer: str) -> Floats:
    """Centres (crank, 2) of the eccentrics in one disc, in m."""
    return np.array(
        [drawing.placed(outline).mean(axis=0) for outline in drawing.of_kind("eccentric", layer)]
    )


def eccentric_radius(drawing: Drawing, layer: str) -> float:
    points = drawing.of_kind("eccentric", layer)[0].points
    return float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())


def roller_arrows(result: Result, disc: int, longest: float, eccentrics: Floats) -> Arrows:
    """Forces of the turning-arm rollers on the holes of one disc, away from the eccentrics."""

    def field(column: str) -> Floats:
        """(crank, roller)"""
        chosen = result.data[f"turning_arm_{column}"].isel(disc=disc)
        return (chosen.isel(race=OUTER_RACE) if "race" in chosen.dims else chosen).values

    force, top = field("force"), largest_roller_force(result)
    drawn = force > SMALLEST_ARROW * top
    tip = np.stack((field("x"), field("y")), axis=-1)
    outward = (tip - eccentrics[:, None])[drawn]
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    tail = tip[drawn] - outward * (force[drawn] * longest / (top or 1.0))[:, None]
    return Arrows(tip[drawn], tail, np.full(len(tail), np.nan))


def meshes_known(result: Result, drawing: Drawing) -> bool:
    return "mesh_load" in result.data and bool(drawing.of_kind("line of action"))


def mesh_arrows(result: Result, drawing: Drawing) -> Arrows:
    """Tooth forces along their lines of action, tips at the pitch points."""
    lines = {outline.name: drawing.placed(outline) for outline in drawing.of_kind("line of action")}
    loads = dict(zip(result.data["mesh"].values, result.data["mesh_load"].values, strict=True))
    loads = {name: force for name, force in loads.items() if name in lines}
    tip = np.array([lines[name][1] for name in loads])
    starts = np.array([lines[name][0 if force >= 0 else 2] for name, force in loads.items()])
    directions = (tip - starts) / np.linalg.norm(tip - starts, axis=1)[:, None]
    forces = np.abs(list(loads.values()))
    circle = float(np.mean([np.linalg.norm(points[1]) for points in lines.values()]))
    longest = LONGEST_ON_PLANET * circle / (forces.max() or 1.0)
    return Arrows(tip, tip - longest * forces[:, None] * directions, np.full(len(tip), np.nan))


def tracks_known(result: Result) -> bool:
    """Whether forces on balls and where they touch are there over an angle."""
    data = result.data
    known = {"contact_angle", "track_force"} <= set(data.data_vars)
    return known and "angle" in data["contact_angle"].dims


def track_arrows(result: Result, drawing: Drawing, race: str) -> Arrows:
    """Forces of a race's tracks on the balls at the first angle, seen along the axis.

    Half circles across the tracks, about the balls' centres in the straight joint, give x to the
    bottom of a track and y across it.
    """
    sections = [
        outline
        for outline in drawing.of_kind("track section")
        if outline.name.startswith(f"{race} track")
    ]
    points = np.array([drawing.placed(outline) for outline in sections])
    origin = 0.5 * (points[:, 0] + points[:, -1])
    x, y = points[:, points.shape[1] // 2] - origin, points[:, -1] - origin
    centres = np.array([drawing.poses[0, outline.body, :3] for outline in drawing.of_kind("ball")])
    forces = result.data["track_force"].isel(angle=0)
    force = forces.sel(race=race).values
    angle = np.nan_to_num(result.data["contact_angle"].isel(angle=0).sel(race=race).values)
    out = np.cos(angle)[..., None] * x[:, None] + (SIDES * np.sin(angle))[..., None] * y[:, None]
    tip = centres[:, None] + out
    section = sections[0].points
    circle = float(np.linalg.norm(0.5 * (section[0] + section[-1])))
    length = LONGEST_ON_BALL * circle / (forces.largest() or 1.0)
    directions = out / np.linalg.norm(out, axis=-1, keepdims=True)
    tail = tip + (length * force)[..., None] * directions
    carries = force > 0
    return Arrows(tip[carries][:, :2], tail[carries][:, :2], np.full(int(carries.sum()), np.nan))
