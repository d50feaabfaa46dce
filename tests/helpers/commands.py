"""Commands run in this process through their entry point: a process of its own costs seconds."""

import gc
import io
import shlex
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from flank.cli.app import main


class Ended(NamedTuple):
    """How a command ended, as a process would tell it."""

    status: int
    stdout: str
    stderr: str


def run_command(line: str | list[str]) -> Ended:
    """What `flank` does with a command line."""
    words = shlex.split(line) if isinstance(line, str) else [str(word) for word in line]
    stdout, stderr, status = io.StringIO(), io.StringIO(), 0
    with patch("sys.argv", ["flank", *words]), redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
        finally:
            gc.enable()  # the entry point turns it off for the life of its process
    return Ended(status, stdout.getvalue(), stderr.getvalue())
