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

from numba.core import types
from numba.extending import overload

from flank.contact.declare import Declared, Kernel, Registry
from flank.contact.table import KINDS, LAWS

Function: TypeAlias = Callable[..., Any]

OPTIONS = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}


def dispatched(
    registry: Registry[Any], number: str, attribute: str
) -> Callable[[Function], Function]:
    """Hand a function's arguments to the kernel `attribute` of the entry that its first argument, a
    row, names in its field `number`."""

    def decorate(function: Function) -> Function:
        arguments = list(inspect.signature(function).parameters)
        row, listed = arguments[0], ", ".join(arguments)

        def choose(record: types.Record) -> Function:
            cases = [
                (i, getattr(entry, attribute))
                for i, entry in enumerate(registry)
                if getattr(entry, attribute) is not None and _known(entry, record)
            ]
            if len(cases) == 1:
                single: Function = cases[0][1].py_func
                return single
            return ladder(function.__name__, row, listed, number, cases)

        overload(function, jit_options=OPTIONS, strict=False)(
            eval(f"lambda {listed}: choose({row})", {"choose": choose})
        )
        return function

    return decorate


def ladder(
    name: str, row: str, listed: str, number: str, cases: list[tuple[int, Kernel]]
) -> Function:
    """The function that asks for one number after the other; the last needs no question."""
    lines = [f"def {name}({listed}):"]
    for i, _ in cases[:-1]:
        lines += [f"    if {row}.{number} == {i}:", f"        return kernel_{i}({listed})"]
    lines.append(f"    return kernel_{cases[-1][0]}({listed})")
    names: dict[str, Any] = {"__name__": __name__}
    names |= {f"kernel_{i}": kernel for i, kernel in cases}
    exec("\n".join(lines), names)
    made: Function = names[name]
    return made


def _known(entry: Declared, record: types.Record) -> bool:
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
