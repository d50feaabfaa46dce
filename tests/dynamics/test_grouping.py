"""Groups and parts: the builder knows which rows belong together."""

import numpy as np
import pytest

from flank.contact import Disc, Surface, circle_in_hole
from flank.contact.spatial import PowerLaw, SpatialSurface, Sphere, sphere_on_plane
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.grouping import LinePressure, PointPressure
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.elasticity.line_contact import LineLaw

SURFACE = Surface(LineLaw(1e-11, 1e-12, 0.01), 0.0)


def touching(builder, count):
    for _ in range(count):
        hole, pin = Disc(0, 0.0, 0.0, 0.02), Disc(1, 0.0, 0.0, 0.01)
        builder.contact(circle_in_hole(hole, pin, SURFACE))


@pytest.fixture
def builder():
    builder = ModelBuilder(0.1)
    builder.body("pin", 1.0, 1e-3)
    return builder


def test_numbers_are_the_builder_s_own(builder):
    touching(builder, 2)
    with builder.part("pin", "pins", {"disc": 2, "pin": -1}, LinePressure(0.01, 1e11)):
        touching(builder, 6)
        builder.bushing(0, 1, 1e6)
    with builder.part("mount", "mount"):
        builder.torsion_spring(0, 1, 1e3)
    (group,), (pins, mount) = builder.groups, builder.parts
    assert group.contacts.tolist() == [[2, 3, 4], [5, 6, 7]]
    assert (group.name, group.dimensions, group.shape) == ("pin", ("disc", "pin"), (2, 3))
    assert (pins.contacts, pins.springs) == ((2, 3, 4, 5, 6, 7), (0,))
    assert (mount.contacts, mount.springs, mount.beams) == ((), (1,), ())


def test_what_is_empty_is_left_out(builder):
    with builder.part("held", "mount"), builder.group("tooth", "teeth", {"flank": 2, "pair": -1}):
        builder.revolute(0, 1)
    assert builder.groups == builder.parts == []


def test_a_grid_that_contacts_do_not_fill_is_refused(builder):
    with pytest.raises(ValueError, match="reshape"), builder.group("pin", "pins", {"pin": 4}):
        touching(builder, 3)


def test_the_same_in_space():
    builder = SpatialBuilder(0.1)
    builder.body("ball", 1.0, (1e-3, 1e-3, 1e-3))
    with builder.part("floor", "floor", {"side": 2}):
        for _ in range(2):
            row = sphere_on_plane(
                0, (0, 0, 0), (0, 0, 1), Sphere(1, 0.01), SpatialSurface(PowerLaw(1e9))
            )
            builder.contact(row)
        builder.bushing(0, 1, (1.0, 1.0, 1.0))
    assert builder.groups[0].contacts.tolist() == [0, 1]
    assert (builder.parts[0].contacts, builder.parts[0].springs) == ((0, 1), (0,))


def test_pressures_of_lines_and_points():
    readings = {"normal_force": np.array([[8.0, -1.0]]), "curvature": np.array([[100.0, 100.0]])}
    line = LinePressure(0.01, 1e11).of(readings.__getitem__)
    assert line[0, 0] == pytest.approx(np.sqrt(800 * 1e11 * 100 / np.pi))
    given = LinePressure(0.01, 1e11, 400.0).of(readings.__getitem__)
    assert given[0, 0] == pytest.approx(2 * line[0, 0])
    assert PointPressure(np.array(3e6)).of(readings.__getitem__).tolist() == [[6e6, 0.0]]
