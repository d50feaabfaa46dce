"""Influence numbers: against a direct solve, their symmetries, what they mean, what is kept."""

import math
import time
from dataclasses import replace

import numpy as np
import pytest
from element_gears import ANGLE, COARSE, PAPER, PAPER_BODY, PAPER_STEEL, SMALL, SMALL_BODY

from flank.elasticity.finite_elements import influence, store
from flank.elasticity.finite_elements.cyclic import (
    cyclic_gear,
    rigid_motions,
    unknowns,
    whole_matrices,
)
from flank.elasticity.finite_elements.factorization import factorized
from flank.elasticity.finite_elements.influence import (
    FlankGrid,
    flank_forces,
    flank_influence,
    flank_normals,
    law_remainder,
)
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity, sector_mesh
from flank.elasticity.material import STEEL, Material
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import half_outline

HELICAL = Gear(9, 2e-3, ANGLE, 0.5, helix_angle=0.3)
RING = Gear(24, 2e-3, ANGLE, -0.7, True)
GRID = FlankGrid(3, 2, None)
GEARS = {
    "spur": (SMALL, SMALL_BODY, None),
    "helical": (HELICAL, GearBody(6e-3, 2e-3, 1e-3, 2e-3, 3.5e-3, 8e-3), None),
    "ring": (RING, GearBody(6e-3, 31e-3), 1e12),
}


@pytest.mark.parametrize("name", GEARS)
def test_they_equal_a_direct_solve_of_the_whole_gear(name):
    """With all its teeth, a load on one; the middle surface of that tooth held or not."""
    gear, body, support = GEARS[name]
    found = flank_influence(gear, body, STEEL, GRID, COARSE, support)
    mesh = sector_mesh(gear, body, COARSE)
    sector = cyclic_gear(mesh, STEEL, support)
    points = sector.loads(flank_forces(gear, mesh, found.roll, GRID.face))
    stiffness, _, basis = whole_matrices(sector)
    loads = np.zeros((gear.teeth, sector.size, points.shape[1]))
    loads[0] = points
    right = basis.T @ loads.reshape(-1, points.shape[1])
    moved = (basis @ factorized(stiffness)(right)).reshape(loads.shape)
    for block, k in zip(found.compliance, found.neighbours, strict=True):
        exact = points.T @ moved[k % gear.teeth]
        if k == 0:
            exact = exact - found.indentation
        np.testing.assert_allclose(block, exact, rtol=1e-6)
    held = np.zeros(sector.size * gear.teeth)
    held[unknowns(sector.place[mesh.centre])] = 1.0
    free = np.flatnonzero(basis.T @ held == 0)
    local = np.sum(right[free] * factorized(stiffness[free][:, free].tocsc())(right[free]), axis=0)
    width = body.face_width / math.cos(gear.base_helix_angle)
    remainder = np.repeat(law_remainder(gear, STEEL, 3), 2) * GRID.face / width
    np.testing.assert_allclose(np.diag(found.indentation) + remainder, local, rtol=1e-6)


@pytest.mark.parametrize("name", GEARS)
def test_reciprocity_and_no_negative_work(name):
    gear, body, support = GEARS[name]
    found = flank_influence(gear, body, STEEL, GRID, COARSE, support)
    blocks = dict(zip(found.neighbours.tolist(), found.compliance, strict=True))
    top = np.max(found.compliance)
    for k in range(1, (gear.teeth - 1) // 2 + 1):
        np.testing.assert_allclose(blocks[k], blocks[-k].T, atol=1e-12 * top)
    np.testing.assert_array_equal(blocks[0], blocks[0].T)
    assert np.min(np.linalg.eigvalsh(blocks[0] + found.indentation)) > 0
    assert np.min(np.diag(blocks[0])) > 0


def test_other_flank_is_that_of_the_gear_turned_over():
    """Computed with the forces on the flank y < 0 of the same mesh, a helical one."""
    gear, body, _ = GEARS["helical"]
    found = flank_influence(gear, body, STEEL, GRID, COARSE).other_flank()
    mesh = sector_mesh(gear, body, COARSE)
    sector = cyclic_gear(mesh, STEEL)
    over = np.array([1.0, -1.0, -1.0])
    forces = flank_forces(gear, mesh, found.roll, GRID.face)
    partner = [
        int(np.argmin(np.sum((mesh.nodes * over - node) ** 2, axis=1))) for node in mesh.nodes
    ]
    turned = (forces.reshape(len(mesh.nodes), 3, -1)[partner] * over[:, None]).reshape(forces.shape)
    order = np.arange(6).reshape(3, 2)[:, ::-1].ravel()
    points = sector.loads(turned)[:, order]
    _, between = influence.tooth_compliances(sector, points, 6)
    for block, k in zip(found.compliance, found.neighbours, strict=True):
        if k:
            np.testing.assert_allclose(block, between[k % gear.teeth], rtol=1e-6)
    np.testing.assert_allclose(found.face, [-1.5e-3, 1.5e-3])


@pytest.mark.parametrize("name", GEARS)
def test_forces_are_unit_normal_forces_with_the_lever_of_the_base_circle(name):
    gear, body, _ = GEARS[name]
    found = flank_influence(gear, body, STEEL, GRID, COARSE, GEARS[name][2])
    mesh = sector_mesh(gear, body, COARSE)
    forces = flank_forces(gear, mesh, found.roll, GRID.face).reshape(len(mesh.nodes), 3, -1)
    total = forces.sum(axis=0)
    assert np.linalg.norm(total, axis=0) == pytest.approx(1.0, rel=2e-3)  # of a turning normal
    torque = np.sum(
        mesh.nodes[:, 0, None] * forces[:, 1] - mesh.nodes[:, 1, None] * forces[:, 0], 0
    )
    assert torque == pytest.approx(-found.lever, rel=2e-3)
    assert found.lever == pytest.approx(gear.base_radius * math.cos(gear.base_helix_angle))


@pytest.mark.parametrize("gear", [SMALL, HELICAL, RING])
def test_normals_are_normal_to_the_flank_and_point_into_the_tooth(gear):
    twist = math.tan(gear.helix_angle) / gear.reference_radius
    low, high = sorted((half_outline(gear).form_roll, gear.edge_roll_length))
    rolls, heights = np.array([0.6 * low + 0.4 * high]), np.array([0.3e-3])

    def point(roll, height):
        z = half_outline(gear).flank.point(roll) * np.exp(1j * twist * height)
        return np.array([z.real[0], z.imag[0], height[0]])

    normal = flank_normals(gear, twist, rolls, heights)[:, 0]
    step = 1e-8
    for moved in (point(rolls + step, heights), point(rolls, heights + step)):
        along = moved - point(rolls, heights)
        assert abs(normal @ along) < 1e-6 * np.linalg.norm(along)
    assert np.linalg.norm(normal) == pytest.approx(1.0)
    assert normal[1] < -0.5


def test_neighbours_share_the_body():
    """On the published gear a tooth moves by two fifths of what its loaded neighbour does."""
    density = MeshDensity(tooth=4, flank=4, space=1)
    found = flank_influence(PAPER, PAPER_BODY, PAPER_STEEL, density=density)
    blocks = found.compliance.reshape(5, 9, 5, 9, 5).mean(axis=(2, 4))
    middle = blocks[:, 4, 4]
    assert middle[2] * PAPER_BODY.face_width * PAPER_STEEL.youngs_modulus == pytest.approx(
        5.79, rel=0.01
    )
    np.testing.assert_allclose(middle / middle[2], [0.335, 0.405, 1, 0.405, 0.335], atol=0.004)


def test_structure_depends_little_on_the_mesh_while_the_indentation_does():
    body, grid = GearBody(3e-3, 30.6e-3), FlankGrid(5, 1, 1)
    coarse, fine = (
        flank_influence(PAPER, body, PAPER_STEEL, grid, density, plane=True)
        for density in (
            MeshDensity(tooth=4, flank=3, space=1, layers=1),
            MeshDensity(tooth=8, flank=10, fillet=2, layers=1, growth=0.2),
        )
    )
    one, other = (np.diag(found.compliance[1]) for found in (coarse, fine))
    np.testing.assert_allclose(one, other, rtol=0.012)
    sizes = [np.diag(found.indentation)[2] for found in (coarse, fine)]
    assert sizes[1] > 1.3 * sizes[0]


@pytest.mark.parametrize(
    ("gear", "held"),
    [(Gear(20, 10e-3, ANGLE), 0.026), (Gear(60, 10e-3, ANGLE, -0.84, True), 0.36)],
)
@pytest.mark.parametrize("cells", [1.5, 2.5])
def test_structure_and_law_are_the_answer_of_a_mesh_that_resolves_the_contact(gear, held, cells):
    """A Hertzian pressure of known width at mid-flank, plane strain; the law's mean over it."""
    body, grid = GearBody(10e-3, held), FlankGrid(3, 1, 0)
    density = MeshDensity(tooth=6, flank=5, layers=1)
    found = flank_influence(gear, body, STEEL, grid, density, plane=True)
    fine = MeshDensity(tooth=10, flank=30, fillet=3, layers=1)
    mesh = sector_mesh(gear, body, fine)
    arc = (mesh.roll_knots[-1] ** 2 - mesh.roll_knots[0] ** 2) / (2 * gear.base_radius)
    width, angles = cells * arc / fine.flank, np.arange(1, 13) * math.pi / 13
    rolls = np.sqrt(found.roll[1] ** 2 + 2 * gear.base_radius * width * np.cos(angles))
    shares = np.sin(angles) ** 2 / np.sum(np.sin(angles) ** 2)
    sector = cyclic_gear(mesh, STEEL, plane=True)
    pressure = sector.loads(flank_forces(gear, mesh, rolls, 1) @ shares[:, None])
    whole = influence.tooth_compliances(sector, pressure, 1)[0][0, 0] * body.face_width
    shape = 2 * math.log(2 * found.depth[1] / width) - 0.3 / 0.7 - 0.5
    together = found.compliance[0][1, 1] * body.face_width + STEEL.line_compliance * shape
    assert together == pytest.approx(whole, rel=6e-3)


def test_rigid_turn_of_the_centre_node_moves_every_point_by_the_lever():
    mesh = sector_mesh(HELICAL, SMALL_BODY, COARSE)
    sector = cyclic_gear(mesh, STEEL)
    rolls = np.linspace(mesh.roll_knots[0], mesh.roll_knots[-1], 3)
    points = sector.loads(flank_forces(HELICAL, mesh, rolls, 2))
    moved = points.T @ rigid_motions(sector.positions).reshape(-1, 6)[:, 5]
    lever = HELICAL.base_radius * math.cos(HELICAL.base_helix_angle)
    np.testing.assert_allclose(moved, -lever, rtol=2e-3)


def test_compliance_scales_as_it_must():
    """Twice the modulus halves it, twice the size of everything too."""
    first = flank_influence(SMALL, SMALL_BODY, STEEL, GRID, COARSE)
    harder = Material(2 * STEEL.youngs_modulus, STEEL.poisson_ratio, 1.0)
    np.testing.assert_allclose(
        flank_influence(SMALL, SMALL_BODY, harder, GRID, COARSE).compliance,
        first.compliance / 2,
        rtol=1e-9,
    )
    large = flank_influence(
        replace(SMALL, normal_module=4e-3), GearBody(12e-3, 6e-3), STEEL, GRID, COARSE
    )
    np.testing.assert_allclose(large.compliance, first.compliance / 2, rtol=1e-6)


def test_nobody_writes_into_results_and_they_are_kept(monkeypatch):
    first = flank_influence(SMALL, SMALL_BODY, STEEL, GRID, COARSE)
    with pytest.raises(ValueError, match="read-only"):
        first.compliance[0] = 0.0
    monkeypatch.setattr(influence, "sector_mesh", None)
    begin = time.perf_counter()
    again = flank_influence(SMALL, SMALL_BODY, STEEL, GRID, COARSE)
    assert time.perf_counter() - begin < 1.0
    np.testing.assert_array_equal(again.compliance, first.compliance)
    assert again.lever == first.lever
    with pytest.raises(TypeError):  # another input is another file
        flank_influence(SMALL, SMALL_BODY, STEEL, replace(GRID, teeth=1), COARSE)


@pytest.mark.nightly
def test_a_gear_of_270_000_unknowns_takes_less_than_a_minute():
    sector = sector_mesh(PAPER, PAPER_BODY, MeshDensity())
    assert 3 * PAPER.teeth * (len(sector.nodes) - len(sector.left)) > 270_000
    begin = time.perf_counter()
    flank_influence(PAPER, PAPER_BODY, PAPER_STEEL)
    assert time.perf_counter() - begin < 60.0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"grid": FlankGrid(3, 5)}, "too coarse for the contact width: 5 strips across the face"),
        ({"grid": FlankGrid(9, 1)}, "too coarse for 9 points along the profile"),
        ({"grid": FlankGrid(1, 1)}, "two points along the profile and one across the face"),
        ({"grid": FlankGrid(3, 1, 9)}, "0 to 4 neighbours on either side here, not 9"),
        ({"support": 0.0}, "does not hold the gear"),
        ({"body": GearBody(6e-3, 9e-3)}, "bore of radius 9 mm reaches above the root circle"),
        ({"body": GearBody(6e-3, 2e-3, 1e-3, 7e-3)}, "web of 7 mm must be thinner than the face"),
        ({"body": GearBody(6e-3, 2e-3, hub_radius=3e-3)}, "hub_radius needs a web_thickness"),
        ({"body": GearBody(6e-3, 2e-3, web_thickness=1e-3)}, "needs a positive rim_thickness"),
        ({"body": GearBody(6e-3, 2e-3, 6e-3, 1e-3)}, "leaves no web above the bore"),
        ({"body": GearBody(6e-3, 2e-3, 1e-3, 1e-3, 3e-3)}, "both hub_radius and hub_width"),
        ({"body": GearBody(6e-3, 2e-3, 1e-3, 1e-3, 8e-3, 6e-3)}, "must lie between the bore"),
        ({"body": GearBody(6e-3, 2e-3, 1e-3, 2e-3, 3e-3, 1e-3)}, "narrower than its web"),
        ({"body": GearBody(0.0, 2e-3)}, "positive face width"),
        ({"body": GearBody(6e-3, 0.0)}, "bore of positive radius"),
        ({"density": replace(COARSE, tooth=3)}, "even number of cells across the tooth"),
        ({"density": replace(COARSE, layers=0)}, "at least one cell of layers"),
        ({"density": replace(COARSE, growth=0.0)}, "growth of cells must be positive"),
        ({"density": replace(COARSE, element="brick")}, "no element 'brick'; choose among"),
        ({"gear": RING}, "lies within its root circle"),
        ({"gear": RING, "body": GearBody(6e-3, 31e-3, 1e-3, 1e-3)}, "has no web"),
    ],
)
def test_refused_before_anything_is_computed(monkeypatch, change, sentence):
    monkeypatch.setattr(influence, "stored", None)
    given = {"gear": SMALL, "body": SMALL_BODY, "grid": FlankGrid(3, 1), "density": COARSE} | change
    with pytest.raises(ValueError, match=sentence):
        flank_influence(material=STEEL, **given)


def test_a_damaged_file_is_computed_anew_and_told_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path))
    first = store.stored("test", (1, 2.5), lambda: {"a": np.arange(3.0)})
    (file,) = (tmp_path / f"elements-{store.numbers_version()}").iterdir()
    good = file.read_bytes()
    for damage in (b"", good[:50], good[:-1], bytes([good[0] ^ 1]) + good[1:]):
        file.write_bytes(damage)
        again = store.stored("test", (1, 2.5), lambda: {"a": np.arange(3.0)})
        np.testing.assert_array_equal(again["a"], first["a"])
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert f"{file} is damaged; what it held is computed anew." in said
        assert file.read_bytes()[:32] == good[:32]
    assert store.stored("test", (1, 2.5), lambda: {}).keys() == {"a"}
    assert store.stored("test", (1, 2.6), lambda: {"b": np.zeros(1)}).keys() == {"b"}
    assert capsys.readouterr().err == ""


def test_where_nothing_can_be_kept_it_is_computed_and_said_once(tmp_path, monkeypatch, capsys):
    store.complain.cache_clear()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path / "file"))
    for _ in range(2):
        assert store.stored("test", 1, lambda: {"a": np.zeros(1)}).keys() == {"a"}
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "cannot be kept" in said
