"""A report in a browser: it moves, is read off as the result tells it, and asks nobody anything."""

import numpy as np
import pytest
from chromium import CONTRAST, Watched, running

import flank
from flank.report.folder import write_folder

pytestmark = pytest.mark.browser

LARGEST_REPORT = 2_000_000
"""Bytes of an RV reducer's loop."""

RUNS = {
    "error": ("monocrank", "transmission-error", {}),
    "loop": ("rv-320", "hysteresis", {}),
    "bevel": ("bevel-pair", "load-distribution", {}),
    "joint": ("cv-joint", "joint-turns", {"mode": "static", "points_per_turn": 24}),
    "modes": ("planetary-lin-parker", "natural-frequencies", {}),
    "load": ("rv-320", "load-distribution", {}),
}

ATTACK = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"


@pytest.fixture(scope="module")
def browser():
    with running() as browser:
        yield browser


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    made = {}

    def report(name):
        if name not in made:
            preset, analysis, settings = RUNS[name]
            result = flank.run(flank.preset(preset), analysis, **settings)
            folder = tmp_path_factory.mktemp(name)
            write_folder(result, folder)
            made[name] = result, folder / "report.html"
        return made[name]

    return report


@pytest.mark.parametrize("name", RUNS)
def test_a_page_from_a_file_asks_for_nothing_and_has_no_complaint(browser, reports, name):
    with Watched(browser, reports(name)[1]) as seen:
        blank = seen.page.evaluate("document.createElement('canvas').toDataURL()")
        assert seen.pixels() != blank
        assert seen.requests == []
        assert seen.complaints == []


def test_the_policy_stops_what_a_page_would_fetch(browser, reports):
    with Watched(browser, reports("error")[1]) as seen:
        done = seen.page.evaluate(
            "fetch('https://example.org/').then(() => 'fetched', () => 'refused')"
        )
        assert done == "refused"
        assert any("Content Security Policy" in text for text in seen.complaints)


def test_a_report_of_an_rv_loop_is_small(reports):
    assert reports("loop")[1].stat().st_size < LARGEST_REPORT


def test_scrubbing_moves_the_drawing_and_back(browser, reports):
    with Watched(browser, reports("error")[1]) as seen:
        first = seen.pixels()
        seen.scrub(0.25)
        quarter = seen.pixels()
        assert quarter != first
        assert float(seen.page.get_attribute(".flank-canvas", "data-frame")) == 45
        shown = seen.page.inner_text(".flank-value")
        angle = np.degrees(reports("error")[0].data["crank_angle"].values)
        assert f"{angle[reports('error')[0].drawing.record[45]]:.2f}" in shown
        seen.scrub(0.0)
        assert seen.pixels() == first


def test_playing_goes_on_and_stops(browser, reports):
    with Watched(browser, reports("error")[1]) as seen:
        seen.page.click(".flank-play")
        seen.until("Number(document.querySelector('.flank-canvas').dataset.frame) > 2")
        assert seen.page.get_attribute(".flank-play", "aria-label") == "Pause"
        seen.page.click(".flank-play")
        assert seen.pixels() == seen.pixels()


def test_a_curve_is_read_off_by_keys_and_pointer_as_the_result_tells_it(browser, reports):
    result, path = reports("error")
    error = np.degrees(result.data["transmission_error"].values) * 3600
    with Watched(browser, path) as seen:
        plot = seen.page.locator(".flank-plot").first
        plot.focus()
        seen.page.keyboard.press("Home")
        for _ in range(7):
            seen.page.keyboard.press("ArrowRight")
        reading = seen.page.locator(".flank-reading").first
        assert reading.get_attribute("data-sample") == "7"
        assert float(reading.get_attribute("data-y")) == pytest.approx(error[7], rel=1e-6)
        box = plot.bounding_box()
        seen.page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 120)
        sample = int(reading.get_attribute("data-sample"))
        assert 300 < sample < 500
        assert float(reading.get_attribute("data-y")) == pytest.approx(error[sample], rel=1e-6)
        frame = float(seen.page.get_attribute("main", "data-flank-frame"))
        assert result.drawing.record[round(frame)] == pytest.approx(sample, abs=3)


def test_keys_zoom_step_and_go_back(browser, reports):
    with Watched(browser, reports("error")[1]) as seen:
        first = seen.pixels()
        seen.page.focus(".flank-canvas")
        for key in ("+", "ArrowLeft", "."):
            seen.page.keyboard.press(key)
        assert seen.pixels() != first
        assert float(seen.page.get_attribute(".flank-canvas", "data-zoom")) == 1.25
        seen.page.keyboard.press("0")
        seen.page.keyboard.press(",")
        assert seen.pixels() == first


def test_the_point_below_the_pointer_stays_as_one_zooms(browser, reports):
    with Watched(browser, reports("load")[1]) as seen:
        seen.page.focus(".flank-canvas")
        box = seen.page.locator(".flank-canvas").bounding_box()
        x, y = box["x"] + 0.2 * box["width"], box["y"] + 0.4 * box["height"]
        seen.page.mouse.move(x, y)
        first = seen.pixels()
        seen.page.mouse.wheel(0, -400)
        assert seen.pixels() != first
        seen.page.mouse.wheel(0, 400)
        assert float(seen.page.get_attribute(".flank-canvas", "data-zoom")) == pytest.approx(1.0)
        assert seen.pixels() == first


def test_a_joint_is_turned_by_hand_and_by_keys(browser, reports):
    with Watched(browser, reports("joint")[1]) as seen:
        first = seen.pixels()
        seen.page.focus(".flank-canvas")
        seen.page.keyboard.press("ArrowLeft")
        turned = seen.pixels()
        assert turned != first
        rows = seen.page.get_attribute(".flank-canvas", "data-turn").split(";")
        matrix = np.array([[float(x) for x in row.split(",")] for row in rows])
        assert matrix @ matrix.T == pytest.approx(np.eye(3), abs=2e-3)


def test_modes_swing_about_the_machine_at_rest(browser, reports):
    with Watched(browser, reports("modes")[1]) as seen:
        seen.page.emulate_media(reduced_motion="reduce")
        still = seen.pixels()
        assert seen.pixels() == still
        seen.page.evaluate("still => { window.still = still; }", still)
        seen.page.click(".flank-play")
        seen.until("document.querySelector('.flank-canvas').toDataURL() !== window.still")
        seen.page.click(".flank-play")
        options = seen.page.locator("select[aria-label='Mode'] option").all_inner_texts()
        assert options[0].startswith("Mode 1: ")


def test_no_text_of_a_spec_runs(browser, tmp_path):
    drive = flank.preset("monocrank", {"title": ATTACK, "source": ATTACK})
    write_folder(flank.run(drive, "load-distribution"), tmp_path)
    with Watched(browser, tmp_path / "report.html") as seen:
        assert seen.page.evaluate("window.hacked") is None
        assert "onerror" in seen.page.inner_text("h1")
        assert seen.requests == []
        assert seen.complaints == []


def test_tables_copy_as_a_spreadsheet_reads_them(browser, reports):
    with Watched(browser, reports("error")[1]) as seen:
        seen.page.evaluate(
            "Object.defineProperty(navigator, 'clipboard', "
            "{ value: { writeText: async text => { window.copied = text; } } })"
        )
        table = seen.page.locator("table[data-flank='table']").nth(1)
        button = seen.page.locator(".flank-copy").nth(1)
        button.click()
        seen.until("window.copied !== undefined")
        copied = [line.split("\t") for line in seen.page.evaluate("window.copied").split("\n")]
        assert len(copied) == table.locator("tr").count()
        assert len({len(line) for line in copied}) == 1
        float(copied[1][-1])


def test_without_script_and_on_paper_the_pictures_stand_there(browser, reports):
    with Watched(browser, reports("error")[1], java_script_enabled=False) as seen:
        pictures = seen.page.locator("figure img")
        assert all(pictures.nth(k).is_visible() for k in range(pictures.count()))
    with Watched(browser, reports("error")[1]) as seen:
        drive = seen.page.locator("img[alt='drive']")
        assert not drive.is_visible()
        seen.page.emulate_media(media="print")
        assert drive.is_visible()
        for part in (".flank-canvas", ".flank-play", ".flank-plot", ".flank-copy"):
            assert not seen.page.locator(part).first.is_visible()


@pytest.mark.parametrize("name", RUNS)
def test_a_phone_shows_it_without_scrolling_sideways(browser, reports, name):
    with Watched(browser, reports(name)[1]) as seen:
        seen.page.set_viewport_size({"width": 390, "height": 800})
        seen.pixels()
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read_and_controls_have_names(browser, reports, scheme):
    """4.5 to 1, as WCAG 2.2 asks for in 1.4.3."""
    with Watched(browser, reports("error")[1], color_scheme=scheme) as seen:
        assert seen.page.evaluate(CONTRAST) == []
        for control in seen.page.locator("button, select, input, canvas, .flank-plot").all():
            name = control.get_attribute("aria-label") or control.inner_text()
            assert name.strip()
            assert control.get_attribute("tabindex") != "-1"


STREAM = """async () => {
  const data = JSON.parse(document.getElementById('flank-document').textContent);
  const shell = document.createElement('div');
  document.querySelector('main').prepend(shell);
  const shown = flank.drawing.mount(shell, data);
  const { poses, frames } = data.mechanism;
  const next = () => new Promise(done => requestAnimationFrame(done));
  const first = shown.state.drawn;
  for (let k = 0; k < 25; k++) {
    shown.frame(k);
    shown.update({ mechanism: { poses } });
    await next();
  }
  await next();
  const state = shown.state;
  shown.unmount();
  return [state.drawn - first, state.frame, shell.querySelector('canvas') === null];
}"""


def test_new_documents_are_taken_while_shapes_stay(browser, reports):
    with Watched(browser, reports("error")[1]) as seen:
        drawn, frame, gone = seen.page.evaluate(STREAM)
        assert drawn >= 20
        assert frame == 24
        assert gone
        assert seen.complaints == []


COMPARE = """() => {
  const data = JSON.parse(document.getElementById('flank-document').textContent);
  const shell = document.createElement('div');
  document.querySelector('main').prepend(shell);
  flank.drawing.mount(shell, { ...data, mechanism: undefined },
    { name: 'as drawn', compare: [{ title: 'other', document: data }] });
  return [...shell.querySelectorAll('.flank-curve')[0].querySelectorAll('.flank-line-key')]
    .map(key => key.textContent);
}"""


def test_results_are_compared_in_one_plot(browser, reports):
    with Watched(browser, reports("error")[1]) as seen:
        assert seen.page.evaluate(COMPARE) == ["as drawn", "other"]
        key = seen.page.locator(".flank-line-key").nth(1)
        key.click()
        assert key.get_attribute("aria-pressed") == "false"
        assert seen.complaints == []
