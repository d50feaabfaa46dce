"""No finding and no refusal hangs on a last digit: other processors round otherwise."""

import numpy as np
import pytest

from flank.io.spec_files import read_spec_text
from flank.machines.registry import machine_from_mapping
from flank.presets import preset_names, preset_text

LAST_DIGITS = 1e-13
"""What rounding in another order changes of a quantity."""

DRAWS = 3


def trembling(data, draw):
    """The spec with every quantity off by a few last digits."""
    if isinstance(data, dict):
        return {key: trembling(value, draw) for key, value in data.items()}
    if isinstance(data, list):
        return [trembling(value, draw) for value in data]
    if isinstance(data, float):
        return data * (1 + LAST_DIGITS * draw.uniform(-1, 1))
    return data


def findings(machine):
    return [(finding.code, finding.severity) for finding in machine.findings()]


@pytest.mark.parametrize("name", preset_names())
def test_findings_of_presets_stay_as_they_are(name):
    machine = machine_from_mapping(read_spec_text(preset_text(name), name))
    exact = machine.spec.to_mapping(units=False)
    draw = np.random.default_rng(1)
    for _ in range(DRAWS):
        assert findings(machine_from_mapping(trembling(exact, draw))) == findings(machine)
