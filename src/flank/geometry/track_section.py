"""Cross-section of a straight track for balls: a gothic arch or an ellipse, touched on two sides.

Section frame: x to the bottom of the groove, y across it, the origin at the centre of the ball in
its nominal place. The ball touches both flanks at the contact angle α from the bottom, where the
section has the radius ρ = f R, f > 1 the conformity, R the radius of the ball. A clearance c is
the gap along each of the two normals; negative it is an interference.

    gothic arch   arcs of radius ρ about -(ρ - R - c)(cos α, ± sin α)                     (1)
    ellipse       with N = R + c, the length of the normal from flank to x axis,
                  cos t = cos α √(ρ/N),  a/b = tan α / tan t,  b = N (a/b) / √(ρ/N)       (2)
                  and the ball's centre x0 = (a² - b²) cos t / a from that of the ellipse (3)

(2) follows from the point (a cos t, b sin t), its normal at tan α = (a/b) tan t, the length of the
normal N = b W/a and the radius ρ = W³/(a b) with W² = a² sin² t + b² cos² t, so that ρ/N = W²/b²
and cos α = b cos t / W.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class TrackSection:
    """`ball_radius` R and `clearance` c in m, `conformity` f, `contact_angle` α in rad."""

    ball_radius: float
    conformity: float
    contact_angle: float
    clearance: float = 0.0

    def __post_init__(self) -> None:
        if not self.ball_radius > 0:
            raise ValueError(f"a ball needs a positive radius, not {self.ball_radius:.6g} m")
        if not 0 < self.contact_angle < 0.5 * math.pi:
            raise ValueError(
                f"the contact angle is {math.degrees(self.contact_angle):.6g} deg; it lies between "
                "the bottom of the track, 0, and its edge, 90 deg"
            )
        if not 1 < self.conformity < math.inf or not self.room > 0:
            raise ValueError(
                f"a track of radius {1e3 * self.radius:.6g} mm does not touch a ball of radius "
                f"{1e3 * self.ball_radius:.6g} mm with a clearance of {1e6 * self.clearance:.4g} "
                "um on two flanks; use a larger conformity or a smaller clearance"
            )

    @property
    def radius(self) -> float:
        """ρ in m, of the section where the ball touches."""
        return self.conformity * self.ball_radius

    @property
    def room(self) -> float:
        """ρ - R - c in m: how far the centre of curvature of a flank is from the ball's centre."""
        return self.radius - self.ball_radius - self.clearance

    def arc_centre(self, side: int) -> tuple[float, float]:
        """Of the gothic arch's flank at ±y, Eq. (1), in m."""
        angle = self.contact_angle
        return -self.room * math.cos(angle), -side * self.room * math.sin(angle)

    @property
    def has_ellipse(self) -> bool:
        """Whether an ellipse touches at the contact angle: cos² α ρ/N < 1."""
        return math.cos(self.contact_angle) ** 2 * self._stretch < 1

    @property
    def ellipse(self) -> tuple[float, float, float]:
        """Semi-axes a along x and b along y, and the ball's centre x0 on the ellipse's x axis, in
        m, Eqs. (2, 3)."""
        if not self.has_ellipse:
            raise ValueError(
                f"no ellipse touches a ball at {math.degrees(self.contact_angle):.4g} deg with the "
                f"conformity {self.conformity:.4g}; it must be less than "
                f"{self.largest_conformity:.4g} there"
            )
        root = math.sqrt(self._stretch)
        cosine = math.cos(self.contact_angle) * root
        ratio = math.tan(self.contact_angle) / math.tan(math.acos(cosine))
        b = self._normal * ratio / root
        a = ratio * b
        return a, b, (a * a - b * b) * cosine / a

    @property
    def largest_conformity(self) -> float:
        """f below which there is an ellipse, (1 + c/R)/cos² α."""
        return self._normal / self.ball_radius / math.cos(self.contact_angle) ** 2

    @property
    def _normal(self) -> float:
        """N = R + c."""
        return self.ball_radius + self.clearance

    @property
    def _stretch(self) -> float:
        """ρ/N."""
        return self.radius / self._normal
