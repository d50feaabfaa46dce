"""From a contact's numbers to the kernels of its kind and its law.

Each function here is compiled as a ladder over the registry,

    if contact.law == 0: return kernel_0(...)
    if contact.law == 1: return kernel_1(...)
    return kernel_2(...)

written when a caller is compiled for the type of its rows. So the calls are static, callers are
found in the cache on disk, and a kind or law registered later makes another type and another
ladder (`declare`).
"""

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

from flank.contact.declare import Declared, Registry
from flank.contact.table import KINDS, LAWS, SCREENS
from flank.kernel import ChosenKernel, Kernel, gpu_target, kernel

Function: TypeAlias = Callable[..., Any]


class Dispatched(ChosenKernel):
    """Hands its arguments to the kernel `attribute` of the entry that its first argument, a row,
    names in its field `number`."""

    def __init__(
        self, function: Function, registry: Registry[Any], number: str, attribute: str
    ) -> None:
        self.__doc__ = function.__doc__
        self._name, self._arguments = (
            function.__name__,
            list(inspect.signature(function).parameters),
        )
        self._registry, self._number, self._attribute = registry, number, attribute
        self._ladders: dict[Any, Kernel] = {}

    def chosen(self, first: Any) -> Kernel:
        """The ladder over all entries that rows of this type know, and a GPU's model has."""
        target = gpu_target()
        if (first, target) not in self._ladders:
            cases = [
                (i, getattr(entry, self._attribute))
                for i, entry in enumerate(self._registry)
                if getattr(entry, self._attribute) is not None and _known(entry, first)
            ]
            absent = frozenset() if target is None else target.absent
            present = [case for case in cases if self._registry.label(case[0]) not in absent]
            cases = present or cases
            single = len(cases) == 1
            self._ladders[first, target] = cases[0][1] if single else self._ladder(cases)
        return self._ladders[first, target]

    def _ladder(self, cases: list[tuple[int, Kernel]]) -> Kernel:
        """The kernel that asks for one number after the other; the last needs no question."""
        row, listed = self._arguments[0], ", ".join(self._arguments)
        lines = [f"def {self._name}({listed}):"]
        for i, _ in cases[:-1]:
            lines += [
                f"    if {row}.{self._number} == {i}:",
                f"        return kernel_{i}({listed})",
            ]
        lines.append(f"    return kernel_{cases[-1][0]}({listed})")
        names: dict[str, Any] = {"__name__": __name__}
        names |= {f"kernel_{i}": kernel for i, kernel in cases}
        exec("\n".join(lines), names)
        return Kernel(names[self._name], internal=True)


@kernel(internal=True)
def _no_screen(contact, px, py, turn_a, turn_b):
    return 0.0


class DispatchedScreen(Dispatched):
    """The same of pre-screens, which rows have only where one is registered, and need not have."""

    def chosen(self, first: Any) -> Kernel:
        if first not in self._ladders:
            known: list[tuple[int, Any]] = [
                (1 + i, s.least_gap) for i, s in enumerate(SCREENS) if _known(s, first)
            ]
            asked = known and "screen" in first.fields
            self._ladders[first] = self._ladder([*known, (0, _no_screen)]) if asked else _no_screen
        return self._ladders[first]


def dispatched(
    registry: Registry[Any], number: str, attribute: str, kind: type[Dispatched] = Dispatched
) -> Callable[[Function], Any]:
    """Decorate a function that only names its arguments."""
    return lambda function: kind(function, registry, number, attribute)


def _known(entry: Declared, record: Any) -> bool:
    """Whether rows of this type were made when an entry from outside was there already."""
    return entry.marker is None or entry.marker.name in record.fields


@dispatched(KINDS, "kind", "gap")
def find_gap(contact, curves, data, memory, px, py, turn_a, turn_b):
    """Gap of a contact with p in the frame of A's shape; a search updates the memory."""


@dispatched(KINDS, "kind", "curvature_slope")
def curvature_slope(contact, curves, data, gap, curvature, parameter):
    """dκ/ds of a contact whose row says `follows_flank`."""


@dispatched(KINDS, "kind", "overlap")
def overlap(contact, curves, data, px, py, parameter):
    """∫δ ds, ∫ds and ∫δ²/2 ds of a contact whose row says `over_area`."""


@dispatched(LAWS, "law", "force")
def elastic(contact, depth, curvature):
    """Force, stiffness and energy of a contact at the penetration `depth` > 0."""


@dispatched(LAWS, "law", "by_curvature")
def by_curvature(contact, force, stiffness, energy, curvature):
    """∂U/∂κ and ∂F/∂κ of a contact whose row says `follows_flank`."""


@dispatched(LAWS, "law", "over_area")
def over_area(contact, area, width, moment):
    """Force, stiffness and energy of a contact whose row says `over_area`."""


@dispatched(SCREENS, "screen", "least_gap", DispatchedScreen)
def least_gap(contact, px, py, turn_a, turn_b):
    """Bound of a contact's gap by its pre-screen; zero where it has none."""
