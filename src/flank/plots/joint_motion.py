"""How a ball of a joint moves: in its track's frame, and where it touches."""

from __future__ import annotations

from flank.analyses.result import Result
from flank.plots.joint_forces import FIRST, over_the_turn
from flank.plots.style import MAIN, SECOND, WIDE, Picture, label, shown

RED, BLUE, GREEN = "#b3261e", "#1f5a94", "#5b9a68"
AXES = {"x": RED, "y": BLUE, "z": GREEN}
CARDAN = {"α about x": RED, "β about y": BLUE, "γ about z": GREEN}


def motion_picture(result: Result, race: str = "inner") -> Picture:
    """Place, velocity, angular velocity and rotation in the track, a panel each."""
    picture = Picture(
        WIDE,
        5.6,
        f"The first ball in its track of the {race} race: x to the bottom of the track, y across "
        "and z along it. A rotation that does not come back is a drift from turn to turn.",
    )
    names = ("ball_place", "ball_velocity", "ball_spin", "ball_cardan")
    titles = ("Place", "Velocity", "Angular velocity", "Cardan angles")
    for k, (name, title) in enumerate(zip(names, titles, strict=True)):
        column, row = k % 2, k // 2
        axes = picture.add_axes((0.085 + 0.49 * column, 0.575 - 0.475 * row, 0.40, 0.355))
        values = result[name].isel(ball=FIRST).sel(race=race)
        legend = CARDAN if name == "ball_cardan" else AXES
        for part, (text, colour) in enumerate(legend.items()):
            axes.plot(shown(result["angle"]), shown(values)[:, part], color=colour, label=text)
        axes.set_title(title)
        axes.set_ylabel(label(values, title))
        over_the_turn(axes, result, last=row == 1)
        if k in (0, 3):
            axes.legend(loc="best", ncols=3, handlelength=1.2, columnspacing=1.0)
    return picture


SLIDING = {
    "rolling": ("rolling along the track", MAIN),
    "sliding_along": ("sliding along", SECOND),
    "sliding_across": ("sliding across", GREEN),
}


def contact_picture(result: Result) -> Picture:
    """Rolling, sliding and drilling on the loaded flanks of both races."""
    picture = Picture(
        WIDE,
        4.4,
        "The first ball where it touches its loaded flanks: how fast it rolls along the track, "
        "slides along and across it (above), and drills about the normal (below).",
    )
    loaded = result["track_force"].mean("angle").argmax("flank")
    angle = shown(result["angle"])
    for column, race in enumerate(result["race"].values):
        top = picture.add_axes((0.085 + 0.49 * column, 0.50, 0.40, 0.42))
        below = picture.add_axes((0.085 + 0.49 * column, 0.12, 0.40, 0.29))
        for name, (text, colour) in SLIDING.items():
            values = shown(result[name].isel(flank=loaded))[:, FIRST, column]
            top.plot(angle, values, color=colour, label=text)
        drilling = result["drilling"]
        values = shown(drilling.isel(flank=loaded))[:, FIRST, column]
        below.plot(angle, values, color=MAIN)
        top.set_title(f"Track of the {race} race")
        over_the_turn(top, result, last=False)
        over_the_turn(below, result, last=True)
        if column == 0:
            top.set_ylabel(label(result["rolling"], "Velocity"))
            below.set_ylabel(label(drilling, "Drilling"))
            low, high = top.get_ylim()
            top.set_ylim(low, high + 0.3 * (high - low))
            top.legend(loc="upper right", ncols=3, handlelength=1.0, columnspacing=0.8, fontsize=8)
    return picture
