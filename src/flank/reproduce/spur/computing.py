"""The computations of the study: the loaded mesh, impacts at rest, sweeps, and dwelling at a speed.

All of them are of the preset `spur-bruzzone`, whose gears are finite elements here. Where a case
changes what is elastic, the inertia of the gears is set anew so that they have the paper's
torsional natural frequency on the mean stiffness of the mesh, as the preset's is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy.optimize import brentq

from flank import api
from flank.analyses import rolling_sweep
from flank.analyses.impact_test import largest_swing
from flank.analyses.result import Result
from flank.analyses.rolling_dwell import Dwelled
from flank.analyses.rolling_sweep import RollingSweepSettings
from flank.analyses.two_states import find_bands
from flank.arrays import Floats
from flank.contact.loaded_mesh import LoadedMesh, harmonics, loaded_mesh
from flank.dynamics.rolling import READ
from flank.dynamics.rolling_mesh import RollingPair
from flank.machines.gear_pair.machine import GearPairMachine
from flank.machines.gear_pair.rolling import gear_loading, rolling_pair
from flank.reproduce.study import read_paper

PAPER = read_paper(__package__)
CASES = PAPER.cases
TORQUE: float = PAPER.published["torque"]
FREQUENCY: float = PAPER.published["natural_frequency"]
STEPS = 115
"""In a mesh cycle: the paper's 6 million in 25 s."""

PULSE = 0.4
"""Of the torque, on top of it for one step of an impact test."""

DECAYING = 600
"""Steps that are looked at after a pulse, 60 in a swing."""

BODY_STEPS = 128
"""In a mesh cycle where bodies vibrate by their modes: two in a swing of the fastest."""


@dataclass(frozen=True)
class Fineness:
    """How long sweeps take (s), how many places impacts are tried at, points across the face of the
    loaded mesh, dampings and torques of the map (beside its reliefs and restitutions), modal
    coordinates of gears in the paper's formulation."""

    sweep: float
    map_sweep: float
    places: int
    points: int
    dampings: tuple[float, ...]
    torques: tuple[float, ...]
    dense_modes: int


FINE = Fineness(
    25.0, 2.0, 23, 5, (0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09), (100.0, 150.0, 200.0, 300.0), 138
)
COARSE = Fineness(2.0, 0.6, 5, 1, (0.05, 0.08), (150.0,), 20)

DWELL_SECONDS = {FINE: 0.8, COARSE: 0.2}
"""In which a frequency is reached, and for which it is held."""


@dataclass(frozen=True)
class Case:
    """What is rolled: damping as a share of the critical one, whether edges of tips touch, the
    radius of the bore in mm (none: the preset's), modes of the bodies, tip relief in µm,
    restitution, torque."""

    damping: float = 0.08
    edges: bool = True
    bore: float | None = None
    modes: int = 0
    relief: float = 0.0
    restitution: float | None = None
    torque: float = TORQUE

    def changes(self) -> dict[str, Any]:
        """Of the preset, but for the inertia."""
        changes: dict[str, Any] = {
            "mesh.model": "fe",
            "mesh.slices": 1,
            "mesh.tip_edge_contact": self.edges,
            "restitution": self.restitution,
        }
        for gear in ("pinion", "wheel"):
            if self.bore is not None:
                changes[f"{gear}.body.bore_diameter"] = f"{2 * self.bore} mm"
            if self.relief:
                changes[f"{gear}.tip_relief"] = {"amount": f"{self.relief} um", "length": "3 mm"}
        return changes


PRESET = Case()


@lru_cache(maxsize=16)
def machine_of(case: Case) -> GearPairMachine:
    """The preset as a case changes it."""
    changes = case.changes()
    machine = _preset(changes)
    radius = machine.meshed.base_radii[0]
    stiffness = mean_stiffness(machine)
    inertia = 2 * radius**2 * stiffness / (2 * math.pi * FREQUENCY) ** 2
    damping = 2 * case.damping * math.sqrt(stiffness * inertia / (2 * radius**2))
    changes |= {"damping_ratio": None, "mesh.damping": f"{damping!r} N*s/m"}

    def of_inertia(value: float) -> GearPairMachine:
        each = {"added_inertia": None, "inertia": f"{value!r} kg*m^2"}
        gears = {f"{gear}.{key}": each[key] for gear in ("pinion", "wheel") for key in each}
        return _preset(changes | gears)

    def too_high(value: float) -> float:
        made = of_inertia(value)
        pair, rigid = (rolling_pair(made, CALIBRATED_AT, 1, count) for count in (case.modes, 0))
        return natural_frequency(pair, rigid, stiffness) - FREQUENCY

    if case.modes:
        inertia = brentq(too_high, inertia, 2 * inertia, rtol=1e-6)
    return of_inertia(inertia)


def _preset(changes: dict[str, Any]) -> GearPairMachine:
    machine = api.preset("spur-bruzzone", changes)
    assert isinstance(machine, GearPairMachine)
    return machine


CALIBRATED_AT = 16
"""Places of a mesh cycle at which modes of bodies are looked at for the natural frequency."""


def natural_frequency(pair: RollingPair, rigid: RollingPair, stiffness: float) -> float:
    """Hz, of gears on the mean stiffness k of their mesh, which has the static give of bodies; the
    same pair with `rigid` masses tells how much of it modes with mass give, c.

    It is the lowest ω with 1/k - c + Σ a/(ω_i² - ω²) = 0 over all modes, a the mean square of what
    a unit of one closes. Shafts are soft: what turns on them counts as free.
    """
    modes, square, given = pair.modes, [], []
    for place, count in enumerate(pair.mesh.points):
        points = np.flatnonzero(pair.mesh.gap[place, :count] < NOTHING)
        square.append(pair.mesh.shape[place, points].mean(axis=0) ** 2)
        less = rigid.mesh.compliance[place] - pair.mesh.compliance[place]
        given.append(less[np.ix_(points, points)].mean())
    closing, left = np.mean(square, axis=0), 1 / stiffness - np.mean(given)
    own = np.where(modes.frequency < math.pi * FREQUENCY, 0.0, modes.frequency) ** 2

    def lack(omega: float) -> float:
        return float(left + np.sum(closing / (own - omega**2)))

    lowest, highest = math.pi * FREQUENCY, 0.999 * math.sqrt(own[own > 0].min())
    return float(brentq(lack, lowest, highest)) / math.tau


NOTHING = 1e-9
"""m: of a gap between flanks that touch by their shape."""


def steps(case: Case) -> int:
    """In a mesh cycle."""
    return BODY_STEPS if case.modes else STEPS


def mean_stiffness(machine: GearPairMachine) -> float:
    """N/m, under the paper's torque."""
    mesh = loaded_mesh(gear_loading(machine, 1), np.array([TORQUE]))
    return float(mesh.stiffness.mean())


@dataclass(frozen=True, eq=False)
class Loaded:
    """Fig. 5 and 6: the loaded mesh over torques."""

    mesh: LoadedMesh
    complete: bool = True

    @cached_property
    def spectrum(self) -> Floats:
        """Mean and first four harmonics of the stiffness of the whole mesh (torque, 5), N/m."""
        return harmonics(self.mesh.stiffness)

    @cached_property
    def contact_spectrum(self) -> Floats:
        """The same of k_c (Eq. 7), the stiffness of the contacts alone."""
        return harmonics(self.mesh.contact_stiffness)

    def at(self, torque: float) -> int:
        return int(np.argmin(np.abs(self.mesh.torque - torque)))


def loaded(case: Case, points: int) -> Loaded:
    torques = np.array(CASES["torques"])
    return Loaded(loaded_mesh(gear_loading(machine_of(case), points), torques, positions=128))


@dataclass(frozen=True, eq=False)
class Impacts:
    """Fig. 7: natural frequency (Hz) and damping of the pair at rest, over a mesh cycle."""

    places: Floats  # share of the cycle
    frequency: Floats
    damping: Floats
    complete: bool


def impacts(case: Case, count: int) -> Impacts:
    """A pulse of the torque at fixed places, and how it fades."""
    machine = machine_of(case)
    pair = rolling_pair(machine, STEPS, 1, case.modes, CASES["body_damping"])
    load = case.torque / machine.output_base_radius
    places = np.linspace(0, STEPS, count, endpoint=False).astype(int)
    found = np.array([_impact(_still(pair, int(place)), load) for place in places])
    return Impacts(places / STEPS, found[:, 0], found[:, 1], bool(np.isfinite(found).all()))


def _still(pair: RollingPair, place: int) -> RollingPair:
    """The pair as if it stood at one place for ever."""
    of_places = ("slot", "points", "other_points", "compliance", "gap", "constant", "slope")
    tables = {
        name: getattr(pair.mesh, name)[place : place + 1]
        for name in (*of_places, "length", "shape")
    }
    modes = pair.modes
    return RollingPair(
        pair.mesh._replace(across=0, **tables),
        modes._replace(cosine=np.ones_like(modes.cosine), sine=np.zeros_like(modes.sine)),
    )


def _impact(pair: RollingPair, load: float) -> tuple[float, float]:
    """Frequency and damping of the largest swing near the natural frequency."""
    step = 1 / (60 * FREQUENCY)
    loads = np.full(DECAYING, load)
    loads[0] *= 1 + PULSE
    record = pair.rolled(np.full(DECAYING, step), loads, pair.at_rest(load), keep=DECAYING)
    if record is None:
        return math.nan, math.nan
    # The velocity, in which slow motions of the shafts do not show.
    swing = largest_swing(record[:, 0, 1], step, FREQUENCY)
    return swing.frequency, swing.damping_ratio


@dataclass(frozen=True, eq=False)
class Swept:
    """Figs. 8 and 9: running rms of the oscillating part of the transmission error, in µm, over the
    mesh frequency, up and down."""

    case: Case
    result: Result
    seconds: float  # of a sweep in one direction

    @property
    def complete(self) -> bool:
        return self.result.complete

    @cached_property
    def frequency(self) -> Floats:
        return np.asarray(self.result.data["mesh_frequency"].values)

    @cached_property
    def rms(self) -> Floats:
        """(direction, frequency)"""
        return 1e6 * self.result.data["mesh_error_rms"].values[:, :, 0]

    @cached_property
    def apart(self) -> Floats:
        """Share of time without contact (direction, frequency)."""
        return np.asarray(self.result.data["contact_loss"].values[:, :, 0])

    @property
    def losses(self) -> Floats:
        """Of contact in a mesh cycle (direction, frequency)."""
        return np.asarray(self.result.data["loss_count"].values[:, :, 0])

    @cached_property
    def bands(self) -> list[tuple[float, float, float]]:
        """Hz between which there are two states, and the larger over the smaller vibration."""
        return [
            (float(self.frequency[band.first]), float(self.frequency[band.last]), band.ratio)
            for band in find_bands(self.rms[0], self.rms[1], self.apart.max(axis=0) > 0)
        ]

    def apart_at(self, hertz: float) -> float:
        """Share of time without contact at a frequency, in the direction with more of it."""
        return float(self.apart[:, np.argmin(np.abs(self.frequency - hertz))].max())

    def two_states_at(self, hertz: float) -> bool:
        return any(low <= hertz <= high for low, high, _ in self.bands)

    def band_near(self, low: float, high: float) -> tuple[float, float, float]:
        """The widest band that has a part between two frequencies; not a number if none has."""
        near = [band for band in self.bands if band[0] < high and band[1] > low]
        return max(near, key=lambda band: band[1] - band[0], default=(math.nan,) * 3)

    def peak(self, low: float, high: float) -> tuple[float, float]:
        """Frequency and size of the largest vibration between two frequencies, either direction."""
        inside = np.flatnonzero((self.frequency >= low) & (self.frequency <= high))
        curve = self.rms.max(axis=0)[inside]
        place = int(np.argmax(curve))
        return float(self.frequency[inside[place]]), float(curve[place])


def swept(case: Case, duration: float) -> Swept:
    """Up and down through the paper's speeds."""
    low, high = (math.pi / 30 * speed for speed in PAPER.published["speeds"])
    settings = RollingSweepSettings(
        lowest=low,
        highest=high,
        duration=duration,
        steps_per_period=steps(case),
        points=1,
        modes=case.modes,
        body_damping=CASES["body_damping"] if case.modes else None,
        torque=case.torque,
    )
    return Swept(case, rolling_sweep.run(machine_of(case), settings), duration)


CYCLES_KEPT = 8


def dwelled(case: Case, hertz: float, start: float, seconds: float) -> Dwelled:
    """Figs. 10 to 13: at one mesh frequency, reached from another at a steady pace, and settled;
    forces are those of the flanks that drive."""
    machine = machine_of(case)
    pair = rolling_pair(machine, steps(case), 1, case.modes, CASES["body_damping"])
    load = case.torque / machine.output_base_radius
    count = round(0.5 * (start + hertz) * seconds)
    ramp = 1 / np.linspace(start, hertz, count)
    hold = np.full(round(hertz * seconds) + CYCLES_KEPT, 1 / hertz)
    periods = np.concatenate((np.full(300, 1 / start), ramp, hold))
    loads = np.full(len(periods), load)
    record = pair.rolled(periods, loads, pair.at_rest(load), CYCLES_KEPT)
    columns, across = READ + pair.mesh.front_slots, pair.mesh.across
    empty = np.full((CYCLES_KEPT, steps(case), columns), np.nan)
    found = empty if record is None else record[..., :columns]
    return Dwelled(found, pair.mesh.front_slots // across, across, record is not None)
