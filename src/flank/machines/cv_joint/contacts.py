"""The force laws of a ball joint's contacts, from dimensions and material or by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flank.arrays import Floats
from flank.contact.spatial import FRICTIONLESS, PowerLaw, SpatialSurface, StickFriction
from flank.elasticity.elliptic_contact import (
    EllipticContact,
    ball_in_track,
    contact_stiffness,
    elliptic_contact,
    semi_axes,
)
from flank.elasticity.material import contact_modulus
from flank.machines.contact_laws import damping_law
from flank.machines.cv_joint.parts import STATIC_VELOCITY, STICK_VELOCITY
from flank.machines.cv_joint.spec import CvJointSpec


@dataclass(frozen=True)
class JointContacts:
    """Hertz contacts of a joint, and laws of force and friction made of them."""

    spec: CvJointSpec

    @cached_property
    def outer_track(self) -> EllipticContact:
        """Ball in a track of the outer race."""
        return self.in_track("outer", self.spec.ball_radius)

    @cached_property
    def inner_track(self) -> EllipticContact:
        """Ball in a track of the inner race."""
        return self.in_track("inner", self.spec.ball_radius)

    @cached_property
    def window(self) -> EllipticContact:
        """Ball on the flat side of its window."""
        return self.on_window(self.spec.ball_radius)

    def in_track(self, race: str, ball_radius: float) -> EllipticContact:
        """A ball of any radius in a track of a race."""
        modulus = self._modulus(self.spec.balls.material, getattr(self.spec, race).material)
        return ball_in_track(ball_radius, self.spec.section.radius, modulus)

    def on_window(self, ball_radius: float) -> EllipticContact:
        """A ball of any radius on a window."""
        curvature = 1 / ball_radius
        modulus = self._modulus(self.spec.balls.material, self.spec.cage.material)
        return EllipticContact(curvature, curvature, modulus)

    def outer_guide(self, radius: float, bore: float) -> EllipticContact:
        """The cage's sphere in the cylindrical bore of the outer race."""
        modulus = self._modulus(self.spec.cage.material, self.spec.outer.material)
        return ball_in_track(radius, bore, modulus)

    def inner_guide(self, radius: float, bore: float) -> EllipticContact:
        """The inner race's sphere in the spherical bore of the cage."""
        modulus = self._modulus(self.spec.inner.material, self.spec.cage.material)
        return elliptic_contact((1 / radius,) * 2, (-1 / bore,) * 2, modulus)

    def stiffness(self, contact: EllipticContact) -> float:
        """K in N/m^1.5, the user's or Hertz's."""
        given = self.spec.contact.stiffness
        return given or contact_stiffness(contact, self.spec.contact.theory)

    def law(self, contact: EllipticContact) -> SpatialSurface:
        return SpatialSurface(
            PowerLaw(self.stiffness(contact)),
            damping=damping_law(self.spec.contact),
            friction=self.friction or FRICTIONLESS,
            drilling_length=self.drilling_length(contact) if self.friction else 0.0,
        )

    def drilling_length(self, contact: EllipticContact) -> float:
        """Arm of drilling friction over F^(1/3), in m/N^(1/3); zero where it does not count."""
        return self.hertz_arm(contact) if self.spec.contact.friction.drilling else 0.0

    def hertz_arm(self, contact: EllipticContact) -> float:
        """(3/8) a E(m) over F^(1/3), in m/N^(1/3), of an ellipse that spins: the torque μ ∫ p r dA
        of Hertz's pressure over μ F; 3π/16 a for a circle."""
        theory = self.spec.contact.theory
        long, _ = semi_axes(contact, 1.0, theory)
        return 0.375 * long * contact.shape(theory).second_integral

    @property
    def friction(self) -> StickFriction | None:
        """None where there is none."""
        given = self.spec.contact.friction
        static = given.sliding if given.static is None else given.static
        if not static:
            return None
        return StickFriction(
            sliding=given.sliding,
            static=static,
            static_velocity=given.static_velocity or STATIC_VELOCITY,
            stick_velocity=given.stick_velocity or STICK_VELOCITY,
        )

    def friction_coefficient(self, speed: Floats) -> Floats:
        """μ(w) = (μ_r + (μ_0 - μ_r) exp(-w/v_1)) tanh(w/v_2) at sliding speeds in m/s."""
        law = self.friction
        if law is None:
            return np.zeros_like(speed)
        fading = (law.static - law.sliding) * np.exp(-speed / law.static_velocity)
        return np.asarray((law.sliding + fading) * np.tanh(speed / law.stick_velocity))

    def _modulus(self, first: str, second: str) -> float:
        return contact_modulus(self.spec.elastic(first), self.spec.elastic(second))
