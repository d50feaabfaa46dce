"""The builder refuses what the kernels cannot do, in one sentence each."""

import numpy as np
import pytest
from spatial_models import start

from flank.contact.spatial import PowerLaw, SpatialSurface, Sphere, sphere_on_sphere
from flank.dynamics.functions import constant
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.model import MAXIMUM_NEIGHBOURS
from flank.dynamics.status import Status

MOMENTS = (1e-3, 1e-3, 1e-3)


@pytest.fixture
def b():
    """One core body and two leaves: bodies 1, 2 and 3."""
    builder = SpatialBuilder(0.1)
    builder.body("core", 1.0, MOMENTS)
    builder.body("ball", 1.0, MOMENTS, leaf=True)
    builder.body("roller", 1.0, MOMENTS, leaf=True)
    return builder


def contact(a, b):
    return sphere_on_sphere(Sphere(a, 0.1), Sphere(b, 0.1), SpatialSurface(PowerLaw(1e6)))


@pytest.mark.parametrize("scale", [0.0, -1.0, np.nan, np.inf])
def test_length_scale_is_positive(scale):
    with pytest.raises(ValueError, match="length_scale must be positive"):
        SpatialBuilder(scale)


@pytest.mark.parametrize("mass", [0.0, -1.0, np.nan, np.inf])
def test_mass_is_positive(mass):
    with pytest.raises(ValueError, match="'wheel' needs a positive mass"):
        SpatialBuilder(0.1).body("wheel", mass, MOMENTS)


@pytest.mark.parametrize(
    "inertia",
    [(1.0, 1.0), np.ones((2, 2)), 1.0, [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]], (1.0, np.nan, 1.0)],
)
def test_inertia_is_moments_or_a_matrix(inertia):
    with pytest.raises(ValueError, match="three moments or a symmetric 3 x 3 matrix"):
        SpatialBuilder(0.1).body("wheel", 1.0, inertia)


@pytest.mark.parametrize("inertia", [(1.0, 1.0, 2.1), (1.0, 1.0, 0.0), (-1.0, 1.0, 1.0)])
def test_inertia_is_one_that_a_body_can_have(inertia):
    with pytest.raises(ValueError, match="'wheel' needs moments of inertia that a body can have"):
        SpatialBuilder(0.1).body("wheel", 1.0, inertia)


def test_a_refused_body_leaves_no_trace():
    builder = SpatialBuilder(0.1)
    with pytest.raises(ValueError, match="a rotation must be"):
        builder.body("wheel", 1.0, MOMENTS, rotation=2 * np.eye(3))
    assert builder.names == ["ground"]
    assert len(builder.build().mass) == 1


def test_a_flat_plate_is_a_body():
    """Its largest moment is the sum of the others, the most that a body can have."""
    builder = SpatialBuilder(0.1)
    plate = builder.body("plate", 1.0, (1.0, 1.0, 2.0))
    assert np.diag(builder.build().inertia[plate]) == pytest.approx([1.0, 1.0, 2.0])


@pytest.mark.parametrize("position", [0.1, (0.1, 0.2), (0.0, np.nan, 0.0)])
def test_positions_are_three_numbers(position):
    with pytest.raises(ValueError, match="the position of 'wheel' must be three finite numbers"):
        SpatialBuilder(0.1).body("wheel", 1.0, MOMENTS, position)


@pytest.mark.parametrize("rotation", [2 * np.eye(3), np.ones((3, 3)), np.diag([1.0, 1.0, -1.0])])
def test_rotations_are_rotations(rotation):
    with pytest.raises(ValueError, match=r"a rotation must be|mirror image"):
        SpatialBuilder(0.1).body("wheel", 1.0, MOMENTS, rotation=rotation)


JOINTS = {
    "spherical": (),
    "revolute": (),
    "cylindrical": (),
    "fixed": (),
    "parallel": (),
    "universal": ((1, 0, 0), (0, 1, 0)),
    "rotation": (constant(0.0),),
    "along": ((1, 0, 0), constant(0.0)),
}


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("pair", [(2, 1), (0, 2)])
def test_leaf_carries_no_joint(b, joint, pair):
    with pytest.raises(ValueError, match="leaf body cannot carry a joint"):
        getattr(b, joint)(*pair, *JOINTS[joint])


@pytest.mark.parametrize("joint", JOINTS)
def test_body_is_not_joined_to_itself(b, joint):
    with pytest.raises(ValueError, match="'core' cannot be joined to itself"):
        getattr(b, joint)(1, 1, *JOINTS[joint])
    assert b.build().constraint_count == 0


@pytest.mark.parametrize("direction", [(0, 0, 0), (1, 0), 1.0, (np.nan, 0, 1)])
def test_axes_are_directions(b, direction):
    with pytest.raises(ValueError, match=r"is no direction|a direction must be three finite"):
        b.revolute(0, 1, direction)


def test_points_are_three_numbers(b):
    with pytest.raises(ValueError, match="a point of a body must be three finite numbers"):
        b.spherical(0, 1, at_a=0.1)
    with pytest.raises(ValueError, match="a point of a body must be three finite numbers"):
        b.force(1, (0, 0, 1), constant(1.0), at=(1, 2))


def test_leaves_do_not_touch_each_other(b):
    with pytest.raises(ValueError, match="two leaf bodies cannot touch"):
        b.contact(contact(2, 3))
    with pytest.raises(ValueError, match="two leaf bodies cannot touch"):
        b.bushing(2, 3, (1e3, 1e3, 1e3))


def test_core_bodies_come_first(b):
    with pytest.raises(ValueError, match="'late' must be added before the leaf bodies"):
        b.body("late", 1.0, MOMENTS)


def test_leaf_has_few_neighbours():
    builder = SpatialBuilder(0.1)
    count = MAXIMUM_NEIGHBOURS + 1
    races = [builder.body(f"race {k}", 1.0, MOMENTS) for k in range(count)]
    ball = builder.body("ball", 1.0, MOMENTS, leaf=True)
    builder.contact(contact(0, ball))  # ground does not count
    for race in races[:-1]:
        builder.contact(contact(race, ball))
    builder.build()
    builder.bushing(races[-1], ball)
    with pytest.raises(ValueError, match=f"'ball' touches more than {MAXIMUM_NEIGHBOURS} core"):
        builder.build()


@pytest.mark.parametrize("number", [-1, 4])
def test_bodies_exist(b, number):
    for add in (
        lambda: b.spherical(0, number),
        lambda: b.bushing(number, 1),
        lambda: b.contact(contact(1, number)),
        lambda: b.force(number, (0, 0, 1), constant(1.0)),
        lambda: b.torque(1, (0, 0, 1), constant(1.0), reference=number),
    ):
        with pytest.raises(ValueError, match=f"there is no body number {number}"):
            add()


def test_ground_carries_no_load(b):
    with pytest.raises(ValueError, match="a load on ground does nothing"):
        b.torque(0, (0, 0, 1), constant(1.0))


@pytest.mark.parametrize("name", ["stiffness", "damping", "turning_stiffness", "turning_damping"])
def test_bushings_do_not_push(b, name):
    with pytest.raises(ValueError, match=f"^{name.replace('_', ' ')} must not be negative"):
        b.bushing(0, 1, **{name: (1.0, -1.0, 0.0)})
    with pytest.raises(ValueError, match="must be three finite numbers"):
        b.bushing(0, 1, **{name: 1e3})


def test_frames_of_bushings_are_square(b):
    with pytest.raises(ValueError, match="three unit vectors perpendicular to each other"):
        b.bushing(0, 1, frame=((1, 0, 0), (1, 1, 0), (0, 0, 1)))


class TestRuns:
    @pytest.mark.parametrize(
        ("settings", "sentence"),
        [
            ({"step": 0.0}, "a time step of 0 s must be positive"),
            ({"step": np.nan}, "must be positive"),
            ({"step": 1.0, "method": "euler"}, "there is no method 'euler'; choose one of"),
            ({"step": 1.0, "spectral_radius": 1.2}, "a spectral radius of 1.2 must lie between"),
        ],
    )
    def test_settings(self, settings, sentence):
        with pytest.raises(ValueError, match=sentence):
            DynamicSettings(**settings)

    def test_joints_that_are_open_at_the_start(self):
        """A millimetre closed within a step would throw the body at metres a second."""
        builder = SpatialBuilder(0.1)
        bob = builder.body("bob", 1.0, MOMENTS, (0.1, 0, 0))
        builder.spherical(0, bob, at_b=(-0.099, 0, 0))
        run = solve_dynamics(builder.build(), start(builder), 0.1, DynamicSettings(step=1e-3))
        assert run.status is Status.OPEN_JOINT
        assert "start from an equilibrium" in run.status.sentence
        assert len(run.time) == 1

    def test_body_held_twice(self):
        builder = SpatialBuilder(0.1)
        shaft = builder.body("shaft", 1.0, MOMENTS)
        for z in (0.1, -0.1):
            builder.revolute(0, shaft, at_a=(0, 0, z), at_b=(0, 0, z))
        run = solve_dynamics(builder.build(), start(builder), 0.1, DynamicSettings(step=1e-3))
        assert run.status is Status.SINGULAR
