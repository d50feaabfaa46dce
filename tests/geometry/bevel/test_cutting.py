"""Flanks and fillets against their definition, what the moving blade leaves, by plain matrices."""

import math
from dataclasses import replace

import numpy as np
import pytest

from flank.errors import SpecError
from flank.geometry.bevel.blade import INSIDE, OUTSIDE, Blade
from flank.geometry.bevel.cradle import CradleSettings, edge_in_work, settings_of_vector_sum
from flank.geometry.bevel.cutting import LEFT, RIGHT, Cut, CutFlank, places_of
from flank.geometry.bevel.published import (
    GEAR_ANGLES,
    GEAR_CLEARANCE,
    INCH,
    PINION_ANGLES,
    PINION_CLEARANCE,
    PINION_CONCAVE,
    nasa_gear_cuts,
    nasa_pinion_cuts,
    nasa_section,
)
from flank.geometry.bevel.section import Blank
from flank.geometry.bevel.tooth import cut_member
from flank.geometry.bevel.wheel import (
    cradle_angle,
    cut_wheel,
    radial_setting,
    wheel_cuts,
    wheel_settings,
)

PINION = nasa_section(PINION_ANGLES, PINION_CLEARANCE)
GEAR = nasa_section(GEAR_ANGLES, GEAR_CLEARANCE)
MIRROR = np.array([1.0, -1.0, 1.0])

BUSY = CradleSettings(
    radial=0.07,
    cradle_angle=-1.05,
    root_angle=1.15,
    ratio_of_roll=1.05,
    blank_offset=0.002,
    sliding_base=-0.001,
    centre_to_back=0.0015,
    swivel=0.3,
    tilt=0.05,
    modified_roll=(0.02, -0.03, 0.1),
    helical_motion=(0.004, -0.01),
    vertical_motion=(-0.003, 0.006, 0.02),
    radial_motion=(0.002, 0.01),
    indexing=0.3,
    indexing_origin=2.0,
    lead_angle=0.2,
    lead_radius=0.076,
)
"""Everything moves at once."""


def translation(axis, distance):
    matrix = np.eye(4)
    matrix[axis, 3] = distance
    return matrix


def rotation(axis, angle):
    j, k = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(4)
    matrix[j, j] = matrix[k, k] = np.cos(angle)
    matrix[k, j], matrix[j, k] = np.sin(angle), -np.sin(angle)
    return matrix


def _series(start, derivatives, x):
    value, factor = start, 1.0
    for n, derivative in enumerate(derivatives, start=1):
        factor *= x / n
        value += derivative * factor
    return value


def work_angle(settings, theta, cradle):
    rolled = cradle - sum(c * cradle**n for n, c in enumerate(settings.modified_roll, start=2))
    return settings.ratio_of_roll * rolled - settings.indexing * (theta - settings.indexing_origin)


def machine(settings, theta, cradle):
    """From the cutter, turned back to θ = 0, to the work, left hand."""
    x, y, z = range(3)
    s = settings
    chain = [
        rotation(z, -work_angle(s, theta, cradle)),
        translation(z, -s.centre_to_back),
        rotation(y, s.root_angle),
        translation(x, _series(s.sliding_base, s.helical_motion, cradle)),
        translation(y, _series(s.blank_offset, s.vertical_motion, cradle)),
        rotation(x, -s.cradle_angle - cradle),
        translation(z, _series(s.radial, s.radial_motion, cradle)),
        rotation(x, s.swivel),
        rotation(z, s.tilt),
        rotation(x, -theta),
    ]
    return np.linalg.multi_dot(chain)


def gap(settings, blade, point, cradle):
    """Of a point of a face-milled work from a straight blade's cone, positive outside the blade."""
    x, y, z, _ = np.linalg.solve(machine(settings, 0.0, cradle), np.append(point, 1.0))
    radius = np.hypot(y, z)
    edge = blade.point_radius + blade.side * x * np.tan(blade.angle)
    return blade.side * (radius - edge) * np.cos(blade.angle)


@pytest.mark.parametrize("profile_radius", [math.inf, 0.5, -0.3])
def test_points_and_derivatives_of_the_whole_machine(profile_radius):
    blade = Blade(0.076, 0.35, OUTSIDE, 0.6e-3, profile_radius)
    parameters = np.array([[3e-3, 1.9, 0.1], [1e-3, 2.2, -0.2], [-2e-4, 2.0, 0.05]])
    jet = edge_in_work(BUSY, blade, parameters)
    for k, (s, theta, cradle) in enumerate(parameters):
        edge = blade(np.array([s])).position[0]
        across = edge[1] - BUSY.lead_radius
        lead = BUSY.lead_angle
        point = [
            edge[0],
            -across * math.sin(lead),
            BUSY.lead_radius + across * math.cos(lead),
            1.0,
        ]
        assert np.allclose(jet.value[k], (machine(BUSY, theta, cradle) @ point)[:3], atol=1e-15)
    for a in range(3):
        step = np.zeros(3)
        step[a] = 1e-6
        ahead, behind = (edge_in_work(BUSY, blade, parameters + h * step) for h in (1, -1))
        assert np.allclose((ahead.value - behind.value) / 2e-6, jet.first[a], atol=1e-8)
        assert np.allclose((ahead.first - behind.first) / 2e-6, jet.second[a], atol=1e-5)


def test_edges_join_smoothly_and_touch_the_tip_plane():
    for side in (OUTSIDE, INSIDE):
        for profile_radius in (math.inf, 0.2, -0.2):
            blade = Blade(0.1, 0.37, side, 0.5e-3, profile_radius)
            bottom = blade(np.array([blade.bottom]))
            assert abs(bottom.position[0, 0]) < 1e-15
            assert abs(bottom.tangent[0, 0]) < 1e-15
            before, after = (blade(np.array([s])) for s in (-1e-12, 1e-12))
            assert np.allclose(before.position, after.position, atol=1e-11)
            assert np.allclose(before.tangent, after.tangent, atol=1e-8)


@pytest.mark.parametrize("cut", [*nasa_pinion_cuts(), *nasa_gear_cuts()])
def test_the_blade_touches_the_flank_and_never_cuts_it(cut):
    section = PINION if cut.hand == LEFT else GEAR
    flank = CutFlank(cut, section)
    grid, parameters = flank.grid(5, 7)
    for row, column in ((0, 0), (2, 3), (4, 6), (0, 6)):
        point = grid.points[row, column] * (1 if cut.hand == LEFT else MIRROR)
        there = parameters[row, column, 2]
        assert abs(gap(cut.settings, cut.blade, point, there)) < 1e-13
        around = [
            gap(cut.settings, cut.blade, point, there + d) for d in (-0.02, -1e-4, 1e-4, 0.02)
        ]
        assert min(around) > 0
        assert abs(around[2] - around[1]) < 1e-3 * (around[3] + around[0])


def test_the_printed_form_and_the_general_machine_agree():
    """Litvin's chain with h, E and L is the cradle machine with X_B = -X_D sin γ."""
    row = PINION_CONCAVE
    root = math.radians(PINION_ANGLES[0] - PINION_ANGLES[1])
    settings = row.cut(root, OUTSIDE, LEFT, 1e-3).settings
    assert math.isclose(settings.centre_to_back * 1e3, -1.02186, abs_tol=1e-5)
    assert math.isclose(settings.sliding_base * 1e3, 0.29649, abs_tol=1e-5)
    for phi in (-0.3, 0.0, 0.2):
        printed = np.linalg.multi_dot(
            [
                rotation(2, -phi / row.ratio),
                rotation(1, root),
                translation(1, row.blank_offset * INCH),
                translation(2, row.vector_sum * INCH),
                rotation(0, math.radians(row.cradle_angle) - phi),
                translation(2, row.radial * INCH),
            ]
        )
        assert np.allclose(machine(settings, 0.0, phi), printed, atol=1e-15)


def test_mirrored_settings_give_mirrored_flanks():
    cut = nasa_pinion_cuts()[0]
    left, _ = CutFlank(cut, PINION).grid(5, 7)
    right, _ = CutFlank(replace(cut, hand=RIGHT), PINION).grid(5, 7)
    assert np.allclose(right.points, left.points * MIRROR, atol=1e-15)
    assert np.allclose(right.normals, left.normals * MIRROR, atol=1e-12)


def test_a_formate_flank_is_the_surface_of_its_tool():
    cut = nasa_gear_cuts()[1]
    settings = replace(cut.settings, ratio_of_roll=0.0)
    grid, _ = CutFlank(replace(cut, settings=settings), GEAR).grid(5, 7)
    for point in (grid.points * MIRROR).reshape(-1, 3):
        assert abs(gap(settings, cut.blade, point, 0.0)) < 1e-14


def test_normals_are_those_of_the_surface():
    grid, _ = CutFlank(nasa_pinion_cuts()[1], PINION).grid(21, 31)
    up, along = np.gradient(grid.points, axis=0), np.gradient(grid.points, axis=1)
    normals = np.cross(up, along)[1:-1, 1:-1]
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    cosines = np.abs(np.sum(normals * grid.normals[1:-1, 1:-1], axis=-1))
    assert cosines.min() > 1 - 1e-6


def test_fillets_go_on_where_flanks_end_and_reach_the_root():
    for cut, section in zip(
        (*nasa_pinion_cuts(), *nasa_gear_cuts()), (PINION, PINION, GEAR, GEAR), strict=True
    ):
        flank = CutFlank(cut, section)
        grid, parameters = flank.grid(7, 9)
        fillet = flank.fillet(11, parameters[0])
        assert np.allclose(fillet.points[0], grid.points[0], atol=1e-12)
        assert np.allclose(fillet.normals[0], grid.normals[0], atol=1e-9)
        assert np.abs(section.height(places_of(fillet.points[-1]))).max() < 1e-12
        # at the bottom it looks out of the root cone
        assert fillet.normals[-1, :, :2] @ fillet.points[-1, 4, :2] @ np.ones(9) > 0


def test_a_circular_blade_crowns_the_profile():
    cut = nasa_gear_cuts()[0]
    plain, _ = CutFlank(cut, GEAR).grid(9, 5)
    hollow = replace(cut, blade=replace(cut.blade, profile_radius=0.5))
    crowned, _ = CutFlank(hollow, GEAR).grid(9, 5)
    relief = np.sum((plain.points - crowned.points) * plain.normals, axis=-1)[:, 2]
    straight = np.linspace(relief[0], relief[-1], 9)
    length = CutFlank(cut, GEAR).size / math.cos(cut.blade.angle)
    assert (relief - straight)[4] == pytest.approx(-(length**2) / (8 * 0.5), rel=0.03)


def test_tilt_and_swivel_of_nothing_change_nothing():
    cut = nasa_pinion_cuts()[0]
    turned = replace(cut, settings=replace(cut.settings, swivel=1.0))
    plain, _ = CutFlank(cut, PINION).grid(5, 5)
    other, _ = CutFlank(turned, PINION).grid(5, 5)
    assert np.allclose(
        plain.points, other.points, atol=1e-12
    )  # a swivel without tilt is a turn of θ
    tilted = replace(cut, settings=replace(cut.settings, tilt=0.002))
    moved, _ = CutFlank(tilted, PINION).grid(5, 5)
    assert np.abs(moved.points - plain.points).max() > 1e-5


HOBBED = Blank(
    teeth=34,
    pitch_angle=math.radians(63),
    mean_distance=0.082,
    spiral_angle=math.radians(30),
    mean_addendum=2.2e-3,
    mean_dedendum=4.8e-3,
    addendum_angle=0.0,
    dedendum_angle=0.0,
    outer_width=0.012,
    inner_width=0.012,
    thickness=5e-3,
    clearance=1e-3,
)


def test_face_hobbed_teeth_of_a_crown_gear_are_extended_epicycloids():
    """Their spiral angle along the face is that of ISO 23509, formulas 176 to 192."""
    radius, groups = 0.076, 7
    crown = replace(HOBBED, pitch_angle=0.5 * math.pi)
    settings = wheel_settings(crown, radius, groups, formate=True)
    blade = Blade(radius - 1e-3, 0.35, OUTSIDE, 0.5e-3)
    s = (radius - blade.join[1]) / math.sin(blade.join_angle)  # where the blade has r_c0
    theta = np.linspace(-0.2, 0.2, 9) + settings.indexing_origin
    jet = edge_in_work(settings, blade, np.column_stack([np.full(9, s), theta]))
    across, along = jet.value[:, :2], jet.first[1][:, :2]
    distance = np.hypot(*across.T)
    cosine = np.abs(np.sum(across * along, axis=1)) / distance / np.hypot(*along.T)
    lead, base = settings.lead_angle, settings.radial / (1 + groups / crown.teeth)
    phi = np.arccos(
        (distance**2 + settings.radial**2 - radius**2) / (2 * distance * settings.radial)
    )
    spiral = np.arctan((distance - base * np.cos(phi)) / (base * np.sin(phi)))
    assert np.allclose(np.arccos(cosine), np.abs(spiral), atol=1e-6)
    assert math.degrees(lead) > 10
    assert distance[4] == pytest.approx(crown.mean_distance, rel=0.01)


def test_a_face_hobbed_flank_is_the_envelope_of_its_blades():
    settings = wheel_settings(HOBBED, 0.076, 7)
    for hand in (LEFT, RIGHT):
        for cut in wheel_cuts(HOBBED, hand, settings, (0.35, 0.35), 0.076):
            grid, parameters = CutFlank(cut, HOBBED.section()).grid(5, 5)
            centre = parameters[[0, 2, 4], [0, 2, 4]]
            sides = []
            for a, step in enumerate((1e-6, 1e-5, 1e-5)):
                ahead, behind = (_placed(cut, centre, a, h) for h in (step, -step))
                sides.append((ahead - behind) / (2 * step))
            lengths = np.prod([np.linalg.norm(side, axis=1) for side in sides], axis=0)
            volume = np.sum(np.cross(sides[0], sides[1]) * sides[2], axis=1)
            assert np.abs(volume / lengths).max() < 1e-7
            mirror = 1 if hand == LEFT else MIRROR
            assert np.allclose(
                _placed(cut, centre, 0, 0.0) * mirror, grid.points[[0, 2, 4], [0, 2, 4]]
            )


def _placed(cut, parameters, which, step):
    """Points of the edge in the work by plain matrices, left hand."""
    moved = parameters.copy()
    moved[:, which] += step
    lead, radius = cut.settings.lead_angle, cut.settings.lead_radius
    points = []
    for s, theta, cradle in moved:
        height, at = cut.blade(np.array([s])).position[0]
        place = [
            height,
            -(at - radius) * math.sin(lead),
            radius + (at - radius) * math.cos(lead),
            1,
        ]
        points.append((machine(cut.settings, theta, cradle) @ place)[:3])
    return np.array(points)


def test_wheel_settings_of_the_literature():
    """9/33 (Litvin, Fuentes and Argyris): settings by formula."""
    distance, cutter, spiral = 68.92, 63.5, math.radians(32)
    radial = radial_setting(distance, cutter, spiral)
    assert radial == pytest.approx(64.373, abs=6e-4)
    assert math.degrees(cradle_angle(distance, radial, cutter)) == pytest.approx(56.78, abs=6e-3)


@pytest.mark.parametrize(
    ("pitch", "root", "printed"),
    [
        (17.414717, 15.640967, (97.959403, 52.796747, 3.3396859)),
        (77.585283, 75.663828, (97.953678, 52.801158, 1.0233670)),
    ],
)
def test_settings_of_a_published_set(pitch, root, printed):
    """19/62 at 95°: radial setting, cradle angle and ratio of roll of both members."""
    mean, cutter, spiral = 132.33334 - 36.83 / 2, 95.25, math.radians(35)
    taper = math.radians(pitch - root)
    radial = radial_setting(mean * math.cos(taper), cutter, spiral)
    assert radial == pytest.approx(printed[0], abs=1e-4)
    angle = cradle_angle(mean * math.cos(taper), radial, cutter)
    assert math.degrees(angle) == pytest.approx(printed[1], abs=2e-3)
    assert math.cos(taper) / math.sin(math.radians(pitch)) == pytest.approx(printed[2], rel=1e-4)


def test_a_wheel_has_the_thickness_and_pressure_angles_of_its_blank():
    blank = replace(HOBBED, dedendum_angle=math.radians(4), mean_dedendum=5.5e-3)
    cuts = wheel_cuts(blank, RIGHT, wheel_settings(blank, 0.076), (0.33, 0.37), 0.076)
    wheel = cut_wheel(blank, cuts, 15, 15)
    assert wheel.thickness == pytest.approx(blank.transverse_thickness, rel=1e-6)
    for cut, wanted in zip(cuts, (0.37, 0.33), strict=True):
        flank = CutFlank(cut, blank.section())
        parameters, _ = flank.parameters(blank.mean_point)
        jet = cut(parameters)
        point, normal = jet.value[0], flank.envelope.normals(jet)[0]
        outward = np.append(point[:2] / np.hypot(*point[:2]), 0.0) * math.cos(blank.pitch_angle)
        outward[2] = -math.sin(blank.pitch_angle)
        assert math.asin(normal @ outward) == pytest.approx(wanted, abs=0.01)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Blade(0.07, -0.1, INSIDE, 1e-3), "blade angle of -5.73° on the inside blade"),
        (lambda: Blade(0.07, 0.3, OUTSIDE, 0.0), "edge radius of 0 mm"),
        (lambda: Blade(0.0, 0.3, OUTSIDE, 1e-3), "point radius of 0 mm"),
        (lambda: Blade(0.07, 0.3, OUTSIDE, 1e-3, 1e-3), "profile radius of 1 mm"),
        (
            lambda: CradleSettings(0.07, 1.0, 1.0, 0.0, modified_roll=(0.1,)),
            "formate cut has no generating motion",
        ),
    ],
)
def test_refused_tools_and_machines(make, words):
    with pytest.raises(SpecError, match=words):
        make()


def _member(pinion_cuts, section=PINION, rows=9, columns=9):
    place = np.array([INCH * 3.191 * f(math.radians(18.4333333)) for f in (math.cos, math.sin)])
    return cut_member(12, LEFT, pinion_cuts, section, place, rows, columns)


def _with(cuts, **changes):
    return [replace(cut, settings=replace(cut.settings, **changes)) for cut in cuts]


def test_settings_that_miss_the_blank_are_refused():
    cuts = nasa_pinion_cuts()
    lower = [
        replace(cut, settings=replace(cut.settings, sliding_base=cut.settings.sliding_base - 1e-3))
        for cut in cuts
    ]
    with pytest.raises(SpecError, match=r"disagree: the cutter's tip passes 1 mm below"):
        _member(lower)
    with pytest.raises(SpecError, match="does not pass through the middle of the tooth"):
        _member(_with(cuts, radial=0.3))


def test_too_few_points_and_one_sided_members_are_refused():
    with pytest.raises(SpecError, match="A flank of 3 by 9 points"):
        _member(nasa_pinion_cuts(), rows=3)
    outside, _ = nasa_pinion_cuts()
    with pytest.raises(SpecError, match="needs two cuts"):
        _member((outside, outside))


def test_edge_radii_that_leave_no_fillet_or_no_flank_are_refused():
    place = INCH * 3.191 * np.array([math.cos(1.249), math.sin(1.249)])
    with pytest.raises(SpecError, match="so that no fillet is left"):
        cut_member(36, RIGHT, nasa_gear_cuts(edge_radius=1.3e-3), GEAR, place, 9, 9)
    with pytest.raises(SpecError, match="leaves less than half of the flank"):
        _member(nasa_pinion_cuts(edge_radius=8e-3))


def test_undercut_is_found_and_its_place_named():
    """A cutter that reaches far below the root of a pinion takes its flank away."""
    root = math.radians(PINION_ANGLES[0] - PINION_ANGLES[1])
    blade = Blade(0.0762, math.radians(8), OUTSIDE, 0.3e-3)
    settings = settings_of_vector_sum(0.0737, 1.07, root, 3.2)
    deep = replace(settings, sliding_base=-2.5e-3)
    lower = PINION.bottom - 2.5e-3 * np.array([-math.sin(root), math.cos(root)])
    section = replace(PINION, bottom=lower).raised(0.6e-3)
    with pytest.raises(SpecError, match=r"concave flank is undercut on .* up to the toe at"):
        CutFlank(Cut(deep, blade), section).grid(9, 9)
