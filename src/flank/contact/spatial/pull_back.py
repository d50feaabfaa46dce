"""A potential of a point of B seen from A, as forces on both bodies and their tangent.

Bodies have position x and rotation R; rotations change by a vector of space, R → exp(α) R. The
point p = x_B + s, s fixed in B, is seen from A at q = R_Aᵀ (p - x_A). Of a potential U(q) with the
gradient g and the Hessian H, both along the axes of space, and a = p - x_A, the second order of

    δq = δx_B - δx_A + β x s - α x a
         - α x (δx_B - δx_A + β x s) + α x (α x a)/2 + β x (β x s)/2

gives the force -Gᵀg with G = (-1, [a], 1, -[s]) and the tangent

    Gᵀ H G  + at (α, x_B) [g],  (α, x_A) -[g],  (α, β) -[g][s],
              (α, α) sym(a gᵀ) - a·g,  (β, β) sym(s gᵀ) - s·g        and transposes,

exactly, where [a] is the matrix of a x. Order of coordinates: x_A, α, x_B, β. This is the Hessian
in the coordinates α, β. The derivative of a torque t, which is that of R → exp(α) R taken anew at
every R, has [t]/2 besides, for rotations do not commute; who assembles adds it for the sum of all.
"""

from flank.contact.spatial.vectors import cross, dot
from flank.kernel import kernel


@kernel(internal=True)
def add_gradient(gradient, a, s, factor, out):
    """Add factor x Gᵀg to the twelve numbers of `out`; -1 for the force of a potential."""
    g = (factor * gradient[0], factor * gradient[1], factor * gradient[2])
    about_a = cross(a, g)  # [a]ᵀ g = -a x g
    about_b = cross(s, g)
    for i in range(3):
        out[i] -= g[i]
        out[3 + i] -= about_a[i]
        out[6 + i] += g[i]
        out[9 + i] += about_b[i]


@kernel(internal=True)
def add_hessian(hessian, a, s, block, scratch):
    """Add Gᵀ H G to the 12 x 12 `block`; `scratch` has room for 3 x 12 numbers. H need not be
    symmetric: the same holds for a matrix that turns motion of the point into force."""
    for i in range(3):
        row = (hessian[i, 0], hessian[i, 1], hessian[i, 2])
        by_a = cross(row, a)  # row of H times [a]
        by_b = cross(s, row)
        for k in range(3):
            scratch[i, k] = -row[k]
            scratch[i, 3 + k] = by_a[k]
            scratch[i, 6 + k] = row[k]
            scratch[i, 9 + k] = by_b[k]
    for j in range(12):
        column = (scratch[0, j], scratch[1, j], scratch[2, j])
        about_a = cross(a, column)
        about_b = cross(s, column)
        for k in range(3):
            block[k, j] -= column[k]
            block[3 + k, j] -= about_a[k]
            block[6 + k, j] += column[k]
            block[9 + k, j] += about_b[k]


@kernel(internal=True)
def add_turning(gradient, a, s, factor, block):
    """Add factor x what the turning of g with A, of a and of s brings to the tangent."""
    for i in range(3):
        for j in range(3):
            g = factor * cross_matrix(gradient, i, j)
            block[3 + i, 6 + j] += g
            block[6 + j, 3 + i] += g
            block[3 + i, j] -= g
            block[j, 3 + i] -= g
            product = 0.0  # [g][s] = s gᵀ - g·s
            if i == j:
                product -= dot(gradient, s)
            product += s[i] * gradient[j]
            block[3 + i, 9 + j] -= factor * product
            block[9 + j, 3 + i] -= factor * product
    add_arm(gradient, a, factor, 3, block)
    add_arm(gradient, s, factor, 9, block)


@kernel(internal=True)
def add_arm(gradient, arm, factor, first, block):
    """sym(a gᵀ) - a·g on the diagonal block of a rotation."""
    projection = dot(gradient, arm)
    for i in range(3):
        for j in range(3):
            half = 0.5 * (arm[i] * gradient[j] + arm[j] * gradient[i])
            block[first + i, first + j] += factor * half
        block[first + i, first + i] -= factor * projection


@kernel(internal=True)
def add_dot_turning(u, w, factor, block):
    """Add factor x the second order of u·w, u fixed in A and w in B."""
    along = dot(u, w)
    add_arm(u, w, factor, 3, block)
    add_arm(u, w, factor, 9, block)
    for i in range(3):
        block[3 + i, 9 + i] += factor * along
        block[9 + i, 3 + i] += factor * along
        for j in range(3):
            block[3 + i, 9 + j] -= factor * w[i] * u[j]
            block[9 + j, 3 + i] -= factor * w[i] * u[j]


@kernel(internal=True)
def cross_matrix(v, i, j):
    """Entry of [v], the matrix of v x."""
    if i == j:
        return 0.0
    if j == (i + 1) % 3:
        return -v[(i + 2) % 3]
    return v[(i + 1) % 3]
