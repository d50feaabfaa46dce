"""Teeth of two gears in space as a spring along their line of action.

The gears turn about axes a_i that stand still; their teeth meet at a point P and push along n, out
of A and into B. With u_i the shift of a gear's centre, θ_i its twist about its axis, w_i the axis
as it leans, L_i = (P - x_i) x n and the base pitch p, z teeth to a turn, they are pressed by

    x = n·(u_A - u_B) + (L_A x a_A)·w_A - (L_B x a_B)·w_B + p/2π ⟨±z_A θ_A ± z_B θ_B⟩

where ⟨⟩ takes whole turns away: a tooth on, all is as before, so that gears may turn for ever.
Forces are those of the potential k x²/2, x beyond half of the backlash on either side; without
shift and lean they are a force along n at P.

A twist θ = atan2(v·d, u·d) of a mark d has the gradient d x q with q = (c v - s u)/(c² + s²), and
the second order sym(q dᵀ) - 2 sym(e hᵀ), e that gradient and h = d x (c u + s v)/(c² + s²).
"""

import math

import numpy as np

from flank.arrays import Floats
from flank.dynamics.scatter import add_element, add_forces
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.spatial.rotation import add_cross, apply, dot
from flank.dynamics.trajectory import SpatialTrajectory
from flank.kernel import kernel

FORCES, GRADIENT, MARK, SPINDLE, TWIST, STRETCH, TILT = range(7)
"""Rows of the scratch; from MARK on a gear has three of twelve numbers, the second from the sixth
on: d, w, q, (c u + s v)/(c² + s²), and L x a."""


@kernel(internal=True)
def add_meshes(model, state, target):
    """Forces, tangent and energy of all meshes."""
    energy = 0.0
    element = target.element
    for k in range(model.mesh_count):
        mesh = model.meshes[k]
        pressed = _beyond(_approach(mesh, state.position, state.matrix, element), mesh.backlash)
        closed = pressed != 0.0 or mesh.backlash == 0.0
        rate = _rate(mesh, state.velocity, element)
        spring = mesh.stiffness * pressed
        force = spring + mesh.damping * rate if closed else 0.0
        stiffness = mesh.stiffness + target.rate_factor * mesh.damping if closed else 0.0
        for i in range(12):
            element[FORCES, i] = -force * element[GRADIENT, i]
        for i in range(12):
            for j in range(12):
                target.block[i, j] = stiffness * element[GRADIENT, i] * element[GRADIENT, j]
        for gear in range(2):
            _add_turning(mesh, gear, target.geometric_factor * spring, element, target.block)
        add_forces(target, mesh.body_a, mesh.body_b, element[FORCES])
        add_element(target, mesh.body_a, mesh.body_b)
        energy += 0.5 * spring * pressed
    return energy


@kernel(internal=True)
def mesh_power(model, state, element):
    """Power that the dampers take, W."""
    power = 0.0
    for k in range(model.mesh_count):
        mesh = model.meshes[k]
        pressed = _beyond(_approach(mesh, state.position, state.matrix, element), mesh.backlash)
        if pressed != 0.0 or mesh.backlash == 0.0:
            power += mesh.damping * _rate(mesh, state.velocity, element) ** 2
    return power


@kernel(internal=True)
def _approach(mesh, position, matrix, element):
    """x; fills its gradient and what its second order needs."""
    shift = 0.0
    phase = 0.0
    for gear in range(2):
        sign = 1.0 - 2.0 * gear
        body = mesh.body_a if gear == 0 else mesh.body_b
        first = 6 * gear
        mark = element[MARK, first : first + 3]
        spindle = element[SPINDLE, first : first + 3]
        twist = element[TWIST, first : first + 3]
        stretch = element[STRETCH, first : first + 3]
        tilt = element[TILT, first : first + 3]
        apply(matrix[body], mesh.mark[gear], mark)
        apply(matrix[body], mesh.spindle[gear], spindle)
        s = dot(mesh.beside[gear], mark)
        c = dot(mesh.across[gear], mark)
        scale = 1.0 / (c * c + s * s)
        for i in range(3):
            shift += sign * mesh.normal[i] * (position[body, i] - mesh.origin[gear, i])
            twist[i] = scale * (c * mesh.beside[gear, i] - s * mesh.across[gear, i])
            stretch[i] = scale * (c * mesh.across[gear, i] + s * mesh.beside[gear, i])
            tilt[i] = 0.0
            element[GRADIENT, first + i] = sign * mesh.normal[i]
            element[GRADIENT, first + 3 + i] = 0.0
        add_cross(mesh.arm[gear], mesh.axis[gear], sign, tilt)
        shift += dot(tilt, spindle)
        phase += mesh.teeth[gear] * math.atan2(s, c)
        gradient = element[GRADIENT, first + 3 : first + 6]
        add_cross(mark, twist, mesh.pitch * mesh.teeth[gear], gradient)
        add_cross(spindle, tilt, 1.0, gradient)
    revolutions = math.floor(phase / (2.0 * math.pi) + 0.5)
    return shift + mesh.pitch * (phase - 2.0 * math.pi * revolutions)


@kernel(internal=True)
def _beyond(x, backlash):
    """What is left of x outside of ± half the backlash."""
    if x > 0.5 * backlash:
        return x - 0.5 * backlash
    if x < -0.5 * backlash:
        return x + 0.5 * backlash
    return 0.0


@kernel(internal=True)
def _rate(mesh, velocity, element):
    rate = 0.0
    for i in range(6):
        rate += element[GRADIENT, i] * velocity[mesh.body_a, i]
        rate += element[GRADIENT, 6 + i] * velocity[mesh.body_b, i]
    return rate


@kernel(internal=True)
def _add_turning(mesh, gear, force, element, block):
    """Force times the second order of x by the rotation of one gear."""
    first = 6 * gear
    mark = element[MARK, first : first + 3]
    spindle = element[SPINDLE, first : first + 3]
    twist = element[TWIST, first : first + 3]
    tilt = element[TILT, first : first + 3]
    turned = element[TILT + 1, 0:3]
    stretched = element[TILT + 1, 3:6]
    for i in range(6):
        element[TILT + 1, i] = 0.0
    add_cross(mark, twist, 1.0, turned)
    add_cross(mark, element[STRETCH, first : first + 3], 1.0, stretched)
    lean = dot(tilt, spindle)
    scale = mesh.pitch * mesh.teeth[gear]
    for i in range(3):
        for j in range(3):
            second = 0.5 * (twist[i] * mark[j] + mark[i] * twist[j])
            second -= turned[i] * stretched[j] + stretched[i] * turned[j]
            second *= scale
            second += 0.5 * (tilt[i] * spindle[j] + spindle[i] * tilt[j])
            if i == j:
                second -= lean
            block[first + 3 + i, first + 3 + j] += force * second


def mesh_approach(mesh: np.void, trajectory: SpatialTrajectory) -> tuple[Floats, Floats]:
    """x beyond the backlash in m and its rate in m/s, over time; the rate is zero within it."""
    x, phase, rate = (np.zeros(len(trajectory.time)) for _ in range(3))
    for gear, body in enumerate((int(mesh["body_a"]), int(mesh["body_b"]))):
        sign, turned = 1.0 - 2.0 * gear, matrix_of(trajectory.rotation[:, body])
        mark, spindle = turned @ mesh["mark"][gear], turned @ mesh["spindle"][gear]
        across, beside = mesh["across"][gear], mesh["beside"][gear]
        tilt = sign * np.cross(mesh["arm"][gear], mesh["axis"][gear])
        shift = trajectory.position[:, body] - mesh["origin"][gear]
        s, c = (mark @ beside)[:, None], (mark @ across)[:, None]
        twist = np.cross(mark, (c * beside - s * across) / (c**2 + s**2))
        gradient = mesh["pitch"] * mesh["teeth"][gear] * twist + np.cross(spindle, tilt)
        x += sign * shift @ mesh["normal"] + spindle @ tilt
        phase += mesh["teeth"][gear] * np.arctan2(s, c)[:, 0]
        rate += sign * trajectory.velocity[:, body, :3] @ mesh["normal"]
        rate += np.einsum("ti,ti->t", gradient, trajectory.velocity[:, body, 3:])
    x += mesh["pitch"] * (phase - 2 * np.pi * np.round(phase / (2 * np.pi)))
    pressed = np.sign(x) * np.maximum(np.abs(x) - 0.5 * mesh["backlash"], 0.0)
    return pressed, np.where((pressed != 0) | (mesh["backlash"] == 0), rate, 0.0)
