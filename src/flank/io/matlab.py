"""Results as MAT files, which Matlab, Octave and SciPy read: SI values, with units beside them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from flank._version import __version__
from flank.io.ownership import GENERATOR

if TYPE_CHECKING:
    from flank.analyses.result import Result

TEXT_OF_HEADER = 116
"""Bytes of free text in front of the file's numbers; what is written there tells who wrote it, and
the same result gives the same bytes."""


def mat_bytes(result: Result) -> bytes:
    """Every quantity by its name, and `units`, `titles` and `about` with the same names in them."""
    from scipy.io import savemat

    variables: dict[str, Any] = {}
    units, titles = {}, {}
    for name, array in result.data.variables.items():
        variables[name] = array.values
        units[name] = str(array.attrs.get("units", ""))
        titles[name] = str(array.attrs.get("long_name", name))
    about = {"title": result.title, "analysis": result.analysis, "outcome": result.outcome}
    file = io.BytesIO()
    savemat(
        file,
        variables | {"units": units, "titles": titles, "about": about},
        long_field_names=True,  # up to 63 letters, as Matlab has had them since 2004
        oned_as="column",
    )
    header = f"MATLAB 5.0 MAT-file, {GENERATOR} {__version__}".encode().ljust(TEXT_OF_HEADER)
    return header + file.getvalue()[TEXT_OF_HEADER:]
