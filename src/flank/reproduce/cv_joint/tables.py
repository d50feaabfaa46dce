"""The tables of Figs. 7 and 8, and of what the paper leaves open."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flank.io.shown import Table
from flank.machines.cv_joint.figures import cage_force, track_force
from flank.reproduce.cv_joint.computing import TORQUES
from flank.reproduce.cv_joint.joints import PAPERS, STIFFNESSES, Stiffness, joint
from flank.reproduce.cv_joint.paths import CagePath, ForcePath
from flank.reproduce.cv_joint.published import DEFLECTION, TORQUE
from flank.reproduce.cv_joint.static_pictures import CagePaths, ForcePaths
from flank.reproduce.cv_joint.turning import DRIVEN, DRIVING, Turned
from flank.reproduce.text import NOTE

MISSING = "-"


def at_load_case(path: CagePath) -> float:
    """Cage angle over half the deflection of the load case."""
    if not path.complete:
        return float("nan")
    return float(np.interp(np.radians(DEFLECTION), path.deflection[1:], path.ratio()))


def mean_ratio(turn: Turned) -> float:
    """Mean cage angle over half the deflection, in the periodic state."""
    return turn.figure("mean_cage_angle") / np.radians(DEFLECTION / 2)


def cage_table(
    paths: CagePaths, turns: Mapping[Stiffness, Turned], marks: tuple[str, str]
) -> Table:
    """Fig. 7 at the load case's deflection."""
    rows = []
    for (stiffness, torque), path in paths.items():
        ratio = at_load_case(path)
        row = [stiffness.name, f"{torque:.0f}", f"{ratio:.4f}", f"{100 * (ratio - 1):+.2f}"]
        turning = mean_ratio(turns[stiffness])
        told = torque == TORQUE
        row += [f"{turning:.4f}", f"{100 * (turning - 1):+.2f}"] if told else [MISSING] * 2
        rows.append([*row, marks[0] if stiffness.name == "Hertz" else marks[1]])
    headings = ["stiffness, N/m^1.5", "torque, N·m", "at rest, no friction", "off, %"]
    headings += ["turning, μ 0.03", "off, %", NOTE]
    title = "Fig. 7: cage angle over half the angle of the shafts at 2°; exactly 1 if rigid"
    return Table(title, headings, [True, *[False] * 6], rows)


def force_table(paths: ForcePaths, mark: str) -> Table:
    """Fig. 8: track forces over Eq. 23, cage forces beside Eq. 24."""
    spec = joint(PAPERS).spec
    rows = []
    for sense in (1, -1):
        for torque in TORQUES:
            ideal = track_force(spec, torque)
            row = [f"{sense * torque:.0f}"]
            for stiffness in STIFFNESSES:
                row.append(f"{_at(paths[stiffness, 0.0, sense], 'loaded', torque) / ideal:.4f}")
            open_window = paths[PAPERS, 5e-6, sense]
            row += [f"{_at(open_window, 'loaded', torque) / ideal:.4f}"]
            row += [f"{cage_force(spec, sense * torque):.1f}"]
            for path in (paths[PAPERS, 0.0, sense], open_window):
                row.append(f"{_at(path, 'cage', torque):.1f}")
            rows.append([*row, mark])
    headings = ["torque, N·m", *(f"F/F_0, {stiffness.name}" for stiffness in STIFFNESSES)]
    headings += ["F/F_0, 6e12, 5 µm", "Eq. 24, N", "cage, 6e12, N", "cage, 6e12, 5 µm, N", NOTE]
    title = "Fig. 8: loaded flanks over Eq. 23, and the cage on a ball; windows of 0 and 5 µm"
    return Table(title, headings, [False] * len(headings), rows)


def _at(path: ForcePath, name: str, torque: float) -> float:
    """At a torque that is among the path's; not a number where it was not reached."""
    found = np.flatnonzero(np.isclose(path.torque, torque))
    return float(getattr(path, name)[found[0]]) if len(found) else float("nan")


def limit_torque(path: ForcePath) -> float:
    """The largest torque of a path at which the cage carries nothing."""
    return float(path.torque[path.cage == 0].max(initial=0.0))


def open_table(turns: Mapping[str, Turned], mark: str) -> Table:
    """What the parameters do that the paper does not give."""
    force = track_force(joint(PAPERS).spec, TORQUE)
    rows = []
    for name, turn in turns.items():
        row = [name]
        row += [f"{100 * turn.secondary(race) / TORQUE:.2f}" for race in (DRIVEN, DRIVING)]
        for figure in ("peak_track_force", "peak_counter_force"):
            row.append(f"{turn.figure(figure) / force:.3f}")
        row += [f"{turn.figure('peak_window_force'):.0f}", f"{mean_ratio(turn):.4f}"]
        row += [f"{turn.figure('loss'):.1f}", f"{100 * turn.change:.3f}", mark]
        rows.append(row)
    headings = ["changed", "T₂ driven, %", "T₂ driving, %", "largest F/F_0", "opposite F/F_0"]
    headings += ["largest cage, N", "cage ratio", "loss, W", "change, %", NOTE]
    title = (
        "What the paper leaves open: 6e12, μ 0.03, one thing changed at a time; secondary torque "
        "over the load, forces over Eq. 23 of the unchanged joint, largest change of a track force "
        "from turn to turn"
    )
    return Table(title, headings, [True, *[False] * 9], rows)
