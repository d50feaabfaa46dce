"""A cycloidal drive as a unit (FMU): written, run in FMPy, and compared with Flank itself.

The load goes away after 10 ms, and the drive unwinds. FMPy stands for any program that loads units;
it is installed by `pip install fmpy`.

python examples/unit.py
"""

from pathlib import Path

import numpy as np

import flank

STEP, DURATION, RELEASE = 1e-4, 0.02, 0.01
ARCMIN = 60 * 180 / np.pi


def write(path: Path) -> Path:
    """The unit, at its operating point, with steps of 0.1 ms."""
    return flank.export_fmu(flank.preset("cycloidal-drive"), path, step=STEP)


def in_fmpy(path: Path) -> dict[str, np.ndarray]:
    """Outputs over time; the torque on the output is that of the start until it is released."""
    import fmpy

    variables = fmpy.read_model_description(str(path)).modelVariables
    start = {each.name: float(each.start) for each in variables if each.causality == "input"}
    drive, load = start["input.torque"], start["output.torque"]
    columns = [("time", float), ("input.torque", float), ("output.torque", float)]
    rows = [(0, drive, load), (RELEASE, drive, load), (RELEASE, drive, 0), (DURATION, drive, 0)]
    signal = np.array(rows, dtype=columns)
    result = fmpy.simulate_fmu(
        str(path), stop_time=DURATION, step_size=STEP, output_interval=STEP, input=signal
    )
    return {name: np.array(result[name]) for name in result.dtype.names}


def natively() -> tuple[np.ndarray, np.ndarray]:
    """Time and transmission error of the same run without a unit."""
    drive = flank.preset("cycloidal-drive")
    load, balance = drive.load_torque, -drive.load_torque / drive.ratio
    torques = {"input": balance, "output": [[0, load], [RELEASE, load], [RELEASE, 0], [1, 0]]}
    run = flank.run(
        drive, "time-response", duration=DURATION, step=STEP, torques=torques, points=100_000
    )
    return run["time"].values, run["transmission_error"].values


def compare(path: Path) -> tuple[list[tuple[float, float, float]], float]:
    """Time in ms with both transmission errors in arcmin, and their largest difference in rad until
    the load goes away."""
    unit, (times, error) = in_fmpy(path), natively()
    rows = []
    for time in (0.0, 0.005, 0.01, 0.0102, 0.011, 0.02):
        here, there = (int(np.searchsorted(t, time - STEP / 4)) for t in (unit["time"], times))
        both = (unit["transmission_error"][here], error[there])
        rows.append((1e3 * time, *(ARCMIN * float(value) for value in both)))
    until = round(RELEASE / STEP)
    difference = np.abs(unit["transmission_error"][:until] - error[:until]).max()
    return rows, float(difference)


if __name__ == "__main__":
    written = write(Path("drive.fmu"))
    rows, difference = compare(written)
    print(f"written to {written}, {written.stat().st_size / 1024:.0f} kB")
    for time, unit, native in rows:
        print(f"{time:.1f} ms: {unit:.3f} arcmin in FMPy, {native:.3f} arcmin natively")
    print(f"until the load goes away they differ by {difference:.0e} rad")
