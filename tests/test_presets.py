"""The ready machines: they are valid, complete, and leave walls between their holes."""

import math

import pytest

from flank.errors import SpecError
from flank.io.spec_files import read_spec_text, write_yaml
from flank.machines.cycloidal.spec import CycloidalDriveSpec
from flank.presets import preset_names, preset_text


def preset(name):
    return CycloidalDriveSpec.from_mapping(read_spec_text(preset_text(name), name))


def test_names():
    assert preset_names() == sorted(preset_names())
    assert {"cycloidal-drive", "monocrank", "single-disc"} <= set(preset_names())


def test_unknown_name_is_refused():
    with pytest.raises(SpecError, match="'monocrnk' is not a preset; did you mean 'monocrank'"):
        preset_text("monocrnk")
    with pytest.raises(SpecError, match="is not a preset"):
        preset_text("../presets/monocrank")


@pytest.mark.parametrize("name", ["cycloidal-drive", "monocrank", "single-disc"])
def test_presets_are_valid_and_come_back_equal(name):
    spec = preset(name)
    assert spec.source
    assert spec.assumptions
    assert preset_text(name).startswith("#")
    assert CycloidalDriveSpec.from_mapping(read_spec_text(write_yaml(spec.to_mapping()))) == spec


@pytest.mark.parametrize(("name", "wall"), [("cycloidal-drive", 10e-3), ("monocrank", 2.9e-3)])
def test_holes_leave_walls(name, wall):
    spec = preset(name)
    rollers, hole = spec.output.rollers, spec.roller_hole_radius
    root = spec.root_radius - spec.discs.equidistant - spec.discs.radial
    spacing = 2.0 * rollers.circle_radius * math.sin(math.pi / rollers.count)
    assert root - (rollers.circle_radius + hole) >= wall
    assert rollers.circle_radius - hole - spec.discs.bore_radius >= wall
    assert spacing - 2.0 * hole >= wall


def test_numbers_of_the_sources():
    drive, monocrank, single = map(preset, ["cycloidal-drive", "monocrank", "single-disc"])
    assert (drive.pins.count, drive.pins.circle_radius) == (40, 0.064)
    assert (drive.pins.radius, drive.eccentricity) == (0.003, 0.0013)
    assert drive.rated_torque == 412.0
    assert (monocrank.lobe_count, monocrank.discs.equidistant) == (13, 50e-6)
    assert monocrank.material(monocrank.discs.material).youngs_modulus == 2.5e9
    assert (single.pins.radius, single.pins.groove_radius) == (0.00399, 0.004004)
    assert (single.generating_circle_radius, single.generating_pin_radius) == (0.1680104, 0.004)
    assert single.output.kind == "disc"


def test_the_commented_needles_work():
    lines = preset_text("cycloidal-drive").splitlines()
    begin = lines.index("# eccentric:")
    block = [line[2:] for line in lines[begin : begin + 6]]
    needles = read_spec_text("\n".join(block))["eccentric"]
    spec = preset("cycloidal-drive").with_changes({"eccentric": needles})
    assert spec.eccentric.needles.count == 24
