"""A problem of optimisation from what people give, and with which sentences it is refused."""

import pytest

import flank
from flank.design.optimization import Budget, optimize
from flank.design.problem import make_problem
from flank.errors import SpecError

QUICK = {"hysteresis": {"points_per_stage": 5}}
KEY = "discs.equidistant"


@pytest.fixture(scope="module")
def drive():
    return flank.preset("cycloidal-drive")


def made(drive, vary=None, objectives=(("backlash", "better"),), limits=(), settings=None, **more):
    given = {KEY: "0..20 um"} if vary is None else vary
    return make_problem(drive, given, objectives, limits, settings or QUICK, **more)


def refusals(drive, **given):
    with pytest.raises(SpecError) as refused:
        made(drive, **given)
    return " ".join(refused.value.problems)


@pytest.mark.parametrize(
    "given",
    ["-20..20 um", "-20 um..20 um", "-0.02 .. 0.02 mm", "-20 to 20 µm", (-20e-6, "20 um")],
)
def test_bounds_are_read_as_people_write_them(drive, given):
    (varied,) = made(drive, {KEY: given}).varied
    assert (varied.low, varied.high, varied.own) == (-2e-5, 2e-5, 5e-6)


def test_errors_vary_for_one_part_or_for_all(drive):
    problem = made(drive, {"errors.pin_radius": "-5..5 um", "errors.pin_radius.3": "-5..5 um"})
    assert [each.key for each in problem.varied] == [
        "errors.pin_radius.3",
        "errors.pin_radius.all",
    ]
    values = problem.machine_of((1e-6, 2e-6)).errors["pin_radius"]
    assert values[2] == pytest.approx(3e-6)
    assert values[3] == pytest.approx(2e-6)


def test_values_are_rounded_so_that_specs_read_well(drive):
    (varied,) = made(drive).varied
    value = varied.at(1 / 3)
    assert varied.text(value, 12) == "6.6667 um"
    assert varied.at(0.0) == 0.0
    assert varied.at(1.0) == 2e-5


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"vary": {}}, "nothing varies"),
        ({"vary": {"discs.equidistnat": "0..1 um"}}, "did you mean 'equidistant'"),
        ({"vary": {"pin_radius": "0..1 um"}}, "did you mean 'errors.pin_radius'"),
        ({"vary": {"discs.profile": "0..1"}}, "only numbers vary"),
        ({"vary": {KEY: "20..0 um"}}, "bounds are reversed, 20 um is more than 0 um"),
        ({"vary": {KEY: "2..2 um"}}, "both bounds are 2 um"),
        ({"vary": {KEY: "0..1 N"}}, "a length is needed"),
        ({"vary": {KEY: "5 um"}}, "give both, as in '-1..1 um'"),
        ({"vary": {"discs.width": "-1..5 mm"}}, "it must be more than 0 mm"),
        ({"vary": {"pins.count": "1..30"}}, "at least 3"),
        ({"vary": {"errors.pin_radius.99": "0..1 um"}}, "there is no such pin"),
        ({"objectives": ()}, "nothing is to be improved"),
        ({"objectives": [("backlsh", "better")]}, "did you mean 'backlash'"),
        ({"objectives": [("hysteresis", "better")]}, "name one of its figures"),
        ({"objectives": [("hysteresis.lost_moton", "better")]}, "did you mean 'lost_motion'"),
        (
            {"objectives": [("torsional_stiffness", "better")], "settings": {"efficiency": {}}},
            "several analyses",
        ),
        ({"objectives": [("hysteresis.offset", "better")]}, "say --minimize or --maximize"),
        ({"objectives": [("load-sharing.mesh_load_factor", "better")]}, "needs planets"),
        ({"objectives": [("backlash", "better")] * 2}, "improved twice"),
        ({"limits": ["backlash 1 arcmin"]}, "is no limit"),
        ({"limits": ["backlash < 1 mm"]}, "an angle is needed"),
        ({"limits": ["backlash < 1"]}, "did you mean '1 arcmin'"),
        ({"limits": ["2 arcmin < backlash < 1 arcmin"]}, "exchange its ends"),
        ({"settings": {"efficiency": {}}}, "settings of efficiency do nothing"),
        ({"settings": {"hysteresis": {"points": 3}}}, "points is not a setting"),
    ],
)
def test_what_is_wrong_is_told(drive, given, words):
    assert words in refusals(drive, **given)


def test_all_mistakes_are_told_at_once(drive):
    told = refusals(drive, vary={"eccentrcity": "1..2 mm"}, limits=["backlash < 1 mm", "lost < 1"])
    assert "eccentricity" in told
    assert "'lost' is no figure" in told


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("backlash < 1 arcmin", None, 1.0),
        ("backlash ≥ 0.5 arcmin", 0.5, None),
        ("1 arcmin > hysteresis.backlash", None, 1.0),
        ("0.5 arcmin <= backlash <= 1 arcmin", 0.5, 1.0),
        ("1 arcmin >= backlash >= 0.5 arcmin", 0.5, 1.0),
    ],
)
def test_limits_are_read_either_way(drive, text, low, high):
    (limit,) = made(drive, limits=[text]).limits
    arcmin = 3.141592653589793 / 10800
    assert limit.figure.full == "hysteresis.backlash"
    assert limit.low == (-float("inf") if low is None else pytest.approx(low * arcmin))
    assert limit.high == (float("inf") if high is None else pytest.approx(high * arcmin))


def test_a_figure_is_improved_the_way_its_analysis_declares(drive):
    found = made(
        drive,
        objectives=[("backlash", "better"), ("hysteresis.torsional_stiffness", "better")],
    )
    assert [each.largest for each in found.objectives] == [False, True]


def test_a_number_of_an_array_is_a_figure(drive):
    settings = {"natural-frequencies": {}}
    (one,) = made(
        drive, objectives=[("natural-frequencies.frequency.2", "largest")], settings=settings
    ).objectives
    assert (one.figure.unit, one.figure.shown_unit) == ("1/s", "Hz")


def test_a_real_optimum_beats_a_grid_and_hangs_on_no_order_of_keys(drive):
    """The stiffest drive with little backlash, by two modifications. The grid has the corner of the
    limits, no modification at all, as one of its points: a search comes as near as it is fine."""
    vary = {"discs.radial": "0..20 um", KEY: "-5..15 um"}
    objectives, limits = [("hysteresis.torsional_stiffness", "better")], ["backlash < 1 arcmin"]
    problem = made(drive, vary, objectives, limits)
    other = made(drive, dict(reversed(vary.items())), objectives, limits)
    found, again = (optimize(each, Budget(60)) for each in (problem, other))
    assert [each.values for each in found.path] == [each.values for each in again.path]
    grid = []
    for e in range(-5, 16, 5):
        for r in range(0, 21, 5):
            trial = found.trials.compute(0, (e * 1e-6, r * 1e-6))
            reply = problem.reply(trial)
            grid += [reply.cost] if reply.good else []
    assert problem.cost(found.best) <= min(grid) + 1e-3 * abs(min(grid))
    assert sum(cost > problem.cost(found.best) for cost in grid) >= len(grid) - 1
    assert found.best.figures["hysteresis.backlash"] <= problem.limits[0].high


def test_specs_with_findings_of_a_new_kind_are_not_allowed_unless_they_may_be(drive):
    """Less of the equidistant makes pins interfere; that is a warning, and no error."""
    vary, kept = {KEY: "-15..5 um"}, made(drive, {KEY: "-15..5 um"}, limits=["backlash > 0 arcmin"])
    trial = optimize(kept, Budget(6)).trials.compute(0, (-15e-6,))
    assert "interfere" in trial.refusal
    freely = made(drive, vary, new_findings=True)
    assert optimize(freely, Budget(6)).trials.compute(0, (-15e-6,)).allowed


def test_figures_of_a_check_are_limits_too_and_its_rules_are_kept(drive):
    """A larger circle of rollers brings their holes nearer to the root."""
    problem = made(
        drive,
        {"output.rollers.circle_radius": "38..46 mm"},
        [("hysteresis.torsional_stiffness", "better")],
        ["check.wall_to_bore > 8 mm"],
    )
    assert problem.own.figures["check.wall_to_bore"] > 8e-3
    found = optimize(problem, Budget(4)).trials
    inward, outward = (found.compute(0, (radius,)) for radius in (38e-3, 46e-3))
    assert not problem.reply(inward).good
    assert [each.words for each in problem.limits] == ["check.wall_to_bore >= 8 mm"]
    assert set(problem.rules) <= set(outward.margins)
