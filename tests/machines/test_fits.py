"""Fits and bolted joints that give way: in series with what they hold."""

import math

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis
from flank.analyses.runs import assemble_locked
from flank.analyses.sensitivity import angle_derivatives, stations
from flank.dynamics.run import solve_statics
from flank.dynamics.trajectory import Trajectory
from flank.errors import SpecError
from flank.machines.base import Assembly
from flank.machines.crank_reducer.reducer import CrankReducer

NO_FRICTION = {"friction.turning_arm": 0, "friction.supports": 0}
FORMULAS = {"carrier.body": "elastic", "cranks.shaft": "beam"}
UNMODIFIED = {"friction.pins": 0, "discs.equidistant": 0, "discs.radial": 0}
ARCSECOND = math.pi / 180 / 3600

KEYS = {
    "turning_arm.fit_compliance": ("turning_arm_fits", "0.5 um/kN"),
    "supports.fit_compliance": ("support_fits", "0.5 um/kN"),
    "main_bearings.fit_compliance": ("main_bearing_fits", "0.2 um/kN"),
    "carrier.joint_compliance": ("carrier_joint", "0.5 um/kN"),
    "carrier.output_compliance": ("output_joint", "2 arcsec/(kN*m)"),
}


def reducer(name: str = "rv-320", **changes: object) -> CrankReducer:
    own = UNMODIFIED if name.startswith("rv") else {}
    machine = flank.preset(name, {**NO_FRICTION, **own, **FORMULAS, **changes})
    assert isinstance(machine, CrankReducer)
    return machine


def split(machine: CrankReducer) -> tuple[float, dict[str, float]]:
    """Compliance between half and all of the rated torque, and what each part has of it."""
    result = flank.run(machine, "stiffness-split", points=5)
    parts = zip(result["part"].values, result["part_compliance"].values, strict=True)
    return 1 / float(result["secant_stiffness"]), {str(name): float(part) for name, part in parts}


def loaded(machine: CrankReducer, angle: float, torque: float) -> tuple[Assembly, Trajectory]:
    """The equilibrium under a torque on the output, the input locked."""
    assembly = assemble_locked(machine, angle)
    times = np.array([0.5, 1.0]) * torque
    run = solve_statics(assembly.model, machine.ideal_pose(angle), times)
    assert run.complete
    assert isinstance(run, Trajectory)
    return assembly, run


@pytest.mark.parametrize("name", ["rv-320", "few-teeth-60"])
@pytest.mark.parametrize("key", KEYS)
def test_a_fit_is_in_series_and_a_part_of_its_own(name: str, key: str) -> None:
    part, value = KEYS[key]
    whole, parts = split(reducer(name))
    softer, own = split(reducer(name, **{key: value}))
    assert part not in parts
    assert softer > whole
    # what bearings of the housing carry is what the cranks leave of each other
    small = 5e-5 * whole if part == "main_bearing_fits" else 0.0
    assert softer - whole == pytest.approx(own[part], rel=0.02, abs=small)


def test_nothing_given_is_the_machine_without() -> None:
    tight = reducer(**dict.fromkeys(KEYS, 0))
    assert [place.name for place in tight.layout.places] == [
        place.name for place in reducer().layout.places
    ]
    mass = sum(place.mass[0] for place in tight.layout.places)
    joints = ("carrier.joint_compliance", "carrier.output_compliance")
    divided = reducer(**{key: KEYS[key][1] for key in joints})
    assert sum(place.mass[0] for place in divided.layout.places) == pytest.approx(mass, rel=1e-12)


def test_the_joint_of_the_output_adds_its_compliance() -> None:
    whole, _ = split(reducer())
    softer, own = split(reducer(**{"carrier.output_compliance": "2 arcsec/(kN*m)"}))
    assert softer - whole == pytest.approx(2e-3 * ARCSECOND, rel=1e-6)
    assert own["output_joint"] == pytest.approx(2e-3 * ARCSECOND, rel=1e-4)


@pytest.mark.parametrize("body", ["elastic", "solid"])
def test_the_joint_of_the_carrier_carries_what_loads_flange_1(body: str) -> None:
    """The moment of n pillars, n R²/c times their turn, is that of the supports in flange 1."""
    value = 0.5e-9
    machine = reducer(**{"carrier.joint_compliance": value, "carrier.body": body})
    layout, size = machine.layout, machine.size
    assembly, run = loaded(machine, 0.0, machine.rated_torque)
    turn = run.position[-1, layout.flange[0], 2] - run.position[-1, layout.pillar_head, 2]
    stiffness = size.pillar_count * size.pillar_circle_radius**2 / value
    group = assembly.groups["support"]
    force = run.force(group)[-1, :, 0, :, None]  # (crank, roller, 1) of flange 1
    normal = np.stack([run.reading(group, f"normal_{axis}")[-1, :, 0] for axis in "xy"], axis=-1)
    on_flange = -(force * normal).sum(axis=1)
    x, y = run.position[-1, layout.supports.seat[:, 0], :2].T
    moment = float(np.sum(x * on_flange[:, 1] - y * on_flange[:, 0]))
    assert abs(stiffness * turn) == pytest.approx(abs(moment), rel=1e-4)
    assert 0.3 < abs(moment) / machine.rated_torque < 0.7


def test_soft_fits_of_turning_arms_meet_the_sum_over_all_of_them() -> None:
    """Σ c F²/T² of even shares: along the cranks' circle M/(n R_c), across the throw M/(n e z_c),
    nothing along it, where discs yield; M = T (1 - 1/i) z_c/(z_c + 1) is the discs' torque."""
    value = 20e-9  # m/N: soft against all else, so that arms share by statics alone
    machine = reducer(**{"turning_arm.fit_compliance": value})
    spec, lobes = machine.spec, machine.spec.crank_ratio
    arms = spec.discs.count * spec.cranks.count
    torque = (1 - 1 / machine.ratio) * lobes / (lobes + 1)
    standing = torque / spec.cranks.circle_radius
    turning = torque / (machine.size.eccentricity * lobes)
    _, own = split(machine)
    closed = value * (standing**2 + turning**2) / arms
    assert own["turning_arm_fits"] == pytest.approx(closed, rel=2e-3)


@pytest.mark.parametrize(
    "form",
    [
        {"turning_arm.elements": "bodies"},
        {"discs.hole_wall": "ancf"},
        {"discs.body": "elastic"},
        {"cranks.shaft": "rigid"},
        {"cranks.shaft": "ancf"},
        {"carrier.body": "solid"},
        {"carrier.body": "rigid"},
    ],
)
def test_fits_go_with_every_form_of_the_other_parts(form: dict[str, str]) -> None:
    keys = [key for key in KEYS if form != {"carrier.body": "rigid"} or "joint" not in key]
    whole, _ = split(reducer(**form))
    softer, own = split(reducer(**{key: KEYS[key][1] for key in keys}, **form))
    assert softer - whole == pytest.approx(sum(own[KEYS[key][0]] for key in keys), rel=0.03)


def test_what_is_bolted_on_swings_on_its_joint() -> None:
    """Against a reducer that is stiff beside it: f = 1/(2π √(c J))."""
    compliance = 1e-3  # rad/(N·m), some thousand times that of the reducer
    machine = reducer(**{"carrier.output_compliance": compliance})
    inertia = machine.layout.places[machine.layout.output_body - 1].mass[1]
    found = flank.run(machine, "natural-frequencies")["frequency"].values
    closed = 1 / (2 * math.pi * math.sqrt(compliance * inertia))
    assert np.abs(found / closed - 1).min() < 1e-3


def test_a_loop_in_time_has_them_too() -> None:
    machine = reducer("rv-40", **{key: value for key, (_, value) in KEYS.items()})
    static = hysteresis.run(machine, hysteresis.HysteresisSettings(points_per_stage=10))
    settings = {"mode": "dynamic", "stage_duration": 0.2, "step": 2e-4}
    moved = hysteresis.run(machine, hysteresis.HysteresisSettings().with_changes(settings))
    assert float(moved["torsional_stiffness"]) == pytest.approx(
        float(static["torsional_stiffness"]), rel=5e-3
    )


@pytest.mark.parametrize("name", ["eccentricity.1/2", "main_bearing_y.2", "crank_tangential.1"])
def test_sensitivities_know_them(name: str) -> None:
    """The output's angle by an error, from one tangent, against complete runs."""
    machine = reducer(**{key: value for key, (_, value) in KEYS.items()})
    step, at, torque = 2e-9, 0.3, machine.rated_torque

    def angle(sign: int) -> float:
        assembly, run = loaded(machine.with_error(name, sign * step), at, torque)
        return float(run.angle(assembly.output_shaft)[-1])

    assembly, run = loaded(machine, at, torque)
    changed = assemble_locked(machine.with_error(name, 1e-12), at).model
    found = angle_derivatives(stations(assembly, run), 1e-12, changed)
    assert found[-1] == pytest.approx((angle(1) - angle(-1)) / (2 * step), rel=1e-2)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"carrier.body": "rigid", "carrier.joint_compliance": "1 um/kN"},
            "joint_compliance does nothing with the body 'rigid'",
        ),
        ({"supports.fit_compliance": "1e-9 um/kN"}, "use 0 for what is tight, or at least"),
        ({"turning_arm.fit_compliance": "-1 um/kN"}, "at least 0"),
        ({"main_bearings.fit_compliance": "2 mm"}, "main_bearings.fit_compliance"),
    ],
)
def test_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        reducer(**changes)


@pytest.mark.parametrize("key", ["turning_arm.fit_compliance", "supports.fit_compliance"])
def test_bearings_with_fits_last_about_as_long_as_tight_ones(key: str) -> None:
    """Fits share the load among bearings a little otherwise; the crank leans behind them."""
    tight, loose = reducer("rv-40").bearing_lives, reducer("rv-40", **{key: "0.1 um/kN"})
    for block, duty in loose.bearing_lives.duties.items():
        assert duty.basic_life == pytest.approx(tight.duties[block].basic_life, rel=0.1)
        assert duty.tilt == pytest.approx(tight.duties[block].tilt, rel=0.1)
    assert flank.check(loose).figures
