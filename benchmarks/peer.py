"""EXUDYN's side of the comparison, in a virtual environment of its own."""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
VERSION = "1.13.6"


def peer_python() -> Path | None:
    """The interpreter of an environment with EXUDYN, made on first use; None if it cannot be."""
    folder = HERE.parent / ".venv" / "exudyn"
    python = folder / "bin" / "python"
    if (folder / "ready").exists():
        return python
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        wanted = [f"exudyn=={VERSION}", "numpy"]
        subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True)
    except subprocess.CalledProcessError:
        return None
    (folder / "ready").touch()
    return python


def run_peer(python: Path, **parameters: float) -> dict:
    """Figures of benchmarks/exudyn_cycloid.py for the given parameters."""
    words = [f"{name}={value}" for name, value in parameters.items()]
    command = [str(python), str(HERE / "exudyn_cycloid.py"), *words]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(output.strip().splitlines()[-1])
