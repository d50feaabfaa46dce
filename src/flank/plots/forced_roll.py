"""Pictures of flanks held at the exact ratio: torque and its derivative over one pitch."""

import numpy as np

from flank.analyses.result import Result
from flank.plots.style import COLOURS, WIDE, Picture, label, legend_beside, shown


def draw(result: Result) -> dict[str, Picture]:
    data = result.data
    picture = Picture(
        WIDE,
        4.4,
        "Over one pitch at the exact ratio: the torque that the flanks carry, and its derivative "
        "from step to step, by method and number of points.",
    )
    above, below = picture.panels(2, 1, sharex=True)[:, 0]
    names = data["case"].values
    for k, (name, colour) in enumerate(zip(names, COLOURS * len(names), strict=False)):
        width = 1.6 if k == len(names) - 1 else 0.9
        above.plot(
            shown(data["angle"]), shown(data["output_torque"])[k], color=colour, linewidth=width,
            label=str(name),
        )  # fmt: skip
        below.plot(
            shown(data["step"]), shown(data["derivative"])[k], color=colour, linewidth=0.6 * width
        )
    above.set_ylabel(label(data["output_torque"]))
    below.set_ylabel(label(data["derivative"], "Derivative"))
    below.set_xlabel(label(data["angle"]))
    angle = shown(data["angle"])
    below.set_xlim(float(np.min(angle)), float(np.max(angle)))
    legend_beside(above)
    return {"forced-roll": picture}
