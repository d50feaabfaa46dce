"""Pictures of a transmission error: the curve, its spectrum, and who carries the load."""

from __future__ import annotations

from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.io.shown import quantity_text
from flank.plots.spectrum import spectrum_picture
from flank.plots.style import (
    ACCENT,
    MAIN,
    WIDE,
    Picture,
    angle_ticks,
    label,
    shown,
    styled,
    white_to_dark,
)


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: transmission-error, spectrum, pin-forces."""
    pictures: dict[str, Picture] = {}
    data = result.dataset
    with styled():
        if "transmission_error" in data and data.sizes["crank_angle"] > 1:
            pictures["transmission-error"] = _curve(result)
        if "amplitude" in data and float(data["amplitude"].max()) > 0.0:
            pictures["spectrum"] = spectrum_picture(result)
        if "pin_force" in data and data.sizes["crank_angle"] > 1:
            pictures["pin-forces"] = _pin_forces(result)
    return pictures


def _curve(result: Result) -> Picture:
    error = result["transmission_error"]
    angle = shown(error["crank_angle"])
    values = shown(error)
    values = values - values.mean()
    picture = Picture(
        WIDE,
        3.0,
        "Transmission error over the crank angle, its mean removed. The mean, which is backlash "
        "taken up and wind-up, stands in the table.",
    )
    axes = picture.add_axes((0.085, 0.16, 0.80, 0.79))
    axes.plot(angle, values, color=MAIN)
    angle_ticks(axes, angle[0], angle[-1] + (angle[1] - angle[0]))
    axes.set_xlabel(label(error["crank_angle"]))
    axes.set_ylabel(label(error, "Error, mean removed"))
    _mark_span(axes, values.min(), values.max(), result)
    return picture


def _mark_span(axes: Axes, low: float, high: float, result: Result) -> None:
    """Lines at the extremes and their distance, in the right margin."""
    if not high > low:
        return
    for level in (low, high):
        axes.axhline(level, color=ACCENT, linewidth=0.7, linestyle=(0, (4, 3)))
    place = axes.get_yaxis_transform()
    arrow = {"arrowstyle": "<->", "color": ACCENT, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0}
    axes.annotate(
        "",
        (1.02, low),
        (1.02, high),
        xycoords=place,
        textcoords=place,
        arrowprops=arrow,
        annotation_clip=False,
    )
    variable = result.dataset["peak_to_peak"].attrs
    size = quantity_text(result["peak_to_peak"], variable["units"], variable["shown_unit"])
    text = size.replace(" ", "\n", 1) + "\npeak to\npeak"
    axes.text(1.035, (low + high) / 2, text, transform=place, color=ACCENT, va="center")


def _pin_forces(result: Result) -> Picture:
    force = result["pin_force"].isel(disc=0)
    angle = shown(force["crank_angle"])
    step = angle[1] - angle[0]
    values = shown(force).T
    discs = result.dataset.sizes["disc"]
    picture = Picture(
        WIDE,
        3.6,
        ("Force of the first disc" if discs > 1 else "Force")
        + " on every pin over the crank angle"
        + (" (the second disc is half a turn behind)." if discs > 1 else ".")
        + " White pins are free; the loaded zone follows the crank.",
    )
    axes = picture.add_axes((0.085, 0.14, 0.80, 0.82))
    image = axes.imshow(
        values,
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        cmap=white_to_dark(),
        vmin=0.0,
        extent=(angle[0], angle[-1] + step, -0.5, len(values) - 0.5),
    )
    axes.grid(visible=False)
    angle_ticks(axes, angle[0], angle[-1] + step)
    axes.set_xlabel(label(force["crank_angle"]))
    axes.set_ylabel("Pin number")
    bar = picture.colorbar(image, cax=picture.add_axes((0.905, 0.14, 0.016, 0.82)))
    bar.set_label(label(force, "Force"))
    bar.outline.set_visible(False)
    return picture
