"""A spur pair on a test rig: its natural frequency, sweeps up and down, and where its teeth part.

python examples/gear_pair.py
"""

import math

import flank
from flank.analyses.result import Result
from flank.machines.gear_pair.machine import GearPairMachine


def pair(damping: int = 8) -> GearPairMachine:
    """The 50/50 pair of Bruzzone et al. with some percent of critical damping."""
    return flank.preset("spur-bruzzone", {"damping_ratio": f"{damping} percent"})


def impact(positions: int = 24) -> tuple[float, float, float]:
    """Lowest and highest frequency over the mesh cycle in Hz, and the mean damping in percent."""
    result = flank.run(pair(), "impact-test", positions=positions)
    frequencies = result["lowest_frequency"], result["highest_frequency"]
    return *frequencies, 100 * result["mean_damping"]


def sweep(damping: int) -> Result:
    """Speed rising and falling steadily between 900 and 4100 rpm, mesh frequencies to 3.4 kHz."""
    settings = {"lowest": "900 rpm", "highest": "4100 rpm", "duration": "0.7 s", "periods": 12}
    return flank.run(pair(damping), "speed-sweep", mode="continuous", **settings)


def bands(result: Result) -> list[tuple[float, float]]:
    """Mesh frequencies in Hz between which there are two states."""
    if "band" not in result.dataset:
        return []
    lowest, highest = (result[f"band_{end}_frequency"].values for end in ("lowest", "highest"))
    return list(zip(lowest, highest, strict=True))


def dwell(frequency: float) -> list[tuple[str, float, float, float]]:
    """Branch, vibration in µm (rms), percent of time without contact, losses in a mesh period."""
    speed = 2 * math.pi * frequency / 50
    result = flank.run(pair(3), "speed-dwell", speed=speed, highest=1.2 * speed, lowest=0.8 * speed)
    return [
        (str(branch), 1e6 * vibration, 100 * loss, count)
        for branch, vibration, loss, count in zip(
            result["branch"].values,
            result["worst_mesh_error"].values,
            result["worst_contact_loss"].values,
            result["worst_loss_count"].values,
            strict=True,
        )
    ]


if __name__ == "__main__":
    print("impact test: {:.0f} to {:.0f} Hz, damping {:.1f} %".format(*impact()))
    for damping in (8, 3):
        result = sweep(damping)
        told = ", ".join(f"{low:.0f} to {high:.0f} Hz" for low, high in bands(result)) or "none"
        print(
            f"{damping} % damping: {1e6 * result['largest_mesh_error']:.1f} µm, two states {told}"
        )
    for frequency in (1300, 2400):
        for branch, vibration, loss, count in dwell(frequency):
            print(
                f"{frequency} Hz, {branch}: {vibration:.1f} µm, {loss:.0f} %, {count:.0f} a period"
            )
    print(flank.summary(result))
    flank.save(result, "out")
