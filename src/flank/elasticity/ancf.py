"""Energy, gradient and Hessian of one beam element in absolute nodal coordinates.

The gradient-deficient element of Gerstmayr & Shabana (2006, Nonlinear Dyn. 45, 109): position r and
slope r' = dr/ds at both ends, cubic Hermite between them, s the arc length of the stress-free
shape. Without shear and torsion its energy is

    U = ½ ∫ EA ε² + EI |K - κ₀ e_z|² ds,    ε = ½ (r'·r' - r₀'·r₀'),    K = (r' × r'')/(r'·r').

K is the turning of the tangent per reference length, so pure bending does not stretch the axis
(Gerstmayr & Irschik 2008, J. Sound Vib. 318, 461). It is smooth everywhere; no magnitude is taken.
A straight element has κ₀ = 0 and may turn any way in space. A curved one lies in the plane and
turns about z only: κ₀ e_z does not turn with it, and tilting it out of the plane is resisted.

Integration: ε at the three Lobatto points, K at the two Gauss points. That is the least that leaves
no deformation without energy (3 + 2 in the plane, 8 coordinates less 3 rigid motions; 3 + 4 in
space for 12 less 5), and of the rules that do it has the fewest demands on the stretch: one at a
node, one in an element, against four (in space six) coordinates a node, so thin elements do not
lock. Bending of a straight element is integrated exactly, and two Gauss points are where the
curvature of a cubic is most accurate.
"""

import math

from flank.kernel import kernel

STRETCH_POINTS = 3
BENDING_POINTS = 2

GAUSS = 0.5 / math.sqrt(3.0)
"""Distance of the Gauss points from the middle, in lengths."""

HESSIAN, GRADIENT, NODES = 0, 12, 13
"""Rows of an element's table: ∂²U/∂q², ∂U/∂q, and (three columns) r_a, r_a', r_b, r_b'."""

SLOPES, SLOPE_RATES, TANGENT, TANGENT_RATE = 17, 18, 19, 20
"""Scratch rows of it: N', N'' and r', r'', side by side."""

MEASURE, MOMENT, SHRINK, TWIST = 21, 24, 25, 26
"""Scratch rows of it: ∂d/∂q (three rows), d·∂d/∂q, and what δ²d is made of, see _add_point."""

TABLE_ROWS = 27


@kernel(internal=True)
def beam_energy(beam, geometric_factor, table):
    """Energy of one element with the NODES of its table; fills GRADIENT and HESSIAN.

    `geometric_factor` is one for the whole Hessian; zero leaves out what the forces at hand add, so
    that it has no negative directions.
    """
    for i in range(HESSIAN, GRADIENT + 1):
        for j in range(12):
            table[i, j] = 0.0
    energy = 0.0
    for k in range(STRETCH_POINTS + BENDING_POINTS):
        if k < STRETCH_POINTS:
            stiffness, square, spread = _stretching(beam, k, table)
        else:
            stiffness, square, spread = _bending(beam, k - STRETCH_POINTS, table)
        energy += 0.5 * stiffness * square
        _add_point(table, stiffness, geometric_factor * stiffness, spread)
    return energy


@kernel(internal=True)
def differentiate(share, length, table):
    """N', N'' of the Hermite polynomials and r', r'' of the NODES at s = `share` length.

    Positions enter by their difference, which keeps its digits far from the origin.
    """
    value = 6.0 * share * (share - 1.0) / length
    table[SLOPES, 0] = value
    table[SLOPES, 1] = (3.0 * share - 4.0) * share + 1.0
    table[SLOPES, 2] = -value
    table[SLOPES, 3] = (3.0 * share - 2.0) * share
    value = (12.0 * share - 6.0) / (length * length)
    table[SLOPE_RATES, 0] = value
    table[SLOPE_RATES, 1] = (6.0 * share - 4.0) / length
    table[SLOPE_RATES, 2] = -value
    table[SLOPE_RATES, 3] = (6.0 * share - 2.0) / length
    for c in range(3):
        chord = table[NODES + 2, c] - table[NODES, c]
        for k in range(2):
            table[TANGENT + k, c] = (
                table[SLOPES + k, 2] * chord
                + table[SLOPES + k, 1] * table[NODES + 1, c]
                + table[SLOPES + k, 3] * table[NODES + 3, c]
            )


@kernel(internal=True)
def _stretching(beam, k, table):
    """Lobatto point k: d = (ε, 0, 0), δε = r'·δr', δ²ε = δr'·δr'."""
    differentiate(0.5 * k, beam.length, table)
    square = 0.0
    for c in range(3):
        tangent = table[TANGENT, c]
        square += tangent * tangent
        table[TWIST, c] = 0.0
        for i in range(4):
            table[MEASURE, 3 * i + c] = table[SLOPES, i] * tangent
    strain = 0.5 * (square - beam.squared_slope[k])
    for p in range(12):
        table[MEASURE + 1, p] = 0.0
        table[MEASURE + 2, p] = 0.0
        table[MOMENT, p] = strain * table[MEASURE, p]
        table[SHRINK, p] = 0.0
    weight = beam.length / (1.5 if k == 1 else 6.0)
    return weight * beam.axial_stiffness, strain * strain, strain


@kernel(internal=True)
def _bending(beam, k, table):
    """Gauss point k: d = K - κ₀ e_z. With u = r', w = r'', n = u·u:

    δK = (δu × w + u × δw - 2 K u·δu)/n
    d·δ²K = [2 d·(δu × δw) - 4 (d·δK)(u·δu) - 2 (d·K)(δu·δu)]/n
    """
    differentiate(0.5 + (2 * k - 1) * GAUSS, beam.length, table)
    ux, uy, uz = table[TANGENT, 0], table[TANGENT, 1], table[TANGENT, 2]
    wx, wy, wz = table[TANGENT_RATE, 0], table[TANGENT_RATE, 1], table[TANGENT_RATE, 2]
    inverse = 1.0 / (ux * ux + uy * uy + uz * uz)
    kx = (uy * wz - uz * wy) * inverse
    ky = (uz * wx - ux * wz) * inverse
    kz = (ux * wy - uy * wx) * inverse
    dz = kz - beam.curvature[k]
    table[TWIST, 0] = kx * inverse
    table[TWIST, 1] = ky * inverse
    table[TWIST, 2] = dz * inverse
    for i in range(4):
        slope = table[SLOPES, i] * inverse
        rate = table[SLOPE_RATES, i] * inverse
        table[SHRINK, 3 * i] = 2.0 * slope * ux
        table[SHRINK, 3 * i + 1] = 2.0 * slope * uy
        table[SHRINK, 3 * i + 2] = 2.0 * slope * uz
        # N' (δ × w) + N'' (u × δ) = (N'' u - N' w) × δ
        _set_cross(
            table, 3 * i, rate * ux - slope * wx, rate * uy - slope * wy, rate * uz - slope * wz
        )
    for p in range(12):
        table[MEASURE, p] -= kx * table[SHRINK, p]
        table[MEASURE + 1, p] -= ky * table[SHRINK, p]
        table[MEASURE + 2, p] -= kz * table[SHRINK, p]
        table[MOMENT, p] = (
            kx * table[MEASURE, p] + ky * table[MEASURE + 1, p] + dz * table[MEASURE + 2, p]
        )
    bent = kx * kx + ky * ky
    stiffness = 0.5 * beam.length * beam.bending_stiffness
    return stiffness, bent + dz * dz, -2.0 * inverse * (bent + kz * dz)


@kernel(internal=True)
def _set_cross(table, column, x, y, z):
    """The matrix of the product (x, y, z) × into the rows MEASURE."""
    table[MEASURE, column] = 0.0
    table[MEASURE, column + 1] = -z
    table[MEASURE, column + 2] = y
    table[MEASURE + 1, column] = z
    table[MEASURE + 1, column + 1] = 0.0
    table[MEASURE + 1, column + 2] = -x
    table[MEASURE + 2, column] = -y
    table[MEASURE + 2, column + 1] = x
    table[MEASURE + 2, column + 2] = 0.0


@kernel(internal=True)
def _add_point(table, stiffness, turning, spread):
    """Add the derivatives of ½ stiffness |d|²: stiffness δd·δd + turning d·δ²d with

    d·δ²d = spread δu·δu + 2 t·(δu × δw) - 2 (d·δd) σ(δu),

    t the row TWIST and σ the row SHRINK. 2 t·(δu × δw) is δuᵀ(-[t]×)δw and its transpose.
    """
    x = table[TWIST, 0]
    y = table[TWIST, 1]
    z = table[TWIST, 2]
    for p in range(12):
        table[GRADIENT, p] += stiffness * table[MOMENT, p]
        for q in range(12):
            total = 0.0
            for c in range(3):
                total += table[MEASURE + c, p] * table[MEASURE + c, q]
            mixed = table[MOMENT, p] * table[SHRINK, q] + table[SHRINK, p] * table[MOMENT, q]
            table[HESSIAN + p, q] += stiffness * total - turning * mixed
    for i in range(4):
        slope = turning * table[SLOPES, i]
        rate = turning * table[SLOPE_RATES, i]
        for j in range(4):
            both = spread * slope * table[SLOPES, j]
            swap = rate * table[SLOPES, j] - slope * table[SLOPE_RATES, j]
            row = HESSIAN + 3 * i
            column = 3 * j
            table[row, column] += both
            table[row, column + 1] -= swap * z
            table[row, column + 2] += swap * y
            table[row + 1, column] += swap * z
            table[row + 1, column + 1] += both
            table[row + 1, column + 2] -= swap * x
            table[row + 2, column] -= swap * y
            table[row + 2, column + 1] += swap * x
            table[row + 2, column + 2] += both
