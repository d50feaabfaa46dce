"""How things show themselves in a notebook, without knowing who draws them.

Results, machines and verdicts are below the rooms that draw. What shows them registers itself here
under a name (`flank.notebook` does, as soon as anything of `import flank` is used), and they ask
for it by that name.
"""

from collections.abc import Callable
from typing import Any, ClassVar

SHOWERS: dict[str, Callable[..., Any]] = {}
"""What makes the page of a thing, or the figures of a result, by name."""


def shown_by(name: str, *shown: Any, **how: Any) -> Any:
    """What is registered under a name makes of a thing; RuntimeError where nothing is."""
    if name not in SHOWERS:
        raise RuntimeError("nothing draws machines and results here; import flank.api first")
    return SHOWERS[name](*shown, **how)


class ShowsItself:
    """A thing of which a notebook shows a page, by `SHOWERS[shown_as]`; none where nobody draws."""

    shown_as: ClassVar[str]

    def _repr_html_(self) -> str | None:
        shower = SHOWERS.get(self.shown_as)
        return shower(self) if shower else None
