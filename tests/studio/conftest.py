"""A start folder, and a tab that is open there."""

import pytest
from studio_talk import client_of, talking


@pytest.fixture
def start(tmp_path, monkeypatch):
    """The folder in which the studio was started, with a secret beside it."""
    folder = tmp_path / "start"
    folder.mkdir()
    (tmp_path / "secret.yaml").write_text("machine: secret\n")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def tab(start):
    with client_of(start) as client, talking(client) as talk:
        talk.start = start
        talk.form = talk.open()
        yield talk
