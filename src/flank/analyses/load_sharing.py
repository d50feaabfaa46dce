"""Load sharing: what each planet carries of the torque, and what errors do to it.

The load of a planet is the tangential force of its pin on the carrier: of its two meshes, F_s cos
α_s + F_r cos α_r, or, where a planet turns a crank, of the crank's bearings. Its share is that over
the mean of all planets, and the mesh load factor K_γ the largest share.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

import numpy as np
from pydantic import Field

from flank.analyses.equilibria import along_crank, turning
from flank.analyses.load_warnings import overload_warnings
from flank.analyses.mesh_quantities import force_unit
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.warnings import contact_warnings
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
from flank.machines.quantities import Angle, Torque, WholeNumber, quantity
from flank.machines.spec import Spec

NAME = "load-sharing"
TITLE = "Load sharing"

Amount = Annotated[float, quantity("m", "um", positive=True)]


class LoadSharingSettings(Spec):
    """Where the planets are looked at, and under which error."""

    over: Literal["mesh", "planet", "input", "output"] = Field(
        default="mesh",
        description="one pitch of the teeth, a turn of the planets against the carrier, or of a "
        "shaft",
        examples=["mesh"],
    )
    points: Annotated[int, WholeNumber(minimum=1, maximum=100_000)] = Field(
        default=48, description="equilibria on the way", examples=[24]
    )
    start_angle: Angle = Field(
        default=0.0, description="the input angle where the way begins", examples=["30 deg"]
    )
    torque: Torque | None = Field(
        default=None,
        description="the output torque; the operating point's if absent",
        examples=["200 N*m"],
    )
    error: str | None = Field(
        default=None,
        description="the error that is varied, as sensitivity names it; if absent the place of the "
        "first planet's pin along its circle",
        examples=["planet_eccentricity.2"],
    )
    largest_error: Amount | None = Field(
        default=None,
        description="how far the error goes to both sides; its tolerance if absent",
        examples=["50 um"],
    )
    error_points: Annotated[int, WholeNumber(minimum=0, maximum=1001)] = Field(
        default=9, description="errors on the way; 0 to leave them out", examples=[9]
    )

    def cross_checks(self) -> Iterable[str]:
        if self.error_points == 0 and self.largest_error is not None:
            yield "largest_error does nothing with error_points 0; remove it"


DEFAULTS = LoadSharingSettings()


class Sharing(Transmission, HasPlanets, Protocol):
    """What is asked here."""


@dataclass(frozen=True)
class Way:
    """Equilibria on the way, and what the planets carry in them."""

    trajectory: AnyTrajectory
    loads: PlanetLoads

    @property
    def share(self) -> Floats:
        """Loads of the pins over the mean of all planets."""
        return self.loads.pin / self.loads.pin.mean(axis=1, keepdims=True)


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
    ways = []
    for k, each in enumerate(machines):

        def report(share: float, k: int = k) -> None:
            if progress is not None:
                progress((k + share) / len(machines))

        ways.append(_walk(each, torque, _angles(machine, settings), report))
    whole = joined([way.trajectory for way in ways])
    quantities: dict[str, Quantity] = {}
    coordinates: dict[str, Quantity] = {}
    tables = {}
    if whole.complete:
        quantities, coordinates = _quantities(ways[0], torque)
        tables = {"Planets": ("planet", "mean_load", "mean_share", "largest_share")}
        if varied:
            errors = np.array([amount for amount, _ in varied])
            found, names = _by_error(ways[1:], errors, _error(machine, settings))
            quantities |= found
            coordinates |= names
    warnings = _warnings(machines, ways, torque)
    return make_result(NAME, machine, settings, whole, quantities, coordinates, warnings, tables)


def _warnings(machines: list[Sharing], ways: list[Way], torque: float) -> list[str]:
    """Of the first machine that has any: the one as specified, or one with an error."""
    found = (
        contact_warnings(turning(each, torque), way.trajectory, static=True)
        for each, way in zip(machines, ways, strict=True)
    )
    return [*next(filter(None, found), []), *overload_warnings(machines[0], torque)]


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


def _walk(machine: Sharing, torque: float, angles: Floats, progress: Progress) -> Way:
    """Equilibria at the angles, and who carries what in them."""
    assembly = turning(machine, torque)
    found = along_crank(machine, assembly, angles, progress)
    return Way(found, machine.planet_loads(assembly, found))


def _quantities(way: Way, torque: float) -> tuple[dict[str, Quantity], dict[str, Quantity]]:
    over, by_planet = ("crank_angle", "planet"), ("planet",)
    share, loads, unit = way.share, way.loads, force_unit(way.loads.pin)
    found = {
        "torque": Quantity((), torque, "N*m", "N*m", "Output torque"),
        "mesh_load_factor": Quantity((), share.max(), "", "", "Mesh load factor K_γ"),
        "pin_load": Quantity((), loads.pin.mean(), "N", unit, "Mean load of a planet pin"),
        "mean_load": Quantity(by_planet, loads.pin.mean(axis=0), "N", unit, "Mean load of the pin"),
        "mean_share": Quantity(by_planet, share.mean(axis=0), "", "percent", "Mean share"),
        "largest_share": Quantity(by_planet, share.max(axis=0), "", "percent", "Largest share"),
        "sun_force": Quantity(over, loads.sun, "N", unit, "Normal force of the sun mesh"),
        "planet_load": Quantity(over, loads.pin, "N", unit, "Tangential load of the pin"),
        "share": Quantity(over, share, "", "percent", "Share of the mean load"),
    }
    if loads.ring is not None:
        title = "Normal force of the ring mesh"
        found["ring_force"] = Quantity(over, loads.ring, "N", unit, title)
    angles = way.trajectory.time
    return found, {
        "crank_angle": Quantity(("crank_angle",), angles, "rad", "deg", "Input angle"),
        "planet": Quantity(by_planet, np.arange(1, share.shape[1] + 1), "", "", "Planet"),
    }


def _by_error(
    ways: list[Way], errors: Floats, error: ErrorParameter
) -> tuple[dict[str, Quantity], dict[str, Quantity]]:
    """Mean shares and K_γ over the error."""
    share = np.array([way.share.mean(axis=0) for way in ways])
    factor = np.array([way.share.max() for way in ways])
    found = {
        "share_by_error": Quantity(("error", "planet"), share, "", "percent", "Mean share"),
        "factor_by_error": Quantity(("error",), factor, "", "", "Mesh load factor K_γ"),
    }
    shown = "um" if error.unit == "m" else "arcsec"
    title = f"Error, {error.title}"
    return found, {"error": Quantity(("error",), errors, error.unit, shown, title)}
