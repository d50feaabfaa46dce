"""What a machine is called: by the name that its spec gives, else by its data.

The data are plain, of a spec as it is written or as it was read, so that a list of presets needs no
machine.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # machines load the compiler, which a list need not wait for
    from flank.machines.base import Machine

LONGEST_CHANGES = 60
"""Characters of changes that a title still tells; beyond it says that there are some."""


def title_of(data: Mapping[str, Any]) -> str:
    """The title in the data, or one made of kind, counts and rated torque or size."""
    return str(data.get("title") or TITLES[data["machine"]](data))


def changed_title(title: str, changes: Mapping[str, Any]) -> str:
    """The name of a machine that has other data than those it was named after."""
    listed = listed_changes(changes)
    return (
        f"{title} (changed: {listed})" if len(listed) <= LONGEST_CHANGES else f"{title} (changed)"
    )


def listed_changes(changes: Mapping[str, Any]) -> str:
    """Keys and their values as a sentence tells them."""
    listed = ", ".join(
        f"{key} {'left out' if value is None else value}" for key, value in changes.items()
    )
    return "".join(sign if sign.isprintable() else " " for sign in listed)


def short_text(machine: "Machine") -> str:
    """A machine in one line: its kind, title and ratio."""
    ratio = getattr(machine, "ratio", None)
    shown = "" if ratio is None else f", ratio {ratio:.6g}"
    return f"<{getattr(machine.spec, 'machine', 'machine')} '{machine.title}'{shown}>"


def _cycloidal_drive(data: Mapping[str, Any]) -> str:
    discs, pins = data["discs"], data["pins"]
    kind = "Single-disc cycloidal drive" if int(discs["count"]) == 1 else "Cycloidal drive"
    rolling = "rolling " if pins.get("mounting") == "rolling" else ""
    return f"{kind}, {pins['count']} {rolling}pins, {_torque(data)}"


def _rv_reducer(data: Mapping[str, Any]) -> str:
    return f"RV reducer, {data['pins']['count']} pins, {_torque(data)}"


def _few_teeth_reducer(data: Mapping[str, Any]) -> str:
    teeth = f"{data['discs']['teeth']}/{data['ring']['teeth']}"
    return f"Few-teeth reducer, {teeth} teeth, {_torque(data)}"


def _planetary_gearbox(data: Mapping[str, Any]) -> str:
    teeth = "/".join(str(data[member]["teeth"]) for member in ("sun", "planets", "ring"))
    count = int(data["planets"]["count"])
    planets = "1 planet" if count == 1 else f"{count} planets"
    return f"Planetary gearbox, {teeth} teeth, {planets}, {_torque(data)}"


def _cv_joint(data: Mapping[str, Any]) -> str:
    circle = data["pitch_circle_diameter"]
    shown = circle if isinstance(circle, str) else f"{1e3 * circle:.6g} mm"
    return f"Constant-velocity joint, {data['balls']['count']} balls on {shown}"


def _torque(data: Mapping[str, Any]) -> str:
    """As it is written, or in its unit where it was read."""
    torque = data["rated_torque"]
    return torque if isinstance(torque, str) else f"{torque:.6g} N*m"


TITLES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "cv-joint": _cv_joint,
    "cycloidal-drive": _cycloidal_drive,
    "few-teeth-reducer": _few_teeth_reducer,
    "planetary-gearbox": _planetary_gearbox,
    "rv-reducer": _rv_reducer,
}
"""How each machine is called by its data."""
