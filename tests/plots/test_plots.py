"""Every analysis has its pictures, with units on the axes, also of an incomplete result."""

import functools
import struct

import numpy as np
import pytest
from matplotlib import rcParams

import flank
from flank.analyses.registry import ANALYSES
from flank.analyses.result import Result
from flank.plots import PICTURES, figures
from flank.plots.force_arrows import force_arrows
from flank.plots.style import Picture


@functools.cache
def result_of(preset, analysis):
    settings = {
        "transmission-error": {"points_per_turn": 120},
        "load-distribution": {"crank_angle": "30 deg"},
        "hysteresis": {"points_per_stage": 5},
        "stiffness-split": {"points": 3},
        "natural-frequencies": {},
        "sensitivity": {"points": 8},
    }
    return flank.run(flank.preset(preset), analysis, **settings[analysis])


def texts(picture: Picture) -> str:
    found = []
    for axes in picture.axes:
        found += [axes.get_xlabel(), axes.get_ylabel(), axes.get_title(loc="left")]
        found += [text.get_text() for text in axes.texts]
    return "\n".join(found)


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


def test_every_analysis_has_pictures():
    assert set(PICTURES) == set(ANALYSES)


@pytest.mark.parametrize("preset", ["cycloidal-drive", "monocrank", "single-disc"])
@pytest.mark.parametrize("analysis", sorted(ANALYSES))
def test_pictures_are_drawn_with_captions(preset, analysis):
    pictures = figures(result_of(preset, analysis))
    assert tuple(pictures) == PICTURES[analysis].names
    for picture in pictures.values():
        assert picture.caption.endswith(".")
        width, height = size(picture.png())
        assert 600 < width < 1400
        assert 300 < height < 900
        assert len(picture.png()) < 400_000


def test_axes_carry_units():
    pictures = figures(result_of("monocrank", "transmission-error"))
    assert "Crank angle (°)" in texts(pictures["transmission-error"])
    assert "(arcsec)" in texts(pictures["transmission-error"])
    assert "peak to\npeak" in texts(pictures["transmission-error"])
    assert "14 (pins)" in texts(pictures["spectrum"])
    assert "Force (N)" in texts(pictures["pin-forces"])
    loop = texts(figures(result_of("monocrank", "hysteresis"))["hysteresis"])
    for part in ("Output angle (arcmin)", "Output torque (N·m)", "Lost motion", "Backlash"):
        assert part in loop


def part_of(result: Result, **selection) -> Result:
    """What a run that stopped early leaves."""
    data = result.dataset
    scalars = [name for name, variable in data.data_vars.items() if variable.ndim == 0]
    data = data.drop_vars(scalars if result.analysis == "hysteresis" else [])
    data = data.drop_dims("order", errors="ignore").isel(selection)
    return Result(data.assign_attrs(complete=0, outcome="It stopped."))


def test_an_incomplete_result_is_drawn_as_far_as_it_goes():
    part = part_of(result_of("monocrank", "transmission-error"), crank_angle=slice(0, 30))
    assert set(figures(part)) == {"transmission-error", "pin-forces"}
    part = part_of(result_of("monocrank", "hysteresis"), point=slice(0, 7))
    assert [len(picture.png()) > 0 for picture in figures(part).values()] == [True]


def test_a_result_without_values_has_no_pictures():
    drive = flank.preset("cycloidal-drive", {"operation.torque": "1e12 N*m"})
    for analysis in set(ANALYSES) - {"hysteresis"}:
        torque = {"torque": "1e12 N*m"} if analysis == "stiffness-split" else {}
        result = flank.run(drive, analysis, **torque)
        assert not result.complete
        assert figures(result) == {}


def test_a_drive_whose_points_have_gone_still_has_bars(tmp_path):
    result = result_of("monocrank", "load-distribution")
    gone = result.dataset.attrs["spec"].replace(
        '"equidistant": "50 um"', f'"points_file": "{tmp_path}/gone.csv"'
    )
    gone = gone.replace('"profile": "smooth"', '"profile": "measured"')
    changed = Result(result.dataset.assign_attrs(spec=gone))
    assert set(figures(changed)) == {"contact-loads"}


def test_arrows_balance_the_torque():
    """Forces on both discs about the machine's centre: rollers take what the torque puts in."""
    result = result_of("cycloidal-drive", "load-distribution")
    data = result.dataset
    moment = 0.0
    for disc in range(2):
        arrows = force_arrows(result, disc, longest=1.0)
        assert np.isfinite(arrows.tail).all()
        lengths = np.linalg.norm(arrows.tip - arrows.tail, axis=1)
        assert lengths.max() <= 1.0 + 1e-12
        place = np.column_stack([data[f"roller_{axis}"][disc] for axis in "xy"])
        normal = np.column_stack([data[f"roller_normal_{axis}"][disc] for axis in "xy"])
        force = -normal * data["roller_force"][disc].values[:, None]
        moment += np.nansum(place[:, 0] * force[:, 1] - place[:, 1] * force[:, 0])
    assert moment == pytest.approx(200.0, rel=1e-6)


def test_the_users_own_style_is_left_alone():
    before = dict(rcParams)
    for picture in figures(result_of("monocrank", "hysteresis")).values():
        picture.png()
    assert dict(rcParams) == before
