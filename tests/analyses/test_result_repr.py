"""What Python shows of a result."""

import flank


def test_it_is_one_line():
    result = flank.run(flank.preset("cycloidal-drive"), "stiffness-split")
    shown = repr(result)
    assert "\n" not in shown
    assert len(shown) < 200
    assert "stiffness-split" in shown
    assert "Completed." in shown
