"""Loaded gears against the beam model's own mesh, closed forms, and what deviations must do."""

import math
from dataclasses import replace

import numpy as np
import pytest
from beam_influence import beam_influence, beam_loading

from flank.contact.gear_loading import FlankDeviations
from flank.contact.loaded_mesh import harmonics, loaded_mesh
from flank.elasticity.line_contact import line_load
from flank.elasticity.material import STEEL
from flank.elasticity.mesh_stiffness import mesh_stiffness
from flank.elasticity.tooth import tooth_pair_hertz
from flank.geometry.gear import Gear, Relief
from flank.geometry.gear_pair import GearPair

LOAD = 300e3
ANGLE = math.radians(20)


def gear(teeth, internal=False, **options):
    return Gear(teeth, 10e-3, ANGLE, 0.0, internal, edge_radius=0.2e-3, **options)


def pair_of(first=20, second=40, internal=False, helix=0.0):
    wheels = gear(first, helix_angle=helix), gear(second, internal, helix_angle=helix)
    return GearPair(*wheels, face_width=0.1)


SPUR = pair_of()
TORQUE = LOAD * SPUR.face_width * SPUR.first.base_radius


def within_path(pair, mesh):
    """Positions at which no pair beyond its path carries load."""
    travel = mesh.positions[:, None] - pair.base_pitch * mesh.pairs
    inside = (travel >= 0) & (travel <= pair.path[1] - pair.path[0])
    return np.all(inside | (mesh.forces[0].max(axis=2) == 0), axis=1)


@pytest.mark.parametrize("points", [1, 5])
@pytest.mark.parametrize("pair", [SPUR, pair_of(24, 96, True)])
def test_teeth_on_common_bodies_are_the_mesh_of_the_beam_model(pair, points):
    """Edges have their own curvature here, so they are a little stiffer beyond the path."""
    torque = LOAD * pair.face_width * pair.first.base_radius
    mesh = loaded_mesh(beam_loading(pair, points), torque)
    curve = mesh_stiffness(pair, (STEEL, STEEL), LOAD)
    inside = within_path(pair, mesh)
    assert 5 < inside.sum() < 64
    np.testing.assert_allclose(
        mesh.transmission_error[0][inside], curve.deflection[inside], rtol=2e-4
    )
    assert mesh.stiffness.mean() / pair.face_width == pytest.approx(curve.mean, rel=0.01)


def test_helical_teeth_are_the_slices_of_the_beam_model():
    pair = pair_of(helix=0.3)
    torque = LOAD * pair.face_width * pair.first.base_radius
    mesh = loaded_mesh(beam_loading(pair, 9), torque)
    curve = mesh_stiffness(pair, (STEEL, STEEL), LOAD, 9)
    np.testing.assert_allclose(mesh.transmission_error[0], curve.deflection, rtol=0.01)
    np.testing.assert_allclose(
        harmonics(mesh.stiffness[0] / pair.face_width, 1), harmonics(curve.stiffness, 1), rtol=0.01
    )


def test_a_misaligned_pair_of_rigid_bodies_is_line_contact_slice_by_slice():
    """δ - γ z is the approach of every slice; a part of the face does not touch."""
    loading = beam_loading(SPUR, 25, body=1e-9, teeth=1e-9, misalignment=2e-4, edges=False)
    mesh = loaded_mesh(loading, 0.03 * TORQUE, 16)
    constant, slope = tooth_pair_hertz(SPUR, (STEEL, STEEL))
    single = np.flatnonzero(mesh.sharing[0].max(axis=1) == 1)
    assert len(single) > 3
    for n in single:
        number = mesh.pairs[n, mesh.sharing[0, n].argmax()]
        roll = SPUR.path[0] + mesh.positions[n] - number * SPUR.base_pitch
        curvature = 1 / roll + 1 / SPUR.second_roll(roll)
        depth = mesh.transmission_error[0, n] - 2e-4 * mesh.face
        loads = line_load(depth, np.array(constant + slope * math.log(curvature)), slope)
        carried = mesh.forces[0, n, mesh.sharing[0, n].argmax()] / (SPUR.face_width / 25)
        np.testing.assert_allclose(carried, loads, rtol=1e-5, atol=1e-5 * loads.max())
        assert 3 < (loads > 0).sum() < 22


def test_lead_slope_is_misalignment_over_the_face():
    slope = FlankDeviations(lead_slope=15e-6)
    sloped = loaded_mesh(beam_loading(SPUR, 7, deviations=(slope, FlankDeviations())), TORQUE, 8)
    turned = loaded_mesh(beam_loading(SPUR, 7, misalignment=15e-6 / 0.1), TORQUE, 8)
    np.testing.assert_allclose(sloped.forces, turned.forces, rtol=1e-9)
    assert sloped.face_factor.min() > 1.2


def test_crowning_loads_the_middle_of_the_face():
    crowned = replace(SPUR, first=replace(SPUR.first, crowning=10e-6))
    mesh = loaded_mesh(beam_loading(crowned, 9), TORQUE, 8)
    across = mesh.forces[0].sum(axis=1)
    assert np.all(across.argmax(axis=1) == 4)
    np.testing.assert_allclose(across, across[:, ::-1], rtol=1e-6)


def test_root_relief_of_one_gear_is_tip_relief_of_its_mate():
    relief = Relief(20e-6, 6e-3, 2.0)
    tip = replace(SPUR, first=replace(SPUR.first, relief=relief))
    root = replace(SPUR, second=replace(SPUR.second, root_relief=relief))
    expected = loaded_mesh(beam_loading(tip), TORQUE, 32)
    found = loaded_mesh(beam_loading(root), TORQUE, 32)
    np.testing.assert_allclose(found.transmission_error, expected.transmission_error, rtol=1e-4)
    plain = loaded_mesh(beam_loading(SPUR), TORQUE, 32)
    assert np.abs(found.transmission_error - plain.transmission_error).max() > 1e-6


def test_profile_deviation_is_a_relief_with_the_other_sign():
    """Straight relief from the middle of the active flank to its tip."""
    first, start = SPUR.first, SPUR.path[0]
    length = 0.5 * (first.edge_roll_length - start)
    tip = replace(SPUR, first=replace(first, relief=Relief(20e-6, length, 1.0)))
    profile = FlankDeviations(profile=np.array([[0.0, 0.0, -20e-6]]))
    expected = loaded_mesh(beam_loading(tip), TORQUE, 16)
    found = loaded_mesh(beam_loading(SPUR, deviations=(profile, FlankDeviations())), TORQUE, 16)
    np.testing.assert_allclose(found.transmission_error, expected.transmission_error, rtol=1e-6)


@pytest.mark.parametrize("of", [0, 1])
def test_a_tooth_ahead_of_its_place_takes_load_and_moves_the_gears(of):
    """Alone in contact it shifts the gears by its deviation; every other tooth is in place."""
    pitch = np.zeros(5)
    pitch[2] = 8e-6
    deviations = [FlankDeviations(), FlankDeviations()]
    deviations[of] = FlankDeviations(pitch=pitch)
    plain = loaded_mesh(beam_loading(SPUR, edges=False), TORQUE, 32, cycles=5)
    ahead = loaded_mesh(
        beam_loading(SPUR, edges=False, deviations=tuple(deviations)), TORQUE, 32, cycles=5
    )
    change = ahead.transmission_error[0] - plain.transmission_error[0]
    shares = np.where(plain.pairs == 2, ahead.sharing[0] - plain.sharing[0], 0.0).sum(axis=1)
    alone = np.any((plain.pairs == 2) & (plain.sharing[0] == 1.0), axis=1)
    absent = ~np.any((plain.pairs == 2) & (plain.sharing[0] > 0), axis=1)
    np.testing.assert_allclose(change[alone], -8e-6, rtol=1e-6)
    np.testing.assert_allclose(change[absent], 0.0, atol=1e-12)
    assert alone.sum() > 5
    assert np.all(shares >= -1e-12)
    assert shares.max() > 0.05


def test_parts_add_up_and_contact_ratio_grows_with_load():
    torques = TORQUE * np.array([0.05, 0.3, 1.0, 2.0])
    mesh = loaded_mesh(beam_loading(SPUR), torques, 256)
    np.testing.assert_allclose(
        mesh.total, (torques / SPUR.first.base_radius)[:, None] * np.ones(256)
    )
    ratios = mesh.effective_contact_ratio
    assert np.all(np.diff(ratios) > 0)
    assert SPUR.contact_ratio < ratios[0] < ratios[-1] < SPUR.contact_ratio + 0.25
    np.testing.assert_allclose(mesh.sharing.sum(axis=2), 1.0)
    loaded = mesh.forces[2, :, :, 0] > 0
    assert np.all(np.diff(mesh.contact_stiffness.mean(axis=1)) > 0)  # Hertz stiffens
    shape = np.where(
        loaded, mesh.forces[2, :, :, 0] * np.where(loaded, mesh.gaps[:, :, 0], 0.0), 0.0
    )
    np.testing.assert_allclose(mesh.shape_part[2], shape.sum(axis=1) / mesh.total[2], atol=1e-12)
    plain = loaded_mesh(beam_loading(SPUR, edges=False), torques, 256)
    np.testing.assert_allclose(plain.effective_contact_ratio, SPUR.contact_ratio, atol=2 / 256)


def test_stiffness_is_the_slope_of_the_force():
    low, middle, high = (
        loaded_mesh(beam_loading(SPUR), TORQUE * scale, 16) for scale in (0.999, 1.0, 1.001)
    )
    rise = (high.total - low.total) / (high.transmission_error - low.transmission_error)
    np.testing.assert_allclose(middle.tangent_stiffness, rise, rtol=1e-3)


def test_too_few_neighbours_are_told():
    loading = beam_loading(SPUR)
    short = beam_influence(SPUR.second, SPUR.face_width, neighbours=0)
    loading = replace(loading, influences=(loading.influences[0], short))
    with pytest.raises(ValueError, match=r"0 teeth to either side; compute them for"):
        loaded_mesh(loading, TORQUE)


def test_a_torque_that_presses_nothing_is_refused():
    with pytest.raises(ValueError, match="positive torques"):
        loaded_mesh(beam_loading(SPUR), np.array([100.0, 0.0]))
