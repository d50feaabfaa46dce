"""The studio on a socket of this computer, until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import uvicorn

from flank.errors import SpecError
from flank.studio.app import make_app
from flank.studio.tab import LARGEST_MESSAGE

HOST = "127.0.0.1"
"""Nothing outside this computer reaches it."""

LONGEST_END = 2
"""s for tabs to be told that it ends."""


class Studio:
    """A socket that is bound, and the address of its page with a token that nobody can guess."""

    def __init__(self, given: str, start: Path, port: int) -> None:
        self._given = given
        self._socket = _bound(port)
        self.port = self._socket.getsockname()[1]
        token = secrets.token_urlsafe(24)
        hosts = (f"{HOST}:{self.port}", f"localhost:{self.port}")
        self.address = f"http://{HOST}:{self.port}/{token}/"
        config = uvicorn.Config(
            make_app(given, start, token, hosts),
            log_level="critical",
            access_log=False,
            server_header=False,
            ws="websockets-sansio",
            ws_max_size=4 * LARGEST_MESSAGE,
            ws_per_message_deflate=False,
            lifespan="off",
            timeout_graceful_shutdown=LONGEST_END,
        )
        self.server = uvicorn.Server(config)

    def serve(self, ready: Callable[[], None]) -> None:
        """Until it is interrupted; `ready` is called when the page can be asked for, which the
        socket already takes."""
        threading.Thread(target=warm, args=(self._given,), daemon=True).start()
        ready()
        try:
            self.server.run(sockets=[self._socket])
        except KeyboardInterrupt:
            pass
        finally:
            self._socket.close()


def warm(given: str) -> None:
    """Load what the first picture needs while the browser still opens, and what its loads need;
    nothing is solved, as kernels that must be compiled first would hold the picture up. What fails
    here is told by the tab that asks for it."""
    from flank.studio import answers, form, sources

    with suppress(Exception):
        machine: Any = sources.of_command(given).machine({})
        form.form_of(machine.spec)
        answers.picture(machine)
        import_module("flank.analyses.load_distribution")


def _bound(port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((HOST, port))
    except OSError as error:
        bound.close()
        raise SpecError(
            f"--port {port} cannot be taken: {error.strerror or error}; give another, or none"
        ) from None
    bound.listen()
    return bound
