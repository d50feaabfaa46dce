"""A planetary gear whose ring bends between its planets and vibrates.

One pin of four stands 30 µm ahead, so its planet carries more than the others. Teeth are finite
elements; the ring is held rigidly at its outside, or has a thin rim in a bedding and vibrates.

python examples/flexible_ring.py
"""

import flank
from flank.machines.base import Machine

THIN = {"ring.outer_radius": "125 mm", "ring.flexible": True, "ring.modes": 24}
RINGS = {
    "held rigidly": {"ring.outer_radius": "125 mm"},
    "bedding of 1e10 N/m^3": THIN | {"ring.bedding": "1e10 N/m^3"},
    "bedding of 2e9 N/m^3": THIN | {"ring.bedding": "2e9 N/m^3"},
}


def gearbox(ring: dict, error: str) -> Machine:
    """The gears of Lin and Parker with four planets, at 2 kN·m; one pin is so far ahead."""
    changes = {
        "ring.mass": None,  # that of the elements
        "ring.inertia": None,
        "ring.support": None,
        "held": None,
        "ring_mesh": {"model": "fe", "slices": 1},
        "planets.count": 4,
        "rated_torque": "2000 N*m",
        "operation.torque": "2000 N*m",
        "errors.pin_tangential": {"1": error},
    }
    return flank.preset("planetary-lin-parker", changes | ring)


def figures(ring: dict) -> tuple[float, float, str]:
    """Mesh load factor with one pin ahead; without that error the lowest frequency and the lowest
    of the ring alone, in Hz."""
    sharing = flank.run(gearbox(ring, "30 um"), "load-sharing")
    modes = flank.run(gearbox(ring, "0 um"), "natural-frequencies", count=20)
    frequencies, families = modes["frequency"].values, modes["family"].values
    alone = frequencies[families == "ring"]
    own = f"{alone[0]:.0f}" if len(alone) else "none"
    return sharing["mesh_load_factor"], frequencies[0], own


if __name__ == "__main__":
    for name, ring in RINGS.items():
        factor, lowest, own = figures(ring)
        print(
            f"ring, {name}: mesh load factor {factor:.3f}, lowest frequency {lowest:.0f} Hz, of "
            f"the ring alone {own}"
        )
