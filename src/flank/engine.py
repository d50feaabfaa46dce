"""The engine below the machines: mechanisms of one's own, in the plane and in space.

A builder collects bodies, joints, springs, loads and contacts; `build` makes a model of them, which
is solved at rest or in time. Everything is in SI units: m, kg, s, N, rad.

>>> import numpy as np
>>> from flank.engine import GROUND, Forces, ModelBuilder, constant, solve_statics
>>> builder = ModelBuilder(length_scale=0.1)
>>> lever = builder.body("lever", mass=2.0, inertia=0.01)
>>> _ = builder.revolute(GROUND, lever, name="pivot")
>>> _ = builder.torsion_spring(GROUND, lever, stiffness=50.0, name="spring")
>>> builder.force(lever, (0.0, 1.0), constant(10.0), at=(0.1, 0.0))
>>> run = solve_statics(builder.build(), builder.pose(), np.zeros(1))
>>> print(f"{run.position[0, lever, 2]:.4f} rad")
0.0200 rad
>>> carried = Forces(builder, run)
>>> print(f"{carried.spring('spring')[0, 2]:.3f} N·m, {carried.joint('pivot')[0, 1]:.1f} N")
-1.000 N·m, -10.0 N

This module is what stays; the rooms that it imports from may move.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from flank.contact import (
    FRICTIONLESS,
    KINDS,
    LAWS,
    SCREENS,
    ContactKind,
    Damping,
    Disc,
    Field,
    ForceLaw,
    FoundationLaw,
    Friction,
    Gap,
    LaminaLaw,
    PowerLaw,
    Screen,
    StickFriction,
    Surface,
    circle_in_hole,
    circle_on_curve,
    circle_pair,
    contact_row,
    needle_between,
    screened_by,
    teeth,
)
from flank.contact.spatial import (
    FIELDS,
    Distance,
    DistanceField,
    Place,
    SpatialSurface,
    Sphere,
    ball_in_arc,
    ball_in_ellipse,
    spatial_row,
    sphere_in_cylinder,
    sphere_in_sphere,
    sphere_on_plane,
    sphere_on_sphere,
)
from flank.dynamics.builder import ModelBuilder, Node
from flank.dynamics.contact_states import ContactStates
from flank.dynamics.energy import kinetic_energy, stored_energy
from flank.dynamics.flexible import add_ring, add_shaft
from flank.dynamics.functions import (
    Function,
    VaryingStiffness,
    constant,
    harmonic,
    linear,
    over_angle,
    over_time,
    rise,
    run_up,
    speeds,
    table,
)
from flank.dynamics.linearize import Linearization, linearize, mass_matrix
from flank.dynamics.model import Model
from flank.dynamics.reading import Forces
from flank.dynamics.run import (
    ContinuedRun,
    DynamicSettings,
    StaticSettings,
    solve_dynamics,
    solve_statics,
)
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.stability import StableStep, stable_step
from flank.dynamics.status import Status
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialPose, SpatialTrajectory, Trajectory
from flank.elasticity.line_contact import Cylinder, DeepBody, LineLaw, line_law
from flank.elasticity.material import STEEL, Material
from flank.elasticity.roller_profile import RollerProfile
from flank.elasticity.section import Section, rectangular_section, round_section
from flank.geometry.curve import Circle
from flank.geometry.cycloid import Cycloid
from flank.geometry.polyline import Polyline
from flank.geometry.spline import ClosedSpline
from flank.kernel import kernel
from flank.machines.orders import Orders
from flank.machines.outlines import Outline
from flank.machines.plain import PlainMachine, plain_machine

if TYPE_CHECKING:
    from flank.elasticity.finite_elements.imported import read_body, read_matrices
    from flank.elasticity.finite_elements.reduction import (
        auxiliary_nodes,
        compare,
        natural_modes,
        reduce_body,
    )

_OF_ELEMENTS = {
    "auxiliary_nodes": "reduction",
    "compare": "reduction",
    "natural_modes": "reduction",
    "read_body": "imported",
    "read_matrices": "imported",
    "reduce_body": "reduction",
}
"""Names by their modules, imported when they are asked for: elements take a while to import."""


def __getattr__(name: str) -> Any:
    if name not in _OF_ELEMENTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"flank.elasticity.finite_elements.{_OF_ELEMENTS[name]}")
    return getattr(module, name)


__all__ = [
    "FIELDS",
    "FRICTIONLESS",
    "GROUND",
    "KINDS",
    "LAWS",
    "SCREENS",
    "STEEL",
    "Circle",
    "ClosedSpline",
    "ContactKind",
    "ContactStates",
    "ContinuedRun",
    "Cycloid",
    "Cylinder",
    "Damping",
    "DeepBody",
    "Disc",
    "Distance",
    "DistanceField",
    "DynamicSettings",
    "Field",
    "ForceLaw",
    "Forces",
    "FoundationLaw",
    "Friction",
    "Function",
    "Gap",
    "LaminaLaw",
    "LineLaw",
    "Linearization",
    "Material",
    "Model",
    "ModelBuilder",
    "Node",
    "Orders",
    "Outline",
    "Place",
    "PlainMachine",
    "Polyline",
    "PowerLaw",
    "RollerProfile",
    "Screen",
    "Section",
    "SpatialBuilder",
    "SpatialModel",
    "SpatialPose",
    "SpatialSurface",
    "SpatialTrajectory",
    "Sphere",
    "StableStep",
    "StaticSettings",
    "Status",
    "StickFriction",
    "Surface",
    "Trajectory",
    "VaryingStiffness",
    "add_ring",
    "add_shaft",
    "auxiliary_nodes",
    "ball_in_arc",
    "ball_in_ellipse",
    "circle_in_hole",
    "circle_on_curve",
    "circle_pair",
    "compare",
    "constant",
    "contact_row",
    "harmonic",
    "kernel",
    "kinetic_energy",
    "line_law",
    "linear",
    "linearize",
    "mass_matrix",
    "natural_modes",
    "needle_between",
    "over_angle",
    "over_time",
    "plain_machine",
    "read_body",
    "read_matrices",
    "rectangular_section",
    "reduce_body",
    "rise",
    "round_section",
    "run_up",
    "screened_by",
    "solve_dynamics",
    "solve_statics",
    "spatial_row",
    "speeds",
    "sphere_in_cylinder",
    "sphere_in_sphere",
    "sphere_on_plane",
    "sphere_on_sphere",
    "stable_step",
    "stored_energy",
    "table",
    "teeth",
]
