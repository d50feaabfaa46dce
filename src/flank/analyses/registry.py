"""The analyses by name, and what each needs of a machine."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from flank.blas import one_blas_thread
from flank.errors import SpecError, suggestion
from flank.texts import echo

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.dynamics.run import Progress
    from flank.machines.base import Machine
    from flank.machines.spec import Spec

ENDS, RATING, PLANE = "an input and an output", "a rated torque", "a planar model"
PLANETS, MESHES, ERRORS = "planets", "gear meshes", "manufacturing errors"
TRACKS = "balls in tracks"
"""What may be needed: names of `machines.capabilities`, which a list need not load."""


@dataclass(frozen=True)
class Analysis:
    """One analysis: what it tells, the module that answers, its settings, and what it needs of a
    machine."""

    name: str
    summary: str
    module: str
    settings_name: str
    needs: tuple[str, ...] = (ENDS,)

    @property
    def settings(self) -> type[Spec]:
        found: type[Spec] = getattr(import_module(self.module), self.settings_name)
        return found

    def run(self, machine: Machine, settings: Spec, progress: Progress | None = None) -> Result:
        """The answer of one machine; SpecError if it does not offer what is needed."""
        self.check_machine(machine)
        answering = import_module(self.module)  # with its BLAS, before the threads are counted
        with one_blas_thread():
            result: Result = answering.run(machine, settings, progress)
            return result

    def check_machine(self, machine: Machine) -> None:
        """SpecError, with what fits, if the machine lacks what the analysis needs."""
        from flank.machines.capabilities import CAPABILITIES

        for need in self.needs:
            if not CAPABILITIES[need].offered(machine):
                fitting = ", ".join(one.name for one in ANALYSES.values() if one.fits(machine))
                raise SpecError(
                    f"{self.name} needs {need}, and '{machine.title}' "
                    f"{CAPABILITIES[need].absence}; what fits it: {fitting or 'no analysis'}"
                )

    def fits(self, machine: Machine) -> bool:
        from flank.machines.capabilities import CAPABILITIES

        return all(CAPABILITIES[need].offered(machine) for need in self.needs)


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
            "force, pressure, point and stiffness of every contact at one input angle",
            "flank.analyses.load_distribution",
            "LoadDistributionSettings",
        ),
        Analysis(
            "hysteresis",
            "torque-angle loop with torsional stiffness, lost motion and backlash",
            "flank.analyses.hysteresis",
            "HysteresisSettings",
            (ENDS, RATING),
        ),
        Analysis(
            "stiffness-split",
            "each part's share of the output's compliance: what to make stiffer first",
            "flank.analyses.stiffness_split",
            "StiffnessSplitSettings",
            (ENDS, RATING, PLANE),
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
            (ENDS, PLANETS),
        ),
        Analysis(
            "mesh-phasing",
            "when the teeth of each planet mesh, and which modes this excites",
            "flank.analyses.mesh_phasing",
            "MeshPhasingSettings",
            (ENDS, PLANETS),
        ),
        Analysis(
            "speed-sweep",
            "vibration, mesh forces and contact loss over the speed, up and down",
            "flank.analyses.speed_sweep",
            "SpeedSweepSettings",
            (ENDS, RATING, MESHES),
        ),
        Analysis(
            "sensitivity",
            "what each manufacturing error does to stiffness, lost motion, backlash and error",
            "flank.analyses.sensitivity",
            "SensitivitySettings",
            (ENDS, RATING, PLANE, ERRORS),
        ),
        Analysis(
            "joint-turns",
            "forces, ball motion, secondary torque, axial orders and losses over turns of a joint",
            "flank.analyses.joint_turns",
            "JointTurnsSettings",
            (TRACKS,),
        ),
        Analysis(
            "joint-map",
            "forces, secondary torque and losses of a joint over torque, angle and friction",
            "flank.analyses.joint_map",
            "JointMapSettings",
            (TRACKS,),
        ),
    )
}

DEFAULT_ANALYSES = ("joint-turns", "transmission-error")
"""What is asked of a machine if nothing is said: the first of them that fits it."""


def default_analysis(machine: Machine) -> Analysis:
    """SpecError if none fits."""
    default = [ANALYSES[name] for name in DEFAULT_ANALYSES]
    fitting = next((one for one in default if one.fits(machine)), default[-1])
    fitting.check_machine(machine)
    return fitting


def find_analysis(name: str) -> Analysis:
    if name not in ANALYSES:
        known = sorted(ANALYSES)
        raise SpecError(
            f"'{echo(name)}' is not an analysis{_suggested(name, known)} Known: {', '.join(known)}"
        )
    return ANALYSES[name]


def _suggested(name: str, known: list[str]) -> str:
    """Short names are understood, if not taken: 'te' and 'transm' for transmission-error."""
    word = name.casefold()
    short = [one for one in known if word and (one.startswith(word) or _initials(one) == word)]
    if not short:
        return suggestion(name, known)
    return f"; did you mean {' or '.join(map(repr, short))}?"


def _initials(name: str) -> str:
    return "".join(part[0] for part in name.split("-"))
