"""What a picture costs while a machine plays: sixty a second leave 16.7 ms for each.

Asked of an RV reducer of 40 pins and 3 x 36 rollers with all its forces. What is judged is the
processor time of the page's main thread a picture, which other programs on the computer do not
lengthen; work by the clock is told beside it.
"""

import statistics

import pytest
from chromium import Watched, running

import flank
from flank.report.folder import write_folder

pytestmark = pytest.mark.browser

BUDGET = 1000 / 60
"""ms of a picture."""

PICTURES = 150

PLAY = """pictures => {
  const data = JSON.parse(document.getElementById('flank-document').textContent);
  const shell = document.createElement('div');
  document.querySelector('main').prepend(shell);
  shell.scrollIntoView();
  const shown = flank.drawing.mount(shell, { ...data, curves: [] });
  const frames = new Map();
  const real = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = act => real(now => {
    const begun = performance.now();
    act(now);
    frames.set(now, (frames.get(now) || 0) + performance.now() - begun);
  });
  window.flankShown = shown;
  window.flankWork = () => ({ drawn: shown.state.drawn, work: [...frames.values()] });
  shown.play();
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    machine = flank.preset("rv-320")
    assert machine.spec.pins.count == 40
    result = flank.run(machine, "transmission-error", points_per_turn=90, draws=0)
    assert sum(each.kind == "roller" for each in result.drawing.outlines) == 3 * 36
    folder = tmp_path_factory.mktemp("frames")
    write_folder(result, folder)
    return folder / "report.html"


@pytest.mark.parametrize("width", [1280, 390])
def test_a_picture_takes_less_than_a_sixtieth_of_a_second(page, width):
    with running() as browser, Watched(browser, page) as seen:
        seen.page.set_viewport_size({"width": width, "height": 900})
        measured = seen.context.new_cdp_session(seen.page)
        measured.send("Performance.enable", {"timeDomain": "threadTicks"})

        def processor_time():
            metrics = measured.send("Performance.getMetrics")["metrics"]
            return next(each["value"] for each in metrics if each["name"] == "TaskDuration")

        seen.page.evaluate(PLAY)
        seen.until("flankWork().drawn > 20")  # paths are made and code is compiled
        before = processor_time(), seen.page.evaluate("flankWork().drawn")
        seen.until(f"flankWork().drawn >= {before[1] + PICTURES}", every=200.0)
        after = processor_time(), seen.page.evaluate("flankWork().drawn")
        work = sorted(seen.page.evaluate("flankWork().work.slice(20)"))
    cost = 1000 * (after[0] - before[0]) / (after[1] - before[1])
    median, most = statistics.median(work), work[int(0.95 * len(work))]
    print(
        f"\n{width} px: {cost:.1f} ms of processor time a picture; by the clock, of its scripts, "
        f"{median:.1f} ms, 95 of 100 below {most:.1f} ms"
    )
    assert cost < BUDGET
