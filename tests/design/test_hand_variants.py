"""The modification that a search finds is better than those that were tried by hand."""

import importlib.util
from pathlib import Path

import pytest
from printed import shown

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "optimize_modification.py"
PAGE = ROOT / "docs" / "examples" / "optimize_modification.md"


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("optimize_modification", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return example


@pytest.mark.nightly
def test_the_page_shows_what_the_example_finds(example):
    page = PAGE.read_text(encoding="utf-8")
    tried = example.by_hand(720)
    for (equidistant, radial), row in tried.items():
        line = f"| {equidistant} µm, {radial} µm | {row['error']:.3f}″ | {row['backlash']:.3f}′ |"
        assert shown(page, line)
    best = min(tried.values(), key=lambda row: row["error"])
    least = min(row["backlash"] for row in tried.values())
    found = example.search(720, 160, least, best["backlash"])
    error = found.best.figures[example.FIGURE] * 206264.806
    backlash = found.best.figures["hysteresis.backlash"] * 3437.74677
    assert shown(page, f"| {error:.5f}″ | {backlash:.3f}′ |")
    assert shown(page, f"after {len(found.path)} specs")


def test_the_optimum_beats_the_best_of_four_hands_at_equal_limits(example):
    tried = example.by_hand(120)
    best = min(tried.values(), key=lambda row: row["error"])
    least = min(row["backlash"] for row in tried.values())
    found = example.search(120, 60, least, best["backlash"]).best
    arcsec = 3.141592653589793 / 648000
    assert found.figures[example.FIGURE] < 0.9 * best["error"] * arcsec
    assert least <= found.figures["hysteresis.backlash"] / (60 * arcsec) <= best["backlash"] + 1e-3
