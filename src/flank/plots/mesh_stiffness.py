"""Pictures of a loaded mesh: stiffness, error and sharing over the cycle, load across the face."""

import numpy as np

from flank.analyses.result import Result
from flank.plots import stiffness_parts
from flank.plots.style import (
    COLOURS,
    MAIN,
    WIDE,
    Picture,
    add_colour_bar,
    label,
    legend_above,
    legend_beside,
    shown,
    white_to_dark,
)

LEAST_SHARE = 1.0
"""Percent of the rated load: a pair of teeth that never carries more is left out."""


def draw(result: Result) -> dict[str, Picture]:
    """A row for each mesh; the map of contacts where there are several loads, the load across the
    face where there are several points; parts."""
    pictures = {}
    if "stiffness" in result.data:
        pictures["mesh-stiffness"] = _over_the_cycle(result)
        if result.data.sizes["load"] > 1:
            pictures["contact-stiffness"] = _of_contacts(result)
        if result.data.sizes["face"] > 1:
            pictures["load-across-face"] = _across(result)
    return pictures | stiffness_parts.draw(result)


def _over_the_cycle(result: Result) -> Picture:
    names, data = result.data["mesh"].values, result.data
    picture = Picture(
        WIDE,
        0.6 + 2.5 * len(names),
        "Over a mesh cycle: stiffness of the mesh, its transmission error, and what one pair of "
        "teeth after the other carries at the rated load. Dark lines are high loads."
        + _left_out(result),
    )
    panels = picture.panels(len(names), 3)
    cycle, loads = shown(data["cycle"]), shown(data["load"])
    rated, pairs = _rated(result), _carrying(result)
    for k, name in enumerate(names):
        left, middle, right = panels[k]
        for n, load in enumerate(loads):
            shade, text = 0.25 + 0.75 * n / len(loads), f"{load:g} %"
            left.plot(cycle, shown(data["stiffness"])[k, n], color=MAIN, alpha=shade)
            middle.plot(cycle, shown(data["error"])[k, n], color=MAIN, alpha=shade, label=text)
        for number, (pair, colour) in enumerate(zip(pairs, COLOURS, strict=False), start=1):
            share = shown(data["tooth_share"])[k, rated, :, pair]
            right.plot(cycle, share, color=colour, label=f"pair {number}")
        left.set_title(str(name))
        left.set_ylabel(label(data["stiffness"], "Stiffness"))
        middle.set_ylabel(label(data["error"], "Error"))
        right.set_ylabel(label(data["tooth_share"], "Share"))
        for axes in (left, middle, right):
            axes.set_xlim(0, 100)
    legend_beside(panels[0, 1])
    legend_above(panels[0, 2], len(pairs))
    for axes in panels[-1]:
        axes.set_xlabel(label(data["cycle"], "Mesh cycle"))
    return picture


def _rated(result: Result) -> int:
    """Number of the load next to the rated one."""
    return int(np.argmin(np.abs(shown(result.data["load"]) - 100)))


def _carrying(result: Result) -> list[int]:
    """Pairs of teeth that carry at the rated load, in any mesh."""
    share = np.nanmax(shown(result.data["tooth_share"])[:, _rated(result)], axis=(0, 1))
    return [int(pair) for pair in np.flatnonzero(share > LEAST_SHARE)]


def _left_out(result: Result) -> str:
    """A sentence where pairs carry, but too little to be seen."""
    share = np.nanmax(shown(result.data["tooth_share"])[:, _rated(result)], axis=(0, 1))
    if not np.any((share > 0.0) & (share <= LEAST_SHARE)):
        return ""
    return f" Pairs that never carry more than {LEAST_SHARE:g} % are left out."


def _of_contacts(result: Result) -> Picture:
    """k_c(position, load) and its spectrum."""
    names, data = result.data["mesh"].values, result.data
    picture = Picture(
        WIDE,
        0.6 + 2.5 * len(names),
        "Stiffness of the contacts alone, force over their part of the transmission error, over "
        "the mesh cycle and the load; and its harmonics. Dark bars are high loads.",
    )
    panels = picture.panels(len(names), 2)
    cycle, loads = shown(data["cycle"]), shown(data["load"])
    levels = shown(data["contact_stiffness"])
    lines = shown(data["harmonic_contact_stiffness"])[:, :, 1:]
    for k, name in enumerate(names):
        left, right = panels[k]
        image = left.contourf(cycle, loads, levels[k], levels=24, cmap="Blues")
        left.grid(visible=False)
        left.set_title(str(name))
        left.set_ylabel(label(data["load"], "Load"))
        add_colour_bar(picture, image, label(data["contact_stiffness"], "Stiffness"), [left])
        width = 0.8 / len(loads)
        for n, load in enumerate(loads):
            places = np.arange(1, lines.shape[2] + 1) + width * (n + 0.5) - 0.4
            shade = 0.25 + 0.75 * n / len(loads)
            right.bar(places, lines[k, n], width, color=MAIN, alpha=shade, label=f"{load:g} %")
        right.set_ylabel(label(data["harmonic_contact_stiffness"], "Amplitude"))
    legend_beside(panels[0, 1])
    panels[-1, 0].set_xlabel(label(data["cycle"], "Mesh cycle"))
    panels[-1, 1].set_xlabel("Harmonic of the mesh frequency")
    return picture


def _across(result: Result) -> Picture:
    names, data = result.data["mesh"].values, result.data
    picture = Picture(
        WIDE,
        0.6 + 2.2 * len(names),
        "Load per width at the rated load over the mesh cycle and across the face, one pair of "
        "teeth in each panel; white carries nothing." + _left_out(result),
    )
    load = shown(data["load_per_width"])
    pairs = _carrying(result)
    panels = picture.panels(len(names), len(pairs), sharex=True, sharey=True)
    for k, name in enumerate(names):
        top = float(np.nanmax(load[k]))
        strips = int(np.sum(np.isfinite(load[k, 0, pairs[0]])))
        for axes, pair in zip(panels[k], pairs, strict=True):
            image = axes.imshow(
                load[k, :, pair, :strips].T, origin="lower", extent=(0, 100, -1, 1), vmin=0,
                vmax=top, aspect="auto", cmap=white_to_dark(), interpolation="nearest",
            )  # fmt: skip
            axes.grid(visible=False)
        for number, axes in enumerate(panels[k], start=1):
            axes.set_title(f"{name}, pair {number}" if number == 1 else f"pair {number}")
        panels[k, 0].set_ylabel("Across the face")
        add_colour_bar(picture, image, label(data["load_per_width"], "Load per width"), panels[k])
    for axes in panels[-1]:
        axes.set_xlabel(label(data["cycle"], "Mesh cycle"))
    return picture
