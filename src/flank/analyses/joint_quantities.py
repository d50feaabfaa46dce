"""What a joint's turns report: curves over the angle, and the figures that maps are made of."""

import math

import numpy as np

from flank.analyses.joint_reading import (
    EnergyBalance,
    ball_motion,
    cage_angles,
    hertz_pressures,
    shaft_loads,
    track_contacts,
)
from flank.analyses.orders import spectrum
from flank.analyses.quantities import LESS, MORE, Declared, Quantities, Read, Values
from flank.arrays import Floats
from flank.dynamics.spatial.model import FRICTION
from flank.dynamics.trajectory import SpatialTrajectory
from flank.machines.cv_joint.assembly import INNER, OUTER, JointAssembly
from flank.machines.cv_joint.contacts import JointContacts

TRACKS, WINDOWS = "angle ball race flank", "angle ball side"
MOTION = "angle ball race axis"

MAIN_ORDER = "half the number of balls"
"""The word that stands for it in titles."""

AVERAGED = slice(None, -1)
"""Of a closed turn: its last record is the first of the next."""

SLIDING_SPEEDS = (1e-5, 1.0)
"""m/s between which the law of friction is told."""

SHOWN_ORDERS = 8
"""Multiples of half the number of balls that the table of orders has."""

NAMES = {
    "race": ["outer", "inner"],
    "flank": ["y > 0", "y < 0"],
    "side": ["+z", "-z"],
    "axis": ["x", "y", "z"],
    "direction": ["in the plane of the shafts", "normal to it"],
}
"""Along dimensions that every joint has."""

FIGURES = {
    "mean_track_force": Declared("Mean force of loaded flanks", "N"),
    "peak_track_force": Declared("Largest force of a flank", "N", better=LESS),
    "peak_counter_force": Declared("Largest force of an opposite flank", "N"),
    "mean_window_force": Declared("Mean force of cage and ball", "N"),
    "peak_window_force": Declared("Largest force of cage and ball", "N", better=LESS),
    "peak_pressure": Declared("Largest Hertz pressure", "Pa", "MPa", better=LESS),
    "secondary_torque_outer": Declared("Mean secondary torque on the outer race", "N*m"),
    "secondary_torque_ratio_outer": Declared("Of T tan(β/2), outer race"),
    "secondary_torque_inner": Declared("Mean secondary torque on the inner race", "N*m"),
    "secondary_torque_ratio_inner": Declared("Of T tan(β/2), inner race"),
    "mean_cage_angle": Declared("Mean angle of the cage", "rad", "deg"),
    "largest_cage_deviation": Declared(
        "Cage from the middle of the shafts, at most", "rad", "arcmin", better=LESS
    ),
    "cage_angle_ratio": Declared("Cage angle over half the deflection"),
    "ball_stroke": Declared("Stroke of a ball along its outer track, peak to peak", "m", "mm"),
    "axial_force_range": Declared("Axial force, peak to peak", "N", better=LESS),
    "axial_force_order": Declared(f"Axial force, order {{{MAIN_ORDER}}}", "N", better=LESS),
    "axial_place_range": Declared("Axial motion, peak to peak", "m", "um"),
    "axial_place_order": Declared(f"Axial motion, order {{{MAIN_ORDER}}}", "m", "um"),
    "sideways_range": Declared("Sideways motion of the inner race, at most", "m", "um"),
    "ball_drift": Declared("Drift of a ball's rotation in a turn", "rad", "deg"),
    "median_sliding": Declared("Median sliding in a track", "m/s", "mm/s", better=LESS),
    "largest_sliding": Declared(
        "Largest sliding in a track, at any record", "m/s", "mm/s", better=LESS
    ),
    "largest_drilling": Declared("Largest drilling in a track, at any record", "rad/s"),
    "loss": Declared("Mean power lost to friction and damping", "W", better=LESS),
    "efficiency": Declared("Efficiency", "", "percent", better=MORE),
    "energy_remainder": Declared(
        "Energy that the integration lost, of what goes through", "", "percent"
    ),
    "repeat_change": Declared("Change of a track force in a turn, at most", "", "percent"),
    "turns_run": Declared("Turns run"),
}
"""One number each; joint-map has some of them over its points."""

QUANTITIES = Quantities(
    "joint-turns",
    {
        **FIGURES,
        "track_force": Declared("Force of the track on the ball", "N", over=TRACKS),
        "window_force": Declared("Force of the cage on the ball", "N", over=WINDOWS),
        "track_pressure": Declared("Hertz pressure in the track", "Pa", "MPa", TRACKS),
        "window_pressure": Declared("Hertz pressure in the window", "Pa", "MPa", WINDOWS),
        "guide_force": Declared("Force of a guide", "N", over="angle guide"),
        "contact_angle": Declared("Contact from the bottom of the track", "rad", "deg", TRACKS),
        "ball_place": Declared("Place of the ball in its track", "m", "mm", MOTION),
        "deflection": Declared("Angle between the shafts", "rad", "deg", "angle"),
        "cage_angle": Declared("Cage against the outer race", "rad", "deg", "angle"),
        "cage_deviation": Declared(
            "Cage's axis from the middle between the shafts", "rad", "arcmin", "angle"
        ),
        "shaft_torque": Declared(
            "Torque of the balls about the race's axis", "N*m", over="angle race"
        ),
        "secondary_torque": Declared(
            "Secondary torque on the race", "N*m", over="angle race direction"
        ),
        "axial_force": Declared("Axial force on the inner race", "N", over="angle"),
        "axial_place": Declared("Inner race along its axis", "m", "um", "angle"),
        "sideways_place": Declared(
            "Inner race across the axis of its shaft", "m", "um", "angle direction"
        ),
        "ball_velocity": Declared("Velocity of the ball in its track", "m/s", "mm/s", MOTION),
        "ball_spin": Declared("Angular velocity of the ball in its track", "rad/s", over=MOTION),
        "ball_turned": Declared(
            "Rotation of the ball, added up about each axis", "rad", "deg", MOTION
        ),
        "ball_cardan": Declared("Cardan angles of the ball in its track", "rad", "deg", MOTION),
        "rolling": Declared("Rolling along the track", "m/s", "mm/s", TRACKS),
        "sliding_along": Declared("Sliding along the track", "m/s", "mm/s", TRACKS),
        "sliding_across": Declared("Sliding across the track", "m/s", "mm/s", TRACKS),
        "drilling": Declared("Drilling of the ball", "rad/s", over=TRACKS),
        "friction_power": Declared("Power that friction takes", "W", over="angle"),
        "friction_work": Declared("Work that friction has taken", "J", over="angle"),
        "friction_coefficient": Declared("Coefficient of friction", over="sliding_speed"),
        "axial_force_amplitude": Declared("Axial force, amplitude", "N", over="order"),
        "axial_place_amplitude": Declared("Axial motion, amplitude", "m", "um", "order"),
        "order": Declared("Order of the turn", over="order"),
        "named_order": Declared("Order", over="named_order"),
        "named_order_force": Declared("Axial force", "N", over="named_order"),
        "named_order_place": Declared("Axial motion", "m", "um", "named_order"),
        "energy": Declared("Energy", over="energy"),
        "energy_amount": Declared("Amount", "J", over="energy"),
        "energy_share": Declared("Share", "", "percent", "energy"),
    },
    {
        "angle": Declared("Angle of the outer race", "rad", "deg", "angle"),
        "time": Declared("Time", "s", over="angle"),
        "ball": Declared("Ball", over="ball"),
        **{name: Declared(name.capitalize(), over=name) for name in NAMES},
        "guide": Declared("Guide of the cage", over="guide"),
        "sliding_speed": Declared("Sliding speed", "m/s", "mm/s", "sliding_speed"),
    },
    {
        "Orders of the inner race along its axis": (
            "named_order",
            "named_order_force",
            "named_order_place",
        ),
        "Energy over the turns": ("energy", "energy_amount", "energy_share"),
    },
    curves=(("angle", "axial_force"),),
)

Curves = dict[str, Floats]
"""Over the angle, by name."""


def joint_coordinates(assembly: JointAssembly, angles: Floats, times: Floats) -> Values:
    """Names and numbers along every dimension; `time` runs beside the angle."""
    values: Values = {"angle": angles, "time": times, "ball": np.arange(1, len(assembly.balls) + 1)}
    values |= {dimension: np.array(words, dtype=str) for dimension, words in NAMES.items()}
    if assembly.guides:
        values["guide"] = np.arange(1, len(assembly.guides) + 1)
    return values


def joint_curves(
    assembly: JointAssembly, trajectory: SpatialTrajectory, contacts: JointContacts, mode: str
) -> Curves:
    """Everything over the angle, as far as a run came."""
    if len(trajectory.time) < 2:
        return {}
    curves = _forces(assembly, trajectory, contacts) | _places(assembly, trajectory)
    if mode == "dynamic":
        curves |= _motion(assembly, trajectory)
    return curves


def _forces(
    assembly: JointAssembly, trajectory: SpatialTrajectory, contacts: JointContacts
) -> Curves:
    """Normal forces and Hertz pressures of balls in tracks and windows; forces of the guides."""
    force = trajectory.contact_results["normal_force"]
    tracks, windows = force[:, assembly.tracks], force[:, assembly.windows]
    in_tracks = (contacts.outer_track, contacts.inner_track)
    curves = {
        "track_force": tracks,
        "window_force": windows,
        "track_pressure": np.stack(
            [
                hertz_pressures(tracks[:, :, race], contact)
                for race, contact in enumerate(in_tracks)
            ],
            axis=2,
        ),
        "window_pressure": hertz_pressures(windows, contacts.window),
    }
    if assembly.guides:
        curves["guide_force"] = force[:, list(assembly.guides)]
    return curves


def _places(assembly: JointAssembly, trajectory: SpatialTrajectory) -> Curves:
    """Where balls and cage are, and what acts on the races: what equilibria have as well."""
    cage, loads = cage_angles(assembly, trajectory), shaft_loads(assembly, trajectory)
    return {
        "contact_angle": track_contacts(assembly, trajectory).angle,
        "ball_place": ball_motion(assembly, trajectory).place,
        "deflection": cage.deflection,
        "cage_angle": cage.angle,
        "cage_deviation": cage.deviation,
        "shaft_torque": loads.torque,
        "secondary_torque": loads.secondary,
        "axial_force": loads.axial_force,
        "axial_place": loads.axial_place,
        **({} if assembly.guided else {"sideways_place": loads.sideways_place}),
    }


def _motion(assembly: JointAssembly, trajectory: SpatialTrajectory) -> Curves:
    """How balls move in their tracks, roll, slide and drill, and what friction takes."""
    motion, touching = ball_motion(assembly, trajectory), track_contacts(assembly, trajectory)
    curves = {f"ball_{name}": values for name, values in vars(motion).items() if name != "place"}
    curves |= {name: values for name, values in vars(touching).items() if name != "angle"}
    return curves | {
        "friction_power": trajectory.contact_results["friction_power"].sum(axis=1),
        "friction_work": trajectory.ledger[:, FRICTION] - trajectory.ledger[0, FRICTION],
    }


def force_figures(curves: Curves) -> Values:
    """Forces and pressures of tracks and windows."""
    tracks, windows = curves["track_force"], curves["window_force"]
    loaded = tracks[AVERAGED].mean(axis=0).argmax(axis=-1)[None, ..., None]
    carrying = np.take_along_axis(tracks, loaded, axis=-1)
    other = np.take_along_axis(tracks, 1 - loaded, axis=-1)
    return {
        "mean_track_force": float(carrying[AVERAGED].mean()),
        "peak_track_force": float(tracks.max()),
        "peak_counter_force": float(other.max()),
        "mean_window_force": float(windows[AVERAGED].sum(axis=-1).mean()),
        "peak_window_force": float(windows.max()),
        "peak_pressure": float(
            max(curves["track_pressure"].max(), curves["window_pressure"].max())
        ),
    }


def torque_figures(curves: Curves, torque: float) -> Values:
    """Means of the secondary torques, and over T tan(β/2)."""
    secondary = curves["secondary_torque"][AVERAGED].mean(axis=0)
    size = np.linalg.norm(secondary, axis=-1)
    ideal = abs(torque) * math.tan(0.5 * _mean(curves, "deflection"))
    figures: Values = {}
    for race, name in ((OUTER, "outer"), (INNER, "inner")):
        figures[f"secondary_torque_{name}"] = float(size[race])
        if ideal > 0:
            figures[f"secondary_torque_ratio_{name}"] = float(size[race] / ideal)
    return figures


def place_figures(curves: Curves) -> Values:
    """The cage's angle against half the deflection; how far balls go in the outer tracks."""
    angle, deflection = _mean(curves, "cage_angle"), _mean(curves, "deflection")
    stroke = np.ptp(curves["ball_place"][..., OUTER, 2], axis=0).max()
    return {
        "mean_cage_angle": angle,
        "largest_cage_deviation": float(curves["cage_deviation"].max()),
        **({"cage_angle_ratio": 2 * angle / deflection} if deflection > 0 else {}),
        "ball_stroke": float(stroke),
        **_sideways(curves),
    }


def _sideways(curves: Curves) -> Values:
    """How far a race that may move sideways does, peak to peak in its wider direction."""
    if "sideways_place" not in curves:
        return {}
    return {"sideways_range": float(np.ptp(curves["sideways_place"], axis=0).max())}


def axial_figures(curves: Curves, turns: int, balls: int, inertia: float) -> Values:
    """The inner race along its axis, with its orders: of the joint without friction, half the
    number of balls and its odd multiples, as it is its own mirror image from ball to ball.

    `inertia` is m Ω² of a race that is free along its axis: amplitudes of its force are those of
    its motion times m Ω² n², as balls slip for shorter than records are apart. It is zero where
    the race is held.
    """
    orders, forces = spectrum(curves["axial_force"][AVERAGED], turns)
    of_place: Values = {}
    if inertia:
        _, places = spectrum(curves["axial_place"][AVERAGED], turns)
        forces = inertia * orders**2 * places
        of_place = _orders(curves, "place", orders, places, balls)
    return _orders(curves, "force", orders, forces, balls) | of_place | {"order": orders}


def _orders(curves: Curves, name: str, orders: Floats, amplitudes: Floats, balls: int) -> Values:
    """Range, main order and spectrum of a course, with some orders for a table."""
    main = balls // 2
    shown = {1, 2, *(main * k for k in range(1, SHOWN_ORDERS))}
    lines = np.flatnonzero(np.isin(np.round(orders, 9), list(shown)))
    line = int(np.argmin(np.abs(orders - main)))
    return {
        f"axial_{name}_range": float(np.ptp(curves[f"axial_{name}"])),
        f"axial_{name}_order": Read(float(amplitudes[line]), {MAIN_ORDER: str(main)}),
        f"axial_{name}_amplitude": amplitudes,
        "named_order": orders[lines],
        f"named_order_{name}": amplitudes[lines],
    }


def motion_figures(curves: Curves, turns: int) -> Values:
    """Drift of the balls' rotation, their sliding and drilling, the largest of all balls. A ball
    slips for less than a record, so that largest velocities depend on how many there are, and the
    median does not."""
    turned = curves["ball_turned"]
    sliding = np.hypot(curves["sliding_along"], curves["sliding_across"])
    touching = sliding[np.isfinite(sliding)]
    return {
        "ball_drift": float(np.linalg.norm(turned[-1] - turned[0], axis=-1).max() / turns),
        "median_sliding": float(np.median(touching)) if touching.size else 0.0,
        "largest_sliding": float(touching.max(initial=0.0)),
        "largest_drilling": float(np.nanmax(np.abs(curves["drilling"]), initial=0.0)),
    }


def energy_figures(balance: EnergyBalance, through: float = 0.0) -> Values:
    """Loss, efficiency, and the balance as a table, shares of the work that goes through: the one
    given, or that of the balance."""
    rows = {
        "work of the drive": balance.input,
        "work on the load": balance.output,
        "friction": balance.friction,
        "contact damping": balance.damping,
        "change of kinetic and stored energy": balance.kept,
        "lost in the integration": balance.remainder,
    }
    amounts = np.array(list(rows.values()))
    through = through or balance.transmitted or math.nan
    return {
        "loss": (balance.friction + balance.damping) / balance.duration,
        "efficiency": balance.efficiency,
        "energy_remainder": balance.remainder / through,
        "energy": np.array(list(rows), dtype=str),
        "energy_amount": amounts,
        "energy_share": amounts / through,
    }


def friction_curve(contacts: JointContacts) -> Values:
    """The coefficient of friction over the sliding speed, as the contacts have it; nothing where
    there is none."""
    if contacts.friction is None:
        return {}
    speeds = np.geomspace(*SLIDING_SPEEDS, 121)
    return {
        "sliding_speed": speeds,
        "friction_coefficient": contacts.friction_coefficient(speeds),
    }


def _mean(curves: Curves, name: str) -> float:
    return float(curves[name][AVERAGED].mean())
