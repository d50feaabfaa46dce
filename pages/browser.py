"""Every page of the built site in a browser: all formulas drawn, nothing foreign, missing or wide.

    python pages/browser.py      needs site/ (make docs) and Chromium

Served from this machine, each page is opened in a frame, and `look.js` says what it finds there.
"""

import functools
import http.server
import json
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from formulas import DOCS, ROOT, formulas

SITE = ROOT / "site"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--window-size=1280,1000",
)
PATIENCE = 900.0
"""Seconds until the browser must have looked at all pages."""


class Site(http.server.SimpleHTTPRequestHandler):
    """Serves the site and the page that looks at all others, and takes what that one sends."""

    def __init__(self, *arguments, look: str, found: queue.Queue, **named) -> None:
        self.look, self.found = look, found
        super().__init__(*arguments, **named)

    def do_GET(self) -> None:
        if self.path == "/look":
            self._answer(self.look.encode())
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self.found.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self._answer(b"")

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """A browser that goes on to the next page does not take what it asked for."""
        with suppress(ConnectionError):
            super().copyfile(source, outputfile)

    def log_message(self, *_) -> None:
        """Not a word."""


def markdown_pages() -> dict[str, int]:
    """Addresses of the site's pages and the number of formulas that each must show."""
    pages = {}
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(DOCS).with_suffix("").as_posix()
        address = "/" if name == "index" else f"/{name}/"
        pages[address] = len(formulas(page.read_text(encoding="utf-8")))
    return pages


def look_at(pages: list[str], browser: str) -> dict[str, dict]:
    """What the browser found on every page."""
    script = Path(__file__).with_name("look.js").read_text(encoding="utf-8")
    look = f"<!doctype html><body><script>const PAGES = {json.dumps(pages)};\n{script}</script>"
    found: queue.Queue[dict] = queue.Queue()
    handler = functools.partial(Site, directory=str(SITE), look=look, found=found)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            return _opened(browser, f"http://127.0.0.1:{server.server_port}/look", found)
        finally:
            server.shutdown()


def _opened(browser: str, address: str, found: queue.Queue) -> dict[str, dict]:
    """What comes back from a page that is opened in a browser of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [browser, *FLAGS, f"--user-data-dir={profile}", address],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            return found.get(timeout=PATIENCE)
        except queue.Empty:
            sys.exit(f"The browser did not look at all pages within {PATIENCE:.0f} s.")
        finally:
            process.terminate()
            process.wait()


def problems(address: str, wanted: int, found: dict) -> list[str]:
    """What is wrong with one page."""
    said = [f"no formula but an error: {one}" for one in found["errors"]]
    said += [f"formula left as text: {one}" for one in found["raw"]]
    said += [f"foreign: {one}" for one in found["foreign"]]
    said += [f"missing: {one}" for one in found["missing"]]
    said += [f"does not move: {one}" for one in found["still"]]
    said += [f"wider than the page: {one}" for one in found["wide"]]
    said += [f"wider than a page of 390 pixels: {one}" for one in found["narrow"]]
    if found["drawn"] != wanted:
        said.append(f"{found['drawn']} formulas are drawn, the page has {wanted}")
    return [f"{address}: {one}" for one in said]


def main() -> None:
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        sys.exit(f"No browser found; looked for {', '.join(NAMES)}.")
    pages = markdown_pages()
    found = look_at(list(pages), browser)
    said = [one for page, count in pages.items() for one in problems(page, count, found[page])]
    print("\n".join(said) or f"{len(pages)} pages, {sum(pages.values())} formulas: all is drawn.")
    sys.exit(1 if said else 0)


if __name__ == "__main__":
    main()
