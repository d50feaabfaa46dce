"""The view of a notebook in a browser, mounted as anywidget does it, with a model of its own."""

import json

import pytest
from chromium import Watched, running

import flank
from flank.notebook.widget import View

pytestmark = pytest.mark.browser

PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>%s</style>
<main><div id="first"></div><div id="second"></div></main>
<script type="application/json" id="traits">%s</script>
<script type="application/json" id="module">%s</script>
<script type="module">
class Model {
  constructor(traits) { this.traits = traits; this.listeners = []; this.saved = 0; }
  get(name) { return this.traits[name]; }
  set(name, value) {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    for (const [event, act] of [...this.listeners]) if (event === `change:${name}`) act();
  }
  save_changes() { this.saved += 1; }
  on(event, act) { this.listeners.push([event, act]); }
  off(event, act) { this.listeners = this.listeners.filter(([e, a]) => e !== event || a !== act); }
}
const read = id => JSON.parse(document.getElementById(id).textContent);
const address = URL.createObjectURL(new Blob([read('module')], { type: 'text/javascript' }));
const { default: widget } = await import(address);
window.model = new Model(read('traits'));
window.ends = ['first', 'second'].map(
  id => widget.render({ model, el: document.getElementById(id) }));
</script>"""


@pytest.fixture(scope="module")
def browser():
    with running() as browser:
        yield browser


def in_script(value):
    return json.dumps(value).replace("<", "\\u003c")


@pytest.fixture
def shown(browser, tmp_path):
    view = flank.preset("monocrank").view()
    traits = {name: getattr(view, name) for name in ("document", "frame", "playing")}
    path = tmp_path / "view.html"
    texts = View._css, in_script(traits), in_script(View._esm)
    path.write_text(PAGE % texts, encoding="utf-8")
    with Watched(browser, path) as seen:
        seen.until("document.querySelectorAll('[data-flank-ready]').length === 2")
        yield seen
        assert seen.requests == []
        assert seen.complaints == []


def frame_of(seen, place):
    return float(seen.page.get_attribute(f"#{place} .flank-canvas", "data-frame"))


def test_python_moves_what_is_seen_and_hears_what_is_scrubbed(shown):
    first = shown.pixels()
    shown.page.evaluate("model.set('frame', 15)")
    assert shown.pixels() != first
    assert frame_of(shown, "first") == frame_of(shown, "second") == 15
    shown.scrub(0.75)
    shown.pixels()
    assert shown.page.evaluate("model.get('frame')") == 45
    assert shown.page.evaluate("model.saved") > 0
    assert frame_of(shown, "second") == 45


def test_it_plays_in_all_places_and_tells_python_when_it_stops(shown):
    shown.page.click("#first .flank-play")
    assert shown.page.evaluate("model.get('playing')")
    shown.until("document.querySelector('#second .flank-canvas').dataset.frame > 0.1")
    saved = shown.page.evaluate("model.saved")
    shown.until("document.querySelector('#first .flank-canvas').dataset.frame > 0.5")
    assert shown.page.evaluate("model.saved") == saved  # frames are not sent one by one
    shown.page.evaluate("model.set('playing', false)")
    assert not shown.page.evaluate("model.get('playing')")
    stopped = shown.page.evaluate("model.get('frame')")
    assert 0 < stopped < 60
    shown.pixels()
    assert frame_of(shown, "first") == pytest.approx(stopped, abs=1e-3)


def test_another_machine_takes_its_place(shown):
    other = flank.preset("cv-joint").view().document
    first = shown.pixels()
    shown.page.evaluate("document => model.set('document', document)", other)
    assert shown.pixels() != first
    assert "turn" in shown.page.get_attribute("#first .flank-canvas", "aria-label")
    back = flank.run(flank.preset("monocrank"), "transmission-error", points_per_turn=24, draws=0)
    shown.page.evaluate("document => model.set('document', document)", back.view().document)
    shown.until("document.querySelectorAll('#first .flank-curve').length > 0")


def test_what_is_closed_listens_no_more(shown):
    shown.page.evaluate("ends.forEach(end => end())")
    assert shown.page.evaluate("model.listeners.length") == 0
    assert shown.page.locator("canvas").count() == 0
