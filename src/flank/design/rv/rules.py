"""Rules of an RV reducer."""

from __future__ import annotations

from collections.abc import Mapping

from flank.design.cranks.rules import CRANK_RULES
from flank.design.pins.rules import MORE_REMOVED, PIN_RULES
from flank.design.rule import Move, Put, Rule
from flank.design.rules_of_reducers import REDUCER_RULES

RULES: tuple[Rule, ...] = (*REDUCER_RULES, *PIN_RULES, *CRANK_RULES)

MOVES: Mapping[str, tuple[Move | Put, ...]] = {
    "eccentricity-large": (Move("reduce the eccentricity", ("eccentricity",), up=False),),
    "negative-clearance": (MORE_REMOVED,),
    "undercut": (
        Move("shift the sun's profile out", ("first_stage.profile_shift",), True, amount=0.02),
    ),
}
