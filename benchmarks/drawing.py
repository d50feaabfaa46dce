"""Pictures a second while a report plays an RV reducer of 40 pins and 3 x 36 rollers in Chromium.

    python benchmarks/drawing.py

Prints the rate of the drawing beside that of a page that draws nothing, in the same browser in
turns, and the milliseconds of one picture until its pixels can be read.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))

from chromium import Watched, running

import flank
from flank.report.folder import write_folder

SECONDS = 3

PLAYED = """async seconds => {
  const data = JSON.parse(document.getElementById('flank-document').textContent);
  const shell = document.createElement('div');
  document.querySelector('main').prepend(shell);
  const before = performance.now();
  const shown = flank.drawing.mount(shell, { ...data, curves: [] });
  const mounted = performance.now() - before;
  const idle = async () => {
    let count = 0;
    const end = performance.now() + 1000 * seconds;
    while (performance.now() < end) {
      await new Promise(requestAnimationFrame);
      count += 1;
    }
    return count / seconds;
  };
  const playing = async () => {
    shown.play();
    const first = shown.state.drawn;
    await new Promise(done => setTimeout(done, 1000 * seconds));
    shown.pause();
    return (shown.state.drawn - first) / seconds;
  };
  const rates = [];
  for (let k = 0; k < 3; k++) rates.push([await playing(), await idle()]);
  const { stage } = shown;
  const context = stage.canvas.getContext('2d');
  const times = [];
  for (let k = 0; k < 30; k++) {
    const start = performance.now();
    stage.frame = 3.1 * k;
    stage.draw();
    context.getImageData(0, 0, 1, 1);
    times.push(performance.now() - start);
  }
  return { mounted, rates, picture: times.sort((a, b) => a - b)[15] };
}"""


def main() -> None:
    machine = flank.preset("rv-320")
    result = flank.run(machine, "transmission-error", points_per_turn=180, draws=0)
    with tempfile.TemporaryDirectory() as folder:
        write_folder(result, Path(folder))
        page = Path(folder) / "report.html"
        print(f"report of {page.stat().st_size / 1e6:.2f} MB")
        with running() as browser, Watched(browser, page) as seen:
            told = seen.page.evaluate(PLAYED, SECONDS)
    for playing, idle in told["rates"]:
        print(f"{playing:.0f} pictures a second, {idle:.0f} of a page that draws nothing")
    print(f"first picture after {told['mounted']:.0f} ms; a picture takes {told['picture']:.1f} ms")


if __name__ == "__main__":
    main()
