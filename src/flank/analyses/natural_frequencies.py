"""Natural frequencies and modes about a loaded equilibrium, undamped and without friction.

Contacts that carry load count with their tangent stiffness, open ones with none: the frequencies
hold for vibrations so small that no contact opens or closes.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from flank.analyses.derivatives import linearized
from flank.analyses.equilibria import locked
from flank.analyses.load_warnings import load_warnings
from flank.analyses.mode_families import Families
from flank.analyses.modes import (
    COORDINATES,
    TAKES_PART,
    Modes,
    body_names,
    by_body,
    energy_shares,
    modes_of,
    motion_name,
)
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.warnings import contact_warnings
from flank.dynamics.run import Progress
from flank.dynamics.solve import solve_statics
from flank.machines.base import Assembly, Transmission
from flank.machines.quantities import Angle, Torque, WholeNumber
from flank.machines.spec import Spec

NAME = "natural-frequencies"
TITLE = "Natural frequencies"

UNSYMMETRIC = 1e-6
"""Largest K - Kᵀ over K of which a reader need not be told."""

NAMED = 3
"""Free bodies that a sentence names before it counts the rest."""


class NaturalFrequenciesSettings(Spec):
    """The working point, and how many modes."""

    crank_angle: Angle = Field(
        default=0.0, description="the angle of the input", examples=["30 deg"]
    )
    torque: Torque | None = Field(
        default=None,
        description="the output torque; the operating point's if absent",
        examples=["200 N*m"],
    )
    input: Literal["locked", "free"] = Field(
        default="locked",
        description="input held at its angle, or held by a constant torque only",
        examples=["locked"],
    )
    count: Annotated[int, WholeNumber(minimum=1, maximum=1000)] = Field(
        default=10, description="the number of modes shown", examples=[10]
    )


DEFAULTS = NaturalFrequenciesSettings()


def run(
    machine: Transmission,
    settings: NaturalFrequenciesSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """The lowest modes about one working point."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    assembly = locked(machine, settings.crank_angle)
    start = machine.ideal_pose(settings.crank_angle)
    trajectory = solve_statics(assembly.model, start, np.array([torque]), progress=progress)
    warnings = contact_warnings(assembly, trajectory, static=True)
    warnings += load_warnings(machine, assembly, torque, trajectory)
    quantities: dict[str, Quantity] = {}
    coordinates: dict[str, Quantity] = {}
    tables = {}
    if trajectory.complete:
        at = linearized(assembly, trajectory, 0)
        found = modes_of(assembly, at, settings.input == "free")
        warnings += _warnings(found, assembly)
        shown = found.first(settings.count)
        quantities, coordinates = _quantities(shown, assembly, torque)
        families = Families(machine, assembly, at)
        of_modes, counts = families.table(shown), families.counts(found)
        quantities |= of_modes
        tables = {"Modes": ("mode", "frequency", "stiffness_sign", *of_modes, "motion")}
        if counts:
            coordinates["family_name"] = counts.pop("family_name")
            quantities |= counts
            tables["Families of all modes"] = ("family_name", "family_count", "family_distinct")
    return make_result(
        NAME, machine, settings, trajectory, quantities, coordinates, warnings, tables
    )


def _quantities(
    modes: Modes, assembly: Assembly, torque: float
) -> tuple[dict[str, Quantity], dict[str, Quantity]]:
    names = body_names(assembly)
    shares = energy_shares(assembly.model, modes.mass, modes.shapes)
    motions = [motion_name(share, names) for share in shares]
    signs = ["stable" if square > 0 else "unstable" for square in modes.eigenvalues]
    count = len(modes.eigenvalues)
    quantities = {
        "torque": Quantity((), torque, "N*m", "N*m", "Output torque"),
        "mode_count": Quantity((), count, "", "", "Modes shown"),
        "unstable_count": Quantity((), signs.count("unstable"), "", "", "Unstable modes"),
        "free_count": Quantity((), modes.free.shape[1], "", "", "Motions that nothing resists"),
    }
    swinging = modes.frequencies[modes.eigenvalues > 0]
    if len(swinging):
        quantities["lowest_frequency"] = Quantity(
            (), swinging[0], "1/s", "Hz", "Lowest natural frequency"
        )
    by_mode = ("mode",)
    quantities |= {
        "frequency": Quantity(by_mode, modes.frequencies, "1/s", "Hz", "Frequency"),
        "eigenvalue": Quantity(
            by_mode, modes.eigenvalues, "1/s^2", "1/s^2", "ω², negative where unstable"
        ),
        "motion": Quantity(by_mode, np.array(motions, dtype=str), "", "", "Who moves"),
        "stiffness_sign": Quantity(by_mode, np.array(signs, dtype=str), "", "", "Equilibrium"),
        "energy_share": Quantity(
            ("mode", "body"), shares.sum(axis=2), "", "percent", "Share of the kinetic energy"
        ),
        "mode_shape": Quantity(
            ("mode", "body", "coordinate"),
            by_body(assembly.model, modes.shapes),
            "",
            "",
            "Mode shape with unit modal mass: shifts in m, angles in rad",
        ),
    }
    coordinates = list(COORDINATES[shares.shape[2]])
    return quantities, {
        "mode": Quantity(by_mode, np.arange(1, count + 1), "", "", "Mode"),
        "body": Quantity(("body",), names, "", "", "Body"),
        "coordinate": Quantity(("coordinate",), coordinates, "", "", "Coordinate"),
    }


def _warnings(modes: Modes, assembly: Assembly) -> list[str]:
    found = []
    unstable = int(np.sum(modes.eigenvalues < 0))
    if unstable:
        found.append(
            f"{_counted(unstable, 'mode')} with negative stiffness: the equilibrium is unstable "
            "there and would run away, not vibrate."
        )
    if modes.free.shape[1]:
        found.append(
            f"{_counted(modes.free.shape[1], 'motion')} that nothing resists, left out of the "
            f"modes: {_free_bodies(modes, assembly)}."
        )
    if modes.asymmetry > UNSYMMETRIC:
        found.append(
            f"The stiffness is unsymmetric by {modes.asymmetry:.1e} of its largest entry; "
            "its symmetric part is used."
        )
    return found


def _counted(number: int, noun: str) -> str:
    return f"There is 1 {noun}" if number == 1 else f"There are {number} {noun}s"


def _free_bodies(modes: Modes, assembly: Assembly) -> str:
    shares = energy_shares(assembly.model, modes.mass, modes.free).sum(axis=(0, 2))
    order = [int(body) for body in np.argsort(-shares, kind="stable")]
    moving = [body for body in order if shares[body] > TAKES_PART] or order[:NAMED]
    names = [body_names(assembly)[body] for body in moving]
    more = f" and {len(names) - NAMED} more bodies" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
