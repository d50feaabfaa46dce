"""Optimisation against optima that are known, without machines."""

import math
from dataclasses import replace

import pytest
from analytic_problems import key, problem, trials

from flank.design.optimization import optimum_of
from flank.design.search import Search
from flank.errors import SpecError


def bowl(x, y):
    return {"cost": (x - 0.3) ** 2 + 10 * (y + 0.2) ** 2, "sum": x + y}


def square(**given):
    return problem([key("x", -1.0, 1.0, 0.9), key("y", -1.0, 1.0, 0.9)], ["cost"], **given)


def test_a_bowl_has_its_least_value_at_its_bottom():
    found = optimum_of(trials(square(), bowl))
    assert found.best.values == pytest.approx((0.3, -0.2), abs=2e-3)
    assert not found.active
    assert found.best.number < 60


def test_a_limit_holds_the_optimum_at_its_edge():
    """On x + y = 1 the gradient (2(x - 0.3), 20(y + 0.2)) has equal parts: x = 1.03636 beyond the
    bound, so x = 1 and y = 0."""
    found = optimum_of(trials(square(limits={"sum": (1.0, math.inf)}), bowl))
    assert found.best.values == pytest.approx((1.0, 0.0), abs=2e-3)
    assert found.active == ["formula.sum >= 1", "x <= 1"]


def test_a_rule_that_stands_on_its_limit_all_along_holds_nothing():
    """Whether there is an equilibrium is yes or no: no search moves it."""

    def with_margins(met):
        of = replace(square(), rules={"yes": "rule yes", "wall": "rule wall"}, met=met)
        tried = trials(of, bowl)
        compute = tried.compute
        margins = {"yes": 0.0, "wall": 1e-6}
        tried.compute = lambda *asked: replace(compute(*asked), margins=margins)
        return optimum_of(tried).active

    assert with_margins(frozenset({"yes"})) == ["rule wall"]
    assert with_margins(frozenset()) == ["rule yes", "rule wall"]


def test_the_largest_is_looked_for_where_it_is_asked():
    found = optimum_of(trials(square(largest=True), bowl))
    assert found.best.values == (-1.0, 1.0)


def test_rosenbrock_s_valley_is_gone_along():
    keys = [key("x", -2.0, 2.0, -1.2), key("y", -1.0, 3.0, 1.0)]

    def valley(x, y):
        return {"cost": 100 * (y - x * x) ** 2 + (1 - x) ** 2}

    found = optimum_of(trials(problem(keys, ["cost"]), valley))
    assert found.best.figures["formula.cost"] < 1e-3


def test_the_lowest_of_many_dips_is_found():
    """A function of Rastrigin: dips everywhere, the deepest at (0.25, 0.25)."""

    def dips(x, y):
        shifted = (x - 0.25, y - 0.25)
        return {"cost": sum(z * z + 0.1 * (1 - math.cos(6 * math.pi * z)) for z in shifted)}

    found = optimum_of(trials(square(), dips, 1000))
    assert found.best.values == pytest.approx((0.25, 0.25), abs=5e-3)


def test_a_kink_is_found_as_of_a_peak_to_peak():
    def kink(x, y):
        return {"cost": max(abs(x - 0.4), abs(y + 0.1 * x - 0.2))}

    found = optimum_of(trials(square(), kink))
    assert found.best.figures["formula.cost"] < 5e-3


def test_refused_specs_are_gone_round():
    """A disc about the bottom is refused: the least is on its edge, at distance 0.25 from
    it in x, where the bowl is flat."""

    def hole(x, y):
        if math.hypot(x - 0.3, y + 0.2) < 0.25:
            return "no such machine"
        return bowl(x, y)

    found = optimum_of(trials(square(), hole))
    assert found.best.figures["formula.cost"] == pytest.approx(0.0625, rel=0.03)
    assert any(each.refusal == "no such machine" for each in found.path)


def test_whole_numbers_stay_whole():
    keys = [key("n", 3, 30, 5, True), key("x", -1.0, 1.0, 0.0)]

    def formula(n, x):
        assert n == int(n)
        return {"cost": (n - 17) ** 2 + (x - n / 40) ** 2}

    found = optimum_of(trials(problem(keys, ["cost"]), formula))
    assert found.best.values == pytest.approx((17, 17 / 40), abs=3e-3)


def test_whole_numbers_alone_are_gone_through():
    keys = [key("n", 1, 9, 1, True)]
    found = optimum_of(trials(problem(keys, ["cost"]), lambda n: {"cost": abs(n - 6)}))
    assert found.best.values == (6,)


def test_the_same_seed_gives_the_same_trials():
    paths = [[each.values for each in optimum_of(trials(square(), bowl), 3).path] for _ in "ab"]
    other = [each.values for each in optimum_of(trials(square(), bowl), 4).path]
    assert paths[0] == paths[1]
    assert paths[0] != other


def test_a_spent_budget_leaves_the_best_until_then():
    found = optimum_of(trials(square(), bowl, 9))
    assert found.stopped == "9 evaluations are spent"
    costs = [each.figures["formula.cost"] for each in found.path[:9]]
    assert found.best.figures["formula.cost"] <= min(costs)


def test_control_c_leaves_the_best_until_then():
    def stopping(x, y):
        if len(made.known) == 12:
            raise KeyboardInterrupt
        return bowl(x, y)

    made = trials(square(), stopping)
    found = optimum_of(made)
    assert found.interrupted
    assert len(found.path) == 12
    assert found.best is Search(made, made.problem.reply).best


def test_limits_that_nothing_keeps_are_told_with_what_is_missing():
    found = optimum_of(trials(square(limits={"sum": (3.0, math.inf)}), bowl))
    assert found.best is None
    assert "formula.sum 2, 1 beyond 3" in found.why_none
    assert "x 1 and y 1" in found.why_none


def test_specs_that_are_all_refused_tell_the_commonest_reason():
    def refused(x, y):
        return "tooth of 3.1 mm" if x > 0 else f"wall of {y} mm"

    found = optimum_of(trials(square(), refused))
    assert found.best is None
    assert "none of" in found.why_none
    assert "tooth of" in found.why_none or "wall of" in found.why_none


def test_an_objective_that_does_not_vary_is_refused():
    with pytest.raises(SpecError, match=r"formula.cost does not vary: it is 2 at all"):
        optimum_of(trials(square(), lambda x, y: {"cost": 2.0}))


def test_a_key_that_moves_nothing_is_named():
    found = optimum_of(trials(square(), lambda x, y: {"cost": (x - 0.1) ** 2}))
    assert found.idle == ("y",)
    assert not optimum_of(trials(square(), bowl)).idle


def test_figures_are_looked_at_on_both_sides_of_the_best():
    found = optimum_of(trials(square(), bowl))
    for place, row in enumerate(found.around):
        for side, sign in ((row.below, -1), (row.above, 1)):
            assert side.values[place] - found.best.values[place] == pytest.approx(0.1 * sign)
            assert side.figures["formula.cost"] > found.best.figures["formula.cost"]


def two(formula, most=2000, **given):
    keys = [key("x", -2.0, 4.0, 3.0), key("y", -2.0, 2.0, 1.0)]
    made = trials(problem(keys, ["first", "second"], **given), formula, most)
    return optimum_of(made).front


@pytest.fixture(scope="module")
def circles():
    """The front of `schaffer`."""
    return two(schaffer)


def schaffer(x, y):
    """f₁ = x² + y², f₂ = (x - 2)² + y²: the front is √f₁ + √f₂ = 2."""
    return {"first": x * x + y * y, "second": (x - 2) ** 2 + y * y}


def test_the_front_is_the_known_one_and_has_no_wide_gap(circles):
    front = circles
    for first, second in front.costs:
        assert math.sqrt(first) + math.sqrt(second) == pytest.approx(2.0, abs=0.02)
    assert front.costs[0][0] < 1e-3
    assert front.costs[-1][1] < 1e-3
    assert max(front.gap(k) for k in range(len(front.costs) - 1)) < 0.2


def test_nothing_on_the_front_is_better_than_another_in_both(circles):
    front = circles
    for k, (a, b) in enumerate(front.costs):
        assert not any(c <= a and d <= b for j, (c, d) in enumerate(front.costs) if j != k)


def test_a_hollow_front_is_filled_too():
    """f₁ = 1 - exp(-Σ(x - 1/√2)²), f₂ with + (Fonseca, Fleming): weighted sums find its ends only.
    On the front x = y, and f₂ of f₁ follows by x."""
    root = 1 / math.sqrt(2)

    def formula(x, y):
        return {
            "first": 1 - math.exp(-((x - root) ** 2) - (y - root) ** 2),
            "second": 1 - math.exp(-((x + root) ** 2) - (y + root) ** 2),
        }

    front = two(formula)
    inner = [pair for pair in front.costs if 0.1 < pair[0] < 0.9]
    assert len(inner) >= 4
    for first, second in inner:
        t = root - math.sqrt(-math.log(1 - first) / 2)
        assert second == pytest.approx(1 - math.exp(-2 * (t + root) ** 2), abs=0.02)


def test_points_of_a_front_are_spread_along_it(circles):
    front = circles
    few = front.spread(5)
    assert few[0] is front.trials[0]
    assert few[-1] is front.trials[-1]
    assert len(few) == 5
