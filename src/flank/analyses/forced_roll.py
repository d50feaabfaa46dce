"""Forced roll: flanks held at the exact ratio over one pitch, and the torque that they carry.

The experiment of Wagner, Schumann and Schlecht (2022): the second gear lags so far that a torque
acts where the roll begins, and stays there; how smoothly the torque then goes on shows how well a
method treats points that come into contact. The pitch is walked both ways, so that what depends on
the way is seen.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from flank.analyses.loaded_contact import Method
from flank.analyses.quantities import Declared, Quantities, Values
from flank.analyses.result import Ending, Result, make_result
from flank.analyses.settings import LoadTorque
from flank.analyses.warnings import sharing_warnings
from flank.arrays import Floats
from flank.contact.spatial.loaded_flanks import LoadedFlanks, NoEquilibrium
from flank.dynamics.run import Progress
from flank.errors import SpecError
from flank.geometry.flank_pair import NoContact
from flank.machines.base import HasFlanks, Machine, Transmission
from flank.machines.quantities import WholeNumber
from flank.machines.spec import Spec, key

QUANTITIES = Quantities(
    "forced-roll",
    {
        "lag": Declared("Lag of the output behind contact without load", "rad", "arcsec"),
        "mean_torque": Declared("Mean torque", "N*m", "N*m", "case"),
        "against_last": Declared("Against the most points", "", "percent", "case"),
        "torque_span": Declared("Peak to peak", "N*m", "N*m", "case"),
        "largest_jump": Declared("Largest jump of its derivative", "N*m/rad", "N*m/deg", "case"),
        "typical_jump": Declared("Median jump", "N*m/rad", "N*m/deg", "case"),
        "least_force": Declared("Least force of a point", "N", "N", "case"),
        "way_difference": Declared("Between both ways", "", "percent", "case"),
        "unsolved": Declared("Positions without a solution", over="case"),
        "output_torque": Declared("Output torque", "N*m", "N*m", "case angle"),
        "derivative": Declared(
            "Derivative of the torque by the input's angle", "N*m/rad", "N*m/deg", "case step"
        ),
    },
    {
        "case": Declared("Method and points", over="case"),
        "angle": Declared("Angle of the input", "rad", "deg", "angle"),
        "step": Declared("Angle of the input", "rad", "deg", "step"),
    },
    {
        "Methods": (
            "case",
            "mean_torque",
            "against_last",
            "torque_span",
            "largest_jump",
            "typical_jump",
            "least_force",
            "way_difference",
            "unsolved",
        )
    },
)


class CaseSpec(Spec):
    """One way to share the load."""

    method: Method = key("how points that touch in part share the load", default="proportion")
    points: Annotated[int, WholeNumber(minimum=8, maximum=200)] = key(
        "points of a flank along the face", default=40
    )

    @property
    def name(self) -> str:
        return f"{self.method}, {self.points}"


class ForcedRollSettings(Spec):
    """From which torque on, how finely, and by which methods."""

    torque: LoadTorque = None
    steps: Annotated[int, WholeNumber(minimum=16, maximum=5000)] = key(
        "steps over a pitch", default=200
    )
    cases: tuple[CaseSpec, ...] = key(
        "methods and numbers of points that are compared",
        default=(
            CaseSpec(method="deletion", points=40),
            CaseSpec(method="deletion", points=200),
            CaseSpec(method="proportion", points=40),
        ),
    )


DEFAULTS = ForcedRollSettings()


def run(
    machine: Machine,
    settings: ForcedRollSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """All cases at one lag, which the finest proportion needs for the torque where they begin."""
    assert isinstance(machine, Transmission)
    assert isinstance(machine, HasFlanks)
    torque = abs(machine.load_torque if settings.torque is None else settings.torque)
    if not torque or not settings.cases:
        raise SpecError("torque, cases: give a torque above zero and at least one case")
    finest = max(case.points for case in settings.cases)
    pair = machine.flank_pair()
    angle = pair.pitch * (np.arange(settings.steps + 1) / settings.steps - 0.5)
    try:
        reference = machine.loaded_flanks(True, finest, "proportion", 0.0)
        turning = reference.loading.pair
        places = turning.start[0] + turning.push * turning.sense * angle
        lag = reference.under(float(places[0]), torque).lag
        rolls = []
        for number, case in enumerate(settings.cases):
            flanks = machine.loaded_flanks(True, case.points, case.method, 0.0)
            rolls.append(_rolled(case, flanks, places, lag))
            if progress is not None:
                progress((number + 1) / len(settings.cases))
    except (NoContact, NoEquilibrium) as reason:
        raise SpecError(f"The driving flanks: {reason}") from None
    ending = Ending("Completed.", True, {"positions": len(angle) * len(rolls)})
    values = _values(settings, angle, lag, rolls)
    warnings = [warning for roll in rolls for warning in roll.warnings]
    return make_result(QUANTITIES, machine, settings, ending, values, warnings)


@dataclass(frozen=True, eq=False)
class _Roll:
    """A pitch walked forward and backward by one method."""

    forward: Floats  # torques
    back: Floats  # the same places, on the way back
    least: float  # force of a point
    unsolved: int
    warnings: list[str]


def _rolled(case: CaseSpec, flanks: LoadedFlanks, angles: Floats, lag: float) -> _Roll:
    loads = [flanks.at(float(angle), lag, tangent=False) for angle in (*angles, *reversed(angles))]
    forward, back = np.array([load.torque for load in loads]).reshape(2, -1)
    least = min(float(load.force.min(initial=0.0)) for load in loads)
    unsolved = sum(not load.solved for load in loads)
    return _Roll(forward, back[::-1], least, unsolved, sharing_warnings(case.name, loads))


def _values(settings: ForcedRollSettings, angle: Floats, lag: float, rolls: list[_Roll]) -> Values:
    torque = np.stack([roll.forward for roll in rolls])
    derivative = np.diff(torque, axis=1) / np.diff(angle)
    jumps = np.abs(np.diff(derivative, axis=1))
    mean = torque.mean(axis=1)
    most = max(range(len(rolls)), key=lambda k: settings.cases[k].points)
    apart = [np.abs(roll.forward - roll.back).max() for roll in rolls]
    return {
        "lag": lag,
        "case": np.array([case.name for case in settings.cases], dtype=str),
        "mean_torque": mean,
        "against_last": mean / mean[most] - 1,
        "torque_span": np.ptp(torque, axis=1),
        "largest_jump": jumps.max(axis=1),
        "typical_jump": np.median(jumps, axis=1),
        "least_force": np.array([roll.least for roll in rolls]),
        "way_difference": np.array(apart) / mean,
        "unsolved": np.array([roll.unsolved for roll in rolls]),
        "output_torque": torque,
        "derivative": derivative,
        "angle": angle,
        "step": 0.5 * (angle[1:] + angle[:-1]),
    }
