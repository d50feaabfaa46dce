"""Results on disk: NetCDF files that come back equal."""

from pathlib import Path

import xarray
from xarray.backends.h5netcdf_ import H5netcdfBackendEntrypoint

from flank._version import __version__
from flank.analyses.result import Result
from flank.errors import SpecError

_COMPRESSION_LEVEL = 1
_NEEDED = ("analysis", "title", "outcome", "complete", "warnings", "counters", "spec", "settings")


def write_result(result: Result, path: str | Path) -> None:
    """Write a result as NetCDF; an existing file is replaced."""
    dataset = result.dataset
    encoding: dict[str, dict[str, object]] = {}
    for name, variable in dataset.variables.items():
        # A fill value would turn integers into floats and NaN into something else.
        encoding[str(name)] = {"_FillValue": None}
        if variable.size > 1:
            encoding[str(name)] |= {"zlib": True, "complevel": _COMPRESSION_LEVEL}
    dataset.to_netcdf(path, mode="w", engine="h5netcdf", encoding=encoding)


def read_result(path: str | Path) -> Result:
    """A result from a NetCDF file that `write_result` wrote, held in memory."""
    path = Path(path)
    if not path.is_file():
        raise SpecError(f"{path} is not a file; give the result.nc that a run has written")
    try:
        # The backend's class instead of its name: a name makes xarray look for plugins, slowly.
        with xarray.open_dataset(
            path, engine=H5netcdfBackendEntrypoint, decode_times=False, decode_timedelta=False
        ) as opened:
            dataset = opened.load()
    except (OSError, ValueError, KeyError) as error:
        raise SpecError(f"{path} is not a readable NetCDF file ({_first_line(error)})") from None
    missing = [name for name in _NEEDED if name not in dataset.attrs]
    if missing:
        raise SpecError(
            f"{path} is not a result of Flank {__version__}: "
            f"the attributes {', '.join(missing)} are missing"
        )
    dataset.attrs["complete"] = int(dataset.attrs["complete"])
    for variable in dataset.variables.values():
        variable.encoding = {}
    dataset.encoding = {}
    return Result(dataset)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
