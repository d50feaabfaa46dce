"""The analyses by name, and the kind of machine that each asks about."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from flank.blas import one_blas_thread
from flank.errors import SpecError, suggestion
from flank.texts import echo, joined, with_article

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.dynamics.run import Progress
    from flank.machines.base import Machine
    from flank.machines.spec import Spec

Kind = Literal["reducer", "joint"]


@dataclass(frozen=True)
class Analysis:
    """One analysis: what it asks of which machines, its settings, and the module that answers.

    It asks about all machines of a kind, or about those named by `machines`; the others are told
    what to ask for `instead`.
    """

    name: str
    summary: str
    module: str
    settings_name: str
    kind: Kind = "reducer"
    machines: tuple[str, ...] = ()
    instead: str = ""

    @property
    def settings(self) -> type[Spec]:
        return getattr(import_module(self.module), self.settings_name)

    def run(self, machine: Machine, settings: Spec, progress: Progress | None = None) -> Result:
        """The answer of one machine; SpecError if it is of another kind."""
        self.check_machine(machine)
        answering = import_module(self.module)  # with its BLAS, before the threads are counted
        with one_blas_thread():
            return answering.run(machine, settings, progress)

    def check_machine(self, machine: Machine) -> None:
        """SpecError, with what to ask instead, if the analysis is not for this machine."""
        kind, name = kind_of(machine), getattr(machine.spec, "machine", "")
        if kind != self.kind:
            fitting = ", ".join(one.name for one in ANALYSES.values() if one.fits(kind, name))
            raise SpecError(
                f"{machine.title} is a {kind} and {self.name} asks about {self.kind}s; "
                f"of a {kind} ask for {fitting}"
            )
        if self.machines and name and name not in self.machines:
            raise SpecError(
                f"{self.name} is for {joined(map(with_article, self.machines), 'or')}, and "
                f"'{machine.title}' is {with_article(name)}; ask for {self.instead}"
            )

    def fits(self, kind: Kind, machine: str) -> bool:
        """Whether it asks about the machine called `machine`, of a kind."""
        return self.kind == kind and (not self.machines or machine in self.machines)


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
            machines=("planetary-gearbox",),
            instead="load-distribution, which tells the force of every contact",
        ),
        Analysis(
            "mesh-phasing",
            "when the teeth of each planet mesh, and which modes this excites",
            "flank.analyses.mesh_phasing",
            "MeshPhasingSettings",
            machines=("planetary-gearbox",),
            instead="natural-frequencies, which tells the modes, or transmission-error, which "
            "tells the orders that excite them",
        ),
        Analysis(
            "speed-sweep",
            "vibration, mesh forces and contact loss over the speed, up and down",
            "flank.analyses.speed_sweep",
            "SpeedSweepSettings",
            machines=("few-teeth-reducer", "planetary-gearbox", "rv-reducer"),
            instead="natural-frequencies, which tells the modes, or transmission-error in time, "
            "--option mode=dynamic, at one speed after the other",
        ),
        Analysis(
            "sensitivity",
            "what each manufacturing error does to stiffness, lost motion, backlash and error",
            "flank.analyses.sensitivity",
            "SensitivitySettings",
        ),
        Analysis(
            "joint-turns",
            "forces, ball motion, secondary torque, axial orders and losses over turns of a joint",
            "flank.analyses.joint_turns",
            "JointTurnsSettings",
            "joint",
        ),
        Analysis(
            "joint-map",
            "forces, secondary torque and losses of a joint over torque, angle and friction",
            "flank.analyses.joint_map",
            "JointMapSettings",
            "joint",
        ),
    )
}

DEFAULT_ANALYSES: dict[Kind, str] = {"reducer": "transmission-error", "joint": "joint-turns"}
"""What is asked of a machine if nothing is said."""


def kind_of(machine: Machine) -> Kind:
    from flank.machines.base import Joint

    return "joint" if isinstance(machine, Joint) else "reducer"


def default_analysis(machine: Machine) -> Analysis:
    return ANALYSES[DEFAULT_ANALYSES[kind_of(machine)]]


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
