"""Where the compliance sits: each part's share of the output's twist with the input locked.

At an equilibrium a small torque on the output moves the machine by x = K⁻¹e, and its compliance is

    c = eᵀx = Σ_parts xᵀ K_part x + xᵀ K_turning x,

exactly. K_part is what the contacts and springs of a part resist with, K_turning what the turning
of forces adds. Integrated over the torque, each term is the twist of one part between two torques;
their sum is compared with the twist of the poses themselves.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field
from scipy.integrate import simpson

from flank.analyses.loop import FIT_FROM, FIT_POINTS, fitted_stiffness
from flank.analyses.quantities import Declared, Quantities, Values, number
from flank.analyses.result import Result, make_result
from flank.analyses.runs import LOOSE, assemble_locked, peak_torque, solve_both_directions
from flank.analyses.settings import LockedAngle
from flank.analyses.warnings import contact_warnings, overload_warnings
from flank.arrays import Flags, Floats
from flank.dynamics.linearize import elastic_tangent, full_elastic_tangent, linearize, unit_turn
from flank.dynamics.run import Progress
from flank.dynamics.trajectory import AnyTrajectory, joined
from flank.errors import SpecError
from flank.machines.base import Assembly, Reducer
from flank.machines.quantities import Torque, WholeNumber, quantity
from flank.machines.spec import Spec, key

QUANTITIES = Quantities(
    "stiffness-split",
    {
        "torque": Declared("Torque to which the twist is split", "N*m"),
        "first_torque": Declared("Torque from which it is split", "N*m"),
        "torsional_stiffness": Declared("Torsional stiffness", "N*m/rad", "N*m/arcmin"),
        "secant_stiffness": Declared("Stiffness between the two torques", "N*m/rad", "N*m/arcmin"),
        "closure": Declared("Sum of the parts less the poses' twist", "", "percent"),
        "part_share": Declared("Share", "", "percent", "part"),
        "part_compliance": Declared("Compliance", "rad/(N*m)", "arcsec/(N*m)", "part"),
        "part_stiffness": Declared("Stiffness alone", "N*m/rad", "N*m/arcmin", "part"),
        "tangent_compliance": Declared(
            "Compliance at a torque", "rad/(N*m)", "arcsec/(N*m)", "load part"
        ),
    },
    {
        "part": Declared("Part", over="part"),
        "part_title": Declared("Part", over="part"),
        "load": Declared("Output torque", "N*m", over="load"),
    },
    {
        "Where the compliance sits": (
            "part_title",
            "part_share",
            "part_compliance",
            "part_stiffness",
        )
    },
)

TURNING, ELSEWHERE = "turning", "elsewhere"
"""Rows of the split that are no parts of the machine."""

ROUND_OFF = 1e-9
"""Share of the compliance below which nothing lies outside the parts: round-off."""

LARGEST_GAP = 0.02
"""Disagreement between the parts' sum and the poses that a reader must be told of."""


class StiffnessSplitSettings(Spec):
    """Between which torques the twist is split."""

    torque: Annotated[
        Torque | None,
        Field(
            description="the torque where it ends; the rated one if absent", examples=["412 N*m"]
        ),
    ] = None
    crank_angle: LockedAngle = 0.0
    fit_from: Annotated[float, quantity("", "", positive=True, maximum=0.95)] = key(
        "share of the rated torque where the split begins", default=FIT_FROM
    )
    points: Annotated[int, WholeNumber(minimum=3, maximum=1000)] = key(
        "torques in each direction", 21, default=FIT_POINTS
    )


DEFAULTS = StiffnessSplitSettings()


def run(
    machine: Reducer,
    settings: StiffnessSplitSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Torsional stiffness and each part's share of its inverse, mean of both directions."""
    peak = peak_torque(machine, settings.torque)
    first = settings.fit_from * machine.rated_torque
    if first >= peak:
        raise SpecError(
            f"torque is {peak:.4g} N*m and the split begins at {settings.fit_from:.0%} of the "
            f"rated torque, {first:.4g} N*m; use a larger torque or a smaller fit_from"
        )
    torques = np.linspace(first, peak, settings.points)
    assembly = assemble_locked(machine, settings.crank_angle)
    start = machine.ideal_pose(settings.crank_angle)
    runs = solve_both_directions(assembly, start, torques, progress)
    path = joined(runs)
    warnings = contact_warnings(assembly, path, static=True)
    warnings += overload_warnings(machine, peak)
    values: Values = {}
    if path.complete:
        rows, shares, loose = _split(assembly, path)
        if not shares.any():
            raise SpecError(
                f"{machine.title}: nothing gives way under a torque, as all meshes and bearings "
                "are rigid; give some a stiffness, for example by the mesh model 'table'"
            )
        values = {
            "torque": peak,
            "first_torque": first,
            **_compliances(assembly, runs, rows, shares),
        }
        warnings += _warnings(number(values["closure"]), path.time[loose])
    return make_result(QUANTITIES, machine, settings, path, values, warnings)


def _split(assembly: Assembly, path: AnyTrajectory) -> tuple[list[tuple[str, str]], Floats, Flags]:
    """Names and titles of the parts and of what belongs to none, terms of the compliance
    (torque, part) in rad/(N·m), and where the output is loose."""
    model, parts = assembly.planar, assembly.parts
    direction = unit_turn(model, assembly.output_shaft.body)
    rows = [(part.name, part.title.capitalize()) for part in parts]
    rows += [(ELSEWHERE, "Rows of no part"), (TURNING, "Turning of forces")]
    terms = np.zeros((len(path.time), len(rows)))
    loose = np.zeros(len(path.time), dtype=bool)
    for k, (torque, pose) in enumerate(zip(path.time, path.position, strict=True)):
        at = linearize(model, pose, torque)
        displacement = at.solve(direction)
        elastic = full_elastic_tangent(model, at)
        for j, part in enumerate(parts):
            of_part = elastic_tangent(model, at, part.contacts, part.springs, part.beams)
            terms[k, j] = displacement @ of_part @ displacement
        terms[k, -2] = displacement @ elastic @ displacement - terms[k, : len(parts)].sum()
        terms[k, -1] = displacement @ (at.stiffness - elastic) @ displacement
        loose[k] = at.regularization_share(displacement, direction) > LOOSE
    if np.abs(terms[:, -2]).max() <= ROUND_OFF * np.abs(terms).max():
        return [*rows[:-2], rows[-1]], np.delete(terms, -2, axis=1), loose
    return rows, terms, loose


def _compliances(
    assembly: Assembly, runs: Sequence[AnyTrajectory], rows: list[tuple[str, str]], terms: Floats
) -> Values:
    torque = runs[0].time
    span = torque[-1] - torque[0]
    halves = np.split(terms, 2)
    twist = np.mean([simpson(half, x=torque, axis=0) for half in halves], axis=0)
    angles = [run.angle(assembly.output_shaft) for run in runs]
    measured_twist = np.mean([abs(angle[-1] - angle[0]) for angle in angles])
    stiffness = np.mean(
        [fitted_stiffness(run.time, angle) for run, angle in zip(runs, angles, strict=True)]
    )
    alone = np.where([name == TURNING for name, _ in rows], np.nan, np.inf)
    gives = ~np.isnan(alone) & (twist != 0.0)
    alone[gives] = span / twist[gives]
    return {
        "torsional_stiffness": stiffness,
        "secant_stiffness": span / measured_twist,
        "closure": twist.sum() / measured_twist - 1.0,
        "part_share": twist / twist.sum(),
        "part_compliance": twist / span,
        "part_stiffness": alone,
        "tangent_compliance": terms,
        "part": [name for name, _ in rows],
        "part_title": [title for _, title in rows],
        "load": np.concatenate([run.time for run in runs]),
    }


def _warnings(closure: float, loose: Floats) -> list[str]:
    sentences = []
    if abs(closure) > LARGEST_GAP:
        sentences.append(
            f"The parts add up to {1 + closure:.1%} of the twist that the poses show: contacts "
            "open or close between the torques; use more points or a larger fit_from."
        )
    if len(loose):
        sentences.append(
            f"At {loose[0]:.3g} N*m the output is not held by contacts alone and its compliance is "
            "the solver's own: use a larger torque."
        )
    return sentences
