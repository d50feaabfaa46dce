import pytest

from flank.machines.registry import machine_from_mapping

STAGE = {
    "machine": "cycloidal-drive",
    "rated_torque": 100.0,
    "eccentricity": "1.3 mm",
    "pins": {"count": 40, "circle_radius": "64 mm", "radius": "3 mm"},
    "discs": {"count": 1, "width": "12 mm", "bore_radius": "20 mm", "equidistant": "10 um"},
    "output": {"kind": "disc"},
    "contact": {"law": "penalty", "exponent": 1, "stiffness": "3e8 N/m"},
    "operation": {"input_speed": "1500 rpm", "torque": 100.0},
}


@pytest.fixture
def stage():
    """A single stage with linear pins, changed as asked."""

    def build(changes=None):
        return machine_from_mapping(STAGE, changes)

    return build
