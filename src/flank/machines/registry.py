"""The machines by name: from plain data to a checked machine."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from flank.errors import SpecError, suggestion
from flank.machines.base import Machine
from flank.machines.mistakes import asked_for_units, problems_when
from flank.machines.spec import Spec
from flank.machines.titles import listed_changes
from flank.texts import describe, echo, hidden_character


@dataclass(frozen=True)
class Entry:
    """Where a machine and its spec are, loaded when asked for: a run needs one of them."""

    spec_module: str
    spec_name: str
    machine_module: str
    machine_name: str

    @property
    def spec(self) -> type[Spec]:
        return getattr(import_module(self.spec_module), self.spec_name)

    @property
    def machine(self) -> Callable[[Any], Machine]:
        return getattr(import_module(self.machine_module), self.machine_name)


MACHINES = {
    "cv-joint": Entry(
        "flank.machines.cv_joint.spec",
        "CvJointSpec",
        "flank.machines.cv_joint.joint",
        "CvJoint",
    ),
    "cycloidal-drive": Entry(
        "flank.machines.cycloidal.spec",
        "CycloidalDriveSpec",
        "flank.machines.cycloidal.drive",
        "CycloidalDrive",
    ),
    "few-teeth-reducer": Entry(
        "flank.machines.few_teeth.spec",
        "FewTeethReducerSpec",
        "flank.machines.few_teeth.reducer",
        "FewTeethReducer",
    ),
    "planetary-gearbox": Entry(
        "flank.machines.planetary.spec",
        "PlanetaryGearboxSpec",
        "flank.machines.planetary.gearbox",
        "PlanetaryGearbox",
    ),
    "rv-reducer": Entry(
        "flank.machines.rv.spec", "RvReducerSpec", "flank.machines.rv.reducer", "RvReducer"
    ),
}


LONGEST_TITLE = 200
"""Characters; it heads every page and picture."""


def machine_from_mapping(
    data: Mapping[str, Any], changes: Mapping[str, Any] | None = None
) -> Machine:
    """The machine that `data` describes, dotted `changes` applied; SpecError if it cannot be."""
    entry = _entry(data)
    for given in (data, changes or {}):
        _refuse_hidden_characters(given)
        _refuse_long_title(given.get("title"))
    try:
        return _built(entry, data, changes)
    except SpecError as error:
        raise SpecError(_causes(entry, data, changes or {}, error.problems)) from None


def _causes(
    entry: Entry, data: Mapping[str, Any], changes: Mapping[str, Any], problems: list[str]
) -> list[str]:
    """The problems of a spec with changes, those of missing units replaced by questions."""

    def left_of_data(trial: Mapping[str, Any]) -> list[str]:
        return problems_when(lambda: _built(entry, trial, changes))

    def left_of_changes(trial: Mapping[str, Any]) -> list[str]:
        return problems_when(lambda: _built(entry, data, trial))

    asked, problems, data = asked_for_units(problems, data, entry.spec, left_of_data)
    more, problems, _ = asked_for_units(problems, changes, entry.spec, left_of_changes)
    return [*asked, *more, *problems]


def _entry(data: Mapping[str, Any]) -> Entry:
    name = data.get("machine") if isinstance(data, Mapping) else None
    known = sorted(MACHINES)
    if name is None:
        raise SpecError(f"machine is missing: say which one it is, one of {', '.join(known)}")
    if not isinstance(name, str) or name not in MACHINES:
        found = suggestion(name, known) if isinstance(name, str) else "."
        raise SpecError(
            f"machine: {describe(name)} is not a machine{found} Known: {', '.join(known)}"
        )
    return MACHINES[name]


def _built(entry: Entry, data: Mapping[str, Any], changes: Mapping[str, Any] | None) -> Machine:
    spec = entry.spec.from_mapping(data)
    return entry.machine(_changed(spec, changes) if changes else spec)


def _refuse_long_title(title: Any) -> None:
    if isinstance(title, str) and len(title) > LONGEST_TITLE:
        raise SpecError(f"title has {len(title)} characters; use at most {LONGEST_TITLE}")


def _refuse_hidden_characters(data: Any) -> None:
    """Texts of a spec go to terminals, pages and files; none of them may steer those."""
    rest, seen = [data], set()
    while rest:
        one = rest.pop()
        if isinstance(one, str) and (hidden := hidden_character(one)):
            raise SpecError(
                f"'{echo(one)}' has the character {hidden}, which cannot be seen; remove it"
            )
        if isinstance(one, (Mapping, list, tuple)) and id(one) not in seen:
            seen.add(id(one))  # one block may be named a million times over
            rest += [*one.keys(), *one.values()] if isinstance(one, Mapping) else one


def _changed(spec: Spec, changes: Mapping[str, Any]) -> Spec:
    """The spec with changes, which it lists among its assumptions: its texts do not know them."""
    note = f"Changed against what source and assumptions say: {listed_changes(changes)}."
    changed = spec.with_changes(changes)
    noted = (*getattr(changed, "assumptions", ()), note)
    return changed.with_changes({"assumptions": list(noted)})
