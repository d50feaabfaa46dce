"""The paper's rolling formulation on small bodies: what it keeps, and what it breaks."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import linalg

from flank.elasticity.finite_elements.reduction import reduce_body
from flank.errors import SpecError
from flank.reproduce.spur.impacts import Reconnection, momentum_balance
from flank.reproduce.spur.rolling_bodies import (
    Contacts,
    RollingBody,
    Sweep,
    equal_angles,
    handed_over,
)
from flank.reproduce.spur.witness import Damping, RollingPair, roll

RADIUS, INERTIA = 0.07, 2e-3
PRESSURE_ANGLE = math.radians(20)
BASE_RADIUS = RADIUS * math.cos(PRESSURE_ANGLE)


def turn(angle):
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])


def toothed_ring(teeth):
    """Mass and stiffness of masses on springs around a hub that turns, coordinates its angle and
    x, y, z of every mass; and places of the masses."""
    angles = 2 * math.pi * np.arange(teeth) / teeth
    frames = [turn(angle) for angle in angles]
    places = np.array([frame @ (RADIUS, 0, 0) for frame in frames])
    mass = np.diag([INERTIA, *np.full(3 * teeth, 0.02)])
    stiffness = np.zeros_like(mass)
    for k, (frame, place) in enumerate(zip(frames, places, strict=True)):
        rows = np.zeros((3, len(mass)))
        rows[:, 1 + 3 * k : 4 + 3 * k] = np.eye(3)
        rows[:, 0] = -np.cross((0, 0, 1), place)
        stiffness += rows.T @ frame @ np.diag((3e8, 1e8, 5e7)) @ frame.T @ rows
        after = (k + 1) % teeth
        link = np.zeros((3, len(mass)))
        link[:, 1 + 3 * k : 4 + 3 * k] = frame.T
        link[:, 1 + 3 * after : 4 + 3 * after] = -frames[after].T
        stiffness += 2e7 * link.T @ link
    return mass, stiffness, places


def sorting(teeth, way):
    """Tooth k stands where tooth k + way stood, and its displacement turns with it."""
    matrix = np.zeros((1 + 3 * teeth, 1 + 3 * teeth))
    matrix[0, 0] = 1.0
    for k in range(teeth):
        to = (k + way) % teeth
        matrix[1 + 3 * to : 4 + 3 * to, 1 + 3 * k : 4 + 3 * k] = turn(way * 2 * math.pi / teeth)
    return matrix


def rotation_of(places):
    return np.concatenate(([1.0], np.cross((0, 0, 1), places).ravel()))


def ring_body(teeth, way, masters=None, modes=0, weighted=True):
    """A gear that turns forward or backward, with all its coordinates, or reduced."""
    mass, stiffness, places = toothed_ring(teeth)
    basis, kept = np.eye(len(mass)), np.arange(len(mass))
    if masters is not None:
        kept = np.concatenate(([0], *(1 + 3 * k + np.arange(3) for k in masters)))
        reduced = reduce_body(mass, stiffness, kept, modes)
        mass_full, mass, stiffness = mass, reduced.mass, reduced.stiffness
        basis = reduced.basis
    else:
        mass_full = mass
    sort = sorting(teeth, way)
    rotation = np.zeros(len(mass))
    rotation[: len(kept)] = rotation_of(places)[kept]
    nodes = 1 + 3 * np.arange((len(kept) - 1) // 3)
    return RollingBody(
        mass=mass,
        stiffness=stiffness,
        nodes=np.column_stack((nodes, nodes + 1)),
        rotation=rotation,
        base_radius=BASE_RADIUS,
        turn=way * 2 * math.pi / teeth,
        hand_over=handed_over(basis, sort, mass_full if weighted else None),
    ), basis


def contact_row(body, number, teeth, tooth, way, share):
    """Along the tangent to the base circle at the tooth that stands at a share of a pitch."""
    angle = 2 * math.pi * tooth / teeth + share * body.turn
    row = np.zeros(body.size)
    direction = turn(angle) @ (math.sin(PRESSURE_ANGLE) * way, math.cos(PRESSURE_ANGLE), 0)
    row[1 + 3 * number : 4 + 3 * number] = direction
    return row


def ring_pair(teeth=8, positions=6, elements=None, bodies=None, stiffness=2e8, **options):
    """Element e is between tooth e of the pinion and tooth -e of the wheel."""
    pinion, wheel = bodies or (ring_body(teeth, 1)[0], ring_body(teeth, -1)[0])
    elements = range(teeth) if elements is None else elements
    rows = np.zeros((positions, len(elements), pinion.size + wheel.size))
    for z in range(positions):
        for e, tooth in enumerate(elements):
            share = z / positions
            rows[z, e] = np.concatenate(
                (
                    contact_row(pinion, tooth, teeth, tooth, 1, share),
                    contact_row(wheel, -tooth % teeth, teeth, -tooth, -1, share),
                )
            )
    springs = np.full((1, positions, len(elements)), stiffness)
    follows = (np.arange(len(elements)) + 1) % len(elements)
    contacts = Contacts(rows, springs, np.array([0.0]), follows, np.zeros(rows.shape[:2]))
    return RollingPair(pinion, wheel, contacts, **({"torque": 150.0} | options))


def test_contact_rows_have_the_arm_of_the_base_circle():
    pair = ring_pair()
    for position in range(pair.positions):
        arms = pair.contacts.rows[position] @ pair.rotations(position)
        np.testing.assert_allclose(arms, BASE_RADIUS, rtol=1e-12)


def test_steps_of_equal_angle_also_at_constant_speed():
    angle = 1e-3
    for end in (100.0, 100.0 + 1e-9, 400.0, 20.0):
        sweep = Sweep(100.0, end, 2.0)
        durations, speeds = equal_angles(sweep, angle)
        time = np.cumsum(durations)
        np.testing.assert_allclose(
            100.0 * time + 0.5 * sweep.rate * time**2,
            angle * np.arange(1, len(time) + 1),
            rtol=1e-9,
        )
        assert time[-1] == pytest.approx(2.0, rel=1e-3)
        assert speeds[-1] == pytest.approx(end, rel=1e-3)
    for start, end, duration in ((100.0, -50.0, 1.0), (0.0, 10.0, 1.0), (1.0, 2.0, 0.0)):
        with pytest.raises(SpecError, match="both speeds and the duration must be positive"):
            Sweep(start, end, duration)


def test_equilibrium_stays_where_it_is_through_hand_overs():
    """All teeth press alike, so nothing excites: DTE stays at round-off over five cycles."""
    pair = ring_pair()
    history = roll(pair, np.full(5 * pair.positions, 2e-5))
    mean = history.transmission_error.mean()
    assert mean > 1e-7
    assert history.transmission_error.std() < 1e-10 * mean
    np.testing.assert_allclose(history.forces.sum(axis=1), 150.0 / BASE_RADIUS, rtol=1e-9)
    np.testing.assert_allclose(np.ptp(history.forces, axis=0), 0, atol=1e-7)


def test_one_torque_alone_runs_away():
    """The text under Eq. 16 has one torque; with it both gears speed up."""
    alone = ring_pair(wheel_torque=0.0)
    both = ring_pair()
    durations = np.full(60, 2e-5)
    speeds = [roll(pair, durations).state.velocity[0] for pair in (alone, both)]
    assert abs(speeds[1]) < 1e-6 * abs(speeds[0])


def test_hand_over_keeps_what_the_full_bodies_do():
    """Displacement and velocity of the tooth that leaves are those of the one that follows."""
    random = np.random.default_rng(3)
    for way in (1, -1):
        body, basis = ring_body(8, way, masters=(), modes=24)
        sort = sorting(8, way)
        q = random.standard_normal(body.size)
        np.testing.assert_allclose(basis @ body.hand_over @ q, sort @ basis @ q, atol=1e-9)
        np.testing.assert_allclose(body.hand_over @ body.rotation, body.rotation, atol=1e-9)


def test_sorting_the_wheel_like_the_pinion_moves_it_under_the_contact():
    """Eq. 22 has one order for both; then flanks that touch have other displacements after it."""
    pinion, wheel = ring_body(8, 1)[0], ring_body(8, -1)[0]
    wrong = replace(wheel, hand_over=ring_body(8, 1)[0].hand_over)
    jumps = []
    for each in (wheel, wrong):
        pair = ring_pair(bodies=(pinion, each))
        state = pair.at_rest()
        state.position = pair.positions - 1
        state.displacement = 1e-6 * np.random.default_rng(2).standard_normal(pinion.size * 2)
        step = linalg.block_diag(*(b.rotated(1 / pair.positions) for b in (pinion, each)))
        leaving = np.concatenate(
            (contact_row(pinion, 0, 8, 0, 1, 1.0), contact_row(each, 0, 8, 0, -1, 1.0))
        )
        after = pair.turned(state)
        assert after.position == 0
        follower = pair.contacts.rows[0, pair.contacts.follows[0]]
        jumps.append(abs(follower @ after.displacement - leaving @ step @ state.displacement))
    assert jumps[0] < 1e-15
    assert jumps[1] > 1e-7


def test_few_masters_lose_something_and_the_mass_loses_least():
    """Reduced to three teeth and modes the space of motions is not that of the next tooth."""
    random = np.random.default_rng(4)
    mass, _, _ = toothed_ring(12)
    losses = {}
    for weighted in (True, False):
        body, basis = ring_body(12, 1, masters=(11, 0, 1), modes=8, weighted=weighted)
        lost = []
        for _ in range(20):
            q = random.standard_normal(body.size)
            kept = sorting(12, 1) @ basis @ q
            lack = kept - basis @ body.hand_over @ q
            lost.append(lack @ mass @ lack / (kept @ mass @ kept))
        losses[weighted] = np.mean(lost)
    assert 1e-6 < losses[True] <= losses[False]


def test_rotated_matrices_equal_a_frame_that_turns_with_the_gears():
    """Eq. 19 only changes axes: integrated in the bodies' own axes the answer is the same."""
    pair = ring_pair(positions=7, elements=(0, 1), damping=Damping(1e-6, 20.0))
    pair.contacts.follows[:] = (1, -1)
    pair.contacts.stiffness[0] *= 1 + 0.4 * np.sin(np.arange(14)).reshape(7, 2)
    state = pair.at_rest()
    durations = np.full(7, 3e-5)
    history = roll(pair, durations, state)
    mass, stiffness = (
        linalg.block_diag(*(getattr(body, name) for body in (pair.pinion, pair.wheel)))
        for name in ("mass", "stiffness")
    )
    rolling = np.concatenate((pair.pinion.rotation, -pair.wheel.rotation))
    weighted = mass @ rolling
    damping = 1e-6 * stiffness + 20.0 * (mass - np.outer(weighted, weighted) / (rolling @ weighted))
    u, v, a = state.displacement, state.velocity, state.acceleration
    for z, dt in enumerate(durations):
        turned = linalg.block_diag(pair.pinion.rotated(z / 7), pair.wheel.rotated(z / 7))
        rows = pair.contacts.rows[z] @ turned
        springs = stiffness + rows.T @ np.diag(pair.contacts.stiffness[0, z]) @ rows
        # Average acceleration, in terms of displacements.
        system = 4 / dt**2 * mass + 2 / dt * damping + springs
        right = pair.load + mass @ (4 / dt**2 * u + 4 / dt * v + a) + damping @ (2 / dt * u + v)
        moved = linalg.solve(system, right)
        faster = 2 / dt * (moved - u) - v
        a, u, v = 4 / dt**2 * (moved - u) - 4 / dt * v - a, moved, faster
        assert history.transmission_error[z] == pytest.approx(pair.transmission @ u, rel=1e-9)


def test_vibration_is_damped_and_rolling_is_not():
    for unbraked in ("pair", "gears"):
        pair = ring_pair(damping=Damping(0.0, 200.0, unbraked=unbraked))
        mass, damping, _ = pair._matrices[0]
        rolling = np.concatenate((pair.pinion.rotation, -pair.wheel.rotation))
        apart = np.concatenate((-pair.pinion.rotation, -pair.wheel.rotation))
        random = np.random.default_rng(0).standard_normal(len(rolling))
        kept = {}
        for name, motion in (("rolling", rolling), ("apart", apart), ("vibration", random)):
            kept[name] = motion @ damping @ motion / (motion @ mass @ motion)
        assert abs(kept["rolling"]) < 1e-9
        assert kept["vibration"] > 20.0
        assert kept["apart"] == pytest.approx(200.0 if unbraked == "pair" else 0.0, abs=1e-9)


def flying(pair, speed=0.05):
    """Gears about to touch: rotations approach, teeth vibrate."""
    state = pair.at_rest()
    motion = np.random.default_rng(5).standard_normal(len(state.displacement))
    state.displacement = 0 * state.displacement
    state.velocity = pair.rotations(0) @ [speed / BASE_RADIUS, speed / BASE_RADIUS]
    state.velocity += 1e-3 * speed * motion
    state.force[:], state.connected[:] = 0.0, False
    return state


def first_impact(pair):
    return pair.impact(flying(pair), np.array([True, False]))


@pytest.mark.parametrize("rule", [Reconnection.IMPULSE, Reconnection.RIGID])
def test_momentum_through_an_impact(rule):
    pair = ring_pair(elements=(0, 1), reconnection=rule)
    balance = momentum_balance(first_impact(pair), pair.reconnection)
    assert balance.pinion < 0 < balance.wheel
    assert balance.unbalanced < 1e-9
    if rule is Reconnection.IMPULSE:
        assert balance.foreign < 1e-6
    else:
        assert balance.transferred == pytest.approx(1.0, abs=0.01)


def test_velocities_set_at_nodes_break_the_balance():
    """Gears of different inertia: the paper's rule moves nodes as if they carried the gears."""
    pinion, wheel = ring_body(8, 1)[0], ring_body(8, -1)[0]
    heavier = wheel.mass.copy()
    heavier[0, 0] *= 3
    bodies = pinion, replace(wheel, mass=heavier)
    pair = ring_pair(elements=(0, 1), bodies=bodies, reconnection=Reconnection.NODAL)
    balance = momentum_balance(first_impact(pair), pair.reconnection)
    assert balance.unbalanced > 0.2
    assert balance.foreign > 0.1
    right = ring_pair(elements=(0, 1), bodies=bodies, reconnection=Reconnection.IMPULSE)
    assert momentum_balance(first_impact(right), right.reconnection).unbalanced < 1e-9


def test_an_impulse_reverses_the_approach_by_the_restitution():
    pair = ring_pair(elements=(0, 1), reconnection=Reconnection.IMPULSE, restitution=0.56)
    state = flying(pair)
    rows = pair.contacts.rows[0]
    before = rows @ state.velocity
    pair.reconnect(state, np.array([True, True]))
    np.testing.assert_allclose(rows @ state.velocity, -0.56 * before, rtol=1e-9)


THROWN = 1.0
"""Speed of both flanks in m/s, more than what the springs hold."""


def bouncing(rule, step, steps, restitution=1.0):
    """Thrown apart from rest, the torques bring the gears together again; positions are held."""
    pair = ring_pair(
        elements=(0, 1), reconnection=rule, restitution=restitution, stiffness=1e7, torque=150.0
    )
    state = pair.at_rest()
    state.velocity = pair.rotations(0) @ np.full(2, -THROWN / BASE_RADIUS)
    return roll(pair, np.full(steps, step), state, turning=False, energy=True)


@pytest.mark.parametrize("rule", [Reconnection.COMPLIANT, Reconnection.IMPULSE])
def test_energy_is_kept_without_damping(rule):
    """Up to what springs hold where a step ends beside the end of contact: of second order."""
    errors = []
    for step in (8e-6, 4e-6):
        history = bouncing(rule, step, round(0.01 / step))
        assert history.reconnected.sum() > 5
        scale = INERTIA * (THROWN / BASE_RADIUS) ** 2
        errors.append(np.abs(history.energy - history.energy[0]).max() / scale)
    assert errors[1] < 0.02
    assert errors[1] < 0.4 * errors[0]


def test_restitution_below_one_loses_energy():
    kept = bouncing(Reconnection.IMPULSE, 4e-6, 1500).energy
    lost = bouncing(Reconnection.IMPULSE, 4e-6, 1500, restitution=0.56).energy
    assert lost[-1] < kept[-1] - 0.1 * np.ptp(lost)


def test_no_element_pulls_and_loss_is_partial():
    pair = ring_pair(elements=(0, 1, 2), stiffness=1e7)
    pair.contacts.gaps[:, 2] = 3e-4
    state = pair.at_rest()
    np.testing.assert_array_equal(state.connected, (True, True, False))
    state.velocity = pair.rotations(0) @ np.full(2, -THROWN / BASE_RADIUS)
    history = roll(pair, np.full(300, 2e-6), state, turning=False)
    assert history.forces.min() >= 0.0
    assert (history.forces.sum(axis=1) == 0).any()


def test_stiffness_follows_the_load():
    pair = ring_pair(elements=(0, 1), stiffness=1e8)
    table = np.repeat(pair.contacts.stiffness, 2, axis=0)
    table[1] *= 2
    contacts = pair.contacts._replace(stiffness=table, loads=np.array([0.0, 4000.0]))
    np.testing.assert_allclose(contacts.springs(0, 1000.0), 1.25e8)
    softer = replace(pair, contacts=contacts, torque=10.0).at_rest().displacement
    stiffer = replace(pair, contacts=contacts, torque=250.0).at_rest().displacement
    error = pair.transmission
    assert error @ softer / 10.0 > 1.05 * (error @ stiffer) / 250.0


def test_pairs_that_cannot_be_are_refused():
    with pytest.raises(SpecError, match="does not press the flanks together"):
        ring_pair(torque=0.0).at_rest()
    with pytest.raises(SpecError, match="not between 0 and 1"):
        ring_pair(restitution=1.2)
    with pytest.raises(SpecError, match="'pair' or 'gears'"):
        ring_pair(damping=Damping(unbraked="all"))
    pair = ring_pair()
    with pytest.raises(SpecError, match="The gears have 50 coordinates"):
        replace(pair, contacts=pair.contacts._replace(rows=pair.contacts.rows[:, :, 1:]))


def one_degree_of_freedom(mass, damping, force, springs, step):
    """m ẍ + c ẋ + k(t) x = F by the same rule, the spring out while it would pull."""
    x, v, a, connected = force / springs[0], 0.0, 0.0, True
    motion = []
    for k in springs:
        ahead, faster = x + step * v + 0.25 * step**2 * a, v + 0.5 * step * a
        for spring in (k, 0.0) if connected else (0.0,):
            system = mass + 0.5 * step * damping + 0.25 * step**2 * spring
            a = (force - spring * ahead - damping * faster) / system
            x = ahead + 0.25 * step**2 * a
            if spring * x >= 0:
                break
        v, connected = faster + 0.5 * step * a, x >= 0
        motion.append(x)
    return np.array(motion)


def test_stiff_bodies_are_one_degree_of_freedom():
    """Gears that do not bend, near resonance, so that they part in every cycle."""
    positions, steps, step, braking = 16, 640, 4.2e-5, 900.0
    bodies = [ring_body(8, way)[0] for way in (1, -1)]
    bodies = [replace(body, stiffness=1e4 * body.stiffness) for body in bodies]
    pair = ring_pair(
        positions=positions,
        elements=(0, 1),
        bodies=bodies,
        stiffness=2e7,
        damping=Damping(0.0, braking),
    )
    pair.contacts.follows[:] = (1, -1)
    pair.contacts.stiffness[0, 4:, 1] = 0.0
    masses = [body.inertia / BASE_RADIUS**2 for body in bodies]
    mass = 1 / (1 / masses[0] + 1 / masses[1])
    springs = np.tile(pair.contacts.stiffness[0].sum(axis=1), steps // positions)
    expected = one_degree_of_freedom(mass, braking * mass, 150.0 / BASE_RADIUS, springs, step)
    history = roll(pair, np.full(steps, step))
    assert expected[-positions:].min() < 0 < expected[-positions:].max()
    np.testing.assert_allclose(history.transmission_error, expected, atol=0.01 * np.ptp(expected))
