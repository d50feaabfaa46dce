"""Parts of the stiffness of teeth and lobes: sums, limits, and what they add to."""

import math
from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.analyses.stiffness_parts import PARTS, lobe_beam_body, lobe_body, lobe_contact, of_teeth
from flank.elasticity.finite_elements.lobe import (
    LobeBody,
    flank_normals,
    flank_points,
    half_plane,
    lobe_beam,
    middle_depth,
)
from flank.elasticity.material import STEEL
from flank.elasticity.mesh_stiffness import pair_compliance
from flank.elasticity.tooth import tooth_tables
from flank.geometry.cycloid import Cycloid


def test_parts_of_a_pair_of_teeth_add_up_to_its_compliance():
    """That of the tables, whose common part of the bodies counts once."""
    pairs = flank.preset("few-teeth-60").tooth_pairs()
    values = of_teeth(pairs)
    for k, meshed in enumerate(pairs.values()):
        pair = meshed.pair
        rolls = np.linspace(*pair.path, values["path"].size)
        load = meshed.load / pair.face_width / max(pair.contact_ratio, 1.0)
        own = pair_compliance(pair, meshed.materials, rolls, load)
        tables = tooth_tables(pair, meshed.materials, sharing=1.0)
        whole = (own + sum(table.common for table in tables)) / pair.face_width
        np.testing.assert_allclose(1 / values["pair_stiffness"][k], whole, rtol=1e-3)
    shares = sum(values[f"{part}_share"] for part in PARTS)
    np.testing.assert_allclose(shares, 1.0, rtol=1e-12)


def test_outline_of_a_lobe_is_that_of_the_profile():
    profile = flank.preset("rv-320").profile
    period = 2 * math.pi / profile.lobes
    points = flank_points(profile, np.array([0.0, 0.5 * period]))
    np.testing.assert_allclose(np.abs(points), [profile.root_radius, profile.tip_radius])
    t, small = 0.3 * period, 1e-7
    along = np.diff(flank_points(profile, np.array([t - small, t + small])))[0]
    normal = flank_normals(profile, np.array([t]))[0]
    assert abs((along * normal.conjugate()).real) < 1e-6 * abs(along)


def test_the_body_of_a_lobe_does_not_know_the_strip_that_loads_it():
    mesh = flank.preset("cycloidal-drive").lobe_mesh()
    t = 0.3 * math.pi / mesh.profile.lobes
    wide, narrow = (
        LobeBody(mesh.profile, STEEL, mesh.depth, share=share).compliance(t)
        for share in (0.05, 0.02)
    )
    assert wide == pytest.approx(narrow, rel=0.03)


def test_beam_of_a_lobe_is_the_closed_form_of_its_height():
    """Shear of a low beam is 2.4 (1 + ν) cos²β L/H between its widest and narrowest section."""
    profile = Cycloid(40, 119.5e-3, 5e-3, 2.2e-3)
    t = 0.2 * math.pi / profile.lobes
    beam = lobe_beam(profile, STEEL, t)
    turn = np.exp(-1j * math.pi / profile.lobes)
    root, point = flank_points(profile, np.array([0.0, t])) * turn
    cosine = abs((flank_normals(profile, np.array([t]))[0] * turn).imag)
    height = (point - root).real
    factor = 2.4 * 1.3 * cosine**2 * height
    assert factor / (2 * abs(root.imag)) < beam.shear < factor / (2 * abs(point.imag))
    assert beam.bending < 4 * cosine**2 * (height / (2 * abs(point.imag))) ** 3
    assert middle_depth(profile, t) > 0


def test_a_cycloidal_drive_tells_the_stiffness_of_its_lobes():
    machine = flank.preset("cycloidal-drive")
    result = flank.run(machine, "mesh-stiffness")
    mesh = machine.lobe_mesh()
    assert "stiffness" not in result.data
    t = result.data["lobe_path"].values[4] * math.pi / mesh.profile.lobes
    series = lobe_contact(mesh, t) + lobe_body(mesh, t)
    assert result.data["lobe_stiffness"].values[4] == pytest.approx(1 / series, rel=1e-9)
    assert 0.05 < result["lobe_body_share"] < 0.15
    assert lobe_beam_body(mesh, t) != pytest.approx(lobe_body(mesh, t), rel=0.2)
    assert result["lobe_force"] == pytest.approx(4 * 206 / (1.3e-3 * 39 * 40), rel=1e-9)


def test_half_planes_of_stress_and_strain_meet_without_contraction():
    soft = replace(STEEL, poisson_ratio=0.0)
    assert half_plane(soft, "stress", 0.01, 1e-4) == half_plane(soft, "strain", 0.01, 1e-4)
