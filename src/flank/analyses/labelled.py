"""Arrays with named dimensions, as results hold them: what pictures, tables and files need of
xarray, without the 0.2 s that its import takes. `Result.dataset` is the same as an
`xarray.Dataset`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.arrays import AnyArray

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True, eq=False)
class LabelledArray:
    """Values over named dimensions; `coords` are the quantities that tell places along them."""

    name: str
    dims: tuple[str, ...]
    values: AnyArray
    attrs: Mapping[str, Any] = field(default_factory=dict)
    coords: Mapping[str, LabelledArray] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def ndim(self) -> int:
        return self.values.ndim

    @property
    def sizes(self) -> dict[str, int]:
        """Lengths by dimension."""
        return dict(zip(self.dims, self.shape, strict=True))

    def __float__(self) -> float:
        return float(self.values)

    def __getitem__(self, name: str) -> LabelledArray:
        """A coordinate; of a dimension without one, numbers from zero."""
        if name in self.coords:
            return self.coords[name]
        return LabelledArray(name, (name,), np.arange(self.sizes[name]))

    def isel(self, **places: int | slice | list[int]) -> LabelledArray:
        """Places along dimensions, one list of them at most; a number takes its dimension away."""
        index = tuple(places.get(name, slice(None)) for name in self.dims)
        left = tuple(
            name for name, at in zip(self.dims, index, strict=True) if isinstance(at, slice | list)
        )
        coords = {
            name: coordinate.isel(**{k: at for k, at in places.items() if k in coordinate.dims})
            for name, coordinate in self.coords.items()
        }
        return LabelledArray(self.name, left, np.asarray(self.values[index]), self.attrs, coords)

    def sel(self, **labels: object) -> LabelledArray:
        """Places by what their coordinates are."""
        places = {}
        for name, value in labels.items():
            matching = np.flatnonzero(self[name].values == value)
            if not len(matching):
                raise KeyError(f"{value!r} is not along {name} of {self.name}")
            places[name] = int(matching[0])
        return self.isel(**places)

    def max(self, dimension: str) -> LabelledArray:
        """Of what is a number."""
        return self._reduced(np.fmax.reduce, dimension)

    def largest(self) -> float:
        """Of what is a number."""
        return float(np.fmax.reduce(self.values, axis=None))

    def mean(self, dimension: str) -> LabelledArray:
        return self._reduced(np.mean, dimension)

    def sum(self, dimension: str) -> LabelledArray:
        return self._reduced(np.sum, dimension)

    def _reduced(self, function: Callable[..., Any], dimension: str) -> LabelledArray:
        values = np.asarray(function(self.values, axis=self.dims.index(dimension)))
        left = tuple(name for name in self.dims if name != dimension)
        coords = {
            name: coordinate
            for name, coordinate in self.coords.items()
            if dimension not in coordinate.dims
        }
        return LabelledArray(self.name, left, values, self.attrs, coords)


@dataclass(frozen=True, eq=False)
class LabelledArrays:
    """Quantities over shared dimensions, the coordinates among them, and attributes of all."""

    data_vars: Mapping[str, LabelledArray]
    coords: Mapping[str, LabelledArray]
    attrs: Mapping[str, Any]

    @property
    def variables(self) -> dict[str, LabelledArray]:
        """Coordinates first."""
        return {**self.coords, **self.data_vars}

    @property
    def sizes(self) -> dict[str, int]:
        """Lengths by dimension."""
        return {name: n for array in self.variables.values() for name, n in array.sizes.items()}

    def __contains__(self, name: str) -> bool:
        return name in self.data_vars or name in self.coords

    def __getitem__(self, name: str) -> LabelledArray:
        return self.data_vars[name] if name in self.data_vars else self.coords[name]


Variable = tuple[tuple[str, ...], AnyArray, dict[str, Any]]
"""Dimensions, values and attributes."""


def labelled_arrays(
    variables: Mapping[str, Variable],
    coordinates: Mapping[str, Variable],
    attributes: Mapping[str, Any],
) -> LabelledArrays:
    """Quantities with the coordinates that lie along their dimensions; ValueError where two of them
    have different lengths along one."""
    coords = {name: LabelledArray(name, *variable) for name, variable in coordinates.items()}
    data = {
        name: LabelledArray(name, *variable, _along(coords, variable[0]))
        for name, variable in variables.items()
    }
    arrays = LabelledArrays(data, coords, attributes)
    sizes = arrays.sizes
    for array in arrays.variables.values():
        if any(sizes[name] != length for name, length in array.sizes.items()):
            raise ValueError(f"{array.name} has {array.sizes}, others have {sizes}")
    return arrays


def _along(
    coords: Mapping[str, LabelledArray], dimensions: tuple[str, ...]
) -> dict[str, LabelledArray]:
    return {name: array for name, array in coords.items() if set(array.dims) <= set(dimensions)}


def to_xarray(arrays: LabelledArrays) -> xarray.Dataset:
    import xarray

    def plain(variables: Mapping[str, LabelledArray]) -> dict[str, Any]:
        return {name: (a.dims, a.values, dict(a.attrs)) for name, a in variables.items()}

    return xarray.Dataset(plain(arrays.data_vars), plain(arrays.coords), dict(arrays.attrs))


def from_xarray(dataset: xarray.Dataset) -> LabelledArrays:
    def plain(variables: Mapping[Any, Any]) -> dict[str, Variable]:
        return {
            str(name): (tuple(map(str, one.dims)), one.values, dict(one.attrs))
            for name, one in variables.items()
        }

    return labelled_arrays(plain(dataset.data_vars), plain(dataset.coords), dataset.attrs)
