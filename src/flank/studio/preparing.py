"""What is computed once and kept, and told meanwhile: kernels, and finite elements of parts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Say = Callable[[str], None]


@contextmanager
def kernels_told(say: Say) -> Iterator[None]:
    """Says how many kernels were compiled meanwhile, by whatever thread, as others wait for it; how
    many there will be is not known before."""
    from flank.native.cache import listeners

    count = 0

    def listen() -> None:
        nonlocal count
        count += 1
        say(f"compiling kernels, once on this computer: {count} by now")

    listeners.append(listen)
    try:
        yield
    finally:
        listeners.remove(listen)


@contextmanager
def elements_told(say: Say, check: Callable[[], None]) -> Iterator[None]:
    """Says how far finite elements are, which new dimensions of some parts need and which take
    seconds; `check` may raise to give them up for something newer."""
    from flank.elasticity.finite_elements.store import listeners

    ours = threading.get_ident()

    def listen(kind: str, share: float) -> None:
        if threading.get_ident() != ours or share >= 1.0:  # at the end nothing may be raised
            return
        check()
        say(f"finite elements of a part, once for these dimensions: {share:.0%}".replace("%", " %"))

    listeners.append(listen)
    try:
        yield
    finally:
        listeners.remove(listen)
