"""What share of the drives that we will build is good, and what decides it?

python examples/study.py
"""

import math
import tempfile
from pathlib import Path

import flank

ARCMIN = math.pi / 180 / 60
FILE = Path(__file__).parent / "study.yaml"
LOST_MOTION = "hysteresis.lost_motion"


def drives(folder):
    """The study of study.yaml, run or gone on with, and evaluated."""
    return flank.study(FILE, folder)


def good(study) -> tuple[float, float, float]:
    """Percent that keep the limit, and the interval of it."""
    return tuple(100 * share for share in study.yields()[0].share)


def spread(study) -> tuple[float, float, float, float]:
    """Lost motion in arcmin: nothing varied, mean, deviation, and what 95 % stay below."""
    values = study.nominal(LOST_MOTION), study.mean(LOST_MOTION).value
    far = study.deviation(LOST_MOTION), study.quantile(LOST_MOTION, 0.95).value
    return tuple(value / ARCMIN for value in (*values, *far))


def drivers(study) -> list[tuple[str, float]]:
    """(what varies, percent of the variance of lost motion), the largest first."""
    return [(each.entry, 100 * each.share.value) for each in study.drivers(LOST_MOTION)]


def worst(study) -> tuple[int, float]:
    """Number of the worst sample, and its lost motion in arcmin, computed again alone."""
    number = int(study.numbers(LOST_MOTION)[study.worst(LOST_MOTION)[0]])
    (loop,) = study.study.sampler.results(number)
    return number, loop["lost_motion"] / ARCMIN


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        study = drives(folder)
        print("{:.1f} % are good ({:.1f} to {:.1f} %)".format(*good(study)))
        print("nominal {:.3f}, mean {:.3f}, deviation {:.3f}, 95 % {:.3f}".format(*spread(study)))
        for name, share in drivers(study):
            print(f"{name:24} {share:5.1f} %")
        print("worst: sample {}, {:.3f} arcmin".format(*worst(study)))
