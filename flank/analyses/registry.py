"""The analyses by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from flank.errors import SpecError, suggestion

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.machines.spec import Spec


@dataclass(frozen=True)
class Analysis:
    """One analysis: what it asks, its settings, and the function that answers."""

    name: str
    summary: str
    module: str
    settings_name: str

    @property
    def settings(self) -> type[Spec]:
        return getattr(import_module(self.module), self.settings_name)

    @property
    def run(self) -> Callable[..., Result]:
        return import_module(self.module).run


ANALYSES = {
    analysis.name: analysis
    for analysis in (
        Analysis(
            "transmission-error",
            "output angle against an ideal ratio over turns of a shaft, with its orders",
            "flank.analyses.transmission_error",
            "TransmissionErrorSettings",
        ),
        Analysis(
            "load-distribution",
            "force, pressure, point and stiffness of every contact at one crank angle",
            "flank.analyses.load_distribution",
            "LoadDistributionSettings",
        ),
        Analysis(
            "hysteresis",
            "torque-angle loop with torsional stiffness, lost motion and backlash",
            "flank.analyses.hysteresis",
            "HysteresisSettings",
        ),
        Analysis(
            "stiffness-split",
            "each part's share of the output's compliance: what to make stiffer first",
            "flank.analyses.stiffness_split",
            "StiffnessSplitSettings",
        ),
        Analysis(
            "natural-frequencies",
            "natural frequencies and modes about a working point, with the bodies that move",
            "flank.analyses.natural_frequencies",
            "NaturalFrequenciesSettings",
        ),
        Analysis(
            "time-response",
            "angles, speeds, tooth forces and energies under torques over time",
            "flank.analyses.time_response",
            "TimeResponseSettings",
        ),
        Analysis(
            "load-sharing",
            "what each planet carries, and what errors do to it",
            "flank.analyses.load_sharing",
            "LoadSharingSettings",
        ),
        Analysis(
            "mesh-phasing",
            "when the teeth of each planet mesh, and which modes this excites",
            "flank.analyses.mesh_phasing",
            "MeshPhasingSettings",
        ),
        Analysis(
            "speed-sweep",
            "vibration, mesh forces and contact loss over the speed, up and down",
            "flank.analyses.speed_sweep",
            "SpeedSweepSettings",
        ),
        Analysis(
            "sensitivity",
            "what each manufacturing error does to stiffness, lost motion, backlash and error",
            "flank.analyses.sensitivity",
            "SensitivitySettings",
        ),
    )
}

DEFAULT_ANALYSIS = "transmission-error"


def find_analysis(name: str) -> Analysis:
    if name not in ANALYSES:
        known = sorted(ANALYSES)
        raise SpecError(
            f"'{name}' is not an analysis{suggestion(name, known)} Known: {', '.join(known)}"
        )
    return ANALYSES[name]
