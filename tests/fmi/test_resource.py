"""A resource that does not fit is refused with a sentence, and never crashes."""

import struct

import numpy as np
import pytest
from units_at_work import Instance, needs_binary, unit_of, unpacked

from flank.fmi.resource import (
    CALL,
    FRONT,
    HEADER,
    PLACE,
    VARIABLE,
    Data,
    Row,
    checksum,
    resource_bytes,
)
from flank.fmi.unit import arrays_of
from flank.native.arguments import described, flat
from flank.native.library import RESULTS
from flank.native.unit_binary import unit_binary

PRESET = "gear-pair"


def test_a_row_is_that_of_a_call():
    """But for addresses, which count from the data."""
    unit = unit_of("cv-joint")
    data = Data(unit)
    for call in unit.calls:
        row = Row(call, data)
        words = flat([np.zeros(RESULTS, np.int64), *described(call.arguments)[1]])
        addresses = [array.ctypes.data for array in arrays_of(call.arguments)]
        assert words[row.relocations].tolist() == addresses
        kept = np.ones(len(words), bool)
        kept[row.relocations] = False
        assert np.array(row.words)[kept].tolist() == words[kept].tolist()


def test_the_data_are_the_arrays():
    unit = unit_of(PRESET)
    data = Data(unit)
    content = data.content()
    for call in unit.calls:
        for array in arrays_of(call.arguments):
            first = data.offset(array)
            assert content[first : first + array.nbytes] == array.tobytes()
    assert len({data.offset(array) for array in unit.changing}) == len(unit.changing)
    assert all(data.state <= data.offset(array) < data.state_end for array in unit.changing)


def test_the_same_unit_is_the_same_file():
    unit = unit_of(PRESET)
    assert resource_bytes(unit, "b", "t") == resource_bytes(unit, "b", "t")


def refused(tmp_path, content):
    (tmp_path / "unit.bin").write_bytes(content)
    instance = Instance(unpacked(PRESET), tmp_path)
    assert not instance.made
    (sentence,) = instance.said
    return sentence


def resource():
    return (unpacked(PRESET) / "resources" / "unit.bin").read_bytes()


def changed(at, form, *values):
    """The resource with other words somewhere, and the checksum that fits."""
    content = bytearray(resource())
    struct.pack_into(form, content, at, *values)
    struct.pack_into("Q", content, 24, checksum(bytes(content[FRONT.size :])))
    return bytes(content)


@needs_binary
def test_a_resource_that_is_not_there_is_told(tmp_path):
    instance = Instance(unpacked(PRESET), tmp_path / "50% of # it")
    assert not instance.made
    assert "cannot be read; unpack the whole unit" in instance.said[0]


@needs_binary
@pytest.mark.parametrize("size", [0, 7, 100, HEADER.size, HEADER.size + 8, 5000])
def test_a_part_of_a_resource_is_refused(tmp_path, size):
    assert "unit anew" in refused(tmp_path, resource()[:size])


@needs_binary
def test_a_longer_resource_is_refused(tmp_path):
    assert "is not whole" in refused(tmp_path, resource() + bytes(8))


@needs_binary
def test_damage_anywhere_is_refused(tmp_path):
    content = resource()
    random = np.random.default_rng(5)
    places = [*range(0, HEADER.size, 8), *random.integers(0, len(content), 40).tolist()]
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 0x41
        assert "unit.bin" in refused(tmp_path, bytes(damaged)), place


@needs_binary
def test_a_resource_of_other_types_is_refused(tmp_path):
    (types,) = struct.unpack_from("Q", resource(), HEADER.size)
    assert "no kernel" in refused(tmp_path, changed(HEADER.size, "Q", types ^ 1))


@needs_binary
def test_a_resource_of_another_build_is_refused(tmp_path):
    assert "another build" in refused(tmp_path, changed(32, "16s", b"0123456789abcdef"))


@needs_binary
def test_a_resource_of_another_unit_is_refused(tmp_path):
    other = resource_bytes(unit_of(PRESET), unit_binary().build, "another")
    assert "their tokens differ" in refused(tmp_path, other)


@needs_binary
@pytest.mark.parametrize("word", [-8, 3, 1 << 40])
def test_places_outside_the_data_are_refused(tmp_path, word):
    """Of a variable, and of an array."""
    counts = struct.unpack_from("7q", resource(), 120)
    words = HEADER.size + counts[0] * CALL.size
    places = words + 8 * (counts[1] + counts[2]) + counts[3] * VARIABLE.size
    assert "places that it does not have" in refused(tmp_path, changed(places, "q", word))
    first_address = words + 8 * RESULTS
    if word != 3:
        text = refused(tmp_path, changed(first_address, "q", word))
        assert "places that it does not have" in text


@needs_binary
def test_numbers_at_random_are_refused_or_harmless(tmp_path):
    """Anywhere but in the rows and data, with the checksum that fits."""
    content = resource()
    counts = struct.unpack_from("7q", content, 120)
    words = HEADER.size + counts[0] * CALL.size
    end = words + 8 * (counts[1] + counts[2]) + counts[3] * VARIABLE.size + counts[4] * PLACE.size
    draw = np.random.default_rng(7)
    places = [*range(112, words, 8), *range(words + 8 * counts[1], end, 8)]
    odd = [-1, 7, 8, 1 << 20, 1 << 62, -(1 << 62), (1 << 63) - 1, -(1 << 63)]
    refusals = 0
    for _ in range(200):
        number = odd[draw.integers(len(odd))]
        changes = changed(int(draw.choice(places)), "q", number)
        (tmp_path / "unit.bin").write_bytes(changes)
        instance = Instance(unpacked(PRESET), tmp_path)
        refusals += not instance.made
        if instance.made:
            instance.get(0, 1, 3)
            instance.free()
    assert 0 < refusals < 200  # both happen: start values may be any
