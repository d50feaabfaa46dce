"""The few-teeth reducer: its ratio, and what its teeth carry in every mesh model."""

from collections.abc import Iterator

import numpy as np
from cases import Case

import flank
from flank.dynamics.functions import constant
from flank.dynamics.run import solve_statics
from flank.machines.base import Drive
from flank.machines.mesh_forces import mesh_forces

PRESETS = ("few-teeth-60", "few-teeth-38")
MESH_MODELS = ("rigid", "spring", "table", "contact")
NO_FRICTION = {"friction.teeth": 0, "friction.turning_arm": 0, "friction.supports": 0}


def ratio_cases() -> Iterator[Case]:
    for name in PRESETS:
        machine = flank.preset(name)
        spec, layout = machine.spec, machine.layout
        inner, outer = spec.discs.teeth, spec.ring.teeth
        stage = spec.first_stage
        ratio, source = -inner / (outer - inner), "-z1/(z2 - z1)"
        if stage is not None:
            ratio = 1 + outer / (outer - inner) * stage.planet_teeth / stage.sun_teeth
            source = "1 + z2/(z2 - z1) z_planet/z_sun"
        turned = machine.ideal_pose(1.0) - machine.ideal_pose(0.0)
        found = float(turned[layout.input_body, 2] / turned[layout.flange[-1], 2])
        title = f"{name}: turns of the input for one of the output"
        yield Case(title, source, ratio, found, "", 1e-13)


def force_cases() -> Iterator[Case]:
    """All discs together, frictionless, at the rated torque."""
    for name in PRESETS:
        for model in MESH_MODELS:
            found, expected = tooth_force(name, model)
            yield Case(
                f"{name}, {model}: normal force of all meshes",
                "(1 - 1/i) T/r_b2: the ring holds what is left",
                expected / 1e3,
                found / 1e3,
                "kN",
                5e-3,
            )


def tooth_force(name: str, model: str) -> tuple[float, float]:
    """Net normal force, mean over one pitch of the teeth, and that of the closed form, in N."""
    machine = flank.preset(name, NO_FRICTION | {"mesh": {"model": model}})
    torque, pair = machine.rated_torque, machine.spec.pair
    forces = []
    for step in range(4):
        angle = 2 * np.pi * step / 4 / machine.orders["tooth"]
        assembly = machine.assemble(Drive.of_ends(constant(angle), constant(torque)))
        run = solve_statics(assembly.model, machine.ideal_pose(angle), np.array([0.0]))
        assert run.complete
        discs = [k for k, mesh in enumerate(assembly.meshes) if mesh.name.startswith("disc")]
        carried = mesh_forces(assembly, run)[0, discs]
        forces.append(abs(np.sum(carried[:, 0] - carried[:, 1])))
    left = torque * (1 - 1 / machine.ratio)
    return float(np.mean(forces)), left / pair.second.base_radius
