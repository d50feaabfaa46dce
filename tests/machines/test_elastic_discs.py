"""Discs as elastic plates on their pins: forces, tangent, equilibria, limits."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from scipy.optimize import nnls

import flank
from flank.analyses import natural_frequencies
from flank.analyses.runs import assemble_locked, linearize_at, loaded_equilibrium
from flank.analyses.sensitivity import angle_derivatives, stations
from flank.arrays import Floats
from flank.contact import plate_modes
from flank.dynamics.contact_states import ContactStates
from flank.dynamics.functions import constant, table
from flank.dynamics.linearize import unit_turn
from flank.dynamics.run import settings_for, solve_dynamics, solve_statics
from flank.dynamics.trajectory import Trajectory
from flank.elasticity.finite_elements import elastic_plate
from flank.errors import SpecError
from flank.machines.base import Assembly, Drive
from flank.machines.crank_reducer import disc_plates
from flank.machines.crank_reducer.disc_plates import modes_of_discs
from flank.machines.crank_reducer.reducer import CrankReducer
from tests.helpers.smooth_energy import check_derivatives

RATED = 3136.0
UNMODIFIED = {"discs.equidistant": 0, "discs.radial": 0}
FREE = {"friction.pins": 0, "friction.turning_arm": 0, "friction.supports": 0, **UNMODIFIED}


def _machine(**changes: object) -> CrankReducer:
    machine = flank.preset("rv-320", {"discs.body": "elastic", **FREE, **changes})
    assert isinstance(machine, CrankReducer)
    return machine


@lru_cache
def _loaded(body: str = "elastic") -> tuple[CrankReducer, Assembly, Trajectory]:
    machine = _machine(**{"discs.body": body, "carrier.body": "rigid"})
    assembly = assemble_locked(machine, 0.3)
    run = solve_statics(assembly.model, machine.ideal_pose(0.3), np.linspace(0, RATED, 8))
    assert run.complete
    assert isinstance(run, Trajectory)
    return machine, assembly, run


@pytest.mark.parametrize("seed", range(4))
def test_forces_follow_from_the_energy_and_the_tangent_from_forces(seed: int) -> None:
    _, assembly, run = _loaded()
    check_derivatives(assembly, run.position[-1], seed)


def test_pin_forces_have_the_least_complementary_energy() -> None:
    """With the disc and its holes' forces as they are found, pins share by quadratic programming
    with the secant of every contact."""
    machine, assembly, run = _loaded()
    modes, group = modes_of_discs(machine.spec, machine.size), assembly.groups["pin"]
    force, gap = run.force(group)[-1][0], _gaps(assembly, run)[0]
    first = machine.layout.plate_rows[0]
    z = run.position[-1][first : first + len(modes) // 3].ravel()
    shape = _shapes_at_pins(assembly, run, modes, first)
    # w = s·z, z = (sum of all loads)/k: what holes do to it stays, what pins do is solved for
    compliance = shape / modes.stiffness @ shape.T
    beside = shape @ z - compliance @ force
    rigid = gap - shape @ z
    closed = force > 0
    secant = np.where(closed, -gap, 0.0) / np.where(closed, force, 1.0)
    secant[~closed] = secant[closed].mean()
    total = compliance + np.diag(secant)
    factor = np.linalg.cholesky(total)  # ½ Fᵀ A F + (g + w) F, F not negative
    found, _ = nnls(factor.T, -np.linalg.solve(factor, rigid + beside))
    assert 8 < np.count_nonzero(closed) < 25
    assert found == pytest.approx(force, abs=1e-3 * force.max())


def _gaps(assembly: Assembly, run: Trajectory) -> Floats:
    return np.asarray(ContactStates(assembly.planar, run).of(assembly.groups["pin"])["gap"][-1])


def _shapes_at_pins(
    assembly: Assembly, run: Trajectory, modes: plate_modes.PlateModes, first: int
) -> Floats:
    """∂gap/∂z by differences, (pin, mode)."""
    shapes = np.zeros((len(assembly.groups["pin"].contacts[0]), len(modes)))
    for k in range(len(modes)):
        gaps = []
        for step in (-1e-6, 1e-6):
            position = run.position.copy()
            position[-1, first + k // 3, k % 3] += step
            gaps.append(_gaps(assembly, replace(run, position=position))[0])
        shapes[:, k] = (gaps[1] - gaps[0]) / 2e-6
    return shapes


def test_pins_on_a_very_stiff_plate_carry_as_on_a_rigid_disc(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = plate_modes.plate_modes

    def stiff(*given: object) -> plate_modes.PlateModes:
        modes = whole(*given)  # type: ignore[arg-type]
        return replace(modes, stiffness=1e4 * modes.stiffness)

    monkeypatch.setattr(disc_plates, "plate_modes", stiff)
    machine = _machine(**{"carrier.body": "rigid"})
    assembly = assemble_locked(machine, 0.3)
    run = solve_statics(assembly.model, machine.ideal_pose(0.3), np.linspace(0, RATED, 8))
    _, rigid, on_rigid = _loaded("rigid")
    expected = on_rigid.force(rigid.groups["pin"])[-1]
    force = run.force(assembly.groups["pin"])[-1]
    assert force == pytest.approx(expected, abs=2e-3 * expected.max())


def test_an_elastic_disc_turns_more_and_its_largest_pin_force_is_larger() -> None:
    angles, largest = [], []
    for body in ("rigid", "elastic"):
        _, assembly, run = _loaded(body)
        angles.append(abs(run.angle(assembly.output_shaft)[-1]))
        largest.append(run.force(assembly.groups["pin"])[-1].max())
    assert angles[1] > 1.03 * angles[0]
    assert 1.05 < largest[1] / largest[0] < 1.5


def test_an_oval_ring_in_a_disc_needs_a_rim_that_is_held() -> None:
    with pytest.raises(SpecError, match="'rigid_rim'"):
        _machine(**{"discs.hole_wall": "ancf"})


@pytest.mark.parametrize(
    "changes",
    [
        {"pins.mounting": "floating", "pins.groove_radius": "5.01 mm"},
        {"turning_arm.elements": "bodies"},
    ],
)
def test_pins_and_rollers_that_are_bodies_press_on_the_plate(changes: dict[str, object]) -> None:
    angles, carrying = [], []
    for body in ("rigid", "elastic"):
        machine = _machine(**changes, **{"discs.body": body})
        assembly = assemble_locked(machine, 0.0)
        run = solve_statics(assembly.model, machine.ideal_pose(0.0), np.array([50.0, RATED]))
        assert run.complete
        angles.append(abs(run.angle(assembly.output_shaft)[-1]))
        carrying.append(np.count_nonzero(run.force(assembly.groups["pin"])[-1]))
    assert 1.03 < angles[1] / angles[0] < 1.5
    assert carrying[1] >= carrying[0]


@pytest.mark.parametrize(
    "name",
    ["pin_radius.11", "hole_radial.1/2", "eccentricity.1/1", "equidistant.2", "crank_radial.1"],
)
def test_implicit_derivatives_are_those_of_machines_solved_again(name: str) -> None:
    machine = _machine()
    torques = np.array([RATED, 0.5 * RATED])
    base = assemble_locked(machine, 0.3)
    path = solve_statics(base.model, machine.ideal_pose(0.3), torques)
    changed = [assemble_locked(machine.with_error(name, s * 1e-12), 0.3).planar for s in (1, -1)]
    found = angle_derivatives(stations(base, path), 1e-12, *changed)
    angles = []
    for step in (1e-8, -1e-8):
        again = assemble_locked(machine.with_error(name, step), 0.3)
        run = solve_statics(again.model, machine.ideal_pose(0.3), torques)
        angles.append(run.angle(again.output_shaft))
    wanted = (angles[0] - angles[1]) / 2e-8
    assert found == pytest.approx(wanted, rel=2e-3)


@pytest.mark.parametrize("share", [0.01, 1.0])
def test_the_linearised_disc_is_as_stiff_as_its_secant_over_a_small_load(share: float) -> None:
    machine, assembly, _ = _loaded()
    torque, small = share * RATED, 1e-4
    start = machine.ideal_pose(0.3)
    run = solve_statics(assembly.model, start, torque * np.array([1.0, 1 + small, 1 - small]))
    direction = unit_turn(assembly.model, assembly.output_shaft.body)
    compliance = direction @ linearize_at(assembly, run, 0).solve(direction)
    _, above, below = run.angle(assembly.output_shaft)
    assert compliance == pytest.approx((above - below) / (2 * small * torque), rel=1e-4)


def test_a_load_that_rises_slowly_bends_the_plate_as_in_statics() -> None:
    """The lowest mode of the machine is at 1.2 kHz; what oil damps goes with the rate."""
    machine = _machine()
    bent, turned = [], []
    for duration in (0.02, 0.08):
        load = table([(0.0, 300.0), (duration, RATED)])
        drive = Drive.of_ends(constant(0.3), load, in_time=True)
        assembly = machine.assemble(drive).frictionless()
        start, _ = loaded_equilibrium(machine, 0.3, 300.0)
        settings = settings_for(assembly.model, 2e-4)
        run = solve_dynamics(assembly.model, start.last, duration, settings, stride=20)
        assert run.complete
        locked = assemble_locked(machine, 0.3)
        torques = np.interp(run.time, [0.0, duration], [300.0, RATED])
        still = solve_statics(locked.model, machine.ideal_pose(0.3), torques)
        rows = slice(machine.layout.plate_rows[0], machine.layout.plate_rows[1])
        moved, expected = run.position[1:, rows], still.position[1:, rows]
        bent.append(np.abs(moved - expected).max() / np.abs(expected).max())
        angle, wanted = run.angle(assembly.output_shaft), still.angle(locked.output_shaft)
        turned.append(np.abs(angle / wanted - 1).max())
    assert bent[1] < 2e-3
    assert turned[1] < 3e-4
    assert bent[1] < 0.5 * bent[0]
    assert turned[1] < 0.5 * turned[0]


def test_natural_frequencies_fall_as_discs_give_way() -> None:
    lowest = []
    for body in ("rigid", "rigid_rim", "elastic"):
        result = natural_frequencies.run(_machine(**{"discs.body": body}))
        assert result["unstable_count"] == 0
        lowest.append(result["frequency"].values[:4])
    rigid, held, elastic = lowest
    assert np.all(held < rigid)
    assert np.all(elastic < held)
    assert np.all(elastic > 0.8 * rigid)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"cranks.pin_radius": "45 mm"}, "cut the flank, whose root radius is"),
        ({"discs.bore_radius": "31 mm"}, "needs walls of 2.8075 mm and more in the discs, and"),
        ({"discs.bore_radius": "32 mm"}, "use a smaller bore or a larger cranks.circle_radius"),
        ({"discs.equidistant": "4.5 mm", "discs.radial": 0}, "by 0.1 mm, and no pin carries"),
        ({"discs.radial": "4.4 mm", "discs.equidistant": "1 um"}, "no pin carries"),
    ],
)
def test_discs_of_nothing_are_refused_before_any_element(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, object], sentence: str
) -> None:
    def nobody(*_: object) -> None:
        raise AssertionError("elements were computed")

    monkeypatch.setattr(elastic_plate, "_computed", nobody)
    with pytest.raises(SpecError, match=sentence) as refused:
        _machine(**changes)
    assert "\n" not in str(refused.value)
    assert len(refused.value.problems) == 1


def test_a_modification_that_leaves_the_outermost_touch_is_not_refused() -> None:
    """Tips end 2 e - Δ outside of the nearest pin's innermost point."""
    _machine(**{"discs.equidistant": "4.3 mm", "discs.radial": "99 um"})
