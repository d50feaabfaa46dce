"""Influence numbers of bevel gears against all teeth at once, cylindrical gears and themselves."""

import math
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bevel_members import QUICK, mirrored_member

from flank.elasticity.finite_elements.bevel_influence import (
    NOTHING,
    SIDES,
    BevelGrid,
    _parts,
    bevel_influence,
    flank_loads,
    middle_depth,
    sector_answers,
    without_negative_directions,
)
from flank.elasticity.finite_elements.bevel_mesh import BevelBody, bevel_mesh
from flank.elasticity.finite_elements.condensed import alike, ring
from flank.elasticity.finite_elements.influence import FlankGrid, flank_influence, law_remainder
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity
from flank.elasticity.finite_elements.whole_gear import (
    direct_compliance,
    round_holes,
    tooth_forces,
    whole_gear,
)
from flank.elasticity.material import STEEL
from flank.elasticity.tooth_plate import FlankCompliance, ToothPlate
from flank.geometry.bevel.cutting import RIGHT
from flank.geometry.bevel.helicoid import helicoid_member
from flank.geometry.bevel.published import nasa_pinion
from flank.geometry.bevel.section import RoundHoles
from flank.geometry.gear import Gear

BODY = BevelBody(10e-3, 6e-3)
GRID = BevelGrid(5, 5, 2)


@pytest.fixture(scope="module")
def pinion():
    return nasa_pinion()


@pytest.fixture(scope="module")
def numbers(pinion, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLANK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        return bevel_influence(pinion, BODY, STEEL, GRID, QUICK)


def around(blocks, count):
    """The matrix of `count` teeth in a row."""
    middle = len(blocks) // 2
    return np.block([[blocks[middle + i - j] for j in range(count)] for i in range(count)])


@pytest.mark.parametrize("name", SIDES)
def test_forces_and_displacements_can_be_exchanged(numbers, name):
    blocks = numbers.side(name).compliance[0]
    off = blocks - blocks[::-1].swapaxes(1, 2)
    assert np.abs(off).max() < 1e-12 * np.abs(blocks).max()


@pytest.mark.parametrize("name", SIDES)
def test_no_load_is_pulled_along(numbers, name):
    values = np.linalg.eigvalsh(around(numbers.side(name).compliance[0], 3))
    assert values[0] > -1e-12 * values[-1]


def test_one_sector_is_all_teeth_at_once(pinion):
    """With the indentation put back."""
    mesh = bevel_mesh(pinion, BODY, QUICK)
    whole = whole_gear(mesh)
    answers = sector_answers(pinion, mesh, STEEL, GRID)
    teeth = (3, 4, 1)
    for name in SIDES:
        forces = flank_loads(pinion, mesh, name, GRID)
        count = forces.shape[1]
        loads = np.hstack([tooth_forces(whole, mesh, forces, tooth) for tooth in teeth])
        truth = direct_compliance(whole, STEEL, loads).reshape(3, count, 3, count)[:, :, 0]
        found = answers[name].between[[0, 1, -2]].copy()
        found[0] += answers[name].indentation
        assert np.abs(found - truth).max() < 1e-8 * np.abs(truth).max()


def test_negative_directions_that_are_taken_out_are_small(pinion, numbers):
    answers = sector_answers(pinion, bevel_mesh(pinion, BODY, QUICK), STEEL, GRID)
    for name in SIDES:
        given = answers[name].between[[-2, -1, 0, 1, 2]]
        kept = numbers.side(name).compliance[0]
        assert 0 < np.abs(given - kept).max() < 3e-3 * np.abs(given).max()


def test_blocks_without_negative_directions_stay_as_they_are():
    random = np.random.default_rng(0)
    root = random.standard_normal((5, 4, 9))
    harmonics = np.fft.fft(root, axis=0)
    between = np.fft.ifft(harmonics @ harmonics.conj().swapaxes(1, 2), axis=0).real
    np.testing.assert_allclose(without_negative_directions(between), between, atol=1e-12)


FACE, HELD = 20e-3, 12e-3
STRIPS = BevelGrid(5, 5, 2)
USUAL = MeshDensity(tooth=4, flank=4, space=2, layers=3, growth=0.5)


@pytest.mark.parametrize("helix", [0.0, 0.35])
def test_helicoids_are_cylindrical_gears(helix):
    """Against numbers of a cylindrical gear, of whose mesh rows and columns lie elsewhere, without
    what its line-contact law needs besides."""
    gear = Gear(24, 3e-3, math.radians(20), helix_angle=helix)
    cylindrical = flank_influence(gear, GearBody(FACE, HELD), STEEL, FlankGrid(5, 5, 2), USUAL)
    more = law_remainder(gear, STEEL, 5)
    strips = np.eye(5) * 5 * math.cos(gear.base_helix_angle) / FACE
    blocks = cylindrical.compliance.copy()
    blocks[2] -= np.kron(0.5 * (more[:, None] + more), strips)
    member = helicoid_member(gear, FACE, RIGHT)
    numbers = bevel_influence(member, BevelBody(HELD, 10e-3), STEEL, STRIPS, USUAL)
    other = cylindrical.other_flank().compliance.copy()
    other[2] += blocks[2].reshape(5, 5, 5, 5)[:, ::-1, :, ::-1].reshape(25, 25) - other[2]
    looks_up = member.outward > 0  # concave flank at the higher angle
    for name, expected in zip(SIDES, (blocks, other) if looks_up else (other, blocks), strict=True):
        found = numbers.side(name).compliance[0]
        assert np.abs(found - expected).max() < 0.015 * np.abs(expected).max()
        own = np.diagonal(found[2]) / np.diagonal(expected[2])
        np.testing.assert_allclose(own, 1.0, atol=0.015)
        deep = middle_depth(member, name, np.zeros(5), np.linspace(-1, 1, 5))
        np.testing.assert_allclose(deep, cylindrical.depth, rtol=0.01)


def test_the_quick_form_bends_as_much_under_an_even_load():
    """Of the tooth alone; bodies are held elsewhere."""
    gear = Gear(24, 3e-3, math.radians(20))
    member = helicoid_member(gear, FACE)
    forms: tuple[FlankCompliance, FlankCompliance] = (
        bevel_influence(member, BevelBody(HELD, 10e-3), STEEL, STRIPS, USUAL).concave,
        ToothPlate(gear, STEEL, FACE),
    )
    u = np.linspace(-0.95, 0.95, 20)
    for v in (0.0, 0.5, 1.0):
        places = u, np.full(20, v)
        bent = [np.mean(form.influence(*places, 0) - form.influence(*places, 1)) for form in forms]
        assert bent[0] == pytest.approx(bent[1], rel=0.08)


def test_the_other_hand_has_the_mirrored_numbers(pinion, numbers):
    other = bevel_influence(mirrored_member(pinion), BODY, STEEL, GRID, QUICK)
    for name in SIDES:
        blocks = numbers.side(name).compliance[0]
        mirrored = other.side(name).compliance[0][::-1]
        assert np.abs(mirrored - blocks).max() < 1e-9 * np.abs(blocks).max()
        np.testing.assert_allclose(other.side(name).depths, numbers.side(name).depths, rtol=1e-9)


def test_teeth_are_softer_towards_the_tip_and_at_acute_ends(numbers):
    for name, acute in (("concave", -1), ("convex", 0)):
        own = np.diagonal(numbers.side(name).compliance[0, 2]).reshape(5, 5)
        assert np.all(np.diff(own, axis=0) > 0)
        ends = own[1:-1, [0, -1]]
        assert np.all(ends[:, acute] > 1.2 * ends[:, -1 - acute])


HOLES = RoundHoles(5, 7e-3, 1.5e-3)
DISC = BevelBody(4e-3, 3e-3)


@pytest.fixture(scope="module")
def holed_member():
    """Ten teeth."""
    return helicoid_member(Gear(10, 3e-3, math.radians(20), 0.45), 10e-3, taper=0.05)


HOLED = replace(QUICK, growth=0.15)


def test_holes_soften_teeth_according_to_their_place(holed_member):
    """Five holes in a gear of ten teeth: every other tooth has the same numbers."""
    alike = bevel_influence(holed_member, DISC, STEEL, GRID, HOLED)
    holed = bevel_influence(holed_member, DISC, STEEL, GRID, HOLED, HOLES)
    for name in SIDES:
        numbers, before = holed.side(name), alike.side(name).compliance[0]
        blocks = numbers.compliance
        assert numbers.period == 2
        assert blocks.shape == (2, *before.shape)
        scale = np.abs(before).max()
        assert np.abs(blocks[0] - blocks[1]).max() > 1e-4 * scale
        own = np.trace(blocks[:, 2], axis1=1, axis2=2) / np.trace(before[2])
        assert np.all((own > 1.001) & (own < 1.3))
        for k in (1, 2):
            for tooth in range(2):
                mate = blocks[(tooth + k) % 2, GRID.teeth - k]
                np.testing.assert_allclose(blocks[tooth, GRID.teeth + k], mate.T, atol=1e-9 * scale)


def test_a_ring_of_sectors_with_holes_is_all_teeth_at_once(holed_member):
    """Three holes, which lie differently below each tooth; the indentation put back."""
    holes, name = RoundHoles(3, 7e-3, 1.5e-3), "concave"
    mesh = bevel_mesh(holed_member, DISC, HOLED)
    whole = whole_gear(mesh, round_holes(mesh, holes.count, holes.radius, holes.size))
    forces = flank_loads(holed_member, mesh, name, GRID)
    count = forces.shape[1]
    loads = np.hstack([tooth_forces(whole, mesh, forces, tooth) for tooth in (7, 8)])
    truth = direct_compliance(whole, STEEL, loads).reshape(2, count, 2, count)
    numbers = bevel_influence(holed_member, DISC, STEEL, GRID, HOLED, holes)
    blocks = numbers.side(name).compliance
    assert numbers.side(name).period == 10
    # what takes out negative directions changes numbers by a few ten-thousandths
    close = {"atol": 3e-3 * np.abs(truth).max()}
    np.testing.assert_allclose(blocks[7, 3], truth[1, :, 0], **close)
    own = blocks[7, 2] + numbers.indentation[name]
    np.testing.assert_allclose(own, truth[0, :, 0], **close)


def test_sectors_that_are_alike_make_the_ring_that_harmonics_make(holed_member):
    mesh = bevel_mesh(holed_member, DISC, QUICK)
    parts = _parts(holed_member, mesh, STEEL, GRID)
    sector = parts.sector(parts.body(), NOTHING)
    between, everywhere = alike(sector, 10), ring([sector] * 10)
    for tooth, away in ((0, 0), (3, 1), (8, 3), (1, -1)):
        block = everywhere[(tooth + away) % 10, :, tooth]
        np.testing.assert_allclose(block, between[away], atol=1e-11 * np.abs(between).max())


def test_holes_far_smaller_than_cells_or_in_the_teeth_are_refused(pinion):
    for holes, sentence in (
        (RoundHoles(5, 13e-3, 1e-6), "no cell of the mesh lies in the holes"),
        (RoundHoles(5, 25e-3, 3e-3), "reach into teeth or into the bore"),
    ):
        with pytest.raises(ValueError, match=sentence):
            bevel_influence(pinion, BODY, STEEL, GRID, QUICK, holes)


def test_results_come_from_the_disk_and_damaged_ones_are_computed_anew(
    pinion, tmp_path, capsys, monkeypatch
):
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path))
    first = bevel_influence(pinion, BODY, STEEL, GRID, QUICK)
    begin = time.perf_counter()
    second = bevel_influence(pinion, BODY, STEEL, GRID, QUICK)
    assert time.perf_counter() - begin < 1
    np.testing.assert_array_equal(first.convex.compliance, second.convex.compliance)
    (file,) = Path(tmp_path).rglob("bevel-influence-*.npz")
    file.write_bytes(file.read_bytes()[:-100])
    third = bevel_influence(pinion, BODY, STEEL, GRID, QUICK)
    assert "is damaged; what it held is computed anew" in capsys.readouterr().err
    np.testing.assert_allclose(third.convex.compliance, first.convex.compliance, rtol=1e-9)


def test_another_flank_is_another_result(pinion, tmp_path, monkeypatch):
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path))
    thinner = pinion.with_thickness(0.98 * pinion.thickness)
    for member in (pinion, thinner):
        bevel_influence(member, BODY, STEEL, GRID, QUICK)
    assert len(list(Path(tmp_path).rglob("bevel-influence-*.npz"))) == 2


REFUSED = {
    "too coarse for the contact width: 7 parts of a flank lengthwise": (BevelGrid(5, 7), QUICK),
    "too coarse for the contact width: 6 parts of a flank along the profile": (
        BevelGrid(7, 5),
        QUICK,
    ),
    "on 4 by 5 points cannot be read between them": (BevelGrid(4, 5), QUICK),
    "0 to 5 neighbours on either side here, not 6": (BevelGrid(5, 5, 6), QUICK),
    "5 parts of a flank lengthwise are narrower than the nodes of 3 layers; take at least 5": (
        GRID,
        replace(QUICK, element="hexahedron-8"),
    ),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_grids_that_a_mesh_cannot_resolve_are_refused(pinion, sentence):
    with pytest.raises(ValueError, match=sentence):
        bevel_influence(pinion, BODY, STEEL, *REFUSED[sentence])
