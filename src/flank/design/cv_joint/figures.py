"""Figures of a ball joint: closed forms of its contacts, tracks and cage at the operating point."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from flank.design.figure import Figures, figure
from flank.elasticity.elliptic_contact import peak_pressure, semi_axes
from flank.geometry.ball_joint_checks import LIMITS, deflection_limit, parallel_deflection
from flank.machines.cv_joint.figures import (
    cage_force,
    joint_room,
    secondary_torque,
    stroke,
    track_force,
)

if TYPE_CHECKING:
    from flank.machines.cv_joint.joint import CvJoint

TURN = np.linspace(0.0, 2 * math.pi, 73)


class JointFigures(Figures):
    """Of a `CvJoint`."""

    machine: CvJoint

    @property
    def _deflection(self) -> float:
        return self.machine.spec.operation.largest_deflection

    @cached_property
    def _track_force(self) -> float:
        return track_force(self.machine.spec, self.machine.torque)

    @figure("force of a ball on its track", "N", "kN", "At rated torque")
    def track_force(self) -> float:
        """F_0 of the straight joint, all balls alike."""
        return self._track_force

    @figure("largest pressure of a ball on its track", "Pa", "MPa", "At rated torque")
    def track_pressure(self) -> float:
        contacts, theory = self.machine.contacts, self.machine.spec.contact.theory
        tracks = contacts.outer_track, contacts.inner_track
        return max(peak_pressure(track, self._track_force, theory) for track in tracks)

    @figure("force of a ball on its window", "N", "kN", "At rated torque")
    def cage_force(self) -> float:
        spec, torque = self.machine.spec, self.machine.torque
        return max(cage_force(spec, torque), cage_force(spec, -torque))

    @figure("largest pressure of a ball on its window", "Pa", "MPa", "At rated torque")
    def window_pressure(self) -> float:
        theory = self.machine.spec.contact.theory
        force = self.value("cage_force") or 0.0
        return peak_pressure(self.machine.contacts.window, force, theory) if force else 0.0

    @figure("secondary torque", "N*m", "N*m", "At rated torque")
    def secondary_torque(self) -> float:
        return secondary_torque(self.machine.torque, self._deflection)

    def _edge_room(self, race: str) -> float | None:
        """Angle on the ball from the end of the contact ellipse to the edge of the track: where the
        ball leaves the bore of the outer race, or the outside of the inner one."""
        spec = self.machine.spec
        ball, pitch, angle = spec.ball_radius, spec.pitch_radius, spec.tracks.contact_angle
        outer = race == "outer"
        land = 0.5 * (spec.outer.bore_diameter if outer else spec.inner.outer_diameter)
        cosine = (land**2 - pitch**2 - ball**2) / (2 * pitch * ball)
        edge = math.acos(min(max(cosine if outer else -cosine, -1.0), 1.0))
        contact = getattr(self.machine.contacts, f"{race}_track")
        long, _ = semi_axes(contact, self._track_force, spec.contact.theory)
        return edge - angle - long / ball

    @figure("room of the contact below the outer tracks' edges", "rad", "deg", "Walls")
    def outer_edge(self) -> float | None:
        return self._edge_room("outer")

    @figure("room of the contact below the inner tracks' edges", "rad", "deg", "Walls")
    def inner_edge(self) -> float | None:
        return self._edge_room("inner")

    @figure("wall behind the outer tracks over the ball's diameter", group="Walls")
    def outer_wall(self) -> float:
        spec = self.machine.spec
        wall = 0.5 * spec.outer.outer_diameter - spec.pitch_radius - spec.ball_radius
        return wall / (2 * spec.ball_radius)

    @figure("wall below the inner tracks over the ball's diameter", group="Walls")
    def inner_wall(self) -> float:
        spec = self.machine.spec
        wall = spec.pitch_radius - spec.ball_radius - 0.5 * spec.inner.bore_diameter
        return wall / (2 * spec.ball_radius)

    @figure("web between the cage's windows over the ball's diameter", group="Walls")
    def cage_web(self) -> float:
        """Inside, where it is thinnest."""
        spec, cage = self.machine.spec, self.machine.spec.cage
        around = math.pi * cage.inner_diameter / spec.balls.count
        return (around - cage.window_length) / (2 * spec.ball_radius)

    @figure("tracks' radius over the ball's", group="Profile")
    def conformity(self) -> float:
        return self.machine.spec.section.radius / self.machine.spec.ball_radius

    @figure("stroke of a ball, peak to peak", "m", "mm")
    def stroke(self) -> float:
        return 2 * stroke(self.machine.spec.pitch_radius, self._deflection)

    @figure("largest speed of a ball along its track", "m/s", "m/s", "Losses")
    def ball_speed(self) -> float:
        return 0.5 * self.stroke * abs(self.machine.speed)

    @figure("pressure times speed of a ball in its track", "Pa*m/s", "MPa*m/s", "Losses")
    def pressure_speed(self) -> float:
        """Mean Hertz pressure, 2/3 of the largest, times that speed."""
        return 2 / 3 * self.track_pressure * self.ball_speed

    @figure("loss of sliding balls", "W", "W", "Losses")
    def loss(self) -> float:
        """All balls slide in one of their tracks: mean of µ F_0 |v|."""
        spec = self.machine.spec
        mean_speed = 2 / math.pi * self.ball_speed
        return spec.balls.count * spec.contact.friction.sliding * self._track_force * mean_speed

    @figure("deflection that is left", "rad", "deg", "Walls")
    def deflection_left(self) -> float:
        """To the least of the limits of tracks, windows and cage."""
        spec, room = self.machine.spec, joint_room(self.machine.spec)
        plunge = spec.operation.plunge.farthest
        limits = [deflection_limit(spec.geometry, room, name, plunge) for name in LIMITS]
        if spec.geometry.mirrored:
            limits.append(parallel_deflection(spec.geometry))
        known = [limit for limit in limits if limit is not None]
        return min(known, default=math.pi / 3) - self._deflection

    @figure("half the angle at which tracks cross over the friction angle", group="Profile")
    def binding(self) -> float | None:
        """Below one, two tracks hold a ball like a wedge, whichever way they move."""
        contacts, geometry = self.machine.contacts, self.machine.spec.geometry
        if contacts.friction is None:
            return None
        crossing = float(geometry.crossing(TURN, self._deflection).min())
        friction = max(contacts.friction.static, contacts.friction.sliding)
        return 0.5 * math.asin(min(crossing, 1.0)) / math.atan(friction)
