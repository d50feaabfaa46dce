"""The numbers that the findings compare, and the rows of the tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from flank.analyses.rolling_dwell import Dwelled
from flank.reproduce.spur.computing import (
    PAPER,
    TORQUE,
    Impacts,
    Loaded,
    Swept,
)
from flank.reproduce.spur.motions import Dwelling, numbers_of_motions
from flank.reproduce.spur.same_gears import Formulations
from flank.reproduce.spur.slips import numbers_of_equations
from flank.reproduce.spur.table_1 import Table1, frequency_rows, numbers, reduction_rows
from flank.reproduce.study import Numbers

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
    dwelling: Dwelling
    formulations: Formulations


def numbers_of(evidence: Evidence) -> dict[str, Any]:
    """All that findings and notes name."""
    return {
        **numbers(evidence.gear),
        **_of_impacts(evidence.impacts),
        **_of_sweeps(evidence),
        **_of_loaded(evidence.loaded),
        **_of_map(evidence.map),
        **numbers_of_motions(evidence.dwelling),
        **_of_formulations(evidence.formulations),
        **numbers_of_equations(),
    }


def _of_loaded(loaded: Mapping[bool, Loaded]) -> dict[str, Any]:
    """Of k_c, Eq. 7, and of the whole mesh; first harmonics at 500 over those at 50 N·m."""
    mesh = loaded[True].mesh
    contacts = mesh.contact_stiffness[loaded[True].at(TORQUE)]
    computed = {
        "pairs_low": float(mesh.effective_contact_ratio[0]),
        "pairs_high": float(mesh.effective_contact_ratio[-1]),
        "contact_means": 1e-6 * loaded[True].contact_spectrum[:, 0],
        "contact_ratio_of_zones": float(contacts.max() / contacts.min()),
    }
    for name, edges in (("with_edges", True), ("without", False)):
        each = loaded[edges]
        low, high = each.at(50.0), each.at(500.0)
        first, mean = each.contact_spectrum[:, 1], each.contact_spectrum[:, 0]
        computed[f"first_{name}"] = each.spectrum[high, 1] / each.spectrum[low, 1]
        computed[f"contact_first_{name}"] = first[high] / mean[high] / (first[low] / mean[low])
    return computed


def _of_impacts(impacts: Mapping[tuple[str, float], Impacts]) -> dict[str, Any]:
    plain = {torque: each for (name, torque), each in impacts.items() if name == "rigid bodies"}
    middle, vibrating = plain[TORQUE], impacts["bodies vibrate", TORQUE]
    means = {torque: float(each.frequency.mean()) for torque, each in plain.items()}
    return {
        "vibrating_mean": float(vibrating.frequency.mean()),
        "vibrating_damping": float(100 * vibrating.damping.mean()),
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
        "paper_peaks": [paper.peak(*_around(place))[1] for place in (PRIMARY, SECONDARY, THIRD)],
        "softening": _lower_end(sweeps[PAIRS[0]]) / published["natural_frequency"],
        "band_width": -np.subtract(*_row(sweeps[PAIRS[0]])["primary"][:2]),
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

    there = [
        (abs(row.damping - damping) < 1e-9, each.apart_at(hertz))
        for row, columns in rows.items()
        for each in columns
        if each.two_states_at(hertz)
    ]
    some = next(iter(rows.values()))[0]
    columns = sum(len(each) for each in rows.values())
    return {
        "map_count": columns,
        "map_jumping": jumping(lambda _: True),
        "map_at_primary": jumping(lambda _: True, hertz),
        "map_at_published_damping": jumping(lambda row: abs(row.damping - damping) < 1e-9, hertz),
        "map_apart": _ends([share for _, share in there]),
        "map_apart_published": _ends([share for published, share in there if published]),
        "map_seconds": some.seconds,
        "map_relief": _over(
            jumping(lambda row: row.relief > 0), jumping(lambda row: not row.relief)
        ),
        "map_restitution": _over(
            jumping(lambda row: row.restitution is not None),
            jumping(lambda row: row.restitution is None),
        ),
    }


def _ends(values: Sequence[float]) -> list[float]:
    """The least and the largest of them."""
    return [min(values, default=math.nan), max(values, default=math.nan)]


def _over(some: int, others: int) -> float:
    return some / others if others else math.nan


def _lower_end(swept: Swept) -> float:
    """Of the band below the natural frequency, in Hz."""
    return float(_row(swept)["primary"][0])


def _of_formulations(formulations: Formulations) -> dict[str, Any]:
    usual = formulations.usual
    lost = max(usual.each, key=lambda each: each.dense.apart)
    return {
        "rolled_coordinates": usual.coordinates,
        "rolled_hertz": ", ".join(f"{each.hertz:g}" for each in usual.each),
        "rolled_differences": [100 * each.difference for each in usual.each],
        "rolled_difference": 100 * usual.largest,
        "more_difference": 100 * formulations.more.largest,
        "by_load_hertz": ", ".join(f"{each.hertz:g}" for each in formulations.by_load.each),
        "by_load_difference": 100 * formulations.by_load.largest,
        "unbalanced": 100 * formulations.unbalanced,
        "lost_hertz": lost.hertz,
        "lost_share": lost.dense.apart,
        "lost_difference": lost.fast.apart - lost.dense.apart,
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
                "apart": [float(each.apart.max()) for each in sweeps],
            }
            for row, sweeps in evidence.map.items()
        ],
        "dwelling": [_motion(*key, each) for key, each in evidence.dwelling.items()],
        "formulations": [
            {
                "hertz": usual.hertz,
                "usual": usual,
                "more": more,
                "ours": 1e6 * usual.fast.rms,
                "theirs": 1e6 * usual.dense.rms,
            }
            for usual, more in zip(
                evidence.formulations.usual.each, evidence.formulations.more.each, strict=True
            )
        ],
    }


def _stiffness(loaded: Mapping[bool, Loaded]) -> list[Numbers]:
    with_edges, without = loaded[True], loaded[False]
    return [
        {
            "torque": torque,
            "edges": 1e-6 * with_edges.spectrum[k],
            "pairs": with_edges.mesh.effective_contact_ratio[k],
            "contact": 1e-6 * with_edges.contact_spectrum[k],
            "none_contact": 1e-6 * without.contact_spectrum[k],
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
