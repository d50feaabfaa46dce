"""What a sweep reads of a machine over some mesh periods, and how readings become a result.

The dynamic transmission error is read twice: between output and input, and of every mesh along its
line of action, where nothing but its teeth is between the two gears. Of both the part that swings
counts, the root of its mean square. Where discs roll among pins and there are no gears, each disc
is a mesh (`machines/carried.py`).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flank.analyses.forces import MESH_NAMES
from flank.analyses.orders import tooth_order
from flank.analyses.quantities import LESS, Declared, Quantities, Values
from flank.analyses.two_states import BAND_NAMES, BAND_QUANTITIES, BAND_TABLE, band_values
from flank.arrays import Flags, Floats, Integers
from flank.dynamics.trajectory import AnyTrajectory
from flank.machines.base import Assembly, Reducer
from flank.machines.carried import net_forces, separated, transmission_errors

OVER, BY_MESH = "direction speed", "direction speed mesh"

QUANTITIES = Quantities(
    "speed-sweep",
    {
        "torque": Declared("Output torque", "N*m"),
        "resonance_speed": Declared("Input speed of the largest vibration", "rad/s", "rpm"),
        "largest_error": Declared(
            "Largest dynamic transmission error (rms)", "rad", "arcsec", better=LESS
        ),
        "largest_error_speed": Declared("Input speed of this error", "rad/s", "rpm"),
        "largest_mesh_error": Declared(
            "Largest of a mesh, along its line of action", "m", "um", better=LESS
        ),
        "dynamic_factor": Declared("Largest mesh force over its mean", better=LESS),
        "largest_contact_loss": Declared(
            "Largest share of time without contact", "", "percent", better=LESS
        ),
        "error_rms": Declared("Dynamic transmission error (rms)", "rad", "arcsec", OVER),
        "error_span": Declared("Dynamic transmission error, peak to peak", "rad", "arcsec", OVER),
        "mesh_error_rms": Declared(
            "Dynamic transmission error of the mesh (rms)", "m", "um", BY_MESH
        ),
        "force_mean": Declared("Mean mesh force", "N", "kN", BY_MESH),
        "force_rms": Declared("Mesh force about its mean (rms)", "N", "kN", BY_MESH),
        "force_largest": Declared("Largest mesh force", "N", "kN", BY_MESH),
        "contact_loss": Declared("Share of time without contact", "", "percent", BY_MESH),
        "loss_count": Declared("Contact losses in a mesh period", over=BY_MESH),
        "order_amplitude": Declared(
            "Amplitude of the first mesh's transmission error",
            "m",
            "um",
            "direction spectrum_speed order",
        ),
        **BAND_QUANTITIES,
        "natural_frequency": Declared("Natural frequency, input held", "1/s", "Hz", "mode"),
        "critical_speed": Declared(
            "Input speed whose mesh frequency it is", "rad/s", "rpm", "mode"
        ),
    },
    {
        "direction": Declared("Direction", over="direction"),
        "speed": Declared("Input speed", "rad/s", "rpm", "speed"),
        "mesh_frequency": Declared("Mesh frequency", "1/s", "Hz", "speed"),
        "spectrum_speed": Declared("Input speed of a spectrum", "rad/s", "rpm", "spectrum_speed"),
        "order": Declared("Order of the mesh frequency", over="order"),
        **MESH_NAMES,
        **BAND_NAMES,
        "mode": Declared("Mode", over="mode"),
    },
    {**BAND_TABLE, "Natural frequencies": ("mode", "natural_frequency", "critical_speed")},
)

POINTS_PER_PERIOD = 24
"""Of a mesh period that are looked at, at least."""

HIGHEST_ORDER = 8
"""Of the mesh frequency that spectra hold."""

MOST_SPECTRA = 300
"""In one direction; of more speeds some are left out."""

LARGEST_FORCE_RATIO = 20
"""Mesh force over that of the rated torque beyond which a vibration is none that teeth survive."""

LARGEST_CHANGE = 0.1
"""Rms between the first and the last period, over that of the vibration, of which one is told."""


@dataclass(frozen=True)
class Reading:
    """What is seen at one speed; arrays are by mesh."""

    error_rms: float  # of the output against the ideal ratio
    error_span: float
    mesh_error_rms: Floats
    force_mean: Floats  # along the flank that carries more
    force_rms: Floats
    force_largest: Floats
    contact_loss: Floats  # share of the time without contact
    loss_count: Floats  # times that contact is lost in a mesh period
    amplitudes: Floats  # of the first mesh's error at orders 1/periods, 2/periods, ...
    change: float  # between the first and the last mesh period, over the vibration
    deepest: float = 0.0  # m, to which teeth are pressed into each other; of rolling gears

    @property
    def factor(self) -> float:
        """Largest over mean force, of the worst mesh."""
        return float(np.max(self.force_largest / np.abs(self.force_mean)))


Readings = Mapping[str, Sequence[Reading | None]]
"""By direction, in the order of the sweep; none at a speed at which teeth would break."""


def read_periods(
    machine: Reducer, assembly: Assembly, trajectory: AnyTrajectory, angles: Floats, per_period: int
) -> Reading:
    """Of whole mesh periods, `per_period` records each, at these angles of the input."""
    ideal = angles / machine.ratio
    error = trajectory.angle(assembly.output_shaft, near=ideal[0]) - ideal
    forces = net_forces(assembly, trajectory)
    carried = forces * np.sign(forces.mean(axis=0))
    change = (error[-1 - per_period : -1] - error[:per_period]).std()
    size = error.std()
    parted = separated(assembly, trajectory)
    periods = (len(error) - 1) / per_period
    along = transmission_errors(assembly, trajectory)
    return Reading(
        error_rms=float(size),
        error_span=float(np.ptp(error)),
        mesh_error_rms=along.std(axis=0),
        force_mean=carried.mean(axis=0),
        force_rms=carried.std(axis=0),
        force_largest=carried.max(axis=0),
        contact_loss=parted.mean(axis=0),
        loss_count=losses(parted) / periods,
        amplitudes=amplitudes(along[:-1, 0], round(periods)),
        change=float(change / size) if size else 0.0,
    )


def losses(parted: Flags) -> Integers:
    """How often contact is lost (mesh), of flags over time (time, mesh)."""
    return np.asarray(np.sum(parted[1:] & ~parted[:-1], axis=0))


def amplitudes(error: Floats, periods: int) -> Floats:
    """At the lines of the spectrum of whole periods, the mean left out, up to the highest order."""
    lines = 2 * np.abs(np.fft.rfft(error - error.mean())) / len(error)
    return np.asarray(lines[1 : HIGHEST_ORDER * periods + 1])


def known(readings: Readings) -> list[Reading]:
    return [each for sequence in readings.values() for each in sequence if each is not None]


def by_speed(
    readings: Readings, speeds: Floats, read: Callable[[Reading], Floats | float]
) -> Floats:
    """By direction and rising speed; not a number where teeth broke or the run never came."""
    like = np.asarray(read(known(readings)[0]))
    values = np.full((len(readings), len(speeds), *like.shape), np.nan)
    for k, (name, sequence) in enumerate(readings.items()):
        for n, reading in enumerate(sequence):
            if reading is not None:
                values[k, n if name == "up" else len(speeds) - 1 - n] = read(reading)
    return values


def sweep_values(
    machine: Reducer,
    readings: Readings,
    speeds: Floats,
    torque: float,
    periods: int,
    between_ends: bool,
) -> Values:
    """All that the readings of one or both directions tell, over rising speeds.

    The largest vibration is that `between_ends`, or else of a mesh: a speed that begins to change
    steadily makes shafts ring.
    """

    def of(name: str) -> Floats:
        return by_speed(readings, speeds, lambda reading: getattr(reading, name))

    swing, along, contact_loss = of("error_rms"), of("mesh_error_rms"), of("contact_loss")
    largest, mean = of("force_largest"), of("force_mean")
    worst = along.max(axis=2)
    peak = np.unravel_index(int(np.nanargmax(swing if between_ends else worst)), swing.shape)
    values: Values = {
        "torque": torque,
        "resonance_speed": speeds[peak[1]],
        "largest_error": np.nanmax(swing),
        **(
            {}
            if between_ends
            else {"largest_error_speed": speeds[int(np.nanargmax(swing)) % len(speeds)]}
        ),
        "largest_mesh_error": np.nanmax(along),
        "dynamic_factor": float(np.nanmax(largest / mean)),
        "largest_contact_loss": np.nanmax(contact_loss),
        "error_rms": swing,
        "error_span": of("error_span"),
        "mesh_error_rms": along,
        "force_mean": mean,
        "force_rms": of("force_rms"),
        "force_largest": largest,
        "contact_loss": contact_loss,
        "loss_count": of("loss_count"),
        "direction": np.array(list(readings), dtype=str),
        "speed": speeds,
        "mesh_frequency": tooth_order(machine) * speeds / (2 * math.pi),
    }
    if len(readings) == 2:
        parted = np.nan_to_num(contact_loss).max(axis=(0, 2)) > 0
        values |= band_values(speeds, worst[0], worst[1], parted, tooth_order(machine))
    return values | _spectra(of("amplitudes"), speeds, periods)


def _spectra(lines: Floats, speeds: Floats, periods: int) -> Values:
    """Of all speeds, or every so many-th."""
    every = math.ceil(len(speeds) / MOST_SPECTRA)
    return {
        "order_amplitude": lines[:, ::every],
        "spectrum_speed": speeds[::every],
        "order": np.arange(1, lines.shape[-1] + 1) / periods,
    }


def settling_warnings(readings: Readings) -> list[str]:
    """That vibrations do not repeat where they were looked at."""
    readable = known(readings)
    changing = sum(reading.change > LARGEST_CHANGE for reading in readable)
    if not changing:
        return []
    return [
        f"At {changing} of {len(readable)} speeds the vibration changes by more than "
        f"{LARGEST_CHANGE:.0%} between the mesh periods looked at: it has not settled (use more "
        "settling_periods), or is not periodic with the mesh, as with run-out or parting teeth."
    ]


def strongest_factor(machine: Reducer, torque: float) -> float:
    """Largest mesh force over its mean that teeth survive."""
    return LARGEST_FORCE_RATIO * machine.rated_torque / abs(torque) if torque else math.inf


def overloaded_warnings(readings: Readings) -> list[str]:
    """That teeth would carry what no teeth do: a vibration that damping does not bound."""
    over = sum(reading is None for sequence in readings.values() for reading in sequence)
    if not over:
        return []
    return [
        f"{over} of {over + len(known(readings))} speeds are left out: mesh forces there exceed "
        f"{LARGEST_FORCE_RATIO} times those of the rated torque, as the changing stiffness feeds a "
        "vibration that the damping given does not bound. The speed after each starts from rest."
    ]
