"""What makes a crank reducer doubtful though it can be built."""

from collections.abc import Iterator

from flank.geometry.findings import Finding
from flank.machines.crank_reducer.spec import CrankReducerSpec


def check_keying(spec: CrankReducerSpec) -> Iterator[Finding]:
    """Whether all cranks can be alike, planet and eccentrics keyed to each other in one way."""
    stage, cranks = spec.first_stage, spec.cranks.count
    if stage is None:
        return
    left = (stage.sun_teeth + stage.planet_teeth) % cranks
    if left:
        yield Finding(
            "planets-keyed-differently",
            "warning",
            f"{stage.sun_teeth} + {stage.planet_teeth} teeth are no multiple of {cranks} cranks: "
            "each planet must be keyed to its crank differently",
            float(left),
            0.0,
            "",
            "choose tooth numbers whose sum is a multiple of the cranks, or mark the cranks",
        )
