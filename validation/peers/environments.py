"""Environments of others' programs, which the package never needs.

Each is made on first use below `.venv/peers`, or where `FLANK_PEERS` says, and a script beside this
one is run in it. What cannot be had is told in a sentence.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent


class Peer(NamedTuple):
    """A program of others: what is installed, whether with all that it asks for, and for which
    Python, if not for the one of this environment."""

    name: str
    version: str
    package: str
    licence: str
    more: tuple[str, ...] = ()
    alone: bool = False
    python: str = ""

    @property
    def folder(self) -> Path:
        usual = HERE.parent.parent / ".venv" / "peers"
        return Path(os.environ.get("FLANK_PEERS", usual)) / self.name


CYCLOIDGEN = Peer(
    "cycloidgen", "8.0.0", "cycloidgen", "Apache-2.0", ("numpy", "scipy", "pydantic"), alone=True
)
ROSS = Peer("ross", "3.1.0", "ross-rotordynamics", "Apache-2.0", python="python3.13")
OPENTORSION = Peer("opentorsion", "0.3.2", "opentorsion", "MIT")
EXUDYN = Peer("exudyn", "1.13.6", "exudyn", "BSD-3-Clause", ("numpy",))


class NotToBeHad(Exception):
    """A program that could not be installed or asked; the sentence says why."""


def _interpreter(peer: Peer) -> str:
    if not peer.python:
        return sys.executable
    found = shutil.which(peer.python)
    if found is None or subprocess.run([found, "--version"], capture_output=True).returncode:
        raise NotToBeHad(
            f"{peer.name} {peer.version} needs {peer.python}, which is not on the path."
        )
    return found


def _environment(peer: Peer) -> Path:
    """Its interpreter, installed on first use."""
    python, ready = peer.folder / "bin" / "python", peer.folder / f"ready-{peer.version}"
    if ready.exists():
        return python
    wanted = f"{peer.package}=={peer.version}"
    try:
        subprocess.run([_interpreter(peer), "-m", "venv", peer.folder], check=True)
        pip = [python, "-m", "pip", "install", "-q"]
        if peer.more:
            subprocess.run([*pip, *peer.more], check=True)
        subprocess.run([*pip, *(["--no-deps"] if peer.alone else []), wanted], check=True)
    except subprocess.CalledProcessError as error:
        raise NotToBeHad(f"{wanted} could not be installed here.") from error
    ready.touch()
    return python


def ask(peer: Peer, question: dict[str, Any]) -> dict[str, Any]:
    """What the script of the peer's name answers; NotToBeHad if it cannot."""
    command = [_environment(peer), HERE / f"{peer.name}_side.py"]
    done = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["without a word"])[-1]
        raise NotToBeHad(f"{peer.name} {peer.version} ended with '{last}'.")
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


def run_script(peer: Peer, path: Path) -> str:
    """What a script prints in the peer's environment; NotToBeHad if it cannot be run."""
    done = subprocess.run([_environment(peer), path], capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["without a word"])[-1]
        raise NotToBeHad(f"{peer.name} {peer.version} ended with '{last}'.")
    return done.stdout
