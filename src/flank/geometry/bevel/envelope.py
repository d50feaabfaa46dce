"""Surfaces that a moving surface leaves behind, solved for at given places of the axial plane.

A family r(s, θ, φ_1, ...) is a surface of the first two parameters that further ones move. Its
envelope is where every motion leaves the surface in its tangent plane: n · ∂r/∂φ_k = 0. With

    ∂r/∂φ_l = a_l ∂r/∂s + b_l ∂r/∂θ,   H_kl = f_k,l - a_l f_k,s - b_l f_k,θ,   f_k = n · ∂r/∂φ_k

H_kl is the second derivative of the distance by which the surface has moved along its normal, seen
from a place that rests in the envelope. Where it changes its sign the envelope folds: undercut.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Floats
from flank.geometry.bevel.jets import Jet

Family = Callable[[Floats], Jet]
"""Of parameters (n, m)."""

LARGEST_TURN = 0.15
"""Step of Newton's method, in rad, and for lengths in multiples of the size."""

CONVERGED = 1e-10
"""Last step that counts as none; what is left is its square."""

TINY = 1e-14
"""Of the rows of Newton's matrix, which are of the order of one."""


class Conditions(NamedTuple):
    """Two linear equations a point: weights (n, 2, 3) of (z, radius, s), and right sides (n, 2)."""

    weights: Floats
    sides: Floats

    @classmethod
    def at(cls, places: Floats) -> "Conditions":
        """The point lies at (z, radius)."""
        places = places.reshape(-1, 2)
        return cls(np.tile(np.eye(2, 3), (len(places), 1, 1)), places)

    @classmethod
    def on_lines(cls, starts: Floats, ends: Floats, s: Floats) -> "Conditions":
        """The point has the arc length s on the edge, and its (z, radius) is on a line."""
        along = ends - starts
        across = np.stack([-along[..., 1], along[..., 0]], axis=-1)
        across /= np.linalg.norm(across, axis=-1, keepdims=True)
        weights = np.zeros((len(s), 2, 3))
        weights[:, 0, :2], weights[:, 1, 2] = across, 1.0
        return cls(weights, np.stack([np.sum(across * starts, axis=-1), s], axis=-1))

    def between(self, first: "Conditions", share: float) -> "Conditions":
        """With right sides on the way from those of the first to these."""
        return Conditions(self.weights, first.sides + share * (self.sides - first.sides))


@dataclass(frozen=True)
class Envelope:
    """A family, the way in which its normal counts outward, and the size of a tooth."""

    family: Family
    orientations: tuple[int, ...]  # of ∂r/∂s × ∂r/∂θ, out of what each motion has cut
    size: float

    def solve(
        self, start: Floats, conditions: Conditions, iterations: int = 20
    ) -> tuple[Floats, Flags]:
        """Parameters (n, m) by Newton's method, and which of them converged."""
        with np.errstate(all="ignore"):  # lost ones are known by their last step
            return self._newton(start.copy(), conditions, iterations)

    def _newton(
        self, parameters: Floats, conditions: Conditions, iterations: int
    ) -> tuple[Floats, Flags]:
        limits = np.full(parameters.shape[1], LARGEST_TURN)
        limits[0] *= self.size
        last = np.full(len(parameters), np.inf)
        for _ in range(iterations):
            step = self._step(parameters, conditions)
            largest = np.max(np.abs(step) / limits, axis=1, keepdims=True)
            parameters -= step / np.maximum(largest, 1.0)
            last = LARGEST_TURN * largest[:, 0]
            if np.all(last < CONVERGED):
                break
        return parameters, np.isfinite(last) & (last < CONVERGED)

    def follow(
        self, start: Floats, begin: Conditions, conditions: Conditions, steps: int = 5
    ) -> tuple[Floats, Flags]:
        """The same from a start that fulfils `begin`, step by step on the way from there."""
        parameters = start
        for k in range(1, steps):
            between = conditions.between(begin, k / steps)
            parameters, _ = self.solve(parameters, between, iterations=3)
        return self.solve(parameters, conditions)

    def _step(self, parameters: Floats, conditions: Conditions) -> Floats:
        jet = self.family(parameters)
        values, gradient = jet.meshing()
        rows, residual = self._conditions(jet, parameters, conditions)
        scale = self.size * np.linalg.norm(jet.normal(), axis=1)
        matrix = np.concatenate([np.moveaxis(gradient, 2, 0) / scale[:, None, None], rows], axis=1)
        right = np.concatenate([(values / scale).T, residual], axis=1)
        # a search that has lost its way may be singular, and must not stop the others
        matrix = np.where(np.isfinite(matrix), matrix, 0.0) + TINY * np.eye(matrix.shape[1])
        return np.asarray(np.linalg.solve(matrix, right[..., None])[..., 0])

    def _conditions(
        self, jet: Jet, parameters: Floats, conditions: Conditions
    ) -> tuple[Floats, Floats]:
        """Matrix (n, 2, m) and residuals (n, 2), in multiples of the size."""
        radius = np.hypot(jet.value[:, 0], jet.value[:, 1])
        radial = np.einsum("nc,mnc->mn", jet.value[:, :2], jet.first[..., :2]) / radius
        unit = np.zeros_like(radial)
        unit[0] = 1.0
        slopes = np.stack([jet.first[..., 2], radial, unit])
        matrix = np.einsum("nrq,qmn->nrm", conditions.weights, slopes)
        places = np.stack([jet.value[:, 2], radius, parameters[:, 0]], axis=-1)
        residual = np.einsum("nrq,nq->nr", conditions.weights, places) - conditions.sides
        return matrix / self.size, residual / self.size

    def normals(self, jet: Jet) -> Floats:
        """Unit normals out of what the last motion has cut."""
        normal = self.orientations[-1] * jet.normal()
        return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True))

    def regular(self, jet: Jet) -> Flags:
        """Where no motion cuts again what it has cut: the surface recedes before and after.

        Of several motions each acts on the envelope of those before it: Schur's complement.
        """
        values, gradient = jet.meshing()
        motions = len(values)
        if motions == 0:
            return np.ones(len(jet.value), dtype=bool)
        tangents = jet.first[:2]
        gram = np.einsum("anc,bnc->nab", tangents, tangents)
        right = np.einsum("anc,lnc->nal", tangents, jet.first[2:])
        within = np.linalg.solve(gram, right)
        matrix = np.moveaxis(gradient[:, 2:], 2, 0)
        matrix = matrix - np.einsum("kan,nal->nkl", gradient[:, :2], within)
        result = np.ones(len(jet.value), dtype=bool)
        previous = np.ones(len(jet.value))
        for k, orientation in enumerate(self.orientations[-motions:], start=1):
            minor = np.linalg.det(matrix[:, :k, :k])
            result &= orientation * minor * previous > 0
            previous = minor
        return result
