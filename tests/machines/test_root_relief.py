"""Root relief: what it takes off one gear is what tip relief takes off its mate."""

import numpy as np
import pytest

import flank
from flank.analyses.runs import solve_along_crank
from flank.dynamics.functions import constant, linear
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.machines.mesh_forces import mesh_errors

RELIEF = {"amount": "12 um", "length": "4 mm"}

APART = {"table": 1e-10, "contact": 6e-6 * 10e-6 / 1e-3, "fe": 1e-10}
"""m. Flanks of explicit contacts are pressed into each other by up to 10 µm, and by so much their
places lie apart on a relief with a slope of 6 µm/mm at most."""


def static_errors(preset, mesh, relieved, torque):
    """Along the line of action over a pitch, in m."""
    machine = flank.preset(preset, {"mesh": mesh, "input_shaft": None} | relieved)
    load = torque * machine.load_torque
    assembly = machine.assemble(Drive.of_ends(linear(1.0), constant(load)))
    pitch = 2 * np.pi / machine.spec.pinion.teeth
    path = solve_along_crank(machine, assembly, np.linspace(0.0, pitch, 25))
    assert path.complete
    return mesh_errors(assembly, path)[:, 0]


@pytest.mark.parametrize("model", ["table", "contact", "fe"])
@pytest.mark.parametrize("torque", [0.3, -1.0])
def test_root_relief_of_the_wheel_is_tip_relief_of_the_pinion(model, torque):
    mesh = {"model": model}
    tip, root, none = (
        static_errors("spur-bruzzone", mesh, relieved, torque)
        for relieved in ({"pinion.tip_relief": RELIEF}, {"wheel.root_relief": RELIEF}, {})
    )
    np.testing.assert_allclose(root, tip, rtol=0, atol=APART[model])
    assert np.abs(tip - none).max() > 0.5e-6


@pytest.mark.parametrize("model", ["table", "contact"])
def test_so_it_is_in_a_ring(model):
    gears = {"wheel.internal": True, "wheel.teeth": 120, "pinion.teeth": 40, "wheel.body": {}}
    gears |= {"pinion.tip_radius": None, "wheel.tip_radius": None, "centre_distance": None}
    mesh = {"model": model}
    tip, root = (
        static_errors("spur-bruzzone", mesh, gears | relieved, 1.0)
        for relieved in ({"wheel.tip_relief": RELIEF}, {"pinion.root_relief": RELIEF})
    )
    np.testing.assert_allclose(root, tip, rtol=0, atol=APART[model])


def test_a_relief_longer_than_the_path_is_told():
    machine = flank.preset("spur-bruzzone", {"pinion.root_relief": RELIEF | {"length": "30 mm"}})
    (finding,) = [each for each in machine.findings() if each.code == "relief-of-whole-flank"]
    assert "root relief of the pinion reaches 30 mm up" in finding.message


def test_flanks_in_space_do_not_know_it():
    with pytest.raises(SpecError, match="root_relief is not known to flanks in space"):
        flank.preset("helical-in-space", {"pinion.root_relief": RELIEF})


def test_what_is_not_given_is_not_written():
    assert "root_relief" not in flank.preset("spur-bruzzone").spec.to_mapping()["pinion"]
