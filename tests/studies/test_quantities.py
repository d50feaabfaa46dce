"""What a study can keep of each analysis: figures, curves, one number of an array."""

import numpy as np
import pytest
from quick_settings import QUICK

import flank
from flank.analyses.registry import ANALYSES
from flank.api import check_study
from flank.errors import SpecError
from flank.presets import preset_names
from flank.studies.store import Store

GEARS = {"machine": "gear-pair", "varies": {"errors.pinion_thickness": {}}, "samples": 3}
MESHES = {**GEARS, "asks": {"mesh-stiffness": {}}, "keeps": ["stiffness"]}
MODES = {
    "machine": "cycloidal-drive",
    "varies": {"errors.pin_radius": {}},
    "asks": {"natural-frequencies": {"count": 4}},
    "samples": 3,
}


def test_an_analysis_of_arrays_only_is_refused_with_what_it_has(tmp_path):
    words = r"mesh-stiffness tells arrays only, and none is kept; name in keeps what is: .*, as "
    with pytest.raises(SpecError, match=words) as refused:
        flank.study({**GEARS, "asks": {"mesh-stiffness": {}}}, tmp_path)
    assert len(refused.value.problems) == 1
    assert list(tmp_path.iterdir()) == []


def test_its_arrays_and_single_numbers_of_them_are_kept_by_name(tmp_path):
    """By labels, and by numbers along a cycle, whose places are no whole numbers."""
    keeps = ["stiffness", "stiffness.pinion-wheel.1.7", "mean_stiffness.pinion-wheel"]
    known = flank.study({**MESHES, "keeps": keeps}, tmp_path)
    curve = known.store.values("mesh-stiffness.stiffness")
    number = known.store.values("mesh-stiffness.stiffness.pinion-wheel.1.7")
    np.testing.assert_allclose(curve[:, 0, 1, 7], number, rtol=1e-7)
    assert np.ptp(number) > 0
    assert np.ptp(known.store.values("mesh-stiffness.mean_stiffness.pinion-wheel")) > 0


def test_the_third_frequency_has_a_limit_and_a_yield(tmp_path):
    """Every sample's is that of the machine alone."""
    limits = {"frequency.3": {"at_most": "1 Hz"}, "natural-frequencies.frequency.2": {}}
    limits["natural-frequencies.frequency.2"] = {"at_least": "1 Hz"}
    known = flank.study({**MODES, "limits": limits}, tmp_path)
    name = "natural-frequencies.frequency.3"
    (result,) = known.study.sampler.results(1)
    assert known.store.value(name, 1) == result.data["frequency"].values[2]
    assert np.ptp(known.store.values(name)) > 0
    assert known.nominal(name) > 1
    assert Store(known.store.path).quantities[name].title == "Frequency, mode 3"
    assert [row.within for row in known.yields()] == [0, 3, 0]


@pytest.mark.parametrize(
    ("key", "name", "words"),
    [
        ("limits", "frequency.33", r"'frequency.33' is not one number; there is frequency of mode"),
        ("limits", "frequency", r"'frequency' is not one number; .* 1, 2, 3: write frequency.3"),
        ("keeps", "frequency.x", r"keeps: 'frequency.x' is not one number"),
        ("keeps", "frequenzy", r"did you mean 'frequency'"),
        ("keeps", "motion", r"'motion' is nothing that natural-frequencies tells"),
    ],
)
def test_a_number_that_an_array_does_not_have_is_refused(key, name, words, tmp_path):
    given = [name] if key == "keeps" else {name: {"at_most": "1 Hz"}}
    with pytest.raises(SpecError, match=words):
        flank.study({**MODES, key: given}, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_curves_of_a_group_of_contacts_are_kept():
    """Their names are known to the run alone."""
    asks = {"transmission-error": {"points_per_turn": 12}}
    study = check_study({**MODES, "asks": asks, "keeps": ["pin_force"]})
    assert study.quantities["transmission-error.pin_force"].shape


@pytest.mark.nightly
@pytest.mark.parametrize("analysis", ANALYSES)
@pytest.mark.parametrize("preset", preset_names())
def test_every_machine_can_be_asked_whatever_fits_it(preset, analysis, tmp_path):
    """There is a store with something in it, or a sentence that names what it could have."""
    machine = flank.preset(preset)
    if not ANALYSES[analysis].fits(machine):
        pytest.skip("does not fit")
    kinds = (kind for kind in machine.spec.error_kinds if kind not in machine.spec.absent_errors)
    varies = {f"errors.{next(kinds)}": {}}
    data = {"machine": preset, "asks": {analysis: QUICK[analysis]}, "varies": varies, "samples": 1}
    study = check_study(data)
    try:
        store = study.open(tmp_path / "study.zarr")
    except SpecError as refused:
        (sentence,) = refused.problems
        if "the machine itself, with nothing varied" in sentence:
            return  # so little to do may be too little
        assert "tells arrays only" in sentence
        keeps = [sentence.rpartition(", as ")[2]]
        store = check_study({**data, "keeps": keeps}).open(tmp_path / "study.zarr")
    assert store.quantities
