"""Where sweeps of a gear pair jump, by when the damping acts: the engine beside one oscillator.

    python validation/jump_frequencies.py

writes docs/validation/jump_frequencies.md, and the tables of docs/theory/gear_dynamics.md.

Every case is also a test, those of the engine by night.
"""

import math
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "pages"))
from cases import Case, as_table, finish
from marked import write_marked
from one_oscillator import FAR, PLACES, Jumps, Sweep, jumps

import flank
from flank.arrays import Floats
from flank.machines.gear_pair.machine import GearPairMachine
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import stiffness_table

DOCS = Path(__file__).parent.parent / "docs"
PAGE, THEORY = DOCS / "validation" / "jump_frequencies.md", DOCS / "theory" / "gear_dynamics.md"

PRESET, NATURAL, DAMPING = "spur-bruzzone", 2700.0, 0.05
"""Its natural frequency is in Hz."""

CHECKED = {"in contact": 0.61, "always": 0.78}
"""Jumps down over the natural frequency in an independent check at the same damping ratio."""

HARMONIC = 0.24
"""Amplitude over the mean of a harmonic stiffness, inferred from the check's jump in contact, since
its stiffness is not known; that the other jump follows is what is tested."""

ACTS = ("in contact", "always")
SWEEP = Sweep()


def pair_of(edges: bool, acts: str) -> GearPairMachine:
    changes = {"mesh.tip_edge_contact": edges, "mesh.damping_acts": acts}
    machine = flank.preset(PRESET, changes | {"damping_ratio": f"{100 * DAMPING:g} percent"})
    assert isinstance(machine, GearPairMachine)
    return machine


@cache
def engine(edges: bool, acts: str) -> Jumps | None:
    """Over the natural frequency; none where both sweeps go the same way."""
    machine = pair_of(edges, acts)
    turns = 60.0 * NATURAL / machine.spec.pinion.teeth
    result = flank.run(
        machine,
        "speed-sweep",
        lowest=f"{SWEEP.lowest * turns} rpm",
        highest=f"{SWEEP.highest * turns} rpm",
        speeds=len(SWEEP.ratios),
        settling_periods=SWEEP.settling,
        periods=SWEEP.looked_at,
    )
    assert result.complete
    if "band" not in result.data.sizes:
        return None
    widest = int(np.argmax(result["band_ratio"].values))
    return Jumps(*(float(result[f"jump_{way}"].values[widest]) / NATURAL for way in ("up", "down")))


def meshed() -> MeshedPair:
    return next(iter(pair_of(edges=False, acts="always").tooth_pairs().values()))


def table_stiffness() -> Floats:
    """K/(1 + cK) in N/m over a mesh period, K the sum over the pairs of teeth on the path."""
    gears = meshed()
    table, (start, end), pitch = stiffness_table(gears), gears.pair.path, gears.pair.base_pitch
    rolls = start + pitch * ((np.arange(PLACES) + 0.5) / PLACES + np.arange(4)[:, None])
    pairs = np.where(rolls <= end, np.interp(rolls, table.rolls, table.stiffness), 0.0)
    total = pairs.sum(axis=0)
    return np.asarray(total / (1 + table.common * total))


def backlash() -> float:
    """Over the static deflection."""
    gears = meshed()
    deflection = gears.load / table_stiffness().mean()
    return gears.pair.normal_backlash / deflection


def harmonics(stiffness: Floats, count: int) -> Floats:
    """The mean and so many harmonics."""
    spectrum = np.fft.rfft(stiffness)
    spectrum[count + 1 :] = 0.0
    return np.fft.irfft(spectrum, len(stiffness))


def oscillators() -> dict[str, tuple[Floats, float]]:
    """Stiffness and backlash over the static deflection, by name."""
    table, gap = table_stiffness(), backlash()
    phase = 2 * math.pi * (np.arange(PLACES) + 0.5) / PLACES
    return {
        f"varies harmonically by {HARMONIC:.0%}": (1 + HARMONIC * np.cos(phase), FAR),
        "first harmonic of the table": (harmonics(table, 1), FAR),
        "first two harmonics": (harmonics(table, 2), FAR),
        "table": (table, FAR),
        "table, other flank too": (table, gap),
    }


@cache
def oscillator(name: str, acts: str) -> Jumps:
    stiffness, gap = oscillators()[name]
    return jumps(stiffness, DAMPING, acts == "always", gap, SWEEP)


def amplitudes() -> Floats:
    """Of the first three harmonics of the table over its mean."""
    table = table_stiffness()
    spectrum = 2 * np.abs(np.fft.rfft(table / table.mean())) / PLACES
    return np.asarray(spectrum[1:4])


def oscillator_cases() -> Iterator[Case]:
    """One step of the sweep is allowed."""
    harmonic = next(iter(oscillators()))
    for acts, known in CHECKED.items():
        found = oscillator(harmonic, acts).down
        name = f"one oscillator whose stiffness {harmonic}, damping {acts}: jump down"
        yield Case(name, "independent check", known, found, "", SWEEP.step / known)


def engine_cases() -> Iterator[Case]:
    """Where the large motion ends is told by a step or two: it is not always periodic there."""
    for acts in ACTS:
        known, found = oscillator("table, other flank too", acts), engine(False, acts)
        assert found is not None
        for way, steps in (("up", 1), ("down", 3)):
            expected = getattr(known, way)
            name = f"{PRESET}, table without edges, damping {acts}: jump {way}"
            yield Case(
                name,
                "one oscillator, Runge-Kutta",
                expected,
                getattr(found, way),
                "",
                steps * SWEEP.step / expected,
            )


GROUPS = (oscillator_cases, engine_cases)


def engine_table() -> str:
    rows = []
    for edges, model in ((False, "`table` with `tip_edge_contact: false`"), (True, "`table`")):
        for acts in ACTS:
            found = engine(edges, acts)
            told = ["no jump"] * 2 if found is None else [f"{ratio:.3f}" for ratio in found]
            rows.append([model, acts, *told])
    return _table(["mesh model", "damping acts", "sweep up jumps at", "sweep down jumps at"], rows)


def oscillator_table() -> str:
    head = ["stiffness of one oscillator", "up", "down, damping in contact", "down, damping always"]
    rows = [
        [name, f"{oscillator(name, ACTS[0]).up:.3f}"]
        + [f"{oscillator(name, acts).down:.3f}" for acts in ACTS]
        for name in oscillators()
    ]
    check = ["independent check", "", *(f"{CHECKED[acts]:.2f}" for acts in ACTS)]
    return _table(head, [check, *rows])


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


PROSE = """# Where sweeps of a gear pair jump

Written by `make validation`; every row of the first table is also a test, those of the engine by
night. What the jumps are and why they differ stands on the
[page of gear dynamics](../theory/gear_dynamics.md#when-the-damping-acts).

{cases}

## The engine

`{preset}` with {damping:.0%} of critical damping; mesh frequencies of the jumps over the natural
frequency of {natural:.0f} Hz. Steps of {step}, {settling} mesh periods to settle at each; where the
sweeps differ at fewer than three speeds side by side there is no jump.

{engine}

## One oscillator

$\\ddot x + 2\\zeta\\dot x + \\kappa x = 1$ in contact, by Runge-Kutta
(`validation/one_oscillator.py`), swept in the same way. The first three harmonics of the
table are {amplitudes} of its mean. How the stiffness of the check varied is not known:
{harmonic:.0%} is inferred from its jump in contact, and what that tells is that its
other jump follows.

{oscillators}
"""


def main() -> None:
    cases = [case for group in GROUPS for case in group()]
    engines = engine_table()
    shares = ", ".join(f"{share:.1%}" for share in amplitudes())
    text = PROSE.format(
        cases=as_table(cases),
        preset=PRESET,
        damping=DAMPING,
        natural=NATURAL,
        step=SWEEP.step,
        settling=SWEEP.settling,
        engine=engines,
        oscillators=oscillator_table(),
        amplitudes=shares,
        harmonic=HARMONIC,
    )
    write_marked(THEORY, "jumps", engines)
    write_marked(THEORY, "oscillators", oscillator_table())
    finish(PAGE, text, cases)


if __name__ == "__main__":
    main()
