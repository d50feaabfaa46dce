"""Loaded contact: teeth under a torque over a mesh cycle, on axes that stand still.

How the load is spread over the flanks and shared by the teeth, the pressure there and the pattern
that it leaves, the transmission error and the stiffness of the mesh, and what friction takes.
Flanks in space and involute gears are asked alike; shafts and bearings are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from flank.analyses.quantities import LESS, MORE, Declared, Quantities, Values
from flank.analyses.result import Ending, Result, make_result
from flank.analyses.settings import LoadTorque
from flank.analyses.warnings import sharing_warnings
from flank.arrays import Flags, Floats, Integers
from flank.contact.gear_loading import elastic_loading
from flank.contact.loaded_mesh import loaded_mesh
from flank.contact.spatial.loaded_flanks import FlankLoad, LoadedFlanks, NoEquilibrium
from flank.dynamics.run import Progress
from flank.elasticity.material import contact_modulus
from flank.errors import SpecError
from flank.geometry.flank_pair import NoContact
from flank.machines.base import HasFlanks, HasToothPairs, Machine, Transmission
from flank.machines.meshed_pair import MeshedPair
from flank.machines.quantities import Coefficient, WholeNumber
from flank.machines.spec import Spec, key, optional

HEIGHTS = 41
"""From root to tip, of patterns."""

CARRIES = 1e-6
"""Of the greatest force: what less than that carries is round-off."""

Method = Literal["proportion", "deletion", "proportion-printed"]

QUANTITIES = Quantities(
    "loaded-contact",
    {
        "torque": Declared("Output torque", "N*m"),
        "mean_error": Declared("Transmission error, mean", "rad", "arcsec"),
        "peak_to_peak": Declared("Transmission error, peak to peak", "rad", "arcsec", better=LESS),
        "mean_stiffness": Declared(
            "Mesh stiffness at the output, mean", "N*m/rad", "N*m/arcmin", better=MORE
        ),
        "largest_pressure": Declared("Largest pressure", "Pa", "MPa", better=LESS),
        "pressure_inside": Declared(
            "Largest pressure away from tips and ends", "Pa", "MPa", better=LESS
        ),
        "carrying_pairs": Declared("Pairs of teeth that carry load, in the mean"),
        "largest_share": Declared("Largest share of one pair of teeth", "", "percent"),
        "efficiency": Declared("Efficiency of the mesh", "", "percent", better=MORE),
        "transmission_error": Declared("Transmission error", "rad", "arcsec", "angle"),
        "stiffness": Declared("Mesh stiffness at the output", "N*m/rad", "N*m/arcmin", "angle"),
        "input_torque": Declared("Input torque", "N*m", "N*m", "angle"),
        "loss": Declared("Loss over the input's work", "", "percent", "angle"),
        "pressure_peak": Declared("Largest pressure", "Pa", "MPa", "angle"),
        "tooth_share": Declared("Share of a pair of teeth", "", "percent", "angle pair"),
        "line_load": Declared("Load per length of line", "N/m", "N/mm", "angle pair point"),
        "pressure": Declared("Pressure", "Pa", "MPa", "angle pair point"),
        "line_face": Declared("Place along the face", "", "percent", "angle pair point"),
        "line_height": Declared("Place from root to tip", "", "percent", "angle pair point"),
        "pattern_pressure": Declared("Largest pressure in mesh", "Pa", "MPa", "height point"),
        "pattern_face": Declared("Place along the face", "", "percent", "height point"),
    },
    {
        "angle": Declared("Angle of the input", "rad", "deg", "angle"),
        "pair": Declared("Pair of teeth", over="pair"),
        "height": Declared("From root to tip", "", "percent", "height"),
    },
    curves=(("angle", "transmission_error"), ("angle", "pressure_peak")),
)


class LoadedContactSettings(Spec):
    """Under which load, and how finely."""

    torque: LoadTorque = None
    flank: Literal["driving", "coasting"] = key(
        "the flanks that carry it; of involute teeth both are alike", default="driving"
    )
    positions: Annotated[int, WholeNumber(minimum=1, maximum=2000)] = key(
        "positions in a mesh cycle", default=48
    )
    cycles: Annotated[int, WholeNumber(minimum=1, maximum=500)] = key(
        "mesh cycles one after another: those of a body with holes differ, and repeat after a "
        "revolution",
        default=1,
    )
    points: Annotated[int, WholeNumber(minimum=8, maximum=200)] | None = optional(
        "points of a flank along the face; the machine's if absent", 40
    )
    method: Method | None = optional(
        "how points that touch in part share the load: by one smooth law (flanks in space, if "
        "absent), by taking out what pulls (all that involute teeth know), or as printed by "
        "Wagner, Schumann and Schlecht",
        "deletion",
    )
    friction: Coefficient | None = optional(
        "the coefficient of friction between flanks; the machine's if absent", 0.05
    )


DEFAULTS = LoadedContactSettings()


@dataclass(frozen=True, eq=False)
class _Cycle:
    """A mesh cycle: arrays over positions, and over (position, pair, point)."""

    angle: Floats
    error: Floats
    stiffness: Floats
    input_torque: Floats
    loss: Floats  # W at 1 rad/s of the input
    pair: Integers
    force: Floats
    length: Floats
    pressure: Floats
    face: Floats  # 0 to 1 from toe to heel
    height: Floats  # 0 to 1 from root to tip; not a number where nothing is near
    inside: Flags  # away from tips and ends of both teeth
    warnings: Sequence[str] = ()


def run(
    machine: Machine,
    settings: LoadedContactSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    assert isinstance(machine, Transmission)
    torque = abs(machine.load_torque if settings.torque is None else settings.torque)
    if not torque:
        raise SpecError("torque is zero; teeth share a load that presses them, so give one")
    try:
        if isinstance(machine, HasFlanks):
            cycle = _of_flanks(machine, settings, torque, progress)
        else:
            assert isinstance(machine, HasToothPairs)
            _refuse_what_involutes_do_not_know(settings)
            cycle = _of_involutes(machine, settings, torque)
    except (NoContact, NoEquilibrium, ValueError) as reason:
        raise SpecError(f"The {settings.flank} flanks: {reason}") from None
    ending = Ending("Completed.", True, {"positions": settings.positions * settings.cycles})
    values = _values(cycle, torque)
    return make_result(QUANTITIES, machine, settings, ending, values, cycle.warnings)


def _refuse_what_involutes_do_not_know(settings: LoadedContactSettings) -> None:
    if settings.cycles > 1:
        raise ValueError("mesh cycles of involute teeth are all alike; leave cycles out")
    if settings.method not in (None, "deletion"):
        raise ValueError(
            f"method is '{settings.method}', which is for flanks in space; strips of involute "
            "teeth share their load by 'deletion' alone; leave method out"
        )


def _of_flanks(
    machine: HasFlanks, settings: LoadedContactSettings, torque: float, progress: Progress | None
) -> _Cycle:
    flanks = machine.loaded_flanks(
        settings.flank == "driving",
        settings.points,
        settings.method or "proportion",
        settings.friction,
    )
    pair, count = flanks.loading.pair, settings.positions * settings.cycles
    driving = pair.push * pair.sense  # the way the pinion turns about its axis
    angle = pair.pitch * ((np.arange(count) + 0.5) / settings.positions - 0.5)
    loads: list[FlankLoad] = []
    for number, turned in enumerate(angle):
        guess = loads[-1].lag if loads else np.nan
        place = float(pair.start[0] + driving * turned)
        loads.append(flanks.under(place, torque, guess))
        if progress is not None:
            progress((number + 1) / count)
    return _gathered(flanks, angle, loads)


def _gathered(flanks: LoadedFlanks, angle: Floats, loads: Sequence[FlankLoad]) -> _Cycle:
    """Points of all positions by pair of teeth and section."""
    first = min(int(load.tooth.min(initial=0)) for load in loads)
    last = max(int(load.tooth.max(initial=0)) for load in loads)
    shape = len(loads), last - first + 1, flanks.sections
    force, length, pressure = (np.zeros(shape) for _ in range(3))
    face, height = np.full(shape, np.nan), np.full(shape, np.nan)
    inside = np.zeros(shape, dtype=bool)
    for row, load in enumerate(loads):
        place = row, load.tooth - first, load.section
        force[place], length[place], pressure[place] = load.force, load.length, load.pressure
        carrier, *mate = 0.5 * (load.places[:, :3].T + 1)
        face[place], height[place] = mate
        along = (load.section + 0.5) / flanks.sections
        inside[place] = _inside(carrier, along) & _inside(*mate)
    return _Cycle(
        angle,
        np.array([load.lag for load in loads]),
        np.array([load.stiffness for load in loads]),
        np.array([load.first_torque for load in loads]),
        np.array([load.loss for load in loads]),
        np.arange(first, last + 1, dtype=np.int64),
        force,
        length,
        pressure,
        face,
        height,
        inside,
        sharing_warnings(flanks.method, loads),
    )


def _inside(*places: Floats) -> Flags:
    """Whether places from 0 to 1 keep away from both ends by a twentieth."""
    away: Flags = np.all(np.abs(np.array(places) - 0.5) < 0.45, axis=0)
    return away


def _of_involutes(machine: HasToothPairs, settings: LoadedContactSettings, torque: float) -> _Cycle:
    """The first mesh of a machine; its second gear is the output."""
    meshed = next(iter(machine.tooth_pairs().values()))
    pair, strips = meshed.pair, settings.points or meshed.strips
    edges = meshed.form.tip_edge_contact
    gears = pair, meshed.materials, strips, meshed.bodies
    loading = elastic_loading(*gears, misalignment=meshed.slope, edges=edges)
    radii = pair.first.base_radius, pair.second.base_radius
    on_first = np.array([torque * radii[0] / radii[1]])
    mesh = loaded_mesh(loading, on_first, settings.positions)
    numbers = np.unique(mesh.pairs[np.isfinite(mesh.gaps[:, :, 0])])
    rolls = np.stack([loading.rolls(float(place), numbers) for place in mesh.positions])
    force = np.zeros(rolls.shape)
    for row, slot in np.argwhere(np.isfinite(mesh.gaps[:, :, 0])):
        column = np.searchsorted(numbers, mesh.pairs[row, slot])
        force[row, column] = mesh.forces[0, row, slot]
    length, pressure = _involute_pressure(meshed, rolls, force)
    second = pair.second_roll(rolls)
    sliding = np.abs(rolls - radii[0] / radii[1] * second)
    normal = force / np.cos(pair.first.base_helix_angle)
    loss = (settings.friction or 0.0) * np.sum(normal * sliding, axis=(1, 2))
    ends = pair.second_roll(pair.path[1]), pair.second_roll(pair.path[0])
    across = np.broadcast_to(mesh.face / pair.face_width + 0.5, rolls.shape)
    height = (second - ends[0]) / (ends[1] - ends[0])  # both tips are at ends of the path
    return _Cycle(
        mesh.positions / radii[0],
        mesh.transmission_error[0] / radii[1],
        mesh.tangent_stiffness[0] * radii[1] ** 2,
        on_first[0] + loss,
        loss,
        numbers,
        force,
        length,
        pressure,
        across,
        height,
        _inside(height, across),
    )


def _involute_pressure(meshed: MeshedPair, rolls: Floats, force: Floats) -> tuple[Floats, Floats]:
    """Length of each point's line, and Hertz's pressure there; beyond the path as at its ends."""
    pair = meshed.pair
    first = np.clip(rolls, *pair.path)
    curvature = (1 / first + pair.sign / pair.second_roll(first)) * np.cos(
        pair.first.base_helix_angle
    )
    strip = pair.face_width / rolls.shape[2]
    modulus = contact_modulus(*meshed.materials)
    pressure = np.sqrt(np.maximum(force, 0.0) / strip * curvature * modulus / np.pi)
    return np.full(rolls.shape, strip / np.cos(pair.first.base_helix_angle)), pressure


def _values(cycle: _Cycle, torque: float) -> Values:
    total = cycle.force.sum(axis=(1, 2))
    share = cycle.force.sum(axis=2) / total[:, None]
    carries = cycle.force > CARRIES * cycle.force.max()
    work = np.abs(cycle.input_torque)
    loaded = np.where(carries, 1.0, np.nan)
    with np.errstate(invalid="ignore"):
        line_load = loaded * cycle.force / np.where(cycle.length > 0, cycle.length, np.nan)
    pattern, across = _pattern(cycle)
    values: Values = {
        "torque": torque,
        "mean_error": cycle.error.mean(),
        "peak_to_peak": np.ptp(cycle.error),
        "mean_stiffness": cycle.stiffness.mean(),
        "largest_pressure": cycle.pressure.max(),
        "pressure_inside": np.where(cycle.inside, cycle.pressure, 0.0).max(),
        "carrying_pairs": carries.any(axis=2).sum(axis=1).mean(),
        "largest_share": share.max(),
    }
    if cycle.loss.any():
        values["efficiency"] = 1 - cycle.loss.mean() / work.mean()
    return values | {
        "transmission_error": cycle.error,
        "stiffness": cycle.stiffness,
        "input_torque": work,
        "loss": cycle.loss / work,
        "pressure_peak": cycle.pressure.max(axis=(1, 2)),
        "tooth_share": share,
        "line_load": line_load,
        "pressure": loaded * cycle.pressure,
        "line_face": loaded * cycle.face,
        "line_height": loaded * cycle.height,
        "pattern_pressure": pattern,
        "pattern_face": across,
        "angle": cycle.angle,
        "pair": cycle.pair,
        "height": np.linspace(0, 1, HEIGHTS),
    }


def _pattern(cycle: _Cycle) -> tuple[Floats, Floats]:
    """Largest pressure at each height of each point while its tooth goes through mesh, and where
    across the face that is: a tooth k positions on is where tooth 0 will be."""
    heights = np.linspace(0, 1, HEIGHTS)
    points = cycle.force.shape[2]
    pattern, across = np.zeros((HEIGHTS, points)), np.full((HEIGHTS, points), np.nan)
    for point in range(points):
        height, face = cycle.height[:, :, point].ravel(), cycle.face[:, :, point].ravel()
        near = np.flatnonzero(np.isfinite(height))
        if not len(near):
            continue
        near = near[np.argsort(height[near])]
        pressure = cycle.pressure[:, :, point].ravel()[near]
        pattern[:, point] = np.interp(heights, height[near], pressure, 0.0, 0.0)
        across[:, point] = np.interp(heights, height[near], face[near])
    return pattern, across
