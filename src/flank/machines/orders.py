"""Orders of a machine: what happens how often in one turn of its input, and what it is.

Teeth and pins pass in every machine and decide how finely it is looked at; what turns shows by its
errors alone. So a machine says of its orders which are passings.
"""

from collections.abc import Mapping

TEETH = "teeth"
"""Teeth of the main mesh pass: shapes with many harmonics."""

PINS = "pins"
"""Pins of the main mesh pass."""

STAGE = "stage"
"""Teeth of a first stage pass, where they are more than a spring."""

CAGE = "cage"
"""Rollers pass, whose cage turns by no whole numbers: no range holds their periods."""

USUAL = {"mesh": TEETH, "tooth": TEETH, "pin": PINS, "stage": STAGE, "roller": CAGE}
"""What orders of these names are, where nobody says otherwise."""


class Orders(dict[str, float]):
    """Periods in one turn of the input, by name, such as {"input": 1, "pin": 40}.

    `kinds` says by name which of them are passings: TEETH, PINS, STAGE or CAGE; without it those
    with the usual names are. Other orders are those of parts that turn.
    """

    def __init__(self, orders: Mapping[str, float], kinds: Mapping[str, str] | None = None) -> None:
        super().__init__(orders)
        given = USUAL if kinds is None else kinds
        self.kinds = {name: kind for name, kind in given.items() if name in orders}

    @classmethod
    def of(cls, orders: Mapping[str, float]) -> "Orders":
        """Those of a machine, which may have said nothing of their kinds."""
        return orders if isinstance(orders, Orders) else cls(orders)

    def of_kind(self, *kinds: str) -> dict[str, float]:
        """Those of some kinds, in the order of the kinds."""
        return {name: self[name] for kind in kinds for name in self if self.kinds.get(name) == kind}
