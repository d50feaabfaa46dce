"""The machines by name: from plain data to a checked machine."""

from collections.abc import Callable, Mapping
from typing import Any

from flank.errors import SpecError, suggestion
from flank.machines.base import Machine
from flank.machines.cycloidal_drive import CycloidalDrive
from flank.machines.cycloidal_spec import CycloidalDriveSpec
from flank.machines.rv_reducer import RvReducer
from flank.machines.rv_spec import RvReducerSpec
from flank.machines.spec import Spec

MACHINES: dict[str, tuple[type[Spec], Callable[[Any], Machine]]] = {
    "cycloidal-drive": (CycloidalDriveSpec, CycloidalDrive),
    "rv-reducer": (RvReducerSpec, RvReducer),
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
    spec_class, machine_class = MACHINES[name]
    spec = spec_class.from_mapping(data)
    return machine_class(_changed(spec, changes) if changes else spec)


def _changed(spec: Spec, changes: Mapping[str, Any]) -> Spec:
    """The spec with changes, which it lists among its assumptions: its texts do not know them."""
    listed = ", ".join(
        f"{key} {'left out' if value is None else value}" for key, value in changes.items()
    )
    note = f"Changed against what source and assumptions say: {listed}."
    changed = spec.with_changes(changes)
    noted = (*getattr(changed, "assumptions", ()), note)
    return changed.with_changes({"assumptions": list(noted)})
