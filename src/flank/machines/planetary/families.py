"""Families of modes of a planetary gearbox with evenly spaced planets (Lin and Parker 1999).

Seen from the carrier, the radial, tangential and turning motions of the planets are discrete
Fourier series around it. Their mean goes with the turning of the central members (rotational
modes), the first harmonic with their shifting (translational modes, in pairs), and the others with
nothing: planet modes, each N - 3 times.
"""

import numpy as np
from numpy.typing import NDArray

from flank.machines.planetary.layout import FIRST_PLANET

ROTATIONAL, TRANSLATIONAL, PLANET, MIXED = "rotational", "translational", "planet", "mixed"

CLEAR = 0.9
"""Share of the kinetic energy from which a mode belongs to a family."""


def family_shares(weighed: NDArray, pose: NDArray) -> NDArray:
    """Shares (mode, family) of the kinetic energy, in the order of the names above.

    `weighed` (mode, body, 3) are mode shapes times the roots of the masses, ground first.
    """
    central = weighed[:, 1:FIRST_PLANET]
    planets = weighed[:, FIRST_PLANET:]
    count = planets.shape[1]
    directions = np.arctan2(pose[FIRST_PLANET:, 1], pose[FIRST_PLANET:, 0])
    cosine, sine = np.cos(directions), np.sin(directions)
    x, y, turn = np.moveaxis(planets, -1, 0)
    local = np.stack((cosine * x + sine * y, cosine * y - sine * x, turn), axis=-1)
    lines = np.sum(np.abs(np.fft.fft(local, axis=1)) ** 2, axis=2) / count
    shares = np.zeros((len(weighed), 3))
    shares[:, 0] = np.sum(central[:, :, 2] ** 2, axis=1) + lines[:, 0]
    shares[:, 1] = np.sum(central[:, :, :2] ** 2, axis=(1, 2))
    shares[:, 1] += sum(lines[:, k] for k in {1, count - 1} if 0 < k < count)
    shares[:, 2] = lines[:, 2 : count - 1].sum(axis=1)
    return shares / shares.sum(axis=1, keepdims=True)


def family_names(weighed: NDArray, pose: NDArray) -> list[str]:
    """The family of each mode; 'mixed' where none has most of the energy."""
    shares = family_shares(weighed, pose)
    names = (ROTATIONAL, TRANSLATIONAL, PLANET)
    return [names[int(np.argmax(s))] if s.max() >= CLEAR else MIXED for s in shares]
