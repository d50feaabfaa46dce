"""What the geometry says against a planetary gearbox."""

from collections.abc import Iterator

from flank.geometry.findings import Finding
from flank.machines.planetary.spec import PlanetaryGearboxSpec


def findings_of(spec: PlanetaryGearboxSpec) -> Iterator[Finding]:
    yield from ()
