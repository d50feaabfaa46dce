"""Load lines: both branches of one machine that is put together once."""

import pytest

import flank
from flank.design.loads import SHARES, Held, LoadLine


@pytest.mark.parametrize("name", ["cycloidal-drive", "few-teeth-38"])
def test_a_branch_is_that_of_a_machine_of_its_own(name):
    machine = flank.preset(name)
    line, rated = LoadLine(machine), machine.rated_torque
    alone = Held(machine, tuple(-share * rated for share in SHARES[:2])).branch(0, 2)
    assert line._backward.angles == pytest.approx(alone.angles, rel=1e-12)
    ahead = Held(machine, tuple(share * rated for share in SHARES)).branch(0, len(SHARES))
    assert line._forward.angles == pytest.approx(ahead.angles, rel=1e-12)
    assert 0 < line.backlash < line.lost_motion
