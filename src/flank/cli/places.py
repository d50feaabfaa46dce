"""Files and folders that a command is asked to write: refused before anything is computed."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from flank.cli.terminal import say
from flank.errors import SpecError
from flank.io.files import write_new_file
from flank.presets import preset_text
from flank.texts import echo_path

DEFAULT_FOLDER = "flank-out"


def folder_of(given: str | None, name: str) -> Path:
    """The folder that was given, else one of this name among those of all runs."""
    if given is None:
        return Path(DEFAULT_FOLDER) / name
    if not given.strip():
        raise SpecError("--out is empty; name a folder, for example --out results")
    return Path(given)


def check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be written, before the computing and without making it."""
    place = folder
    with writing(folder):
        while not place.exists() and place != place.parent:
            place = place.parent
        if not place.is_dir():
            raise SpecError(unwritable(folder, f"{place} is a file"))
        if not os.access(place, os.W_OK | os.X_OK):
            raise SpecError(unwritable(folder, f"no permission to write in {place}"))


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turns what a system says about a folder into a sentence."""
    try:
        yield
    except OSError as error:
        raise SpecError(unwritable(folder, error.strerror or str(error))) from None


def unwritable(folder: Path, reason: str) -> str:
    """The sentence of a folder that cannot be written."""
    return f"{echo_path(folder)} cannot be written: {reason}; give another folder with --out"


def new(preset: str | None, stage: int | None, changes: list[str], out: Path | None) -> None:
    """Print the commented spec of a preset, or write it to a file that does not exist yet."""
    if preset is None:
        raise SpecError("name a preset of `flank list`, or a REXS file with --from")
    if stage is not None or changes:
        given = "--stage" if stage is not None else "--set"
        raise SpecError(f"{given} goes with --from; a preset is written as it is, to be edited")
    _put(preset_text(preset), out)


def new_from_rexs(
    source: Path, preset: str | None, stage: int | None, changes: list[str], out: Path | None
) -> None:
    """The spec of a stage in a REXS file, and what became of the file."""
    from flank.exchange.rexs_reader import import_rexs
    from flank.io.spec_files import parse_assignments, write_yaml

    if preset is not None:
        raise SpecError(f"both {preset} and --from are given; leave one of them out")
    found = import_rexs(source, stage, parse_assignments(changes))
    told = list(found.account.lines())
    head = [f"From {source.name}, a REXS file.", *told]
    wrapped = [
        line
        for sentence in head
        for line in textwrap.wrap(sentence, 98, subsequent_indent="  ", break_on_hyphens=False)
    ]
    text = "".join(f"# {line}\n" for line in wrapped) + write_yaml(found.spec)
    if out is not None:
        for sentence in told:
            say(textwrap.fill(sentence, 80, subsequent_indent="  ", break_on_hyphens=False))
    _put(text, out)


def _put(text: str, out: Path | None) -> None:
    if out is None:
        typer.echo(text, nl=False)
        return
    if out.is_dir():
        raise SpecError(f"{out} is a folder; give the name of a file, as in --out {out}/my.yaml")
    try:
        write_new_file(out, text)
    except FileExistsError:
        raise SpecError(
            f"{out} exists and is left as it is; give another name with --out"
        ) from None
    except OSError as error:
        reason = error.strerror or error
        if not out.parent.is_dir():
            reason = f"there is no folder {out.parent}"
        raise SpecError(f"{out} cannot be written: {reason}; give another with --out") from None
    say(f"Written to {out}; try it with: flank check {out}")
