"""Where the compliance sits: each part's share of the output's twist with the input locked.

At an equilibrium a small torque on the output moves the machine by x = K⁻¹e, and its compliance is

    c = eᵀx = Σ_parts xᵀ K_part x + xᵀ K_turning x,

exactly. K_part is what the contacts and springs of a part resist with, K_turning what the turning
of forces adds. Integrated over the torque, each term is the twist of one part between two torques;
their sum is compared with the twist of the poses themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from scipy.integrate import simpson

from flank.analyses.derivatives import LOOSE
from flank.analyses.equilibria import both_directions, locked, peak_torque
from flank.analyses.load_warnings import overload_warnings
from flank.analyses.loop import FIT_POINTS, fitted_stiffness
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.warnings import contact_warnings
from flank.dynamics.linearize import elastic_tangent, linearize, unit_turn, whole_elastic_tangent
from flank.dynamics.run import Progress
from flank.dynamics.trajectory import AnyTrajectory, joined
from flank.errors import SpecError
from flank.machines.base import Assembly, Reducer
from flank.machines.quantities import Angle, Torque, WholeNumber, quantity
from flank.machines.spec import Spec

NAME = "stiffness-split"
TITLE = "Stiffness split"

TURNING, ELSEWHERE = "turning", "elsewhere"
"""Rows of the split that are no parts of the machine."""

NOTHING = 1e-9
"""Share of the compliance below which nothing lies outside the parts: round-off."""

LARGEST_GAP = 0.02
"""Disagreement between the parts' sum and the poses that a reader must be told of."""


class StiffnessSplitSettings(Spec):
    """Between which torques the twist is split."""

    torque: Torque | None = Field(
        default=None, description="the peak torque; the rated one if absent", examples=["412 N*m"]
    )
    crank_angle: Angle = Field(
        default=0.0, description="where the input is locked", examples=["30 deg"]
    )
    fit_from: Annotated[float, quantity("", "", positive=True, maximum=0.95)] = Field(
        default=0.66, description="share of the torque where the split begins", examples=[0.66]
    )
    points: Annotated[int, WholeNumber(minimum=3, maximum=1000)] = Field(
        default=FIT_POINTS, description="torques in each direction", examples=[21]
    )


DEFAULTS = StiffnessSplitSettings()


@dataclass(frozen=True)
class Row:
    """One line of the split; a part, or what belongs to none."""

    name: str
    title: str


def run(
    machine: Reducer,
    settings: StiffnessSplitSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Torsional stiffness and each part's share of its inverse, mean of both directions."""
    peak = peak_torque(machine, settings.torque)
    torques = peak * np.linspace(settings.fit_from, 1.0, settings.points)
    assembly = locked(machine, settings.crank_angle)
    start = machine.ideal_pose(settings.crank_angle)
    runs = both_directions(assembly, start, torques, progress)
    whole = joined(runs)
    warnings = contact_warnings(assembly, whole, static=True)
    warnings += overload_warnings(machine, peak)
    quantities: dict[str, Quantity] = {}
    coordinates: dict[str, Quantity] = {}
    tables = {}
    if whole.complete:
        rows, shares, loose = _split(assembly, whole)
        if not shares.any():
            raise SpecError(
                f"{machine.title}: nothing gives way under a torque, as all meshes and bearings "
                "are rigid; give some a stiffness, for example by the mesh model 'table'"
            )
        quantities, coordinates = _quantities(assembly, runs, rows, shares, peak)
        warnings += _warnings(float(np.asarray(quantities["closure"].values)), whole.time[loose])
        columns = ("part_share", "part_compliance", "part_stiffness")
        tables = {"Where the compliance sits": ("part_title", *columns)}
    return make_result(NAME, machine, settings, whole, quantities, coordinates, warnings, tables)


def _split(assembly: Assembly, whole: AnyTrajectory) -> tuple[list[Row], NDArray, NDArray]:
    """Rows, terms of the compliance (torque, row) in rad/(N·m), and where the output is loose."""
    model, parts = assembly.planar, assembly.parts
    direction = unit_turn(model, assembly.output_shaft.body)
    rows = [Row(part.name, part.title.capitalize()) for part in parts]
    rows += [Row(ELSEWHERE, "Rows of no part"), Row(TURNING, "Turning of forces")]
    terms = np.zeros((len(whole.time), len(rows)))
    loose = np.zeros(len(whole.time), dtype=bool)
    for k, (torque, pose) in enumerate(zip(whole.time, whole.position, strict=True)):
        at = linearize(model, pose, torque)
        moved = at.solve(direction)
        elastic = whole_elastic_tangent(model, at)
        for j, part in enumerate(parts):
            own = elastic_tangent(model, at, part.contacts, part.springs, part.beams)
            terms[k, j] = moved @ own @ moved
        terms[k, -2] = moved @ elastic @ moved - terms[k, : len(parts)].sum()
        terms[k, -1] = moved @ (at.stiffness - elastic) @ moved
        loose[k] = at.regularization_share(moved, direction) > LOOSE
    if np.abs(terms[:, -2]).max() <= NOTHING * np.abs(terms).max():
        return [*rows[:-2], rows[-1]], np.delete(terms, -2, axis=1), loose
    return rows, terms, loose


def _quantities(
    assembly: Assembly, runs: Sequence[AnyTrajectory], rows: list[Row], terms: NDArray, peak: float
) -> tuple[dict[str, Quantity], dict[str, Quantity]]:
    torque = runs[0].time
    span = torque[-1] - torque[0]
    halves = np.split(terms, 2)
    twist = np.mean([simpson(half, x=torque, axis=0) for half in halves], axis=0)
    angles = [run.angle(assembly.output_shaft) for run in runs]
    seen = np.mean([abs(angle[-1] - angle[0]) for angle in angles])
    stiffness = np.mean(
        [fitted_stiffness(run.time, angle) for run, angle in zip(runs, angles, strict=True)]
    )
    alone = np.where([row.name == TURNING for row in rows], np.nan, np.inf)
    gives = ~np.isnan(alone) & (twist != 0.0)
    alone[gives] = span / twist[gives]
    found = {
        "torque": Quantity((), peak, "N*m", "N*m", "Peak torque"),
        "torsional_stiffness": Quantity(
            (), stiffness, "N*m/rad", "N*m/arcmin", "Torsional stiffness"
        ),
        "secant_stiffness": Quantity(
            (), span / seen, "N*m/rad", "N*m/arcmin", "Stiffness between the two torques"
        ),
        "closure": Quantity(
            (), twist.sum() / seen - 1.0, "", "percent", "Sum of the parts less the poses' twist"
        ),
        "part_share": Quantity(("part",), twist / twist.sum(), "", "percent", "Share"),
        "part_compliance": Quantity(
            ("part",), twist / span, "rad/(N*m)", "arcsec/(N*m)", "Compliance"
        ),
        "part_stiffness": Quantity(("part",), alone, "N*m/rad", "N*m/arcmin", "Stiffness alone"),
        "tangent_compliance": Quantity(
            ("load", "part"), terms, "rad/(N*m)", "arcsec/(N*m)", "Compliance at a torque"
        ),
    }
    loads = np.concatenate([run.time for run in runs])
    return found, {
        "part": Quantity(("part",), [row.name for row in rows], "", "", "Part"),
        "part_title": Quantity(("part",), [row.title for row in rows], "", "", "Part"),
        "load": Quantity(("load",), loads, "N*m", "N*m", "Output torque"),
    }


def _warnings(closure: float, loose: NDArray) -> list[str]:
    found = []
    if abs(closure) > LARGEST_GAP:
        found.append(
            f"The parts add up to {1 + closure:.1%} of the twist that the poses show: contacts "
            "open or close between the torques; use more points or a larger fit_from."
        )
    if len(loose):
        found.append(
            f"At {loose[0]:.3g} N*m the output is not held by contacts alone and its compliance is "
            "the solver's own: use a larger torque."
        )
    return found
