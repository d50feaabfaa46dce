"""What a run in time keeps beside tooth forces: parts and components, reactions, accelerations."""

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

import flank
from flank.errors import SpecError
from flank.machines.meshes import stiffness_table


@pytest.fixture(scope="module", params=["planar", "spatial"])
def stage(request):
    """With springs: a table has forces along its path besides those that are normal."""
    springs = {"sun_mesh.model": "spring", "ring_mesh.model": "spring"}
    return ran(springs | {"motion": request.param})


def ran(changes):
    machine = flank.preset("planetary-500kw", changes)
    offset = {"planet 1": "0.001 deg"}
    settings = {"duration": 4e-3, "step": 2e-5, "points": 40, "start_offsets": offset}
    return machine, flank.run(machine, "time-response", **settings)


def test_spring_and_damper_make_the_force(stage):
    _, run = stage
    total = run["spring_force"].values + run["damper_force"].values
    assert total == pytest.approx(run["mesh_force"].values, rel=1e-9)
    assert np.abs(run["damper_force"].values).max() > 1e-4 * np.abs(total).max()


def test_components_and_radial_forces_follow_the_line_of_action(stage):
    machine, run = stage
    normal, parts = run["mesh_force"].values, run["force_components"].values
    assert np.linalg.norm(parts, axis=2) == pytest.approx(np.abs(normal), rel=1e-6)
    angles = np.array([machine.layout.gears.sun_planet.working_angle] * 3
                      + [machine.layout.gears.planet_ring.working_angle] * 3)  # fmt: skip
    assert run["radial_force"].values == pytest.approx(np.abs(normal) * np.sin(angles), rel=1e-6)


def test_bearings_balance_teeth_and_inertia(stage):
    """A planet is pushed by sun and ring and pulled by its pin, and goes round with the carrier."""
    machine, run = stage
    parts = run["force_components"].values
    bearings = run["bearing"].values.tolist()
    reaction = run["bearing_reaction"].values
    pin = reaction[:, bearings.index("planet 1 on the carrier")]
    on_planet = parts[:, 0] - parts[:, 3] + pin
    speed = run["speed"].sel(body="carrier").values
    centripetal = machine.masses.planet[0] * machine.spec.carrier_radius * speed**2
    assert np.linalg.norm(on_planet, axis=1) == pytest.approx(centripetal, rel=0.05)
    on_sun = -parts[:, :3].sum(axis=1) + reaction[:, bearings.index("sun")]
    assert np.abs(on_sun).max() < 1e-6 * np.abs(parts).max()


def test_inertia_torque_is_what_torques_leave(stage):
    machine, run = stage
    sun = run["inertia_torque"].sel(body="sun").values
    arm = machine.spec.sun_gear.base_radius
    acting = machine.load_torque - arm * run["mesh_force"].values[:, :3].sum(axis=1)
    assert sun[1:] == pytest.approx(acting[1:], abs=1e-3 * abs(machine.load_torque))
    inertia = machine.masses.sun[1]
    assert run["acceleration"].sel(body="sun").values * inertia == pytest.approx(sun)


def smooth(rolls, values):
    """Cubics with the mean chord of neighbours as slopes, three of the smaller at most."""
    chords = np.diff(values)
    before, after = chords[:-1], chords[1:]
    most = 3 * np.minimum(np.abs(before), np.abs(after))
    mean = 0.5 * (before + after)
    inner = np.where(before * after < 0, mean, np.clip(mean, -most, most))
    slopes = np.concatenate((chords[:1], inner, chords[-1:])) / (rolls[1] - rolls[0])
    return CubicHermiteSpline(rolls, values, slopes)


@pytest.mark.parametrize("motion", ["planar", "spatial"])
@pytest.mark.parametrize("edges", [True, False])
def test_stiffness_and_place_of_a_mesh(motion, edges):
    """Pairs of teeth at ρ + n p_b give way by d with d + c Σ k(ρ) (d - e(ρ)) = δ, the depth; where
    no edge touches K/(1 + cK) is left of it."""
    meshes = {f"{name}.tip_edge_contact": edges for name in ("sun_mesh", "ring_mesh")}
    machine, run = ran({"motion": motion} | meshes)
    for column, meshed in ((0, machine.sun_pair(0)), (3, machine.ring_pair(0))):
        start, pitch = meshed.pair.path[0], meshed.pair.base_pitch
        roll, stiffness = (
            run[name].values[:, column] for name in ("roll_length", "mesh_stiffness")
        )
        assert np.all((roll >= start) & (roll <= start + pitch))
        force = np.abs(run["spring_force"].values[:, column])
        table = stiffness_table(meshed)
        pairs = roll[:, None] + pitch * np.arange(-4, 5)
        inside = (pairs >= table.rolls[0]) & (pairs <= table.rolls[-1])
        k = np.where(inside, smooth(table.rolls, table.stiffness)(pairs), 0.0)
        apart = np.where(inside, smooth(table.rolls, table.separation)(pairs), np.inf)
        depth = (force / stiffness - table.common * force)[:, None]
        carried = (k * np.maximum(depth - apart, 0.0)).sum(axis=1)
        assert carried == pytest.approx(force, rel=1e-6)
        if not edges:
            whole = k.sum(axis=1)
            assert stiffness == pytest.approx(whole / (1 + table.common * whole), rel=1e-6)


def test_a_torque_that_changes_within_a_step_is_told(tmp_path):
    path = tmp_path / "torque.csv"
    rows = [f"{k * 1e-4:.4f},{-20 - k % 3}" for k in range(101)]
    path.write_text("\n".join(["time [s],generator [kN*m]", *rows]))
    machine = flank.preset("planetary-500kw")
    torques = {"sun": {"file": str(path)}, "carrier": "110 kN*m"}
    run = flank.run(machine, "time-response", duration=4e-3, step=4e-4, torques=torques)
    assert any("lie 0.1 ms apart and the step is 0.4 ms" in text for text in run.warnings)


@pytest.mark.parametrize(
    ("times", "told"),
    [((5e-4, 2e-3), True), ((0.0, 2e-3), True), ((1e-3, 5e-3), True), ((0.0, 4e-3), False)],
)
def test_a_file_that_covers_a_part_of_the_run_is_told(tmp_path, times, told):
    path = tmp_path / "torque.csv"
    rows = [f"{time},{-20}" for time in times]
    path.write_text("\n".join(["time [s],generator [kN*m]", *rows]))
    torques = {"sun": {"file": str(path)}, "carrier": "110 kN*m"}
    settings = {"duration": 4e-3, "step": 4e-4, "torques": torques}
    run = flank.run(flank.preset("planetary-500kw"), "time-response", **settings)
    span = f"The file of the torque on the sun covers {times[0]:.4g} to {times[1]:.4g} s of a run"
    assert any(span in text for text in run.warnings) == told


def test_a_run_that_nobody_waits_for_is_refused():
    with pytest.raises(
        SpecError, match=r"duration: 1e\+09 s would take 1e\+13 steps of 0.0001 s; 1e\+09"
    ):
        flank.run(flank.preset("planetary-500kw"), "time-response", duration=1e9)


def test_normal_forces_of_helical_gears_say_in_which_plane_they_are():
    for name, where in (("gear-pair", " in the transverse plane"), ("spur-bruzzone", "")):
        result = flank.run(flank.preset(name), "transmission-error", points_per_turn=50)
        title = result.data["largest_mesh_force"].attrs["long_name"]
        assert title == f"Largest tooth force, normal{where}"
