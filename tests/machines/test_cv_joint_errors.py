"""Errors of a ball joint: each reaches its part of the model, by the right amount."""

from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.dynamics.functions import constant
from flank.dynamics.run import solve_statics
from flank.errors import SpecError
from flank.machines.cv_joint.spec import KINDS

STRAIGHT = {"operation.deflection": 0}
GUIDES = {
    "cage.outer_guide": {"radius": "32.5 mm", "clearance": "50 um"},
    "cage.inner_guide": {"radius": "27.5 mm", "clearance": "50 um"},
}
ONE = {"m": 5e-6, "rad": 3e-4}
SMALL = {"m": 1e-9, "rad": 1e-6}
"""Of errors: of a size that is made, and so small that effects add up, yet far above what
equilibria are found to (1e-9 of 15 kN; by 1e-8 rad forces change by 0.01 N)."""


def rows(joint):
    assembly = joint.assemble(joint.drive())
    return assembly, assembly.model.contacts


def equilibrium(joint, rotation=0.0):
    assembly = joint.assemble(replace(joint.drive(), angles={"outer": constant(rotation)}))
    found = solve_statics(assembly.model, assembly.start, np.zeros(1))
    assert found.complete
    return assembly, found


def track_forces(joint, rotation=0.0):
    """(ball, race, flank)."""
    assembly, found = equilibrium(joint, rotation)
    return found.contact_results["normal_force"][0][assembly.tracks]


def listed(kind, error):
    """The same error of all instances."""
    return {f"errors.{kind}": {"all": error}}


@pytest.mark.parametrize("section", ["gothic-arch", "elliptical"])
def test_every_error_changes_its_own_contacts_only(section):
    joint = flank.preset("cv-joint", GUIDES | {"tracks.section": section})
    assembly, plain = rows(joint)
    errors = joint.error_parameters()
    assert {error.kind for error in errors} == set(KINDS)
    for error in errors[:: len(errors) // 40]:
        _, changed = rows(joint.with_error(error.name, ONE[error.unit]))
        touched = {k for k, (one, two) in enumerate(zip(plain, changed, strict=True)) if one != two}
        number = int(error.name.rpartition(".")[2]) - 1 if "." in error.name else 0
        groups = {
            "ball": [*assembly.tracks[number].ravel(), *assembly.windows[number]],
            "outer_track": assembly.tracks[number, 0],
            "inner_track": assembly.tracks[number, 1],
            "window": assembly.windows[number],
            "outer_guide": assembly.guides[:1],
            "inner_guide": assembly.guides[1:],
        }
        (part,) = (name for name in groups if error.kind.startswith(name))
        assert touched == {int(row) for row in groups[part]}, error.name


ANGLE, SHIFT = 3e-4, 20e-6
DESIGNED = [
    ("outer_track_skew", ANGLE, {"outer.skew": ANGLE}, "tracks"),
    ("inner_track_inclination", ANGLE, {"inner.inclination": ANGLE}, "tracks"),
    ("outer_track_clearance", SHIFT, {"tracks.clearance": SHIFT}, "outer"),
    ("window_width", SHIFT, {"cage.window_clearance": SHIFT}, "windows"),
    ("window_offset", SHIFT, {"cage.window_offset": SHIFT}, "windows"),
]


@pytest.mark.parametrize(("kind", "error", "change", "where"), DESIGNED)
def test_an_error_of_all_is_another_design(kind, error, change, where):
    """The tables of the model are the same to round-off."""
    plain = flank.preset("cv-joint")
    angles = {f"inner.{name}": getattr(plain.spec.outer, name) for name in ("skew", "inclination")}
    ((key, more),) = change.items()
    block, name = key.split(".")
    before = angles.get(key, getattr(getattr(plain.spec, block), name))
    designed = flank.preset("cv-joint", angles | {key: before + more})
    assembly, wanted = rows(designed)
    _, found = rows(flank.preset("cv-joint", angles | listed(kind, error)))
    numbers = assembly.tracks[:, :1] if where == "outer" else getattr(assembly, where)
    for field in wanted.dtype.names:
        one, two = (table[field][numbers.ravel()] for table in (found, wanted))
        assert one == pytest.approx(two, rel=1e-12, abs=1e-15), field


def test_a_larger_ball_carries_more():
    """In the straight joint all balls carry alike; one that is 5 µm larger takes from the others,
    most from its neighbours' side of the joint, and the torque stays."""
    joint = flank.preset("cv-joint-marter", STRAIGHT)
    plain = track_forces(joint)
    larger = track_forces(joint.with_error("ball_diameter.3", 5e-6))
    loaded = plain[0, 0] > 0.5 * plain.max()
    before, after = plain[:, 0, loaded].ravel(), larger[:, 0, loaded].ravel()
    assert before == pytest.approx(np.full_like(before, before.mean()), rel=1e-6)
    assert after[2] > 1.02 * before[2]
    assert (np.delete(after, 2) < np.delete(before, 2)).all()
    smaller = track_forces(joint.with_error("ball_diameter.3", -5e-6))[:, 0, loaded].ravel()
    assert smaller[2] < before[2]


def test_equal_balls_answer_alike():
    """Tracks repeat after two balls: what ball 1 does to the joint, ball 3 does two balls on."""
    joint = flank.preset("cv-joint-marter", STRAIGHT)
    first, third = (
        track_forces(joint.with_error(f"ball_diameter.{ball}", 5e-6)) for ball in (1, 3)
    )
    assert np.roll(first, 2, axis=0) == pytest.approx(third, rel=1e-5, abs=1e-3)


def test_tracks_moved_along_the_circle_turn_the_inner_race():
    """All outer tracks off by s are the outer race turned by s/R; all inner ones turn it back."""

    def turn(changes):
        joint = flank.preset("cv-joint-marter", STRAIGHT | changes)
        assembly, found = equilibrium(joint)
        return 2 * float(found.rotation[0][assembly.inner][3])

    s, radius = 10e-6, flank.preset("cv-joint-marter").spec.pitch_radius
    plain = turn({})
    outer = turn(listed("outer_track_tangential", s)) - plain
    inner = turn(listed("inner_track_tangential", s)) - plain
    assert outer == pytest.approx(s / radius, rel=1e-3)
    assert inner == pytest.approx(-s / radius, rel=1e-3)


@pytest.mark.parametrize(
    "kind",
    [
        "ball_diameter",
        "outer_track_radial",
        "inner_track_tangential",
        "outer_track_skew",
        "inner_track_clearance",
        "window_offset",
        "window_width",
    ],
)
def test_effects_of_all_balls_add_up(kind):
    """To first order an error of all parts does what their errors do one by one, together."""
    joint = flank.preset("cv-joint-marter", {"cage.window_clearance": "-20 um"})
    rotation, step = 0.4, SMALL[KINDS[kind].unit]
    plain = track_forces(joint, rotation)
    balls = range(1, joint.spec.balls.count + 1)
    single = [
        track_forces(joint.with_error(f"{kind}.{ball}", step), rotation) - plain for ball in balls
    ]
    common = joint
    for ball in balls:
        common = common.with_error(f"{kind}.{ball}", step)
    together = track_forces(common, rotation) - plain
    largest = np.abs(single).max()
    assert largest > 0
    assert np.sum(single, axis=0) == pytest.approx(together, abs=5e-3 * largest)


def test_another_operating_point_keeps_the_errors():
    joint = flank.preset("cv-joint").with_error("ball_diameter.2", 3e-6)
    moved = joint.at(100.0, 0.02, 0.0)
    assert moved.extra == joint.extra
    assert moved.ball_radii == pytest.approx(joint.ball_radii)
    assert moved.torque == 100.0


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"errors.ball_diameter": {0: "1 um"}}, "balls are counted from 1, up to"),
        ({"errors.inner_track_radial": {99: "1 um"}}, "there is no such inner track"),
        ({"errors.ball_diameter": {2: "0.4 mm"}}, "ball 2 has a gap of -200 um at each flank"),
        ({"errors.outer_track_clearance": "0.4 mm"}, "ball 1 has a gap of 40"),
        ({"errors.window_width": {3: "-0.4 mm"}}, "window 3 is .* um narrower than its ball"),
        ({"errors.outer_guide_clearance": "1 um"}, "does nothing without cage.outer_guide"),
        (
            {"tracks.section": "elliptical", "tracks.conformity": 1.005}
            | {"errors.outer_track_clearance": {1: "-70 um"}},
            "an ellipse that leaves ball 1",
        ),
    ],
)
def test_errors_that_cannot_be_are_refused(changes, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.preset("cv-joint", changes)
