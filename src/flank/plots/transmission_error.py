"""Pictures of a transmission error: the curve, its spectrum, and who carries the load."""

from __future__ import annotations

import xarray
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.io.shown import quantity_text
from flank.plots.bearing_maps import add_colour_bar, draw_over_angle, turn_picture
from flank.plots.spectrum import spectrum_picture
from flank.plots.style import ACCENT, MAIN, WIDE, Picture, angle_ticks, label, shown, styled

BEARINGS = ("turning_arm", "support")
"""Kinds of contact with many bearings."""


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: transmission-error, spectrum, forces of pins, teeth and rollers."""
    pictures: dict[str, Picture] = {}
    data = result.dataset
    curves = data.sizes["crank_angle"] > 1
    with styled():
        if "transmission_error" in data and curves:
            pictures["transmission-error"] = _curve(result)
        if "amplitude" in data and float(data["amplitude"].max()) > 0.0:
            pictures["spectrum"] = spectrum_picture(result)
        if "pin_force" in data and curves:
            pictures["pin-forces"] = _pin_forces(result)
        if "tooth_force" in data and "disc" in data["tooth_force"].dims and curves:
            pictures["flank-forces"] = _flank_forces(result)
        for name in BEARINGS:
            if f"{name}_force" in data and curves:
                title = f"{name.replace('_', '-')}-forces"
                pictures[title] = turn_picture(result, f"{name}_force")
    return pictures


def _curve(result: Result) -> Picture:
    error = result["transmission_error"]
    angle = shown(error["shaft_angle"])
    values = shown(error)
    values = values - values.mean()
    picture = Picture(
        WIDE,
        3.0,
        f"Transmission error over the {_shaft(result)}, its mean removed. The mean, which is "
        "backlash taken up and wind-up, stands in the table.",
    )
    axes = picture.add_axes((0.085, 0.16, 0.80, 0.79))
    axes.plot(angle, values, color=MAIN)
    angle_ticks(axes, angle[0], angle[-1] + (angle[1] - angle[0]))
    axes.set_xlabel(label(error["shaft_angle"]))
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


def _shaft(result: Result) -> str:
    """The angle over which curves are drawn, as words: 'input angle'."""
    return str(result.dataset["shaft_angle"].attrs["long_name"]).lower()


def _pin_forces(result: Result) -> Picture:
    force = result["pin_force"].isel(disc=0)
    caption = "White pins are free; the loaded zone follows the eccentric."
    return _disc_forces(result, force, "pin", caption)


def _flank_forces(result: Result) -> Picture:
    """The flank that carries more; a slot passes from tooth to tooth as they leave the mesh."""
    force = result["tooth_force"].isel(disc=0)
    if "slice" in force.dims:
        force = force.sum("slice", keep_attrs=True)
    strongest = int(shown(force).max(axis=(0, 2)).argmax())
    caption = (
        "White slots are free. A slot is one of the pairs of teeth near the mesh, on the flank "
        "that carries more; a pair that leaves the mesh gives its slot to the next one."
    )
    return _disc_forces(result, force.isel(flank=strongest), "slot", caption)


def _disc_forces(result: Result, force: xarray.DataArray, contact: str, closing: str) -> Picture:
    """Forces of the first disc on every pin or slot over the turn."""
    discs = result.dataset.sizes["disc"]
    picture = Picture(
        WIDE,
        3.6,
        ("Force of the first disc" if discs > 1 else "Force")
        + f" on every {contact} over the {_shaft(result)}"
        + (" (the others lag by even parts of a turn). " if discs > 1 else ". ")
        + closing,
    )
    axes = picture.add_axes((0.085, 0.14, 0.80, 0.82))
    values = shown(force).T
    top = float(values.max()) or 1.0
    image = draw_over_angle(axes, shown(force["shaft_angle"]), values, top)
    axes.set_xlabel(label(force["shaft_angle"]))
    axes.set_ylabel(f"{contact.capitalize()} number")
    add_colour_bar(picture, image, label(force, "Force"), (0.905, 0.14, 0.016, 0.82))
    return picture
