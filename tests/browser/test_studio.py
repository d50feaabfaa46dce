"""The studio in a browser: what is moved is drawn as the API says, and nobody else is asked."""

import re
import signal
import subprocess
import sys
import time

import pytest
from chromium import CONTRAST, PATIENCE, running, until

import flank

pytestmark = pytest.mark.browser

COMMAND = "from flank.cli.app import main; main()"


class Server:
    """`flank studio` in a process and a folder of its own."""

    def __init__(self, folder, given="monocrank"):
        self.folder = folder
        self.begun = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "studio", given, "--no-browser"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        line = self.process.stdout.readline()
        self.address = re.search(r"http://127\.0\.0\.1:\d+/[\w-]+/", line)[0]

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=PATIENCE)


class Tab:
    """A page of the studio, with what it asked for and complained of."""

    def __init__(self, browser, server, **context):
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | context)
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page = self.context.new_page()
        self.complaints, self.foreign = [], []
        self.page.on("console", lambda said: self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda asked: self._asked(asked.url, server.address))
        self.page.goto(server.address)
        self.settled("load")

    def _asked(self, url, address):
        if not url.startswith((address, "data:")):
            self.foreign.append(url)

    def until(self, expression):
        until(self.page, expression)

    def settled(self, what="rest"):
        """All of this kind has come of the last change."""
        self.until(
            f"document.body.dataset.asked && document.body.dataset.{what} >= "
            "document.body.dataset.asked * 1 && document.body.dataset.asked"
        )

    def field(self, path):
        return self.page.locator(f"[data-path='{path}']")

    def type(self, path, text):
        box = self.field(path).locator("input[type='text']")
        box.fill(text)
        box.press("Tab")

    def slide(self, path, value, settled=True):
        self.field(path).locator("input[type='range']").evaluate(
            "(slider, [value, settled]) => { slider.value = value;"
            "slider.dispatchEvent(new Event('input', { bubbles: true }));"
            "if (settled) slider.dispatchEvent(new Event('change', { bubbles: true })); }",
            [value, settled],
        )

    def value(self, path):
        return self.field(path).locator("input[type='text']").input_value()

    def figure(self, title):
        row = self.page.locator("#figures tr", has=self.page.get_by_text(title, exact=True))
        return float(row.locator(".number").inner_text().replace(",", ""))

    def pixels(self):
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        return self.page.evaluate("document.querySelector('.flank-canvas').toDataURL()")

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.context.close()
        if failure[0] is None:
            assert self.foreign == []
            assert [text for text in self.complaints if "404" not in text] == []


@pytest.fixture(scope="module")
def browser():
    with running() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    started = Server(tmp_path_factory.mktemp("studio"))
    yield started
    if started.process.poll() is None:
        started.stop()


@pytest.fixture
def tab(browser, server):
    with Tab(browser, server) as tab:
        yield tab


TITLE = "Torsional stiffness at this load"


def stiffness(changes):
    result = flank.run(flank.preset("monocrank", changes), "load-distribution")
    return result.value("torsional_stiffness", "N*m/arcmin")


def test_a_slider_moves_drawing_and_figure_as_the_api_says(tab):
    before, drawn = tab.figure(TITLE), tab.pixels()
    assert before == pytest.approx(stiffness({}), rel=1e-3)
    tab.slide("pins.radius", 2.5)
    tab.settled("load")
    assert tab.value("pins.radius") == "2.5 mm"
    after = stiffness({"pins.radius": "2.5 mm"})
    assert after != pytest.approx(before, rel=1e-3)
    assert tab.figure(TITLE) == pytest.approx(after, rel=1e-3)
    assert tab.pixels() != drawn
    assert "2.5 mm" in tab.page.inner_text("#title")


def test_a_bad_value_lights_its_field_and_a_good_one_puts_it_out(tab):
    tab.type("pins.radius", "-1 mm")
    tab.until("document.body.dataset.refused")
    assert tab.page.inner_text("#light") == "cannot be built"
    assert tab.page.locator("#refused").is_visible()
    box = tab.field("pins.radius")
    assert "refused" in box.get_attribute("class")
    assert "more than 0" in box.locator(".problem").inner_text()
    assert box.locator("input[type='text']").get_attribute("aria-invalid") == "true"
    tab.type("pins.radius", "2.5 mm")
    tab.until("!document.body.dataset.refused")
    assert "refused" not in box.get_attribute("class")
    tab.until("document.querySelector('#light').textContent in { green: 1, amber: 1, red: 1 }")


def test_undo_and_redo_go_step_by_step(tab):
    first = tab.value("eccentricity")
    tab.slide("eccentricity", 1.2, settled=False)
    tab.slide("eccentricity", 1.1)
    tab.type("discs.width", "10 mm")
    tab.settled("load")
    tab.page.keyboard.press("Control+z")
    tab.page.keyboard.press("Control+z")
    assert tab.value("eccentricity") == first
    assert tab.page.is_disabled("#undo")
    tab.settled("load")
    assert tab.figure(TITLE) == pytest.approx(stiffness({}), rel=1e-3)
    tab.page.keyboard.press("Control+Shift+z")
    assert tab.value("eccentricity") == "1.1 mm"
    tab.settled("load")
    expected = stiffness({"eccentricity": "1.1 mm"})
    assert tab.figure(TITLE) == pytest.approx(expected, rel=1e-3)


def test_a_finding_lights_its_field_and_its_remedy_keeps_the_rule(tab):
    tab.type("discs.width", "1 mm")
    tab.settled()
    verdict = flank.check(flank.preset("monocrank", {"discs.width": "1 mm"}))
    assert verdict.findings
    assert tab.page.inner_text("#light") == verdict.light
    items = tab.page.locator("#findings > li")
    assert items.count() == len(verdict.findings)
    worst = next(each for each in verdict.findings if each.changes)
    place = verdict.findings.index(worst)
    lit = tab.page.locator(f"[data-path='{worst.key}'], [data-block='{worst.key}']").first
    assert worst.severity in lit.get_attribute("class")
    items.nth(place).locator(".remedy button").click()
    tab.settled()
    for key, value in worst.changes.items():
        assert tab.value(key) == str(value)


def test_tabs_go_their_own_ways(browser, server, tab):
    with Tab(browser, server) as other:
        other.slide("eccentricity", 1.1)
        other.settled("load")
        tab.slide("pins.radius", 2.4)
        tab.settled("load")
        assert tab.value("eccentricity") != "1.1 mm"
        assert other.figure(TITLE) == pytest.approx(stiffness({"eccentricity": "1.1 mm"}), rel=1e-3)


def test_a_run_is_cancelled_or_told_and_saved(server, tab):
    tab.settled()  # what is still answered moves the button
    tab.page.select_option("#analysis", "sensitivity")
    tab.page.click("#run-start")
    tab.page.dispatch_event("#run-cancel", "click")  # at once, wherever the button is by now
    tab.until("document.querySelector('#run-state').textContent.startsWith('Cancelled')")
    assert not tab.page.is_visible("#result")
    tab.page.select_option("#analysis", "load-distribution")
    tab.page.click("#run-start")
    tab.until("!document.querySelector('#result').hidden")
    tab.page.fill("#report-name", "mine")
    tab.page.click("#save-report")
    tab.until("/^Saved as mine/.test(document.querySelector('#notice').textContent)")
    assert (server.folder / "mine" / "report.html").exists()
    tab.page.click("#save-report")
    tab.until("/exists/.test(document.querySelector('#notice').textContent)")


def test_a_spec_is_saved_as_it_stands(server, tab):
    tab.type("pins.radius", "2.6 mm")
    tab.page.fill("#spec-name", "changed")
    tab.page.click("#save-spec")
    tab.until("/^Saved as/.test(document.querySelector('#notice').textContent)")
    saved = flank.load(server.folder / "changed.yaml")
    assert saved.spec.pins.radius == pytest.approx(2.6e-3)


def test_a_variant_pinned_at_once_learns_what_comes_later(tab):
    tab.settled()
    tab.slide("pins.radius", 2.5)
    tab.page.click("#pin")
    tab.settled()
    columns = tab.page.locator("#variants tr", has_text="Lost motion").first.locator("td")
    assert columns.nth(0).inner_text() == columns.nth(1).inner_text() != ""


def test_another_machine_begins_with_nothing_of_the_one_before(tab):
    tab.settled()
    tab.type("discs.width", "1 mm")
    tab.settled()
    assert tab.page.locator("#findings > li").count()
    tab.page.evaluate(
        "() => new MutationObserver(() => { window.seen = ["
        "document.querySelector('#light').textContent,"
        "document.querySelectorAll('#findings > li').length]; }).observe("
        "document.querySelector('#mechanism'),"
        "{ childList: true })"
    )
    tab.page.select_option("#source", "preset:single-disc")
    tab.until("window.seen")
    assert tab.page.evaluate("window.seen") == ["", 0]


def test_variants_are_compared_and_gone_back_to(tab):
    tab.settled()
    tab.page.click("#pin")
    tab.slide("pins.radius", 2.5)
    tab.settled()
    row = tab.page.locator("#variants tr", has_text=TITLE).first
    now, pinned = (float(row.locator("td").nth(k).inner_text()) for k in (0, 1))
    assert now == pytest.approx(stiffness({"pins.radius": "2.5 mm"}), rel=1e-3)
    assert pinned == pytest.approx(stiffness({}), rel=1e-3)
    loop = tab.page.locator("[data-curve='hysteresis'] .flank-line-key")
    assert loop.all_inner_texts() == ["now", "variant 1"]
    tab.page.get_by_role("button", name="Go back to variant 1").click()
    assert tab.value("pins.radius") != "2.5 mm"


def idle(tab, job):
    """Until a job has ended."""
    tab.until(f"document.querySelector('#{job}-cancel').hidden")


def test_the_machine_turns_and_its_forces_come_with_it(tab):
    tab.settled()  # poses and forces of the transmission error
    before = tab.pixels()
    scrubber = tab.page.locator("#mechanism .flank-range")
    scrubber.evaluate(
        "range => { range.value = Math.round(range.max / 4);"
        "range.dispatchEvent(new Event('input')); }"
    )
    assert tab.pixels() != before
    frame = float(tab.page.get_attribute("#mechanism .flank-canvas", "data-frame"))
    assert frame > 1
    tab.page.click("#mechanism .flank-play")
    tab.until(f"document.querySelector('#mechanism .flank-canvas').dataset.frame > {frame + 0.5}")
    tab.slide("eccentricity", 1.1)  # it goes on while a dimension changes
    tab.settled()
    assert tab.page.get_attribute("#mechanism .flank-play", "data-playing") == "true"
    tab.page.click("#mechanism .flank-play")


def test_a_design_is_found_from_requirements_and_opened(browser, server):
    with Tab(browser, server) as tab:
        tab.page.click("#design > summary")
        tab.until("document.querySelectorAll('#design-fields .field').length")
        tab.page.select_option("#design-kind", "gear-pair")
        tab.page.click("#design-start")
        idle(tab, "design")
        torque = tab.page.locator("#design-torque")
        assert torque.get_attribute("aria-invalid") == "true"
        asked = {"torque": "700 N*m", "ratio": "3.08", "input_speed": "1480 rpm", "designs": "1"}
        for name, text in asked.items():
            tab.page.fill(f"#design-{name}", text)
        tab.page.click("#design-start")
        idle(tab, "design")
        assert torque.get_attribute("aria-invalid") is None
        assert tab.page.locator("#designs-pictures .margins li").count() > 0
        assert tab.page.evaluate(CONTRAST) == []
        assert tab.page.evaluate(NAMELESS) == []
        tab.page.get_by_role("button", name="Open design 1").click()
        tab.until("document.querySelector('#spec-name').value === 'design-1-changed'")
        tab.settled("load")
        assert "pair" in tab.page.inner_text("#title").lower()
        assert tab.page.is_visible("#designs-table")  # others may be opened after it


def test_a_study_is_run_watched_stopped_and_gone_on_with(browser, server):
    with Tab(browser, server) as tab:
        tab.page.click("#study > summary")
        tab.until("document.querySelectorAll('#study-varies .key').length")
        tab.page.select_option("#study-varies .key", "errors.pin_radius")
        tab.page.select_option("#study-analysis", "load-distribution")
        tab.page.select_option("#study-figure", "load-distribution.torsional_stiffness")
        tab.page.fill("#study-least", "1 N*m/arcmin")
        tab.page.fill("#study-samples", "2000")
        tab.page.fill("#study-name", "pins")
        tab.page.click("#study-start")
        tab.until("document.querySelectorAll('#study-curves .flank-curve').length")
        assert tab.page.evaluate(CONTRAST) == []
        assert tab.page.evaluate(NAMELESS) == []
        tab.page.dispatch_event("#study-cancel", "click")
        idle(tab, "study")
        assert "kept" in tab.page.inner_text("#study-state")
        tab.until("document.querySelector('#study-known').value === 'pins'")
        tab.page.click("#study-resume")
        tab.until("/of 2000 samples/.test(document.querySelector('#study-state').textContent)")
        tab.page.dispatch_event("#study-cancel", "click")
        idle(tab, "study")
        assert (server.folder / "pins" / "study.zarr").is_dir()


def test_parts_are_written_into_the_start_folder_once(server, tab):
    tab.page.click("#keep > summary")
    tab.page.select_option("#parts-kind", "dxf")
    tab.page.fill("#parts-name", "parts")
    for words in ("Saved as parts.dxf", "exists"):
        tab.page.click("#parts-start")
        idle(tab, "parts")
        assert words in tab.page.inner_text("#parts-state")
    assert (server.folder / "parts.dxf").exists()


def test_keys_alone_do_it(tab):
    tab.settled()
    slider = tab.field("eccentricity").locator("input[type='range']")
    before = tab.value("eccentricity")
    slider.focus()
    tab.page.keyboard.press("ArrowRight")
    assert tab.value("eccentricity") != before
    tab.page.keyboard.press("Control+z")
    assert tab.value("eccentricity") == before
    tab.page.focus("#mechanism .flank-canvas")
    tab.page.keyboard.press(".")
    tab.until("document.querySelector('#mechanism .flank-canvas').dataset.frame === '1.000'")
    tab.page.keyboard.press("Space")
    assert tab.page.get_attribute("#mechanism .flank-play", "data-playing") == "true"
    tab.page.keyboard.press("Space")
    tab.page.focus("#run-start")
    tab.page.keyboard.press("Tab")  # over what is hidden, to the next part
    assert tab.page.evaluate("document.activeElement.textContent").startswith("Run a study")
    tab.page.keyboard.press("Enter")
    tab.until("document.querySelector('#study').open")


def test_no_text_of_a_spec_runs(tab):
    attack = "<img src=x onerror='window.hacked = 1'><script>window.hacked = 1</script>"
    tab.type("title", attack)
    tab.settled()
    assert tab.page.evaluate("window.hacked") is None
    assert "onerror" in tab.page.inner_text("#title")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_can_be_read_and_reached_at_every_width(browser, server, width, scheme):
    """Contrast of 4.5 to 1, as WCAG 2.2 asks for in 1.4.3, and a name for every control."""
    size = {"width": width, "height": 844}
    with Tab(browser, server, viewport=size, color_scheme=scheme) as tab:
        tab.settled()
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.page.evaluate(CONTRAST) == []
        nameless = tab.page.evaluate(NAMELESS)
        assert nameless == []


NAMELESS = """() => [...document.querySelectorAll('button, select, input, progress, canvas')]
  .filter(part => part.getClientRects().length)
  .filter(part => !(part.getAttribute('aria-label') || part.textContent.trim()
    || [...(part.labels || [])].some(label => label.textContent.trim())))
  .map(part => part.outerHTML)"""


SLIDE = """async ([path, values]) => {
  const slider = document.querySelector(`[data-path='${path}'] input[type=range]`);
  const body = document.body.dataset;
  const reached = what => new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`never: ${what}`)), 240000);
    const seen = () => Number(body[what] || 0) >= Number(body.asked) && Number(body.asked) > before;
    const watch = new MutationObserver(() => { if (seen()) { watch.disconnect(); done(); } });
    watch.observe(document.body, { attributes: true });
    if (seen()) { watch.disconnect(); done(); }
  });
  let before = 0;
  const times = [];
  for (const value of values) {
    before = Number(body.asked);
    const begun = performance.now();
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await reached('picture');
    const picture = performance.now() - begun;
    await reached('load');
    times.push([picture, performance.now() - begun]);
    await new Promise(done => setTimeout(done, 60));
  }
  return times;
}"""


@pytest.mark.parametrize(
    ("given", "path", "values"),
    [
        ("cycloidal-drive", "eccentricity", [1.25, 1.2, 1.15, 1.22, 1.28, 1.18, 1.3]),
        ("rv-320", "discs.equidistant", [-4, -4.5, -5.5, -6, -3.5, -4.2, -5.2]),
    ],
)
def test_how_long_a_slider_takes(browser, tmp_path, given, path, values):
    """Told, not judged: it hangs on the computer and on what else it does."""
    server = Server(tmp_path, given)
    with Tab(browser, server) as tab:
        first = time.monotonic() - server.begun
        tab.settled()
        times = tab.page.evaluate(SLIDE, [path, values])
    print(f"\n{given}: start to first picture with loads {first:.1f} s")
    for name, column in (("picture", 0), ("loads", 1)):
        column = sorted(each[column] for each in times)
        middle, most = column[len(column) // 2], column[-1]
        print(f"  slider to {name}: median {middle:.0f} ms, {most:.0f} at most")
    assert all(picture <= load for picture, load in times)
    out, err = server.stop()
    assert out.strip().splitlines()[-1] == "The studio is closed."
    assert "Traceback" not in err
    assert server.process.returncode == 0
