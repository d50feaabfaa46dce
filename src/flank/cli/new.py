"""What `flank new` does: a preset's commented spec on the screen or in a file of its own."""

from pathlib import Path

import typer

from flank.cli.say import say
from flank.errors import SpecError
from flank.io.files import write_new_file
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
