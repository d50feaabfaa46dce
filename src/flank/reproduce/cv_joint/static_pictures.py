"""Figs. 7 and 8: the cage while the joint is deflected, and forces over torque."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flank.machines.cv_joint.figures import cage_force, track_force
from flank.plots.style import ACCENT, INK, MAIN, QUIET, SECOND, WIDE, Picture, styled
from flank.reproduce.cv_joint.joints import BY_HERTZ, PAPERS, SOFTER, Stiffness, joint
from flank.reproduce.cv_joint.paths import CagePath, ForcePath
from flank.reproduce.cv_joint.turning import Ramp

COLOURS = {PAPERS: MAIN, SOFTER: SECOND, BY_HERTZ: ACCENT}
NEAR = 600.0
"""N·m and N of the first torques."""

DASHES = ("-", "--", ":")
"""Of the torques, the largest first."""

CagePaths = Mapping[tuple[Stiffness, float], CagePath]
ForcePaths = Mapping[tuple[Stiffness, float, int], ForcePath]
"""By stiffness, clearance of the window on either side in m, and sign of the torque."""


def cage_picture(paths: CagePaths, ramps: Mapping[Stiffness, Ramp]) -> Picture:
    """Fig. 7."""
    with styled():
        picture = Picture(
            WIDE,
            3.9,
            "The cage's angle to the outer race while the joint is deflected (Fig. 7 of the "
            "paper). Left: over half the angle of the shafts, equilibria without friction; "
            "lines, dashes and dots are 2000, 1000 and 500 N·m. Right: in time at 300 rpm and "
            "2000 N·m with a friction of 0.03, deflected to 2° within the first turn.",
        )
        left = picture.add_axes((0.075, 0.14, 0.40, 0.76))
        right = picture.add_axes((0.575, 0.14, 0.40, 0.76))
        torques = sorted({torque for _, torque in paths}, reverse=True)
        for (stiffness, torque), path in paths.items():
            dashes = DASHES[torques.index(torque)]
            left.plot(
                np.degrees(path.deflection[1:]),
                path.ratio(),
                color=COLOURS[stiffness],
                linestyle=dashes,
                label=stiffness.name if dashes == "-" else None,
            )
        left.axhline(1.0, color=INK, linewidth=0.9)
        left.set_title("(a) At rest, without friction")
        left.set_xlabel("Angle between the shafts (°)")
        left.set_ylabel("Cage angle over half of it")
        left.legend(title="contact stiffness", loc="upper right", ncols=3)
        left.set_xlim(left=0.0)
        left.set_ylim(0.995, 1.085)
        for stiffness, ramp in ramps.items():
            right.plot(
                ramp.time,
                np.degrees(ramp.path.cage),
                color=COLOURS[stiffness],
                label=stiffness.name,
            )
            half = 0.5 * np.degrees(ramp.path.deflection)
        right.plot(ramp.time, half, color=INK, linewidth=0.9, label="half the angle of the shafts")
        right.set_title("(b) In time, with friction")
        right.set_xlabel("Time (s)")
        right.set_ylabel("Cage angle (°)")
        right.set_xlim(0.0, ramp.time[-1])
        right.legend(loc="lower right")
    return picture


def force_picture(paths: ForcePaths) -> Picture:
    """Fig. 8."""
    with styled():
        picture = Picture(
            WIDE,
            4.1,
            "Forces of the straight joint at rest over the torque (Fig. 8 of the paper), with the "
            "paper's contact stiffness: loaded flanks and, where they carry, the opposite ones; "
            "the cage on one ball. Grey: Eqs. 23 and 24, the latter with a plus for the reversed "
            "torque. Windows with 5 µm on either side of a ball leave the cage "
            "without load until the tracks have let the ball go so far.",
        )
        left, right, near = (
            picture.add_axes((0.06 + 0.33 * k, 0.13, 0.26, 0.78)) for k in range(3)
        )
        spec = joint(PAPERS).spec
        shown = {key: path for key, path in paths.items() if key[0] == PAPERS}
        for (_, clearance, sense), path in shown.items():
            colour, dashes = (MAIN if sense > 0 else SECOND), ("--" if clearance else "-")
            name = f"{'torque' if sense > 0 else 'reversed'}, {clearance * 1e6:.0f} µm"
            other = f"opposite flank, {clearance * 1e6:.0f} µm"
            left.plot(path.torque, path.loaded / 1e3, color=colour, linestyle=dashes, label=name)
            if path.counter.any():
                left.plot(path.torque, path.counter / 1e3, color=ACCENT, ls=dashes, label=other)
            right.plot(path.torque, path.cage / 1e3, color=colour, linestyle=dashes, label=name)
            near.plot(path.torque, path.cage, color=colour, linestyle=dashes)
            ideal = np.array([cage_force(spec, sense * t) for t in path.torque])
            right.plot(path.torque, ideal / 1e3, color=QUIET, linestyle=":", zorder=5)
            near.plot(path.torque, ideal, color=QUIET, linestyle=":", zorder=5)
        ideal = np.array([track_force(spec, t) / 1e3 for t in path.torque])
        left.plot(path.torque, ideal, color=QUIET, linestyle=":", label="Eq. 23", zorder=5)
        right.plot([], [], color=QUIET, linestyle=":", label="Eq. 24, ∓")
        titles = ("(a) Force of a track", "(b) Force of the cage", "(c) The same, first torques")
        for axes, title in zip((left, right, near), titles, strict=True):
            axes.set_title(title)
            axes.set_xlabel("Torque (N·m)")
            axes.set_ylabel("Force (N)" if axes is near else "Force (kN)")
            axes.set_xlim(0.0, NEAR if axes is near else path.torque[-1])
            axes.set_ylim(0.0, NEAR if axes is near else None)
        for axes in (left, right):
            axes.legend(loc="upper left", fontsize=7.5)
    return picture
