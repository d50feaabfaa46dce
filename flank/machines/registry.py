"""The machines by name: from plain data to a checked machine."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from flank.errors import SpecError, suggestion
from flank.machines.base import Machine
from flank.machines.spec import Spec
from flank.machines.titles import listed_changes


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


def machine_from_mapping(
    data: Mapping[str, Any], changes: Mapping[str, Any] | None = None
) -> Machine:
    """The machine that `data` describes, dotted `changes` applied; SpecError if it cannot be."""
    name = data.get("machine") if isinstance(data, Mapping) else None
    known = sorted(MACHINES)
    if name is None:
        raise SpecError(f"machine is missing: say which one it is, one of {', '.join(known)}")
    if name not in MACHINES:
        hint = suggestion(str(name), known)
        raise SpecError(f"machine: '{name}' is not a machine{hint} Known: {', '.join(known)}")
    entry = MACHINES[name]
    spec = entry.spec.from_mapping(data)
    return entry.machine(_changed(spec, changes) if changes else spec)


def _changed(spec: Spec, changes: Mapping[str, Any]) -> Spec:
    """The spec with changes, which it lists among its assumptions: its texts do not know them."""
    note = f"Changed against what source and assumptions say: {listed_changes(changes)}."
    changed = spec.with_changes(changes)
    noted = (*getattr(changed, "assumptions", ()), note)
    return changed.with_changes({"assumptions": list(noted)})
