"""The scripts that write and check pages, as modules."""

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def script():
    """Import a script of pages/ or benchmarks/ by its name."""
    folders = [str(ROOT / name) for name in ("pages", "benchmarks")]
    sys.path[:0] = folders
    yield importlib.import_module
    for folder in folders:
        sys.path.remove(folder)
