"""The picture of a rolling run: what is asked over time, and what the mesh does."""

from flank.analyses.result import Result
from flank.plots.style import COLOURS, FAINT, WIDE, Picture, label, shown


def draw(result: Result) -> dict[str, Picture]:
    """Speed and torque, error and force of the mesh, over time."""
    if result.data.sizes.get("time", 0) < 2:
        return {}
    picture = Picture(
        WIDE,
        6.4,
        "Speed of the input and torque of the output, the transmission error of the mesh, and its "
        "force, which is less than zero while the other flanks carry it.",
    )
    panels = picture.panels(4, 1, sharex=True, height_ratios=(0.17, 0.17, 0.31, 0.35))[:, 0]
    time, data = shown(result.data["time"]), result.data
    names = {
        "input_speed": "Speed",
        "torque": "Torque",
        "mesh_error": "Error of the mesh",
        "mesh_force": "Mesh force",
    }
    for axes, colour, (name, title) in zip(panels, COLOURS, names.items(), strict=False):
        axes.plot(time, shown(data[name]), color=colour, linewidth=0.9)
        axes.set_ylabel(label(data[name], title))
        axes.axhline(0.0, color=FAINT, linewidth=0.8, zorder=0)
    panels[-1].set_xlim(time[0], time[-1])
    panels[-1].set_xlabel(label(data["time"]))
    return {"rolling-run": picture}
