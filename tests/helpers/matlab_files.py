"""A reader of Matlab's files of level 5 that knows nothing of SciPy's."""

import struct
import zlib

import numpy as np

TYPES = dict(zip((1, 2, 3, 4, 5, 6, 7, 9, 12, 13), "bBhHiIfdqQ", strict=True))
"""How numbers stand in the file, by the kind of an element."""

COMPRESSED, MATRIX, UTF8 = 15, 14, 16
CELL, STRUCTURE, TEXT = 1, 2, 4


def read_matlab(data):
    """Variables by name."""
    assert data[124:128] == b"\x00\x01IM"  # version 1.0, little-endian
    return dict(matrix(content) for kind, content in elements(data[128:]) if kind == MATRIX)


def elements(data):
    """Kind and content of one after the other; what is compressed is unpacked."""
    place = 0
    while place < len(data):
        kind, size = struct.unpack_from("<II", data, place)
        if kind >> 16:  # a small one: both in four bytes, the content in the next four
            yield kind & 0xFFFF, data[place + 4 : place + 4 + (kind >> 16)]
            place += 8
            continue
        content = data[place + 8 : place + 8 + size]
        if kind == COMPRESSED:
            yield from elements(zlib.decompress(content))
            place += 8 + size
        else:
            yield kind, content
            place += 8 + -(-size // 8) * 8


def matrix(data):
    """Name and value."""
    (_, flags), shape, (_, name), *rest = elements(data)
    kind, shape = flags[0], numbers(*shape)
    if kind == STRUCTURE:
        (_, width), (_, names), *values = rest
        step = struct.unpack("<i", width)[0]
        keys = [names[k : k + step].rstrip(b"\0").decode() for k in range(0, len(names), step)]
        assert np.prod(shape) == 1
        read = (matrix(content)[1] for _, content in values)
        return name.decode(), dict(zip(keys, read, strict=True))
    if kind == CELL:
        return name.decode(), [matrix(content)[1] for _, content in rest]
    if kind == TEXT:
        return name.decode(), text(*rest[0]) if rest else ""
    return name.decode(), numbers(*rest[0]).reshape(shape, order="F")


def text(kind, content):
    if kind == UTF8:
        return content.decode()
    return "".join(map(chr, numbers(kind, content)))


def numbers(kind, content):
    return np.frombuffer(content, "<" + TYPES[kind])
