"""From requirements to a shortlist.

    1. whole numbers by enumeration, continuous values on a coarse grid, sizes by closed forms;
       candidates that cannot be fall, each with a reason
    2. the best of every set of whole numbers, by the rule of ranking, is refined: continuous values
       by real static solves within the limits
       of the requirements and of `flank check`, whose rules are limits of the search; what keeps
       not all of them falls
    3. the best of them are verified

Candidates are put in order by what they are, so the order in which they were found does not count;
nothing hangs on time. Sets of whole numbers are refined side by side, each by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flank.blas import one_blas_thread, usable_cores
from flank.design.candidate import Candidate
from flank.design.falls import Falls
from flank.design.measure import Asked, Measured
from flank.design.ranking import RANKINGS
from flank.design.refine import IN_HAND, DesignTrials, refine
from flank.design.verification import Verification, verify
from flank.errors import SpecError

if TYPE_CHECKING:
    from flank.design.candidate import Designer
    from flank.design.overview import Size
    from flank.design.problem import Trial
    from flank.design.requirements import Requirements
    from flank.studies.study import Pace

Tell = Callable[[float, str], None]
"""To be told the share done, and what is being done."""

ROUNDS, GREATER = 4, 0.3
"""How often larger machines are tried where too few pass, and by how much larger they are."""

REFINING, VERIFYING = 0.6, 1.0
"""Shares of the whole until which these take."""


@dataclass(frozen=True)
class Design:
    """One machine of the shortlist."""

    candidate: Candidate
    spec: dict[str, Any]
    measured: Measured
    verification: Verification | None = None

    @property
    def machine(self) -> Any:
        return self.measured.machine


@dataclass(frozen=True)
class Shortlist:
    """Designs, the best first; how many candidates there were, and why the others fell."""

    wanted: Requirements
    designs: tuple[Design, ...]
    falls: Falls
    enumerated: int
    refined: int
    evaluations: int
    sizes: Callable[[Any], Sequence[Size]]
    title: str

    @property
    def specs(self) -> list[dict[str, Any]]:
        """Of the designs, as files hold them."""
        return [design.machine.spec.to_mapping() for design in self.designs]

    @property
    def rule(self) -> str:
        return RANKINGS[self.wanted.rank].words


def find_designs(designer: Designer, tell: Tell | None = None) -> Shortlist:
    """SpecError where nothing is found, with what limits it and by how much."""
    say = tell or (lambda share, words: None)
    wanted, falls = designer.wanted, Falls()
    if problems := list(designer.ratio_problems()):
        raise SpecError(problems)
    say(0.0, "enumerating")
    candidates = sorted(designer.candidates(falls), key=lambda each: each.order)
    enumerated = len(candidates) + falls.total
    refined, found = _searched(designer, best_of_each(candidates), falls, say)
    tried = {trials.candidate for trials in refined}
    for candidate in candidates:
        if candidate not in tried:
            falls.add("ranked-behind", words="enough others come before by what they are ranked by")
    found.sort(key=lambda each: _rank(each, wanted))
    designs = tuple(_verified(designer, found, falls, say))
    if not designs:
        raise SpecError(why_none(wanted, falls))
    evaluations = sum(len(trials.all) for trials in refined)
    counts = enumerated, len(refined), evaluations
    return Shortlist(wanted, designs, falls, *counts, designer.sizes, designer.title)


def best_of_each(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The first of every set of whole numbers, in the order of all."""
    first: dict[Any, Candidate] = {}
    for each in candidates:
        first.setdefault(each.numbers, each)
    return list(first.values())


def _rank(design: Design, wanted: Requirements) -> tuple[Any, ...]:
    cost = RANKINGS[wanted.rank].cost(design.measured)
    return float(f"{cost:.9g}"), design.candidate.numbers


def _searched(
    designer: Designer, heads: Sequence[Candidate], falls: Falls, say: Any
) -> tuple[list[DesignTrials], list[Design]]:
    """The best sets of whole numbers, refined; where fewer of them pass than are wanted, the best
    of those whose cost by closed forms is larger by GREATER, and so on."""
    refined: list[DesignTrials] = []
    found: list[Design] = []
    waiting = list(heads)
    for _ in range(ROUNDS):
        batch, waiting = waiting[: designer.heads], waiting[designer.heads :]
        trials = _refined(designer, batch, say)
        refined += trials
        found += [best for each in trials if (best := _best(each, falls)) is not None]
        if len(found) >= designer.wanted.designs or not waiting:
            break
        beyond = batch[-1].score + GREATER * abs(batch[-1].score)
        waiting = [each for each in waiting if each.score >= beyond]
    return refined, found


def _refined(designer: Designer, heads: Sequence[Candidate], say: Any) -> list[DesignTrials]:
    tried = [0] * len(heads)

    def one(place: int) -> DesignTrials:
        def tell(pace: Pace) -> None:
            tried[place] = pace.known
            say(REFINING * sum(tried) / (len(heads) * designer.evaluations), "refining")

        trials = refine(designer, heads[place], designer.evaluations, tell)
        tried[place] = designer.evaluations
        return trials

    with one_blas_thread(), ThreadPoolExecutor(usable_cores()) as pool:
        return list(pool.map(one, range(len(heads))))


def _best(trials: DesignTrials, falls: Falls) -> Design | None:
    """The best trial of one candidate that keeps all limits; where none does, the reason of the
    nearest is told."""
    good = sorted(
        (each for each in trials.all if trials.reply(each).good),
        key=lambda each: (trials.reply(each).cost, each.number),
    )
    if not good:
        _tell_nearest(trials, falls)
        return None
    spec, measured = trials.built[good[0].number]
    return Design(trials.candidate, spec, measured)


def _tell_nearest(trials: DesignTrials, falls: Falls) -> None:
    allowed = [each for each in trials.all if each.allowed]
    if not allowed:
        first: Trial = trials.all[0]
        falls.add(first.refusal, words=first.warnings[0] if first.warnings else "")
        return
    nearest = min(allowed, key=lambda each: (trials.reply(each).violation, each.number))
    measured = trials.built[nearest.number][1]
    name = max(measured.excesses, key=lambda each: (measured.excesses[each], each))
    excess, words = measured.excesses[name], measured.words_of(name)
    if excess <= 0:  # kept, but by too little
        words = f"{words}, and {100 * IN_HAND:g} % is kept in hand"
    falls.add(name, 1 + excess, words)


def _verified(
    designer: Designer, found: Sequence[Design], falls: Falls, say: Any
) -> Iterator[Design]:
    wanted = designer.wanted
    draws = getattr(wanted, "draws", 0)
    kept = 0
    for design in found:
        if kept == wanted.designs:
            falls.add("ranked-behind", words="enough others come before by what they are ranked by")
            continue
        begin = REFINING + (VERIFYING - REFINING) * kept / wanted.designs
        width = (VERIFYING - REFINING) / wanted.designs

        def tell(share: float, begin: float = begin, width: float = width) -> None:
            say(begin + width * share, "verifying")

        answer = verify(design.machine, designer.verified_by, draws, wanted.seed + 1, tell)
        if not answer.passed:
            falls.add("verification", words=answer.failures[0])
            continue
        asked = tuple(getattr(designer, "asked_of_runs", _nothing)(answer.results))
        worst = max(asked, key=lambda each: each.excess, default=None)
        if worst is not None and worst.excess > 0:
            falls.add(worst.name, 1 + worst.excess, worst.words)
            continue
        kept += 1
        yield Design(design.candidate, design.spec, design.measured, replace(answer, asked=asked))


def _nothing(results: Any) -> tuple[Asked, ...]:
    """What most kinds ask of the runs that verify them: that they complete."""
    return ()


def why_none(wanted: Requirements, falls: Falls) -> list[str]:
    """Which reasons felled candidates, the most frequent first, and how near the nearest came."""
    sentences = [f"no design found; {falls.total} candidates fell"]
    for code, reason in list(falls)[:5]:
        beyond = ""
        if 1 < reason.nearest < float("inf"):
            beyond = f", the nearest by {100 * (reason.nearest - 1):.3g} %"
        sentences.append(f"{reason.count} by {code.replace('-', ' ')}{beyond}: {reason.words}")
    return ["; ".join(sentences)]
