"""Studies for tests: of machines that are quick, and of figures that are known in closed form."""

from types import SimpleNamespace

import numpy as np

import flank
from flank.analyses.quantities import Declared, Quantities
from flank.analyses.result import Ending, make_result
from flank.machines.spec import Spec
from flank.studies.samples import Ask, Sampler
from flank.studies.sampling import make_plan
from flank.studies.spec import StudySpec
from flank.studies.study import Study
from flank.studies.variables import find_variables

PINS = {
    "machine": "cycloidal-drive",
    "varies": {"errors.pin_radial": {"distribution": "normal", "deviation": "2 um"}},
    "asks": {"hysteresis": {"points_per_stage": 5}},
    "samples": 24,
    "chunk": 5,
    "seed": 7,
}
"""24 samples of 18 ms."""


class NoSettings(Spec):
    """Of an analysis in closed form."""


def closed_form(function, data, folder):
    """A study whose one figure, `figure`, is `function` of a machine's errors by kind; a function
    that raises makes a sample fail."""
    quantities = Quantities("closed-form", {"figure": Declared("Figure", "m", "um")})

    def run(machine, settings, progress=None):
        value = function(machine.errors)
        ended = Ending(
            "it went well" if np.isfinite(value) else "no number", bool(np.isfinite(value)), {}
        )
        return make_result(quantities, machine, settings, ended, {"figure": value})

    analysis = SimpleNamespace(
        name="closed-form", module=SimpleNamespace(run=run), run=run, quantities=quantities
    )
    spec = StudySpec.from_mapping({"asks": {"closed-form": {}}, **data})
    machine = flank.preset(spec.machine)
    variables = find_variables(spec, machine.spec, folder)
    plan = make_plan(spec, variables)
    return Study(spec, Sampler(machine, plan, (Ask(analysis, NoSettings()),)))


def files_of(path):
    """Bytes of every chunk by its name."""
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in path.rglob("*")
        if file.is_file() and file.parent.name != path.name and file.name != "zarr.json"
    }
