"""Types of arrays, for annotations."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.void]
"""Structured: a table of rows with named fields."""

AnyArray = NDArray[Any]
