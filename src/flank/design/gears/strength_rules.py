"""Notes about what is known of the strength of gears, and what shafts bear."""

from __future__ import annotations

from typing import Any

from flank.design.rule import Put, Rule

SHAFT_STRESS = 120e6
"""Pa: two thirds of the shear yield strength of E335, 0.577 · 315 N/mm²."""


def strength_rules(*blocks: str) -> tuple[Rule, ...]:
    """Of a machine whose gears stand in these blocks of its spec."""

    def case_hardened(figures: Any) -> dict[str, Any]:
        return {f"{block}.material": "16MnCr5" for block in blocks}

    remedy = (Put("name a material with a class of strength", case_hardened),)
    return (
        Rule(
            "strength-assumed",
            "assumed_strength",
            "at_most",
            0.0,
            "a gear is of a steel that names no treatment: it is rated as case-hardened steel of "
            "quality MQ",
            remedy,
            "ISO 6336-5",
            severity="note",
        ),
        Rule(
            "strength-unknown",
            "unrated",
            "at_most",
            0.0,
            "no strength is known of a gear's material, so its flanks and roots are not rated",
            remedy,
            "ISO 6336-5 knows steels and cast irons",
            severity="note",
        ),
    )
