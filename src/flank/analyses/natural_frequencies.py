"""Natural frequencies and modes about a loaded equilibrium, undamped and without friction.

Contacts that carry load count with their tangent stiffness, open ones with none: the frequencies
hold for vibrations so small that no contact opens or closes. Small vibrations obey M ẍ + K x = 0
within the joints, C x = 0. With Z the null space of C,

    ZᵀKZ y = ω² ZᵀMZ y,        x = Z y.

A body has three rows in the plane and six in space, where rotations are vectors of space. There a
gear or shaft turns about its axis, tilts, shifts across it or axially: what has most of its energy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal, NamedTuple

import numpy as np
from scipy import linalg

from flank.analyses.quantities import MORE, Declared, Quantities, Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import assemble_locked, linearize_at
from flank.analyses.settings import InputAngle, LoadTorque
from flank.analyses.warnings import contact_warnings, load_warnings
from flank.arrays import Floats, first_largest
from flank.dynamics.linearize import Linearization, mass_matrix, null_space
from flank.dynamics.model import Model, State
from flank.dynamics.run import Progress, solve_statics
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.spatial.quaternions import matrix_of
from flank.machines.base import Assembly, HasModeFamilies, Transmission
from flank.machines.mesh_forces import has_teeth
from flank.machines.quantities import WholeNumber
from flank.machines.spec import Spec, key

QUANTITIES = Quantities(
    "natural-frequencies",
    {
        "torque": Declared("Output torque", "N*m"),
        "mode_count": Declared("Modes shown"),
        "unstable_count": Declared("Unstable modes"),
        "free_count": Declared("Motions that nothing resists"),
        "lowest_frequency": Declared("Lowest natural frequency", "1/s", "Hz", better=MORE),
        "frequency": Declared("Frequency", "1/s", "Hz", "mode"),
        "eigenvalue": Declared("ω², negative where unstable", "1/s^2", over="mode"),
        "motion": Declared("Who moves", over="mode"),
        "stiffness_sign": Declared("Equilibrium", over="mode"),
        "energy_share": Declared("Share of the kinetic energy", "", "percent", "mode body"),
        "mode_shape": Declared(
            "Mode shape with unit modal mass: shifts in m, angles in rad",
            over="mode body coordinate",
        ),
        "family": Declared("Family", over="mode"),
        "family_count": Declared("Modes, free motions included", over="family_name"),
        "family_distinct": Declared("Different frequencies", over="family_name"),
    },
    {
        "mode": Declared("Mode", over="mode"),
        "body": Declared("Body", over="body"),
        "coordinate": Declared("Coordinate", over="coordinate"),
        "family_name": Declared("Family", over="family_name"),
    },
    {
        "Modes": ("mode", "frequency", "stiffness_sign", "family", "motion"),
        "Families of all modes": ("family_name", "family_count", "family_distinct"),
    },
)

TAKES_PART = 0.2
"""Share of a mode's kinetic energy from which a body is named."""

SAME = 1e-6
"""Relative distance of frequencies up to which modes count as one multiple mode."""

UNSYMMETRIC = 1e-6
"""Largest K - Kᵀ over K of which a reader need not be told."""

NAMED = 3
"""Free bodies that a sentence names before it counts the others."""


class NaturalFrequenciesSettings(Spec):
    """The working point, and how many modes."""

    crank_angle: InputAngle = 0.0
    torque: LoadTorque = None
    input: Literal["locked", "free"] = key(
        "input held at its angle, or held by a constant torque only", default="locked"
    )
    count: Annotated[int, WholeNumber(minimum=1, maximum=1000)] = key(
        "the number of modes shown", default=10
    )


DEFAULTS = NaturalFrequenciesSettings()


def run(
    machine: Transmission,
    settings: NaturalFrequenciesSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """The lowest modes about one working point."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    assembly = assemble_locked(machine, settings.crank_angle)
    start = machine.ideal_pose(settings.crank_angle)
    trajectory = solve_statics(assembly.model, start, np.array([torque]), progress=progress)
    warnings = contact_warnings(assembly, trajectory, static=True)
    warnings += load_warnings(machine, assembly, torque, trajectory)
    values: Values = {}
    if trajectory.complete:
        at = linearize_at(assembly, trajectory, 0)
        modes = modes_of(assembly, at, settings.input == "free")
        warnings += modes_warnings(modes, assembly)
        shown = modes.first(settings.count)
        values = mode_values(shown, assembly, body_axes(assembly, at), torque)
        values |= family_values(machine, assembly, at, modes, settings.count)
    return make_result(QUANTITIES, machine, settings, trajectory, values, warnings)


def mode_values(
    modes: "Modes", assembly: Assembly, axes: Mapping[int, Floats], torque: float
) -> Values:
    """What is told of the modes shown: frequencies, shapes, who moves."""
    names = body_names(assembly)
    shares = energy_shares(assembly.model, modes.mass, modes.shapes)
    along = axial_shares(assembly.model, modes, axes)
    signs = ["stable" if square > 0 else "unstable" for square in modes.eigenvalues]
    swinging = modes.frequencies[modes.eigenvalues > 0]
    count = len(modes.eigenvalues)
    return {
        "torque": torque,
        "mode_count": count,
        "unstable_count": signs.count("unstable"),
        "free_count": modes.free.shape[1],
        **({"lowest_frequency": swinging[0]} if len(swinging) else {}),
        "frequency": modes.frequencies,
        "eigenvalue": modes.eigenvalues,
        "motion": np.array(
            [motion_name(share, names, axial) for share, axial in zip(shares, along, strict=True)],
            dtype=str,
        ),
        "stiffness_sign": np.array(signs, dtype=str),
        "energy_share": shares.sum(axis=2),
        "mode_shape": by_body(assembly.model, modes.shapes),
        "mode": np.arange(1, count + 1),
        "body": names,
        "coordinate": list(COORDINATES[shares.shape[2]]),
    }


def modes_warnings(modes: "Modes", assembly: Assembly) -> list[str]:
    """On what does not swing back, and on a tangent that is not symmetric."""
    sentences = []
    unstable = int(np.sum(modes.eigenvalues < 0))
    if unstable:
        sentences.append(
            f"{_counted(unstable, 'mode')} with negative stiffness: the equilibrium is unstable "
            "there and would run away, not vibrate."
        )
    if modes.free.shape[1]:
        sentences.append(
            f"{_counted(modes.free.shape[1], 'motion')} that nothing resists, left out of the "
            f"modes: {_free_bodies(modes, assembly)}."
        )
    if modes.asymmetry > UNSYMMETRIC:
        sentences.append(
            f"The stiffness is unsymmetric by {modes.asymmetry:.1e} of its largest entry; "
            "its symmetric part is used."
        )
    return sentences


def _counted(number: int, noun: str) -> str:
    return f"There is 1 {noun}" if number == 1 else f"There are {number} {noun}s"


def _free_bodies(modes: "Modes", assembly: Assembly) -> str:
    shares = energy_shares(assembly.model, modes.mass, modes.free).sum(axis=(0, 2))
    order = [int(body) for body in np.argsort(-shares, kind="stable")]
    moving = [body for body in order if shares[body] > TAKES_PART] or order[:NAMED]
    names = [body_names(assembly)[body] for body in moving]
    more = f" and {len(names) - NAMED} more bodies" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


@dataclass(frozen=True)
class Modes:
    """ω² (mode) by rising size and shapes (row, mode) with xᵀMx = 1; free ones left out."""

    eigenvalues: Floats
    shapes: Floats
    free: Floats  # shapes (row, mode) that nothing resists
    asymmetry: float
    mass: Floats  # M over the rows of the shapes

    @property
    def frequencies(self) -> Floats:
        """In Hz; zero where the motion does not swing back."""
        return np.sqrt(np.maximum(self.eigenvalues, 0.0)) / (2 * np.pi)

    def first(self, count: int) -> "Modes":
        return replace(self, eigenvalues=self.eigenvalues[:count], shapes=self.shapes[:, :count])


def modes_of(assembly: Assembly, at: Linearization, input_free: bool = False) -> Modes:
    """All modes of a machine at an equilibrium.

    A motion is free if its xᵀKx is less than what the solver's diagonal would give, σ xᵀDx.
    """
    constraints = at.constraints
    if input_free:
        constraints = np.delete(constraints, assembly.input_shaft.multiplier, axis=0)
    basis = null_space(constraints)
    stiffness = basis.T @ at.stiffness @ basis
    largest = float(np.abs(stiffness).max(initial=1.0))
    asymmetry = float(np.abs(stiffness - stiffness.T).max(initial=0.0)) / largest
    masses = mass_matrix(assembly.model, at.state)
    mass = basis.T @ masses @ basis
    squares, reduced = linalg.eigh(0.5 * (stiffness + stiffness.T), 0.5 * (mass + mass.T))
    shapes = _signed(basis @ reduced, at.weights)
    nothing = at.regularization * np.sum(at.weights[:, None] * shapes**2, axis=0)
    free = np.abs(squares) <= nothing
    return Modes(squares[~free], shapes[:, ~free], shapes[:, free], asymmetry, masses)


def _signed(shapes: Floats, weights: Floats) -> Floats:
    """Shapes whose largest displacement is positive: the sign of an eigenvector means nothing."""
    if not shapes.size:
        return shapes
    largest = first_largest(np.sqrt(weights)[:, None] * np.abs(shapes), axis=0)
    return shapes * np.where(shapes[largest, np.arange(shapes.shape[1])] < 0, -1.0, 1.0)


def energy_shares(model: Model | SpatialModel, mass: Floats, shapes: Floats) -> Floats:
    """Shares of the kinetic energy (mode, body, coordinate), ground first."""
    shares = by_body(model, shapes * (mass @ shapes))
    return np.asarray(shares / shares.sum(axis=(1, 2), keepdims=True))


def axial_shares(
    model: Model | SpatialModel, modes: "Modes", axes: Mapping[int, Floats]
) -> "list[dict[int, AxialShare]]":
    """Of each mode, the shares of the kinetic energy of bodies whose axes are known."""
    shapes = by_body(model, modes.shapes)
    moments = by_body(model, modes.mass @ modes.shapes)
    whole = (shapes * moments).sum(axis=(1, 2))
    return [
        {
            body: AxialShare(*(
                float((shape[body, rows] @ axis) * (moment[body, rows] @ axis)) / total
                for rows in (slice(0, 3), slice(3, 6))
            ))
            for body, axis in axes.items()
        }
        for shape, moment, total in zip(shapes, moments, whole, strict=True)
    ]  # fmt: skip


def body_axes(assembly: Assembly, at: Linearization) -> dict[int, Floats]:
    """Directions in space of the axes of gears and shafts; none of bodies in the plane."""
    if isinstance(at.state, State):
        return {}
    matrix = matrix_of(at.state.rotation)
    axes = {
        shaft.body: matrix[shaft.reference] @ np.array(shaft.axis)
        for shaft in assembly.shafts.values()
    }
    if has_teeth(assembly):
        gears = (gear for mesh in assembly.meshes for gear in mesh.gears or ())
        axes |= {gear.body: matrix[gear.body][:, 2] for gear in gears}
    return axes


def by_body(model: Model | SpatialModel, columns: Floats) -> Floats:
    """Columns of rows of K as (column, body, coordinate), ground first and at rest."""
    rows, count = columns.shape
    bodies = len(model.mass) - 1
    shaped = columns.T.reshape(count, bodies, rows // bodies)
    return np.pad(shaped, ((0, 0), (1, 0), (0, 0)))


MODES = " modes "
"""In the names of rows that are modes of a body."""

COORDINATES = {3: ("x", "y", "angle"), 6: ("x", "y", "z", "about x", "about y", "about z")}
"""Of a body in the plane and in space, by their number."""


class AxialShare(NamedTuple):
    """Of a body's kinetic energy in a mode, over that of the mode: what its shifting along its axis
    and its turning about it have."""

    shifting: float
    turning: float


def motion_name(
    shares: Floats, names: tuple[str, ...], axial: Mapping[int, AxialShare] | None = None
) -> str:
    """A mode in words: who moves most and how, 'carrier turns (62 %), disc 1 turns (20 %)'.

    Bodies in space whose axes are known turn about them, tilt, shift across or along them.
    """
    of_body = shares.sum(axis=1)
    turning = shares[:, shares.shape[1] // 2 + shares.shape[1] % 2 :].sum(axis=1)
    order = np.argsort(-of_body.round(3), kind="stable")  # equals in the machine's order
    named = [int(body) for body in order if of_body[body] >= TAKES_PART] or [int(order[0])]

    def does(body: int) -> str:
        if MODES in names[body]:  # coordinates of an elastic body (`ModelBuilder.gear_modes`)
            return "swing"
        turns = 2 * turning[body] >= of_body[body]
        if axial is None or body not in axial:
            return "turns" if turns else "shifts"
        if turns:
            return "turns" if 2 * axial[body].turning >= turning[body] else "tilts"
        shifting = of_body[body] - turning[body]
        return "shifts axially" if 2 * axial[body].shifting >= shifting else "shifts"

    return ", ".join(f"{names[body]} {does(body)} ({of_body[body]:.0%})" for body in named)


def body_names(assembly: Assembly) -> tuple[str, ...]:
    """Names of all bodies, ground first; numbers where the machine gives none."""
    count = len(assembly.model.mass)
    return assembly.body_names or tuple(f"body {k}" for k in range(count))


def family_values(
    machine: Transmission, assembly: Assembly, at: Linearization, modes: Modes, count: int
) -> Values:
    """The family of each of the first `count` modes, and how many modes of each there are, free
    motions counted at zero frequency; nothing if the machine knows no families."""
    model, free = assembly.model, modes.free.shape[1]
    if not (isinstance(machine, HasModeFamilies) and isinstance(model, Model)):
        return {}
    weighed = by_body(model, np.hstack((modes.free, modes.shapes))) * np.sqrt(model.mass)
    names = np.array(machine.mode_families(weighed, at.state.position), dtype=str)
    if not len(names):
        return {}
    frequencies = np.concatenate((np.zeros(free), modes.frequencies))
    families = sorted(set(names.tolist()))
    members = [np.sort(frequencies[names == family]) for family in families]
    of_modes = names[free : free + count]
    return {
        **({"family": of_modes} if len(of_modes) else {}),
        "family_count": [len(frequencies) for frequencies in members],
        "family_distinct": [_distinct(frequencies) for frequencies in members],
        "family_name": np.array(families, dtype=str),
    }


def _distinct(frequencies: Floats) -> int:
    """Frequencies apart by more than round-off, of sorted ones."""
    steps = np.diff(frequencies)
    return 1 + int(np.sum(steps > SAME * frequencies[1:])) if len(frequencies) else 0
