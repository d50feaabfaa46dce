"""Pictures and report by a second process that gets ready while the first one computes.

Loading matplotlib takes longer than most runs; beside the computation it costs nothing. The first
process sends the folder that holds the result; the second writes the pages into it and ends.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from flank.errors import SpecError

MODULE = "flank.report.second_process"


class PageWriter:
    """The first process' side: start early, then `write`, or `close` when nothing is to be done."""

    def __init__(self, analysis: str) -> None:
        command = [sys.executable, "-m", MODULE, analysis]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
        )

    def write(self, folder: Path) -> list[Path] | None:
        """The pages written from the result in `folder`; None if the second process failed."""
        try:
            output, _ = self._process.communicate(f"{folder.resolve()}\n")
        except OSError:
            output = ""
        names = output.splitlines()
        return [folder / name for name in names] if self._process.returncode == 0 else None

    def close(self) -> None:
        """End the second process if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


def main(analysis: str) -> int:
    """The second process' side."""
    from flank.io.results import read_result
    from flank.plots import PICTURES
    from flank.report.folder import RESULT_FILE, write_pages

    if analysis in PICTURES:
        _ = PICTURES[analysis].draw
    line = sys.stdin.readline().rstrip("\n")
    if not line:
        return 1
    folder = Path(line)
    try:
        for path in write_pages(read_result(folder / RESULT_FILE), folder):
            print(path.name)
    except (OSError, SpecError):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
