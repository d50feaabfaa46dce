"""Mesh phasing: the table against tooth numbers, and what harmonics leave."""

import numpy as np
import pytest

import flank


def phasing(preset, changes=None, **settings):
    return flank.run(flank.preset(preset, changes), "mesh-phasing", **settings)


def test_sequential_planets_leave_a_torque_of_every_third_harmonic():
    """20 teeth on three planets: phases 0, 2/3, 1/3, so that 1/2 teeth do not switch together."""
    result = phasing("planetary-paper", harmonics=6)
    assert sorted(result["sun_phase"].values) == pytest.approx([0, 1 / 3, 2 / 3])
    assert result["torque_share"].values == pytest.approx([0, 0, 1, 0, 0, 1], abs=1e-9)
    assert result["force_share"].values == pytest.approx([1, 1, 0, 1, 1, 0], abs=1e-9)
    families = ["translational", "translational", "rotational"] * 2
    assert list(result["excited_family"].values) == families
    assert result["mesh_frequency"] == pytest.approx(100 * 2 / 60)


def test_four_planets_switch_together():
    result = phasing("planetary-paper", {"planets.count": 4})
    assert result["sun_phase"].values == pytest.approx(0.0, abs=1e-9)
    assert result["ring_phase"].values == pytest.approx(0.0, abs=1e-9)
    assert result["torque_share"].values == pytest.approx(1.0)
    assert result["sequential"] == 1


def test_planet_modes_are_excited_where_neither_is_left():
    teeth = {"sun.teeth": 62, "planets.teeth": 28, "ring.teeth": 118, "planets.count": 5}
    result = phasing("planetary-lin-parker", teeth | {"centre_distance": None}, harmonics=5)
    assert list(result["excited_family"].values)[:2] == ["planet", "translational"]
    assert result["force_share"].values[0] == pytest.approx(0.0, abs=1e-9)


def test_the_phase_is_what_the_tooth_forces_show():
    """Static tooth forces of one planet follow those of another by the phase of its mesh."""
    machine = flank.preset("planetary-500kw")
    points = 48
    result = flank.run(machine, "load-sharing", points=points, error_points=0)
    force = result["sun_force"].values
    phases = machine.mesh_phases().sun
    for planet in (1, 2):
        ahead = round(phases[planet] * points) % points
        assert np.roll(force[:, 0], -ahead) == pytest.approx(force[:, planet], rel=2e-3)


def test_the_first_stage_of_a_reducer_with_cranks():
    """A planet at 120 deg meets the teeth of the sun a third of them later."""
    machine = flank.preset("rv-generic")
    result = flank.run(machine, "mesh-phasing")
    teeth, count = machine.spec.first_stage.sun_teeth, machine.spec.cranks.count
    expected = np.mod(-teeth * np.arange(count) / count, 1.0)
    assert result["sun_phase"].values == pytest.approx(expected, abs=1e-9)
    assert "ring_phase" not in result.dataset
    relative = machine.input_speed * abs(1 - 1 / machine.ratio) / (2 * np.pi)
    assert result["mesh_frequency"] == pytest.approx(teeth * relative)
