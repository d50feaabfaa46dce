"""Many samples of one planar model side by side: what differs between them follows from a few drawn
numbers, and all else is there once.

A number of the model that differs is its nominal value and a polynomial of the numbers drawn; which
numbers differ, and by which polynomials, is found elsewhere. Arrays of all samples have the sample
as their last dimension, so that neighbouring threads of a GPU read neighbouring numbers.
"""

from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers, Rows
from flank.dynamics.model import Model
from flank.dynamics.scatter import copy_rows
from flank.kernel import kernel
from flank.team import rank, team_size, wait

DEGREE = 6
"""Factors of a polynomial's term at most."""

CONTACTS, CURVES, JOINTS, SPRINGS, POSE = range(5)
"""Tables whose numbers may differ."""


class Varied(NamedTuple):
    """These tables as rows of 64-bit words."""

    contacts: Floats
    curves: Floats
    joints: Floats
    springs: Floats
    position: Floats


class Deviations(NamedTuple):
    """Polynomials of the drawn numbers, each for one word of a table."""

    entries: Integers  # (entry, 5): table, row, word, first term, last term
    coefficients: Floats  # (term)
    factors: Integers  # (term, DEGREE): which drawn numbers are multiplied, -1 for none
    spans: Floats  # by which drawn numbers are divided first


def words_of(rows: Rows) -> Floats:
    """A table of rows with named fields as numbers; whole numbers look odd so."""
    return np.ascontiguousarray(rows).view(np.float64).reshape(len(rows), -1)


def varied_tables(model: Model, position: Floats) -> Varied:
    """Of one machine."""
    return Varied(
        words_of(model.contacts),
        words_of(model.curves),
        words_of(model.joints),
        words_of(model.springs),
        np.ascontiguousarray(position),
    )


@kernel(internal=True)
def deviate(nominal, deviations, draws, sample):
    """Fill the tables of a sample by its drawn numbers."""
    _copy(nominal.contacts, sample.contacts)
    _copy(nominal.curves, sample.curves)
    _copy(nominal.joints, sample.joints)
    _copy(nominal.springs, sample.springs)
    _copy(nominal.position, sample.position)
    wait()
    for k in range(rank(), deviations.entries.shape[0], team_size()):
        entry = deviations.entries[k]
        value = 0.0
        for term in range(entry[3], entry[4]):
            product = deviations.coefficients[term]
            for i in range(DEGREE):
                factor = deviations.factors[term, i]
                if factor >= 0:
                    product *= draws[factor] / deviations.spans[factor]
            value += product
        if entry[0] == CONTACTS:
            sample.contacts[entry[1], entry[2]] += value
        elif entry[0] == CURVES:
            sample.curves[entry[1], entry[2]] += value
        elif entry[0] == JOINTS:
            sample.joints[entry[1], entry[2]] += value
        elif entry[0] == SPRINGS:
            sample.springs[entry[1], entry[2]] += value
        else:
            sample.position[entry[1], entry[2]] += value
    wait()


@kernel(internal=True)
def begin_sample(blank, nowhere, position, state, passed):
    """Let a state, and the path that it goes, begin in a pose; `blank` is a state at rest, and
    `nowhere` a path before its first equilibrium."""
    for body in range(rank(), position.shape[0], team_size()):
        for i in range(3):
            state.position[body, i] = position[body, i]
            state.anchor[body, i] = position[body, i]
            passed.position[body, i] = position[body, i]
    copy_rows(blank.velocity, state.velocity)
    copy_rows(blank.acceleration, state.acceleration)
    copy_rows(blank.auxiliary, state.auxiliary)
    copy_rows(nowhere.position_rate, passed.position_rate)
    for i in range(rank(), state.multipliers.shape[0], team_size()):
        state.multipliers[i] = blank.multipliers[i]
        passed.multipliers[i] = nowhere.multipliers[i]
        passed.multiplier_rate[i] = nowhere.multiplier_rate[i]
    for k in range(rank(), state.memory.shape[0], team_size()):
        state.memory[k] = blank.memory[k]
        state.contact_results[k] = blank.contact_results[k]
        state.accepted_force[k] = blank.accepted_force[k]
    if rank() == 0:
        passed.secant[0] = nowhere.secant[0]
    wait()


@kernel(internal=True)
def _copy(source, target):
    for i in range(source.shape[0]):
        for j in range(rank(), source.shape[1], team_size()):
            target[i, j] = source[i, j]
