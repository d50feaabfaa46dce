"""Which analysis can be asked of which machine, found by asking.

    python pages/offers.py      writes the table of README.md and docs/choosing.md

Every analysis is put to every preset and stopped where it begins to compute; what it refuses
before that, it does not offer.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from marked import write_marked

import flank
import flank.analyses.contact_pattern
import flank.contact.spatial.loaded_flanks
import flank.dynamics.run
from flank.analyses.registry import ANALYSES, DEFAULT_ANALYSES
from flank.errors import SpecError
from flank.machines.base import Machine
from flank.machines.registry import MACHINES
from flank.presets import preset_names

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", ROOT / "docs" / "choosing.md")
YES, NO, SOME = "yes", "–", "some presets"


BEGINNINGS = (
    (flank.dynamics.run, "state_at"),
    (flank.analyses.contact_pattern, "contact_pattern"),
    (flank.contact.spatial.loaded_flanks, "flank_mesh"),
)


class Begun(Exception):
    """Computing would begin."""


@contextmanager
def stopping() -> Iterator[None]:
    """Whoever begins to compute is stopped: solvers begin with a state, pairs of flanks with their
    pattern or their mesh."""
    with ExitStack() as stopped:
        for module, begins in BEGINNINGS:
            stopped.enter_context(patch.object(module, begins, side_effect=Begun))
        yield


def refusal(machine: Machine, analysis: str) -> str:
    """What an analysis with its defaults says against a machine; '' if it begins."""
    try:
        with stopping():
            flank.run(machine, analysis)
    except Begun:
        return ""
    except SpecError as error:
        return str(error)
    return ""


def machines() -> dict[str, list[Machine]]:
    """All presets as machines, by the name of the machine that they are."""
    found: dict[str, list[Machine]] = {name: [] for name in MACHINES}
    for preset in preset_names():
        machine = flank.preset(preset)
        found[machine.spec.machine].append(machine)
    return found


def offer(presets: list[Machine], analysis: str) -> str:
    """The cell of a table."""
    refused = [bool(refusal(machine, analysis)) for machine in presets]
    return NO if all(refused) else SOME if any(refused) else YES


def offers() -> dict[str, dict[str, str]]:
    """All cells, by analysis and machine."""
    found = machines()
    return {
        analysis: {name: offer(presets, analysis) for name, presets in found.items()}
        for analysis in ANALYSES
    }


def as_table(cells: Mapping[str, Mapping[str, str]]) -> str:
    """Analyses by machines, as Markdown."""
    lines = [
        "| analysis | answers | " + " | ".join(f"`{name}`" for name in MACHINES) + " |",
        "|---|---|" + ":-:|" * len(MACHINES),
    ]
    for name, row in cells.items():
        shown = " | ".join(row[machine] for machine in MACHINES)
        answers = ANALYSES[name].answers(default=name in DEFAULT_ANALYSES)
        lines.append(f"| `{name}` | {answers} | {shown} |")
    return "\n".join(lines)


if __name__ == "__main__":
    table = as_table(offers())
    for page in PAGES:
        write_marked(page, "offers", table)
    print(table)
