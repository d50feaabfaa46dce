"""What `flank dossier` does: ask a machine all that fits it and write one document."""

from __future__ import annotations

import os

from flank.cli.places import check_writable, folder_of, writing
from flank.cli.terminal import interrupts, kept_in, say, show, shown_words
from flank.io.ownership import PAGE_FILE
from flank.io.spec_files import parse_assignments


def dossier(
    text: str,
    assignments: list[str],
    out: str | None,
    revision: str,
    author: str,
    formats: list[str],
    open_report: bool,
) -> bool:
    """True if every analysis completed."""
    from flank.cli.machine import find_machine, short_name
    from flank.cli.run import check_input_file

    machine = find_machine(text, parse_assignments(assignments))
    folder = folder_of(out, f"{short_name(text)}-dossier")
    check_writable(folder)
    from flank.report.dossier import Dossier, dossier_outline
    from flank.report.folder import check_folder, write_document
    from flank.report.writers import WRITERS, missing

    with writing(folder):
        check_input_file(folder, text, machine)
        check_folder(folder, dossier_outline(), formats)
    with interrupts(kept_in(folder, PAGE_FILE)):
        with shown_words("dossier") as tell:
            made = Dossier.of(machine, revision, author, tell)
        with writing(folder):
            written = write_document(made.document, folder, formats)
    verdict = made.document.verdict
    say(f"{made.document.title}: {verdict.headline if verdict else 'no rule knows it'}")
    for answer in made.answers:
        say(f"  {answer.asked.analysis:<22} {answer.told}")
    if missing(WRITERS["xlsx"]):
        say("There is no spreadsheet: it needs xlsxwriter, pip install 'flank[tables]'.")
    files = [path.name for path in written if path.suffix != ".png"]
    pictures = len(written) - len(files)
    say(f"\nWritten to {folder}{os.sep}: {', '.join(files)} and {pictures} pictures")
    if open_report:
        show(written)
    return made.complete
