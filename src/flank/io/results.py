"""Results on disk: NetCDF files that come back equal."""

from __future__ import annotations

import io
import numbers
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5netcdf
import h5py
import numpy as np

from flank._version import __version__
from flank.analyses.labelled import LabelledArrays, from_xarray
from flank.analyses.result import FORMAT_VERSION, Result
from flank.arrays import AnyArray
from flank.errors import SpecError
from flank.io.drawings import DRAWING, drawing_arrays, drawing_of
from flank.io.files import writable, write_file
from flank.io.seal import Unsealed, check_seal, seal
from flank.io.tables import summary_rows, tables
from flank.texts import echo_path

if TYPE_CHECKING:
    import xarray

_COMPRESSION_LEVEL = 1
_LEAST_COMPRESSED = 4096
"""Bytes up to which a variable is kept as it is: HDF5's index of chunks takes that much itself."""
_MOST_COMPRESSED = 1100
"""More than deflate can do; a dataset larger than its file by more was not written so."""
_NEEDED = ("analysis", "title", "outcome", "complete", "warnings", "counters", "spec", "settings")
_OF_VARIABLES = ("units", "shown_unit", "long_name")


def write_result(result: Result, path: str | Path) -> None:
    """Write a result as NetCDF; an existing file is replaced."""
    write_file(path, result_bytes(result))


def result_bytes(result: Result) -> bytes:
    """A result as the content of a NetCDF file.

    It is made in memory: HDF5 does not survive a full disk.
    """
    content = io.BytesIO()
    with h5netcdf.File(content, "w") as file:
        _dump(result.data, file)
        if result.drawing is not None:
            _dump(drawing_arrays(result.drawing), file.create_group(DRAWING))
    seal(content)
    return content.getvalue()


def _dump(arrays: LabelledArrays, group: h5netcdf.Group) -> None:
    """As xarray writes a dataset, which imports pandas: 0.3 s."""
    group.dimensions = arrays.sizes
    beside = [name for name in arrays.coords if name not in arrays.sizes]
    for name, array in arrays.variables.items():
        attributes = _writable_attributes(array.attrs)
        along = [other for other in beside if other in array.coords]
        if along:
            attributes["coordinates"] = " ".join(along)
        values = array.values
        if values.dtype.kind == "b":
            values, attributes["dtype"] = values.astype(np.int8), "bool"
        _create(group, name, array.dims, values).attrs.update(attributes)
    group.attrs.update(_writable_attributes(arrays.attrs))


def _create(
    group: h5netcdf.Group, name: str, dimensions: tuple[str, ...], values: AnyArray
) -> h5netcdf.Variable:
    if values.dtype.kind == "U":
        texts = np.array([writable(str(text)) for text in values.flat], dtype=object)
        kind = h5py.string_dtype()
        return group.create_variable(name, dimensions, kind, data=texts.reshape(values.shape))
    how = {}
    if values.nbytes > _LEAST_COMPRESSED:
        how = {"compression": "gzip", "compression_opts": _COMPRESSION_LEVEL}
    return group.create_variable(name, dimensions, values.dtype, data=values, **how)


def _writable_attributes(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: writable(value) if isinstance(value, str) else value
        for key, value in attributes.items()
    }


def read_result(path: str | Path) -> Result:
    """A result from a NetCDF file that `write_result` wrote, held in memory."""
    path = Path(path)
    try:
        is_file = path.is_file()
    except OSError:  # a name too long for the file system
        is_file = False
    if not is_file:
        raise SpecError(
            f"{echo_path(path)} is not a file; give the result.nc that a run has written"
        )
    dataset, drawing = _datasets(path)
    _check_version(dataset.attrs, path)
    missing = [name for name in _NEEDED if name not in dataset.attrs]
    if missing:
        raise SpecError(
            f"{echo_path(path)} is not a result of Flank {__version__}: "
            f"the attributes {', '.join(missing)} are missing"
        )
    try:
        return _checked(dataset, drawing)
    except Exception as error:  # whatever a damaged file leads to
        raise SpecError(
            f"{echo_path(path)} is damaged ({_first_line(error)}); run it anew"
        ) from None


def _datasets(path: Path) -> tuple[xarray.Dataset, xarray.Dataset | None]:
    """The result, and the drawing beside it if there is one."""
    try:
        check_seal(path, required_by=b"format_version")
        with h5py.File(path, "r") as file:
            dict(file.attrs)  # h5netcdf leaves a torn object behind where this fails
            drawn = DRAWING in file
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of files that are HDF5 and not NetCDF
            return _loaded(path, None), _loaded(path, DRAWING) if drawn else None
    except Unsealed as error:
        raise SpecError(
            f"{echo_path(path)} is not as Flank wrote it: {error}; take an untouched copy, or run "
            "it anew"
        ) from None
    except Exception as error:  # of which HDF5 has many kinds
        raise SpecError(
            f"{echo_path(path)} is not a readable NetCDF file ({_first_line(error)})"
        ) from None


def _loaded(path: Path, group: str | None) -> xarray.Dataset:
    import xarray
    from xarray.backends.h5netcdf_ import H5netcdfBackendEntrypoint

    # The backend's class instead of its name: a name makes xarray look for plugins, slowly.
    with xarray.open_dataset(
        path,
        engine=H5netcdfBackendEntrypoint,
        group=group,
        decode_times=False,
        decode_timedelta=False,
    ) as opened:
        if opened.nbytes > _MOST_COMPRESSED * path.stat().st_size:
            raise ValueError("sizes in it cannot be")
        return opened.load()


def _check_version(attributes: dict[str, Any], path: Path) -> None:
    """Results without a version are older than it, and are read if they hold what is needed."""
    version = attributes.get("format_version", FORMAT_VERSION)
    if not isinstance(version, numbers.Integral) or int(version) < 1:
        raise SpecError(
            f"{echo_path(path)} is damaged (format_version is {version!r}); run it anew"
        )
    if int(version) > FORMAT_VERSION:
        raise SpecError(
            f"{echo_path(path)} was written by a newer Flank, {attributes.get('flank_version')}, "
            f"in format {version}; this is Flank {__version__}, which reads formats up to "
            f"{FORMAT_VERSION}"
        )


def _checked(dataset: xarray.Dataset, drawing: xarray.Dataset | None) -> Result:
    """The datasets as a result, once all that a summary needs was found in it."""
    for key in {"complete", "format_version"} & set(dataset.attrs):
        dataset.attrs[key] = _whole_number(key, dataset.attrs[key])
    for name, variable in dataset.variables.items():
        variable.encoding = {}
        texts = [variable.attrs[key] for key in _OF_VARIABLES]
        if variable.dtype.kind not in "fiubU" or not all(isinstance(one, str) for one in texts):
            raise ValueError(f"the variable {name} is not one of a result")
    dataset.encoding = {}
    drawn = None if drawing is None else drawing_of(from_xarray(drawing))
    result = Result.from_xarray(dataset, drawn)
    texts = [dataset.attrs[name] for name in ("analysis", "title", "outcome")] + result.warnings
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a text is missing")
    _ = result.counters, result.settings, result.spec, summary_rows(result), tables(result)
    return result


def _whole_number(name: str, value: Any) -> int:
    if not isinstance(value, numbers.Integral):
        raise ValueError(f"{name} is {value!r}")
    return int(value)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
