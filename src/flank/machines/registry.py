"""The machines by name: what they are called, and from plain data to a checked machine.

A title is the name that a spec gives, else it is made of its data; plain data, as a spec is written
or was read, so that a list of presets loads no machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from flank.errors import SpecError, suggestion
from flank.texts import as_in_specs, describe, echo, hidden_character, mm

if TYPE_CHECKING:  # machines load the compiler, which a list need not wait for
    from flank.machines.base import Machine
    from flank.machines.spec import Spec

LONGEST_CHANGES = 60
"""Characters of changes that a title still tells; beyond it says that there are some."""

LONGEST_TITLE = 200
"""Characters; it heads every page and picture."""


@dataclass(frozen=True)
class Entry:
    """What a machine is called, and where it and its spec are, loaded when asked for."""

    title: Callable[[Mapping[str, Any]], str]  # of a spec that gives none
    spec_place: str  # module and name
    machine_place: str

    @property
    def spec(self) -> type[Spec]:
        loaded: type[Spec] = _loaded(self.spec_place)
        return loaded

    @property
    def machine(self) -> Callable[[Any], Machine]:
        loaded: Callable[[Any], Machine] = _loaded(self.machine_place)
        return loaded


def _loaded(place: str) -> Any:
    module, _, name = place.rpartition(".")
    return getattr(import_module(f"flank.machines.{module}"), name)


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


def _gear_pair(data: Mapping[str, Any]) -> str:
    teeth = "/".join(str(data[gear]["teeth"]) for gear in ("pinion", "wheel"))
    return f"Gear pair, {teeth} teeth, {_torque(data)}"


def _bevel_pair(data: Mapping[str, Any]) -> str:
    teeth = "/".join(str(data[gear]["teeth"]) for gear in ("pinion", "wheel"))
    kind = "Hypoid pair" if data["machine"] == "hypoid-pair" else "Bevel pair"
    return f"{kind}, {teeth} teeth, {_torque(data)}"


def _cv_joint(data: Mapping[str, Any]) -> str:
    circle = data["pitch_circle_diameter"]
    shown = circle if isinstance(circle, str) else mm(circle)
    return f"Constant-velocity joint, {data['balls']['count']} balls on {shown}"


def _torque(data: Mapping[str, Any]) -> str:
    """As it is written, or in its unit where it was read."""
    torque = data["rated_torque"]
    return torque if isinstance(torque, str) else f"{torque:.6g} N*m"


MACHINES = {
    "bevel-pair": Entry(
        _bevel_pair, "bevel_pair.spec.BevelPairSpec", "bevel_pair.machine.BevelPairMachine"
    ),
    "cv-joint": Entry(_cv_joint, "cv_joint.spec.CvJointSpec", "cv_joint.joint.CvJoint"),
    "cycloidal-drive": Entry(
        _cycloidal_drive, "cycloidal.spec.CycloidalDriveSpec", "cycloidal.drive.CycloidalDrive"
    ),
    "few-teeth-reducer": Entry(
        _few_teeth_reducer,
        "few_teeth.spec.FewTeethReducerSpec",
        "few_teeth.reducer.FewTeethReducer",
    ),
    "gear-pair": Entry(
        _gear_pair, "gear_pair.spec.GearPairSpec", "gear_pair.machine.GearPairMachine"
    ),
    "hypoid-pair": Entry(
        _bevel_pair, "bevel_pair.spec.HypoidPairSpec", "bevel_pair.machine.BevelPairMachine"
    ),
    "planetary-gearbox": Entry(
        _planetary_gearbox,
        "planetary.spec.PlanetaryGearboxSpec",
        "planetary.gearbox.PlanetaryGearbox",
    ),
    "rv-reducer": Entry(_rv_reducer, "rv.spec.RvReducerSpec", "rv.reducer.RvReducer"),
    "spatial-gear-pair": Entry(
        _gear_pair,
        "bevel_pair.involute_spec.SpatialGearPairSpec",
        "bevel_pair.machine.BevelPairMachine",
    ),
}
"""All machines, by the name that a spec has for them."""


def title_of(data: Mapping[str, Any]) -> str:
    """The title in the data, or one made of kind, counts and rated torque or size."""
    return str(data.get("title") or MACHINES[data["machine"]].title(data))


def changed_title(title: str, changes: Mapping[str, Any]) -> str:
    """The name of a machine that has other data than those it was named after."""
    listed = listed_changes(changes)
    return (
        f"{title} (changed: {listed})" if len(listed) <= LONGEST_CHANGES else f"{title} (changed)"
    )


def listed_changes(changes: Mapping[str, Any]) -> str:
    """Keys and their values as a sentence tells them."""
    listed = ", ".join(
        f"{key} {'left out' if value is None else as_in_specs(value)}"
        for key, value in changes.items()
    )
    return "".join(sign if sign.isprintable() else " " for sign in listed)


def machine_from_mapping(
    data: Mapping[str, Any], changes: Mapping[str, Any] | None = None
) -> Machine:
    """The machine that `data` describes, dotted `changes` applied; SpecError if it cannot be."""
    entry = _entry(data)
    for given in (data, changes or {}):
        _refuse_hidden_characters(given)
        title = given.get("title")
        if isinstance(title, str) and len(title) > LONGEST_TITLE:
            raise SpecError(f"title has {len(title)} characters; use at most {LONGEST_TITLE}")
    try:
        return _built(entry, data, changes)
    except SpecError as error:
        raise SpecError(_causes(entry, data, changes or {}, error.problems)) from None


def _causes(
    entry: Entry, data: Mapping[str, Any], changes: Mapping[str, Any], problems: list[str]
) -> list[str]:
    """The problems of a spec with changes, those of missing units replaced by questions."""
    from flank.machines.mistakes import questions_about_units

    questions, problems, data = questions_about_units(
        problems, data, entry.spec, lambda trial: _built(entry, trial, changes)
    )
    more, problems, _ = questions_about_units(
        problems, changes, entry.spec, lambda trial: _built(entry, data, trial)
    )
    return [*questions, *more, *problems]


def _entry(data: Mapping[str, Any]) -> Entry:
    name = data.get("machine") if isinstance(data, Mapping) else None
    known = sorted(MACHINES)
    if name is None:
        raise SpecError(f"machine is missing: say which one it is, one of {', '.join(known)}")
    if not isinstance(name, str) or name not in MACHINES:
        meant = suggestion(name, known) if isinstance(name, str) else "."
        raise SpecError(
            f"machine: {describe(name)} is not a machine{meant} Known: {', '.join(known)}"
        )
    return MACHINES[name]


def _built(entry: Entry, data: Mapping[str, Any], changes: Mapping[str, Any] | None) -> Machine:
    spec = entry.spec.from_mapping(data)
    return entry.machine(_changed(spec, changes) if changes else spec)


def _refuse_hidden_characters(data: Any) -> None:
    """Texts of a spec go to terminals, pages and files; none of them may steer those."""
    waiting, seen = [data], set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, str) and (hidden := hidden_character(value)):
            raise SpecError(
                f"'{echo(value)}' has the character {hidden}, which cannot be seen; remove it"
            )
        if isinstance(value, (Mapping, list, tuple)) and id(value) not in seen:
            seen.add(id(value))  # one block may be named a million times over
            waiting += [*value.keys(), *value.values()] if isinstance(value, Mapping) else value


def _changed(spec: Spec, changes: Mapping[str, Any]) -> Spec:
    """The spec with changes, which it lists among its assumptions: its texts do not know them."""
    note = f"Changed against what source and assumptions say: {listed_changes(changes)}."
    if "assumptions" in changes:
        changed = spec.with_changes(changes)
        return changed.with_changes({"assumptions": [*getattr(changed, "assumptions", ()), note]})
    noted = [*getattr(spec, "assumptions", ()), note]
    return spec.with_changes({**changes, "assumptions": noted})
