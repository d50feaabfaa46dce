"""The modification that a search finds is better than those that were tried by hand."""

import importlib.util
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "optimize_modification.py"


def test_the_optimum_beats_the_best_of_four_hands_at_equal_limits(tmp_path, capsys):
    spec = importlib.util.spec_from_file_location("optimize_modification", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    tried = example.by_hand(120)
    best = min(tried.values(), key=lambda row: row["error"])
    least = min(row["backlash"] for row in tried.values())
    found = example.search(120, 60, least, best["backlash"]).best
    arcsec = 3.141592653589793 / 648000
    assert found.figures[example.FIGURE] < 0.9 * best["error"] * arcsec
    assert least <= found.figures["hysteresis.backlash"] / (60 * arcsec) <= best["backlash"] + 1e-3
