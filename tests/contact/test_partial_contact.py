"""Sections that touch in part: the law of the proportion, one answer, and what it converges to."""

import numpy as np
import pytest
from loaded_teeth import LAW, least_squares_forces, random_points

from flank.contact.iterated_loads import deletion, proportion_printed
from flank.contact.load_distribution import SOLVED, STALLED, distribute, load_work
from flank.contact.partial_contact import (
    BY_CONSTANT,
    BY_SEAT,
    BY_SPREAD,
    ENERGY,
    FORCE,
    FORCE_BY_CONSTANT,
    FORCE_BY_SPREAD,
    SPREAD_BY_CONSTANT,
    TWICE_CONSTANT,
    TWICE_SPREAD,
    SectionPoints,
    distribute_sections,
    section_energy,
    section_force,
    section_work,
)

PLACES = np.array([-0.5, -0.25, 0.0, 0.25, 0.5, 1.0])
PROPORTION = np.array([0.0, 0.03125, 0.125, 0.28125, 0.5, 1.0])


def straight(depth, compliance=0.0, spread=1.0):
    """One section of unit compliance, of which a share is the bodies'."""
    return SectionPoints(
        np.full((1, 1), compliance),
        np.array([depth]),
        np.array([spread]),
        np.array([1.0 - compliance]),
        np.zeros(1),
        np.ones(1),
    )


def line_of(count, load=20e-6, soft=1.0, slope=LAW.slope):
    """A contact line of 25 mm whose penetration falls like a parabola to both ends."""
    x = (np.arange(count) + 0.5) / count
    depth = load - 120e-6 * (x - 0.4) ** 2
    return SectionPoints(
        soft * 2e-9 * np.exp(-np.abs(x[:, None] - x) / 0.3),
        depth,
        -240e-6 * (x - 0.4) / count,
        np.full(count, 1.2e-10),
        np.full(count, slope),
        np.full(count, 25e-3 / count),
    )


def forces_of(points):
    work = section_work(len(points.depth))
    status, _ = distribute_sections(points, len(points.depth), work)
    assert status == SOLVED
    return work.force


@pytest.mark.parametrize("compliance", [0.0, 0.4, 1.0 - 1e-13])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_law_of_the_proportion(compliance, sign):
    """w (g + (1 - w) v/2)/C at g/v = -1/2 ... 1, whichever part of C is the bodies'."""
    forces = [forces_of(straight(depth, compliance, sign))[0] for depth in PLACES]
    np.testing.assert_allclose(forces, PROPORTION, rtol=0, atol=1e-12)


@pytest.mark.parametrize("spread", [1e-7, 1e-5, 1e-4])
def test_a_section_is_the_mean_of_many_points_without_spread(spread):
    """Each of which bears the section's own compliance per length by itself."""
    points = line_of(1)._replace(depth=np.array([2e-5]), spread=np.array([spread]))
    count = 20000
    across = (np.arange(count) + 0.5) / count - 0.5
    many = [
        forces_of(points._replace(depth=points.depth + spread * x, spread=np.zeros(1)))[0]
        for x in across[:: count // 200]
    ]
    step = across[:: count // 200]
    assert forces_of(points)[0] == pytest.approx(np.trapezoid(many, step) / np.ptp(step), rel=2e-2)


@pytest.mark.parametrize("count", [1, 2, 5, 12, 40])
@pytest.mark.parametrize("seed", range(4))
def test_without_spread_it_is_the_bounded_least_squares_solution(seed, count):
    points = random_points(seed, count, 0.0)._replace(lever=np.ones(count))
    sections = SectionPoints(
        points.compliance,
        10e-6 - points.gap,
        np.zeros(count),
        points.constant,
        points.slope,
        points.length,
    )
    expected = least_squares_forces(points, 10e-6)
    np.testing.assert_allclose(forces_of(sections), expected, rtol=1e-7, atol=1e-8 * expected.max())


@pytest.mark.parametrize("seed", range(4))
def test_without_spread_contacts_by_load_are_those_of_the_load_distribution(seed):
    count = 30
    points, work = random_points(seed, count), load_work(30)
    points = points._replace(lever=np.ones(count))
    assert distribute(points, count, 8e-6, work)[0] == SOLVED
    sections = SectionPoints(points.compliance, 8e-6 - points.gap, np.zeros(count), *points[3:])
    np.testing.assert_allclose(forces_of(sections), work.force, atol=1e-8 * work.force.max())


def test_few_sections_carry_what_many_points_carry():
    """Against 400 points without spread: 20 sections within 4 %, 80 within 1 %."""
    fine = line_of(400)
    total = forces_of(fine._replace(spread=np.zeros(400))).sum()
    errors = [abs(forces_of(line_of(count)).sum() / total - 1) for count in (20, 40, 80, 160)]
    assert errors[0] < 0.04
    assert errors[2] < 0.01
    assert np.all(np.diff(errors) < 0)


def test_all_methods_meet_as_points_grow_and_none_pulls():
    apart = []
    for count in (20, 80, 320):
        points = line_of(count)
        work, printed = section_work(count), section_work(count)
        assert deletion(points, count, work, np.zeros((0, count)))[0] == SOLVED
        assert proportion_printed(points, count, 1e3, printed)[0] == SOLVED
        totals = [f.sum() for f in (forces_of(points), work.force, printed.force)]
        assert min(work.force.min(), printed.force.min(), forces_of(points).min()) >= 0
        apart.append(np.ptp(totals) / totals[0])
    assert apart[0] > apart[1] > apart[2]
    assert apart[2] < 1e-4


def test_the_total_has_no_jumps_in_its_slope_where_deletion_has():
    """As the bodies approach, sections come in; per step of 4 nm the slope changes by so much."""
    count, loads = 20, np.linspace(12e-6, 20e-6, 2000)
    totals = np.zeros((2, len(loads)))
    for k, load in enumerate(loads):
        points, work = line_of(count, load, 5.0), section_work(count)
        totals[0, k] = forces_of(points).sum()
        deletion(points, count, work, np.zeros((0, count)))
        totals[1, k] = work.force.sum()
    slopes = np.diff(totals, axis=1) / np.diff(loads)
    jumps = np.abs(np.diff(slopes, axis=1)).max(axis=1) / slopes.mean(axis=1)
    assert jumps[0] < 2e-4
    assert jumps[1] > 10 * jumps[0]


def test_soft_and_stiff_bodies_are_solved_from_anywhere():
    rng = np.random.default_rng(5)
    for _ in range(150):
        count = int(rng.integers(1, 40))
        modes = rng.normal(size=(count, int(rng.integers(1, count + 1))))
        points = SectionPoints(
            1e-9 * 10 ** rng.uniform(-6, 4) * modes @ modes.T,
            1e-5 * 10 ** rng.uniform(-3, 3) * rng.normal(size=count),
            1e-5 * 10 ** rng.uniform(-6, 1) * rng.normal(size=count),
            np.full(count, 1.2e-10),
            np.full(count, rng.choice([0.0, LAW.slope])),
            np.full(count, 1e-3),
        )
        cold = forces_of(points)
        warm = section_work(count)
        warm.force[:] = rng.uniform(0, 1e3, count)
        assert distribute_sections(points, count, warm)[0] == SOLVED
        assert cold.min() >= 0
        np.testing.assert_allclose(warm.force, cold, atol=1e-6 * max(cold.max(), 1e-30))


def test_what_is_not_a_number_stalls():
    points = line_of(4)
    points.depth[2] = np.nan
    assert distribute_sections(points, 4, section_work(4)) == (STALLED, 0)


def test_deletion_shows_its_steps():
    points, work = line_of(20, soft=5.0), section_work(20)
    history = np.full((12, 20), -1.0)
    status, steps, out = deletion(points, 20, work, history)
    assert (status, out) == (SOLVED, int((points.depth > 0).sum() - (work.force > 0).sum()))
    assert np.nanmin(history[0]) < 0 < out
    assert np.isnan(history[1, work.force == 0]).all()
    np.testing.assert_allclose(history[steps - 1, work.force > 0], work.force[work.force > 0])
    assert np.all(history[steps:] == -1.0)


@pytest.mark.parametrize(
    ("depth", "force", "circling", "pulling"),
    [
        (-3.0, 0.0, 1, 0),
        (-1.0, 0.0, 0, 1),
        (-0.5, 0.0, 0, 1),
        (0.0, 0.123, 0, 0),
        (0.25, 0.275, 0, 0),
        (0.5, 0.464, 0, 0),
        (1.0, 1.0, 0, 0),
    ],
)
def test_the_printed_proportions_circle_and_pull_and_say_so(depth, force, circling, pulling):
    """Of one section with C = v = 1 the printed scheme goes round in circles at d = -3 and ends at
    pulls of 0.255 and 0.101 at d = -1 and -1/2; between it is up to 7 % low."""
    points = straight(depth)._replace(compliance=np.zeros((1, 1)))
    work = section_work(1)
    status, _, *counts = proportion_printed(points, 1, 1.0, work)
    assert status == SOLVED
    assert counts == [circling, pulling]
    assert work.force[0] == pytest.approx(force, abs=6e-4)


def energy_of(seat, spread, constant, slope):
    out = np.zeros(10)
    section_energy(seat, spread, constant, slope, out)
    out[BY_SPREAD] *= spread
    return out


@pytest.mark.parametrize("slope", [LAW.slope, 0.0], ids=["line", "straight"])
@pytest.mark.parametrize(
    ("seat", "spread"),
    [(20e-6, 5e-6), (20e-6, 0.1e-6), (20e-6, 60e-6), (-3e-6, 10e-6), (8e-3, 1e-3), (8e-3, 1e-5)],
    ids=["pressed", "narrow", "in part", "just in", "beyond the law", "narrow and beyond"],
)
def test_derivatives_of_a_sections_energy(seat, spread, slope):
    """First ones are those of the energy by differences, second ones those of the first."""
    at, constant = energy_of(seat, spread, 1.5e-10, slope), 1.5e-10
    force, stiffness = section_force(seat, spread, constant, slope, 2.0)
    assert force == pytest.approx(2.0 * at[FORCE], rel=1e-9)
    assert stiffness == pytest.approx(2.0 * at[BY_SEAT], rel=1e-9)
    rows = (
        (0, (ENERGY, FORCE, BY_SPREAD, BY_CONSTANT), (FORCE, BY_SEAT, None, FORCE_BY_CONSTANT)),
        (1, (ENERGY, FORCE, BY_SPREAD), (BY_SPREAD, FORCE_BY_SPREAD, TWICE_SPREAD)),
        (2, (ENERGY, FORCE, BY_CONSTANT), (BY_CONSTANT, FORCE_BY_CONSTANT, TWICE_CONSTANT)),
        (2, (BY_SPREAD,), (SPREAD_BY_CONSTANT,)),
    )
    given = np.array([seat, spread, constant])
    for variable, values, slopes in rows:
        step = 1e-4 * given[variable] * np.eye(3)[variable]
        around = [energy_of(*(given + k * step), slope) for k in (-2, -1, 1, 2)]
        found = (8 * (around[2] - around[1]) - (around[3] - around[0])) / (12 * step[variable])
        for value, by in zip(values, slopes, strict=True):
            if by is not None:
                size = max(abs(at[by]), abs(at[value] / given[variable]))
                assert abs(found[value] - at[by]) < 1e-6 * size
