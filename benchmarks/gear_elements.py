"""How long finite elements of a gear take: influence numbers and modes, in processor time.

python benchmarks/gear_elements.py
"""

import math
import tempfile
import time
from unittest.mock import patch

from page import shown

from flank.blas import one_blas_thread
from flank.elasticity.finite_elements.cyclic import cyclic_gear, harmonic_modes
from flank.elasticity.finite_elements.influence import flank_influence
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity, sector_mesh
from flank.elasticity.material import Material
from flank.geometry.gear import Gear

GEAR = Gear(50, 3e-3, math.radians(20))
BODY = GearBody(face_width=20e-3, held_radius=30.6e-3)
MATERIAL = Material(207e9, 0.3, 7600.0)
ELEMENTS = {
    "hexahedron-20": MeshDensity(),
    "hexahedron-27": MeshDensity(element="hexahedron-27"),
    "hexahedron-8": MeshDensity(
        tooth=8, flank=8, fillet=2, layers=8, growth=0.2, element="hexahedron-8"
    ),
}

TITLE = "Finite elements of a gear of 50 teeth, processor time"
HEADER = ["elements", "unknowns of the whole gear", "influence numbers, s"]
HEADER += ["from the cache, s", "four modes of a number of waves, s"]


def elements() -> list[list]:
    """A row a kind of element; the cache is an empty one."""
    rows = []
    with tempfile.TemporaryDirectory() as place, patch.dict("os.environ", FLANK_CACHE_DIR=place):
        for name, density in ELEMENTS.items():
            sector = cyclic_gear(sector_mesh(GEAR, BODY, density), MATERIAL)
            times = []
            for _ in range(2):  # computed, then read
                begin = time.process_time()
                flank_influence(GEAR, BODY, MATERIAL, density=density)
                times.append(time.process_time() - begin)
            begin = time.process_time()
            with one_blas_thread():
                harmonic_modes(sector, 2, 4)
            modes = time.process_time() - begin
            rows.append([name, GEAR.teeth * sector.size, *times, modes])
    return rows


def tables() -> list[tuple[str, list[str], list[list]]]:
    """Titles, headers and rows."""
    return [(TITLE, HEADER, elements())]


if __name__ == "__main__":
    for table in tables():
        print(shown(*table).as_markdown())
