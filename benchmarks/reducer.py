"""Processor times of the RV reducer's loops, and what rollers as bodies cost."""

import time

import flank
from flank.analyses import hysteresis
from flank.analyses.hysteresis import HysteresisSettings, five_stages
from flank.dynamics.functions import constant
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.machines.base import Drive

DYNAMIC = {"mode": "dynamic", "step": 1e-4}


def timed(machine, settings: HysteresisSettings) -> dict[str, float]:
    """One loop after one to warm up."""
    hysteresis.run(machine, _short(settings))
    start = time.process_time()
    result = hysteresis.run(machine, settings)
    seconds = time.process_time() - start
    arcmin = 3437.746770784939
    return {
        "seconds": seconds,
        "points": len(result["loop_angle"]),
        "stiffness": float(result["torsional_stiffness"]) / arcmin,
        "lost_motion": float(result["lost_motion"]) * arcmin,
        "backlash": float(result["backlash"]) * arcmin,
    }


def _short(settings: HysteresisSettings) -> HysteresisSettings:
    if settings.mode == "static":
        return settings.with_changes({"points_per_stage": 5})
    return settings.with_changes({"stage_duration": 0.01})


def loops() -> list[list]:
    machine = flank.preset("rv-320")
    cases = {
        "static, 50 points a stage": HysteresisSettings(),
        "static, 100 points a stage": HysteresisSettings(points_per_stage=100),
        "dynamic, 2.5 s, h = 0.1 ms": HysteresisSettings.from_mapping(DYNAMIC),
        "dynamic, 2.5 s, h = 0.05 ms": HysteresisSettings.from_mapping(DYNAMIC | {"step": 5e-5}),
        "dynamic, 5 s, h = 0.1 ms": HysteresisSettings.from_mapping(
            DYNAMIC | {"stage_duration": 1.0}
        ),
    }
    return [[name, *timed(machine, settings).values()] for name, settings in cases.items()]


def roller_forms() -> list[list]:
    """µs a nominal step on the loaded part of a ramp, rollers inside bearings and as bodies."""
    rows = []
    for name, changes in (
        ("inside the bearings", {}),
        ("turning arms as bodies", {"turning_arm.elements": "bodies"}),
        (
            "all as bodies",
            {
                "turning_arm.elements": "bodies",
                "supports.elements": "bodies",
                "supports.contact_angle": 0,
            },
        ),
    ):
        machine = flank.preset("rv-320", changes)
        assembly = machine.assemble(
            Drive.of_ends(constant(0.0), five_stages(machine.rated_torque, 0.5))
        )
        times = []
        for duration in (0.1, 0.3):
            start = time.process_time()
            pose = machine.ideal_pose(0.0)
            solve_dynamics(assembly.model, pose, duration, DynamicSettings(1e-4), stride=10)
            times.append(time.process_time() - start)
        cost = (times[1] - times[0]) / 0.2 * 1e-4 * 1e6
        rows.append(
            [name, 3 * len(machine.layout.places), cost, cost / (rows[0][2] if rows else cost)]
        )
    return rows
