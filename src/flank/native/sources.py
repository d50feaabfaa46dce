"""What compiled kernels were made from: hashes of the sources that can hold one."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1]

KERNEL_ROOMS = ("geometry", "elasticity", "contact", "dynamics")
WITHOUT_KERNELS = PACKAGE / "elasticity" / "finite_elements"
"""Nothing there is compiled, nor read by what is."""


def kernel_files() -> Iterator[Path]:
    """Every source file that can hold a kernel, or says how one is compiled and called."""
    yield PACKAGE / "kernel.py"
    yield PACKAGE / "team.py"
    yield from sorted((PACKAGE / "native").glob("*.py"))
    yield from sorted((PACKAGE / "native" / "unit").glob("*.[ch]"))
    for room in KERNEL_ROOMS:
        for file in sorted((PACKAGE / room).rglob("*.py")):
            if WITHOUT_KERNELS not in file.parents:
                yield file


def bytes_hash() -> str:
    """Of the files as they are."""
    digest = hashlib.sha256()
    for file in kernel_files():
        digest.update(str(file.relative_to(PACKAGE)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def syntax_hash() -> str:
    """Of what the files say: comments and blanks of Python do not count, docstrings do."""
    digest = hashlib.sha256()
    for file in kernel_files():
        digest.update(str(file.relative_to(PACKAGE)).encode())
        content = file.read_bytes()
        digest.update(ast.dump(ast.parse(content)).encode() if file.suffix == ".py" else content)
    return digest.hexdigest()[:16]


# Of the sources as they are imported, not as they are when something is compiled.
BYTES_HASH = bytes_hash()
