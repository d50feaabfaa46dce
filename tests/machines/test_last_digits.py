"""No finding and no refusal hangs on a last digit: other processors round otherwise."""

import numpy as np
import pytest
from trembling import trembling

from flank.io.spec_files import read_spec_text
from flank.machines.registry import machine_from_mapping
from flank.presets import preset_names, preset_text

DRAWS = 3


def findings(machine):
    return [(finding.code, finding.severity) for finding in machine.findings()]


@pytest.mark.parametrize("name", preset_names())
def test_findings_of_presets_stay_as_they_are(name):
    machine = machine_from_mapping(read_spec_text(preset_text(name), name))
    exact = machine.spec.to_mapping(units=False)
    draw = np.random.default_rng(1)
    for _ in range(DRAWS):
        assert findings(machine_from_mapping(trembling(exact, draw))) == findings(machine)
