"""The analyses by name, and what each needs of a machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from flank.blas import one_blas_thread
from flank.errors import SpecError, suggestion
from flank.texts import echo

if TYPE_CHECKING:
    from flank.analyses.quantities import Quantities
    from flank.analyses.result import Result
    from flank.dynamics.run import Progress
    from flank.machines.base import Machine
    from flank.machines.spec import Spec

ENDS, RATING, PLANE = "an input and an output", "a rated torque", "a planar model"
PLANETS, MESHES, ERRORS = "planets", "gear meshes", "manufacturing errors"
PASSING = "teeth or pins in mesh"
LOADS = "a rated torque or balls in tracks"
TRACKS, ROLLING, TEETH = "balls in tracks", "gears that roll", "involute teeth"
FLANKS, PAIR = "flanks in space", "a pair of gears"
TEETH_OR_LOBES = "involute teeth or cycloid lobes"
"""What may be needed: names of `machines.capabilities`, which a list need not load."""


@dataclass(frozen=True)
class Analysis:
    """One analysis: what it tells, the pictures it may have, and what it needs of a machine.

    The module of its name answers: it has settings as they are if none is given (`DEFAULTS`), the
    quantities of its results (`QUANTITIES`) and `run`.
    """

    name: str
    summary: str
    pictures: tuple[str, ...]
    needs: tuple[str, ...] = (ENDS,)

    @property
    def module(self) -> ModuleType:
        return import_module(f"flank.analyses.{self.name.replace('-', '_')}")

    @property
    def settings(self) -> type[Spec]:
        return type(self.module.DEFAULTS)

    @property
    def quantities(self) -> Quantities:
        declared: Quantities = self.module.QUANTITIES
        return declared

    def answers(self, default: bool, only: str = "") -> str:
        """Its summary, with the machines that alone it serves, and whether it runs by default."""
        return self.summary + (f" ({only})" if only else "") + (" (default)" if default else "")

    def run(self, machine: Machine, settings: Spec, progress: Progress | None = None) -> Result:
        """The answer of one machine; SpecError if it does not offer what is needed."""
        self.check_machine(machine)
        module = self.module  # with its BLAS, before the threads are counted
        with one_blas_thread():
            result: Result = module.run(machine, settings, progress)
            return result

    def checked_settings(self, settings: Mapping[str, Any]) -> Spec:
        """The settings of a run; SpecError says which of them is wrong."""
        return self.settings.from_settings(settings, self.name)

    def check_machine(self, machine: Machine) -> None:
        """SpecError, with what fits, if the machine lacks what the analysis needs."""
        from flank.machines.capabilities import CAPABILITIES

        for need in self.needs:
            if not CAPABILITIES[need].offered(machine):
                fitting = ", ".join(
                    analysis.name for analysis in ANALYSES.values() if analysis.fits(machine)
                )
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
            (
                "transmission-error",
                "residual",
                "within-tolerance",
                "spectrum",
                "pin-forces",
                "flank-forces",
                "turning-arm-forces",
                "support-forces",
                "drive",
            ),
        ),
        Analysis(
            "load-distribution",
            "force, pressure, point and stiffness of every contact at one input angle",
            ("drive", "contact-loads", "measured-parts"),
        ),
        Analysis(
            "hysteresis",
            "torque-angle loop with torsional stiffness, lost motion and backlash",
            ("hysteresis", "residual", "drive"),
            (ENDS, RATING),
        ),
        Analysis(
            "stiffness-split",
            "each part's share of the output's compliance: what to make stiffer first",
            ("stiffness-split", "drive"),
            (ENDS, RATING, PLANE),
        ),
        Analysis(
            "efficiency",
            "what friction takes over the load, part by part, and torques to start and drive back",
            ("efficiency", "losses-by-part", "drive"),
            (ENDS, LOADS),
        ),
        Analysis(
            "natural-frequencies",
            "natural frequencies and modes about a working point, with the bodies that move",
            ("natural-frequencies", "mode-motions", "drive"),
        ),
        Analysis(
            "campbell",
            "natural frequencies over the speed against the machine's orders, with margins",
            ("campbell", "mode-motions", "drive"),
        ),
        Analysis(
            "gear-modes",
            "modes of each gear's body as finite elements, and speeds at which teeth meet them",
            ("gear-modes", "mode-shapes", "drive"),
            (ENDS, TEETH),
        ),
        Analysis(
            "time-response",
            "angles, speeds, tooth forces and energies under torques over time",
            ("time-response", "tooth-forces", "tilts", "energies", "contact-states", "drive"),
        ),
        Analysis(
            "load-sharing",
            "what each planet carries, and what errors do to it",
            ("load-sharing", "sharing-by-error", "drive"),
            (ENDS, PLANETS),
        ),
        Analysis(
            "mesh-phasing",
            "when the teeth of each planet mesh, and which modes this excites",
            ("mesh-phasing", "drive"),
            (ENDS, PLANETS),
        ),
        Analysis(
            "speed-sweep",
            "vibration, mesh forces and contact loss over the speed, up and down",
            ("speed-sweep", "mesh-vibration", "sweep-orders", "waterfall", "drive"),
            (ENDS, RATING, PASSING),
        ),
        Analysis(
            "mesh-stiffness",
            "teeth in mesh as finite elements: stiffness, sharing and error over cycle and load; "
            "parts of a pair of teeth and of a cycloid lobe",
            (
                "mesh-stiffness",
                "contact-stiffness",
                "load-across-face",
                "stiffness-parts",
                "drive",
            ),
            (ENDS, RATING, TEETH_OR_LOBES),
        ),
        Analysis(
            "contact-pattern",
            "flanks rolling without load: pattern, contact path, ease-off and transmission error",
            ("contact-pattern", "motion-curves", "misalignments", "drive"),
            (ENDS, FLANKS),
        ),
        Analysis(
            "loaded-contact",
            "teeth under load over a mesh cycle: pressure, sharing, error, stiffness, efficiency",
            ("load-on-flank", "loaded-cycle", "drive"),
            (ENDS, PAIR),
        ),
        Analysis(
            "forced-roll",
            "flanks held at the exact ratio over a pitch: torque and its derivative, by method",
            ("forced-roll", "drive"),
            (ENDS, FLANKS),
        ),
        Analysis(
            "rolling-sweep",
            "a speed sweep of two gears of finite elements, contact solved for in every step",
            ("speed-sweep", "mesh-vibration", "sweep-orders", "waterfall", "drive"),
            (ENDS, RATING, ROLLING),
        ),
        Analysis(
            "rolling-run",
            "two gears of finite elements under a torque and at a speed that change over time",
            ("rolling-run", "drive"),
            (ENDS, RATING, ROLLING),
        ),
        Analysis(
            "rolling-dwell",
            "two gears of finite elements at one speed, from below and from above, tooth by tooth",
            ("motion-at-speed", "phase-portrait", "teeth-at-speed", "drive"),
            (ENDS, RATING, ROLLING),
        ),
        Analysis(
            "speed-dwell",
            "the motion at one speed, reached from below and from above, and what teeth carry",
            ("motion-at-speed", "phase-portrait", "teeth-at-speed", "drive"),
            (ENDS, RATING, PASSING),
        ),
        Analysis(
            "impact-test",
            "frequency and damping of the teeth's vibration over the mesh cycle, by a pulse",
            ("impact-test", "impact-responses", "drive"),
            (ENDS, RATING, PLANE, MESHES),
        ),
        Analysis(
            "sensitivity",
            "what each manufacturing error does to stiffness, lost motion, backlash and error",
            ("sensitivity-stiffness", "sensitivity-play", "sensitivity-by-kind", "drive"),
            (ENDS, RATING, PLANE, ERRORS),
        ),
        Analysis(
            "joint-turns",
            "forces, ball motion, secondary torque, axial orders and losses over turns of a joint",
            (
                "joint",
                "track-forces",
                "ball-motion",
                "rolling-and-sliding",
                "friction",
                "secondary-torque",
                "axial-orders",
                "losses",
            ),
            (TRACKS,),
        ),
        Analysis(
            "joint-run",
            "a joint while torque, speed, deflection and plunge change over time",
            ("joint-run", "joint-run-forces", "joint"),
            (TRACKS,),
        ),
        Analysis(
            "joint-resonance",
            "orders of a joint's axial force against natural frequencies, with margins",
            ("joint-resonance", "joint"),
            (ENDS, TRACKS),
        ),
        Analysis(
            "joint-map",
            "forces, secondary torque and losses of a joint over torque, angle or what else",
            ("joint-map", "joint-map-last", "joint"),
            (TRACKS,),
        ),
    )
}

DEFAULT_ANALYSES = ("joint-turns", "transmission-error")
"""What a machine answers if nothing is said: the first of them that fits it."""


def default_analysis(machine: Machine) -> Analysis:
    """SpecError if none fits."""
    default = [ANALYSES[name] for name in DEFAULT_ANALYSES]
    fitting = next((analysis for analysis in default if analysis.fits(machine)), default[-1])
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
    short = [full for full in known if word and (full.startswith(word) or _initials(full) == word)]
    if not short:
        return suggestion(name, known)
    return f"; did you mean {' or '.join(map(repr, short))}?"


def _initials(name: str) -> str:
    return "".join(part[0] for part in name.split("-"))
