"""Housing rings that give way around pins and teeth: forces, equilibria, limits, bad specs."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

import flank
from flank.analyses import natural_frequencies, stiffness_split
from flank.analyses.runs import assemble_locked, linearize_at
from flank.analyses.sensitivity import angle_derivatives, stations
from flank.contact import plate_modes
from flank.dynamics.contact_states import ContactStates
from flank.dynamics.linearize import unit_turn
from flank.dynamics.run import solve_statics
from flank.elasticity.finite_elements import elastic_ring
from flank.elasticity.finite_elements.elastic_plate import wave_count, wave_values
from flank.elasticity.finite_elements.elastic_ring import ring_loads
from flank.errors import SpecError
from tests.helpers.smooth_energy import check_derivatives

BOLTED = {"held": "bolts", "bolt_count": 8, "bolt_radius": "3 mm"}
RINGS = {
    "cycloidal-drive": {
        "pins.ring": {"outer_radius": "82 mm", "bolt_circle_radius": "75 mm", **BOLTED},
        "discs.equidistant": 0,
        "discs.radial": 0,
    },
    "rv-40": {
        "pins.ring": {"outer_radius": "82 mm", "bolt_circle_radius": "75 mm", **BOLTED},
        "carrier.body": "rigid",
        "cranks.shaft": "beam",
    },
    "few-teeth-38": {
        "ring.body": {"bolt_circle_radius": "48 mm", **BOLTED},
        "ring.outer_radius": "55 mm",
        "carrier.body": "rigid",
        "cranks.shaft": "beam",
    },
}
LOOSE = {
    "cycloidal-drive": {"pins.mounting": "rolling", "pins.groove_radius": "3.01 mm"},
    "rv-40": {"pins.mounting": "floating", "pins.groove_radius": "3.01 mm"},
}
FLANKS = {"cycloidal-drive": "pin", "rv-40": "pin", "few-teeth-38": "tooth"}


@lru_cache
def machine(name, disc="rigid", ring=True, loose=False):
    changes = RINGS[name] | {"discs.body": disc} | (LOOSE[name] if loose else {})
    if not ring:
        changes = {
            key: value for key, value in changes.items() if key not in ("pins.ring", "ring.body")
        }
    return flank.preset(name, changes)


def loaded(made, shares=(0.1, 0.5, 1.0)):
    assembly = assemble_locked(made, 0.3)
    run = solve_statics(assembly.model, made.ideal_pose(0.3), made.rated_torque * np.array(shares))
    assert run.complete
    return assembly, run


@lru_cache
def usual(name, disc="rigid", ring=True, loose=False):
    return loaded(machine(name, disc, ring, loose))


CASES = [
    ("cycloidal-drive", "rigid", False),
    ("cycloidal-drive", "elastic", False),
    ("cycloidal-drive", "rigid", True),
    ("rv-40", "elastic", False),
    ("rv-40", "elastic", True),
    ("few-teeth-38", "rigid", False),
    ("few-teeth-38", "elastic", False),
]


@pytest.mark.parametrize(("name", "disc", "loose"), CASES)
def test_forces_follow_from_the_energy_and_the_tangent_from_forces(name, disc, loose):
    """The tangent leaves out how a tooth's way over the modes turns."""
    assembly, run = usual(name, disc, loose=loose)
    slack = {"slack": 1e-3} if name == "few-teeth-38" else {}
    check_derivatives(assembly, run.position[-1], 1, **slack)


@pytest.mark.parametrize("name", RINGS)
def test_a_ring_that_gives_way_turns_by_at_least_what_it_stores(name):
    """By 2 U/T of loads that rise evenly, and by what uneven contacts then give way to more."""
    assembly, run = usual(name)
    turned, before = (_wind_up(name, *usual(name, ring=ring)) for ring in (True, False))
    stored = 0.9 * 2 * _stored(assembly, run) / machine(name).rated_torque
    assert 0 < 0.98 * stored < turned - before < 4 * stored
    assert turned < 1.3 * before


def _wind_up(name, assembly, run):
    """Between a tenth of the rated torque and all of it."""
    angle = run.angle(assembly.output_shaft)
    return abs(angle[-1] - angle[0])


def _modes(assembly):
    contact = next(row for row in assembly.planar.contacts if row["ring_rows"])
    return int(contact["ring_row"]), int(contact["ring_rows"])


def _stored(assembly, run):
    first, rows = _modes(assembly)
    z = run.position[-1][first : first + rows].ravel()
    stiffness = np.concatenate(
        [
            assembly.planar.gears.data[spring["pair"] : spring["pair"] + 15 : 5]
            for spring in assembly.planar.springs
            if first <= spring["body_b"] < first + rows
        ]
    )
    return float(0.5 * stiffness @ z**2)


@pytest.mark.parametrize(("name", "disc", "loose"), [CASES[1], CASES[4], CASES[6]])
def test_in_a_very_stiff_ring_contacts_carry_as_in_a_rigid_one(monkeypatch, name, disc, loose):
    whole = plate_modes.plate_modes

    def stiff(body):
        modes = whole(body)
        if not isinstance(body, elastic_ring.RingBody):
            return modes
        return replace(modes, stiffness=1e4 * modes.stiffness)

    monkeypatch.setattr(plate_modes, "plate_modes", stiff)
    assembly, run = loaded(machine.__wrapped__(name, disc, loose=loose))
    rigid, on_rigid = usual(name, disc, ring=False, loose=loose)
    for group in (FLANKS[name], "groove") if loose else (FLANKS[name],):
        expected = on_rigid.force(rigid.groups[group])[-1]
        force = run.force(assembly.groups[group])[-1]
        assert force == pytest.approx(expected, abs=2e-3 * expected.max())


def test_pins_carry_as_influence_numbers_between_all_of_them_have_it():
    """Modes against the whole compliance of the ring between pins, under the forces as found."""
    made = machine("cycloidal-drive")
    assembly, run = usual("cycloidal-drive")
    states = ContactStates(assembly.planar, run).of(assembly.groups["pin"])[-1]
    force, gap = states["normal_force"].ravel(), states["gap"].ravel()
    normal = states["normal"][..., :2].reshape(-1, 2)
    body, pins = made.spec.elastic_ring, made.pins
    angle = np.tile(pins.angles, made.spec.discs.count)
    waves = wave_values(body.rim_waves, angle)
    out = np.column_stack((np.cos(angle), np.sin(angle)))
    around = np.column_stack((-out[:, 1], out[:, 0]))
    pressed = np.vstack(
        (waves * np.sum(normal * out, axis=1), waves * np.sum(normal * around, axis=1))
    )
    assert len(pressed) == 2 * wave_count(body.rim_waves)
    whole = pressed.T @ ring_loads(body).compliance @ pressed
    moved = whole @ force  # of all pins, by all forces
    first, rows = _modes(assembly)
    z = run.position[-1][first : first + rows].ravel()
    known = _shapes(assembly, run, first, rows) @ z
    carry = force > 0
    contact = -gap[carry].min()
    assert np.abs(known - moved)[carry].max() < 0.05 * contact
    assert np.abs(moved[carry]).max() > 0.2 * contact


def _shapes(assembly, run, first, rows):
    """∂gap/∂z of all pins, by differences: (disc and pin, mode)."""
    shapes = np.zeros((assembly.groups["pin"].contacts.size, 3 * rows))
    for k in range(3 * rows):
        gaps = []
        for step in (-1e-6, 1e-6):
            position = run.position.copy()
            position[-1, first + k // 3, k % 3] += step
            at = ContactStates(assembly.planar, replace(run, position=position))
            gaps.append(at.of(assembly.groups["pin"])["gap"][-1].ravel())
        shapes[:, k] = (gaps[1] - gaps[0]) / 2e-6
    return shapes


@pytest.mark.parametrize(
    ("name", "disc", "error"),
    [
        ("cycloidal-drive", "elastic", "pin_radius.11"),
        ("rv-40", "elastic", "hole_radial.1/2"),
        ("few-teeth-38", "rigid", "tooth_thickness.1"),
    ],
)
def test_implicit_derivatives_are_those_of_machines_solved_again(name, disc, error):
    made, shares = machine(name, disc), (1.0, 0.5)
    base, path = loaded(made, shares)
    changed = [assemble_locked(made.with_error(error, s * 1e-12), 0.3).planar for s in (1, -1)]
    found = angle_derivatives(stations(base, path), 1e-12, *changed)
    angles = []
    for step in (1e-8, -1e-8):
        again, run = loaded(made.with_error(error, step), shares)
        angles.append(run.angle(again.output_shaft))
    wanted = (angles[0] - angles[1]) / 2e-8
    assert found == pytest.approx(wanted, rel=5e-3, abs=2e-3 * np.abs(found).max())


def test_the_linearised_ring_is_as_stiff_as_its_secant_over_a_small_load():
    small = 1e-4
    assembly, run = loaded(machine("rv-40"), (1.0, 1 + small, 1 - small))
    direction = unit_turn(assembly.model, assembly.output_shaft.body)
    compliance = direction @ linearize_at(assembly, run, 0).solve(direction)
    _, above, below = run.angle(assembly.output_shaft)
    torque = machine("rv-40").rated_torque
    assert compliance == pytest.approx((above - below) / (2 * small * torque), rel=1e-4)


def test_the_ring_is_a_part_of_the_split_and_lowers_frequencies():
    split = stiffness_split.run(machine("cycloidal-drive"))
    assert "ring" in split["part"].values
    assert abs(split["closure"]) < 2e-3
    soft, rigid = (
        natural_frequencies.run(machine("cycloidal-drive", ring=ring)) for ring in (True, False)
    )
    assert soft["unstable_count"] == 0
    assert soft["frequency"].values[0] < rigid["frequency"].values[0]


def test_pins_in_grooves_that_give_way_are_softer_by_their_seat():
    made = flank.preset("cycloidal-drive", {"pins.grooves": "elastic"})
    assembly, run = loaded(made)
    firm, on_firm = loaded(flank.preset("cycloidal-drive"))
    name = "cycloidal-drive"
    softer = _wind_up(name, assembly, run) / _wind_up(name, firm, on_firm)
    assert 1.02 < softer < 1.3
    row, before = (a.planar.contacts[a.groups["pin"].contacts[0, 0]] for a in (assembly, firm))
    more = row["line_constant"] - before["line_constant"]
    assert more == pytest.approx(made.spec.seat_compliance)


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("rv-320", {"pins.ring": {"outer_radius": "124 mm"}}, "must reach beyond 124.5 mm"),
        ("rv-320", {"pins.ring": {"outer_radius": "125 mm"}}, "thinnest wall is 0.5 mm, elem"),
        (
            "rv-320",
            {
                "pins.ring": {
                    "outer_radius": "150 mm",
                    "held": "bolts",
                    "bolt_count": 16,
                    "bolt_circle_radius": "127 mm",
                    "bolt_radius": "5 mm",
                }
            },
            "thinnest wall is 0 mm",
        ),
        (
            "rv-320",
            {"pins.ring": {"outer_radius": "150 mm", "held": "bolts", "bolt_count": 16}},
            "bolt_circle_radius is missing",
        ),
        (
            "rv-320",
            {"pins.ring": {"outer_radius": "150 mm", "bolt_angle": "5 deg"}},
            "bolt_angle does nothing with held 'outer face'",
        ),
        (
            "cycloidal-drive",
            {
                "pins.grooves": "elastic",
                "contact": {"law": "penalty", "stiffness": "1e9 N/m", "exponent": 1},
            },
            r"pins\.grooves 'elastic' needs contact\.law 'hertz'",
        ),
        (
            "rv-320",
            {"pins.ring": {"outer_radius": "150 mm", "material": "cheese"}},
            "pins.ring.material: 'cheese' is not",
        ),
        (
            "cycloidal-drive",
            LOOSE["cycloidal-drive"] | {"pins.grooves": "elastic"},
            "grooves 'elastic' does nothing with loose pins",
        ),
        ("few-teeth-60", {"ring.outer_radius": "100 mm", "ring.body": {}}, "must exceed the root"),
        (
            "few-teeth-60",
            {"ring.outer_radius": "130 mm", "ring.body": {}},
            "thinnest wall is",
        ),
        ("few-teeth-60", {"ring.body": {}, "mesh.model": "table"}, r"ring.body needs mesh.model"),
    ],
)
def test_rings_of_nothing_are_refused_before_any_element(monkeypatch, name, changes, sentence):
    def nobody(*_: object):
        raise AssertionError("elements were computed")

    monkeypatch.setattr(elastic_ring, "_computed", nobody)
    with pytest.raises(SpecError, match=sentence) as refused:
        flank.preset(name, changes)
    assert "\n" not in str(refused.value.problems[0])
