"""What makes an RV reducer doubtful though it can be built."""

from collections.abc import Iterator

from flank.geometry.findings import Finding
from flank.machines.rv.spec import RvReducerSpec


def check_keying(spec: RvReducerSpec) -> Iterator[Finding]:
    """Whether all cranks can be alike, planet and eccentrics keyed to each other in one way."""
    stage, cranks = spec.first_stage, spec.cranks.count
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
