"""Pictures of a joint's turns: forces, ball motion, torques, axial orders, losses."""

import math
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.labelled import LabelledArray
from flank.analyses.result import Result
from flank.arrays import Floats
from flank.plots.style import (
    ACCENT,
    FAINT,
    GREEN,
    INK,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    angle_ticks,
    label,
    shown,
    widen,
)

FIRST = 0
"""The ball that is drawn in colour."""

RACES = {"outer": MAIN, "inner": SECOND}
AXES = {"x": ACCENT, "y": MAIN, "z": GREEN}
CARDAN = {"α about x": ACCENT, "β about y": MAIN, "γ about z": GREEN}

SLIDING = {
    "rolling": ("rolling along the track", MAIN),
    "sliding_along": ("sliding along", SECOND),
    "sliding_across": ("sliding across", GREEN),
}
SHOWN_SHARE = 1e-3
"""Orders above the last with this share of the largest amplitude are not shown."""


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: track-forces, ball-motion, rolling-and-sliding, friction,
    secondary-torque, axial-orders, losses."""
    if result.data.sizes.get("angle", 0) < 2:
        return {}
    pictures = {"track-forces": _forces(result)}
    if "ball_velocity" in result.data:
        pictures["ball-motion"] = _motion(result)
        pictures["rolling-and-sliding"] = _sliding(result)
    if "friction_coefficient" in result.data:
        pictures["friction"] = _friction(result)
    pictures["secondary-torque"] = _torques(result)
    if "order" in result.data.sizes:
        pictures["axial-orders"] = _axial(result)
    if "energy" in result.data.sizes:
        pictures["losses"] = _losses(result)
    return pictures


def _over_the_turn(axes: Axes, result: Result, named: bool = True) -> None:
    """The angle below, with its name where it is the last panel."""
    angle = shown(result.data["angle"])
    angle_ticks(axes, min(angle[0], angle[-1]), max(angle[0], angle[-1]))
    if named:
        axes.set_xlabel(label(result.data["angle"]))


def _room_above(axes: Axes, share: float) -> None:
    """A range that leaves room for a legend above the curves."""
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + share * (high - low))


def _forces(result: Result) -> Picture:
    """Track forces of both races, contact angles and cage forces."""
    picture = Picture(
        WIDE,
        6.6,
        "Forces on the balls over the turn, and where they touch their tracks (blue: outer race, "
        "orange: inner race). In colour the first ball, its loaded flank or side as a line and the "
        "opposite one dashed. Grey the other balls, which pass the same places after it.",
    )
    rows = picture.panels(4, 1, sharex=True)[:, 0]
    force = result.data["track_force"]
    for axes, race in zip(rows, force["race"].values, strict=False):
        _force_curves(axes, force.sel(race=race), RACES[str(race)])
        axes.set_title(f"Tracks of the {race} race")
        axes.set_ylabel(label(force, "Force"))
    _contact_angles(rows[2], result)
    window = result.data["window_force"]
    _force_curves(rows[3], window, MAIN)
    rows[3].set_title("Cage")
    rows[3].set_ylabel(label(window, "Force"))
    _over_the_turn(rows[3], result)
    return picture


def _loaded_first(force: LabelledArray) -> LabelledArray:
    """The flanks (or sides) of every ball, the one that carries more on average first."""
    order = np.argsort(-force.mean("angle").values, axis=-1)
    values = np.take_along_axis(force.values, order[None], axis=-1)
    return replace(force, values=values)


def _force_curves(axes: Axes, force: LabelledArray, colour: str) -> None:
    values, angle = shown(_loaded_first(force)), shown(force["angle"])
    for ball in range(1, values.shape[1]):
        axes.plot(angle, values[:, ball, 0], color=FAINT, linewidth=0.8)
    axes.plot(angle, values[:, FIRST, 0], color=colour)
    axes.plot(angle, values[:, FIRST, 1], color=colour, linestyle="--")
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))


def _contact_angles(axes: Axes, result: Result) -> None:
    """Of the first ball, on the flanks that carry it."""
    angle, touching = shown(result.data["angle"]), result.data["contact_angle"]
    values = _on_loaded_flanks(result, "contact_angle")
    for race, colour in enumerate(RACES.values()):
        axes.plot(angle, values[:, FIRST, race], color=colour)
    axes.set_title("Contact from the bottom of the track, loaded flanks")
    axes.set_ylabel(label(touching, "Angle"))


def _on_loaded_flanks(result: Result, name: str) -> Floats:
    """A quantity as it is shown, (angle, ball, race), on the flanks that carry more on average."""
    loaded = result.data["track_force"].values.mean(axis=0).argmax(axis=-1)
    values = shown(result.data[name])
    return np.take_along_axis(values, loaded[None, ..., None], axis=-1)[..., 0]


def _motion(result: Result, race: str = "inner") -> Picture:
    """Place, velocity, angular velocity and rotation in the track, a panel each."""
    picture = Picture(
        WIDE,
        5.6,
        f"The first ball in its track of the {race} race: x to the bottom of the track, y across "
        "and z along it. A rotation that does not come back is a drift from turn to turn.",
    )
    panels = picture.panels(2, 2, sharex=True)
    curves = {
        "ball_place": "Place",
        "ball_velocity": "Velocity",
        "ball_spin": "Angular velocity",
        "ball_cardan": "Cardan angles",
    }
    for axes, (name, title) in zip(panels.ravel(), curves.items(), strict=True):
        values = result.data[name].isel(ball=FIRST).sel(race=race)
        legend = CARDAN if name == "ball_cardan" else AXES
        for part, (text, colour) in enumerate(legend.items()):
            axes.plot(shown(result.data["angle"]), shown(values)[:, part], color=colour, label=text)
        axes.set_title(title)
        axes.set_ylabel(label(values, title))
        if name in ("ball_place", "ball_cardan"):
            axes.legend(loc="best", ncols=3, handlelength=1.2, columnspacing=1.0)
    for axes in panels[1]:
        _over_the_turn(axes, result)
    return picture


def _sliding(result: Result) -> Picture:
    """Rolling, sliding and drilling on the loaded flanks of both races."""
    picture = Picture(
        WIDE,
        4.4,
        "The first ball where it touches its loaded flanks: how fast it rolls along the track, "
        "slides along and across it (above), and drills about the normal (below).",
    )
    panels = picture.panels(2, 2, sharex=True, height_ratios=(0.6, 0.4))
    angle, drilling = shown(result.data["angle"]), _on_loaded_flanks(result, "drilling")
    for column, race in enumerate(result.data["race"].values):
        top, below = panels[:, column]
        for name, (text, colour) in SLIDING.items():
            values = _on_loaded_flanks(result, name)[:, FIRST, column]
            top.plot(angle, values, color=colour, label=text)
        below.plot(angle, drilling[:, FIRST, column], color=MAIN)
        top.set_title(f"Track of the {race} race")
        _over_the_turn(below, result)
    top, below = panels[:, 0]
    top.set_ylabel(label(result.data["rolling"], "Velocity"))
    below.set_ylabel(label(result.data["drilling"], "Drilling"))
    _room_above(top, 0.3)
    top.legend(loc="upper right", ncols=3, handlelength=1.0, columnspacing=0.8, fontsize=8)
    return picture


def _torques(result: Result) -> Picture:
    """Secondary torques of both races, and the cage against half the angle of the shafts."""
    picture = Picture(
        WIDE,
        4.8,
        "Above: the torque of the balls perpendicular to each race's axis, in the plane of the "
        "shafts (line) and normal to it (dashed); grey is T tan(β/2), which the frictionless joint "
        "has in the plane. Below: the cage's angle to the outer race, and half the angle of the "
        "shafts.",
    )
    top, below = picture.panels(2, 1, sharex=True, height_ratios=(0.6, 0.4))[:, 0]
    angle, torque = shown(result.data["angle"]), result.data["secondary_torque"]
    for k, (race, colour) in enumerate(RACES.items()):
        values = shown(torque)[:, k]
        top.plot(angle, values[:, 0], color=colour, label=f"on the {race} race, in the plane")
        top.plot(angle, values[:, 1], color=colour, linestyle="--", label="normal to it")
    for line in _ideal(result):
        top.axhline(line, color=QUIET, linewidth=0.9, linestyle=":", label="T tan(β/2)")
    _room_above(top, 0.22)
    top.legend(loc="upper right", ncols=5, columnspacing=1.2)
    top.set_ylabel(label(torque, "Secondary torque"))
    cage, deflection = shown(result.data["cage_angle"]), shown(result.data["deflection"])
    below.plot(angle, cage, color=MAIN, label="cage")
    below.plot(angle, 0.5 * deflection, color=QUIET, linestyle=":", label="half of the shafts")
    widen(below, 0.05)
    _room_above(below, 0.25)
    below.legend(loc="upper right", ncols=2)
    below.set_ylabel(label(result.data["cage_angle"], "Angle"))
    _over_the_turn(below, result)
    return picture


def _ideal(result: Result) -> tuple[float, ...]:
    """T tan(β/2) on either side of zero, nearest to what races have in the plane."""
    torque = float(np.abs(result.data["shaft_torque"].values).mean())
    size = torque * math.tan(0.5 * float(result.data["deflection"].values.mean()))
    signs = np.sign(result.data["secondary_torque"].mean("angle").values[:, 0])
    return tuple(sorted({float(sign) * size for sign in signs if sign}))


def _friction(result: Result) -> Picture:
    """The law of friction, and how fast contacts slide under it."""
    picture = Picture(
        WIDE,
        3.6,
        "The coefficient of friction over the sliding speed, which falls from the static to the "
        "sliding one and is viscous where surfaces nearly stick; below, how often the contacts of "
        "balls and tracks slide so fast, at the points of the turn.",
    )
    above, below = picture.panels(2, 1, sharex=True, height_ratios=(0.6, 0.4))[:, 0]
    coefficient = result.data["friction_coefficient"]
    speeds = shown(coefficient["sliding_speed"])
    above.plot(speeds, shown(coefficient), color=MAIN)
    above.set_ylabel(label(coefficient, "Coefficient"))
    above.set_ylim(bottom=0.0)
    parts = (shown(result.data[f"sliding_{name}"]) for name in ("along", "across"))
    sliding = np.hypot(*parts)
    touching = sliding[np.isfinite(sliding)]
    edges = speeds[::5]
    weights = np.full(touching.shape, 100 / max(touching.size, 1))
    below.hist(np.clip(touching, edges[0], edges[-1]), bins=edges, weights=weights, color=SECOND)
    below.set_ylabel("Contacts (%)")
    below.set_xscale("log")
    below.set_xlim(speeds[0], speeds[-1])
    below.set_xlabel(label(coefficient["sliding_speed"]))
    return picture


def _axial(result: Result) -> Picture:
    """Axial force on the inner race, its motion where it is free, and their orders."""
    pairs = [("axial_force", "Force"), ("axial_place", "Place")]
    pairs = [pair for pair in pairs if f"{pair[0]}_amplitude" in result.data]
    picture = Picture(
        WIDE,
        0.5 + 2.2 * len(pairs),
        "The inner race along its axis, over the turn and as amplitudes of its orders. Without "
        "friction only odd multiples of half the number of balls would be there. Balls that slip "
        "push harder between the points drawn; peak to peak in the summary has it.",
    )
    panels = picture.panels(len(pairs), 2)
    for (left, right), (name, title) in zip(panels, pairs, strict=True):
        left.plot(shown(result.data["angle"]), shown(result.data[name]), color=MAIN)
        left.set_ylabel(label(result.data[name], title))
        _over_the_turn(left, result, named=left is panels[-1, 0])
        _orders(right, result, f"{name}_amplitude")
    panels[-1, 1].set_xlabel("Order of the turn")
    return picture


def _orders(axes: Axes, result: Result, name: str) -> None:
    amplitude = result.data[name]
    orders, values = amplitude["order"].values, shown(amplitude)
    main = result.data.sizes["ball"] // 2
    seen = orders[values > SHOWN_SHARE * values.max()]
    last = min(max(seen.max(initial=0.0), 7 * main) + 1, orders[-1], 16 * main)
    axes.vlines(orders, 0.0, values, color=MAIN, linewidth=1.8)
    axes.set_xlim(0.0, last)
    axes.set_ylim(bottom=0.0)
    axes.set_xticks(np.arange(0, last, main * math.ceil(last / main / 9)))
    axes.set_ylabel(label(amplitude, "Amplitude"))
    axes.grid(visible=False, axis="x")


def _losses(result: Result) -> Picture:
    """Work that friction takes over the turn, and where the energy of the turns went."""
    picture = Picture(
        WIDE,
        3.0,
        "Left: what friction has taken at all contacts together since the turns began; steps are "
        "balls that slip. Right: the energies of the turns as shares of what goes through the "
        "joint, on a logarithmic scale; what the integration lost should be far below friction.",
    )
    left, right = picture.panels(1, 2, width_ratios=(0.6, 0.4))[0]
    work = result.data["friction_work"]
    left.plot(shown(result.data["angle"]), shown(work), color=MAIN)
    left.set_ylim(bottom=0.0)
    left.set_ylabel(label(work, "Work of friction"))
    _over_the_turn(left, result)
    _shares(right, result)
    return picture


def _shares(axes: Axes, result: Result) -> None:
    names = [str(name) for name in result.data["energy"].values]
    shares = 100 * np.abs(result.data["energy_share"].values)
    least = 1e-12
    axes.barh(range(len(names)), np.maximum(shares, least), color=MAIN, height=0.6, left=least)
    axes.set_xscale("log")
    axes.set_xlim(1e-10, 300)
    axes.set_yticks(range(len(names)), [name.replace(" and ", "\nand ") for name in names])
    axes.invert_yaxis()
    axes.set_xlabel("Share (%)")
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0, colors=INK)
