"""What takes long in a tab, one thing at a time: an analysis, a design, a study, a dossier, a file
of the parts. Each tells how far it is, can be cancelled, and leaves nothing behind where it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from flank.errors import SpecError
from flank.studio import saving, sources
from flank.studio.preparing import kernels_told
from flank.studio.worker import Superseded, Turn, Worker

OFTEN = 0.1
"""s between two words about how far a job is."""

Tell = Callable[[dict[str, Any]], None]


class Pace:
    """To be told the share done, and what is being done; raises Superseded where a job is no longer
    wanted, so that whatever tells it stops there. Any thread may tell."""

    def __init__(self, turn: Turn, number: int, tell: Tell) -> None:
        self._turn, self._number, self._tell = turn, number, tell
        self._said = time.monotonic()
        self._share = 0.0

    def say(self, words: str) -> None:
        """Words alone, at once; raises nothing."""
        self._tell(
            {"tell": "progress", "number": self._number, "share": self._share, "words": words}
        )

    def __call__(self, share: float, words: str = "", **more: Any) -> None:
        self._turn.check()
        self._share = float(share)
        if more or time.monotonic() - self._said > OFTEN:
            self._said = time.monotonic()
            told = {"tell": "progress", "number": self._number, "share": float(share)}
            self._tell({**told, "words": words, **more})


Job = Callable[[Pace], dict[str, Any]]
"""What it answers is told; SpecError is told as a refusal."""


class Jobs:
    """Those of one tab, in a thread of their own; what can be saved of them is kept."""

    def __init__(self, start: Path, tell: Tell, failed: Callable[[Exception], None]) -> None:
        self.worker = Worker("flank-studio-runs", failed)
        self._start, self._tell, self._failed = start, tell, failed
        self._number = 0
        self.result: tuple[Any, Any] | None = None
        self.shortlist: Any = None

    def begin(self, number: int, job: Job) -> None:
        """In place of what runs or waits, which is told that it is cancelled."""
        self.cancel()
        self._number = number
        self.worker.submit(lambda turn: self._do(turn, number, job))

    def cancel(self) -> None:
        """The job that runs says itself when it has stopped; one that waits cannot."""
        if self.worker.cancel():
            self._tell({"tell": "cancelled", "number": self._number})

    def _do(self, turn: Turn, number: int, job: Job) -> None:
        pace = Pace(turn, number, self._tell)
        try:
            with kernels_told(pace.say):
                told = job(pace)
            turn.check()
        except SpecError as error:
            self._tell({"tell": "run-refused", "number": number, "problems": error.problems})
        except Superseded:
            self._tell({"tell": "cancelled", "number": number})
            raise
        except Exception as error:
            self._failed(error)
            self._tell({"tell": "cancelled", "number": number})
        else:
            self._tell({"number": number, **told})

    # --- what there is to do

    def analysis(self, machine: Any, name: str) -> Job:
        """With the settings that it has if nothing is said."""

        def run(pace: Pace) -> dict[str, Any]:
            from flank.studio import answers

            result = answers.run(machine(), name, {}, pace)
            self.result = machine(), result
            return {"tell": "result", **answers.told_of(result)}

        return run

    def design(self, kind: str, given: Mapping[str, Any]) -> Job:
        """A shortlist from requirements, as `flank design` finds it."""

        def search(pace: Pace) -> dict[str, Any]:
            from flank.design.designable import design
            from flank.studio import designs

            self.shortlist = design(kind, sources.given_values(given), pace)
            return {"tell": "designs", **designs.told_of(self.shortlist)}

        return search

    def study(self, folder: str, made: Callable[[], Any] | None) -> Job:
        """A new study of a name, or the one that is there, gone on with."""

        def run(pace: Pace) -> dict[str, Any]:
            from flank.studio import studies

            return {"tell": "study", **studies.run(self._start, folder, made, pace)}

        return run

    def dossier(self, machine: Any, name: str, revision: str, author: str) -> Job:
        """Everything about the machine, into a folder of its own."""

        def make(pace: Pace) -> dict[str, Any]:
            from flank.report.dossier import Dossier

            saving.check_folder(name, self._start)
            made = Dossier.of(machine(), revision, author, pace)
            pace(1.0, "writing")
            folder = saving.save_document(made.document, name, self._start)
            verdict = made.document.verdict
            return {
                "tell": "kept",
                "name": folder,
                "folder": str(self._start),
                "words": [verdict.headline if verdict else ""],
                "parts": [[each.asked.heading, each.told] for each in made.answers],
            }

        return make

    def parts(self, machine: Any, name: str, kind: str) -> Job:
        """The machine's parts as a file for CAD."""

        def make(pace: Pace) -> dict[str, Any]:
            pace(0.0, "drawing the parts")
            file, meaning = saving.save_parts(machine(), name, kind, self._start, pace)
            words = [meaning]
            told = {"tell": "kept", "name": file, "folder": str(self._start)}
            return {**told, "words": words, "parts": []}

        return make
