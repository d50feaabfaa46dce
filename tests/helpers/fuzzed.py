"""Runs a command in this process and says what is wrong with how it ended."""

import re
import signal
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from typer.testing import CliRunner

from flank.cli.app import app

LONGEST_LINE = 600

_RED = re.compile(r": red, \d+ errors?\b")
"""Of the first line of a check."""
SECONDS = 5.0
"""Processor time that one command may take."""


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """A command that hangs is stopped, so that the others are still tried."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def faults(words: tuple[str, ...], statuses: tuple[int, ...], seconds: float = SECONDS) -> str:
    """What is wrong with how `flank` ended with these words; nothing if all is well."""
    start = time.process_time()
    with _stopped_after(4 * seconds):
        result = CliRunner().invoke(app, list(words))
    taken = time.process_time() - start
    if result.exception and not isinstance(result.exception, SystemExit):
        return f"raised {result.exception!r}"
    if taken > seconds:
        return f"took {taken:.1f} s of processor time"
    if result.exit_code not in statuses:
        return f"ended with {result.exit_code}"
    judged = words[0] == "check" and _RED.search(result.stdout)  # a verdict is no refusal
    if result.exit_code == 2 and not judged and not result.stderr.strip():
        return "was refused without a sentence"
    if result.exit_code == 2 and not judged and result.stdout:
        return f"was refused and printed {result.stdout[:80]!r}"
    if result.exit_code == 1 and "Incomplete: " not in result.stdout:
        return "failed and does not say how"
    return _untidy(result.stdout + result.stderr)


def _untidy(text: str) -> str:
    for line in text.split("\n"):
        if len(line) > LONGEST_LINE:
            return f"printed a line of {len(line)} characters"
        steering = [c for c in line if unicodedata.category(c) in ("Cc", "Cs")]
        if steering:
            return f"printed {steering[0]!r}"
        if "Traceback" in line or "Input should" in line or re.search(r"\wWarning:", line):
            return f"printed {line[:200]!r}"
    return ""


def names_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}
