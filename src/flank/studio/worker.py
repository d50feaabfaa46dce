"""A thread that does the newest job: one that waits is dropped, one that runs is told to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Superseded(BaseException):
    """Something newer is asked, or nothing any more; no error, so that nothing that goes on after
    an error goes on after it."""


class Turn:
    """One job's turn; it asks by this whether it still matters."""

    def __init__(self, worker: Worker, number: int) -> None:
        self._worker, self._number = worker, number

    @property
    def superseded(self) -> bool:
        return self._worker.number != self._number

    def check(self, share: float = 0.0) -> None:
        """Raises Superseded where the job no longer matters; may be the progress of a run."""
        if self.superseded:
            raise Superseded

    def wait(self, seconds: float) -> None:
        """Raises Superseded as soon as something newer comes."""
        self._worker.wait_for_newer(self._number, seconds)
        self.check()


Job = Callable[[Turn], None]


class Worker:
    """Jobs one after the other in a thread of its own; `failed` is told what they raise."""

    def __init__(self, name: str, failed: Callable[[Exception], None]) -> None:
        self._changed = threading.Condition()
        self._waiting: Job | None = None
        self._closed = False
        self._failed = failed
        self.number = 0
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """In place of what waits or runs."""
        with self._changed:
            self._waiting = job
            self._step()

    def cancel(self) -> bool:
        """Nothing is wanted any more; whether a job was dropped before it began."""
        with self._changed:
            dropped = self._waiting is not None
            self._waiting = None
            self._step()
        return dropped

    def close(self) -> None:
        """As `cancel`, for good; the thread ends as soon as its job sees it."""
        with self._changed:
            self._waiting, self._closed = None, True
            self._step()

    def _step(self) -> None:
        self.number += 1
        self._changed.notify_all()

    def wait_for_newer(self, number: int, seconds: float) -> None:
        end = time.monotonic() + seconds
        with self._changed:
            while self.number == number and (left := end - time.monotonic()) > 0:
                self._changed.wait(left)

    def _work(self) -> None:
        while True:
            with self._changed:
                while self._waiting is None and not self._closed:
                    self._changed.wait()
                if self._waiting is None:
                    return
                job, self._waiting = self._waiting, None
                turn = Turn(self, self.number)
            try:
                job(turn)
            except Superseded:
                continue
            except Exception as error:  # whatever it is, the page goes on and is told
                self._failed(error)
