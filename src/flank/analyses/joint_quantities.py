"""What a joint's turns report, curve by curve; the summary is in joint_summary.py."""

import numpy as np
from numpy.typing import NDArray

from flank.analyses.joint_contacts import hertz_pressures, track_contacts
from flank.analyses.joint_energy import EnergyBalance
from flank.analyses.joint_kinematics import ball_motion, cage_stand
from flank.analyses.joint_torques import shaft_loads
from flank.analyses.result import Quantity
from flank.dynamics.spatial.model import FRICTION
from flank.dynamics.trajectory import SpatialTrajectory
from flank.machines.cv_joint.assembly import JointAssembly, JointHertz

OVER = ("angle",)
TRACKS = (*OVER, "ball", "race", "flank")
MOTION = (*OVER, "ball", "race", "axis")

Quantities = dict[str, Quantity]


def joint_coordinates(assembly: JointAssembly, angles: NDArray, times: NDArray) -> Quantities:
    """Names and numbers along every dimension; `time` runs beside the angle."""
    found = {
        "angle": Quantity(OVER, angles, "rad", "deg", "Angle of the outer race"),
        "time": Quantity(OVER, times, "s", "s", "Time"),
        "ball": Quantity(("ball",), np.arange(len(assembly.balls)), "", "", "Ball"),
    }
    names = {
        "race": ["outer", "inner"],
        "flank": ["y > 0", "y < 0"],
        "side": ["+z", "-z"],
        "axis": ["x", "y", "z"],
        "direction": ["in the plane of the shafts", "normal to it"],
    }
    for dimension, words in names.items():
        found[dimension] = Quantity(
            (dimension,), np.array(words, dtype=str), "", "", dimension.capitalize()
        )
    if assembly.guides:
        guides = np.arange(len(assembly.guides))
        found["guide"] = Quantity(("guide",), guides, "", "", "Guide of the cage")
    return found


def force_quantities(
    assembly: JointAssembly, trajectory: SpatialTrajectory, contacts: JointHertz
) -> Quantities:
    """Normal forces and Hertz pressures of balls in tracks and windows; forces of the guides."""
    force = trajectory.touches["normal_force"]
    tracks, windows = force[:, assembly.tracks], force[:, assembly.windows]
    in_window = (*OVER, "ball", "side")
    own = (contacts.outer_track, contacts.inner_track)
    track_pressure = np.stack(
        [hertz_pressures(tracks[:, :, race], contact) for race, contact in enumerate(own)], axis=2
    )
    window_pressure = hertz_pressures(windows, contacts.window)
    found = {
        "track_force": Quantity(TRACKS, tracks, "N", "N", "Force of the track on the ball"),
        "window_force": Quantity(in_window, windows, "N", "N", "Force of the cage on the ball"),
        "track_pressure": Quantity(
            TRACKS, track_pressure, "Pa", "MPa", "Hertz pressure in the track"
        ),
        "window_pressure": Quantity(
            in_window, window_pressure, "Pa", "MPa", "Hertz pressure in the window"
        ),
    }
    if assembly.guides:
        guides = force[:, list(assembly.guides)]
        found["guide_force"] = Quantity((*OVER, "guide"), guides, "N", "N", "Force of a guide")
    return found


def place_quantities(assembly: JointAssembly, trajectory: SpatialTrajectory) -> Quantities:
    """Where balls and cage are: what equilibria have as well."""
    motion, stand = ball_motion(assembly, trajectory), cage_stand(assembly, trajectory)
    touching = track_contacts(assembly, trajectory)
    title = "Cage's axis from the middle between the shafts"
    return {
        "contact_angle": Quantity(
            TRACKS, touching.angle, "rad", "deg", "Contact from the bottom of the track"
        ),
        "ball_place": Quantity(MOTION, motion.place, "m", "mm", "Place of the ball in its track"),
        "deflection": Quantity(OVER, stand.deflection, "rad", "deg", "Angle between the shafts"),
        "cage_angle": Quantity(OVER, stand.angle, "rad", "deg", "Cage against the outer race"),
        "cage_deviation": Quantity(OVER, stand.deviation, "rad", "arcmin", title),
    }


def motion_quantities(assembly: JointAssembly, trajectory: SpatialTrajectory) -> Quantities:
    """How balls move in their tracks, roll, slide and drill, and what friction takes."""
    motion, touching = ball_motion(assembly, trajectory), track_contacts(assembly, trajectory)
    power = trajectory.touches["friction_power"].sum(axis=1)
    work = trajectory.ledger[:, FRICTION] - trajectory.ledger[0, FRICTION]
    return {
        "ball_velocity": Quantity(
            MOTION, motion.velocity, "m/s", "mm/s", "Velocity of the ball in its track"
        ),
        "ball_spin": Quantity(
            MOTION, motion.spin, "rad/s", "rad/s", "Angular velocity of the ball in its track"
        ),
        "ball_turned": Quantity(
            MOTION, motion.turned, "rad", "deg", "Rotation of the ball, added up about each axis"
        ),
        "ball_cardan": Quantity(
            MOTION, motion.cardan, "rad", "deg", "Cardan angles of the ball in its track"
        ),
        "rolling": Quantity(TRACKS, touching.rolling, "m/s", "mm/s", "Rolling along the track"),
        "sliding_along": Quantity(
            TRACKS, touching.sliding_along, "m/s", "mm/s", "Sliding along the track"
        ),
        "sliding_across": Quantity(
            TRACKS, touching.sliding_across, "m/s", "mm/s", "Sliding across the track"
        ),
        "drilling": Quantity(TRACKS, touching.drilling, "rad/s", "rad/s", "Drilling of the ball"),
        "friction_power": Quantity(OVER, power, "W", "W", "Power that friction takes"),
        "friction_work": Quantity(OVER, work, "J", "J", "Work that friction has taken"),
    }


def shaft_quantities(assembly: JointAssembly, trajectory: SpatialTrajectory) -> Quantities:
    """Torques on the races, and the inner race along its axis."""
    loads = shaft_loads(assembly, trajectory)
    in_race = (*OVER, "race")
    return {
        "shaft_torque": Quantity(
            in_race, loads.torque, "N*m", "N*m", "Torque of the balls about the race's axis"
        ),
        "secondary_torque": Quantity(
            (*in_race, "direction"), loads.secondary, "N*m", "N*m", "Secondary torque on the race"
        ),
        "axial_force": Quantity(OVER, loads.axial_force, "N", "N", "Axial force on the inner race"),
        "axial_place": Quantity(OVER, loads.axial_place, "m", "um", "Inner race along its axis"),
    }


ENERGY_TABLE = {"Energy over the turns": ("energy", "energy_amount", "energy_share")}


def energy_quantities(balance: EnergyBalance) -> Quantities:
    """The balance as a table, shares of the work that goes through the joint."""
    rows = {
        "work of the drive": balance.input,
        "work on the load": balance.output,
        "friction": balance.friction,
        "contact damping": balance.damping,
        "change of kinetic and stored energy": balance.kept,
        "lost in the integration": balance.remainder,
    }
    over = ("energy",)
    amounts = np.array(list(rows.values()))
    names = np.array(list(rows), dtype=str)
    shares = amounts / balance.passed if balance.passed else np.full(len(rows), np.nan)
    return {
        "energy": Quantity(over, names, "", "", "Energy"),
        "energy_amount": Quantity(over, amounts, "J", "J", "Amount"),
        "energy_share": Quantity(over, shares, "", "percent", "Share"),
    }
