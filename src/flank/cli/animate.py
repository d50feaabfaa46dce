"""What `flank animate` does: a run over a whole period, or a mode, as a picture that moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from flank.cli.terminal import interrupts, say, shown_progress
from flank.errors import SpecError
from flank.io.ownership import GENERATOR
from flank.io.targets import Target, check_target, write_target
from flank.texts import counted, echo, echo_path

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.machines.base import Machine

MODE_FRAMES = 24
SHORTEST, LONGEST = 2, 720
"""Pictures of a file."""

FEWEST_POINTS = 16
"""Of a turn that is computed for them, the fewest that a joint's analysis takes."""

MOST_TURNS = 100


class Asked(NamedTuple):
    """What was said on the command line."""

    source: str
    out: Path
    assignments: list[str]
    mode: int | None
    frames: int
    turns: int
    rate: float
    width: int | None


def animate(asked: Asked) -> bool:
    """Write the file, and say what it shows; True if the run behind it completed."""
    _check(asked)
    with interrupts():
        result, seam = _computed(asked)
        drawing = result.drawing
        if drawing is None:
            raise SpecError("there is no drawing of this machine: it tells no outlines")
        from flank.plots import moving

        if asked.mode is not None:
            from flank.drawing.modes import mode_motion

            count = min(asked.frames, MODE_FRAMES)
            drawing = moving.swinging(drawing, mode_motion(result, asked.mode), count)
        elif len(drawing.time) < SHORTEST:
            raise SpecError(
                f"{echo_path(asked.source)} holds one pose of {result.analysis}; animate a preset, "
                "a spec, or the result of a run over an angle or over time"
            )
        frames = _even(len(drawing.time), asked.frames)
        pictures = moving.Moving(drawing, asked.width).pictures(frames)
        with shown_progress("animate") as progress:
            shown = _counted(pictures, len(frames), progress)
            make = moving.gif if asked.out.suffix.lower() == ".gif" else moving.mp4
            content = make(shown, asked.rate)
    write_target(asked.out, content)
    say(
        f"{result.title}: {_words(asked, result)}, {counted(len(frames), 'picture')} at "
        f"{asked.rate:g} a second, {len(content) / 1e6:.1f} MB. {seam}\nWritten to {asked.out}"
    )
    return result.complete


def _check(asked: Asked) -> None:
    """All that can be refused before anything is computed."""
    from flank.plots.moving import RATES, WIDTHS, find_ffmpeg

    out = asked.out
    if out.suffix.lower() not in KINDS:
        raise SpecError(f"--out {echo_path(out)} ends in neither .gif nor .mp4; name such a file")
    if out.suffix.lower() == ".mp4":
        find_ffmpeg()
    if not SHORTEST <= asked.frames <= LONGEST:
        raise SpecError(f"--frames is {asked.frames}; give {SHORTEST} to {LONGEST}")
    if not 1 <= asked.turns <= MOST_TURNS:
        raise SpecError(f"--turns is {asked.turns}; give 1 to {MOST_TURNS}")
    if not RATES[0] <= asked.rate <= RATES[1]:
        raise SpecError(f"--rate is {asked.rate:g} a second; give {RATES[0]} to {RATES[1]}")
    if asked.width is not None and not WIDTHS[0] <= asked.width <= WIDTHS[1]:
        raise SpecError(f"--width is {asked.width}; give {WIDTHS[0]} to {WIDTHS[1]} pixels")
    check_target(out, KINDS[out.suffix.lower()])


def _is_ours(path: Path) -> bool:
    return f"{GENERATOR} ".encode() in path.read_bytes()


KINDS = {
    ".gif": Target("a GIF", ".gif", _is_ours),
    ".mp4": Target("a film", ".mp4", _is_ours),
}


def _computed(asked: Asked) -> tuple[Result, str]:
    """The result to be drawn, and a sentence where its end does not meet its beginning."""
    from flank.io.spec_files import parse_assignments

    changes = parse_assignments(asked.assignments)
    if asked.source.endswith(".nc"):
        if changes:
            raise SpecError("--set changes a spec, and a result has been computed; leave it out")
        from flank.io.results import read_result

        return read_result(asked.source), ""
    from flank.cli.machine import find_machine

    machine = find_machine(asked.source, changes)
    if asked.mode is not None:
        return _run(machine, "natural-frequencies", {}), ""
    return turning(machine, asked.frames, asked.turns)


def turning(machine: Any, frames: int, turns: int) -> tuple[Result, str]:
    """Equilibria over turns of the shaft in which a whole number of teeth or pins passes, and a
    sentence where the end does not meet the beginning."""
    from flank.analyses.orders import natural_shaft
    from flank.analyses.registry import ANALYSES

    points = max(frames // turns, FEWEST_POINTS)
    if ANALYSES["joint-turns"].fits(machine):
        settings = {"mode": "static", "turns": turns, "points_per_turn": points}
        return _run(machine, "joint-turns", settings), ""
    shaft = natural_shaft(machine)
    settings = {
        "turns_of": shaft,
        "turns": turns,
        "points_per_turn": points,
        "draws": 0,
    }
    result = _run(machine, "transmission-error", settings)
    return result, _seam(machine, shaft, turns)


def _seam(machine: Any, shaft: str, turns: int) -> str:
    """Whether the file goes round without a jump: parts that are alike count as one."""
    from flank.drawing.alike import repeats
    from flank.drawing.document import turning_angle

    if repeats(machine, turning_angle(machine, shaft, turns)):
        return "It goes round without a seam."
    return (
        f"After {counted(turns, 'turn')} of the {shaft} slow parts stand elsewhere, so that it "
        "jumps a little where it begins anew; more --turns may end nearer."
    )


def _run(machine: Machine, name: str, settings: dict[str, Any]) -> Result:
    from flank.analyses.registry import find_analysis

    analysis = find_analysis(name)
    analysis.check_machine(machine)
    with shown_progress(name) as progress:
        return analysis.run(machine, analysis.checked_settings(settings), progress)


def _even(count: int, wanted: int) -> list[int]:
    import numpy as np

    kept: list[int] = np.unique(np.linspace(0, count - 1, min(count, wanted)).round()).tolist()
    return [int(k) for k in kept]


def _counted(pictures: Any, total: int, progress: Any) -> Any:
    for k, picture in enumerate(pictures):
        if progress:
            progress((k + 1) / total)
        yield picture


def _words(asked: Asked, result: Result) -> str:
    if asked.mode is not None:
        return f"mode {asked.mode}"
    return echo(result.analysis.replace("-", " "))
