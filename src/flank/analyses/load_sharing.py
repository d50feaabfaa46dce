"""Load sharing: what each planet carries of the torque, and what errors do to it.

The load of a planet is the tangential force of its pin on the carrier: of its two meshes, F_s cos
α_s + F_r cos α_r, or, where a planet turns a crank, of the crank's bearings. Its share is that over
the mean of all planets, and the mesh load factor K_γ the largest share.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

import numpy as np

from flank.analyses.forces import FORCE_UNIT, force_unit
from flank.analyses.quantities import LESS, Declared, Quantities, Read, Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import assemble_turning, partial_progress, solve_along_crank
from flank.analyses.settings import LoadTorque
from flank.analyses.tilting import planet_tilts
from flank.analyses.warnings import contact_warnings, overload_warnings
from flank.arrays import Floats
from flank.dynamics.run import Progress
from flank.dynamics.trajectory import AnyTrajectory, joined
from flank.errors import SpecError, suggestion
from flank.machines.base import (
    ErrorParameter,
    HasErrors,
    HasPlanets,
    PlanetLoads,
    Transmission,
)
from flank.machines.quantities import Angle, WholeNumber, quantity
from flank.machines.spec import Spec, key, optional

SHOWN = f"{{{FORCE_UNIT}}}"

QUANTITIES = Quantities(
    "load-sharing",
    {
        "torque": Declared("Output torque", "N*m"),
        "mesh_load_factor": Declared("Mesh load factor K_γ", better=LESS),
        "pin_load": Declared("Mean load of a planet pin", "N", SHOWN),
        "mean_load": Declared("Mean load of the pin", "N", SHOWN, "planet"),
        "mean_share": Declared("Mean share", "", "percent", "planet"),
        "largest_share": Declared("Largest share", "", "percent", "planet"),
        "sun_force": Declared("Normal force of the sun mesh", "N", SHOWN, "crank_angle planet"),
        "planet_load": Declared("Tangential load of the pin", "N", SHOWN, "crank_angle planet"),
        "share": Declared("Share of the mean load", "", "percent", "crank_angle planet"),
        "ring_force": Declared("Normal force of the ring mesh", "N", SHOWN, "crank_angle planet"),
        "largest_tilt": Declared("Largest tilt", "rad", "arcsec", "planet"),
        "planet_tilt": Declared("Tilt of the planet", "rad", "arcsec", "crank_angle planet"),
        "share_by_error": Declared("Mean share", "", "percent", "error planet"),
        "factor_by_error": Declared("Mesh load factor K_γ", over="error"),
    },
    {
        "crank_angle": Declared("Input angle", "rad", "deg", "crank_angle"),
        "planet": Declared("Planet", over="planet"),
        "error": Declared("Error, {the one varied}", "{m or rad}", "{um or arcsec}", "error"),
    },
    {"Planets": ("planet", "mean_load", "mean_share", "largest_share", "largest_tilt")},
    curves=(("error", "factor_by_error"),),
)

Amount = Annotated[float, quantity("m", "um", positive=True)]


class LoadSharingSettings(Spec):
    """Where the planets are looked at, and under which error."""

    over: Literal["mesh", "planet", "input", "output"] = key(
        "one pitch of the teeth, a turn of the planets against the carrier, or of a shaft",
        default="mesh",
    )
    points: Annotated[int, WholeNumber(minimum=1, maximum=100_000)] = key(
        "equilibria on the way", 24, default=48
    )
    start_angle: Angle = key("the input angle where the way begins", "30 deg", default=0.0)
    torque: LoadTorque = None
    error: str | None = optional(
        "the error that is varied, as sensitivity names it; if absent the place of the "
        "first planet's pin along its circle",
        "planet_eccentricity.2",
    )
    largest_error: Amount | None = optional(
        "how far the error goes to both sides; its tolerance if absent", "50 um"
    )
    error_points: Annotated[int, WholeNumber(minimum=0, maximum=1001)] = key(
        "errors on the way; 0 to leave them out", default=9
    )

    def cross_checks(self) -> Iterable[str]:
        if self.error_points == 0 and self.largest_error is not None:
            yield "largest_error does nothing with error_points 0; remove it"


DEFAULTS = LoadSharingSettings()


class Sharing(Transmission, HasPlanets, Protocol):
    """A transmission whose planets share its load."""


@dataclass(frozen=True)
class Equilibria:
    """Equilibria on the way, and what the planets carry in them."""

    trajectory: AnyTrajectory
    loads: PlanetLoads
    tilt: Floats | None  # of planets in space (angle, planet)

    @property
    def share(self) -> Floats:
        """Loads of the pins over the mean of all planets."""
        return np.asarray(self.loads.pin / self.loads.pin.mean(axis=1, keepdims=True))


def run(
    machine: Sharing,
    settings: LoadSharingSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Tooth forces planet by planet, shares of the load and the mesh load factor."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    if torque == 0:
        raise SpecError("torque is zero, and nothing is shared; give the output a torque")
    varied = _varied(machine, settings)
    machines = [machine, *(changed for _, changed in varied)]
    angles = _angles(machine, settings)
    solutions = [
        _equilibria(each, torque, angles, partial_progress(progress, k, len(machines)))
        for k, each in enumerate(machines)
    ]
    path = joined([solution.trajectory for solution in solutions])
    values: Values = {}
    if path.complete:
        values = _planets(solutions[0], torque)
        if varied:
            amounts = [amount for amount, _ in varied]
            values |= _by_error(solutions[1:], amounts, _error(machine, settings))
    warnings = _warnings(machines, solutions, torque)
    return make_result(QUANTITIES, machine, settings, path, values, warnings)


def _warnings(machines: list[Sharing], solutions: list[Equilibria], torque: float) -> list[str]:
    """Of the first machine that has any: the one as specified, or one with an error."""
    sentences = (
        contact_warnings(assemble_turning(each, torque), solution.trajectory, static=True)
        for each, solution in zip(machines, solutions, strict=True)
    )
    return [*next(filter(None, sentences), []), *overload_warnings(machines[0], torque)]


def _angles(machine: Sharing, settings: LoadSharingSettings) -> Floats:
    """Input angles over one pitch of the teeth or one turn of a shaft."""
    mesh = settings.over == "mesh"
    order = machine.planet_mesh_order if mesh else machine.orders[settings.over]
    steps = np.arange(settings.points) / settings.points
    return settings.start_angle + 2 * np.pi / order * steps


def _error(machine: Sharing, settings: LoadSharingSettings) -> ErrorParameter:
    errors = machine.error_parameters() if isinstance(machine, HasErrors) else ()
    if settings.error is None:
        wanted = (error.name for error in errors if error.kind == machine.sharing_error)
        name = next(wanted, machine.sharing_error)
    else:
        name = settings.error
    known = {error.name: error for error in errors}
    if name not in known:
        raise SpecError(
            f"error: '{name}' is no error of this machine"
            f"{suggestion(name, known)} Known: {', '.join(known)}"
        )
    return known[name]


def _varied(machine: Sharing, settings: LoadSharingSettings) -> list[tuple[float, Sharing]]:
    """Amounts of the error, and the machine with each of them on top of its own."""
    if settings.error_points == 0:
        return []
    error = _error(machine, settings)
    assert isinstance(machine, HasErrors)
    largest = settings.largest_error or error.tolerance
    amounts = np.linspace(-largest, largest, settings.error_points)
    return [(float(e), machine.with_error(error.name, float(e))) for e in amounts]


def _equilibria(
    machine: Sharing, torque: float, angles: Floats, progress: Progress | None
) -> Equilibria:
    """Equilibria at the angles, and who carries what in them."""
    assembly = assemble_turning(machine, torque)
    path = solve_along_crank(machine, assembly, angles, progress)
    tilt = planet_tilts(machine, assembly, path, machine.planet_count)
    return Equilibria(path, machine.planet_loads(assembly, path), tilt)


def _planets(solution: Equilibria, torque: float) -> Values:
    share, loads, unit = solution.share, solution.loads, force_unit(solution.loads.pin)
    values: Values = {
        "torque": torque,
        "mesh_load_factor": share.max(),
        "pin_load": Read(loads.pin.mean(), unit),
        "mean_load": Read(loads.pin.mean(axis=0), unit),
        "mean_share": share.mean(axis=0),
        "largest_share": share.max(axis=0),
        "sun_force": Read(loads.sun, unit),
        "planet_load": Read(loads.pin, unit),
        "share": share,
    }
    if loads.ring is not None:
        values["ring_force"] = Read(loads.ring, unit)
    if solution.tilt is not None:
        values |= {"planet_tilt": solution.tilt, "largest_tilt": solution.tilt.max(axis=0)}
    return values | {
        "crank_angle": solution.trajectory.time,
        "planet": np.arange(1, share.shape[1] + 1),
    }


def _by_error(solutions: list[Equilibria], amounts: list[float], error: ErrorParameter) -> Values:
    """Mean shares and K_γ over the error."""
    words = {
        "the one varied": error.title,
        "m or rad": error.unit,
        "um or arcsec": "um" if error.unit == "m" else "arcsec",
    }
    return {
        "share_by_error": np.array([solution.share.mean(axis=0) for solution in solutions]),
        "factor_by_error": np.array([solution.share.max() for solution in solutions]),
        "error": Read(np.array(amounts), words),
    }
