"""What is let in: requests of this computer's own page, with its token, and none that is large.

A page of another site that a browser shows can reach this computer, too. It does not know the
token; its requests bear its own origin; and where a name of its own leads here, its host.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
"""Of every answer: the page runs its own scripts only, and nothing of it is kept or shown
elsewhere. The token in its address goes nowhere."""


class Guard:
    """Around an app; `hosts` are those under which this computer calls itself, ports included."""

    def __init__(self, app: App, token: str, hosts: tuple[str, ...]) -> None:
        self._app, self._token, self._hosts = app, token, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal:
            await _refuse(scope, send, *refusal)
            return

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *_RAW]}
            await send(message)

        await self._app(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        if [value.decode("latin-1") for value in headers.get(b"host", [])] not in [
            [host] for host in self._hosts
        ]:
            return 421, "This address is not that of the studio."
        origins = headers.get(b"origin", [])
        ours = {f"http://{host}".encode() for host in self._hosts}
        if any(origin not in ours for origin in origins):
            return 403, "Only the studio's own page may ask."
        if scope["type"] == "websocket" and not origins:
            return 403, "Only the studio's own page may ask."
        given = scope["path"].split("/")[1] if "/" in scope["path"] else ""
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            return 403, "The address lacks its token; open the one that flank studio printed."
        if scope["type"] == "http":
            if scope["method"] not in ("GET", "HEAD"):
                return 405, "The studio is only read from."
            if headers.get(b"transfer-encoding") or headers.get(b"content-length", [b"0"]) != [
                b"0"
            ]:
                return 413, "The studio takes no bodies."
        return None


_RAW = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


async def _refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    body = f"{sentence}\n".encode()
    about = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    start = {"type": "http.response.start", "status": status, "headers": [*about, *_RAW]}
    await send(start)
    await send({"type": "http.response.body", "body": body})
