"""Chromium of the system, driven by Playwright: pages from files, and what they did."""

import os
import shutil
import time
from contextlib import contextmanager

import pytest

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")

PATIENCE = 240
"""s that what a page is asked for may take on a busy computer: nothing is judged by it."""

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]

CONTRAST = """() => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = part => {
    for (let at = part; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$/.test(colour)) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const found = [];
  for (const part of document.querySelectorAll('main *')) {
    const own = [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || !part.getClientRects().length || part.tagName === 'OPTION') continue;
    const style = getComputedStyle(part);
    const front = part instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [light(front), light(behind(part))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) found.push(`${part.className} ${front} ${behind(part)}`);
  }
  return found;
}"""
"""Texts of `main` that stand out too little from what is behind them."""


def chromium_path() -> str:
    """Of the browser; skipped where there is none, a failure where `make browser` asks for it."""
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if path is None:
        assert not os.environ.get("FLANK_BROWSER"), "no Chromium: apt-get install chromium"
        pytest.skip("no Chromium on this machine")
    return path


def until(page, expression: str, every: float = 20.0) -> None:
    """Asked from outside, since a page's policy lets no text be run inside."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if page.evaluate(expression):
            return
        page.wait_for_timeout(every)
    raise AssertionError(f"never: {expression}")


@contextmanager
def running():
    """A browser, nothing fetched for it."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=chromium_path(), args=QUIET, timeout=1000 * PATIENCE
        )
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page with what it asked for and what it complained of."""

    def __init__(self, browser, path, **context):
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, **context)
        self.context.set_default_timeout(1000 * PATIENCE)
        self.requests, self.complaints = [], []
        self.page = self.context.new_page()
        self.page.on("console", lambda said: self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.context.route("**/*", self._route)
        self.page.goto(path.resolve().as_uri())
        if context.get("java_script_enabled", True):
            self.page.wait_for_selector("[data-flank-ready]", state="attached")

    def _route(self, route):
        url = route.request.url
        if not url.startswith(("file:", "data:")):
            self.requests.append(url)
        route.continue_()

    def pixels(self) -> str:
        """Of the drawing, when it is drawn."""
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        return self.page.evaluate("document.querySelector('.flank-canvas').toDataURL()")

    def until(self, expression: str, every: float = 20.0):
        until(self.page, expression, every)

    def scrub(self, share: float):
        self.page.evaluate(
            "share => { const range = document.querySelector('.flank-range');"
            "range.value = Math.round(share * range.max);"
            "range.dispatchEvent(new Event('input')); }",
            share,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()
