"""A unit's arrays, rows and places as one file, `resources/unit.bin`.

Words of 64 bits: a header, the calls, their rows, which words of a row are addresses, variables,
places, ramps, then the data. Addresses count from the data; who loads the file adds where that is.
The header says which build of the kernels the file is for, and each call by a number which types
its arguments have: a file that does not fit is refused by `native/unit/unit.c`, which knows the
same layout.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from flank.arrays import AnyArray
from flank.fmi.unit import KINDS, Call, Place, Stepping, Unit, Variable, arrays_of
from flank.native.arguments import described
from flank.native.library import RESULTS, key_of
from flank.native.unit_binary import types_number

MAGIC, FORMAT = b"FLANKFMU", 2
FRONT = struct.Struct("8s q q Q")
HEADER = struct.Struct("8s q q Q 16s 64s q 7q 2q 3q 2d 3q")
CALL = struct.Struct("Q 4q")
VARIABLE = struct.Struct("4q 2d")
PLACE = struct.Struct("q d")
RAMP = struct.Struct("3q 2d")
ALIGNMENT = 64

PRIME, BASIS, MASK = 1099511628211, 14695981039346656037, (1 << 64) - 1


class Data:
    """Arrays one behind the other; those of the state together, with nothing else between."""

    def __init__(self, unit: Unit) -> None:
        self._offsets: dict[int, int] = {}
        self._arrays: list[AnyArray] = []
        self.size = 0
        all_arrays = [array for call in unit.calls for array in arrays_of(call.arguments)]
        changing = {id(array) for array in unit.changing}
        for array in all_arrays:
            if id(array) not in changing:
                self._add(array)
        self.state = self.size
        for array in unit.changing:
            self._add(array)
        self.state_end = self.size

    def _add(self, array: AnyArray) -> None:
        if id(array) not in self._offsets:
            self._offsets[id(array)] = self.size
            self._arrays.append(array)
            self.size += -(-max(array.nbytes, 8) // ALIGNMENT) * ALIGNMENT

    def offset(self, array: AnyArray) -> int:
        return self._offsets[id(array)]

    def at(self, place: Place) -> int:
        return self.offset(place.array) + place.offset

    def content(self) -> bytes:
        content = bytearray(self.size)
        for array in self._arrays:
            first = self.offset(array)
            content[first : first + array.nbytes] = array.tobytes()
        return bytes(content)


def types_of(call: Call) -> int:
    """The number by which a binary finds the kernel for a call."""
    return types_number(key_of(call.kernel.name, described(call.arguments)[0]))


class Row:
    """A call's words as `arguments.described` has them, addresses counted from the data."""

    def __init__(self, call: Call, data: Data) -> None:
        self.words: list[int] = [0] * RESULTS
        self.relocations: list[int] = []
        self.first_words: list[int] = []
        """Of each argument."""
        for argument in call.arguments:
            self.first_words.append(len(self.words))
            self._add(argument, data)

    def _add(self, value: Any, data: Data) -> None:
        if isinstance(value, tuple):
            for member in value:
                self._add(member, data)
        elif isinstance(value, np.ndarray):
            self.relocations.append(len(self.words))
            self.words += [data.offset(value), *value.shape]
        elif isinstance(value, float):
            self.words.append(struct.unpack("q", struct.pack("d", value))[0])
        elif value is not None:
            self.words.append(int(value))


def resource_bytes(unit: Unit, build: str, token: str) -> bytes:
    """The file; `token` is that of the unit's description."""
    numbers, body = parts_of(unit)
    filled = HEADER.pack(MAGIC, FORMAT, 0, 0, build.encode(), token.encode(), *numbers)
    summed = filled[FRONT.size :] + body
    return FRONT.pack(MAGIC, FORMAT, FRONT.size + len(summed), checksum(summed)) + summed


def parts_of(unit: Unit) -> tuple[tuple[float, ...], bytes]:
    """The numbers that the header ends with, and what follows it."""
    data = Data(unit)
    rows = [Row(call, data) for call in unit.calls]
    places = [place for variable in unit.listed for place in variable.places]
    ramps = _ramps(unit, data)
    numbers = (
        0 if isinstance(unit.way, Stepping) else 1,
        len(rows),
        sum(len(row.words) for row in rows),
        sum(len(row.relocations) for row in rows),
        len(unit.listed),
        len(places),
        len(ramps),
        data.size,
        data.state,
        data.state_end,
        *_way(unit, data, rows[0]),
    )
    body = [
        _calls(unit, rows),
        *(struct.pack(f"{len(row.words)}q", *row.words) for row in rows),
        *(struct.pack(f"{len(row.relocations)}q", *row.relocations) for row in rows),
        _variables(unit),
        *(PLACE.pack(data.at(place), place.weight) for place in places),
        *ramps,
        data.content(),
    ]
    return numbers, b"".join(body)


def _way(unit: Unit, data: Data, first: Row) -> tuple[float, ...]:
    """What is said of steps, then of derivatives; zeros where there are none."""
    way = unit.way
    if not isinstance(way, Stepping):
        columns = way.jacobian.shape[1]
        return 0, 0, 0, 0.0, 0.0, data.offset(way.jacobian), columns, way.derivative_call
    count_word = first.first_words[way.times_argument] + 1
    places = (data.offset(way.times), data.offset(way.counters), count_word)
    return *places, way.longest_step, way.shortest_step, 0, 0, 0


def _calls(unit: Unit, rows: list[Row]) -> bytes:
    made, word, relocation = b"", 0, 0
    for call, row in zip(unit.calls, rows, strict=True):
        counts = (len(row.words), len(row.relocations))
        made += CALL.pack(types_of(call), word, counts[0], relocation, counts[1])
        word, relocation = word + counts[0], relocation + counts[1]
    return made


def _variables(unit: Unit) -> bytes:
    made, first = b"", 0
    for variable in unit.listed:
        kind = KINDS.index(variable.kind)
        numbers = (kind, first, len(variable.places), _index(unit, variable))
        made += VARIABLE.pack(*numbers, variable.start or 0.0, variable.minimum)
        first += len(variable.places)
    return made


def _index(unit: Unit, variable: Variable) -> int:
    """Of an output its row among the derivatives, of an input its column."""
    if variable.kind not in ("input", "output"):
        return -1
    return unit.of_kind(variable.kind).index(variable)


def _ramps(unit: Unit, data: Data) -> list[bytes]:
    ramps = unit.way.ramps if isinstance(unit.way, Stepping) else ()
    return [
        RAMP.pack(
            unit.listed.index(ramp.variable),
            data.at(ramp.offset),
            data.at(ramp.points),
            ramp.angle,
            ramp.speed,
        )
        for ramp in ramps
    ]


def checksum(content: bytes) -> int:
    """Of 64-bit words, after FNV-1a."""
    total = BASIS
    for word in np.frombuffer(content, np.uint64).tolist():
        total = ((total ^ word) * PRIME) & MASK
    return total
