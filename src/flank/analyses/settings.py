"""Settings of analyses that run either as statics or in time."""

from collections.abc import Iterable
from typing import Any, ClassVar, Literal

from pydantic import Field

from flank.machines.spec import Spec


class ModeSettings(Spec):
    """Settings with a mode; what the chosen one does not use may not be set and is not shown."""

    mode: Literal["static", "dynamic"] = Field(
        default="static", description="equilibria, or a run in time", examples=["static"]
    )

    ONLY: ClassVar[dict[str, tuple[str, ...]]] = {"static": (), "dynamic": ()}
    """Keys that one mode alone uses."""

    @property
    def _other(self) -> str:
        return "dynamic" if self.mode == "static" else "static"

    def cross_checks(self) -> Iterable[str]:
        for name in self.ONLY[self._other]:
            if getattr(self, name) != type(self).model_fields[name].default:
                yield f"{name} does nothing in {self.mode} mode; set mode to '{self._other}'"

    def to_mapping(self, units: bool = True) -> dict[str, Any]:
        data = super().to_mapping(units)
        return {name: value for name, value in data.items() if name not in self.ONLY[self._other]}
