"""What the studio lets in, and what it answers: pages, a tab's socket, attacks."""

import threading
import time

import pytest
from starlette.websockets import WebSocketDisconnect
from studio_talk import HOST, LONGEST_WAIT, ORIGIN, TOKEN, client_of, talking

import flank
from flank.errors import SpecError
from flank.io.shown import prose
from flank.studio import app as studio_app
from flank.studio.app import FILES, MADE
from flank.studio.tab import LARGEST_MESSAGE


def fields_of(form):
    return {field["path"]: field for block in form["blocks"] for field in block["fields"]}


# --- what is let in


def test_the_page_and_its_files_are_there_and_may_run_their_own_script_only(start):
    with client_of(start) as client:
        for name in ("", *FILES, *MADE):
            got = client.get(f"/{TOKEN}/{name}")
            assert got.status_code == 200
            policy = got.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert got.headers["referrer-policy"] == "no-referrer"
            assert got.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/wrong/", "/wrong/socket", f"/{TOKEN}x/", "//", ""])
def test_without_the_token_there_is_nothing(start, path):
    with client_of(start) as client:
        assert client.get(path).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1"},
        {"host": f"{HOST}.evil.example"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
    ],
)
def test_foreign_hosts_and_origins_are_refused(start, headers):
    with client_of(start) as client:
        assert client.get(f"/{TOKEN}/", headers=headers).status_code in (403, 421)
        with pytest.raises(WebSocketDisconnect), talking(client, {"origin": ORIGIN, **headers}):
            pass


def test_a_socket_without_origin_is_no_page_of_ours(start):
    with (
        client_of(start) as client,
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"ws://{HOST}/{TOKEN}/socket"),
    ):
        pass


def test_a_socket_without_the_token_is_refused(start):
    with (
        client_of(start) as client,
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"ws://{HOST}/guess/socket", headers={"origin": ORIGIN}),
    ):
        pass


@pytest.mark.parametrize(
    "path",
    [
        "../secret.yaml",
        "%2e%2e/secret.yaml",
        "..%2f..%2fetc%2fpasswd",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "studio.py",
        "__init__.py",
        "..%5csecret.yaml",
    ],
)
def test_no_path_leads_to_another_file(start, path):
    with client_of(start) as client:
        got = client.get(f"/{TOKEN}/{path}")
        assert got.status_code in (403, 404)
        assert "secret" not in got.text
        assert "root:" not in got.text


def test_bodies_and_other_methods_are_refused(start):
    with client_of(start) as client:
        assert client.post(f"/{TOKEN}/", content=b"x" * 10_000_000).status_code == 405
        got = client.request("GET", f"/{TOKEN}/", content=b"x" * 10_000_000)
        assert got.status_code == 413


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "1",
        '{"ask": 1}',
        '{"ask": "__class__"}',
        '{"ask": "close", "number": 1}',
        '{"ask": "open"}',
        '{"ask": "open", "number": -1}',
        '{"ask": "open", "number": 1, "from": {"kind": "pickle", "value": ""}}',
        '{"ask": "change", "number": true}',
        '{"ask": "change", "number": 1, "changes": {}}',
        '{"ask": "run", "number": 1}',
        '{"ask": "save-report", "number": 1, "name": "x"}',
        '{"ask": "save-designs", "number": 1, "name": "x"}',
        '{"ask": "design", "number": 1, "kind": 1, "wanted": {}}',
        '{"ask": "design", "number": 1, "kind": "rv", "wanted": []}',
        '{"ask": "study", "number": 1, "name": "x", "study": {}}',
        '{"ask": "dossier", "number": 1, "name": "x"}',
        '{"ask": "open", "number": 1, "from": {"kind": "design", "value": 0}}',
        "[" * 100_000,
        '{"ask": "change", "number": 1, "changes": "' + "x" * LARGEST_MESSAGE + '"}',
    ],
)
def test_a_malformed_message_ends_its_tab_and_no_other(start, text):
    with client_of(start) as client, talking(client) as other:
        with talking(client) as talk:
            talk.socket.send_text(text)
            with pytest.raises(WebSocketDisconnect) as ended:
                talk.socket.receive_json()
            assert ended.value.code == 1008
        assert other.open()["tell"] == "form"


def test_bytes_end_a_tab(start):
    with client_of(start) as client, talking(client) as talk:
        talk.socket.send_bytes(b"\0\1")
        with pytest.raises(WebSocketDisconnect):
            talk.socket.receive_json()


def test_there_are_so_many_tabs_and_no_more(start, monkeypatch):
    monkeypatch.setattr(studio_app, "MOST_TABS", 2)
    with client_of(start) as client, talking(client), talking(client):
        with talking(client) as third, pytest.raises(WebSocketDisconnect) as ended:
            third.socket.receive_json()
        assert ended.value.code == 1013


# --- specs


def test_the_form_has_the_fields_of_the_spec_with_limits_and_meaning(tab):
    fields = fields_of(tab.form)
    eccentricity = fields["eccentricity"]
    assert eccentricity["unit"] == "mm"
    assert eccentricity["allowed"] == "more than 0"
    assert "eccentricity" in eccentricity["meaning"]
    slider = eccentricity["slider"]
    value = float(eccentricity["value"].split()[0])
    assert slider["value"] == value
    assert value / 2 <= slider["low"] < value < slider["high"] <= value * 2
    assert fields["pins.mounting"]["choices"] == ["fixed", "rolling"]
    assert fields["discs.count"]["slider"]["step"] == 1
    assert fields["friction.pins"]["slider"]["low"] >= 0


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("file", "../secret.yaml"),
        ("file", "/etc/passwd"),
        ("file", "link.yaml"),
        ("file", "absent.yaml"),
        ("file", "a\0.yaml"),
        ("file", ["x"]),
        ("preset", "../../secret"),
        ("preset", {}),
        ("text", "machine: cycloidal-drive\ndiscs: !!python/object:os.system {}"),
        ("text", "x" * 150_000),
        ("text", 5),
    ],
)
def test_nothing_outside_the_start_folder_is_opened(tab, kind, value):
    (tab.start / "link.yaml").symlink_to(tab.start.parent / "secret.yaml")
    told = tab.open(kind, value)
    assert told["tell"] == "unopened"
    assert told["problems"]


def test_specs_of_the_start_folder_and_texts_are_opened(tab):
    from flank.presets import preset_text

    text = preset_text("single-disc")
    (tab.start / "mine").mkdir()
    (tab.start / "mine" / "drive.yaml").write_text(text, encoding="utf-8")
    assert tab.open("text", text)["tell"] == "form"
    assert tab.open("file", "mine/drive.yaml")["files"] == ["mine/drive.yaml"]


@pytest.mark.parametrize("name", ["../secret.yaml", "/etc/passwd"])
def test_a_spec_names_no_file_outside_the_start_folder(tab, name):
    from flank.presets import preset_text

    tab.change(discs__profile="measured", discs__points_file=name)
    (problem,) = tab.until("refused")["problems"]
    assert "outside" in problem["text"]
    text = preset_text("monocrank").replace("discs:", f"discs:\n  points_file: {name}", 1)
    assert any("outside" in each for each in tab.open("text", text)["problems"])


def test_a_script_in_a_title_is_told_as_text(tab):
    attack = "<script>alert(1)</script>"
    tab.change(title=attack)
    assert tab.until("picture")["title"] == attack


# --- answers


def test_a_change_is_drawn_and_its_loads_are_those_of_the_api(tab):
    number = tab.change(eccentricity="1.2 mm")
    picture = tab.until("picture")
    assert picture["number"] == number
    assert picture["document"]["mechanism"]["polygons"]["count"]
    assert picture["fields"]["eccentricity"]["value"] == "1.2 mm"
    load = tab.until("load")
    drive = flank.preset("monocrank", {"eccentricity": "1.2 mm"})
    result = flank.run(drive, "load-distribution")
    told = {each["name"]: each["value"] for each in load["compared"]}
    expected = result.value("torsional_stiffness", "N*m/arcmin")
    assert told["load-distribution.torsional_stiffness"] == pytest.approx(expected)
    assert load["document"]["curves"][0]["title"] == "Force on pins"


def test_a_wrong_value_names_its_field_and_the_sentence_of_the_spec(tab):
    tab.change(pins__radius="-1 mm")
    (problem,) = tab.until("refused")["problems"]
    assert problem["key"] == "pins.radius"
    with pytest.raises(SpecError) as refused:
        flank.preset("monocrank", {"pins.radius": "-1 mm"})
    assert problem["text"] == refused.value.problems[0]
    tab.change()
    assert tab.until("picture", "refused")["tell"] == "picture"


def test_the_last_of_many_changes_wins(tab):
    numbers = [tab.change(operation__torque=f"{100 + k} N*m") for k in range(40)]
    told = []
    while not told or told[-1]["tell"] != "rest":
        told.append(tab.until("picture", "load", "findings", "rest"))
    assert told[-1]["number"] == numbers[-1]
    assert [each["number"] for each in told if each["tell"] == "findings"] == numbers[-1:]
    for kind in ("picture", "load"):
        seen = [each["number"] for each in told if each["tell"] == kind]
        assert seen == sorted(seen)
        assert seen[-1] == numbers[-1]
        assert len(seen) < len(numbers)


def test_tabs_do_not_know_of_each_other(start):
    with client_of(start) as client, talking(client) as one, talking(client) as two:
        one.open()
        two.open("preset", "single-disc")
        one.change(eccentricity="1.2 mm")
        two.change()
        assert "1.2 mm" in one.until("picture")["title"]
        assert two.until("picture")["title"] == prose(flank.preset("single-disc").title)


def working():
    names = [each.name for each in threading.enumerate()]
    return [name for name in names if name.startswith("flank-studio")]


def none_works():
    """Threads end as soon as their job sees that it is not wanted."""
    end = time.monotonic() + LONGEST_WAIT
    while working() and time.monotonic() < end:
        time.sleep(0.02)
    assert working() == []


LONG = {
    "run": {"analysis": "transmission-error", "changes": {}},
    "design": {"kind": "cycloidal", "wanted": {"torque": "50 N*m", "ratio": "29"}},
    "study": {
        "name": "left",
        "changes": {},
        "study": {
            "varies": {"errors.pin_radius": {}},
            "asks": "hysteresis",
            "fields": {"samples": "5000"},
        },
    },
    "dossier": {"name": "left", "revision": "", "author": "", "changes": {}},
}
"""What takes much longer than a test."""


@pytest.mark.parametrize("job", LONG)
def test_a_closed_tab_leaves_no_run_behind(start, job):
    none_works()
    with client_of(start) as client:
        with talking(client) as talk:
            talk.open()
            talk.change()
            talk.ask(job, **LONG[job])
            talk.until("progress", "result")
            assert len(working()) == 3
        none_works()
        assert not (start / "left" / "report.html").exists()


def test_a_run_is_cancelled_through_its_progress_or_before_it_begins(tab):
    for waits in (True, False):
        number = tab.ask("run", analysis="sensitivity", changes={})  # takes a second or more
        if waits:
            assert tab.until("progress", "result")["tell"] == "progress"
        tab.ask("cancel")
        assert tab.until("cancelled", "result") == {"tell": "cancelled", "number": number}
    tab.ask("run", analysis="load-distribution", changes={})
    assert tab.until("result")["complete"]


def test_analyses_that_do_not_fit_are_refused_with_what_fits(tab):
    tab.ask("run", analysis="joint-turns", changes={})
    assert "what fits it" in tab.until("run-refused")["problems"][0]


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", "/tmp/x", "a\\b", "a\0", ".hidden", "con", "x" * 99, 7]
)
def test_specs_are_saved_under_plain_names_only(tab, name):
    tab.ask("save-spec", name=name, changes={})
    assert "is no name" in tab.until("unsaved", "saved")["problems"][0]
    assert list(tab.start.iterdir()) == []


def test_what_is_there_is_left_as_it_is(tab):
    (tab.start / "mine.yaml").write_text("mine")
    (tab.start / "report").mkdir()
    tab.ask("save-spec", name="mine", changes={})
    assert "exists" in tab.until("unsaved", "saved")["problems"][0]
    tab.ask("run", analysis="load-distribution", changes={})
    tab.until("result")
    tab.ask("save-report", name="report")
    assert "exists" in tab.until("unsaved", "saved")["problems"][0]
    assert (tab.start / "mine.yaml").read_text() == "mine"
    assert list((tab.start / "report").iterdir()) == []


def test_findings_come_with_remedies_that_keep_the_rules(tab):
    number = tab.change(discs__width="1 mm")
    findings = tab.until("findings")
    verdict = flank.check(flank.preset("monocrank", {"discs.width": "1 mm"}))
    assert findings["light"] == verdict.light
    assert [each["code"] for each in findings["findings"]] == [
        each.code for each in verdict.findings
    ]
    for place, found in enumerate(verdict.findings):
        remedy = tab.until("remedy")
        assert (remedy["place"], remedy["number"]) == (place, number)
        assert remedy["changes"] == {key: str(value) for key, value in found.changes.items()}
    tab.change(discs__width="1 mm", **verdict.findings[0].changes)
    codes = [each["code"] for each in tab.until("findings")["findings"]]
    assert verdict.findings[0].code not in codes
