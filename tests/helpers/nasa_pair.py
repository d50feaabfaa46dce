"""The spiral bevel pair 12/36 of NASA CR-191009 (Bibel, Reddy, Kumar 1994), from its settings.

Flanks by the report's own closed formulas, lengths in inch until the end. With gear blades of
21° 25' instead of the printed 22° both members match at mid-flank; the four published points
belong to 22°.
"""

from dataclasses import dataclass, replace

import numpy as np

INCH = 0.0254
MEAN_CONE_DISTANCE, FACE_WIDTH = 3.191, 1.0


@dataclass(frozen=True)
class Cut:
    """One flank: settings of the machine (inch, degrees) and its blank."""

    hand: float
    cutter_radius: float
    blade_angle: float
    radial: float
    cradle: float
    roll: float
    offset: float
    vector_sum: float
    start: tuple[float, float, float]
    pitch_angle: float
    dedendum_angle: float
    addendum_angle: float
    clearance: float

    @property
    def root_angle(self):
        return np.radians(self.pitch_angle - self.dedendum_angle)


_PINION = {"hand": 1.0, "pitch_angle": 18.4333333, "dedendum_angle": 1.56666666}
_PINION |= {"addendum_angle": 3.8833334, "clearance": 0.03}
_GEAR = {"hand": -1.0, "radial": 2.85995004691, "cradle": 59.2342023, "roll": 0.9508646}
_GEAR |= {"offset": 0.0, "vector_sum": 0.0, "pitch_angle": 71.5666666, "clearance": 0.0366}
_GEAR |= {"dedendum_angle": 3.8833333333, "addendum_angle": 1.5666666}

PINION_CONCAVE = Cut(
    cutter_radius=2.96562137806,
    blade_angle=161.954330248,
    radial=2.94780202969,
    cradle=63.9420304635,
    roll=0.30838512709,
    offset=0.154575896,
    vector_sum=0.0384999977874,
    start=(9.59703, 126.83544, -0.85813),
    **_PINION,
)
PINION_CONVEX = Cut(
    cutter_radius=3.071306157,
    blade_angle=24.337423854,
    radial=2.80104946,
    cradle=53.9259945467,
    roll=0.3220428536,
    offset=-0.17426159493,
    vector_sum=-0.0518138227,
    start=(7.42534, 124.43689, -11.38663),
    **_PINION,
)
GEAR_CONCAVE = Cut(
    cutter_radius=3.0325, blade_angle=158.0, start=(8.12602, 233.98994, -0.35063), **_GEAR
)
GEAR_CONVEX = Cut(
    cutter_radius=2.9675, blade_angle=22.0, start=(7.89156, 234.95451, -12.3384), **_GEAR
)
MATCHED_CONVEX = replace(GEAR_CONVEX, blade_angle=21 + 25 / 60)
MATCHED_CONCAVE = replace(GEAR_CONCAVE, blade_angle=180 - 21 - 25 / 60)


def _generated(cut, x):
    """Points of work (k, 3) and residual of meshing, at x = (u, θ, φ) in rad."""
    u, th, phi = x.T
    psi, g, q, h = np.radians(cut.blade_angle), cut.root_angle, np.radians(cut.cradle), cut.hand
    r, s, e, m = cut.cutter_radius, cut.radial, cut.offset, cut.roll
    sp, cp, sg, cg = np.sin(psi), np.cos(psi), np.sin(g), np.cos(g)
    x0 = r * cp / sp - u * cp
    y0, z0 = u * sp * np.sin(th), u * sp * np.cos(th) + s
    a = h * (q - phi)
    y1 = y0 * np.cos(a) - z0 * np.sin(a) + h * e
    z1 = y0 * np.sin(a) + z0 * np.cos(a) + cut.vector_sum
    x2, z2 = x0 * cg + z1 * sg, -x0 * sg + z1 * cg
    b = -h * phi / m
    point = np.stack((x2 * np.cos(b) - y1 * np.sin(b), x2 * np.sin(b) + y1 * np.cos(b), z2), -1)
    tau = th - h * q + h * phi
    meshing = (u - r * cp**2 / sp) * cg * np.sin(tau)
    meshing += s * ((m - sg) * cp * np.sin(th) - h * cg * sp * np.sin(q - phi))
    meshing += h * e * (cg * sp + sg * cp * np.cos(tau)) - cut.vector_sum * sg * cp * np.sin(tau)
    return point, meshing


def _targets(cut, face, height):
    g, c = cut.root_angle, cut.clearance
    delta = np.radians(cut.dedendum_angle)
    z_m = (MEAN_CONE_DISTANCE - FACE_WIDTH / 2) * np.cos(delta) + face * FACE_WIDTH
    z_m = z_m * np.cos(g) - c * np.sin(g)
    r_m = z_m * np.tan(g) + c / np.cos(g)
    depth = z_m * np.tan(delta + np.radians(cut.addendum_angle)) / np.cos(g) - c
    return z_m - height * depth * np.sin(g), r_m + height * depth * np.cos(g)


def flank_points(cut, face, height):
    """Points (..., 3) in m at face 0..1 from toe to heel and height 0..1 from root to tip."""
    face, height = np.broadcast_arrays(np.asarray(face, float), np.asarray(height, float))
    z, radius = _targets(cut, face.ravel(), height.ravel())
    z0, r0 = _targets(cut, np.zeros(1), np.zeros(1))
    start = np.array([cut.start[0], *np.radians(cut.start[1:])])
    x = np.tile(start, (face.size, 1))
    for share in np.linspace(0.1, 1.0, 10):  # from the published corner, on
        x = _solve(cut, x, z0 + share * (z - z0), r0 + share * (radius - r0))
    return (_generated(cut, x)[0] * INCH).reshape((*face.shape, 3))


def _solve(cut, x, z, radius):
    def residual(x):
        point, meshing = _generated(cut, x)
        return np.stack((meshing, point[:, 2] - z, np.hypot(*point[:, :2].T) - radius), -1)

    for _ in range(12):
        value = residual(x)
        jacobian = np.empty((len(x), 3, 3))
        for k in range(3):
            step = np.zeros(3)
            step[k] = 1e-6
            jacobian[:, :, k] = (residual(x + step) - residual(x - step)) / 2e-6
        x = x - np.linalg.solve(jacobian, value[..., None])[..., 0]
    return x


def flank_grid(cut, profile=25, lengthwise=35):
    """Grid (profile, lengthwise, 3) in m, as flanks are given."""
    return flank_points(cut, np.linspace(0, 1, lengthwise), np.linspace(0, 1, profile)[:, None])
