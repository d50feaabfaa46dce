"""The figures of a joint's turns: what maps are made of, and what a summary shows first."""

import math

import numpy as np
from numpy.typing import NDArray

from flank.analyses.joint_energy import EnergyBalance
from flank.analyses.joint_quantities import Quantities
from flank.analyses.orders import spectrum
from flank.analyses.result import Quantity
from flank.machines.cv_joint.assembly import INNER, OUTER

AVERAGED = slice(None, -1)
"""Of a closed turn: its last record is the first of the next."""


def force_figures(found: Quantities) -> Quantities:
    """Forces and pressures of tracks and windows."""
    tracks, windows = _values(found, "track_force"), _values(found, "window_force")
    mean = tracks[AVERAGED].mean(axis=0)
    loaded = mean.argmax(axis=-1)[None, ..., None]
    carrying = np.take_along_axis(tracks, loaded, axis=-1)
    other = np.take_along_axis(tracks, 1 - loaded, axis=-1)
    in_window = windows[AVERAGED].sum(axis=-1)
    return {
        "mean_track_force": _figure(
            carrying[AVERAGED].mean(), "N", "N", "Mean force of loaded flanks"
        ),
        "peak_track_force": _figure(tracks.max(), "N", "N", "Largest force of a flank"),
        "peak_counter_force": _figure(other.max(), "N", "N", "Largest force of an opposite flank"),
        "mean_window_force": _figure(in_window.mean(), "N", "N", "Mean force of cage and ball"),
        "peak_window_force": _figure(windows.max(), "N", "N", "Largest force of cage and ball"),
        "peak_pressure": _figure(
            max(_values(found, "track_pressure").max(), _values(found, "window_pressure").max()),
            "Pa", "MPa", "Largest Hertz pressure",
        ),
    }  # fmt: skip


def cage_figures(found: Quantities) -> Quantities:
    """The cage's angle against half the deflection."""
    angle, deflection = _mean(found, "cage_angle"), _mean(found, "deflection")
    deviation = _values(found, "cage_deviation").max()
    figures = {
        "mean_cage_angle": _figure(angle, "rad", "deg", "Mean angle of the cage"),
        "largest_cage_deviation": _figure(
            deviation, "rad", "arcmin", "Cage from the middle of the shafts, at most"
        ),
    }
    if deflection > 0:
        ratio = 2 * angle / deflection
        figures["cage_angle_ratio"] = _figure(ratio, "", "", "Cage angle over half the deflection")
    return figures


def torque_figures(found: Quantities, torque: float) -> Quantities:
    """Means of the secondary torques, and over T tan(β/2)."""
    secondary = _values(found, "secondary_torque")[AVERAGED].mean(axis=0)
    size = np.linalg.norm(secondary, axis=-1)
    ideal = abs(torque) * math.tan(0.5 * _mean(found, "deflection"))
    figures = {}
    for race, name in ((OUTER, "outer"), (INNER, "inner")):
        figures[f"secondary_torque_{name}"] = _figure(
            size[race], "N*m", "N*m", f"Mean secondary torque on the {name} race"
        )
        if ideal > 0:
            figures[f"secondary_torque_ratio_{name}"] = _figure(
                size[race] / ideal, "", "", f"Of T tan(β/2), {name} race"
            )
    return figures


SHOWN_ORDERS = 8
"""Multiples of half the number of balls that the table of orders has."""


def axial_table(found: Quantities) -> dict[str, tuple[str, ...]]:
    """The table of the orders that `axial_figures` found."""
    columns = ("named_order", "named_order_force", "named_order_place")
    named = tuple(name for name in columns if name in found)
    return {"Orders of the inner race along its axis": named}


def axial_figures(found: Quantities, turns: int, balls: int, inertia: float) -> Quantities:
    """The inner race along its axis, with its orders: of the joint without friction, half the
    number of balls and its odd multiples, as it is its own mirror image from ball to ball.

    `inertia` is m Ω² of a race that is free along its axis: amplitudes of its force are those of
    its motion times m Ω² n², as balls slip for shorter than records are apart. It is zero where
    the race is held.
    """
    orders, forces = spectrum(_values(found, "axial_force")[AVERAGED], turns)
    found_orders = {"order": Quantity(("order",), orders, "", "", "Order of the turn")}
    figures: Quantities = {}
    if inertia:
        _, places = spectrum(_values(found, "axial_place")[AVERAGED], turns)
        forces = inertia * orders**2 * places
        figures |= _orders(found, "place", orders, places, balls)
    return _orders(found, "force", orders, forces, balls) | figures | found_orders


COURSES = {"force": ("Axial force", "N", "N"), "place": ("Axial motion", "m", "um")}


def _orders(
    found: Quantities, name: str, orders: NDArray, amplitudes: NDArray, balls: int
) -> Quantities:
    """Range, main order and spectrum of a course, with some orders for a table."""
    title, unit, shown_unit = COURSES[name]
    main = balls // 2
    shown = {1, 2, *(main * k for k in range(1, SHOWN_ORDERS))}
    lines = np.flatnonzero(np.isin(np.round(orders, 9), list(shown)))
    line = int(np.argmin(np.abs(orders - main)))
    values = {
        "range": (np.ptp(_values(found, f"axial_{name}")), "peak to peak"),
        "order": (amplitudes[line], f"order {main}"),
    }
    figures = {
        f"axial_{name}_{key}": _figure(value, unit, shown_unit, f"{title}, {words}")
        for key, (value, words) in values.items()
    }
    named = ("named_order",)
    return figures | {
        f"axial_{name}_amplitude": Quantity(
            ("order",), amplitudes, unit, shown_unit, f"{title}, amplitude"
        ),
        "named_order": Quantity(named, orders[lines], "", "", "Order"),
        f"named_order_{name}": Quantity(named, amplitudes[lines], unit, shown_unit, title),
    }


def ball_figures(found: Quantities) -> Quantities:
    """How far the balls go in the tracks of the outer race."""
    along = _values(found, "ball_place")[..., OUTER, 2]
    stroke = np.ptp(along, axis=0).max()
    title = "Stroke of a ball along its outer track, peak to peak"
    return {"ball_stroke": _figure(stroke, "m", "mm", title)}


def motion_figures(found: Quantities, turns: int) -> Quantities:
    """Drift of the balls' rotation, their sliding and drilling, the largest of all balls. A ball
    slips for less than a record, so that largest velocities depend on how many there are, and the
    median does not."""
    turned = _values(found, "ball_turned")
    drift = np.linalg.norm(turned[-1] - turned[0], axis=-1).max() / turns
    along, across = _values(found, "sliding_along"), _values(found, "sliding_across")
    sliding = np.hypot(along, across)
    touching = sliding[np.isfinite(sliding)]
    drilling = np.nanmax(np.abs(_values(found, "drilling")), initial=0.0)
    return {
        "ball_drift": _figure(drift, "rad", "deg", "Drift of a ball's rotation in a turn"),
        "median_sliding": _figure(
            np.median(touching) if touching.size else 0.0,
            "m/s",
            "mm/s",
            "Median sliding in a track",
        ),
        "largest_sliding": _figure(
            touching.max(initial=0.0), "m/s", "mm/s", "Largest sliding in a track, at any record"
        ),
        "largest_drilling": _figure(
            drilling, "rad/s", "rad/s", "Largest drilling in a track, at any record"
        ),
    }


def loss_figures(balance: EnergyBalance) -> Quantities:
    """Loss, efficiency and what the integration lost of the energy that goes through."""
    loss = (balance.friction + balance.damping) / balance.duration
    lost = balance.remainder / balance.passed if balance.passed else math.nan
    return {
        "loss": _figure(loss, "W", "W", "Mean power lost to friction and damping"),
        "efficiency": _figure(balance.efficiency, "", "percent", "Efficiency"),
        "energy_remainder": _figure(
            lost, "", "percent", "Energy that the integration lost, of what goes through"
        ),
    }


def _values(found: Quantities, name: str) -> NDArray:
    return np.asarray(found[name].values)


def _mean(found: Quantities, name: str) -> float:
    return float(_values(found, name)[AVERAGED].mean())


def _figure(value: float, unit: str, shown_unit: str, title: str) -> Quantity:
    return Quantity((), float(value), unit, shown_unit, title)
