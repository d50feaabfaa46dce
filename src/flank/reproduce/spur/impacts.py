"""What becomes of velocities where flanks that had parted meet again, and of momentum.

Two gears touch along one line of action. Any impulse λ between them, at whichever points, takes
r_p λ of angular momentum from the pinion and r_g λ from the wheel, both counted against their
approach. A rule that sets velocities keeps this balance only if they follow from an impulse.
"""

from enum import Enum
from typing import NamedTuple

import numpy as np
from scipy import linalg

from flank.arrays import Floats


class Reconnection(Enum):
    """What happens to velocities where a gap closes.

    COMPLIANT: nothing, the spring takes it. IMPULSE: the contact point's approach is reversed
    and multiplied by the restitution, by impulses through the mass matrix. RIGID: Eq. 24 corrected
    (ε = m_p/m_g, and (ε - e) times the pinion's velocity), on the rotations of both gears. NODAL:
    the same equation on the velocities of the nodes that touch, as the paper does it, which no
    impulse between the two can bring about; `momentum_balance` says by how much.
    """

    COMPLIANT = "compliant"
    IMPULSE = "impulse"
    RIGID = "rigid"
    NODAL = "nodal"


class Impact(NamedTuple):
    """Points of two gears that meet.

    `rows` give their approach from the coordinates of both gears, whose `velocity` and `mass` these
    are, first the `pinion_size` of the pinion; `rotations` are the motions when pinion or wheel
    turn by one radian, as columns.
    """

    mass: Floats
    rows: Floats
    velocity: Floats
    pinion_size: int
    rotations: Floats
    inertias: Floats
    base_radii: Floats
    restitution: float

    def velocities_after(self, rule: Reconnection) -> Floats:
        """Points that part already are left alone."""
        meeting = self._replace(rows=self.rows[self.rows @ self.velocity > 0])
        if rule is Reconnection.COMPLIANT or len(meeting.rows) == 0:
            return self.velocity
        rules = {
            Reconnection.IMPULSE: Impact._impulse,
            Reconnection.RIGID: Impact._rigid_masses,
            Reconnection.NODAL: Impact._nodal_velocities,
        }
        return rules[rule](meeting)

    def _impulse(self) -> Floats:
        """v⁺ = v⁻ - M⁻¹Jᵀλ with J v⁺ = -e J v⁻; impulses that would pull are left out."""
        rows = self.rows
        while True:
            effect = linalg.solve(self.mass, rows.T, assume_a="pos")
            closing = (1 + self.restitution) * (rows @ self.velocity)
            impulse = linalg.solve(rows @ effect, closing, assume_a="pos")
            if impulse.min() >= 0:
                return np.asarray(self.velocity - effect @ impulse)
            rows = rows[impulse >= 0]

    @property
    def equivalent_masses(self) -> Floats:
        """I/r² of both gears."""
        return np.asarray(self.inertias / self.base_radii**2)

    def _equation_24(self, pinion: float, wheel: float) -> tuple[float, float]:
        """Velocities along the line of action after the impact of two rigid masses."""
        mass_ratio, e = self.equivalent_masses[0] / self.equivalent_masses[1], self.restitution
        after_wheel = wheel * (1 - mass_ratio * e) + mass_ratio * pinion * (1 + e)
        after_pinion = wheel * (1 + e) + (mass_ratio - e) * pinion
        return after_pinion / (1 + mass_ratio), after_wheel / (1 + mass_ratio)

    def _rigid_masses(self) -> Floats:
        """All points meet as fast, since rigid gears have one line of action."""
        speeds = self.rotations.T @ self.mass @ self.velocity / self.inertias
        pinion, wheel = self.base_radii * speeds * (1, -1)
        if pinion <= wheel:
            return self.velocity
        after = np.array(self._equation_24(pinion, wheel))
        changes = after * (1, -1) / self.base_radii - speeds
        return np.asarray(self.velocity + self.rotations @ changes)

    def _nodal_velocities(self) -> Floats:
        """Eq. 24 on the nodes that touch, along the normal; nothing else is changed."""
        velocity = self.velocity.copy()
        of_pinion = np.arange(len(velocity)) < self.pinion_size
        for row in self.rows:
            parts = [np.where(of_pinion, row, 0.0), np.where(of_pinion, 0.0, -row)]
            before = [float(part @ self.velocity) for part in parts]
            for part, old, new in zip(parts, before, self._equation_24(*before), strict=True):
                velocity += part / (part @ part) * (new - old)
        return velocity


class MomentumBalance(NamedTuple):
    """Of what a rule does to velocities.

    `pinion` and `wheel` are the changes of angular momentum over the base radius in N·s, which any
    impulse between the two makes equal and opposite: `unbalanced` is what they lack of it, over the
    larger one. `foreign` is the share of the change, in the norm of kinetic energy, that no impulse
    at the points that meet can bring about. `transferred` is the mean of both over what two rigid
    masses would exchange.
    """

    pinion: float
    wheel: float
    unbalanced: float
    foreign: float
    transferred: float


def momentum_balance(impact: Impact, rule: Reconnection) -> MomentumBalance:
    """How a rule keeps or breaks the balance of momentum; it must change velocities."""
    change = impact.velocities_after(rule) - impact.velocity
    pinion, wheel = impact.rotations.T @ impact.mass @ change / impact.base_radii * (1, -1)
    factor = linalg.cholesky(impact.mass, lower=True)
    reach = linalg.orth(linalg.solve_triangular(factor, impact.rows.T, lower=True))
    seen = factor.T @ change
    approach = float(np.mean(impact.rows @ impact.velocity))
    rigid = (1 + impact.restitution) * approach / np.sum(1 / impact.equivalent_masses)
    return MomentumBalance(
        float(pinion),
        float(wheel),
        float(abs(pinion + wheel) / max(abs(pinion), abs(wheel))),
        float(np.linalg.norm(seen - reach @ (reach.T @ seen)) / np.linalg.norm(seen)),
        float(0.5 * (wheel - pinion) / rigid),
    )
