"""Routes of the studio: its page, its files, and the socket of a tab. All lie below the token."""

from __future__ import annotations

import asyncio
import contextlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from flank import drawing
from flank.studio.answers import as_text
from flank.studio.guard import App, Guard
from flank.studio.tab import Refused, Tab

KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}

PAGE = "studio.html"
FILES = (
    PAGE,
    "studio.css",
    "studio.js",
    "link.js",
    "fields.js",
    "form.js",
    "parts.js",
    "panels.js",
    "jobs.js",
    "designs.js",
    "studies.js",
)
"""Those of `browser/` that are served, by their names; nothing else is."""

MADE = {"drawing.js": drawing.module, "drawing.css": drawing.style}
"""Those of the drawing module."""

MOST_TABS = 20
MOST_UNSENT = 400
"""Messages that wait for a tab which does not read; then it is closed."""

CLOSED_BY_RULE, TRY_LATER = 1008, 1013
"""Codes of a socket's end (RFC 6455, 7.4.1; IANA's registry)."""


def make_app(given: str, start: Path, token: str, hosts: tuple[str, ...]) -> App:
    """The studio for a spec that was named, around a folder, behind its guard."""
    tabs = Tabs(given, start.resolve())
    routes = [
        Route("/{token}/", _page),
        Route("/{token}/{name}", _file),
        WebSocketRoute("/{token}/socket", tabs.serve),
    ]
    return Guard(Starlette(routes=routes), token, hosts)


async def _page(request: Request) -> Response:
    return _answer(PAGE)


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    return _answer(name) if name in FILES or name in MADE else Response("No such file.\n", 404)


def _answer(name: str) -> Response:
    return Response(_content(name), media_type=KINDS[Path(name).suffix])


@cache
def _content(name: str) -> str:
    if name in MADE:
        return MADE[name]()
    return files("flank.studio").joinpath("browser", name).read_text("utf-8")


class Tabs:
    """All that are open now."""

    def __init__(self, given: str, start: Path) -> None:
        self._given, self._start = given, start
        self._open = 0

    async def serve(self, socket: WebSocket) -> None:
        await socket.accept()
        if self._open >= MOST_TABS:
            await socket.close(TRY_LATER, f"{MOST_TABS} tabs are open; close one")
            return
        self._open += 1
        try:
            await self._serve(socket)
        finally:
            self._open -= 1

    async def _serve(self, socket: WebSocket) -> None:
        loop = asyncio.get_running_loop()
        unsent: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

        def tell(message: dict[str, Any]) -> None:
            """From the thread of a worker, which may outlive the loop by a moment."""
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(unsent.put_nowait, message)

        tab = Tab(self._given, self._start, tell)
        sending = asyncio.create_task(_send(socket, unsent))
        try:
            while True:
                text = await socket.receive_text()
                await run_in_threadpool(tab.take, text)
                if unsent.qsize() > MOST_UNSENT:
                    break
        except Refused as error:
            with contextlib.suppress(RuntimeError):
                await socket.close(CLOSED_BY_RULE, str(error)[:100])
        except (WebSocketDisconnect, KeyError):  # KeyError: bytes where text is due
            pass
        finally:
            tab.close()
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await sending
            with contextlib.suppress(RuntimeError):
                await socket.close()


async def _send(socket: WebSocket, unsent: asyncio.Queue[dict[str, Any] | None]) -> None:
    while (message := await unsent.get()) is not None:
        await socket.send_text(as_text(message))
