"""First problem first: what rests on a number that is refused says nothing new."""

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
