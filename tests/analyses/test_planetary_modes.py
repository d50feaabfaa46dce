"""Natural frequencies of Lin and Parker 1999, and families of modes for any number of planets."""

import numpy as np
import pytest

import flank

PUBLISHED = {
    3: {
        "rotational": (0, 1475.7, 1930.3, 2658.3, 7462.8, 11775.3),
        "translational": (743.2, 1102.4, 1896.0, 2276.4, 6986.3, 9647.9),
        "planet": (),
    },
    4: {
        "rotational": (0, 1536.6, 1970.6, 2625.7, 7773.6, 13071.1),
        "translational": (727.0, 1091.0, 1892.8, 2342.5, 7189.9, 10437.6),
        "planet": (1808.2, 5963.8, 6981.7),
    },
}


def modes(count, changes=None):
    machine = flank.preset("planetary-lin-parker", {"planets.count": count} | (changes or {}))
    result = flank.run(machine, "natural-frequencies", torque=0, input="free", count=100)
    frequency, family = result["frequency"].values, result["family"].values
    return result, {
        name: frequency[family == name] for name in ("rotational", "translational", "planet")
    }


@pytest.mark.parametrize("count", [3, 4])
def test_published_frequencies(count):
    _, found = modes(count)
    wanted = PUBLISHED[count]
    assert found["rotational"] == pytest.approx(wanted["rotational"][1:], rel=5e-4)
    assert found["translational"][::2] == pytest.approx(wanted["translational"], rel=5e-4)
    assert found["planet"] == pytest.approx(wanted["planet"], rel=5e-4)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7])
def test_structure_of_any_number_of_planets(count):
    """6 rotational modes (one at zero), 6 pairs, 3 planet modes N - 3 times."""
    small = {
        "rack.normal_module": "0.75 mm",
        "sun.teeth": 168,
        "planets.teeth": 42,
        "ring.teeth": 252,
    }
    small["centre_distance"] = "78.75 mm"
    result, found = modes(count, small)
    table = {
        str(name): (int(all_), int(distinct))
        for name, all_, distinct in zip(
            result["family_name"].values,
            result["family_count"].values,
            result["family_distinct"].values,
            strict=True,
        )
    }
    if count == 2:
        assert table["rotational"][0] + table["translational"][0] == 15
        return
    assert table["rotational"] == (6, 6)
    assert table["translational"] == (12, 6)
    assert table.get("planet") == ((3 * (count - 3), 3) if count > 3 else None)
    pairs = found["translational"].reshape(6, 2)
    assert pairs[:, 0] == pytest.approx(pairs[:, 1], rel=1e-7)


def test_planet_modes_do_not_depend_on_their_number():
    four, five, six = (modes(count)[1]["planet"] for count in (4, 5, 6))
    assert five.reshape(3, 2) == pytest.approx(np.repeat(four, 2).reshape(3, 2), rel=1e-7)
    assert six.reshape(3, 3) == pytest.approx(np.repeat(four, 3).reshape(3, 3), rel=1e-7)


def test_uneven_planets_have_no_families():
    angles = [0, "90 deg", "180 deg", "270 deg"]
    angles[1] = 2 * np.pi * 44 / 180
    machine = flank.preset("planetary-lin-parker", {"planets.count": 4, "planets.angles": angles})
    result = flank.run(machine, "natural-frequencies", torque=0, input="free")
    assert result.complete
    assert "family" not in result.dataset


def test_machines_without_families_have_none(chain):
    from flank.analyses import natural_frequencies

    assert "family" not in natural_frequencies.run(chain()).dataset
