"""The numbers that the findings compare, and the rows of the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from flank.reproduce.hypoid.computing import DESIGNED, PAPER, STAND_IN, Costs, Errors, Rolled
from flank.reproduce.hypoid.one_position import SINGLE, Position, Printed
from flank.reproduce.hypoid.unloaded import Misaligned, Unloaded
from flank.reproduce.study import Finding, Numbers


@dataclass(frozen=True, eq=False)
class PairEvidence:
    """All that was computed of a pair; rolls by case, transmission errors by number of positions,
    contact without load by whether the driving flanks touch."""

    roll: Rolled
    growing: Rolled
    position: Position
    printed: Printed
    errors: Mapping[int, Errors]
    costs: Costs
    unloaded: Mapping[bool, Unloaded]
    misaligned: Mapping[bool, Misaligned]


Evidence = Mapping[str, PairEvidence]
"""By pair."""


def findings(evidence: Evidence) -> list[Finding]:
    names = {STAND_IN: "stand_in", DESIGNED: "designed"}
    computed: dict[str, Any] = {
        names[pair]: SimpleNamespace(**_numbers(each)) for pair, each in evidence.items()
    }
    single = evidence[STAND_IN].printed
    times = PAPER.published["times"]
    growth = np.log(times["old/200"] / times["old/40"]) / np.log(5)
    few, many = sorted(evidence[STAND_IN].errors)
    computed |= {
        "few": few,
        "many": many,
        "single_half": single.single[0.5] / 0.5,
        "single_count": len(SINGLE),
        "single_circles": sum(single.single_circles.values()),
        "single_pulls": sum(single.single_pulls.values()),
        "single_bad": sum(single.single_circles.values()) + sum(single.single_pulls.values()),
        "printed_growth": float(growth),
    }
    return PAPER.judged(computed)


def _numbers(pair: PairEvidence) -> dict[str, Any]:
    return {
        **_of_rolls(pair.roll, pair.growing),
        **_of_position(pair.position, pair.printed),
        **_of_errors(pair.errors),
        **_of_costs(pair.costs),
        "driving": pair.unloaded[True],
        "coasting": pair.unloaded[False],
        "crossing": float(np.degrees(pair.unloaded[True].crossing[0])),
        "rise": pair.unloaded[True].crossing[1],
        "mirror_difference": abs(pair.unloaded[True].mirrored - pair.unloaded[True].peak_to_peak),
    }


def _of_rolls(roll: Rolled, growing: Rolled) -> dict[str, Any]:
    pairs = zip(growing.cases[::2], growing.cases[1::2], strict=True)
    return {
        "offset_size": abs(roll.offset("new/40", "old/200")),
        "jump": roll.jump("new/40") / roll.jump("old/40"),
        "jump_200": roll.jump("new/40") / roll.jump("old/200"),
        "bend": roll.jump("new/200") / roll.jump("old/40"),
        "own_jump": roll.own_jump("new/40") / roll.own_jump("old/40"),
        "roughness": roll.roughness("new/40") / roll.roughness("old/40"),
        "least_force": float(roll.least_force.min()),
        "ways": float(roll.way_difference[roll.row("new/40")]),
        "apart": np.array([abs(growing.offset(new, old)) for old, new in pairs]),
        "counts": ", ".join(case.partition("/")[2] for case in growing.cases[::2]),
    }


def _of_position(position: Position, printed: Printed) -> dict[str, Any]:
    return {
        "teeth": len(np.unique(position.load.tooth[position.forces > 0])),
        "first_pulls": int((position.deleted[0] < 0).sum()),
        "old_steps": len(position.deleted),
        "new_steps": len(position.settled) - 1,
        "kernel_difference": float(np.abs(position.settled[-1] - position.forces).max()),
        "angle_error": position.slope_error,
        "angles": (float(position.angle.min()), float(position.angle.max())),
        "negative_share": 100 * printed.negative_share,
        "pulling": float(printed.pulling.mean()),
        "pulling_share": 100 * float(np.mean(printed.pulling > 0)),
        "circling": int(printed.circling.sum()),
        "printed_steps": float(printed.steps[0].mean()),
    }


def _of_errors(errors: Mapping[int, Errors]) -> dict[str, Any]:
    few, many = (errors[count] for count in sorted(errors))
    return {
        "error_span": float(np.ptp(many.loaded["new/40"])),
        "bump_growth": many.visible("old/40") / few.visible("old/40"),
        "new_bumps": many.visible("new/40") / many.visible("old/40"),
    }


def _of_costs(costs: Costs) -> dict[str, Any]:
    time = costs.time
    return {
        "cost": time["new/40"],
        "cost_ratio": time["old/200"] / time["new/40"],
        "cost_same": time["new/40"] / time["old/40"],
        "growth": float(np.log(time["old/200"] / time["old/40"]) / np.log(5)),
    }


def tables(evidence: Evidence) -> dict[str, Sequence[Numbers]]:
    """The rows of all of them by name."""
    return {
        "rolls": [row for pair, each in evidence.items() for row in _rolls(pair, each.roll)],
        "points": [row for pair, each in evidence.items() for row in _growing(pair, each.growing)],
        "costs": [row for pair, each in evidence.items() for row in _costs(pair, each.costs)],
        "unloaded": [row for pair, each in evidence.items() for row in _unloaded(pair, each)],
        "misaligned": [row for pair, each in evidence.items() for row in _misaligned(pair, each)],
        "printed": _single(evidence[STAND_IN].printed),
    }


def _rolls(pair: str, roll: Rolled) -> Iterator[Numbers]:
    for k, case in enumerate(roll.cases):
        yield {
            "pair": pair,
            "case": case,
            "mean": roll.mean(case),
            "span": float(np.ptp(roll.torque[k])),
            "offset": roll.offset(case, "old/200"),
            "jump": roll.jump(case) * np.pi / 180,
            "roughness": roll.roughness(case) * np.pi / 180,
            "ways": roll.way_difference[k],
            "least": roll.least_force[k],
        }


def _growing(pair: str, roll: Rolled) -> Iterator[Numbers]:
    for old, new in zip(roll.cases[::2], roll.cases[1::2], strict=True):
        yield {
            "pair": pair,
            "points": int(old.partition("/")[2]),
            "old": roll.mean(old),
            "new": roll.mean(new),
            "apart": roll.offset(new, old),
        }


def _costs(pair: str, costs: Costs) -> Iterator[Numbers]:
    for case, here in costs.time.items():
        yield {
            "pair": pair,
            "case": case,
            "paper": PAPER.published["times"].get(case, np.nan),
            "here": here,
            "search": costs.search[int(case.partition("/")[2])],
            "points": costs.points[case],
            "ratio": here / costs.time["new/40"],
        }


def _unloaded(pair: str, evidence: PairEvidence) -> Iterator[Numbers]:
    for driving, each in evidence.unloaded.items():
        yield {
            "pair": pair,
            "flanks": "driving" if driving else "coasting",
            "push": f"{each.push:+d}",
            "crossing": float(np.degrees(each.crossing[0])),
            "rise": each.crossing[1],
            "span": each.peak_to_peak,
            "turned": each.turned_difference,
            "edge": 100 * each.on_edge,
            "mirrored": each.mirrored,
        }


def _misaligned(pair: str, evidence: PairEvidence) -> Iterator[Numbers]:
    for driving, each in evidence.misaligned.items():
        for (name, amount), span in each.span.items():
            yield {
                "pair": pair,
                "flanks": "driving" if driving else "coasting",
                "misalignment": name.upper(),
                "amount": amount,
                "span": span,
                "edge": 100 * each.on_edge[name, amount],
                "place": each.place[name, amount],
            }


def _single(printed: Printed) -> list[Numbers]:
    """One section of unit spread and compliance, and the law of the proportion itself."""
    rows: list[Numbers] = []
    for depth in SINGLE:
        share = min(max(0.5 + depth, 0.0), 1.0)
        rows.append(
            {
                "depth": depth,
                "law": share * (depth + 0.5 * (1 - share)),
                "printed": printed.single[depth],
                "what": "circles"
                if printed.single_circles[depth]
                else "pulls"
                if printed.single_pulls[depth]
                else "",
            }
        )
    return rows
