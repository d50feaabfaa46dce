"""Modes of gear bodies: natural frequencies and shapes of each gear alone, as finite elements.

A gear is held where its body ends, at the bore or the outside of a ring; mesh, shafts and bearings
are left out. Teeth mesh at one place, past which the gear turns: waves of n around a gear of z
teeth run forward or backward past it, and the mesh frequency f_m meets a mode of frequency f where

    f_m = f ± n f_m/z,   so   f_m = f z/(z ∓ n),

the change of f by Coriolis and centrifugal forces left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from flank.analyses.orders import tooth_order
from flank.analyses.quantities import MORE, Declared, Quantities, Read, Values
from flank.analyses.result import Ending, Result, make_result
from flank.arrays import AnyArray, Floats
from flank.contact.gear_loading import rounded_thickness
from flank.dynamics.run import Progress
from flank.elasticity.finite_elements.cyclic import Centre
from flank.elasticity.finite_elements.mode_shapes import ModeShapes, mode_shapes
from flank.elasticity.finite_elements.sector_mesh import GearBody
from flank.elasticity.material import Material
from flank.elasticity.tooth_beam import held_radius
from flank.errors import SpecError
from flank.geometry.gear import Gear
from flank.machines.base import HasPlanets, HasToothPairs, Machine, Transmission
from flank.machines.quantities import WholeNumber
from flank.machines.spec import Spec, key

QUANTITIES = Quantities(
    "gear-modes",
    {
        "lowest_frequency": Declared(
            "Lowest natural frequency of a gear", "1/s", "Hz", better=MORE
        ),
        "nearest_speed": Declared(
            "Speed next to the operating point at which the mesh frequency meets a mode",
            "rad/s",
            "rpm",
        ),
        "teeth": Declared("Teeth", over="gear"),
        "held_radius": Declared("Held at the radius", "m", "mm", "gear"),
        "mesh_frequency": Declared("Mesh frequency", "1/s", "Hz", "gear"),
        "lowest_of_gear": Declared("Lowest natural frequency", "1/s", "Hz", "gear"),
        "mode_gear": Declared("Gear", over="mode"),
        "waves": Declared("Waves n", over="mode"),
        "kind": Declared("Kind", over="mode"),
        "frequency": Declared("Frequency", "1/s", "Hz", "mode"),
        "times": Declared("Times", over="mode"),
        "flank_amplitude": Declared(
            "Effective amplitude of flanks along the normal, over the gear's", over="mode"
        ),
        "energy_share": Declared(
            "Share of the kinetic energy", "", "percent", "mode gear_direction"
        ),
        "met_frequency": Declared("Frequency", "1/s", "Hz", "met_mode"),
        "speed_backward": Declared("Input speed, backward wave", "rad/s", "rpm", "met_mode"),
        "speed_forward": Declared("Input speed, forward wave", "rad/s", "rpm", "met_mode"),
        "speed_ratio": Declared("Nearer speed over the operating point's", over="met_mode"),
        "front_point": Declared(
            "Points of the front of one tooth with its share of the body",
            "m",
            "mm",
            "gear point direction",
        ),
        "front_cell": Declared(
            "Points around a cell of the front, -1: none", over="gear cell corner"
        ),
        "shape_real": Declared(
            "Displacement of the front, over the largest of the mode, real part",
            over="mode point direction",
        ),
        "shape_imaginary": Declared(
            "Displacement of the front, over the largest of the mode, imaginary part",
            over="mode point direction",
        ),
    },
    {
        "gear": Declared("Gear", over="gear"),
        "mode": Declared("Mode", over="mode"),
        "met_mode": Declared("Mode that moves flanks", over="met_mode"),
        "direction": Declared("Direction", over="direction"),
        "gear_direction": Declared("Direction on a gear", over="gear_direction"),
    },
    {
        "Gears": ("gear", "teeth", "held_radius", "mesh_frequency", "lowest_of_gear"),
        "Modes": ("mode", "waves", "kind", "frequency", "times", "flank_amplitude"),
        "Speeds at which the mesh frequency meets modes that move flanks": (
            "met_mode",
            "met_frequency",
            "speed_backward",
            "speed_forward",
            "speed_ratio",
        ),
    },
)

MOVES = 0.05
"""Effective amplitude of flanks, over that of the gear, from which a mesh feels a mode."""


class GearModesSettings(Spec):
    """How many modes, and how the gears are held."""

    count: Annotated[int, WholeNumber(minimum=1, maximum=100)] = key(
        "modes of each gear, those of lowest frequency", default=12
    )
    bore: Literal["locked", "turning"] = key(
        "the bore of a gear, or the outside of a ring: locked, or free to turn about the axis",
        default="locked",
    )


DEFAULTS = GearModesSettings()


@dataclass(frozen=True)
class HeldGear:
    """A gear with its body, and the teeth of it that mesh in a turn of the input."""

    gear: Gear
    body: GearBody
    material: Material
    mesh_order: float
    support: float | None = None  # N/m³ of its bedding; held rigidly without


def run(
    machine: Machine,
    settings: GearModesSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """All different gears of a machine."""
    assert isinstance(machine, Transmission)
    gears = held_gears(machine)
    centre = Centre(rotation=settings.bore == "turning")
    shapes: dict[str, ModeShapes] = {}
    for number, (name, held) in enumerate(gears.items()):
        shapes[name] = _shapes(name, held, settings.count, centre)
        if progress is not None:
            progress((number + 1) / len(gears))
    values = _mode_values(shapes) | _gear_values(machine, gears, shapes)
    values |= _speed_values(machine, gears, shapes) | _front_values(shapes)
    values["lowest_frequency"] = min(float(modes.frequency[0]) for modes in shapes.values())
    ending = Ending("Completed.", True, {"gears": len(gears)})
    return make_result(QUANTITIES, machine, settings, ending, values)


def held_gears(machine: Transmission) -> dict[str, HeldGear]:
    """Each different gear once, by its name in the machine; with the wider of two common faces
    where it is in two meshes."""
    assert isinstance(machine, HasToothPairs)
    gears: dict[str, HeldGear] = {}
    for mesh, meshed in machine.tooth_pairs().items():
        pair = meshed.pair
        order = tooth_order(machine)
        if isinstance(machine, HasPlanets) and "planet" in mesh:
            order = machine.planet_mesh_order
        for name, gear, body, material, support in zip(
            _gear_names(mesh),
            (pair.first, pair.second),
            meshed.bodies,
            meshed.materials,
            meshed.supports,
            strict=True,
        ):
            body = body or GearBody(pair.face_width, held_radius(gear))
            known = gears.get(name)
            if known is None or known.body.face_width < body.face_width:
                gears[name] = HeldGear(rounded_thickness(gear), body, material, order, support)
    return gears


def _gear_names(mesh: str) -> list[str]:
    """Of 'planet 1/ring': planets, and discs, are alike."""
    return [name.removesuffix(" 1") for name in mesh.split("/")]


def _shapes(name: str, held: HeldGear, count: int, centre: Centre) -> ModeShapes:
    try:
        elements = held.gear, held.body, held.material
        return mode_shapes(*elements, count, centre, support=held.support)
    except ValueError as error:
        raise SpecError(f"the {name} as finite elements: {error}") from None


def kind_of(waves: int, energy: Sequence[float]) -> str:
    """How a gear moves, by the shares of kinetic energy of radial, tangential and axial motion."""
    radial, tangential, axial = energy
    if axial >= 0.5:
        return "out of plane"
    if waves:
        return "in plane"
    return "torsion" if tangential > radial else "radial"


def _mode_values(shapes: Mapping[str, ModeShapes]) -> Values:
    every = list(shapes.values())
    energy = np.concatenate([modes.energy for modes in every])
    waves = np.concatenate([modes.harmonic for modes in every])
    gears = [name for name, modes in shapes.items() for _ in modes.frequency]
    return {
        "mode": np.array(_labels(shapes), dtype=str),
        "mode_gear": np.array(gears, dtype=str),
        "waves": waves,
        "kind": np.array([kind_of(*pair) for pair in zip(waves, energy, strict=True)], dtype=str),
        "frequency": np.concatenate([modes.frequency for modes in every]),
        "times": np.concatenate([modes.times for modes in every]),
        "flank_amplitude": Read(
            np.concatenate([modes.flank_amplitude for modes in every]), scale=1.0
        ),
        "energy_share": energy,
        "gear_direction": ["radial", "tangential", "axial"],
    }


def _labels(shapes: Mapping[str, ModeShapes]) -> list[str]:
    return [f"{name} {k + 1}" for name, modes in shapes.items() for k in range(len(modes.times))]


def _gear_values(
    machine: Transmission, gears: Mapping[str, HeldGear], shapes: Mapping[str, ModeShapes]
) -> Values:
    turns = abs(machine.input_speed) / (2 * np.pi)
    every = gears.values()
    return {
        "gear": np.array(list(gears), dtype=str),
        "teeth": np.array([held.gear.teeth for held in every]),
        "held_radius": np.array([held.body.held_radius for held in every]),
        "mesh_frequency": turns * np.array([held.mesh_order for held in every]),
        "lowest_of_gear": np.array([modes.frequency[0] for modes in shapes.values()]),
    }


def _speed_values(
    machine: Transmission, gears: Mapping[str, HeldGear], shapes: Mapping[str, ModeShapes]
) -> Values:
    """Of modes that move flanks; ratios where the machine turns."""
    frequencies = np.concatenate([modes.frequency for modes in shapes.values()])
    moved = np.concatenate([modes.flank_amplitude >= MOVES for modes in shapes.values()])
    speeds = np.concatenate([meeting_speeds(gears[name], shapes[name]) for name in gears])[moved]
    if not len(speeds):
        return {}
    values: Values = {
        "met_mode": np.array(_labels(shapes), dtype=str)[moved],
        "met_frequency": frequencies[moved],
        "speed_backward": speeds[:, 0],
        "speed_forward": speeds[:, 1],
    }
    operating = abs(machine.input_speed)
    if operating:
        nearer = np.argmin(np.abs(speeds - operating), axis=1)
        speed = speeds[np.arange(len(speeds)), nearer]
        nearest = speed[np.argmin(np.abs(speed - operating))]
        values |= {"speed_ratio": speed / operating, "nearest_speed": nearest}
    return values


def meeting_speeds(held: HeldGear, modes: ModeShapes) -> Floats:
    """Input speeds (mode, 2), rad/s, at which the mesh frequency meets the backward and the forward
    wave of each mode."""
    split = 1 + np.outer(modes.harmonic / modes.teeth, (1.0, -1.0))
    return np.asarray(2 * np.pi * modes.frequency[:, None] / (held.mesh_order * split))


def _front_values(shapes: Mapping[str, ModeShapes]) -> Values:
    """Fronts of all gears, those with fewer points or cells filled up."""
    every = list(shapes.values())
    points = max(len(modes.points) for modes in every)
    cells = max(len(modes.cells) for modes in every)
    moved = np.concatenate([_filled(modes.displacement, 1, points, np.nan) for modes in every])
    return {
        "front_point": np.stack([_filled(modes.points, 0, points, np.nan) for modes in every]),
        "front_cell": np.stack([_filled(modes.cells, 0, cells, -1) for modes in every]),
        "shape_real": moved.real,
        "shape_imaginary": moved.imag,
        "direction": ["x", "y", "z"],
    }


def _filled(values: AnyArray, axis: int, count: int, fill: float) -> AnyArray:
    widths = [(0, count - size if k == axis else 0) for k, size in enumerate(values.shape)]
    return np.pad(values, widths, constant_values=fill)
