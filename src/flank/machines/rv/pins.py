"""Pins as bodies, their contacts with the discs' flanks, and floating ones in their grooves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flank.contact import Disc, Surface, circle_in_hole, circle_on_curve
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.line_contact import Cylinder, DeepBody
from flank.elasticity.material import contact_modulus, tangential_ratio
from flank.geometry.curve import reach
from flank.machines.base import LinePressure
from flank.machines.contact_laws import friction_law, loose_friction, pair_law
from flank.machines.crank_reducer.geometry import polar
from flank.machines.crank_reducer.layout import Layout, Pose
from flank.machines.crank_reducer.rules import Dimensions
from flank.machines.cycloidal.masses import cylinder
from flank.machines.rv.spec import RvReducerSpec

if TYPE_CHECKING:
    from flank.machines.rv.reducer import RvReducer


class RvLayout(Layout):
    """The bodies of an RV reducer; floating pins are the last leaves."""

    spec: RvReducerSpec

    def __post_init__(self) -> None:
        super().__post_init__()
        self.pin = self._add_pins()

    def _add_pins(self) -> list[int]:
        pins = self.spec.pins
        if pins.mounting != "floating":
            return []

        def at(index: int) -> Pose:
            x, y = polar(pins.circle_radius, 2 * math.pi * index / pins.count)
            return lambda carrier: (x, y, 0.0)

        density = self.spec.material(pins.material).density
        mass = cylinder(pins.radius, pin_length(self.spec, self.size), density)
        return [self._add(f"pin {k + 1}", mass, at(k), leaf=True) for k in range(pins.count)]


def pin_length(spec: RvReducerSpec, size: Dimensions) -> float:
    """Length of a pin in its groove: over all discs."""
    return spec.discs.count * size.disc_width


def pin_centres(machine: RvReducer) -> NDArray:
    """Centres (n, 2) of the pins with their errors."""
    pins, errors = machine.spec.pins, machine.errors
    angle = 2 * math.pi * np.arange(pins.count) / pins.count
    outward = np.column_stack((np.cos(angle), np.sin(angle)))
    along = np.column_stack((-np.sin(angle), np.cos(angle)))
    radial = pins.circle_radius + errors["pin_radial"]
    return radial[:, None] * outward + errors["pin_tangential"][:, None] * along


def pin_radii(machine: RvReducer) -> NDArray:
    return machine.spec.pins.radius + machine.errors["pin_radius"]


def add_pins(machine: RvReducer, builder: ModelBuilder) -> None:
    """One contact for each disc and pin."""
    spec, layout, width = machine.spec, machine.layout, machine.size.disc_width
    disc_material = spec.material(spec.discs.material).elastic
    pin_material = spec.material(spec.pins.material).elastic
    ratio = tangential_ratio(disc_material, pin_material)
    friction = friction_law(spec.friction, spec.friction.pins, ratio)
    if layout.pin:
        friction = loose_friction(spec.friction, spec.friction.pins)
    radii, centres = pin_radii(machine), pin_centres(machine)
    sizes = {"disc": spec.discs.count, "pin": spec.pins.count}
    pressure = LinePressure(width, contact_modulus(disc_material, pin_material))
    with builder.part("pin", "pins", sizes, pressure):
        for j, disc in enumerate(layout.rim):
            shape = machine.profile(j)
            curve = builder.curve(shape)
            reaches = {radius: reach(shape, radius) for radius in set(radii.tolist())}
            for k, ((x, y), radius) in enumerate(zip(centres, radii.tolist(), strict=True)):
                circle = Disc(GROUND, x, y, radius)
                if layout.pin:
                    circle = Disc(layout.pin[k], 0.0, 0.0, radius)
                law = pair_law(
                    spec.contact,
                    DeepBody(machine.contact_depth, disc_material),
                    Cylinder(radius, pin_material),
                    width,
                )
                surface = Surface(law, spec.contact.damping, friction)
                builder.contact(
                    circle_on_curve(disc, curve, shape, circle, surface, reaches[radius])
                )


def add_grooves(machine: RvReducer, builder: ModelBuilder) -> None:
    """Floating pins in their grooves, taken as round holes of the housing."""
    spec, layout = machine.spec, machine.layout
    if not layout.pin:
        return
    groove_radius = spec.pins.groove_radius
    assert groove_radius is not None  # the spec refuses floating pins without it
    material = spec.material(spec.pins.material).elastic
    friction = loose_friction(spec.friction, spec.friction.grooves)
    length = pin_length(spec, machine.size)
    pressure = LinePressure(length, contact_modulus(material, material))
    with builder.part("groove", "pins in their grooves", {"pin": spec.pins.count}, pressure):
        for body, (x, y), radius in zip(
            layout.pin, pin_centres(machine), pin_radii(machine).tolist(), strict=True
        ):
            law = pair_law(
                spec.contact, Cylinder(groove_radius, material), Cylinder(radius, material), length
            )
            surface = Surface(law, spec.contact.damping, friction)
            groove = Disc(GROUND, x, y, groove_radius)
            builder.contact(circle_in_hole(groove, Disc(body, 0.0, 0.0, radius), surface))
