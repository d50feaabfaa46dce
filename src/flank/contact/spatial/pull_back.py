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

from flank.kernel import kernel


@kernel(internal=True)
def add_gradient(gradient, a, s, factor, out):
    """Add factor x Gᵀg to the twelve numbers of `out`; -1 for the force of a potential."""
    gx = factor * gradient[0]
    gy = factor * gradient[1]
    gz = factor * gradient[2]
    out[0] -= gx
    out[1] -= gy
    out[2] -= gz
    out[3] -= a[1] * gz - a[2] * gy  # [a]ᵀ g = -a x g
    out[4] -= a[2] * gx - a[0] * gz
    out[5] -= a[0] * gy - a[1] * gx
    out[6] += gx
    out[7] += gy
    out[8] += gz
    out[9] += s[1] * gz - s[2] * gy
    out[10] += s[2] * gx - s[0] * gz
    out[11] += s[0] * gy - s[1] * gx


@kernel(internal=True)
def add_hessian(hessian, a, s, block, scratch):
    """Add Gᵀ H G to the 12 x 12 `block`; `scratch` has room for 3 x 12 numbers. H need not be
    symmetric: the same holds for a matrix that turns motion of the point into force."""
    for i in range(3):
        hx = hessian[i, 0]
        hy = hessian[i, 1]
        hz = hessian[i, 2]
        scratch[i, 0] = -hx
        scratch[i, 1] = -hy
        scratch[i, 2] = -hz
        scratch[i, 3] = hy * a[2] - hz * a[1]  # row of H times [a]
        scratch[i, 4] = hz * a[0] - hx * a[2]
        scratch[i, 5] = hx * a[1] - hy * a[0]
        scratch[i, 6] = hx
        scratch[i, 7] = hy
        scratch[i, 8] = hz
        scratch[i, 9] = hz * s[1] - hy * s[2]
        scratch[i, 10] = hx * s[2] - hz * s[0]
        scratch[i, 11] = hy * s[0] - hx * s[1]
    for j in range(12):
        x = scratch[0, j]
        y = scratch[1, j]
        z = scratch[2, j]
        block[0, j] -= x
        block[1, j] -= y
        block[2, j] -= z
        block[3, j] -= a[1] * z - a[2] * y
        block[4, j] -= a[2] * x - a[0] * z
        block[5, j] -= a[0] * y - a[1] * x
        block[6, j] += x
        block[7, j] += y
        block[8, j] += z
        block[9, j] += s[1] * z - s[2] * y
        block[10, j] += s[2] * x - s[0] * z
        block[11, j] += s[0] * y - s[1] * x


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
                product -= gradient[0] * s[0] + gradient[1] * s[1] + gradient[2] * s[2]
            product += s[i] * gradient[j]
            block[3 + i, 9 + j] -= factor * product
            block[9 + j, 3 + i] -= factor * product
    add_arm(gradient, a, factor, 3, block)
    add_arm(gradient, s, factor, 9, block)


@kernel(internal=True)
def add_arm(gradient, arm, factor, first, block):
    """sym(a gᵀ) - a·g on the diagonal block of a rotation."""
    along = gradient[0] * arm[0] + gradient[1] * arm[1] + gradient[2] * arm[2]
    for i in range(3):
        for j in range(3):
            half = 0.5 * (arm[i] * gradient[j] + arm[j] * gradient[i])
            block[first + i, first + j] += factor * half
        block[first + i, first + i] -= factor * along


@kernel(internal=True)
def cross_matrix(v, i, j):
    """Entry of [v], the matrix of v x."""
    if i == j:
        return 0.0
    if j == (i + 1) % 3:
        return -v[(i + 2) % 3]
    return v[(i + 1) % 3]
