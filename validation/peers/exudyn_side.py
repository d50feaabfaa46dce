"""EXUDYN's planar stage at several numbers of segments; run in its own environment, JSON in and
out. The model is that of `benchmarks/exudyn_cycloid.py`, one process a case.
"""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "exudyn_cycloid.py"


def figures(changes: dict) -> dict:
    words = [f"{name}={value}" for name, value in changes.items()]
    done = subprocess.run(
        [sys.executable, SCRIPT, *words], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout.strip().splitlines()[-1])


print(json.dumps({"runs": [figures(case) for case in json.load(sys.stdin)["cases"]]}))
