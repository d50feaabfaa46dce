"""The rows that describe contacts of spatial bodies and what they report.

A contact is a sphere on body B against a surface on body A: distance field x power law x friction.
The surface has its own frame on A, its rows x, y, z unit vectors: of a track, x points to its
bottom, y across it and z along it.
"""

import numpy as np

PLANE, ARC, ELLIPSE, INSIDE_SPHERE, OUTSIDE_SPHERE = range(5)
"""Distance fields.

PLANE: through the origin, x points to where the sphere is. ARC: a straight track, its section an
arc of `radius` about `centre`. ELLIPSE: a straight track, its section an ellipse of `semi_axes`
about the origin, along x and y. INSIDE_SPHERE, OUTSIDE_SPHERE: about the origin.
"""

SPATIAL_CONTACT = np.dtype(
    [
        ("field", np.int64),
        ("body_a", np.int64),  # carries the surface
        ("body_b", np.int64),  # carries the sphere
        ("origin", np.float64, 3),  # of the surface, in A's frame
        ("frame", np.float64, (3, 3)),  # rows: x, y, z of the surface, in A's frame
        ("arm", np.float64, 3),  # centre of the sphere, in B's frame
        ("sphere_radius", np.float64),
        ("radius", np.float64),  # ARC, INSIDE_SPHERE, OUTSIDE_SPHERE
        ("centre", np.float64, 2),  # ARC: x, y
        ("semi_axes", np.float64, 2),  # ELLIPSE: along x, along y
        ("side", np.float64),  # ARC, ELLIPSE: ±1, the flank where y has this sign; zero: all of it
        ("stiffness", np.float64),  # K of K δ^n
        ("exponent", np.float64),
        ("damping", np.float64),  # Hunt-Crossley, s/m
        ("sliding_friction", np.float64),  # μ_r
        ("static_friction", np.float64),  # μ_0
        ("static_velocity", np.float64),  # v_g1, over which static friction fades, m/s
        ("stick_velocity", np.float64),  # v_g2, below which friction is viscous, m/s
        ("drilling_length", np.float64),  # ρ of the drilling radius ρ F^(1/3), m/N^(1/3)
    ]
)

SPATIAL_TOUCH = np.dtype(
    [
        ("gap", np.float64),
        ("normal_force", np.float64),
        ("stiffness", np.float64),  # dF/dδ
        ("normal", np.float64, 3),  # in space, the way the sphere is pushed
        ("point", np.float64, 3),  # in space, halfway between the surfaces
        ("friction", np.float64, 3),  # in space, force on the sphere
        ("drilling", np.float64),  # torque on the sphere about the normal
        ("sliding", np.float64, 3),  # velocity of the sphere over the surface, in space
        ("spin", np.float64),  # how fast the sphere turns about the normal over the surface
        ("friction_power", np.float64),  # that friction takes, W, not negative
        ("damping_power", np.float64),  # that damping takes, W
    ]
)
"""What a contact reports of its last evaluation; all but the gap is zero where it is open."""
