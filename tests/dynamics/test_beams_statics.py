"""Beams at rest against closed forms.

Declared rates in the element length: 4 for large bending and for the pinched ring. Small bending of
a straight beam by forces at nodes is exact: the solution is a cubic in every element.
"""

import math

import numpy as np
import pytest

from flank.dynamics import statics
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.flexible import add_ring, add_shaft
from flank.dynamics.functions import constant, linear
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import solve_statics
from flank.elasticity.section import Section

RATE = 4.0


def rates(errors):
    errors = np.abs(errors)
    return np.log2(errors[:-1] / errors[1:])


def cantilever(elements, section, length, end=(1.0, 0.0, 0.0)):
    b = ModelBuilder(length)
    nodes = add_shaft(b, "beam", (0, 0, 0), tuple(length * np.array(end)), elements, section)
    b.clamp(nodes[0])
    return b, nodes


class TestSmallDeflection:
    """w = F L³/(3 EI), tip slope F L²/(2 EI); a slender steel shaft under 10 N."""

    section, length, force = Section(2e8, 2e4, 5.0), 0.5, 10.0

    @pytest.mark.parametrize("elements", [1, 2, 5])
    @pytest.mark.parametrize(
        ("end", "direction"),
        [((1, 0, 0), (0.0, 1.0)), ((0, 0, 1), (0.6, 0.8)), ((0.6, 0.8, 0), (-0.8, 0.6))],
    )
    def test_tip(self, elements, end, direction):
        b, nodes = cantilever(elements, self.section, self.length, end)
        b.force(nodes[-1].position, direction, constant(self.force))
        run = solve_statics(b.build(), b.pose(), np.zeros(1))
        assert run.complete
        moved = (run.position[0] - b.pose())[list(nodes[-1]), :2]
        flexibility = self.force / self.section.bending_stiffness
        assert moved[0] @ direction == pytest.approx(flexibility * self.length**3 / 3, rel=1e-5)
        assert moved[1] @ direction == pytest.approx(flexibility * self.length**2 / 2, rel=1e-5)

    @pytest.mark.parametrize("elements", [1, 3])
    def test_pulled_shaft_along_z(self, elements):
        """u = F L/EA: the slope's z is free at a clamp, and `torque` is a force along z."""
        b, nodes = cantilever(elements, self.section, self.length, (0, 0, 1))
        b.torque(nodes[-1].position, constant(1000.0))
        run = solve_statics(b.build(), b.pose(), np.zeros(1))
        moved = run.position[0, nodes[-1].position, 2] - self.length
        stretch = 1000.0 * self.length / self.section.axial_stiffness
        assert moved == pytest.approx(stretch, rel=1e-4)  # Green's strain: 1.5 ε of it is ε² more

    def test_overhung_shaft_on_bearings(self):
        """Simply supported at both ends, loaded by a body tied to its middle: F L³/(48 EI)."""
        b = ModelBuilder(self.length)
        nodes = add_shaft(b, "shaft", (0, 0, 0), (0, 0, self.length), 4, self.section)
        wheel = b.body("wheel", 1.0, 1.0)
        b.revolute(nodes[2].position, wheel)
        b.torsion_spring(0, wheel, 1.0)
        b.revolute(0, nodes[0].position)
        b.revolute(0, nodes[4].position)
        b.force(wheel, (1.0, 0.0), constant(self.force))
        run = solve_statics(b.build(), b.pose(), np.zeros(1))
        assert run.complete
        sag = self.force * self.length**3 / (48 * self.section.bending_stiffness)
        assert run.position[0, wheel, 0] == pytest.approx(sag, rel=1e-5)
        assert run.position[0, wheel, 1] == pytest.approx(0, abs=1e-5 * sag)


class TestElastica:
    """A cantilever under a dead tip force (Mattiasson 1981, Int. J. Numer. Meth. Eng. 17, 145)."""

    length, bending, slenderness = 1.5, 2.0, 2e5

    def tip(self, load, elements):
        axial = self.slenderness * self.bending / self.length**2
        b, nodes = cantilever(elements, Section(axial, self.bending, 1.0), self.length)
        force = load * self.bending / self.length**2
        b.force(nodes[-1].position, (0.0, 1.0), linear(force))
        run = solve_statics(b.build(), b.pose(), np.linspace(0.1, 1, 10))
        assert run.complete
        x, y, z = run.position[-1, nodes[-1].position] / self.length
        assert z == 0.0
        return np.array([1 - x, y])

    @pytest.mark.parametrize(
        ("load", "shortened", "deflected"),
        [
            (1, 0.05643, 0.30172),
            (2, 0.16064, 0.49346),
            (5, 0.38763, 0.71379),
            (10, 0.55500, 0.81061),
        ],
    )
    def test_tip(self, load, shortened, deflected):
        """P L²/EI = `load`; the stretch P/EA is 5e-5 at most."""
        assert self.tip(load, 16) == pytest.approx([shortened, deflected], abs=5e-5)

    def test_rate(self):
        fine = self.tip(3, 64)
        errors = [self.tip(3, n) - fine for n in (4, 8, 16)]
        assert rates(errors) == pytest.approx(RATE, abs=0.5)


class TestRolledUp:
    """The tip's slope turned once round: a circle, and M = 2π EI/L to hold it."""

    length, bending = 1.5, 2.0

    def roll(self, elements):
        b, nodes = cantilever(elements, Section(1e3, self.bending, 1.0), self.length)
        tip = nodes[-1].slope
        first = b.fixed(0, tip, (1.0, 0.0))
        model = b.build()
        state, work = initial_state(model, b.pose()), workspace(model)
        tolerances, search = statics.StaticTolerances(1e-9, 120), statics.new_search()
        for angle in np.linspace(0, 2 * math.pi, 25)[1:]:
            held = model.joints[model.counts[0] - 1]
            held["a_x"], held["a_y"] = math.cos(angle), math.sin(angle)
            assert statics.equilibrium(model, state, 0.0, tolerances, work, search) == 0
        on_tip = -state.multipliers[first : first + 2]
        moment = state.position[tip, 0] * on_tip[1] - state.position[tip, 1] * on_tip[0]
        middle = state.position[nodes[elements // 2].position]
        return moment, state.position[nodes[-1].position], middle

    def test_a_circle(self):
        moment, tip, middle = self.roll(16)
        assert moment == pytest.approx(2 * math.pi * self.bending / self.length, rel=3e-4)
        assert tip == pytest.approx(0, abs=1e-6)
        assert middle == pytest.approx([0, self.length / math.pi, 0], abs=1e-5)

    def test_rate(self):
        exact = 2 * math.pi * self.bending / self.length
        errors = [self.roll(n)[0] - exact for n in (4, 8, 16)]
        assert rates(errors) == pytest.approx(RATE, abs=0.25)


class TestPinchedRing:
    """Change of the diameter under two opposed forces F (Timoshenko, Strength of Materials II).

    δ = (π/4 - 2/π) F R³/EI + π/4 F R/EA: bending, and the stretch that Castigliano adds for an
    axis that carries N = F cos(φ)/2 (thin ring, no coupling of N and M by the curvature).
    """

    radius, bending, force = 0.03, 50.0, 1.0

    def opened(self, elements, slenderness):
        axial = slenderness * self.bending / self.radius**2
        b = ModelBuilder(self.radius)
        nodes = add_ring(b, "ring", (0.2, -0.1), self.radius, elements, self._section(axial))
        right, left = nodes[0].position, nodes[elements // 2].position
        b.force(right, (1.0, 0.0), constant(self.force))
        b.force(left, (-1.0, 0.0), constant(self.force))
        run = solve_statics(b.build(), b.pose(), np.zeros(1))
        assert run.complete
        assert np.all(run.position[0, :, 2] == 0.0)
        return run.position[0, right, 0] - run.position[0, left, 0] - 2 * self.radius

    def _section(self, axial):
        return Section(axial, self.bending, 1.0)

    def exact(self, slenderness):
        bent = math.pi / 4 - 2 / math.pi
        stretched = math.pi / 4 / slenderness
        return (bent + stretched) * self.force * self.radius**3 / self.bending

    @pytest.mark.parametrize("slenderness", [1e3, 1e5])
    def test_rate(self, slenderness):
        errors = [self.opened(n, slenderness) / self.exact(slenderness) - 1 for n in (8, 16, 32)]
        assert rates(errors) == pytest.approx(RATE, abs=0.4)
        assert abs(errors[-1]) < 1e-4

    def test_a_thin_ring_does_not_lock(self):
        """Eight elements err by the same, whether the wall is a tenth or a thousandth thick."""
        thick, thin = (self.opened(8, s) / self.exact(s) - 1 for s in (1.2e3, 1.2e7))
        assert abs(thick) < 0.02
        assert abs(thin) < 0.02
