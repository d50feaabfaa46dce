"""What a dwell at one speed tells, whatever moves: quantities, and the values of its branches."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from flank.analyses.continuous_sweep import mesh_frequency
from flank.analyses.forces import MESH_NAMES
from flank.analyses.quantities import Declared, Quantities, Values
from flank.analyses.speed_sweep import PositiveSpeed
from flank.analyses.sweep_reading import Reading
from flank.analyses.two_states import DIFFERENT
from flank.arrays import Flags, Floats
from flank.errors import SpecError
from flank.machines.base import Reducer
from flank.machines.spec import Spec, key, optional

BY_MESH = "branch mesh"

QUANTITIES = Quantities(
    "speed-dwell",
    {
        "torque": Declared("Output torque", "N*m"),
        "input_speed": Declared("Input speed", "rad/s", "rpm"),
        "mesh_frequency": Declared("Mesh frequency", "1/s", "Hz"),
        "state_count": Declared("Different states"),
        "error_rms": Declared("Dynamic transmission error (rms)", "rad", "arcsec", "branch"),
        "worst_mesh_error": Declared("Error of the mesh (rms)", "m", "um", "branch"),
        "force_factor": Declared("Largest over mean mesh force", over="branch"),
        "worst_contact_loss": Declared("Without contact", "", "percent", "branch"),
        "worst_loss_count": Declared("Contact losses in a mesh period", over="branch"),
        "repeats_after": Declared("Repeats after mesh periods (0: not at all)", over="branch"),
        "mesh_error_rms": Declared(
            "Dynamic transmission error of the mesh (rms)", "m", "um", BY_MESH
        ),
        "contact_loss": Declared("Share of time without contact", "", "percent", BY_MESH),
        "loss_count": Declared("Contact losses in a mesh period", over=BY_MESH),
        "mesh_error": Declared(
            "Oscillating transmission error of the mesh", "m", "um", "branch time mesh"
        ),
        "mesh_error_rate": Declared("Its rate", "m/s", "mm/s", "branch time mesh"),
        "mesh_force": Declared("Tooth force of the mesh, normal", "N", "N", "branch time mesh"),
        "amplitude": Declared(
            "Amplitude of the first mesh's transmission error", "m", "um", "branch order"
        ),
        "section_error": Declared(
            "Error of the first mesh once in a mesh period", "m", "um", "branch period"
        ),
        "section_rate": Declared("Its rate", "m/s", "mm/s", "branch period"),
        "tooth_force": Declared(
            "Force on a tooth, or pin, of the first mesh", "N", "N", "branch tooth_time tooth"
        ),
        "loss_branch": Declared("Branch", over="loss"),
        "loss_mesh": Declared("Mesh", over="loss"),
        "loss_begin": Declared("Contact lost at", "s", "ms", "loss"),
        "loss_duration": Declared("for", "s", "ms", "loss"),
        "loss_share": Declared("of a mesh period", "", "percent", "loss"),
    },
    {
        "branch": Declared("Branch", over="branch"),
        "time": Declared("Time", "s", "ms", "time"),
        "tooth_time": Declared("Time", "s", "ms", "tooth_time"),
        "order": Declared("Order of the mesh frequency", over="order"),
        "period": Declared("Mesh period", over="period"),
        "tooth": Declared("Tooth or pin, in the order of meshing", over="tooth"),
        "loss": Declared("Loss", over="loss"),
        **MESH_NAMES,
    },
    {
        "Branches": (
            "branch",
            "worst_mesh_error",
            "force_factor",
            "worst_contact_loss",
            "worst_loss_count",
            "repeats_after",
        ),
        "Contact losses in the last mesh periods": (
            "loss",
            "loss_branch",
            "loss_mesh",
            "loss_begin",
            "loss_duration",
            "loss_share",
        ),
    },
)

SHOWN_PERIODS = 4
"""Last mesh periods, whose teeth and contact losses are told one by one."""

SLOWER, FASTER = 0.6, 1.5
"""Times the speed, where the branches start if nobody says."""

LONGEST_REPEAT = 8
"""Mesh periods after which a motion may repeat."""

SAME = 0.05
"""Rms of what differs over that of the vibration, up to which a motion repeats."""


def branch_starts(
    branch: Literal["both", "up", "down"],
    speed: float,
    lowest: float | None,
    highest: float | None,
) -> dict[str, float]:
    """Where the branches begin; SpecError if they do not lie on their sides of the speed."""
    if not speed > 0:
        raise SpecError("operation.input_speed must be positive for a dwell; or give a speed")
    lowest, highest = lowest or SLOWER * speed, highest or FASTER * speed
    if not lowest < speed < highest:
        raise SpecError(
            f"speed is {speed:.4g} rad/s; it must lie between lowest, {lowest:.4g} rad/s, and "
            f"highest, {highest:.4g} rad/s, from which the branches start"
        )
    starts = {"up": lowest, "down": highest}
    return starts if branch == "both" else {branch: starts[branch]}


class DwellSettings(Spec):
    """Which speed, and from where it is reached."""

    speed: PositiveSpeed | None = optional(
        "the input speed; the operating point's if absent", "2880 rpm"
    )
    branch: Literal["both", "up", "down"] = key(
        "reached with rising speed, with falling speed, or one after the other", default="both"
    )
    lowest: PositiveSpeed | None = optional(
        "where the rising branch starts; 0.6 times the speed if absent", "900 rpm"
    )
    highest: PositiveSpeed | None = optional(
        "where the falling branch starts; 1.5 times the speed if absent", "4100 rpm"
    )


@dataclass(frozen=True)
class Branch:
    """One motion at the speed, over whole mesh periods and the begin of the next."""

    reading: Reading
    per_period: int  # records
    time: Floats  # s, from zero
    error: Floats  # m, (time, mesh) up to a constant
    force: Floats  # N, (time, mesh), with the sign of the flank
    parted: Flags  # (time, mesh)
    meshes: tuple[str, ...]
    teeth: Floats | None  # N, (time, tooth) over the last periods, if teeth can be told apart
    rate: Floats | None = None  # m/s, (time, mesh), if it is known

    @property
    def repeats_after(self) -> int:
        """Mesh periods after which the first mesh moves the same; 0 if none of the first few."""
        error, size = self.error[:, 0], self.error[:, 0].std()
        for periods in range(1, LONGEST_REPEAT + 1):
            shift = periods * self.per_period
            if shift < len(error) - 1 and (error[shift:] - error[:-shift]).std() <= SAME * size:
                return periods
        return 0

    @property
    def shown(self) -> slice:
        """Records of the last mesh periods."""
        return slice(-SHOWN_PERIODS * self.per_period - 1, None)


def dwell_values(
    machine: Reducer, branches: Mapping[str, Branch], speed: float, torque: float
) -> Values:
    """All that branches tell."""
    each = list(branches.values())
    readings = [branch.reading for branch in each]
    errors, forces = (np.stack([getattr(one, name) for one in each]) for name in ("error", "force"))
    signs = np.sign(forces.mean(axis=1))  # so that both are positive on the loaded flank
    errors = signs[:, None] * errors
    errors -= errors[:, :-1].mean(axis=1, keepdims=True)
    time, steps = each[0].time, each[0].per_period
    known = [one.rate for one in each if one.rate is not None]
    rates = np.gradient(errors, time, axis=1, edge_order=2)
    if known:
        rates = signs[:, None] * np.stack(known)
    values: Values = {
        "torque": torque,
        "input_speed": speed,
        "mesh_frequency": mesh_frequency(machine, speed),
        "state_count": _state_count(readings),
        "error_rms": [reading.error_rms for reading in readings],
        "worst_mesh_error": [reading.mesh_error_rms.max() for reading in readings],
        "force_factor": [reading.factor for reading in readings],
        "worst_contact_loss": [reading.contact_loss.max() for reading in readings],
        "worst_loss_count": [reading.loss_count.max() for reading in readings],
        "repeats_after": [branch.repeats_after for branch in each],
        "mesh_error_rms": np.stack([reading.mesh_error_rms for reading in readings]),
        "contact_loss": np.stack([reading.contact_loss for reading in readings]),
        "loss_count": np.stack([reading.loss_count for reading in readings]),
        "mesh_error": errors,
        "mesh_error_rate": rates,
        "mesh_force": signs[:, None] * forces,
        "amplitude": np.stack([reading.amplitudes for reading in readings]),
        "section_error": errors[:, :-1:steps, 0],
        "section_rate": rates[:, :-1:steps, 0],
        "branch": np.array(list(branches), dtype=str),
        "time": time,
        "order": np.arange(1, len(readings[0].amplitudes) + 1) / ((len(time) - 1) / steps),
        "period": np.arange(1, (len(time) - 1) // steps + 1),
    }
    return values | _teeth(each) | _losses(branches)


def _state_count(readings: list[Reading]) -> int:
    """Two where one branch vibrates so much more than the other."""
    sizes = [float(reading.mesh_error_rms.max()) for reading in readings]
    return 2 if max(sizes) > DIFFERENT * min(sizes) else 1


def unsettled_warnings(branches: Mapping[str, Branch]) -> list[str]:
    """That a motion does not repeat: then two branches may differ without being two states."""
    return [
        f"The motion reached {name}wards does not repeat after {LONGEST_REPEAT} mesh periods or "
        "fewer: it has not settled (use more settling_periods), or is not periodic with the mesh, "
        "as with run-out or parting teeth."
        for name, branch in branches.items()
        if branch.repeats_after == 0
    ]


def _teeth(branches: list[Branch]) -> Values:
    """Of the first mesh, its teeth numbered as they come; none where they cannot be told apart."""
    parts = [branch.teeth for branch in branches if branch.teeth is not None]
    if len(parts) < len(branches):
        return {}
    most = max(forces.shape[1] for forces in parts)
    values = np.zeros((len(parts), len(parts[0]), most))
    for k, forces in enumerate(parts):
        order = np.argsort(np.argmax(forces > 0, axis=0), kind="stable")
        values[k, :, : forces.shape[1]] = forces[:, order]
    first = branches[0]
    return {
        "tooth_force": values,
        "tooth_time": first.time[first.shown],
        "tooth": np.arange(1, most + 1),
    }


def _losses(branches: Mapping[str, Branch]) -> Values:
    """A row for every interval without contact in the last mesh periods."""
    rows: list[tuple[str, str, float, float, float]] = []
    for name, branch in branches.items():
        parted, at = branch.parted[branch.shown], branch.time[branch.shown]
        period = (at[-1] - at[0]) / SHOWN_PERIODS
        for mesh, flags in zip(branch.meshes, parted.T, strict=True):
            edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(int)))
            for first, end in zip(edges[::2], edges[1::2], strict=True):
                lasts = float(at[min(end, len(at) - 1)] - at[first])
                rows.append((name, mesh, float(at[first]), lasts, lasts / period))
    if not rows:
        return {}
    branch_names, meshes, begins, durations, shares = zip(*rows, strict=True)
    return {
        "loss_branch": np.array(branch_names, dtype=str),
        "loss_mesh": np.array(meshes, dtype=str),
        "loss_begin": np.array(begins),
        "loss_duration": np.array(durations),
        "loss_share": np.array(shares),
        "loss": np.arange(1, len(rows) + 1),
    }
