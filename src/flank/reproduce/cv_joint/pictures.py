"""Figs. 5, 7, 8 and 11 to 14 of the paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.polynomial import Polynomial

from flank.analyses.joint_quantities import QUANTITIES
from flank.io.shown import factor
from flank.machines.cv_joint.contacts import JointContacts
from flank.machines.cv_joint.figures import cage_force, track_force
from flank.plots.style import (
    ACCENT,
    FAINT,
    GREEN,
    INK,
    MAIN,
    QUIET,
    SECOND,
    Picture,
    angle_ticks,
)
from flank.reproduce.cv_joint.computing import (
    BY_HERTZ,
    DRIVEN,
    DRIVING,
    FRICTION,
    PAPER,
    PAPERS,
    SOFTER,
    TORQUE,
    ForcePath,
    Stiffness,
    Turned,
    joint,
)
from flank.reproduce.cv_joint.findings import (
    CagePaths,
    ForcePaths,
    TurnsOverFriction,
    bounds,
)
from flank.reproduce.pictures import drawn

COLOURS = {PAPERS: MAIN, SOFTER: SECOND, BY_HERTZ: ACCENT}
DASHES = ("-", "--", ":")
"""Of the torques, the largest first."""

AXES = {"x": ACCENT, "y": MAIN, "z": GREEN}
CARDAN = {"α": ACCENT, "β": MAIN, "γ": GREEN}
SHOWN_UNITS = {
    "ball_place": "mm",
    "ball_velocity": "mm/s",
    "ball_spin": "rad/s",
    "ball_cardan": "deg",
}
"""Of the panels of a ball's motion."""

SHOWN_ORDERS = 36

FRICTION_REACH = (0.3, 0.01)
"""m/s to either side in the panels of the friction law."""


def friction_picture(contacts: JointContacts) -> Picture:
    """Fig. 5: signum, smoothed, and Eq. 22, with the coefficients of the preset."""
    law = contacts.friction
    assert law is not None
    with drawn(PAPER, "friction-law") as (picture, panels):
        for axes, reach in zip(panels, FRICTION_REACH, strict=True):
            speed = np.linspace(-reach, reach, 2001)
            size, sign = np.abs(speed), np.sign(speed)
            axes.plot(1e3 * speed, law.sliding * sign, color=QUIET, label="μ₁, signum")
            smooth = law.sliding * np.tanh(speed / law.stick_velocity)
            axes.plot(1e3 * speed, smooth, color=SECOND, label="μ₂, smoothed")
            full = sign * contacts.friction_coefficient(size)
            axes.plot(1e3 * speed, full, color=MAIN, label="μ₃, Eq. 22")
            axes.set_xlim(-1e3 * reach, 1e3 * reach)
    return picture


def influence_picture(rigid: Turned, turns: Mapping[str, Turned]) -> Picture:
    """Fig. 14a: peak to peak of the axial motion as one thing changes."""
    with drawn(PAPER, "axial-influences") as (picture, (axes,)):
        others = {name: turn for name, turn in turns.items() if name != "nothing"}
        named = {"guided rigidly": rigid, "not guided": turns["nothing"], **others}
        values = [
            1e6 * np.ptp(t.curves["axial_place"]) if t.complete else 0.0 for t in named.values()
        ]
        colours = [SECOND, *[MAIN] * len(turns)]
        axes.barh(range(len(named)), values, color=colours, height=0.65)
        axes.axvline(PAPER.published["axial_motion"], color=INK, linewidth=0.9)
        axes.set_yticks(range(len(named)), list(named))
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
        for place, value in enumerate(values):
            axes.annotate(
                f"{value:.1f}", (value, place), (3, 0), textcoords="offset points", va="center"
            )
        axes.set_xlim(0.0, 1.12 * max(values))
    return picture


def cage_picture(paths: CagePaths, ramps: CagePaths) -> Picture:
    """Fig. 7."""
    with drawn(PAPER, "cage-angle") as (picture, (left, right)):
        torques = sorted({torque for _, torque in paths}, reverse=True)
        for (stiffness, torque), path in paths.items():
            dashes = DASHES[torques.index(torque)]
            name = stiffness.name if dashes == "-" else None
            style: Any = {"color": COLOURS[stiffness], "linestyle": dashes}
            left.plot(np.degrees(path.deflection[1:]), path.ratio(), label=name, **style)
        left.axhline(1.0, color=INK, linewidth=0.9)
        for (stiffness, torque), ramp in ramps.items():
            dashes = DASHES[torques.index(torque)]
            name = stiffness.name if dashes == "-" else None
            look: Any = {"color": COLOURS[stiffness], "linestyle": dashes, "label": name}
            right.plot(ramp.time, np.degrees(ramp.cage), **look)
        half = 0.5 * np.degrees(ramp.deflection)
        right.plot(ramp.time, half, color=INK, linewidth=0.9, label="half the angle of the shafts")
        right.set_xlim(0.0, ramp.time[-1])
    return picture


def force_picture(paths: ForcePaths) -> Picture:
    """Fig. 8."""
    with drawn(PAPER, "contact-forces") as (picture, (left, right, near)):
        for (stiffness, clearance, sense), path in paths.items():
            if stiffness == PAPERS:
                _forces((left, right, near), path, clearance, sense)
        ideal = np.array([track_force(joint(PAPERS).spec, t) / 1e3 for t in path.torque])
        left.plot(path.torque, ideal, color=QUIET, linestyle=":", label="Eq. 23", zorder=5)
        right.plot([], [], color=QUIET, linestyle=":", label="Eq. 24, ∓")
        for axes in (left, right):
            axes.set_xlim(0.0, path.torque[-1])
    return picture


def _forces(panels: tuple[Axes, Axes, Axes], path: ForcePath, clearance: float, sense: int) -> None:
    """One path in all panels; the last has no legend."""
    left, right, near = panels
    colour, dashes = (MAIN if sense > 0 else SECOND), ("--" if clearance else "-")
    width = f"{clearance * 1e6:.0f} µm"
    style: Any = {"color": colour, "linestyle": dashes}
    name = f"{'torque' if sense > 0 else 'reversed'}, {width}"
    left.plot(path.torque, path.loaded / 1e3, label=name, **style)
    if path.counter.any():
        other = f"opposite flank, {width}"
        left.plot(path.torque, path.counter / 1e3, color=ACCENT, ls=dashes, label=other)
    ideal = np.array([cage_force(joint(PAPERS).spec, sense * t) for t in path.torque])
    for axes, unit, label in ((right, 1e3, name), (near, 1.0, None)):
        axes.plot(path.torque, path.cage / unit, label=label, **style)
        axes.plot(path.torque, ideal / unit, color=QUIET, linestyle=":", zorder=5)


def secondary_picture(
    turns: Mapping[Stiffness, TurnsOverFriction], fits: Mapping[str, Polynomial]
) -> Picture:
    """Fig. 11."""
    share = PAPER.published["secondary_share"] * TORQUE / 100
    with drawn(PAPER, "secondary-torque") as (picture, panels):
        for axes, (stiffness, by_friction) in zip(panels, turns.items(), strict=True):
            frictions = np.array(list(by_friction))
            low, high = np.array([bounds(mu) for mu in frictions]).T
            axes.fill_between(frictions, low, high, color=FAINT, alpha=0.5, linewidth=0)
            for race, colour, name in ((DRIVEN, MAIN, "driven"), (DRIVING, SECOND, "driving")):
                torque = [each.secondary[race] for each in by_friction.values()]
                axes.plot(frictions, torque, "o", color=colour, markersize=4, label=name)
            fine = np.linspace(0.0, frictions[-1], 101)
            shown = fits if stiffness == PAPERS else {}
            for (name, fit), colour in zip(shown.items(), (ACCENT, GREEN), strict=False):
                label = f"parabola, {name}"
                axes.plot(fine, fit(fine), color=colour, linewidth=1.0, label=label)
            axes.plot(FRICTION, share, "x", color=INK, markersize=7, label="paper", zorder=5)
            axes.axhline(0.0, color=QUIET, linewidth=0.6)
            axes.set_xlim(0.0, frictions[-1] * 1.02)
    return picture


def track_force_picture(turns: TurnsOverFriction, force: float) -> Picture:
    """Fig. 12; forces are divided by `force`, Eq. 23."""
    with drawn(PAPER, "track-forces") as (picture, (axes,)):
        for (friction, turn), colour in zip(turns.items(), (ACCENT, MAIN, GREEN), strict=False):
            if not turn.complete:
                continue
            angle, forces = turn.centred(turn.of_ball("track_force") / force)
            axes.plot(angle, forces[:, turn.loaded], color=colour, label=f"μ = {friction:g}")
            axes.plot(angle, forces[:, 1 - turn.loaded], color=colour, linestyle="--")
        axes.axhline(1.0, color=QUIET, linewidth=0.8, linestyle=":")
    return picture


def ball_picture(turn: Turned) -> Picture:
    """Fig. 13."""
    with drawn(PAPER, "ball-motion", None if turn.complete else 0) as (picture, panels):
        for axes, (name, unit) in zip(panels, SHOWN_UNITS.items(), strict=False):
            values = turn.of_ball(name) * factor(QUANTITIES[name].unit, unit)
            names = CARDAN if name == "ball_cardan" else AXES
            for axis, (text, colour) in enumerate(names.items()):
                larger = 100.0 if name == "ball_place" and axis < 2 else 1.0
                label = text if larger == 1.0 else f"{text} x 100"
                curve = larger * values[:, axis]
                axes.plot(np.degrees(turn.angle), curve, color=colour, label=label)
            angle_ticks(axes, 0.0, 360.0)
    return picture


def axial_picture(turns: Mapping[str, Turned], ball: Turned) -> Picture:
    """Fig. 14: `turns` with the inner race free to slide."""
    with drawn(PAPER, "axial-motion") as (picture, (top, left, right)):
        if ball.complete:
            stroke = ball.of_ball("ball_place")[:, 2] * 1e3
            top.plot(np.degrees(ball.angle), stroke, color=GREEN, label="ball along its track")
        pairs = zip(turns.items(), (MAIN, SECOND), strict=False)
        for number, ((name, turn), colour) in enumerate(pairs):
            if turn.complete:
                _axial((top, left, right), turn, name, colour, 0.4 * (number - 0.5))
        for axes in (top, left):
            angle_ticks(axes, 0.0, 360.0)
        left.margins(y=0.2)
    return picture


def _axial(
    panels: tuple[Axes, Axes, Axes], turn: Turned, name: str, colour: str, beside: float
) -> None:
    """The inner race over the turn, twice, and its orders, drawn so far `beside` their place."""
    top, left, right = panels
    angle, place = np.degrees(turn.angle), turn.curves["axial_place"]
    top.plot(angle, place * 1e3, color=colour, label=f"inner race, {name}")
    left.plot(angle, place * 1e6, color=colour, label=name)
    orders, amplitudes = turn.amplitudes("axial_place")
    shown = (orders > 0) & (orders <= SHOWN_ORDERS)
    heights = amplitudes[shown] * 1e6
    right.vlines(orders[shown] + beside, 1e-5, heights, color=colour, linewidth=2.2, label=name)
