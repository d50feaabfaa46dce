"""Pictures of a joint's run: what it is put through over time, and what comes of it."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.arrays import Floats
from flank.io.tables import round_off
from flank.plots.style import (
    ACCENT,
    COLOURS,
    FAINT,
    GREEN,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    label,
    legend_above,
    shown,
)

GIVEN = {
    "torque": "Torque",
    "speed": "Speed",
    "deflection": "Deflection",
    "axial_place": "Inner race",
}
RACES = {"outer": MAIN, "inner": SECOND}
FIRST = 0
"""The ball that is drawn in colour."""


def draw(result: Result) -> dict[str, Picture]:
    """What is prescribed or follows along the axis, and forces and torques."""
    if result.data.sizes.get("time", 0) < 2:
        return {}
    return {"joint-run": _given(result), "joint-run-forces": _forces(result)}


def _given(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        5.6,
        "What the joint was put through: torque from the outer to the inner race, speed of the "
        "outer race, angle between the shafts with half of it and the cage's angle, and the place "
        "of the inner race along its axis.",
    )
    panels = picture.panels(len(GIVEN), 1, sharex=True)[:, 0]
    for axes, colour, (name, title) in zip(panels, COLOURS, GIVEN.items(), strict=False):
        axes.plot(shown(result.data["time"]), _values(result, name), color=colour)
        axes.set_ylabel(label(result.data[name], title))
    bent, time = panels[2], shown(result.data["time"])
    bent.plot(time, shown(result.data["cage_angle"]), color=ACCENT, label="cage")
    half = 0.5 * shown(result.data["deflection"])
    bent.plot(time, half, color=QUIET, linestyle=":", linewidth=1.0, label="half")
    bent.get_lines()[0].set_label("shafts")
    legend_above(bent, 3)
    _over_time(list(panels), result)
    return picture


def _values(result: Result, name: str) -> Floats:
    """Values as `shown`, round-off as zero."""
    variable = result.data[name]
    noise = round_off(result, variable.attrs)
    return np.where(np.abs(variable.values) > noise, shown(variable), 0.0)


def _forces(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        6.4,
        "Above: the two flanks of one inner track and, in grey, the largest force of any flank; "
        "below it the largest force of the cage on a ball, the secondary torques on both races in "
        "their sizes, and the work that friction has taken.",
    )
    panels = picture.panels(4, 1, sharex=True, height_ratios=(0.34, 0.2, 0.26, 0.2))[:, 0]
    time, data = shown(result.data["time"]), result.data
    tracks = shown(data["track_force"])
    panels[0].plot(time, tracks.max(axis=(1, 2, 3)), color=FAINT, label="largest of all")
    for flank, colour in enumerate((MAIN, ACCENT)):
        name = f"ball 1, flank {data['flank'].values[flank]}"
        panels[0].plot(time, tracks[:, FIRST, 1, flank], color=colour, label=name)
    panels[0].set_ylabel(label(data["track_force"], "Track"))
    legend_above(panels[0], 3)
    panels[1].plot(time, shown(data["window_force"]).max(axis=(1, 2)), color=GREEN)
    panels[1].set_ylabel(label(data["window_force"], "Cage"))
    sizes: Floats = np.linalg.norm(shown(data["secondary_torque"]), axis=-1)
    for race, (name, colour) in enumerate(RACES.items()):
        panels[2].plot(time, sizes[:, race], color=colour, label=f"{name} race")
    panels[2].set_ylabel(label(data["secondary_torque"], "Secondary"))
    legend_above(panels[2], 2)
    panels[3].plot(time, shown(data["friction_work"]), color=SECOND)
    panels[3].set_ylabel(label(data["friction_work"], "Friction"))
    _over_time(list(panels), result)
    return picture


def _over_time(panels: Sequence[Axes], result: Result) -> None:
    time = shown(result.data["time"])
    for axes in panels:
        axes.axhline(0.0, color=FAINT, linewidth=0.8, zorder=0)
    panels[-1].set_xlim(time[0], time[-1])
    panels[-1].set_xlabel(label(result.data["time"]))
