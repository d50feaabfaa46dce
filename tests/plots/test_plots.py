"""Every analysis has its pictures, with units on the axes, also of an incomplete result."""

import functools
import re
import struct

import numpy as np
import pytest
import xarray
from matplotlib import rcParams

import flank
from flank.analyses.registry import ANALYSES, TRACKS
from flank.analyses.result import Result
from flank.plots import PICTURES, figures
from flank.plots.contact_loads import turn_picture
from flank.plots.force_arrows import (
    eccentric_centres,
    force_arrows,
    largest,
    largest_roller_force,
    mesh_arrows,
    roller_arrows,
)
from flank.plots.sensitivity import short_name
from flank.plots.style import COLOURS, Picture
from flank.plots.time_response import alike
from flank.plots.transmission_error import order_name


@functools.cache
def result_of(preset, analysis):
    settings = {
        "transmission-error": {"points_per_turn": 120},
        "load-distribution": {"crank_angle": "30 deg"},
        "hysteresis": {"points_per_stage": 5},
        "stiffness-split": {"points": 3},
        "efficiency": {"points": 40, "input_drag": "0.1 N*m"},
        "natural-frequencies": {},
        "campbell": {},
        "sensitivity": {"points": 8},
        "time-response": {"contacts": "full", "duration": "4 ms"},
        "load-sharing": {"points": 6, "error_points": 3},
        "mesh-phasing": {},
        "speed-sweep": {"speeds": 8, "settling_periods": 1, "periods": 2},
        "speed-dwell": {"approach_periods": 2, "settling_periods": 2, "periods": 8},
        "impact-test": {"positions": 3, "swings": 3},
        "mesh-stiffness": {"loads": [0.5, 1.5], "points": 16},
        "gear-modes": {"count": 6},
        "contact-pattern": {"positions": 24},
        "loaded-contact": {"positions": 12, "points": 12},
        "forced-roll": {"steps": 24, "cases": [{"points": 12}]},
        "rolling-sweep": {"duration": "0.1 s", "periods": 4, "settling_periods": 20, "points": 1},
        "rolling-run": {"duration": "0.02 s", "points": 1},
        "rolling-dwell": {"approach_periods": 20, "settling_periods": 20, "points": 1},
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


OF_PLANETS = ("load-sharing", "mesh-phasing")
OF_MESHES = ("speed-sweep", "speed-dwell", "impact-test")
OF_TEETH = ("mesh-stiffness", "gear-modes")
OF_FLANKS = ("contact-pattern", "forced-roll")
IN_PLANE = ("stiffness-split", "efficiency", "sensitivity", "impact-test")
ONLY_OF = {
    "turning-arm-forces": ("rv", "few"),
    "support-forces": ("rv", "few"),
    "pin-forces": ("rv", "cycloidal", "monocrank", "single"),
    "contact-loads": ("rv", "few", "cycloidal", "monocrank", "single", "planetary"),
    "tooth-forces": ("planetary", "few", "gear", "rv", "hypoid"),
    "tilts": ("planetary-grc",),
    "measured-parts": (),  # of no preset: they have nothing measured
    "residual": (),
    "within-tolerance": ("rv",),
    "teeth-at-speed": ("gear", "planetary", "spur"),
    "flank-forces": ("few",),
    "contact-states": ("rv", "few", "cycloidal", "monocrank", "single"),
}
"""Pictures that only some machines have, by how the names of their presets begin."""

OF_REDUCERS = sorted(name for name, one in ANALYSES.items() if TRACKS not in one.needs)
DRAWN = (
    "cycloidal-drive",
    "monocrank",
    "single-disc",
    "rv-320",
    "few-teeth-38",
    "gear-pair",
    "planetary-500kw",
    "spur-bruzzone",
    "hypoid-pair",
)


def by_night(preset, analysis):
    """Sensitivities take longest: by day those of one cycloidal drive."""
    again = analysis == "sensitivity" and preset in ("monocrank", "single-disc")
    return [pytest.mark.nightly] if again else []


@pytest.mark.parametrize(
    ("preset", "analysis"),
    [
        pytest.param(preset, analysis, marks=by_night(preset, analysis))
        for analysis in OF_REDUCERS
        for preset in DRAWN
        if analysis not in OF_PLANETS or preset.startswith(("planetary", "rv"))
        if analysis not in OF_MESHES or preset.startswith(("gear", "planetary", "rv", "hypoid"))
        if analysis not in OF_FLANKS or preset == "hypoid-pair"
        if analysis not in IN_PLANE or preset != "hypoid-pair"
        if analysis != "loaded-contact" or preset in ("gear-pair", "hypoid-pair")
        if analysis not in OF_TEETH or preset.startswith(("gear", "planetary", "rv", "few"))
        if analysis.startswith("rolling-") == (preset == "spur-bruzzone")
    ],
)
def test_pictures_are_drawn_with_captions(preset, analysis):
    pictures = figures(result_of(preset, analysis))
    names = PICTURES[analysis].names
    assert list(pictures) == [name for name in names if preset.startswith(ONLY_OF.get(name, ""))]
    for picture in pictures.values():
        assert picture.caption.endswith(".")
        width, height = size(picture.png())
        assert 600 < width < 1400
        assert 300 < height < 900
        assert len(picture.png()) < 400_000


def test_axes_carry_units():
    pictures = figures(result_of("monocrank", "transmission-error"))
    assert "Input angle (°)" in texts(pictures["transmission-error"])
    assert "(arcsec)" in texts(pictures["transmission-error"])
    assert "peak to\npeak" in texts(pictures["transmission-error"])
    assert "14 (pin)" in texts(pictures["spectrum"])
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
    return Result.from_xarray(data.assign_attrs(complete=0, outcome="It stopped."))


def test_an_incomplete_result_is_drawn_as_far_as_it_goes():
    part = part_of(result_of("monocrank", "transmission-error"), crank_angle=slice(0, 30))
    assert set(figures(part)) == {"transmission-error", "pin-forces"}
    part = part_of(result_of("monocrank", "hysteresis"), point=slice(0, 7))
    assert [len(picture.png()) > 0 for picture in figures(part).values()] == [True]


def test_a_loop_too_small_for_lost_motion_is_drawn():
    result = flank.run(flank.preset("monocrank"), "hysteresis", torque=0.1, points_per_stage=5)
    assert "lost_motion" not in result.dataset
    assert set(figures(result)) == {"hysteresis", "drive"}
    assert [len(picture.png()) > 0 for picture in figures(result).values()] == [True, True]


def test_a_result_without_values_has_no_pictures():
    drive = flank.preset("cycloidal-drive", {"operation.torque": "1e12 N*m"})
    asked = {name for name in OF_REDUCERS if ANALYSES[name].fits(drive)}
    asked -= {"hysteresis", "time-response"}  # which keep what they have
    asked -= {"efficiency", "mesh-stiffness"}  # which have loads of their own
    for analysis in asked:
        torque = {"torque": "1e12 N*m"} if analysis == "stiffness-split" else {}
        result = flank.run(drive, analysis, **torque)
        assert not result.complete
        assert figures(result) == {}


def test_arrows_on_the_planets_balance_the_carrier():
    """The tooth forces on the planets turn the carrier by what it is driven with."""
    machine = flank.preset("planetary-500kw")
    result = result_of("planetary-500kw", "load-distribution")
    forces = result["mesh_load"].values
    arrows = mesh_arrows(result, result.drawing)
    along = arrows.tip - arrows.tail
    scale = np.abs(forces).max() / np.linalg.norm(along, axis=1).max()
    centres = np.tile(machine.ideal_pose(np.deg2rad(30))[4:, :2], (2, 1))
    moment = scale * (centres[:, 0] * along[:, 1] - centres[:, 1] * along[:, 0]).sum()
    assert moment == pytest.approx(-machine.load_torque / machine.ratio * -1, rel=1e-3)


def test_a_drive_whose_points_have_gone_is_still_drawn(tmp_path):
    result = result_of("monocrank", "load-distribution")
    gone = result.dataset.attrs["spec"].replace(
        '"equidistant": "50 um"', f'"points_file": "{tmp_path}/gone.csv"'
    )
    gone = gone.replace('"profile": "smooth"', '"profile": "measured"')
    changed = Result.from_xarray(result.dataset.assign_attrs(spec=gone), result.drawn)
    assert set(figures(changed)) == {"drive", "contact-loads"}


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


def test_forces_on_a_disc_of_an_rv_reducer_balance():
    """Without friction pins and rollers hold each disc: their arrows add up to nothing."""
    smooth = {"friction.pins": 0, "friction.turning_arm": 0, "friction.supports": 0}
    for elements in ("inside", "bodies"):
        machine = flank.preset("rv-320", smooth | {"turning_arm.elements": elements})
        result = flank.run(machine, "load-distribution", crank_angle="200 deg")
        for disc in range(2):
            centres = eccentric_centres(result.drawing, result.drawing.layers[disc])
            pins = force_arrows(result, disc, longest=largest(result, "force"))
            rollers = roller_arrows(result, disc, largest_roller_force(result), centres)
            total = [np.sum(arrows.tip - arrows.tail, axis=0) for arrows in (pins, rollers)]
            assert np.linalg.norm(total[0]) > 5000
            assert np.linalg.norm(total[0] + total[1]) < 0.01 * np.linalg.norm(total[0])


def test_the_orders_of_an_rv_reducer_are_named():
    result = flank.run(
        flank.preset("rv-320"), "transmission-error", turns_of="crank", points_per_turn=200
    )
    written = texts(figures(result)["spectrum"])
    for name in ("crank", "disc", "pin"):
        assert re.search(rf"^{name}$", written, flags=re.MULTILINE)
    assert "Crank angle (°)" in texts(figures(result)["turning-arm-forces"])


def test_multiples_take_the_name_of_the_highest_order():
    named = {"output": 1 / 39, "input": 1.0, "roller": 8.0, "pin": 40.0}
    assert order_name(40.0, named) == "40 (pin)"
    assert order_name(80.0, named) == "80 (2 × pin)"
    assert order_name(16.0, named) == "16 (2 × roller)"
    assert order_name(7.0, named) == "7"


def test_of_many_cranks_the_first_are_shown():
    result = result_of("rv-320", "transmission-error").dataset
    more = xarray.concat([result["turning_arm_force"]] * 2, dim="crank")
    kept = {k: v for k, v in result.coords.items() if k != "crank"}
    data = xarray.Dataset({"turning_arm_force": more}, coords=kept, attrs=result.attrs)
    picture = turn_picture(Result.from_xarray(data), "turning_arm_force")
    assert "3 more cranks are not shown" in picture.caption
    assert len(picture.axes) == 3 * 2 + 1


@pytest.mark.parametrize("model", ["rigid", "spring", "table"])
def test_few_teeth_without_explicit_contact_are_drawn(model):
    """Teeth that are no contacts have no bars; rollers still have their maps."""
    machine = flank.preset("few-teeth-60", {"mesh.model": model, "friction.teeth": 0})
    pictures = figures(flank.run(machine, "load-distribution"))
    assert set(pictures) == {"drive", "contact-loads"}
    assert "roller" in pictures["contact-loads"].caption
    assert len(pictures["drive"].axes) == 2  # no colour bar for pressures that are not known


def test_phases_of_zero_are_seen():
    picture = figures(result_of("rv-320", "mesh-phasing"))["mesh-phasing"]
    (sun,) = picture.axes[0].get_lines()
    assert sun.get_marker() == "o"
    assert np.allclose(sun.get_ydata(), 0.0)


def test_a_dense_error_shows_its_first_periods():
    gearbox = flank.run(flank.preset("planetary-500kw"), "transmission-error")
    close, full = figures(gearbox)["transmission-error"].axes
    assert np.diff(close.get_xlim()) < 0.1 * np.diff(full.get_xlim())


def test_many_bodies_share_the_colours():
    """Curves that differ by more than a thousandth are drawn as one before colours repeat."""
    bodies = np.linspace(1.0, 1.2, 40)
    speed = xarray.DataArray(
        np.outer(np.ones(5), bodies),
        dims=("time", "body"),
        coords={"body": [f"body {k}" for k in range(40)]},
        attrs={"units": "rad/s", "shown_unit": "rad/s"},
    )
    curves = alike(speed)
    assert 1 < len(curves) <= len(COLOURS)
    assert sum(count for _, _, count in curves) == 40


def test_balls_are_numbered_as_they_are_drawn():
    loads = figures(result_of("cv-joint", "load-distribution"))["contact-loads"]
    labels = [text.get_text() for text in loads.axes[0].get_xticklabels()]
    assert labels == [str(ball) for ball in range(1, 9)]
    assert "races side by side" in loads.caption
    assert "Ball, its flanks side by side" in texts(loads)


def test_nearly_constant_curves_look_so():
    gearbox = flank.preset("planetary-lin-parker")
    picture = figures(flank.run(gearbox, "load-sharing", points=4, error_points=0))["load-sharing"]
    low, high = picture.axes[0].get_ylim()
    assert high - low >= 1.999  # percent


def test_tilts_of_a_machine_in_space_are_drawn():
    machine = flank.preset("planetary-grc")
    result = flank.run(machine, "time-response", duration=2e-3, step=1e-4, points=10)
    picture = figures(result)["tilts"]
    assert picture.caption.endswith(".")
    for part in ("Tilt about the tangent (arcsec)", "Axial shift (µm)"):
        assert part in texts(picture)
    named = picture.axes[1].get_legend_handles_labels()[1]
    assert any(name.startswith("planet 1") for name in named)


def test_loads_of_meshes_are_named_and_show_the_forces_of_their_teeth():
    result = result_of("planetary-grc", "load-distribution")
    (axes,) = figures(result)["contact-loads"].axes
    labels = [text.get_text() for text in axes.get_xticklabels()]
    assert labels == [*result.dataset["mesh"].values]
    assert axes.get_legend_handles_labels()[1] == ["normal", "tangential", "axial"]
    heights = [bar.get_height() for bar in axes.containers[0]]
    np.testing.assert_allclose(heights, 1e-3 * np.abs(result.dataset["mesh_load"].values))


def test_pairs_of_teeth_stand_side_by_side_in_every_slice():
    pair = flank.preset("gear-pair", {"mesh.model": "contact"})
    result = flank.run(pair, "load-distribution")
    picture = figures(result)["contact-loads"]
    force = result.dataset["mesh_force"]
    carrying = int((force.max("slice") > 0).sum())
    for axes in picture.axes:
        named = axes.get_legend_handles_labels()[1]
        assert len(named) == carrying < force.sizes["flank_index"] * force.sizes["tooth_pair"]
        assert len(axes.get_xticklabels()) == force.sizes["slice"]
    drawn = sum(bar.get_height() for bars in picture.axes[0].containers for bar in bars)
    np.testing.assert_allclose(drawn, float(force.sum()))
    assert "Slice across the face" in texts(picture)


def modes(shares, names):
    """A result of natural frequencies with given shares (mode, body) of the energy."""
    count = len(shares)
    units = {"units": "1/s", "shown_unit": "Hz", "long_name": "Frequency"}
    share = {"units": "", "shown_unit": "percent", "long_name": "Share of the kinetic energy"}
    data = xarray.Dataset(
        {
            "frequency": ("mode", np.arange(1.0, count + 1), units),
            "eigenvalue": ("mode", np.arange(1.0, count + 1)),
            "energy_share": (("mode", "body"), np.asarray(shares), share),
        },
        coords={"mode": np.arange(1, count + 1), "body": names},
    )
    full = result_of("single-disc", "natural-frequencies").dataset
    return Result.from_xarray(data.assign_attrs(full.attrs), None)


def test_a_bar_of_several_bodies_bears_no_name_of_one():
    names = [f"ball {k + 1}" for k in range(9)]
    even = np.full(9, 1 / 9)
    one = np.array([0.05] * 6 + [0.0, 0.1, 0.6])
    shares = np.array([even, one] + [np.eye(9)[k] for k in range(6)])
    picture = figures(modes(shares, names))["natural-frequencies"]
    inside = {(text.get_position()[1], text.get_text()) for text in picture.axes[1].texts}
    assert not [text for row, text in inside if row == 0 and text]
    assert (1, "mostly ball 9") in inside


def test_modes_that_are_not_drawn_are_told_in_the_picture():
    picture = figures(modes(np.ones((20, 1)), ["disc"]))["natural-frequencies"]
    assert "the 16 lowest of 20" in texts(picture)


def test_pairs_of_teeth_are_named_and_those_without_load_left_out():
    pictures = figures(result_of("gear-pair", "mesh-stiffness"))
    share = pictures["mesh-stiffness"].axes[2]
    named = share.get_legend_handles_labels()[1]
    assert named == [f"pair {k + 1}" for k in range(len(named))]
    assert min(line.get_ydata().max() for line in share.get_lines()) > 1.0  # percent
    maps = [axes for axes in pictures["load-across-face"].axes if axes.images]
    assert [axes.get_title(loc="left").split(", ")[-1] for axes in maps] == named


@pytest.mark.parametrize(
    ("preset", "ends"),
    [("helical-in-space", {"one end", "other end"}), ("hypoid-pair", {"toe", "heel"})],
)
def test_only_tapered_teeth_have_toe_and_heel(preset, ends):
    picture = figures(result_of(preset, "loaded-contact"))["load-on-flank"]
    assert {text.get_text() for text in picture.axes[0].texts} == ends | {"root", "tip"}


@pytest.mark.parametrize(
    ("title", "kind", "short"),
    [
        ("radius of pin 10", "pin_radius", "radius of pin 10"),
        (
            "tangential position of a roller hole, disc 1, roller 13",
            "hole_tangential",
            "hole tangential, disc 1, roller 13",
        ),
        (
            "tangential position of the pin of planet 1",
            "pin_tangential",
            "pin tangential, planet 1",
        ),
        ("misalignment of the axes in the plane of action", "misalignment", "misalignment"),
    ],
)
def test_long_names_of_errors_keep_what_and_which_part(title, kind, short):
    assert short_name(title, kind) == short
