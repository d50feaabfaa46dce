"""Two spur gears of finite elements under load: stiffness, transmission error, sharing.

The 50/50 pair of module 3 mm on which Blankenship and Kahraman measured how gears jump. Its bore,
30.6 mm, is inferred.

python examples/loaded_gears.py
"""

import math
from dataclasses import replace

import numpy as np

from flank.arrays import Floats
from flank.contact.gear_loading import FlankDeviations, GearLoading, elastic_loading
from flank.contact.loaded_mesh import LoadedMesh, harmonics, loaded_mesh
from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import solve_statics
from flank.dynamics.tables import GROUND
from flank.elasticity import iso_6336
from flank.elasticity.material import Material
from flank.geometry.gear import Gear, Relief
from flank.geometry.gear_pair import GearPair
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshes import MeshedPair, add_mesh

STEEL = Material(youngs_modulus=207e9, poisson_ratio=0.3, density=7600.0)
GEAR = Gear(
    teeth=50,
    normal_module=3e-3,
    normal_pressure_angle=math.radians(20),
    thickness_deviation=-66.5e-6,
    edge_radius=60e-6,
    held_radius=30.6e-3,
)
PAIR = GearPair(GEAR, GEAR, centre_distance=0.15, face_width=20e-3)
POSITIONS = 64


def gears(pair: GearPair = PAIR, **modifications) -> GearLoading:
    return elastic_loading(pair, (STEEL, STEEL), strips=5, **modifications)


def ladder(torque: float) -> dict[str, Floats]:
    """Mean and first three harmonics of the mesh stiffness in N/um, by mesh model."""
    models = {model: harmonics(stiffness(model, torque), 3) for model in ("table", "contact", "fe")}
    models["fe, solved at each position"] = harmonics(loaded(torque).stiffness[0], 3)
    return {name: values / 1e6 for name, values in models.items()}


def norm() -> float:
    """Mean stiffness by ISO 6336-1 in N/um, which knows no bore."""
    return iso_6336.mean_stiffness(PAIR, (STEEL, STEEL)) * PAIR.face_width / 1e6


def stiffness(model: str, torque: float) -> Floats:
    """Force over approach along a pitch, N/m: the first gear turned by hand, the second loaded."""
    load, b = torque / GEAR.base_radius, ModelBuilder(0.1)
    first = b.body("first", 2.0, 7e-3)
    second = b.body("second", 2.0, 7e-3, (PAIR.centre_distance, 0.0, 0.0))
    b.revolute(GROUND, first)
    b.rotation(GROUND, first, linear(1.0))  # time stands for its angle
    b.revolute(GROUND, second, b.placed(second, (0.0, 0.0)))
    b.torque(second, constant(torque))
    meshed = MeshedPair(PAIR, (STEEL, STEEL), MeshSpec(model=model), load)
    add_mesh(b, "mesh", meshed, GearPlace(first), GearPlace(second, math.pi + math.pi / 50))
    angles = GEAR.pitch_angle * (np.arange(POSITIONS) + 0.5) / POSITIONS
    poses = np.broadcast_to(b.pose(), (POSITIONS, 3, 3)).copy()
    poses[:, first, 2] = angles
    poses[:, second, 2] -= angles
    run = solve_statics(b.build(), poses[0], angles, poses)
    if not run.complete:
        raise SystemExit(run.status.sentence)
    behind = (run.position[:, second, 2] - poses[:, second, 2]) * GEAR.base_radius
    return load / (behind - 0.5 * PAIR.normal_backlash)


def loaded(torque: float, **modifications) -> LoadedMesh:
    return loaded_mesh(gears(**modifications), np.array([torque]), POSITIONS)


def growth(torques: Floats) -> list[tuple[float, float, float, float]]:
    """By torque: effective contact ratio, transmission error from peak to peak and its contact part
    in um, mean of the contact's own stiffness k_c in N/um."""
    mesh = loaded_mesh(gears(), torques, POSITIONS)
    return [
        (
            float(mesh.effective_contact_ratio[k]),
            1e6 * float(np.ptp(mesh.transmission_error[k])),
            1e6 * float(mesh.contact_part[k].mean()),
            1e-6 * float(mesh.contact_stiffness[k].mean()),
        )
        for k in range(len(torques))
    ]


def modified() -> dict[str, tuple[float, float]]:
    """At 150 N·m: transmission error from peak to peak in um, largest face load factor."""
    relieved = replace(GEAR, relief=Relief(10e-6, 4e-3))
    sloped = FlankDeviations(lead_slope=10e-6), FlankDeviations()
    meshes = {
        "as cut": loaded(150.0),
        "without contact at edges of tips": loaded(150.0, edges=False),
        "tip relief 10 um over 4 mm of roll": loaded(
            150.0, pair=replace(PAIR, first=relieved, second=relieved)
        ),
        "crowned 5 um": loaded(150.0, pair=replace(PAIR, first=replace(GEAR, crowning=5e-6))),
        "lead slope 10 um": loaded(150.0, deviations=sloped),
    }
    return {
        name: (1e6 * float(np.ptp(mesh.transmission_error)), float(mesh.face_factor.max()))
        for name, mesh in meshes.items()
    }


if __name__ == "__main__":
    print(f"ISO 6336-1: {norm():.0f} N/um")
    for torque in (50.0, 150.0, 300.0):
        for name, values in ladder(torque).items():
            print(f"{torque:4.0f} N*m  {name:28s}", "  ".join(f"{v:6.1f}" for v in values))
    torques = np.array([10.0, 50.0, 150.0, 300.0, 500.0])
    for torque, row in zip(torques, growth(torques), strict=True):
        print(f"{torque:4.0f} N*m ", "  ".join(f"{value:7.2f}" for value in row))
    for name, (error, factor) in modified().items():
        print(f"{name:36s} {error:5.2f} um  {factor:5.2f}")
