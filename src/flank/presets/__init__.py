"""Ready machines: commented spec files that come with Flank."""

from importlib.resources import files

from flank.errors import SpecError, suggestion
from flank.texts import echo

_SUFFIX = ".yaml"


def preset_names() -> list[str]:
    """The names of the ready machines, in alphabetical order."""
    names = (entry.name for entry in files(__name__).iterdir())
    return sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))


def preset_text(name: str) -> str:
    """The commented YAML of a ready machine, as stored."""
    known = preset_names()
    if name not in known:
        raise SpecError(
            f"'{echo(name)}' is not a preset{suggestion(name, known)} Presets: {', '.join(known)}"
        )
    return files(__name__).joinpath(f"{name}{_SUFFIX}").read_text(encoding="utf-8")
