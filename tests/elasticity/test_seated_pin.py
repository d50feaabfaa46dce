"""A pin in a groove that it fills, against finite elements and the half plane."""

import math

import numpy as np
import pytest

from flank.elasticity.finite_elements.elastic_plate import PlateBody, plate_loads, wave_count
from flank.elasticity.material import STEEL, Material
from flank.elasticity.seated_pin import groove_wall, seated_half


def test_the_seated_half_of_a_pin_is_that_of_elements() -> None:
    """A disc of finite elements in plane stress has the moduli of plane strain by E/(1 - ν²) and
    ν/(1 - ν); its rim is pressed by the harmonics of groove and force, n = 1 in balance."""
    nu = STEEL.poisson_ratio
    sheet = Material(STEEL.youngs_modulus / (1 - nu**2), nu / (1 - nu), STEEL.density)
    width = 0.01
    body = PlateBody(0.005, width, (), (), sheet, 2e-5)
    waves = body.rim_waves
    found = plate_loads(body, 2.5e-4).compliance
    groove, force = (np.zeros(wave_count(waves)) for _ in range(2))
    groove[0], force[0] = 2 / math.pi**2, 0.5 / math.pi
    groove[1], force[1] = 1 / math.pi, -1 / math.pi
    for n in range(2, waves + 1):
        if n % 2 == 0:
            groove[2 * n - 1] = -4 * (-1) ** (n // 2) / (math.pi**2 * (n**2 - 1))
        force[2 * n - 1] = (-1) ** n / math.pi
    # waves are 1/√(2π) and cos nθ/√π a radian
    scale = np.full(wave_count(waves), math.sqrt(math.pi))
    scale[0] = math.sqrt(2 * math.pi)
    seat, both = scale * groove, scale * (groove + force)
    given = seat @ found[: len(seat), : len(seat)] @ both
    assert width * given == pytest.approx(seated_half(STEEL), rel=0.02)


def test_the_wall_of_a_groove_is_a_half_plane_under_half_an_ellipse() -> None:
    """Mean of ln|x - x'| under that pressure is ln(r/2) - 1/4; a line force moves a half plane by
    2c [ln(d/|x|) - 1/(2 (1 - ν))] against the depth d below it (Flamant)."""
    x, step = np.linspace(-1, 1, 1500, retstep=True)
    x = x[:-1] + 0.5 * step
    density = np.sqrt(1 - x**2) * step * 2 / math.pi
    away = np.abs(x[:, None] - x)
    np.fill_diagonal(away, step * math.exp(-1.5))
    log = density @ np.log(away) @ density
    assert log == pytest.approx(math.log(0.5) - 0.25, abs=2e-3)
    nu, depth = STEEL.poisson_ratio, 1.5
    moved = 2 * STEEL.line_compliance * (math.log(depth) - log - 0.5 / (1 - nu))
    assert groove_wall(STEEL, depth) == pytest.approx(moved, rel=5e-3)
