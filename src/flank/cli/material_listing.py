"""What `flank list materials` prints."""

from flank.io.tables import Table
from flank.machines.materials import KNOWN_MATERIALS, defined_as
from flank.report.text import table_lines

HEADINGS = ["material", "E, GPa", "ν", "ρ, kg/m³", "what it is"]


def material_listing() -> str:
    """The materials that need no definition, and how to define another."""
    rows = [
        [
            name,
            f"{known.spec.youngs_modulus / 1e9:.4g}",
            f"{known.spec.poisson_ratio:.4g}",
            f"{known.spec.density:.4g}",
            known.title,
        ]
        for name, known in KNOWN_MATERIALS.items()
    ]
    title = "Materials that a spec may name; typical values at 23 °C"
    table = Table(title, HEADINGS, [True, False, False, False, True], rows)
    return "\n".join(
        [
            *table_lines(table)[1:],
            "",
            "Name one as in: flank check cycloidal-drive --set discs.material=POM",
            f"Define one in a spec as in: {defined_as('my_bronze')}",
        ]
    )
