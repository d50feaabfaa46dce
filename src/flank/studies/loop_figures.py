"""Figures of many torque-angle loops at once.

All loops of a study have the same torques, so whatever is read off one by going straight between
its points is a sum of its angles, each times a weight. The weights are what `Loop` reads off loops
that are one at a single point and nought elsewhere; only the stiffness is a quotient of such sums.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flank.analyses.hysteresis import (
    ROUND_OFF,
    HysteresisSettings,
    dynamic_times,
    loop_of,
    record_stride,
    static_times,
)
from flank.analyses.loop import LOST_MOTION_SHARE, Loop
from flank.analyses.loop import ROUND_OFF as LAST_DIGITS
from flank.analyses.runs import has_elastic_friction
from flank.arrays import Floats
from flank.machines.base import Assembly, Reducer


class PathReadings(NamedTuple):
    """What was read along the paths of samples; see `dynamics.static_path.Readings`."""

    angle: Floats  # (time, sample)
    friction_work: Floats
    largest_force: Floats  # (contact, sample)
    largest_load: Floats


def figure_sizes(twist: float, peak: float) -> dict[str, float]:
    """What differences of figures are compared with, where it is not the figure: of an angle its
    range over the loop, of a work that times the torque."""
    works = dict.fromkeys(("loop_work", "friction_work"), peak * twist)
    return dict.fromkeys(("lost_motion", "backlash", "offset"), twist) | works


@dataclass(frozen=True)
class LoopFigures:
    """Reads the figures of `hysteresis`, without its curves and words."""

    machine: Reducer
    assembly: Assembly
    settings: HysteresisSettings

    @cached_property
    def times(self) -> Floats:
        """Of the points, one unit a stage."""
        if self.settings.mode == "static":
            return static_times(self.settings)
        recorded = dynamic_times(self.settings)[:: record_stride(self.settings)]
        return recorded / self.settings.stage_duration

    @property
    def peak(self) -> float:
        torque = self.settings.torque
        return self.machine.rated_torque if torque is None else abs(torque)

    @cached_property
    def loop(self) -> Loop:
        """The torques, without angles."""
        angle = np.zeros(len(self.times))
        return loop_of(self.machine, self.settings, self.times, angle, self.peak)

    @cached_property
    def _fit(self) -> Floats:
        """Torques of the fit; none where the loop is too small for one."""
        return np.zeros(0) if self.loop.fit is None else self.loop.fit

    @cached_property
    def _weights(self) -> dict[str, Floats]:
        """By what is read, (reading, time)."""
        loops = [replace(self.loop, angle=row) for row in np.eye(len(self.times))]
        low = LOST_MOTION_SHARE * self.machine.rated_torque
        return {
            "middle": np.array([loop.middle(self._fit) for loop in loops]).T,
            "lower middle": np.array([loop.middle(-self._fit) for loop in loops]).T,
            "lost_motion": np.array([loop.middle(low) - loop.middle(-low) for loop in loops]).T,
            "backlash": np.array([[loop.backlash()] for loop in loops]).T,
            "offset": np.array([[loop.offset()] for loop in loops]).T,
        }

    def read(self, readings: PathReadings) -> dict[str, Floats]:
        """Every figure by name, a number for each sample."""
        ideal = self.settings.crank_angle / self.machine.ratio
        angle = readings.angle - ideal
        weights, twist = self._weights, np.ptp(angle, axis=0)
        width = _sums(weights["backlash"], angle)[0]
        figures = {
            "torque": np.full(angle.shape[1], self.peak),
            **self._stiffness_figures(angle),
            "backlash": np.where(np.abs(width) <= ROUND_OFF * twist, 0.0, width),
            "offset": _sums(weights["offset"], angle)[0],
            "loop_work": np.abs(self.loop.areas(np.ascontiguousarray(angle.T))),
        }
        if self.peak >= LOST_MOTION_SHARE * self.machine.rated_torque:
            figures["lost_motion"] = _sums(weights["lost_motion"], angle)[0]
        if has_elastic_friction(self.assembly.model):
            part = self.loop.closed_part()
            figures["friction_work"] = (
                readings.friction_work[part[-1]] - readings.friction_work[part[0]]
            )
        return figures | self._peaks(readings)

    def sizes(self, readings: PathReadings, sample: int) -> dict[str, float]:
        """Of one sample."""
        return figure_sizes(float(np.ptp(readings.angle[:, sample])), self.peak)

    def curves(self, readings: PathReadings, sample: int) -> Mapping[str, Floats]:
        """Those of one sample."""
        angle = readings.angle[:, sample] - self.settings.crank_angle / self.machine.ratio
        if self.settings.centred:
            angle = replace(self.loop, angle=angle).centred().angle
        return {
            "loop_torque": self.loop.torque,
            "loop_angle": angle,
            "loop_stage": self.loop.stage.astype(float),
        }

    def _stiffness_figures(self, angle: Floats) -> dict[str, Floats]:
        if not len(self._fit):
            return {}
        sides = self._stiffness(angle)
        return {
            "torsional_stiffness": np.mean(sides, axis=0),
            "fit_begin": np.full(angle.shape[1], self._fit[0]),
            "fit_end": np.full(angle.shape[1], self._fit[-1]),
            "positive_stiffness": sides[0],
            "negative_stiffness": sides[1],
        }

    def _stiffness(self, angle: Floats) -> list[Floats]:
        """Of positive and of negative torque."""
        sides = []
        for name, sign in (("middle", 1.0), ("lower middle", -1.0)):
            middle, torque = _sums(self._weights[name], angle), sign * self._fit
            turned = middle - middle.mean(axis=0)
            with np.errstate(invalid="ignore"):  # of samples that a GPU did not finish
                rise = _sums((torque - torque.mean())[None, :], turned)[0]
                slope = rise / np.sum(turned**2, axis=0)
            rigid = np.ptp(middle, axis=0) <= LAST_DIGITS * np.spacing(np.abs(middle).max(axis=0))
            sides.append(np.where(rigid, math.inf, slope))
        return sides

    def _peaks(self, readings: PathReadings) -> dict[str, Floats]:
        """Pressures rise with force times curvature, so the largest of these has the largest."""
        figures = {}
        for group in self.assembly.groups.values():
            contacts = group.contacts.ravel()
            force = readings.largest_force[contacts]
            figures[f"largest_{group.name}_force"] = force.max(axis=0)
            if group.pressure is not None:
                load = force
                if getattr(group.pressure, "curvature", 1.0) == 0.0:  # its contacts know their own
                    load = readings.largest_load[contacts]
                of = {"normal_force": load, "curvature": np.ones(1)}
                pressure = group.pressure.of(lambda name, of=of: of[name])  # type: ignore[misc]
                figures[f"largest_{group.name}_pressure"] = pressure.max(axis=0)
        return figures


def _sums(weights: Floats, numbers: Floats) -> Floats:
    """Σ weight times number of every sample, (reading, sample), of numbers (time, sample). Each by
    itself: one product of all would be rounded otherwise with other samples beside it."""
    columns = np.ascontiguousarray(numbers.T)[:, :, None]
    return np.asarray(np.matmul(weights, columns)[:, :, 0].T)
