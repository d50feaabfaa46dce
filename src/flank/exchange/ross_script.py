"""A gear pair as a script for ROSS: two rotors on their bearings, which a mesh couples.

Shafts of Flank are springs without a mass, bearings hold the middles of gears, and gears of the
plane do not tilt. In ROSS a shaft is a beam: it gets a length, the diameter that makes its
torsional stiffness, and next to no density; its outer end has next to no mass, and a bearing that
keeps the rotor from tilting about its gear. What tilts gets a small moment of inertia about its
diameters. So what ROSS has besides lies far above.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flank.analyses import natural_frequencies
from flank.analyses.natural_frequencies import NaturalFrequenciesSettings
from flank.errors import SpecError
from flank.exchange.script import cycle_tables, head, number, numbers
from flank.exchange.train import torsional
from flank.machines.gear_pair.machine import GearPairMachine

if TYPE_CHECKING:
    from flank.exchange.train import Spring, Train
    from flank.machines.base import Machine
    from flank.machines.gear_pair.spec import PairGearSpec, ShaftSpec

VERSION = "3.1"

RIGID = 1e13
"""N/m, of a bearing that stands for a rigid support."""

LENGTH, END_MASS, END_STIFFNESS, AXIAL, TILT = 0.1, 1e-6, 1e7, 1e11, 1e-4
"""m, kg, N/m, N/m: of a shaft, of its outer end, of the bearing there, of gears along their axes;
and moments of inertia about a diameter over those about the axis."""

_SIZES = ("LENGTH", "END_MASS", "END_STIFFNESS", "AXIAL", "TILT")

STIFF_SHAFT, LIGHT_END = 1e5, 1e-9
"""N·m/rad, kg·m²: where a spec has no elastic shaft, one with nothing at its end."""

MODES = 40
"""Of Flank that are asked for, which are all."""

_WHAT = (
    "Two rotors on bearings and a mesh along its line of\naction, in the plane of the gears: the "
    "helix is left out, shafts have no mass."
)

_START = '''
light = ross.Material("light", rho=1e-2, E=STEEL[0], G_s=STEEL[1])
if tuple(map(int, ross.__version__.split(".")[:2])) < (3, 1):
    raise SystemExit(
        f"This model needs ROSS 3.1, which asks for Python 3.13; here is ROSS {ross.__version__}."
    )


def rotor(gear, bearing, shaft):
    """Node 0 is the outer end of a shaft, node 1 its gear."""
    diameter = (32 * shaft["stiffness"] * LENGTH / (np.pi * STEEL[1])) ** 0.25
    end = ross.DiskElement(n=0, m=END_MASS, Id=END_MASS * LENGTH**2, Ip=shaft["inertia"])
    wheel = ross.GearElement(
        n=1,
        m=gear["mass"],
        Id=TILT * gear["inertia"],
        Ip=gear["inertia"],
        n_teeth=gear["teeth"],
        base_diameter=2 * gear["base_radius"],
        pr_angle=WORKING_ANGLE,
    )
    k, c = bearing["stiffness"], bearing["damping"]
    bearings = [
        ross.BearingElement(n=0, kxx=END_STIFFNESS, kyy=END_STIFFNESS, cxx=0.0),
        ross.BearingElement(n=1, kxx=k, kyy=k, cxx=c, cyy=c, kzz=AXIAL),
    ]
    beam = ross.ShaftElement(L=LENGTH, idl=0.0, odl=diameter, material=light)
    return ross.Rotor([beam], [end, wheel], bearings)


pinion = rotor(PINION, PINION_BEARING, INPUT_SHAFT)
wheel = rotor(WHEEL, WHEEL_BEARING, OUTPUT_SHAFT)
pair = ross.MultiRotor(
    pinion,
    wheel,
    coupled_nodes=(1, 1),
    gear_mesh_stiffness=MESH_STIFFNESS,
    mesh_damping_ratio=MESH_DAMPING_RATIO,
)


def frequencies(count):
    """The lowest natural frequencies of the standing pair, undamped, in Hz."""
    squares = linalg.eigh(pair.K(0), pair.M(0), eigvals_only=True)
    return np.sqrt(np.maximum(squares, 0.0))[:count] / (2 * np.pi)


if __name__ == "__main__":
    print("ROSS, Hz: ", *(f"{value:.3f}" for value in frequencies(len(FLANK))))
    print("Flank, Hz:", *(f"{value:.3f}" for value in FLANK))
'''


def ross_script(machine: Machine, angle: float, torque: float | None) -> tuple[str, Train]:
    """The text of a script, and what turns in it."""
    if not isinstance(machine, GearPairMachine):
        raise SpecError(
            f"{machine.title} is no gear pair: ROSS couples rotors that turn about fixed axes by "
            "meshes of two gears; a model for openTorsion is written of planetary gearboxes, too"
        )
    spec = machine.spec
    if spec.wheel.internal:
        raise SpecError("ROSS couples external gears; the wheel of this pair is internal")
    train = torsional(machine, angle, torque)
    settings = NaturalFrequenciesSettings(
        crank_angle=angle, torque=train.torque, input="free", count=MODES
    )
    result = natural_frequencies.run(machine, settings)
    found = [float(value) for value in result.data["frequency"].values]
    free = int(result.data["free_count"].values)
    material = spec.elastic(spec.pinion.material)
    mesh = train.meshes[0]
    springs = {spring.name: spring for spring in train.springs}
    parts = [
        head(train, f"ROSS {VERSION}", _WHAT),
        "import numpy as np",
        "import ross",
        "from scipy import linalg",
        "",
        f"STEEL = ({number(material.youngs_modulus)}, {number(material.shear_modulus)})",
        '"""E and G of shafts, Pa."""',
        f"WORKING_ANGLE = {number(machine.meshed.pair.working_angle)}",
        f"MESH_STIFFNESS = {number(mesh.stiffness)}",
        f"MESH_DAMPING_RATIO = {number(_damping_ratio(machine))}",
        *(f"{name} = {number(globals()[name])}" for name in _SIZES),
        f"PINION = {_gear(machine, 0)}",
        f"WHEEL = {_gear(machine, 1)}",
        f"PINION_BEARING = {_bearing(spec.pinion)}",
        f"WHEEL_BEARING = {_bearing(spec.wheel)}",
        f"INPUT_SHAFT = {_shaft(spec.input_shaft, springs.get('input shaft'))}",
        f"OUTPUT_SHAFT = {_shaft(spec.output_shaft, springs.get('output shaft'))}",
        f"FLANK = {numbers([0.0] * free + sorted(found))}",
        '"""Hz, of `flank run ... natural-frequencies --option input=free`."""',
        cycle_tables(train),
    ]
    return "\n".join(parts) + "\n" + _START, train


def _damping_ratio(machine: GearPairMachine) -> float:
    """ζ of both gears turning against each other."""
    stiffness = machine.spec.mesh.stiffness or machine.meshed.mean_stiffness
    return 0.5 * machine.damped.damping / math.sqrt(stiffness * machine.mesh_mass)


def _gear(machine: GearPairMachine, place: int) -> str:
    gear = (machine.spec.pinion_gear, machine.spec.wheel_gear)[place]
    mass, inertia = machine.masses[place]
    sizes = {
        "mass": mass,
        "inertia": inertia,
        "base_radius": machine.meshed.base_radii[place],
    }
    cells = ", ".join(f'"{name}": {number(value)}' for name, value in sizes.items())
    return f'{{"teeth": {gear.teeth}, {cells}}}'


def _bearing(spec: PairGearSpec) -> str:
    stiffness = RIGID if spec.support.stiffness is None else spec.support.stiffness
    return f'{{"stiffness": {number(stiffness)}, "damping": {number(spec.support.damping)}}}'


def _shaft(end: ShaftSpec, spring: Spring | None) -> str:
    stiffness, inertia = STIFF_SHAFT, LIGHT_END
    if spring is not None:
        stiffness, inertia = spring.stiffness, end.inertia or 0.0
    return f'{{"stiffness": {number(stiffness)}, "inertia": {number(inertia)}}}'
