"""modelDescription.xml of a unit, for FMI 2 and FMI 3."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flank._version import __version__
from flank.fmi.unit import Stepping, Unit, Variable
from flank.io.ownership import GENERATOR

BASE_UNITS: dict[str, dict[str, int]] = {
    "1": {},
    "s": {"s": 1},
    "m": {"m": 1},
    "m/s": {"m": 1, "s": -1},
    "N": {"kg": 1, "m": 1, "s": -2},
    "rad": {"rad": 1},
    "rad/s": {"rad": 1, "s": -1},
    "N.m": {"kg": 1, "m": 2, "s": -2},
    "N/m": {"kg": 1, "s": -2},
    "N.s/m": {"kg": 1, "s": -1},
    "N.m/rad": {"kg": 1, "m": 2, "s": -2, "rad": -1},
    "N.m.s/rad": {"kg": 1, "m": 2, "s": -1, "rad": -1},
    "s/m": {"s": 1, "m": -1},
}
"""Exponents of the SI base units."""

SHOWN_UNITS = {"rad": ("deg", 180 / np.pi), "rad/s": ("rpm", 30 / np.pi)}
"""Units in which people read these, and the factor that leads there."""

LOG_CATEGORIES = {
    "logStatusError": "what was refused, and why",
    "logStatusDiscard": "steps that could not be done; the state is that before them",
    "logSteps": "how many steps were taken inside; written if logging is on",
}

DERIVATIVES = {
    2: ("providesDirectionalDerivative",),
    3: ("providesDirectionalDerivatives", "providesAdjointDerivatives"),
}
"""How each version says that derivatives can be had."""

DEFAULT_STEPS = 1000
"""Length of an experiment where a host has no other idea."""


@dataclass(frozen=True)
class Identity:
    """Name of the binary without its suffix, and what tells this unit from all others."""

    identifier: str
    token: str


def description_xml(unit: Unit, version: int, identity: Identity) -> bytes:
    """The file for FMI 2 or FMI 3."""
    steps = isinstance(unit.way, Stepping)
    root = ET.Element("fmiModelDescription", _root_attributes(unit, version, identity))
    for interface in ("CoSimulation",) if steps else ("ModelExchange", "CoSimulation"):
        _interface(root, interface, unit, version, identity)
    _units(root, unit)
    _log_categories(root)
    if isinstance(unit.way, Stepping):
        longest = unit.way.longest_step
        end, step = _number(DEFAULT_STEPS * longest), _number(longest)
        experiment = {"startTime": "0", "stopTime": end, "stepSize": step}
        ET.SubElement(root, "DefaultExperiment", experiment)
    (_variables_2 if version == 2 else _variables_3)(root, unit)
    (_structure_2 if version == 2 else _structure_3)(root, unit)
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="UTF-8", xml_declaration=True))


def _root_attributes(unit: Unit, version: int, identity: Identity) -> dict[str, str]:
    token = "guid" if version == 2 else "instantiationToken"
    attributes = {
        "fmiVersion": f"{version}.0",
        "modelName": unit.title,
        token: identity.token,
        "description": unit.description,
        "license": "Apache-2.0 (the binary)",
        "generationTool": f"{GENERATOR} {__version__}",
        "variableNamingConvention": "structured",
    }
    return attributes | ({"numberOfEventIndicators": "0"} if version == 2 else {})


def _interface(
    root: ET.Element, interface: str, unit: Unit, version: int, identity: Identity
) -> None:
    state = "FMUstate" if version == 2 else "FMUState"
    can = [f"canGetAndSet{state}", f"canSerialize{state}"]
    if interface == "CoSimulation":
        can.append("canHandleVariableCommunicationStepSize")
    if version == 2:
        can.append("canNotUseMemoryManagementFunctions")
    if not isinstance(unit.way, Stepping):
        can += DERIVATIVES[version]
    attributes = {"modelIdentifier": identity.identifier} | dict.fromkeys(can, "true")
    ET.SubElement(root, interface, attributes)


def _units(root: ET.Element, unit: Unit) -> None:
    listed = ET.SubElement(root, "UnitDefinitions")
    for name in sorted({variable.unit for variable in unit.listed}):
        element = ET.SubElement(listed, "Unit", {"name": name})
        exponents = {base: str(power) for base, power in BASE_UNITS[name].items()}
        ET.SubElement(element, "BaseUnit", exponents)
        if name in SHOWN_UNITS:
            shown, factor = SHOWN_UNITS[name]
            ET.SubElement(element, "DisplayUnit", {"name": shown, "factor": _number(factor)})


def _log_categories(root: ET.Element) -> None:
    listed = ET.SubElement(root, "LogCategories")
    for name, description in LOG_CATEGORIES.items():
        ET.SubElement(listed, "Category", {"name": name, "description": description})


def _common(variable: Variable, reference: int) -> dict[str, str]:
    """Attributes that both versions have in one place."""
    causality = "independent" if variable.kind == "time" else variable.kind
    attributes = {
        "name": variable.name,
        "valueReference": str(reference),
        "description": variable.description,
        "causality": causality,
        "variability": "tunable" if variable.kind == "parameter" else "continuous",
    }
    initial = {"output": "calculated", "parameter": "exact"}.get(variable.kind)
    return attributes | ({"initial": initial} if initial else {})


def _real(variable: Variable) -> dict[str, str]:
    attributes = {"unit": variable.unit}
    if variable.unit in SHOWN_UNITS:
        attributes["displayUnit"] = SHOWN_UNITS[variable.unit][0]
    if variable.minimum > -np.inf:
        attributes["min"] = _number(variable.minimum)
    if variable.start is not None:
        attributes["start"] = _number(variable.start)
    return attributes


def _variables_2(root: ET.Element, unit: Unit) -> None:
    listed = ET.SubElement(root, "ModelVariables")
    for reference, variable in enumerate(unit.listed):
        element = ET.SubElement(listed, "ScalarVariable", _common(variable, reference))
        ET.SubElement(element, "Real", _real(variable))


def _variables_3(root: ET.Element, unit: Unit) -> None:
    listed = ET.SubElement(root, "ModelVariables")
    for reference, variable in enumerate(unit.listed):
        ET.SubElement(listed, "Float64", _common(variable, reference) | _real(variable))


def _outputs(unit: Unit) -> Mapping[int, Variable]:
    return {k: each for k, each in enumerate(unit.listed) if each.kind == "output"}


def _dependencies(unit: Unit) -> dict[str, str]:
    """Outputs of a unit that is stepped are read from its state: no input acts on them at once.
    Those that are evaluated depend on all inputs, which need not be said."""
    return {"dependencies": ""} if isinstance(unit.way, Stepping) else {}


def _structure_2(root: ET.Element, unit: Unit) -> None:
    structure = ET.SubElement(root, "ModelStructure")
    outputs = ET.SubElement(structure, "Outputs")
    initial = ET.SubElement(structure, "InitialUnknowns")
    for reference in _outputs(unit):
        index = {"index": str(reference + 1)}
        ET.SubElement(outputs, "Unknown", index | _dependencies(unit))
        ET.SubElement(initial, "Unknown", index)


def _structure_3(root: ET.Element, unit: Unit) -> None:
    structure = ET.SubElement(root, "ModelStructure")
    for name, more in (("Output", _dependencies(unit)), ("InitialUnknown", {})):
        for reference in _outputs(unit):
            ET.SubElement(structure, name, {"valueReference": str(reference)} | more)


def _number(value: float) -> str:
    return repr(float(value))
