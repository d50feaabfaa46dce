"""A tab of the studio as its page talks to it, without a browser."""

import contextlib
import json
import math
import signal

from starlette.testclient import TestClient

from flank.studio.app import make_app

TOKEN, HOST = "secret-token", "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"
LONGEST_WAIT = 60


def client_of(start, given="monocrank"):
    app = make_app(given, start, TOKEN, (HOST,))
    return TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)


class Talk:
    """A tab's socket as the page uses it."""

    def __init__(self, socket):
        self.socket, self.number = socket, 0

    def ask(self, what, **more):
        self.number += 1
        self.socket.send_text(json.dumps({"ask": what, "number": self.number, **more}))
        return self.number

    def until(self, *kinds):
        """The next answer of these kinds; answers of others are passed over."""

        def none_came(*_):
            raise AssertionError(f"none of {kinds}")

        before = signal.signal(signal.SIGALRM, none_came)  # to receive waits for ever
        signal.alarm(math.ceil(LONGEST_WAIT))
        try:
            while (message := self.socket.receive_json())["tell"] not in kinds:
                pass
            return message
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)

    def open(self, kind="given", value=""):
        self.ask("open", **{"from": {"kind": kind, "value": value}})
        return self.until("form", "unopened")

    def change(self, live=(), **changes):
        changes = {key.replace("__", "."): text for key, text in changes.items()}
        return self.ask("change", changes=changes, live=list(live))


@contextlib.contextmanager
def talking(client, headers=None):
    address = f"ws://{HOST}/{TOKEN}/socket"
    with client.websocket_connect(address, headers=headers or {"origin": ORIGIN}) as socket:
        yield Talk(socket)
