"""Run tests as on another processor: python tests/elsewhere.py {old,new} [arguments of pytest]

BLAS, NumPy and kernels choose their code by processor, so a green suite on one machine can hide a
failing one on the next. `old` is the plainest code there is, on one thread; `new` is that of
processors with AVX2, kernels included, on two.
"""

import os
import platform
import subprocess
import sys

X86 = platform.machine().lower() in ("x86_64", "amd64")


def main() -> int:
    settings = {"old": old, "new": new}
    if len(sys.argv) < 2 or sys.argv[1] not in settings:
        sys.exit(__doc__)
    chosen = settings[sys.argv[1]]()
    print("as elsewhere:", " ".join(f"{name}={value}" for name, value in chosen.items()))
    command = [sys.executable, "-m", "pytest", *sys.argv[2:]]
    return subprocess.run(command, env=os.environ | chosen).returncode


def old() -> dict[str, str]:
    return {
        "OPENBLAS_CORETYPE": "Prescott" if X86 else "ARMV8",
        "OPENBLAS_NUM_THREADS": "1",
        "NPY_DISABLE_CPU_FEATURES": " ".join(_numpy_features()),
    }


def new() -> dict[str, str]:
    chosen = {"OPENBLAS_CORETYPE": "Haswell" if X86 else "NEOVERSEN1", "OPENBLAS_NUM_THREADS": "2"}
    if X86:
        chosen |= {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}
    return chosen


def _numpy_features() -> list[str]:
    """What NumPy would choose here beyond its plainest code."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]


if __name__ == "__main__":
    sys.exit(main())
