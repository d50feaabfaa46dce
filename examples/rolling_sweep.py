"""Two gears of finite elements rolled through the speeds of a test rig, with and without tip edges.

Teeth that give way also touch with the edges of their tips, before and after the path of contact.
Whether they do decides, together with damping, whether the vibration jumps.

python examples/rolling_sweep.py
"""

import flank
from flank.analyses.result import Result


def sweep(edges: bool, damping: int) -> Result:
    """Speeds of 900 to 4100 rpm and back in 2 s each, one point a tooth, at 150 N·m."""
    machine = flank.preset(
        "spur-bruzzone",
        {
            "mesh.model": "fe",
            "mesh.tip_edge_contact": edges,
            "damping_ratio": f"{damping} percent",
        },
    )
    speeds = {"lowest": "900 rpm", "highest": "4100 rpm", "duration": "2 s"}
    return flank.run(machine, "rolling-sweep", points=1, **speeds)


def figures(result: Result) -> tuple[float, float, str]:
    """Largest vibration in µm (rms), percent of the time without contact, and where there are two
    states, in Hz of the mesh."""
    bands = "none"
    if "band" in result.dataset:
        ends = (result[f"band_{end}_frequency"].values for end in ("lowest", "highest"))
        bands = ", ".join(f"{low:.0f} to {high:.0f}" for low, high in zip(*ends, strict=True))
    return 1e6 * result["largest_mesh_error"], 100 * result["largest_contact_loss"], bands


if __name__ == "__main__":
    for damping in (8, 5):
        for edges in (True, False):
            result = sweep(edges, damping)
            vibration, loss, bands = figures(result)
            words = "with" if edges else "without"
            print(
                f"{damping} % damping, {words} tip edges: {vibration:.1f} µm, {loss:.1f} % of the "
                f"time without contact, two states in Hz: {bands}"
            )
    flank.save(result, "out")
