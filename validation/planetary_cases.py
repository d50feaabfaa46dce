"""The planetary gearbox against Jørgensen et al., Lin and Parker, and closed forms of sharing."""

import math
from collections.abc import Iterator

import numpy as np
from cases import Case
from numpy.typing import NDArray

import flank
from flank.analyses.load_sharing import LoadSharingSettings
from flank.analyses.load_sharing import run as share_load
from flank.machines.planetary.gearbox import PlanetaryGearbox

RUNGS = ("rigid", "spring", "table", "contact")
PUSH = {"carrier": [[0, -4], [2, -4], [2, 0]]}
RIGID_ANGLES = {1: -100.92, 2: -58.73, 3: -41.17, 4: -31.69}
FLEXIBLE_ANGLES = {1: -100.25, 2: -58.40, 3: -40.96, 4: -31.54}
DAMPED_ANGLES = dict(
    zip(
        range(0, 70, 10),
        (-41.127, -41.143, -41.152, -41.157, -41.160, -41.162, -41.164),
        strict=True,
    )
)
LIN_PARKER = {
    3: {
        "rotational": (1475.7, 1930.3, 2658.3, 7462.8, 11775.3),
        "translational": (743.2, 1102.4, 1896.0, 2276.4, 6986.3, 9647.9),
        "planet": (),
    },
    4: {
        "rotational": (1536.6, 1970.6, 2625.7, 7773.6, 13071.1),
        "translational": (727.0, 1091.0, 1892.8, 2342.5, 7189.9, 10437.6),
        "planet": (1808.2, 5963.8, 6981.7),
    },
}
GUIDED = {
    "held": None,
    "carrier.support": {"kind": "rigid"},
    "ring.support": {"kind": "rigid"},
    "planets.support": {"kind": "rigid"},
}
ARM = 0.0884
PATH_STIFFNESS = 4 * math.cos(math.radians(24.6)) ** 2 * 5e8 / 2
"""κ: two equal meshes in series, each met at cos α, on both sides of the pin."""


def final_angle(count: int, mesh: dict) -> float:
    """Carrier of Jørgensen et al. after 5 s, in degrees; one planet has a bar for a carrier."""
    changes = {"planets.count": count, "sun_mesh": mesh, "ring_mesh": mesh}
    if count == 1:
        changes["carrier.inertia"] = 0.42
    result = flank.run(
        flank.preset("planetary-paper", changes),
        "time-response",
        torques=PUSH,
        initial_speed=0,
        duration=5,
        step=1e-3,
        spectral_radius=1,
    )
    return math.degrees(result["final_input_angle"])


def spring(stiffness: float, damping: float = 0.0) -> dict:
    return {
        "model": "spring",
        "stiffness": stiffness,
        "damping": damping,
        "separation": False,
    }


def _angle(name: str, source: str, known: float, found: float, degrees: float) -> Case:
    """With a tolerance in degrees."""
    return Case(name, source, known, found, "deg", degrees / abs(known))


def swing_cases() -> Iterator[Case]:
    for count, known in RIGID_ANGLES.items():
        name = f"Jørgensen et al., rigid, N = {count}: carrier after 5 s"
        yield _angle(name, "Table 1c", known, final_angle(count, {"model": "rigid"}), 0.005)
    for count, known in FLEXIBLE_ANGLES.items():
        name = f"Jørgensen et al., 500 N/m, N = {count}: carrier after 5 s"
        yield _angle(name, "Table 1c", known, final_angle(count, spring(500)), 0.015)
    for damping, known in DAMPED_ANGLES.items():
        name = f"Jørgensen et al., 5000 N/m, {damping} N s/m: carrier after 5 s"
        yield _angle(name, "Fig. 10a", known, final_angle(3, spring(5000, damping)), 0.003)


def stage_forces(rung: str) -> dict[str, NDArray]:
    """Mean tangential forces by planet over one pitch, in kN."""
    mesh = {"model": rung}
    machine = flank.preset("planetary-500kw", {"sun_mesh": mesh, "ring_mesh": mesh})
    result = share_load(machine, LoadSharingSettings(points=24, error_points=0))
    pairs = {"sun": machine.sun_pair(0).pair, "ring": machine.ring_pair(0).pair}
    return {
        name: result[f"{name}_force"].values.mean(axis=0) * math.cos(pair.working_angle) / 1e3
        for name, pair in pairs.items()
    }


def rung_cases() -> Iterator[Case]:
    forces = {rung: stage_forces(rung) for rung in RUNGS}
    for member, known in (("sun", 91.0), ("ring", 93.0)):
        rigid = forces["rigid"][member].mean()
        for rung in RUNGS:
            found = forces[rung][member]
            worst = found[np.argmax(np.abs(found - known))]
            name = f"500 kW stage, {rung}: tangential force at the {member}, farthest planet"
            yield Case(name, "Fig. 14 of Jørgensen et al.", known, float(worst), "kN", 0.02)
        for rung in RUNGS[1:]:
            found = forces[rung][member]
            worst = found[np.argmax(np.abs(found - rigid))]
            name = f"500 kW stage, {rung} against rigid: mean force at the {member}"
            yield Case(name, "rung rigid", rigid, float(worst), "kN", 0.01)


def modes(count: int) -> tuple[dict[str, NDArray], dict[str, int]]:
    """Natural frequencies of Lin and Parker's gear by family, in Hz, and how many there are."""
    machine = flank.preset("planetary-lin-parker", {"planets.count": count})
    result = flank.run(machine, "natural-frequencies", torque=0, input="free", count=100)
    frequency, family = result["frequency"].values, result["family"].values
    found = {name: frequency[family == name] for name in LIN_PARKER[3]}
    table = zip(result["family_name"].values, result["family_count"].values, strict=True)
    return found, {str(name): int(number) for name, number in table}


def frequency_cases() -> Iterator[Case]:
    for count, families in LIN_PARKER.items():
        found, _ = modes(count)
        for family, known in families.items():
            own = found[family][::2] if family == "translational" else found[family]
            for number, (asked, value) in enumerate(zip(known, own, strict=True), start=1):
                name = f"Lin-Parker, {count} planets: {family} mode {number}"
                yield Case(name, "Lin and Parker 1999", asked, float(value), "Hz", 5e-4)


def structure_cases() -> Iterator[Case]:
    """6 rotational modes, 6 pairs, 3 planet modes N - 3 times, which no other number changes."""
    families = {count: modes(count) for count in (3, 4, 5, 6)}
    for count, (found, numbers) in families.items():
        asked = {"rotational": 6, "translational": 12, "planet": 3 * (count - 3)}
        for family, known in asked.items():
            name = f"{count} planets: number of {family} modes"
            yield Case(name, "Lin and Parker 1999", known, numbers.get(family, 0), "", 0.0)
        pairs = found["translational"].reshape(6, 2)
        split = float(np.abs(pairs[:, 1] / pairs[:, 0] - 1).max())
        yield Case(f"{count} planets: pairs are equal", "symmetry", 0.0, split, "", 1e-7)
    for count in (5, 6):
        own, four = (families[n][0]["planet"].reshape(3, n - 3) for n in (count, 4))
        off = float(np.abs(own / four - 1).max())
        name = f"{count} planets: frequencies of planet modes against those of 4"
        yield Case(name, "Lin and Parker 1999", 0.0, off, "", 1e-6)


def sharing_machine(count: int, sun: str) -> PlanetaryGearbox:
    changes = GUIDED | {"planets.count": count, "sun.support": {"kind": sun}}
    return flank.preset("planetary-lin-parker", changes)


def projector(count: int, sun: str) -> NDArray:
    """P of the closed form: what rotation, and a floating sun, cannot even out."""
    psi = 2 * np.pi * np.arange(count) / count
    free = [np.ones(count)] + ([np.cos(psi), np.sin(psi)] if sun == "floating" else [])
    basis = np.linalg.qr(np.array(free).T)[0]
    return np.eye(count) - basis @ basis.T


def sharing_cases() -> Iterator[Case]:
    """One pin off by 10 nm, so little that the geometry is linear."""
    error, torque = 1e-8, -1e-3
    settings = LoadSharingSettings(torque=torque, points=1, error_points=0)
    for sun, title in (("floating", "floating sun"), ("rigid", "guided centres")):
        for count in (3, 4, 5, 6):
            machine = sharing_machine(count, sun)
            off = machine.with_error("pin_tangential.1", error)
            even, uneven = (
                share_load(m, settings)["planet_load"].values[0] for m in (machine, off)
            )
            found = (uneven - even) / (PATH_STIFFNESS * error)
            # The sun pushes counter-clockwise: a planet ahead of its place carries less.
            worst = float(np.abs(found + projector(count, sun)[0]).max())
            name = f"{title}, {count} planets: loads of all pins for one pin error, over κ e"
            yield Case(name, "T/(N a) + κ P e", 0.0, worst, "", 1e-6)
            share = projector(count, sun)[0, 0]
            if share > 1e-9:
                name = f"{title}, {count} planets: load of the planet in error, over κ e"
                yield Case(name, "-P_11 of the closed form", -share, float(found[0]), "", 1e-6)
