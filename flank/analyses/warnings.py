"""Sentences about results that are right as computed and wrong to rely on."""

import numpy as np
from numpy.typing import NDArray

from flank.analyses.contacts import hertz_pressure
from flank.contact.table import FRICTION_ELASTIC, FRICTION_LINEAR, FRICTION_NONE, FRICTION_SMOOTH
from flank.dynamics.model import Model
from flank.machines.base import Assembly

LARGEST_PRESSURE = 4e9
"""Pa. ISO 76: the static limit of roller bearings of hardened steel."""

DEVELOPED = 0.5
"""Share of μ f that friction should reach at the contacts that carry load."""


VELOCITY_FORMS = (FRICTION_SMOOTH, FRICTION_LINEAR)
"""Friction that is there only where surfaces slide."""


def has_elastic_friction(model: Model) -> bool:
    forms = model.contacts["friction_form"][: model.counts[3]]
    return bool(np.any(forms == FRICTION_ELASTIC))


def contact_warnings(assembly: Assembly, touches: NDArray, static: bool) -> list[str]:
    """What a run's contacts say against relying on it."""
    friction = _friction_warnings(assembly.model, touches, static)
    return [*friction, *_pressure_warnings(assembly, touches)]


def _friction_warnings(model: Model, touches: NDArray, static: bool) -> list[str]:
    """That friction is left out, has no part in statics, or is hardly there.

    Elastic friction asks for no velocity and gives no cause for the latter two.
    """
    contacts = model.contacts[: model.counts[3]]
    left_out = (contacts["friction"] > 0) & (contacts["friction_form"] == FRICTION_NONE)
    if left_out.any():
        return ["Friction is left out: this analysis looks at the frictionless machine."]
    rough = np.isin(contacts["friction_form"], VELOCITY_FORMS)
    if not rough.any():
        return []
    if static:
        which = "Friction of some contacts" if has_elastic_friction(model) else "Friction"
        return [
            f"{which} acts through sliding velocity and has no part in a static run; "
            "set mode to 'dynamic' to see it."
        ]
    limit = contacts["friction"] * touches["normal_force"]
    loaded = rough & (touches["normal_force"] > 0.1 * touches["normal_force"].max())
    if not loaded.any():
        return []
    share = float(np.mean(np.abs(touches["friction_force"][loaded]) / limit[loaded]))
    if share >= DEVELOPED:
        return []
    return [
        f"Contacts slide so slowly that friction reaches {share:.1%} of its limit on average: "
        "use a smaller friction.regularization_velocity or faster motion."
    ]


def _pressure_warnings(assembly: Assembly, touches: NDArray) -> list[str]:
    """That a contact carries more than any steel does."""
    found = []
    for group in assembly.groups:
        if not group.length or len(touches) == 0:
            continue
        pressure = hertz_pressure(touches, group).max()
        if pressure > LARGEST_PRESSURE:
            found.append(
                f"The Hertz pressure on {group.title} reaches {pressure / 1e6:.0f} MPa; "
                "even hardened steel yields above 4000 MPa (ISO 76)."
            )
    return found
