"""The rows that describe bodies' joints, springs, loads, beams and functions of time."""

import numpy as np

from flank.arrays import row_type

GROUND = 0
"""Body 0 is the inertial frame: it has a pose and no unknowns."""

CONSTANT, LINEAR, RUN_UP, RISE, TABLE, HARMONIC, SPEEDS = range(7)
"""Functions of time."""

FUNCTION = row_type(
    [
        ("kind", np.int64),
        ("offset", np.float64),
        ("scale", np.float64),
        ("duration", np.float64),  # smooth start of RUN_UP and RISE; period of HARMONIC and TABLE
        ("data_start", np.int64),  # TABLE and SPEEDS: pairs (time, value), sorted
        ("count", np.int64),
    ]
)

REVOLUTE, FIXED, ROTATION, GEAR, TOOTH = range(5)
"""Joints. TOOTH: the gap of a gear mesh stays as it is on one flank."""

NONE_HELD = -1
HELD = ((0, 1), (0, 1, 2), (2,), (2,), (NONE_HELD,))
"""Of each scalar constraint of each kind of joint the coordinate of its bodies that it holds: where
its row has ±1 in any pose."""

EQUATIONS = tuple(map(len, HELD))
"""How many each kind has."""

JOINT = row_type(
    [
        ("kind", np.int64),
        ("body_a", np.int64),
        ("body_b", np.int64),
        ("first", np.int64),  # its first multiplier
        ("function", np.int64),  # ROTATION: θ_b - θ_a = function(t)
        ("a_x", np.float64),
        ("a_y", np.float64),
        ("b_x", np.float64),
        ("b_y", np.float64),
        ("ratio", np.float64),  # GEAR: θ_a = ratio θ_b + angle
        ("angle", np.float64),  # TOOTH: as of a MESH, with a phase of zero where it begins
        ("a_base_radius", np.float64),  # TOOTH
        ("b_base_radius", np.float64),
        ("flank", np.float64),
        ("offset", np.float64),  # TOOTH: R inv α where it begins
    ]
)

BUSHING, TORSION, MESH, GUIDE, FLEXIBLE_MESH, MODES, COUPLED = range(7)
"""Springs. MESH: teeth of two involute gears; GUIDE: a bushing stiff along one line. FLEXIBLE_MESH:
teeth of gears that have modes; MODES: what holds three of their coordinates, B, at a gear A.
COUPLED: a block of the stiffness of an elastic body, displacements measured on a third body."""

SPRING = row_type(
    [
        ("kind", np.int64),
        ("body_a", np.int64),
        ("body_b", np.int64),
        ("a_x", np.float64),
        ("a_y", np.float64),
        ("b_x", np.float64),
        ("b_y", np.float64),
        # N/m, or N·m/rad, the largest where it varies; MESH with a table: factor of its stiffness
        ("stiffness", np.float64),
        ("damping", np.float64),  # N·s/m, or N·m·s/rad
        (
            "angle",
            np.float64,
        ),  # TORSION: where it is relaxed; MESH: θ_b - β where centred; GUIDE: of its line on A
        ("dead_band", np.float64),  # full width without force: TORSION in rad, MESH in m
        ("a_base_radius", np.float64),  # MESH
        ("b_base_radius", np.float64),  # negative for a ring
        ("centre_distance", np.float64),  # MESH: where the dead band is as given
        ("flank", np.float64),  # MESH: ±1 holds this flank both ways; zero: both push
        # MESH: row of the tooth pairs whose table it reads, -1 for none; MODES and COUPLED: of its
        # numbers
        ("pair", np.int64),
        ("roll_offset", np.float64),  # MESH: how far a slice across the face is ahead, m
        ("separation", np.float64),  # MESH: taken off the teeth of this slice, m
        ("always_damped", np.float64),  # MESH: one where its damper acts without contact, too
        ("function", np.int64),  # of a stiffness that varies; -1 for a constant one
        ("follows", np.int64),  # the body whose angle the function is given; -1 for time
        ("frame", np.int64),  # COUPLED: the body C
    ]
)

LOAD = row_type(
    [
        ("body", np.int64),
        ("function", np.int64),
        ("direction_x", np.float64),  # of the force in the inertial frame; zero for a torque
        ("direction_y", np.float64),
        ("torque", np.float64),  # factor of a pure torque
        ("x", np.float64),  # where the force acts, body frame
        ("y", np.float64),
    ]
)

BEAM = row_type(
    [
        ("rows", np.int64, 4),  # position and slope of its first node, then of its second
        ("length", np.float64),  # of the stress-free axis
        ("axial_stiffness", np.float64),  # EA in N
        ("bending_stiffness", np.float64),  # EI in N·m²
        ("squared_slope", np.float64, 3),  # r₀'·r₀' where the stretch is measured
        ("curvature", np.float64, 2),  # κ₀ where the bending is measured
        ("mass", np.float64, (4, 4)),  # between rows, the same for each of their coordinates
    ]
)
