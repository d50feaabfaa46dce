"""Claims of a study with numbers that say the opposite."""

from dataclasses import replace

import numpy as np


def falsified(claim):
    """A claim with ours so that its comparison gives the other answer."""
    if claim.met:
        return claim._replace(ours=_violating(claim))
    return claim._replace(ours=_fulfilling(claim))


def _violating(claim):
    limit = np.atleast_1d(claim.limit)[-1] if claim.limit is not None else 0.0
    far = 10 * (abs(limit) + 1)
    if claim.relation in ("rising", "falling"):
        return claim.ours[::-1]
    if claim.relation in ("within", "within_percent"):
        return claim.ours + far * (1 + abs(claim.published))
    return claim.ours * 0 + limit + (-far if claim.relation == "above" else far)


def _fulfilling(claim):
    if claim.relation in ("within", "within_percent"):
        return claim.ours * 0 + claim.published
    if claim.relation in ("rising", "falling"):
        return np.arange(len(claim.ours)) * (1.0 if claim.relation == "rising" else -1.0)
    step = {"above": 1.0, "below": -1.0}.get(claim.relation, 0.0)
    return claim.ours * 0 + np.mean(claim.limit) + step


def check_verdicts(study):
    """Every verdict of a study turns with the numbers of its claims, and its words with it."""
    compared = 0
    for finding in study.findings:
        claims = [claim for claim in finding.claims if claim.relation]
        compared += len(claims)
        assert all(falsified(claim).met is (not claim.met) for claim in claims)
        if not claims:
            continue
        opposite = replace(finding, claims=[falsified(claim) for claim in claims])
        turned = {"met": "not met", "not met": "met", "met in part": "met in part"}
        assert opposite.verdict == turned[finding.verdict]
        if finding.mistake:
            assert "is not confirmed" not in finding.sentence
            assert "is not confirmed" in opposite.sentence
        else:
            assert f" {finding.verdict}" in finding.sentence
            assert f" {opposite.verdict}" in opposite.sentence
        unknown = [claim._replace(ours=claim.ours * np.nan) for claim in claims]
        assert replace(finding, claims=unknown).verdict == ""
    assert compared > 7


def sentence_on(findings, place):
    """The sentence on a place of the paper."""
    return next(f.sentence for f in findings if f.place.startswith(place))
