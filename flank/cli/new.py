"""What `flank new` does: a preset's commented spec on the screen or in a file of its own."""

import os
import tempfile
from pathlib import Path

import typer

from flank.errors import SpecError
from flank.presets import preset_text


def new(preset: str, out: Path | None) -> None:
    """Print the preset, or write it to a file that does not exist yet."""
    text = preset_text(preset)
    if out is None:
        typer.echo(text, nl=False)
        return
    if out.is_dir():
        raise SpecError(f"{out} is a folder; give the name of a file, as in --out {out}/my.yaml")
    try:
        _write_new(out, text)
    except FileExistsError:
        raise SpecError(
            f"{out} exists and is left as it is; give another name with --out"
        ) from None
    except OSError as error:
        reason = error.strerror or error
        if not out.parent.is_dir():
            reason = f"there is no folder {out.parent}"
        raise SpecError(f"{out} cannot be written: {reason}; give another with --out") from None
    typer.echo(f"Written to {out}; try it with: flank check {out}")


def _write_new(path: Path, text: str) -> None:
    """The whole file or none, and never in the place of another: written aside, then linked."""
    if os.path.lexists(path):
        raise FileExistsError
    handle, aside = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(aside, 0o666 & ~_umask())
        _name(Path(aside), path)
    finally:
        Path(aside).unlink(missing_ok=True)


def _name(aside: Path, path: Path) -> None:
    """Give a written file its name; a link refuses a name that is taken, and a move does not."""
    try:
        os.link(aside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError from None
        os.replace(aside, path)


def _umask() -> int:
    """Which rights new files do without; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
