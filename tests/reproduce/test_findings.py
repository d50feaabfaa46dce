"""Verdicts are comparisons, and sentences follow from them."""

import numpy as np
import pytest

from flank.reproduce.study import Claim, Finding, read_paper


def claim(ours, relation, limit=None, published=None, **more):
    return Claim("it", np.atleast_1d(np.asarray(ours, float)), relation, limit, published, **more)


@pytest.mark.parametrize(
    ("given", "met"),
    [
        (claim(0.99, "within", 0.02, 1.0), True),
        (claim(0.97, "within", 0.02, 1.0), False),
        (claim(2.5, "within_percent", 20, 3.0), True),
        (claim(2.3, "within_percent", 20, 3.0), False),
        (claim(1.0, "at_most", 1.0), True),
        (claim([0.5, 1.1], "at_most", 1.0), False),
        (claim(0.0, "above", 0.0), False),
        (claim(-1.0, "below", 0.0), True),
        (claim(2.0, "between", [1.0, 3.0]), True),
        (claim([1, 3], "equal", 1), False),
        (claim([1, 2, 2, 3], "rising"), True),
        (claim([1, 1], "rising"), False),
        (claim([1, 3, 2], "rising"), False),
        (claim([3, 1], "falling"), True),
        (claim(np.nan, "above", 0.0), None),
        (claim([1.0, np.nan], "rising"), None),
        (claim(1.0, ""), None),
    ],
)
def test_comparisons(given, met):
    assert given.met is met


def test_sentences_of_all_verdicts():
    good = claim(1.234, "above", 1.0, form=".2f", unit=" mm", reason="as it must")
    bad = claim(0.5, "within", 0.1, 1.0)._replace(says="that")
    unknown = claim(2.0, "", published=3.0, reason="whose zero is not known")
    assert Finding("So.", "Fig. 1", [good]).sentence == (
        "Fig. 1 is met: it: 1.23 mm here (above 1 mm, as it must). So."
    )
    assert Finding("", "Figs. 1 and 2", [bad]).sentence == (
        "Figs. 1 and 2 are not met: that: 0.5 here, 1 in the paper (within 0.1 asked)."
    )
    mixed = Finding("", "Fig. 1", [bad, good, unknown]).sentence
    assert mixed.startswith("Fig. 1 is met in part. Met: it: 1.23 mm")
    assert "Not met: that: 0.5 here" in mixed
    assert mixed.endswith("No verdict: it: 2 here, 3 in the paper, whose zero is not known.")
    assert Finding("", "Fig. 1", [unknown]).sentence.startswith("Fig. 1 has no verdict: it: 2")
    assert Finding("Text.", "Fig. 8").sentence == "Fig. 8: Text."
    assert Finding("Text.").sentence == "Text."


def test_a_mistake_needs_numbers_that_refute_what_is_printed():
    wrong = claim(0.5, "within", 0.1, 1.0)
    assert Finding("Wrong.", claims=[wrong], mistake=3).sentence == "Mistake 3. Wrong."
    right = wrong._replace(ours=np.array([1.0]))
    confirmed = Finding("Wrong.", claims=[right], mistake=3).sentence
    assert confirmed.startswith("Mistake 3 is not confirmed: it: 1 here")
    assert "Wrong." not in confirmed


@pytest.mark.parametrize("name", ["cv_joint", "planetary", "reducers"])
def test_no_verdict_is_typed(name):
    """The words stand in the template alone, so that no sentence can say them unasked."""
    paper = read_paper(f"flank.reproduce.{name}")
    for told in (*paper.findings, *paper.mistakes):
        claims = [claim["says"] for claim in told.get("claims", ())]
        text = " ".join([told.get("place", ""), told.get("remark", ""), *claims])
        assert not {"met", "missed", "verdict"} & set(text.replace(",", " ").split())
