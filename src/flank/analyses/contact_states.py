"""The whole state of every contact in a result, where `contacts: full` asks for it.

Gap and its rate, sliding, normal and friction force, contact point and Hertz pressure (arXiv
2604.02387, Tables 3, 4 and 7); of involute teeth also which two touch and where on their flanks.
A result holds them at the points that its run keeps anyway and no more than MOST_NUMBERS in all,
which is known and refused before the run.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from flank.analyses.forces import group_forces
from flank.analyses.quantities import Declarations, Declared, Read, Values
from flank.analyses.runs import ideal_velocity
from flank.arrays import Floats
from flank.dynamics.contact_states import ContactStates
from flank.dynamics.trajectory import AnyTrajectory, SpatialTrajectory
from flank.errors import SpecError
from flank.machines.base import Assembly, ContactGroup, Transmission

Contacts = Annotated[
    Literal["full"] | None,
    Field(
        description="full keeps the whole state of every contact: gap, gap rate, sliding speed, "
        "normal and friction force, contact point, Hertz pressure",
        examples=["full"],
    ),
]
"""The setting `contacts` of an analysis."""

MOST_NUMBERS = 50_000_000
"""Of all states of a result together, 0.4 GB."""

RATES = ("gap_rate", "sliding_speed")
"""What nothing tells of a path of equilibria that is not walked at a speed."""

STATES = {
    "gap": Declared("Gap, {group}", "m", "um"),
    "gap_rate": Declared("Rate of the gap, {group}", "m/s", "mm/s"),
    "sliding_speed": Declared("Sliding speed, {group}", "m/s", "mm/s"),
    "friction": Declared("Friction force, {group}", "N"),
    "x": Declared("Contact point x, {group}", "m", "mm"),
    "y": Declared("Contact point y, {group}", "m", "mm"),
    "z": Declared("Contact point z, {group}", "m", "mm"),
    "first_tooth": Declared("Number of the first gear's tooth, {group}"),
    "second_tooth": Declared("Number of the second gear's tooth, {group}"),
    "first_roll": Declared("Roll length on the first gear's tooth, {group}", "m", "mm"),
    "second_roll": Declared("Roll length on the second gear's tooth, {group}", "m", "mm"),
}
FIELDS = {
    "friction": "friction_force",
    "first_roll": "parameter",
    "second_roll": "second_parameter",
}
"""Names that CONTACT_STATE has for some of them."""

OF_TEETH = ("first_tooth", "second_tooth", "first_roll", "second_roll")
NUMBERS_OF_ONE = len(STATES) + 2  # with force and pressure


def states_over(over: str = "") -> Declarations:
    """What results may hold of every group, along a leading dimension."""
    over = f"{over} {{group}}".strip()
    named = {f"{{group}}_{name}": each._replace(over=over) for name, each in STATES.items()}
    return {**group_forces(over.removesuffix("{group}").strip()), **named}


def check_room(assembly: Assembly, records: int) -> None:
    """SpecError where the states of all contacts at so many records would not fit."""
    count = sum(group.contacts.size for group in state_groups(assembly))
    if count * records * NUMBERS_OF_ONE > MOST_NUMBERS:
        most = MOST_NUMBERS // (count * NUMBERS_OF_ONE)
        raise SpecError(
            f"contacts: full would keep the states of {count} contacts at {records:,} points, and "
            f"there is room for {most:,} points; ask for fewer points, or leave contacts out"
        )


def state_groups(assembly: Assembly) -> list[ContactGroup]:
    """The machine's groups; that of its only mesh gives its name to what all teeth carry."""
    return [
        replace(group, name="tooth", title="teeth") if group.name == "mesh" else group
        for group in assembly.groups.values()
    ]


def state_numbers(assembly: Assembly) -> Values:
    """Coordinates along the dimensions of all groups."""
    return {
        name: Read(np.arange(1, size + 1), {"dimension": name})
        for group in state_groups(assembly)
        for name, size in zip(group.dimensions, group.shape, strict=True)
    }


def state_values(
    assembly: Assembly,
    trajectory: AnyTrajectory,
    velocity: Floats | None = None,
    rates: bool = True,
    last: bool = False,
) -> Values:
    """States of all contacts at every record, or at the `last`.

    `velocity` stands for that of equilibria, whose `rates` are left out where there is none.
    """
    if not len(trajectory.time):
        return {}
    states = ContactStates(assembly.model, trajectory, velocity)
    records = -1 if last else slice(None)
    values: Values = {}
    for group in state_groups(assembly):
        for name, read in _of_group(states, group):
            if rates or name not in RATES:
                values[f"{group.name}_{name}"] = Read(read[records], group=group)
    return values


def _of_group(states: ContactStates, group: ContactGroup) -> Iterator[tuple[str, Floats]]:
    rows, trajectory = states.of(group), states.trajectory
    yield "force", rows["normal_force"]
    if group.pressure is not None:
        yield "pressure", trajectory.pressure(group)
    of_teeth = bool(np.isfinite(rows["first_tooth"]).all())
    axes = "xyz" if isinstance(trajectory, SpatialTrajectory) else "xy"
    for name in STATES:
        if name in "xyz":
            if name in axes:
                yield name, rows["point"][..., "xyz".index(name)]
        elif of_teeth or name not in OF_TEETH:
            yield name, rows[FIELDS.get(name, name)]


def running_velocity(machine: Transmission, angles: Floats) -> Floats:
    """Velocities (angle, body, coordinates) of the ideal machine at its input's speed."""
    return np.stack([machine.input_speed * ideal_velocity(machine, angle) for angle in angles])
