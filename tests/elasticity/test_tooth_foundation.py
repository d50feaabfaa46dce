"""Published foundations of a tooth: Sainsot's polynomials against the exact ring, both against
finite elements, and what the spec refuses."""

import math
from dataclasses import replace

import numpy as np
import pytest
from gear_stand import BOTH, gear, standard_pair
from plane_tooth import PlaneTooth

import flank
from flank.elasticity.gear_body import _harmonics, _uniform
from flank.elasticity.material import STEEL
from flank.elasticity.mesh_stiffness import mesh_stiffness
from flank.elasticity.tooth import tooth_compliance
from flank.elasticity.tooth_foundation import sainsot_factors
from flank.errors import SpecError
from flank.geometry.gear_pair import GearPair
from flank.geometry.tooth_outline import half_outline


def ring(ratio, half_angle):
    """L, M, P and Q of the ring in plane strain, ν = 0.3, in the middle of the loaded strip.

    Linear radial, constant shear and constant radial stress; the tooth turns by V/r - U'/r, and the
    moment has no torque about the ring's centre. Fejér's means of the sums.
    """
    order = np.arange(1, 40_000, dtype=float)
    radial, mixed, tangential = _harmonics(order, 1.0, 1 / ratio, STEEL)
    x = order * half_angle
    flat, bent = np.sin(x) / x, 3 * (np.sin(x) - x * np.cos(x)) / x**3
    fade = (1 - order / (order[-1] + 1)) / math.pi
    pressed, twisted = (each / (2 * math.pi) for each in _uniform(1.0, 1 / ratio, STEEL))
    thick = 2 * half_angle
    shear = np.sum(tangential * flat * fade) + twisted
    slope = np.sum(radial * order**2 * bent * fade)
    by_shear = np.sum(mixed * flat * order * fade) + shear
    by_moment = np.sum(mixed * order * bent * fade)
    push = np.sum(radial * flat * fade) + pressed
    modulus = STEEL.youngs_modulus
    return (
        modulus * thick**2 * slope,
        modulus * thick * (by_shear + by_moment),
        modulus * shear,
        push / shear,
    )


@pytest.mark.parametrize("ratio", [2.0, 3.0, 5.0, 7.0])
@pytest.mark.parametrize("half_angle", [0.02, 0.05, 0.1, 0.12])
def test_sainsots_polynomials_are_the_exact_ring(ratio, half_angle):
    """L, P and Q within 4 %; M, which counts least, within a quarter."""
    found, exact = sainsot_factors(ratio, half_angle), ring(ratio, half_angle)
    assert found[[0, 2, 3]] == pytest.approx(np.array(exact)[[0, 2, 3]], rel=0.041)
    assert found[1] == pytest.approx(exact[1], rel=0.25)


def test_where_the_polynomials_are_poor():
    """At their smallest ring by a quarter; the least factor, M, of a narrow root by four times."""
    for half_angle in (0.02, 0.05, 0.1, 0.12):
        found, exact = sainsot_factors(1.4, half_angle), ring(1.4, half_angle)
        assert found[[0, 2, 3]] == pytest.approx(np.array(exact)[[0, 2, 3]], rel=0.25)
    assert 4.0 < sainsot_factors(1.4, 0.01)[1] / ring(1.4, 0.01)[1] < 5.0


def test_the_largest_factor_that_the_authors_name_is_the_rings():
    """1.08 to 3.29: at h = 7 and θ = 0.12 the ring has it, and the polynomial an eighth less."""
    assert ring(7.0, 0.12)[1] == pytest.approx(3.29, abs=0.01)
    assert sainsot_factors(7.0, 0.12)[1] == pytest.approx(2.895, abs=0.001)


@pytest.mark.parametrize(
    ("foundation", "teeth", "off"), [("sainsot", 40, 0.03), ("cornell", 40, 0.51)]
)
def test_one_tooth_against_finite_elements(foundation, teeth, off):
    """On a bore of 0.3 root radii: the ring knows it, the half plane does not."""
    shape = gear(teeth)
    shape = replace(shape, held_radius=0.3 * shape.root_radius)
    roll = 0.5 * (half_outline(shape).form_roll + shape.edge_roll_length)
    truth = PlaneTooth(shape, shape.held_radius).structure(roll)
    table = tooth_compliance(shape, STEEL, foundation=foundation)
    assert table.common == 0.0
    assert np.sum(list(table.parts.values()), axis=0) == pytest.approx(table.values, rel=1e-12)
    assert float(table.at(roll)) / truth - 1 == pytest.approx(-off, abs=0.015)


def test_without_a_common_part_pairs_in_mesh_are_too_stiff():
    """Where two pairs share the load each has a body of its own."""
    pair = standard_pair(40, 100)
    bored = (replace(g, held_radius=0.3 * g.root_radius) for g in (pair.first, pair.second))
    pair = GearPair(*bored, face_width=pair.face_width)
    shared = mesh_stiffness(pair, BOTH, 300e3)
    alone = mesh_stiffness(pair, BOTH, 300e3, foundation="sainsot")
    assert alone.mean > 1.2 * shared.mean


class TestInAMachine:
    def machine(self, wheel="70 mm", **mesh):
        """Root circles of 72 and 233 mm."""
        bodies = {"pinion.body.bore_diameter": "30 mm", "wheel.body.bore_diameter": wheel}
        return flank.preset("gear-pair", {**bodies, "mesh": mesh})

    def test_absent_is_the_round_body(self):
        plain, named = self.machine(), self.machine(foundation="round-body")
        assert plain.meshed.mean_stiffness == named.meshed.mean_stiffness
        assert "foundation" not in plain.spec.to_mapping()["mesh"]
        others = [self.machine(foundation=name) for name in ("sainsot", "cornell")]
        for other in others:
            assert other.meshed.mean_stiffness > 1.1 * plain.meshed.mean_stiffness
        result = flank.run(others[0], "transmission-error", points_per_turn=64)
        assert result.complete

    def test_refused_where_it_is_not_made_for(self):
        with pytest.raises(SpecError, match="foundation does nothing with the model 'spring'"):
            self.machine(model="spring", foundation="sainsot")
        with pytest.raises(SpecError, match="times as large as what holds it, and the foundation"):
            self.machine(wheel="200 mm", foundation="sainsot")
        with pytest.raises(SpecError, match="is a disc around a bore, and the ring is none"):
            flank.preset("planetary-500kw", {"ring_mesh.foundation": "sainsot"})
