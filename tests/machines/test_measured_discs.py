"""Files of coordinate measuring machines are the discs that were measured, however they lie."""

import math

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis, load_distribution
from flank.errors import SpecError
from flank.geometry.curve import equal_arc_length_parameters, evaluate
from flank.geometry.tooth_outline import gear_outline

COARSE = hysteresis.HysteresisSettings(points_per_stage=6)
COUNT = 3000
MACHINES = ("cycloidal-drive", "rv-40", "few-teeth-38")


def outline(machine):
    """Points of a disc, its flanks 3 µm too low where they can be."""
    if machine.spec.machine == "few-teeth-reducer":
        return np.column_stack(gear_outline(machine.spec.pair.first, 12))[:-1]
    rows = evaluate(machine.profile, equal_arc_length_parameters(machine.profile, COUNT))
    around = np.arctan2(rows[:, 1], rows[:, 0])
    off = -3e-6 + 1e-6 * np.cos(7 * around)
    return rows[:, :2] + off[:, None] * np.column_stack((rows[:, 3], -rows[:, 2]))


def write(path, points, turn=0.0, centre=0j, first=0, dialect="mm"):
    """The same points as measured: turned, moved, begun elsewhere and gone around clockwise."""
    seen = points @ [1, 1j] * np.exp(1j * turn) + centre
    if first:
        seen = np.roll(seen, first)[::-1]
    if dialect == "m":
        lines = [f"{z.real!r} {z.imag!r}" for z in seen.tolist()]
    else:
        lines = ["Disc 4711", "Nr; X [mm]; Y [mm]; Z [mm]"]
        cells = [(1e3 * z.real, 1e3 * z.imag) for z in seen.tolist()]
        lines += [f"{k};{x:.13f};{y:.13f};-4,5".replace(".", ",") for k, (x, y) in enumerate(cells)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def measured(path, **more):
    keys = {f"discs.{key}": value for key, value in more.items()}
    return {"discs.profile": "measured", "discs.points_file": path} | keys


@pytest.fixture(params=MACHINES)
def files(request, tmp_path):
    """A machine, and one disc as two files of it: lying right in m; and in mm with a head,
    semicolons and decimal commas, turned, far off, begun elsewhere, the other way around."""
    points = outline(flank.preset(request.param))
    right = write(tmp_path / "right.csv", points, dialect="m")
    third = len(points) // 3
    return request.param, [
        right,
        write(tmp_path / "any where.csv", points, 0.03, 0.31 - 0.2j, first=third),
    ]


def test_a_file_that_lies_anywhere_is_the_disc_of_one_that_lies_right(files):
    name, paths = files
    right, anywhere = (
        load_distribution.run(flank.preset(name, measured(path)))["wind_up"] for path in paths
    )
    assert anywhere == pytest.approx(right, rel=1e-6)


@pytest.mark.parametrize("files", MACHINES[:1], indirect=True)
def test_both_files_give_one_loop(files):
    name, paths = files
    loops = [
        hysteresis.run(flank.preset(name, measured(path)), COARSE)["loop_angle"].values
        for path in paths
    ]
    np.testing.assert_allclose(loops[1], loops[0], rtol=0, atol=1e-6 * np.ptp(loops[0]))


def test_what_was_laid_how_is_told(tmp_path):
    """Angle to 1e-9 rad, centre to a nanometre as far as the file has digits; by any order."""
    drive = flank.preset("cycloidal-drive")
    rows = evaluate(drive.profile, equal_arc_length_parameters(drive.profile, COUNT))[:, :2]
    rows = np.random.default_rng(5).permutation(rows)
    machine = flank.preset(
        "cycloidal-drive", measured(write(tmp_path / "a.csv", rows, 0.02, 50e-6 - 20e-6j))
    )
    (first, _) = machine.measured_flanks()
    assert first.fit.placement.angle == pytest.approx(0.02, abs=1e-9)
    assert first.fit.placement[1:] == pytest.approx((50e-6, -20e-6), abs=1e-9)
    (note,) = machine.findings()
    assert (note.code, note.severity) == ("points-fitted", "note")
    assert "turned by 1.1459 deg and moved by 53.9 um" in note.message
    (table,) = machine.measured_data()
    assert [row.title for row in table.rows][:2] == ["points on flanks", "turned by"]


def test_a_centre_that_is_kept_is_a_run_out_that_is_doubted(tmp_path):
    points = outline(flank.preset("cycloidal-drive"))
    path = write(tmp_path / "a.csv", points, 0.3, 50e-6 + 0j)
    kept = flank.preset("cycloidal-drive", measured(path, points_fit="angle"))
    codes = {finding.code: finding for finding in kept.findings()}
    assert codes["points-off-centre"].severity == "warning"
    assert codes["points-off-centre"].value == pytest.approx(50e-6, rel=0.01)
    radius = np.hypot(*kept.measured_flanks()[0].points.T)
    assert np.ptp(radius) > np.ptp(np.hypot(*points.T)) + 50e-6


def test_the_modification_is_what_points_are_compared_with(tmp_path):
    """Flanks of the design with 10 µm less everywhere deviate by nothing from it."""
    design = {"discs.equidistant": "10 um", "discs.radial": None}
    machine = flank.preset("rv-320", design)
    path = write(tmp_path / "a.csv", evaluate(machine.profile, np.linspace(0, 6.28, 3000))[:, :2])
    found = flank.preset("rv-320", measured(path) | design).measured_flanks()[0]
    bare = flank.preset(
        "rv-320", measured(path) | {"discs.equidistant": None, "discs.radial": None}
    )
    assert found.fit.rms < 1e-10
    assert bare.measured_flanks()[0].fit.mean == pytest.approx(-10e-6, rel=1e-3)


def spoilt(case, points):
    lobe = COUNT // 39
    return {
        "few": points[::8],
        "a gap": np.delete(points, range(100, 100 + lobe), axis=0),
        "half": points[: COUNT // 2],
        "folded": points[[*range(100), 101, 100, *range(102, COUNT)]],
        "another size": 1.3 * points,
        "metres taken for millimetres": 1e3 * points,
    }[case]


REFUSED = {
    "few": "375 points are 9.62 a lobe; the flank cannot be followed; measure at least 16",
    "a gap": "measure there again",
    "half": "the points go 0.5 times around the disc instead of once; give points of the whole",
    "folded": "the points turn back and the profile folds",
    "another size": "from their centre, the nominal flank 60.99 mm; give the points of this disc",
    "metres taken for millimetres": "they seem to be in mm; set points_unit to 'mm'",
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_the_disc_is_refused_in_one_sentence(case, tmp_path):
    drive = flank.preset("cycloidal-drive")
    rows = evaluate(drive.profile, equal_arc_length_parameters(drive.profile, COUNT))[:, :2]
    path = write(tmp_path / "a.csv", spoilt(case, rows), 0.4, 3e-3 + 0j)
    with pytest.raises(SpecError) as caught:
        flank.preset("cycloidal-drive", measured(path))
    (problem,) = caught.value.problems
    assert problem.startswith("discs.points_file: ")
    assert REFUSED[case] in problem


def test_a_disc_two_lobes_off_is_told_by_its_lobes(tmp_path):
    other = flank.preset("cycloidal-drive", {"pins.count": 42})
    rows = evaluate(other.profile, equal_arc_length_parameters(other.profile, COUNT))[:, :2]
    path = write(tmp_path / "a.csv", rows, 0.4, 3e-3 + 0j)
    with pytest.raises(SpecError, match="the points have 41 lobes, the nominal flank has 39"):
        flank.preset("cycloidal-drive", measured(path))
    with pytest.raises(SpecError, match=r"points lie 60\.9. mm from their centre, the nominal"):
        flank.preset("few-teeth-38", measured(path))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"discs.points_unit": "mm"}, "points_unit does nothing with a smooth profile"),
        ({"discs.points_fit": "angle"}, "points_fit does nothing with a smooth profile"),
        (measured("a.csv", points_fit="both"), "discs.points_fit"),
        (measured("a.csv", points_unit="kg"), "discs.points_unit: '1 kg' is a mass; a length is"),
        (measured("no.csv"), "discs.points_file: no.csv does not exist"),
        ({"pins.points_unit": "mm"}, "points_unit does nothing without a points_file; remove it"),
    ],
)
def test_keys_that_do_nothing_or_cannot_be_are_refused(changes, sentence):
    with pytest.raises(SpecError) as caught:
        flank.preset("cycloidal-drive", changes)
    assert sentence in str(caught.value)


def test_points_without_headings_that_tell_x_from_y(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1;2;3\n4;5;6\n")
    with pytest.raises(SpecError, match=r"3 columns and no headings.*write a line 'x \[mm\]; y"):
        flank.preset("cycloidal-drive", measured(str(path)))


def test_deviations_are_in_the_result_and_drawn(tmp_path):
    points = outline(flank.preset("cycloidal-drive"))
    path = write(tmp_path / "a.csv", points, 0.3, 1e-3 + 2e-3j, dialect="mm")
    result = flank.run(flank.preset("cycloidal-drive", measured(path)), "load-distribution")
    np.testing.assert_allclose(result["flank_deviation_mean"].values, -3e-6, rtol=0.01)
    around, off = result["point_angle"].values, result["point_deviation"].values
    assert len(off) == 2 * COUNT
    turn = result["flank_turned"].values[0]
    shift = 0.3 - turn  # of a number of pitches
    expected = -3e-6 + 1e-6 * np.cos(7 * (around - shift))
    np.testing.assert_allclose(off, expected, rtol=0, atol=0.05e-6)
    from flank.plots import figures

    assert "measured-parts" in figures(result)


class TestPins:
    """Measured pins become errors of the pins."""

    COUNT, CIRCLE, RADIUS = 40, 64e-3, 3e-3

    def rows(self, turn=0.0, centre=0j):
        scatter = np.random.default_rng(2)
        radial, along = scatter.normal(0, 3e-6, (2, self.COUNT))
        for off in (radial, along):  # nothing that a turn or a shift would take away
            spectrum = np.fft.fft(off)
            spectrum[[0, 1, -1]] = 0
            off[:] = np.fft.ifft(spectrum).real
        size = self.RADIUS + scatter.normal(0, 1e-6, self.COUNT)
        angle = 2 * math.pi * np.arange(self.COUNT) / self.COUNT
        places = (self.CIRCLE + radial + 1j * along) * np.exp(1j * (angle + turn)) + centre
        return (
            places,
            size,
            {"pin_radial": radial, "pin_tangential": along, "pin_radius": size - 3e-3},
        )

    def write(self, path, places, size, order, numbered=True, unit=" [mm]"):
        head = ["Pin"] * numbered + [f"X{unit}", f"Y{unit}", f"Diameter{unit}"]
        lines = ["\t".join(head)]
        for k in order:
            cells = [str(k + 1)] * numbered
            numbers = (places[k].real, places[k].imag, 2 * size[k])
            lines.append("\t".join(cells + [f"{1e3 * x:.10f}".replace(".", ",") for x in numbers]))
        path.write_text("\n".join(lines))
        return {"pins.points_file": str(path)}

    @pytest.mark.parametrize("numbered", [True, False])
    def test_they_are_found_whatever_the_frame_and_the_order(self, tmp_path, numbered):
        places, size, errors = self.rows(0.02, 0.3 + 0.1j)
        order = np.random.default_rng(1).permutation(self.COUNT)
        given = self.write(tmp_path / "pins.csv", places, size, order, numbered)
        machine = flank.preset("cycloidal-drive", given)
        for kind, values in errors.items():
            np.testing.assert_allclose(machine.errors[kind], values, rtol=0, atol=1e-9)
        assert any(
            "turned by 1.1459 deg and moved by 316.2 mm" in f.message for f in machine.findings()
        )
        assert [t.title for t in machine.measured_data()] == ["Measured pins, errors"]

    def test_they_are_the_same_machine_as_listed_errors(self, tmp_path):
        places, size, errors = self.rows()
        given = self.write(tmp_path / "pins.csv", places, size, range(self.COUNT))
        listed = {
            f"errors.{kind}": {k + 1: float(value) for k, value in enumerate(values)}
            for kind, values in errors.items()
        }
        loops = [
            hysteresis.run(flank.preset("cycloidal-drive", changes), COARSE)["loop_angle"].values
            for changes in (given, listed)
        ]
        np.testing.assert_allclose(loops[0], loops[1], rtol=0, atol=1e-4 * np.ptp(loops[1]))

    def test_a_draw_leaves_them_alone(self, tmp_path):
        places, size, errors = self.rows()
        given = self.write(tmp_path / "pins.csv", places, size, range(self.COUNT))
        drawn = flank.preset("cycloidal-drive", given | {"errors.seed": 3})
        np.testing.assert_allclose(drawn.errors["pin_radial"], errors["pin_radial"], atol=1e-9)
        assert np.any(drawn.errors["equidistant"])
        kinds = {parameter.kind for parameter in drawn.error_parameters()}
        assert "pin_circle_x" in kinds
        assert not kinds & set(errors)

    def test_diameters_alone(self, tmp_path):
        path = tmp_path / "pins.csv"
        path.write_text("pin; d\n" + "".join(f"{k};6,002\n" for k in range(40, 0, -1)))
        given = {"pins.points_file": str(path), "pins.points_unit": "mm"}
        machine = flank.preset("rv-320", {"pins.count": 40, "pins.radius": "3 mm"} | given)
        np.testing.assert_allclose(machine.errors["pin_radius"], 1e-6, rtol=1e-6)

    @pytest.mark.parametrize(
        ("spoil", "sentence"),
        [
            (lambda text: text.replace(" [mm]", ""), "they seem to be in mm; set points_unit to"),
            (
                lambda text: text.replace("Pin\tX [mm]\tY [mm]\t", "a\tb\tc\t").replace("Dia", "q"),
                "no headings",
            ),
            (lambda text: "\n".join(text.split("\n")[:-1]), "has 39 rows and there are 40 pins"),
            (
                lambda text: text.replace("\n7\t", "\n8\t"),
                "more than one row of pin 8 and none of pin 7",
            ),
            (
                lambda text: text.replace("\n7\t", "\n0\t"),
                "0 is no number of a pin; they are counted",
            ),
            (lambda text: text.replace("\n1\t64,", "\n1\t65,"), "pin 1 is off by"),
            (lambda text: text.replace("Y [mm]", "V"), "has no column 'y'"),
        ],
        ids=["unit", "headings", "rows", "twice", "zero", "place", "no y"],
    )
    def test_what_cannot_be_the_pins(self, tmp_path, spoil, sentence):
        places, size, _ = self.rows()
        path = tmp_path / "pins.csv"
        given = self.write(path, places, size, range(self.COUNT))
        path.write_text(spoil(path.read_text()))
        with pytest.raises(SpecError) as caught:
            flank.preset("cycloidal-drive", given)
        (problem,) = caught.value.problems
        assert problem.startswith("pins.points_file: ")
        assert sentence in problem

    def test_listed_errors_beside_measured_ones(self, tmp_path):
        places, size, _ = self.rows()
        given = self.write(tmp_path / "pins.csv", places, size, range(self.COUNT))
        with pytest.raises(SpecError, match=r"errors\.pin_radius does nothing beside pins\.points"):
            flank.preset("cycloidal-drive", given | {"errors.pin_radius": {1: "1 um"}})
