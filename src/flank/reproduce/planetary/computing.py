"""The computations of the study, each done once."""

from dataclasses import dataclass
from typing import Any

from flank.reproduce.planetary.gearboxes import FIRST_ONLY, RIGID, meshes, planets, springs
from flank.reproduce.planetary.stage import RestingSwing, StageRun, resting_swing, stage_run
from flank.reproduce.planetary.swings import Periods, Swing, natural_periods, swing


@dataclass(frozen=True)
class Fineness:
    """Steps and durations in s; the defaults are those of the published tables.

    `cycles` are the whole mesh cycles at the end of the stage's run over which forces are averaged.
    """

    step: float = 1e-3
    stage_duration: float = 2.5
    stage_step: float = 1e-4
    cycles: int = 100


FINE = Fineness()
COARSE = Fineness(step=2e-3, stage_duration=0.5, stage_step=2e-4, cycles=16)


class Workshop:
    """Computes what is asked once, and says how much of `expected` computations is done."""

    def __init__(self, fineness: Fineness, expected: int, progress: Any = None) -> None:
        self.fineness = fineness
        self.complete = True
        self._expected, self._progress = expected, progress
        self._done: dict[tuple, Any] = {}

    def rigid(self, count: int) -> Swing:
        """As the paper has it: with the sun meshes one planet only."""
        changes = planets(count) | (FIRST_ONLY if count > 1 else RIGID)
        step = self.fineness.step
        # Below one, the radius damps the multipliers' ringing after a jump of torque.
        return self._once(("rigid", count), lambda: swing(changes, step, 0.8))

    def flexible(self, count: int, stiffness: float, damping: float = 0.0) -> Swing:
        changes = planets(count) | springs(stiffness, damping)
        step = self.fineness.step
        key = ("flexible", count, stiffness, damping)
        return self._once(key, lambda: swing(changes, step, 1.0))

    def periods(self, count: int, stiffness: float) -> Periods:
        changes = planets(count) | springs(stiffness)
        return self._once(("periods", count, stiffness), lambda: natural_periods(changes))

    def stage(self, model: str, damping: float = 0.0) -> StageRun:
        """The 500 kW stage on a rung of the ladder."""
        form = {"model": model} | ({"damping": damping} if model != "rigid" else {})
        return self._once(("stage", model, damping), lambda: self._stage(meshes(form)))

    def first_stage(self) -> StageRun:
        """The 500 kW stage as the paper's rigid model has it."""
        return self._once(("first stage",), lambda: self._stage(FIRST_ONLY))

    def resting(self, model: str) -> RestingSwing:
        """The 500 kW stage standing still, on a rung that has a stiffness."""
        return self._once(("resting", model), lambda: resting_swing(meshes({"model": model})))

    def _stage(self, changes: dict[str, Any]) -> StageRun:
        fine = self.fineness
        return stage_run(changes, fine.stage_duration, fine.stage_step, fine.cycles)

    def _once(self, key: tuple, compute: Any) -> Any:
        if key not in self._done:
            self._done[key] = compute()
            self.complete &= self._done[key].complete
            if self._progress is not None:
                self._progress(min(len(self._done) / self._expected, 1.0))
        return self._done[key]
