"""Threads of a GPU that work on one sample together; on a processor each is alone.

A kernel shares a loop over contacts, rows or entries out among its team,

    for k in range(rank(), count, team_size()):
        ...
    wait()

and what every member has found of a sum or a maximum is put together by `team_sum` and
`team_largest`, the same bits for all of them, in an order that is always the same. Whatever is
decided follows from such numbers, so that a team stays together. Alone, the loop is a plain one and
nothing is put together: the compiler leaves nothing of it.

Scratch that each member has for itself (`element` and `block` of a workspace, the row of a search)
needs no waiting; everything else is the sample's, and is waited for before it is read by others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flank.kernel import ForGpu, Kernel, kernel

LARGEST_TEAM = 32
"""Threads of a GPU that go together: a warp."""

COLUMNS = 8
"""Of a team that stands in rows and columns, at most."""


class TeamKernel(Kernel):
    """A kernel of one thread that is another one where threads of a GPU are a team."""

    def __init__(self, alone: Callable[..., Any], of_team: Callable[[int], Any]) -> None:
        super().__init__(alone, internal=True)
        self._of_team = of_team

    def of_team(self, team: int) -> Any:
        return self._of_team(team)

    def device_source(self, target: ForGpu) -> Callable[..., Any]:
        return self.py_func if target.team == 1 else self._of_team(target.team)


class PresentKernel(Kernel):
    """Always true, but for a GPU whose models have nothing of a name: what only they would need is
    then left out."""

    def __init__(self, name: str) -> None:
        super().__init__(_present, internal=True)
        self.of = name

    def device_source(self, target: ForGpu) -> Callable[..., Any]:
        return _absent if self.of in target.absent else _present


def _present() -> bool:
    return True


def _absent() -> bool:
    return False


OF_TEETH, OF_MESHES, OF_BEAMS = "teeth", "meshes", "beams"
OF_PLATES, OF_COUPLED = "plates", "coupled springs"

has_teeth = PresentKernel(OF_TEETH)
has_meshes = PresentKernel(OF_MESHES)
has_beams = PresentKernel(OF_BEAMS)
has_plates = PresentKernel(OF_PLATES)
has_coupled = PresentKernel(OF_COUPLED)


def for_teams(of_team: Callable[[int], Any]) -> Callable[[Callable[..., Any]], TeamKernel]:
    """Decorate what one thread does alone; `of_team` gives what one of so many does, which the
    processor's compiler never sees: it decides as if there were no teams."""
    return lambda alone: TeamKernel(alone, of_team)


def _rank_in(team: int) -> Any:
    from numba import cuda, int64

    def rank() -> Any:
        return int64(cuda.laneid) & (team - 1)

    return rank


def _row_in(team: int) -> Any:
    from numba import cuda, int64

    columns = min(team, COLUMNS)

    def row_rank() -> Any:
        return (int64(cuda.laneid) & (team - 1)) // columns

    return row_rank


def _column_in(team: int) -> Any:
    from numba import cuda, int64

    columns = min(team, COLUMNS)

    def column_rank() -> Any:
        return int64(cuda.laneid) & (columns - 1)

    return column_rank


def _size_of(team: int) -> Any:
    def team_size() -> int:
        return team

    return team_size


def _mask_of(team: int) -> Any:
    """The members of a thread's team, by the bits of their places in a warp."""
    from numba import cuda

    everyone = 0xFFFFFFFF
    if team == LARGEST_TEAM:

        def mask() -> Any:
            return everyone

    else:
        members = (1 << team) - 1

        def mask() -> Any:
            return members << (cuda.laneid & ~(team - 1))

    return cuda.jit(device=True)(mask)


def _waiting(team: int) -> Any:
    from numba import cuda

    mask = _mask_of(team)

    def wait() -> None:
        cuda.syncwarp(mask())

    return wait


def _told_in(team: int) -> Any:
    from numba import cuda

    mask = _mask_of(team)

    def team_told(value: float, member: int) -> Any:
        first = cuda.laneid & ~(team - 1)
        return cuda.shfl_sync(mask(), value, first + member)

    return team_told


def _summed_in(team: int) -> Any:
    from numba import cuda

    mask = _mask_of(team)

    def team_sum(value: float) -> Any:
        distance = team >> 1
        while distance > 0:
            value += cuda.shfl_xor_sync(mask(), value, distance)
            distance >>= 1
        return value

    return team_sum


def _largest_in(team: int) -> Any:
    from numba import cuda

    mask = _mask_of(team)

    def team_largest(value: float) -> Any:
        distance = team >> 1
        while distance > 0:
            value = max(value, cuda.shfl_xor_sync(mask(), value, distance))
            distance >>= 1
        return value

    return team_largest


def _flags_in(team: int) -> Any:
    from numba import cuda, int64

    mask = _mask_of(team)
    if team == LARGEST_TEAM:

        def team_flags(flag: bool) -> Any:
            return int64(cuda.ballot_sync(mask(), flag)) & 0xFFFFFFFF

    else:
        members = (1 << team) - 1

        def team_flags(flag: bool) -> Any:
            first = cuda.laneid & ~(team - 1)
            return (int64(cuda.ballot_sync(mask(), flag)) >> first) & members

    return team_flags


def _first_in(team: int) -> Any:
    from numba import cuda, int64

    def first_of(flags: int) -> Any:
        return int64(cuda.ffs(flags)) - 1

    return first_of


@for_teams(_rank_in)
def rank() -> int:
    """A thread's number in its team, from zero."""
    return 0


@for_teams(_size_of)
def team_size() -> int:
    return 1


@for_teams(_row_in)
def row_rank() -> int:
    """A thread's row where its team stands in rows of `columns` for the entries of a matrix."""
    return 0


@for_teams(_column_in)
def column_rank() -> int:
    """Its column."""
    return 0


@for_teams(lambda team: _size_of(team // min(team, COLUMNS)))
def rows() -> int:
    return 1


@for_teams(lambda team: _size_of(min(team, COLUMNS)))
def columns() -> int:
    return 1


@for_teams(_waiting)
def wait() -> None:
    """Until all of the team are here, and see what the others have written."""


@for_teams(_told_in)
def team_told(value: float, member: int) -> float:
    """What one member has as `value`, for all."""
    return value


@for_teams(_flags_in)
def team_flags(flag: bool) -> int:
    """A bit for each member, set where its flag is."""
    return 1 if flag else 0


@for_teams(_first_in)
def first_of(flags: int) -> int:
    """The first member whose bit is set."""
    return 0


@for_teams(_summed_in)
def team_sum(value: float) -> float:
    return value


@for_teams(_largest_in)
def team_largest(value: float) -> float:
    return value


@kernel(internal=True)
def team_any(flag):  # type: ignore[no-untyped-def]
    return team_largest(1 if flag else 0) > 0
