"""Threads of the processor in place of a GPU's team: kernels run as the Python that they are, each
member of the team in a thread of its own."""

import threading

from flank import team
from flank.dynamics import linear


class PretendedTeam:
    """Of so many members, while it stands; `call` has all of them call a function, each with what
    is its own."""

    def __init__(self, monkeypatch, members):
        self.members, self._own = members, threading.local()
        self._barrier = threading.Barrier(members)
        self._told = [None] * members
        columns = min(members, team.COLUMNS)
        rank = lambda: self._own.rank  # noqa: E731
        for kernel, function in (
            (team.rank, rank),
            (team.team_size, lambda: members),
            (team.row_rank, lambda: rank() // columns),
            (team.column_rank, lambda: rank() % columns),
            (team.rows, lambda: members // columns),
            (team.columns, lambda: columns),
            (team.wait, self._wait),
            (team.team_told, lambda value, member: self._all(value)[member]),
            (team.team_flags, lambda flag: self._flags(self._all(flag))),
            (team.first_of, lambda flags: (flags & -flags).bit_length() - 1),
            (linear.place_of, linear.place_of.of_team(members)),
            (team.team_sum, lambda value: sum(self._all(value))),
            (team.team_largest, lambda value: max(self._all(value))),
        ):
            monkeypatch.setattr(kernel, "py_func", function)

    @staticmethod
    def _flags(flags):
        return sum(1 << number for number, flag in enumerate(flags) if flag)

    def _wait(self):
        self._barrier.wait(timeout=20)

    def _all(self, value):
        self._told[self._own.rank] = value
        self._wait()
        values = list(self._told)
        self._wait()
        return values

    def call(self, function, arguments):
        """What each member returns; `arguments` are those of one, by its number."""
        results, failures = [None] * self.members, []

        def run(number):
            self._own.rank = number
            try:
                results[number] = function(*arguments(number))
            except BaseException as failure:
                failures.append(failure)
                self._barrier.abort()

        threads = [threading.Thread(target=run, args=(k,)) for k in range(self.members)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        return results
