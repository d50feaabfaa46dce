"""Drawings and solids, read back: areas, volumes, and flanks against their analytic curves."""

import csv
import io
import math
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from matlab_files import read_matlab
from scipy.interpolate import BSpline
from step_files import StepFile
from workbooks import read_workbook

import flank
from flank.cad.dxf import dxf_text
from flank.cad.placing import placed_plates
from flank.errors import SpecError
from flank.geometry.curve import evaluate, period
from flank.geometry.tooth_outline import enclosed_area, half_outline
from flank.machines.plates import HasPlates, flank_edge, gear_edge, relieved

MACHINES = ("cycloidal-drive", "rv-40", "few-teeth-60", "planetary-lin-parker", "gear-pair")
ANGLE = 0.3


def area_of(points):
    x, y = np.asarray(points).T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


@pytest.fixture(scope="module", params=MACHINES)
def machine(request):
    return flank.preset(request.param)


@pytest.fixture(scope="module")
def drive():
    return flank.preset("cycloidal-drive", {"discs.equidistant": "10 um"})


def test_the_area_inside_an_edge_is_that_of_a_fine_polygon(machine):
    for plate in machine.plates():
        for edge in (plate.outside, *plate.holes):
            size = math.sqrt(abs(edge.area) / math.pi)  # chords cut off 4/3 of their height over r
            limit = 2 * 1e-9 / size
            assert edge.area == pytest.approx(area_of(edge.points(1e-9)), rel=limit + 1e-9)


def test_a_circle_of_an_edge_is_exact():
    pins = [plate for plate in flank.preset("cycloidal-drive").plates() if plate.kind == "pin"]
    assert pins[0].area == math.pi * flank.preset("cycloidal-drive").spec.pins.radius ** 2


@pytest.mark.parametrize("place", ["first", "second"])
def test_a_gears_edge_encloses_what_its_outline_does(place):
    gear = getattr(flank.preset("gear-pair").spec.pair, place)
    plain = replace(gear, relief=None)
    assert gear_edge(plain).area == pytest.approx(enclosed_area(plain), rel=1e-5)
    assert gear_edge(gear).area < gear_edge(plain).area


RELIEVED = {
    "tip_relief": {"amount": "30 um", "length": "3 mm", "exponent": 1},
    "root_relief": {"amount": "20 um", "length": "2 mm"},
}


@pytest.mark.parametrize("internal", [False, True])
def test_edges_have_the_relief_of_their_flanks(internal):
    """Across an involute: r_b times the angle by which a point lies behind it."""
    if internal:
        machine = flank.preset("planetary-500kw", {f"ring.{k}": v for k, v in RELIEVED.items()})
        gear, begins = machine.spec.ring_gear, None
    else:
        machine = flank.preset("gear-pair", {f"pinion.{k}": v for k, v in RELIEVED.items()})
        gear, begins = machine.spec.pinion_gear, machine.spec.pair.path[0]
    edge = gear_edge(gear, 0.0, begins)
    tooth = edge.pieces[: len(edge.pieces) // gear.teeth]
    places = np.concatenate([piece(np.linspace(piece.t[0], piece.t[-1], 301)) for piece in tooth])
    z = places @ [1, 1j]
    roll = np.sqrt(np.maximum(np.abs(z) ** 2 - gear.base_radius**2, 0.0))
    outline = half_outline(gear)
    low, high = sorted((outline.flank.start, outline.flank.end))
    on = (roll > low + 2e-6) & (roll < high - 2e-6)
    behind = [gear.half_angle(radius) for radius in np.abs(z[on])] - np.abs(np.angle(z[on]))
    taken = relieved(gear, roll[on], begins)
    assert taken.max() > 25e-6
    assert taken.min() < 1e-6
    assert np.abs(gear.base_radius * behind - taken).max() < 1e-6


@pytest.mark.parametrize(
    ("name", "part", "changes"),
    [
        ("gear-pair", "pinion", {"rack.helix_angle": 0, "centre_distance": None,
                                 "pinion.crowning": "20 um"}),
        pytest.param("planetary-500kw", "ring", {"ring.crowning": "10 um"},
                     marks=pytest.mark.nightly),
    ],
)  # fmt: skip
def test_a_crowned_gear_is_thinner_at_its_ends(name, part, changes):
    pytest.importorskip("OCP")
    from flank.cad.step import solid_of, volume_of

    placed = next(
        p for p in placed_plates(flank.preset(name, changes), 0.0) if p.plate.name == part
    )
    plate = placed.plate
    full = plate.area * (plate.top - plate.bottom)
    assert plate.volume < full
    assert volume_of(solid_of(placed)) == pytest.approx(plate.volume, rel=1e-4)
    ends, middle = (plate.section(share).area for share in (0.0, 0.5))
    assert (ends > middle) is (part == "ring")


def test_splines_stay_within_a_micrometre_of_the_flank(drive):
    shape = drive.shape_of(drive.profile, 0)
    edge = flank_edge(shape, drive.lobes)
    assert len(edge.pieces) == 2 * drive.lobes
    step = period(shape) / len(edge.pieces)
    for k, piece in enumerate(edge.pieces[:4]):
        along = np.linspace(0, 1, 1001)
        x, y, *way = evaluate(shape, (k + along) * step).T[:4]
        off = piece(along) - np.column_stack((x, y))
        assert np.abs(off[:, 0] * way[1] - off[:, 1] * way[0]).max() < 1e-6
        assert np.hypot(*off.T).max() < 2e-6  # so that across is not along


def test_pieces_of_an_edge_join(machine):
    for plate in machine.plates():
        pieces = plate.outside.pieces
        for one, other in zip(pieces, (*pieces[1:], *pieces[:1]), strict=True):
            assert np.allclose(one(1.0), other(0.0), atol=1e-9)


def entities_of(text):
    """A reader of DXF that knows nothing of ezdxf: pairs of lines, entity by entity."""
    lines = text.splitlines()
    pairs = [(int(code), value) for code, value in zip(lines[::2], lines[1::2], strict=False)]
    start = next(k for k, pair in enumerate(pairs) if pair == (2, "ENTITIES"))
    entities = []
    for code, value in pairs[start + 1 :]:
        if (code, value) == (0, "ENDSEC"):
            return entities
        if code == 0:
            entities.append([])
        entities[-1].append((code, value.strip()))
    raise AssertionError("no end of the section")


def numbers(entity, code):
    return [float(value) for key, value in entity if key == code]


def layer(entity):
    return next(value for key, value in entity if key == 8)


def spline_of(entity):
    poles = np.column_stack((numbers(entity, 10), numbers(entity, 20)))
    return BSpline(np.array(numbers(entity, 40)), poles, 3)


def test_dxf_read_back_has_the_areas_and_flanks_of_the_parts(drive):
    parts = placed_plates(drive, ANGLE)
    entities = entities_of(dxf_text(parts, drive.title, "splines", 1e-6))
    disc = next(part for part in parts if part.plate.name == "disc 1")
    splines = [spline_of(e) for e in entities if e[0][1] == "SPLINE" and layer(e) == "disc 1"]
    points = np.concatenate([piece(np.linspace(0, 1, 200, endpoint=False)) for piece in splines])
    assert area_of(points) == pytest.approx(disc.plate.outside.area, rel=1e-4)
    pose = drive.ideal_pose(ANGLE)[drive.discs[0]]
    local = ((points * 1e-3 - pose[:2]) @ [1, 1j]) * np.exp(-1j * pose[2])
    exact = drive.plates()[0].outside.pieces
    same = np.concatenate([piece(np.linspace(0, 1, 200, endpoint=False)) for piece in exact])
    assert np.abs(local - same @ [1, 1j]).max() < 1e-9
    pins = [e for e in entities if e[0][1] == "CIRCLE" and layer(e) == "pin"]
    assert len(pins) == drive.spec.pins.count
    assert numbers(pins[0], 40) == [pytest.approx(1e3 * drive.spec.pins.radius)]


def test_dxf_is_clean_and_polylines_keep_their_tolerance(machine):
    ezdxf = pytest.importorskip("ezdxf")
    parts = placed_plates(machine, ANGLE)
    for curves in ("splines", "polylines"):
        document = ezdxf.read(io.StringIO(dxf_text(parts, machine.title, curves, 5e-6)))
        audit = document.audit()
        assert not audit.errors
        assert not audit.fixes
        assert {part.layer for part in parts} <= {each.dxf.name for each in document.layers}
    for part in parts[:3]:
        lines = part.plate.outside.points(5e-3)
        assert area_of(lines) == pytest.approx(part.plate.outside.area, rel=5e-3)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("cycloidal-drive", ("disc 1", "pin 1", "eccentric 2")),
        ("few-teeth-60", ("ring", "journal 1 of crank 1")),
        ("gear-pair", ("pinion",)),  # helical
        pytest.param("planetary-grc", ("ring", "sun"), marks=pytest.mark.nightly),
        pytest.param("rv-320", ("disc 2", "planet 1"), marks=pytest.mark.nightly),
    ],
)
def test_step_read_back_has_the_volume_of_every_part(name, kept):
    """By a reader of our own: Open CASCADE, which writes the file, is not asked."""
    pytest.importorskip("OCP")
    from flank.cad.step import step_bytes

    machine = flank.preset(name)
    chosen = [part for part in placed_plates(machine, ANGLE) if part.plate.name in kept]
    solids = StepFile(step_bytes(chosen, machine.title).decode()).solids
    assert solids == pytest.approx({p.plate.name: p.plate.volume for p in chosen}, rel=1e-4)
    assert set(solids) == set(kept)


def test_svg_is_well_formed_and_its_discs_have_their_area(tmp_path, drive):
    flank.export(drive, tmp_path / "drive.svg")
    root = ElementTree.parse(tmp_path / "drive.svg").getroot()
    path = root.find(".//{*}g[@id='disc-1']/{*}path").get("d")
    outer = re.match(r"M([^Z]*)Z", path).group(1)
    points = [tuple(map(float, pair.split(","))) for pair in outer.split()]
    assert -area_of(points) == pytest.approx(1e6 * drive.plates()[0].outside.area, rel=1e-4)


def test_points_are_rows_of_parts(tmp_path, drive):
    flank.export(drive, tmp_path / "drive.csv", angle="20 deg")
    text = (tmp_path / "drive.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()[1:]))
    disc = [row for row in rows if row["part"] == "disc 1" and row["edge"] == "1"]
    points = [(float(row["x, mm"]), float(row["y, mm"])) for row in disc]
    assert area_of(points) == pytest.approx(1e6 * drive.plates()[0].outside.area, rel=1e-4)


def test_planets_of_a_first_stage_stand_in_the_suns_spaces():
    """Teeth of sun and planets do not overlap, and come as near as their backlash lets them."""
    machine = flank.preset("rv-320")
    plates = {plate.name: plate for plate in machine.plates()}
    pose = machine.ideal_pose(0.0)

    def placed(plate):
        x, y, angle = pose[plate.body]
        z = plate.outside.points(1e-6) @ [1, 1j] * np.exp(1j * angle)
        return np.column_stack((z.real + x, z.imag + y))

    from matplotlib.path import Path

    sun = placed(plates["sun"])
    for k in range(3):
        planet = placed(plates[f"planet {k + 1}"])
        inside = Path(sun).contains_points(planet, radius=-2e-6)
        assert not inside.any()


@pytest.mark.parametrize("name", ["cycloidal-drive", "planetary-grc"])
def test_what_flank_wrote_is_replaced_and_nothing_else(tmp_path, name):
    machine = flank.preset(name)
    for file in ("m.svg", "m.dxf", "m.csv"):
        path = tmp_path / file
        flank.export(machine, path)
        flank.export(machine, path)
        path.write_text("mine")
        with pytest.raises(SpecError, match="left as it is"):
            flank.export(machine, path)
        assert path.read_text() == "mine"


def test_machines_without_parallel_faces_are_refused(tmp_path):
    joint = flank.preset("cv-joint")
    assert not isinstance(joint, HasPlates)
    with pytest.raises(SpecError, match="no parts with parallel faces"):
        flank.export(joint, tmp_path / "joint.dxf")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("path", "settings", "sentence"),
    [
        ("m.dwg", {}, "has no suffix of a drawing. Give .dxf or"),
        ("m.dxf", {"curves": "arcs"}, "not one of the choices"),
        ("m.dxf", {"tolerance": "1 deg"}, "is an angle"),
        ("m.dxf", {"angel": "1 deg"}, "did you mean 'angle'"),
        ("no/m.dxf", {}, "there is no folder"),
    ],
)
def test_wrong_input_is_told(tmp_path, drive, path, settings, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.export(drive, tmp_path / path, **settings)


def test_a_result_is_a_workbook_that_is_replaced_by_its_own_kind(tmp_path):
    result = flank.run(flank.preset("cycloidal-drive"), "hysteresis", points_per_stage=5)
    path = flank.export(result, tmp_path / "loop.xlsx")
    flank.export(result, path)
    first = next(iter(read_workbook(path.read_bytes()).values()))
    (backlash,) = [row for row in first if row[0] == "Backlash"]
    assert backlash[1] == pytest.approx(result.value("backlash"), rel=1e-3)
    assert backlash[2] == "arcmin"
    with pytest.raises(SpecError, match=r"Give \.mat or \.xlsx"):
        flank.export(result, tmp_path / "loop.dxf")
    with zipfile.ZipFile(path, "w") as other:
        other.writestr("docProps/core.xml", "<mine/>")
    with pytest.raises(SpecError, match="left as it is"):
        flank.export(result, path)


def test_a_result_goes_to_matlab_and_back(tmp_path):
    result = flank.run(flank.preset("cycloidal-drive"), "hysteresis", points_per_stage=5)
    flank.export(result, tmp_path / "loop.mat")
    first = (tmp_path / "loop.mat").read_bytes()
    flank.export(result, tmp_path / "loop.mat")
    assert (tmp_path / "loop.mat").read_bytes() == first
    back = read_matlab(first)
    assert {"units", "titles", "about", *result.data.variables} == set(back)
    assert back["backlash"] == result["backlash"]
    assert np.array_equal(back["loop_angle"].ravel(), result["loop_angle"].values)
    assert back["units"]["loop_angle"] == "rad"
    assert back["titles"]["backlash"] == "Backlash"
    assert back["about"]["analysis"] == "hysteresis"
