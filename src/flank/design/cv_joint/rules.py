"""Rules of a ball joint."""

from __future__ import annotations

import math
from collections.abc import Mapping

from flank.design.rule import GUIDE, Move, Put, Rule

STATIC_PRESSURE = 4200e6
"""Pa, of point contact: ISO 76, where a ball leaves a dent of 1e-4 of its diameter."""

LESS_TORQUE = Move("lower the torque", ("operation.torque",), up=False, most=1e3)
LARGER_SKEW = Move("skew the tracks more", ("outer.skew",), up=True, most=5.0)
LESS_DEFLECTION = Move("deflect less", ("operation.deflection",), up=False, most=100.0)
SLOWER = Move("run slower", ("operation.speed",), up=False, most=1e3)
WIDER = Move("make the tracks wider", ("tracks.conformity",), up=True, most=1.2)
FLATTER = Move("use a smaller contact angle", ("tracks.contact_angle",), up=False)

RULES: tuple[Rule, ...] = (
    Rule(
        "dented-tracks",
        "track_pressure",
        "at_most",
        STATIC_PRESSURE,
        "balls dent their tracks for good",
        (LESS_TORQUE,),
        "ISO 76, point contact",
    ),
    Rule(
        "dented-windows",
        "window_pressure",
        "at_most",
        STATIC_PRESSURE,
        "balls dent the cage's windows for good",
        (LESS_TORQUE,),
        "ISO 76, point contact",
    ),
    Rule(
        "outer-track-edge",
        "outer_edge",
        "at_least",
        0.0,
        "the contact runs over the edge of the outer tracks, which breaks out",
        (
            WIDER,
            FLATTER,
            Move("make the outer race's bore smaller", ("outer.bore_diameter",), up=False),
        ),
        "ellipse of Hertz against the land of the race",
    ),
    Rule(
        "inner-track-edge",
        "inner_edge",
        "at_least",
        0.0,
        "the contact runs over the edge of the inner tracks, which breaks out",
        (
            WIDER,
            FLATTER,
            Move(
                "make the inner race larger outside", ("inner.outer_diameter",), up=True, most=1.1
            ),
        ),
        "ellipse of Hertz against the land of the race",
    ),
    Rule(
        "thin-outer-wall",
        "outer_wall",
        "at_least",
        0.25,
        "the wall behind the outer tracks is thin for the balls that burst it",
        (Move("make the outer race larger", ("outer.outer_diameter",), up=True),),
        GUIDE + "a quarter of the ball's diameter",
    ),
    Rule(
        "thin-inner-wall",
        "inner_wall",
        "at_least",
        0.25,
        "the wall between the inner tracks and the bore is thin",
        (Move("make the bore smaller", ("inner.bore_diameter",), up=False),),
        GUIDE + "a quarter of the ball's diameter",
    ),
    Rule(
        "thin-cage-webs",
        "cage_web",
        "at_least",
        0.06,
        "webs between the cage's windows are thin",
        (Move("make the windows shorter", ("cage.window_length",), up=False),),
        GUIDE + "0.06 of the ball's diameter, a millimetre of a ball of 17 mm",
    ),
    Rule(
        "tight-tracks",
        "conformity",
        "at_least",
        1.005,
        "tracks fit the balls so closely that errors wedge them and their contact reaches the "
        "edges",
        (WIDER,),
        GUIDE + "1.005 to 1.08 of the ball's radius",
    ),
    Rule(
        "open-tracks",
        "conformity",
        "at_most",
        1.08,
        "tracks are far wider than the balls, which press on points",
        (Move("make the tracks narrower", ("tracks.conformity",), up=False, most=1.2),),
        GUIDE + "1.005 to 1.08 of the ball's radius",
    ),
    Rule(
        "deflected-far",
        "deflection_left",
        "at_least",
        math.radians(1.0),
        "hardly any deflection is left before balls leave their tracks, windows or cage, or tracks "
        "turn parallel",
        (LESS_DEFLECTION,),
        GUIDE + "a degree in hand",
    ),
    Rule(
        "binding-tracks",
        "binding",
        "at_least",
        1.0,
        "tracks cross at less than twice the friction angle, so that they wedge the balls and the "
        "joint binds",
        (LARGER_SKEW, LESS_DEFLECTION),
        "a wedge between two surfaces holds below the friction angle to either side",
    ),
    Rule(
        "fast-balls",
        "pressure_speed",
        "at_most",
        1500e6,
        "balls slide fast under high pressure: grease fails and the joint runs hot",
        (SLOWER, LESS_DEFLECTION),
        GUIDE + "half of the torque that dents, at half a metre a second",
    ),
)

MOVES: Mapping[str, tuple[Move | Put, ...]] = {}
