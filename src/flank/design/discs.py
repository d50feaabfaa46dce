"""What all reducers whose discs circle on eccentrics have in common: eccentricity and balance."""

from __future__ import annotations

from flank.design.figure import figure
from flank.design.reducer import ReducerFigures
from flank.design.rule import GUIDE, Move, Put, Rule

TWO_DISCS = Put("use two discs, half a turn apart", lambda figures: {"discs.count": 2})


class DiscFigures(ReducerFigures):
    """Of a reducer with discs."""

    @property
    def disc_eccentricity(self) -> float:
        """In m."""
        raise NotImplementedError

    @property
    def toothed_radius(self) -> float:
        """Of the circle on which the discs bear, in m."""
        raise NotImplementedError

    @property
    def unbalanced_mass(self) -> float:
        """Of one disc, in kg."""
        raise NotImplementedError

    @property
    def crank_speed(self) -> float:
        """At the operating point, in rad/s."""
        raise NotImplementedError

    @figure("eccentricity", "m", "mm")
    def eccentricity(self) -> float:
        return self.disc_eccentricity

    @figure("unbalance of a single disc over the load's force", group="Vibration")
    def unbalance(self) -> float | None:
        """m e ω² over T/R at the rated torque; two discs balance each other but for a couple."""
        if self.spec.discs.count != 1:
            return None
        force = self.unbalanced_mass * self.disc_eccentricity * self.crank_speed**2
        return force * self.toothed_radius / self.machine.rated_torque


UNBALANCE = Rule(
    "unbalance",
    "unbalance",
    "at_most",
    0.2,
    "a single disc shakes the machine",
    (Move("run slower", ("operation.input_speed",), up=False, power=2.0, most=1e3), TWO_DISCS),
    GUIDE + "a fifth of the force by which the load holds the parts together",
)
