"""What the checks of all machines' specs share: sentences in order of cause, lengths as text."""

from collections.abc import Iterable, Iterator


def first_causes(*stages: Iterable[str]) -> Iterator[str]:
    """The sentences of the first stage that has any.

    Each stage rests on those before it: with an eccentricity of a metre the root radius is below
    zero, and every hole cuts the flank.
    """
    for stage in stages:
        if problems := list(stage):
            yield from problems
            return


def mm(length: float) -> str:
    return f"{length * 1e3:.6g} mm"


def um(length: float) -> str:
    return f"{length * 1e6:.6g} um"
