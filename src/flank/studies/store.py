"""The store of a study: a Zarr group, one array a quantity, chunks along the samples.

    study.zarr/
      zarr.json              the manifest: study, machine, seed, versions, hash of the kernels
      status, sentence       what has become of every sample, and why
      warnings, warned       how many it had; where any had one, which
      computed_by, difference  where a GPU took part: its samples, and how far they are from the
                             processor's
      ANALYSIS/QUANTITY      a figure (double), or a curve that is kept (single precision)

A chunk is there when its part of `status` is, which is written last, after all else of the chunk is
on the disk. So whatever ends a study, a chunk is whole or will be computed anew, and nothing that
is whole is computed again. A store itself appears by one move.
"""

from __future__ import annotations

import math
import os
import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from flank.arrays import AnyArray, Flags, Floats, Integers
from flank.errors import SpecError
from flank.studies.backends import Chunk
from flank.studies.comparison import BY_PROCESSOR, Comparison
from flank.studies.samples import COMPLETE, MAPPED, STATUS_WORDS, WAITING, Outcome
from flank.texts import echo_path

FORMAT = 1
MARK = "flank_study"
"""Attribute by which a store is known, with the number of its format."""

STORE_FOLDER = "study.zarr"
COMPUTED_BY = "computed_by"
"""Array, and attribute: who computed samples; only where a GPU took part."""

APART = "difference"
"""Array: how far a GPU's sample is from the processor's, where it was compared."""

STATUS, SENTENCE, WARNINGS = "status", "sentence", "warnings"
WARNED = "warned"
"""Array: the warnings of every sample, a line each; only where one has any."""

LONGEST_SENTENCE = 300
"""Bytes that are kept of why a sample failed."""

LONGEST_WARNINGS = 2000
"""Bytes that are kept of its warnings."""

BLOCK_BYTES = 4096
"""In which disks hand out room."""

SPARE_BYTES = 50_000_000
"""Of a disk, that a study leaves to others."""


class Quantity(NamedTuple):
    """What is kept of every sample: a figure, or a curve of so many points."""

    name: str
    title: str
    unit: str
    shown_unit: str
    shape: tuple[int, ...] = ()

    @property
    def bytes(self) -> int:
        return 4 * math.prod(self.shape) if self.shape else 8

    @property
    def path(self) -> str:
        """Of its array: the name of an analysis has no dot."""
        return self.name.replace(".", "/", 1)


def bytes_of(quantities: Sequence[Quantity], samples: int, chunk: int) -> int:
    """What a store takes on the disk at most; packed it is less. Every chunk of every array is a
    file, which takes whole blocks."""
    arrays = len(quantities) + 3  # with status, sentence and warnings
    files = arrays * (-(-samples // chunk) + 1) + 2  # each array has its description, so has all
    numbers = samples * (sum(each.bytes for each in quantities) + LONGEST_SENTENCE // 10 + 3)
    return numbers + files * BLOCK_BYTES


class Store:
    """A store that is there."""

    def __init__(self, path: Path, writable: bool = False) -> None:
        """SpecError if there is none at `path`."""
        import zarr

        self.path = path
        try:
            self.group: Any = zarr.open_group(path, mode="r+" if writable else "r")
            known = self.group.attrs[MARK]
        except (OSError, KeyError, ValueError):
            raise SpecError(
                f"{echo_path(path)} is not the store of a study; name the folder of `flank study "
                "run`"
            ) from None
        if known != FORMAT:
            raise SpecError(
                f"{echo_path(path)} has the format {known}, and this Flank knows {FORMAT}; use the "
                f"Flank that wrote it, {self.manifest['versions']['flank']}"
            )

    @classmethod
    def create(cls, path: Path, manifest: Mapping[str, Any], kept: Sequence[Quantity]) -> Store:
        """A new store with nothing computed; SpecError if the disk is too small for all of it."""
        import zarr

        samples, chunk = manifest["samples"], manifest["chunk"]
        _check_disk(path.parent, bytes_of(kept, samples, chunk))
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_name(f".{path.name}-{uuid.uuid4().hex[:12]}")
        try:
            group: Any = zarr.create_group(aside, attributes={MARK: FORMAT, **manifest})
            options = {"shape": (samples,), "chunks": (chunk,)}
            group.create_array(STATUS, dtype="i1", fill_value=WAITING, **options)
            group.create_array(WARNINGS, dtype="i4", fill_value=0, **options)
            longest = (LONGEST_SENTENCE,)
            group.create_array(
                SENTENCE,
                dtype="u1",
                fill_value=0,
                shape=(samples, *longest),
                chunks=(chunk, *longest),
            )
            for each in kept:
                group.create_array(
                    each.path,
                    shape=(samples, *each.shape),
                    chunks=(chunk, *each.shape),
                    dtype="f4" if each.shape else "f8",
                    fill_value=math.nan,
                    attributes={
                        "title": each.title,
                        "units": each.unit,
                        "shown_unit": each.shown_unit,
                    },
                )
            os.rename(aside, path)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        return cls(path, writable=True)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        return dict(self.group.attrs)

    @property
    def samples(self) -> int:
        return int(self.manifest["samples"])

    @cached_property
    def quantities(self) -> dict[str, Quantity]:
        """Figures and curves by their names."""
        quantities = {}
        for analysis in self.manifest["study"]["asks"]:
            if analysis not in self.group:  # of a store that nothing is kept in
                continue
            for name, array in sorted(self.group[analysis].arrays()):
                title, unit, shown = (array.attrs[key] for key in ("title", "units", "shown_unit"))
                full = f"{analysis}.{name}"
                quantities[full] = Quantity(full, title, unit, shown, tuple(array.shape[1:]))
        order = {name: k for k, name in enumerate(self.manifest["nominal"])}
        ranked = sorted(quantities, key=lambda name: order.get(name, len(order)))
        return {name: quantities[name] for name in ranked}

    def chunks(self) -> list[Chunk]:
        """All of them."""
        size = int(self.manifest["chunk"])
        return [
            Chunk(number, first, min(size, self.samples - first))
            for number, first in enumerate(range(0, self.samples, size))
        ]

    def missing(self, wanted: Callable[[Chunk], Flags] | None = None) -> list[Chunk]:
        """Chunks that are not there, or lack samples that are `wanted` (all if it is None), each
        with the places that are to be computed."""
        status, missing = self.status(), []
        for chunk in self.chunks():
            known = status[chunk.first : chunk.first + chunk.count]
            lacking = (known == WAITING) | (known == MAPPED)
            if not lacking.any():
                continue
            needed = lacking if wanted is None else lacking & wanted(chunk)
            if needed.all():
                missing.append(chunk)
            elif needed.any() or np.any(known == WAITING):
                places = tuple(int(place) for place in np.flatnonzero(needed))
                missing.append(replace(chunk, places=places))
        return missing

    def known(self) -> int:
        """How many samples are known, by the map or exactly."""
        return int(np.sum(self.status() != WAITING))

    def write(self, chunk: Chunk, outcomes: Sequence[Outcome]) -> None:
        """Write a chunk: all else first, and what tells that it is there last. Samples that it has
        already, and that were not computed now, stay as they are."""
        fresh = np.asarray(self.group[STATUS].blocks[chunk.number]) == WAITING
        fresh[list(chunk.computed)] = True
        for each in self.quantities.values():
            self._put(chunk, each.path, _column(outcomes, each), fresh)
        self._put_comparison(chunk, outcomes, fresh)
        self._put_warnings(chunk, [each.warnings for each in outcomes], fresh)
        sentences = _texts([each.sentence for each in outcomes], LONGEST_SENTENCE)
        self._put(chunk, SENTENCE, sentences, fresh)
        self._put(chunk, STATUS, np.array([each.status for each in outcomes], np.int8), fresh)

    def _put_warnings(
        self, chunk: Chunk, warnings: Sequence[tuple[str, ...]], fresh: Flags
    ) -> None:
        """How many, and their texts as soon as there are any."""
        self._put(chunk, WARNINGS, np.array([len(each) for each in warnings], np.int32), fresh)
        if WARNED not in self.group:
            if not any(warnings):
                return
            shape, longest = (self.samples, LONGEST_WARNINGS), (LONGEST_WARNINGS,)
            chunks = (int(self.manifest["chunk"]), *longest)
            self.group.create_array(WARNED, dtype="u1", fill_value=0, shape=shape, chunks=chunks)
        lines = ["\n".join(each) for each in warnings]
        self._put(chunk, WARNED, _texts(lines, LONGEST_WARNINGS), fresh)

    def warnings(self) -> Iterator[list[str]]:
        """Of every sample that has any, a chunk at a time."""
        if WARNED not in self.group:
            return
        counts = np.asarray(self.group[WARNINGS][: self.samples])
        for chunk in self.chunks():
            places = np.flatnonzero(counts[chunk.first : chunk.first + chunk.count])
            if len(places):
                for row in np.asarray(self.group[WARNED].blocks[chunk.number])[places]:
                    yield _text(row).split("\n")

    def _put_comparison(self, chunk: Chunk, outcomes: Sequence[Outcome], fresh: Flags) -> None:
        """Where a GPU took part now, or did before in the chunk."""
        by = np.array([each.by for each in outcomes], np.int8)
        if COMPUTED_BY not in self.group:
            if not by.any():
                return
            options = {"shape": (self.samples,), "chunks": (int(self.manifest["chunk"]),)}
            self.group.create_array(APART, dtype="f8", fill_value=math.nan, **options)
            self.group.create_array(COMPUTED_BY, dtype="i1", fill_value=BY_PROCESSOR, **options)
        self._put(chunk, APART, np.array([each.apart for each in outcomes]), fresh)
        self._put(chunk, COMPUTED_BY, by, fresh)

    def comparison(self) -> Comparison:
        """Who computed the samples that are known."""
        known = self.status() != WAITING
        by, apart = np.full(self.samples, BY_PROCESSOR), np.full(self.samples, math.nan)
        if COMPUTED_BY in self.group:
            by = np.where(known, self.group[COMPUTED_BY][: self.samples], BY_PROCESSOR)
            apart = np.asarray(self.group[APART][: self.samples])
        return Comparison(by.astype(np.int64), apart, int(known.sum()))

    def note_comparison(self) -> None:
        """In the manifest, for those who read nothing else."""
        if COMPUTED_BY in self.group:
            self.group.attrs[COMPUTED_BY] = self.comparison().counts

    def exactly_known(self) -> int:
        """How many of them were computed."""
        return int(np.sum(~np.isin(self.status(), (WAITING, MAPPED))))

    def extend(self, samples: int, study: Mapping[str, Any]) -> None:
        """Make room for more samples; SpecError if the disk is too small for them."""
        more = samples - self.samples
        _check_disk(self.path.parent, self._bytes_of(more))
        kept = [each.path for each in self.quantities.values()]
        marks = [name for name in (APART, COMPUTED_BY, WARNED) if name in self.group]
        for path in (WARNINGS, SENTENCE, *marks, *kept, STATUS):
            array = self.group[path]
            array.resize((samples, *array.shape[1:]))
        self.group.attrs.update({"samples": samples, "study": study})
        del self.manifest

    def _bytes_of(self, samples: int) -> int:
        return bytes_of(list(self.quantities.values()), samples, int(self.manifest["chunk"]))

    def _put(self, chunk: Chunk, path: str, values: AnyArray, fresh: Flags) -> None:
        array = self.group[path]
        if not fresh.all():
            values[~fresh] = array.blocks[chunk.number][~fresh]
        array.blocks[chunk.number] = values
        places = (str(chunk.number), *("0" for _ in values.shape[1:]))
        written = self.path.joinpath(path, "c", *places)
        with suppress(FileNotFoundError):  # a chunk of nothing but missing values has no file
            handle = os.open(written, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def status(self) -> Integers:
        """Of every sample."""
        return np.asarray(self.group[STATUS][: self.samples], np.int64)

    def values(self, name: str) -> Floats:
        """A quantity of all samples in SI, not a number where it is not known."""
        return np.asarray(self.group[self.quantities[name].path][: self.samples], np.float64)

    def value(self, name: str, number: int) -> float:
        """A figure of one sample."""
        return float(self.group[self.quantities[name].path][number])

    def sentence(self, number: int) -> str:
        """Why a sample failed."""
        return _text(self.group[SENTENCE][number])

    def failures(self, most: int = 20) -> list[tuple[int, str, str]]:
        """Number, status and sentence of the first samples that failed."""
        status = self.status()
        failed = np.flatnonzero(~np.isin(status, (WAITING, COMPLETE, MAPPED)))[:most]
        return [(int(k), STATUS_WORDS[int(status[k])], self.sentence(int(k))) for k in failed]

    def written_at(self) -> list[float]:
        """When each chunk was written, in seconds since 1970."""
        return [file.stat().st_mtime for file in (self.path / STATUS / "c").glob("*[0-9]")]

    def is_written(self) -> bool:
        """Whether somebody computes and writes it now."""
        try:
            with self.writing():
                return False
        except SpecError:
            return True

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One writer at a time; what a killed one left behind is removed."""
        with open(self.path / "writer.lock", "w") as lock:
            _lock(lock, self.path)
            for partial in self.path.rglob("*.partial"):
                partial.unlink()
            yield


def _check_disk(folder: Path, needed: int) -> None:
    made = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(made).free
    if needed + SPARE_BYTES > free:
        raise SpecError(
            f"the disk of {echo_path(folder)} has {free / 1e6:,.0f} MB free, and the study may "
            f"take {needed / 1e6:,.0f} MB; keep fewer curves, take fewer samples or another disk"
        )


def _lock(file: Any, path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # a system without such locks
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise SpecError(
            f"{echo_path(path)} is being written by another `flank study`; wait for it, or end it"
        ) from None


def _column(outcomes: Sequence[Outcome], quantity: Quantity) -> AnyArray:
    """A quantity of a chunk; a curve of another length than the machine's own is not kept."""
    if not quantity.shape:
        return np.array([each.figures.get(quantity.name, math.nan) for each in outcomes])
    column = np.full((len(outcomes), *quantity.shape), math.nan, np.float32)
    for row, each in zip(column, outcomes, strict=True):
        curve = each.curves.get(quantity.name)
        if curve is not None and curve.shape == quantity.shape:
            row[...] = curve
    return column


def _text(row: AnyArray) -> str:
    return bytes(row).rstrip(b"\0").decode("utf-8", "replace")


def _texts(sentences: Sequence[str], longest: int) -> AnyArray:
    rows = np.zeros((len(sentences), longest), np.uint8)
    for row, sentence in zip(rows, sentences, strict=True):
        text = sentence.encode()[:longest]
        row[: len(text)] = np.frombuffer(text, np.uint8)
    return rows
