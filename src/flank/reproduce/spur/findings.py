"""The numbers that the findings compare, and the rows of the tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from flank.analyses.rolling_dwell import Dwelled
from flank.reproduce.spur.computing import (
    PAPER,
    TORQUE,
    Case,
    Impacts,
    Loaded,
    Swept,
    machine_of,
)
from flank.reproduce.spur.same_gears import Comparisons
from flank.reproduce.spur.table_1 import Table1, frequency_rows, numbers, reduction_rows
from flank.reproduce.study import Finding, Numbers

PRIMARY, SECONDARY = (0.7, 1.1), (0.4, 0.55)
"""Of the natural frequency: where its resonance, and that of half of it, are looked for."""
THIRD = (0.3, 0.38)

NOTHING = (math.nan, math.nan, math.nan)
CHANGES = ("no tip edges", "damping 5 %", "stiff bodies")
PAIRS = ("no tip edges, damping 5 %", "no tip edges, stiff bodies", "damping 5 %, stiff bodies")


class MapRow(NamedTuple):
    """Of the map of jumps; each has a sweep in every column."""

    relief: float  # µm
    restitution: float | None
    damping: float
    torque: float  # N·m


Map = Mapping[MapRow, Sequence[Swept]]


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that was computed; sweeps and motions by the names of their cases."""

    gear: Table1
    loaded: Mapping[bool, Loaded]
    impacts: Mapping[tuple[str, float], Impacts]
    sweeps: Mapping[str, Swept]
    by_torque: Mapping[float, Swept]
    map: Map
    dwelling: Mapping[tuple[str, float, str], Dwelled]
    formulations: Comparisons


def findings(evidence: Evidence) -> list[Finding]:
    computed: dict[str, Any] = {
        **numbers(evidence.gear),
        **_of_impacts(evidence.impacts),
        **_of_sweeps(evidence),
        **_of_map(evidence.map),
        **_of_motions(evidence.dwelling),
        **_of_formulations(evidence.formulations),
        **_of_equations(),
    }
    with_edges = evidence.loaded[True].mesh
    computed["pairs_low"] = float(with_edges.effective_contact_ratio[0])
    computed["pairs_high"] = float(with_edges.effective_contact_ratio[-1])
    for name, edges in (("first_with_edges", True), ("first_without", False)):
        loaded = evidence.loaded[edges]
        computed[name] = loaded.spectrum[loaded.at(500.0), 1] / loaded.spectrum[loaded.at(50.0), 1]
    return PAPER.judged(computed)


def _of_impacts(impacts: Mapping[tuple[str, float], Impacts]) -> dict[str, Any]:
    plain = {torque: each for (name, torque), each in impacts.items() if name == "rigid bodies"}
    middle = plain[TORQUE]
    means = {torque: float(each.frequency.mean()) for torque, each in plain.items()}
    return {
        "impact_mean": means[TORQUE],
        "impact_ratio": float(middle.frequency.max() / middle.frequency.min()),
        "impact_torque": means[max(means)] / means[min(means)],
        "impact_damping": float(100 * middle.damping.mean()),
    }


def _of_sweeps(evidence: Evidence) -> dict[str, Any]:
    published, sweeps = PAPER.published, evidence.sweeps
    paper = sweeps["as the paper has it"]
    vibrating = sweeps["bodies vibrate, no tip edges, damping 5 %"]
    lows = [_lower_end(each) for each in evidence.by_torque.values()]
    return {
        "states_primary": 1 + paper.two_states_at(published["primary"]),
        "states_secondary": 1 + paper.two_states_at(published["secondary"]),
        "paper_peak": paper.peak(*_around(PRIMARY)),
        "paper_second": paper.peak(*_around(SECONDARY)),
        "paper_third": paper.peak(*_around(THIRD)),
        "paper_apart": paper.apart.max(),
        "bands_of_all": len(sweeps["all three"].bands),
        "vibrating_shift": 100 * (_lower_end(vibrating) / _lower_end(sweeps[PAIRS[0]]) - 1),
        "jumping_pairs": sum(bool(sweeps[name].bands) for name in PAIRS),
        "jumping_alone": sum(bool(sweeps[name].bands) for name in CHANGES),
        "jump_change": 100 * (max(lows) / min(lows) - 1),
    }


def _of_map(rows: Map) -> dict[str, Any]:
    """How many of its cases have two states, and what reliefs and restitutions do to that."""
    hertz = PAPER.published["primary"]
    damping = PAPER.published["damping"] / 100

    def jumping(chosen: Callable[[MapRow], bool], at: float | None = None) -> int:
        sweeps = [each for row, columns in rows.items() if chosen(row) for each in columns]
        return sum(bool(each.bands) if at is None else each.two_states_at(at) for each in sweeps)

    upper = [
        float(each.apart.max())
        for columns in rows.values()
        for each in columns
        if each.two_states_at(hertz)
    ]
    columns = sum(len(each) for each in rows.values())
    return {
        "map_count": columns,
        "map_jumping": jumping(lambda _: True),
        "map_at_primary": jumping(lambda _: True, hertz),
        "map_at_published_damping": jumping(lambda row: abs(row.damping - damping) < 1e-9, hertz),
        "map_apart": max(upper, default=math.nan),
        "map_relief": _over(
            jumping(lambda row: row.relief > 0), jumping(lambda row: not row.relief)
        ),
        "map_restitution": _over(
            jumping(lambda row: row.restitution is not None),
            jumping(lambda row: row.restitution is None),
        ),
    }


def _over(some: int, others: int) -> float:
    return some / others if others else math.nan


def _lower_end(swept: Swept) -> float:
    """Of the band below the natural frequency, in Hz."""
    return float(_row(swept)["primary"][0])


def _of_motions(dwelling: Mapping[tuple[str, float, str], Dwelled]) -> dict[str, Any]:
    published = PAPER.published
    first = dwelling["no tip edges, damping 5 %", published["primary"], "above"]
    second = dwelling["all three", published["secondary"], "above"]
    return {
        "apart_primary": first.apart,
        "count_primary": first.losses,
        "harmonic_primary": first.order(1) / first.order(2),
        "count_secondary": second.losses,
        "harmonic_secondary": second.order(2) / second.order(1),
    }


def _of_formulations(formulations: Comparisons) -> dict[str, Any]:
    lost = max(formulations.each, key=lambda each: each.dense.apart)
    hertz = ", ".join(f"{each.hertz:g}" for each in formulations.each)
    return {
        "rolled_coordinates": formulations.coordinates,
        "rolled_hertz": hertz,
        "rolled_difference": 100 * max(abs(each.difference) for each in formulations.each),
        "lost_hertz": lost.hertz,
        "lost_share": lost.dense.apart,
        "lost_difference": lost.fast.apart - lost.dense.apart,
    }


def _of_equations() -> dict[str, Any]:
    """Eq. 6 has k diag(cos α, sin α cos β, cos α sin β); along n = (cos α, sin α, 0) that is
    k (cos³ α + sin³ α)."""
    pair = machine_of(Case()).spec.pair
    angle = pair.working_angle
    return {
        "true_base_radius": 1e3 * pair.first.base_radius,
        "equation_6": math.cos(angle) ** 3 + math.sin(angle) ** 3,
    }


def _around(shares: tuple[float, float]) -> tuple[float, float]:
    frequency = PAPER.published["natural_frequency"]
    return shares[0] * frequency, shares[1] * frequency


def tables(evidence: Evidence) -> dict[str, Sequence[Numbers]]:
    """The rows of all of them by name."""
    return {
        "frequencies": frequency_rows(evidence.gear),
        "reductions": reduction_rows(evidence.gear),
        "mesh-stiffness": _stiffness(evidence.loaded),
        "impacts": [_impact(*key, each) for key, each in evidence.impacts.items()],
        "sweeps": [{"case": name, **_row(each)} for name, each in evidence.sweeps.items()],
        "by-torque": [
            {"torque": torque, **_row(each)} for torque, each in evidence.by_torque.items()
        ],
        "jump-map": [
            {
                **row._asdict(),
                "restitution": "-" if row.restitution is None else f"{row.restitution:g}",
                "bands": [_band(each) for each in sweeps],
            }
            for row, sweeps in evidence.map.items()
        ],
        "dwelling": [_motion(*key, each) for key, each in evidence.dwelling.items()],
    }


def _stiffness(loaded: Mapping[bool, Loaded]) -> list[Numbers]:
    with_edges, without = loaded[True], loaded[False]
    return [
        {
            "torque": torque,
            "edges": 1e-6 * with_edges.spectrum[k],
            "pairs": with_edges.mesh.effective_contact_ratio[k],
            "none": 1e-6 * without.spectrum[k],
            "none_pairs": without.mesh.effective_contact_ratio[k],
        }
        for k, torque in enumerate(with_edges.mesh.torque)
    ]


def _impact(name: str, torque: float, impacts: Impacts) -> Numbers:
    frequency, damping = impacts.frequency, 100 * impacts.damping
    return {
        "case": name,
        "torque": torque,
        "low": frequency.min(),
        "high": frequency.max(),
        "mean": frequency.mean(),
        "least": damping.min(),
        "most": damping.max(),
    }


def _row(swept: Swept) -> dict[str, Any]:
    if not swept.complete:
        return dict.fromkeys(("primary", "secondary", "first", "second", "third"), NOTHING) | {
            "apart": math.nan,
            "losses": math.nan,
        }
    low, high = _around(SECONDARY)
    return {
        "primary": swept.band_near(high, math.inf),
        "secondary": swept.band_near(low, high),
        "first": swept.peak(*_around(PRIMARY)),
        "second": swept.peak(low, high),
        "third": swept.peak(*_around(THIRD)),
        "apart": swept.apart.max(),
        "losses": swept.losses.max(),
    }


def _band(swept: Swept) -> str:
    bands = [f"{low:.0f} to {high:.0f}" for low, high, _ in swept.bands]
    return ", ".join(bands) or "-"


def _motion(name: str, hertz: float, side: str, dwell: Dwelled) -> Numbers:
    return {
        "case": name,
        "hertz": hertz,
        "side": side,
        "dwell": dwell,
        "rms": 1e6 * dwell.rms,
        "first": 1e6 * dwell.order(1),
        "second": 1e6 * dwell.order(2),
        "third": 1e6 * dwell.order(3),
        "force": dwell.forces.max(),
    }
