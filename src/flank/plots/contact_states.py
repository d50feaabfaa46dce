"""Maps of all contacts over time: what they carry, and how fast they slide where they do."""

import numpy as np

from flank.analyses.result import Result
from flank.arrays import Floats
from flank.plots.style import WIDE, Picture, add_colour_bar, label, shown, white_to_dark


def draw(result: Result) -> dict[str, Picture]:
    """A row for each group whose states a result holds over time."""
    groups = [
        name.removesuffix("_gap_rate")
        for name, variable in result.data.data_vars.items()
        if name.endswith("_gap_rate") and variable.dims[0] == "time"
    ]
    return {"contact-states": _picture(result, groups)} if groups else {}


def _picture(result: Result, groups: list[str]) -> Picture:
    picture = Picture(
        WIDE,
        0.6 + 2.0 * len(groups),
        "Every contact over time, by its number in its group: left its normal force, right the "
        "sliding speed of those that carry load, of a roller inside its bearing the speed at which "
        "its races pass each other.",
    )
    data, time = result.data, shown(result.data["time"])
    panels = picture.panels(len(groups), 2, sharex=True)
    for row, group in zip(panels, groups, strict=True):
        force, sliding = data[f"{group}_force"], data[f"{group}_sliding_speed"]
        carried = _flat(shown(force))
        slid = np.where(carried > 0, np.abs(_flat(shown(sliding))), np.nan)
        for axes, values, each in ((row[0], carried, force), (row[1], slid, sliding)):
            extent = (time[0], time[-1], -0.5, values.shape[1] - 0.5)
            top = max(float(np.nanmax(values, initial=0.0)), np.finfo(float).tiny)
            image = axes.imshow(
                values.T, origin="lower", extent=extent, vmin=0.0, vmax=top, aspect="auto",
                cmap=white_to_dark(), interpolation="nearest",
            )  # fmt: skip
            axes.grid(visible=False)
            title = "Force" if each is force else "Sliding"
            add_colour_bar(picture, image, label(each, title), [axes])
        row[0].set_title(str(force.attrs["long_name"]).removeprefix("Force on "))
        row[0].set_ylabel("Contact")
    for axes in panels[-1]:
        axes.set_xlabel(label(data["time"]))
    return picture


def _flat(values: Floats) -> Floats:
    """(time, contact)."""
    return values.reshape(len(values), -1)
