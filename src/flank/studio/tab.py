"""One tab: what it asks, and what it is told.

Three lanes, each a thread that does the newest job: `quick` makes the picture and the load
distribution of every change, `slow` findings and live curves once changes rest; jobs that were
asked for are in jobs.py. All answers bear the number of the change that they are about.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flank.errors import SpecError
from flank.io.shown import prose
from flank.studio import saving, sources, studies
from flank.studio.jobs import Jobs
from flank.studio.preparing import Say, elements_told, kernels_told
from flank.studio.worker import Turn, Worker
from flank.texts import describe

if TYPE_CHECKING:
    from flank.machines.base import Machine

LARGEST_MESSAGE = 200_000
"""Characters of what a page sends: a spec of 100 kB as text, with its quotes."""

LONGEST_OLD_LOAD = 0.3
"""s for which forces may be older than the picture while a slider moves: then they are computed
though something newer waits."""

REST = 0.25
"""s without a change before findings and curves are computed."""

Tell = Callable[[dict[str, Any]], None]


class Refused(Exception):
    """A message that no page of ours sends."""


class Tab:
    """`tell` takes messages from any thread."""

    def __init__(self, given: str, start: Path, tell: Tell) -> None:
        self._given, self._start, self._tell = given, start, tell
        self._source: sources.Source | None = None
        self._loaded = 0.0
        self._quick, self._slow = (
            Worker(f"flank-studio-{name}", self._failed) for name in ("quick", "slow")
        )
        self._jobs = Jobs(start, tell, self._failed)
        self._workers = (self._quick, self._slow, self._jobs.worker)

    def close(self) -> None:
        """No run is left behind."""
        for worker in self._workers:
            worker.close()

    def _failed(self, error: Exception) -> None:
        traceback.print_exception(error, file=sys.stderr)
        self._tell({"tell": "failed", "problem": f"{type(error).__name__}: {str(error)[:300]}"})

    def take(self, text: str) -> None:
        """One message; Refused if it is none of ours."""
        message = _parsed(text)
        asked = getattr(self, f"_ask_{message['ask'].replace('-', '_')}", None)
        if asked is None:
            raise Refused(f"{describe(message['ask'])} cannot be asked")
        asked(message)

    def _ask_open(self, message: Mapping[str, Any]) -> None:
        """Another spec, or that of the command line."""
        number = _number(message)
        self._quick.cancel()
        self._slow.cancel()
        self._jobs.cancel()
        try:
            source = self._found(message.get("from"))
            machine = source.machine({})
        except SpecError as error:
            self._tell({"tell": "unopened", "number": number, "problems": error.problems})
            return
        self._source = source
        self._tell({"tell": "form", "number": number, **self._form(source, machine)})

    def _found(self, given: Any) -> sources.Source:
        kind, value = (
            (given.get("kind"), given.get("value")) if isinstance(given, dict) else ("", "")
        )
        if kind == "given":
            return sources.of_command(self._given)
        if kind == "preset":
            return sources.of_preset(value)
        if kind == "file":
            return sources.of_file(value, self._start)
        if kind == "text":
            return sources.of_text(value, self._start)
        if kind == "design" and self._jobs.shortlist is not None:
            return sources.of_design(self._jobs.shortlist, value)
        raise Refused("nothing of this kind can be opened")

    def _form(self, source: sources.Source, machine: Any) -> dict[str, Any]:
        from flank.presets import preset_names
        from flank.studio.answers import LIVE, analyses_for
        from flank.studio.form import form_of

        analyses = analyses_for(machine)
        return {
            "name": source.name,
            "machine": machine.spec.machine,
            "title": prose(machine.title),
            "blocks": form_of(machine.spec),
            "analyses": analyses,
            "live": [name for name in LIVE if name in {each["name"] for each in analyses}],
            "presets": list(preset_names()),
            "files": sources.spec_files(self._start),
            "folder": str(self._start),
        }

    def _ask_change(self, message: Mapping[str, Any]) -> None:
        """Keys that differ from the spec that was opened."""
        number, source = _number(message), self._opened()
        given, live = message.get("changes"), message.get("live", [])
        if not isinstance(live, list) or not all(isinstance(name, str) for name in live):
            raise Refused("live analyses are a list of names")
        self._slow.cancel()
        self._quick.submit(lambda turn: self._show(turn, number, source, given, live))

    def _show(self, turn: Turn, number: int, source: Any, given: Any, live: list[str]) -> None:
        from flank.studio import answers
        from flank.studio.form import values_of

        try:
            changes = sources.checked_changes(given, self._start)
            machine: Any = source.machine(changes)
        except SpecError as error:
            self._refuse(number, error, given)
            return
        self._tell(
            {
                "tell": "picture",
                "number": number,
                "title": prose(machine.title),
                "fields": values_of(machine.spec, changes),
                "document": answers.picture(machine),
            }
        )
        if turn.superseded and time.monotonic() - self._loaded < LONGEST_OLD_LOAD:
            return
        say = self._preparing(number, "load")
        with kernels_told(say), elements_told(say, turn.check):
            load = answers.load_of(machine, None)
        self._loaded = time.monotonic()
        if load is not None:
            self._tell({"tell": "load", "number": number, **load})
        turn.check()
        self._slow.submit(lambda turn: self._rest(turn, number, machine, live))

    def _preparing(self, number: int, lane: str) -> Say:
        """Words about what one of the lanes waits for."""
        return lambda words: self._tell(
            {"tell": "preparing", "number": number, "of": lane, "words": words}
        )

    def _refuse(self, number: int, error: SpecError, given: Any) -> None:
        """With the field that each sentence is about; of the changed ones if it does not say."""
        from flank.studio.form import key_of

        source = self._opened()
        paths = _paths(source.data)
        paths |= set(given) if isinstance(given, Mapping) else set()
        problems = [{"key": key_of(text, paths), "text": text} for text in error.problems]
        self._tell({"tell": "refused", "number": number, "problems": problems})

    def _rest(self, turn: Turn, number: int, machine: Machine, live: list[str]) -> None:
        """What comes once nothing changes any more."""
        turn.wait(REST)
        with kernels_told(self._preparing(number, "findings")):
            self._judge(turn, number, machine, live)
        self._tell({"tell": "rest", "number": number})

    def _judge(self, turn: Turn, number: int, machine: Machine, live: list[str]) -> None:
        """Findings first, then curves, then remedies, which may take a while."""
        from flank.design.verdict import judge
        from flank.studio import answers

        verdict = judge(machine)
        turn.check()
        self._tell({"tell": "findings", "number": number, **answers.findings_of(verdict)})
        for name in (name for name in answers.LIVE if name in live):
            self._curve(turn, number, machine, name)
        for place, found in enumerate(verdict.findings):
            turn.check()
            remedy = answers.remedy_of(found)
            turn.check()
            self._tell({"tell": "remedy", "number": number, "place": place, **remedy})

    def _curve(self, turn: Turn, number: int, machine: Machine, name: str) -> None:
        from flank.analyses.registry import ANALYSES
        from flank.studio import answers

        if not ANALYSES[name].fits(machine):
            return
        result = answers.run(machine, name, answers.LIVE[name], turn.check)
        told = answers.told_of(result)
        turn.check()
        del told["document"]["mechanism"]
        motion = answers.motion(result) if name == answers.MOVING else None
        self._tell({"tell": "curve", "number": number, "motion": motion, **told})

    def _ask_run(self, message: Mapping[str, Any]) -> None:
        name = _text(message, "analysis")
        self._jobs.begin(_number(message), self._jobs.analysis(self._machine(message), name))

    def _ask_design(self, message: Mapping[str, Any]) -> None:
        job = self._jobs.design(_text(message, "kind"), _block(message, "wanted"))
        self._jobs.begin(_number(message), job)

    def _ask_study(self, message: Mapping[str, Any]) -> None:
        """A new one, or with no spec of it the one that is in the folder."""
        made = None
        if message.get("study") is not None:
            machine = self._machine(message)
            made = studies.make(machine, _block(message, "study"), self._start)
        self._jobs.begin(_number(message), self._jobs.study(_text(message, "name"), made))

    def _ask_dossier(self, message: Mapping[str, Any]) -> None:
        words = (_text(message, key) for key in ("name", "revision", "author"))
        self._jobs.begin(_number(message), self._jobs.dossier(self._machine(message), *words))

    def _ask_parts(self, message: Mapping[str, Any]) -> None:
        words = (_text(message, key) for key in ("name", "kind"))
        self._jobs.begin(_number(message), self._jobs.parts(self._machine(message), *words))

    def _machine(self, message: Mapping[str, Any]) -> Callable[[], Machine]:
        """Of the spec that is open, with the changes of a message."""
        return studies.machine_maker(self._opened(), message.get("changes"), self._start)

    def _ask_design_forms(self, message: Mapping[str, Any]) -> None:
        from flank.studio import designs

        self._tell({"tell": "design-forms", "number": _number(message), "kinds": designs.forms()})

    def _ask_study_form(self, message: Mapping[str, Any]) -> None:
        number = _number(message)
        try:
            form = studies.form(self._machine(message)(), self._start)
        except SpecError as error:
            self._tell({"tell": "unsaved", "number": number, "problems": error.problems})
            return
        self._tell({"tell": "study-form", "number": number, **form})

    def _ask_cancel(self, message: Mapping[str, Any]) -> None:
        self._jobs.cancel()

    def _ask_save_spec(self, message: Mapping[str, Any]) -> None:
        source = self._opened()

        def save() -> str:
            machine = source.machine(sources.checked_changes(message.get("changes"), self._start))
            return saving.save_spec(machine, message.get("name"), self._start)

        self._save(message, save)

    def _ask_save_report(self, message: Mapping[str, Any]) -> None:
        """Of the last analysis that ran."""
        if self._jobs.result is None:
            raise Refused("nothing has run yet")
        machine, result = self._jobs.result
        self._save(
            message, lambda: saving.save_report(result, machine, message.get("name"), self._start)
        )

    def _ask_save_designs(self, message: Mapping[str, Any]) -> None:
        """Of the last shortlist."""
        from flank.report.design import design_document

        shortlist = self._jobs.shortlist
        if shortlist is None:
            raise Refused("nothing was designed yet")
        self._save(
            message,
            lambda: saving.save_document(
                design_document(shortlist), message.get("name"), self._start
            ),
        )

    def _save(self, message: Mapping[str, Any], save: Callable[[], str]) -> None:
        number = _number(message)
        try:
            name = save()
        except SpecError as error:
            self._tell({"tell": "unsaved", "number": number, "problems": error.problems})
            return
        self._tell({"tell": "saved", "number": number, "name": name, "folder": str(self._start)})

    def _opened(self) -> sources.Source:
        if self._source is None:
            raise Refused("nothing is open yet")
        return self._source


def _parsed(text: str) -> dict[str, Any]:
    if len(text) > LARGEST_MESSAGE:
        raise Refused("the message is too long")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("the message is no JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("ask"), str):
        raise Refused("the message asks nothing")
    return message


def _number(message: Mapping[str, Any]) -> int:
    number = message.get("number")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 2**53:
        raise Refused("the message has no number")
    return number


def _text(message: Mapping[str, Any], key: str) -> str:
    text = message.get(key)
    if not isinstance(text, str):
        raise Refused(f"the message has no {key}")
    return text


def _block(message: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    block = message.get(key)
    if not isinstance(block, Mapping):
        raise Refused(f"the message has no {key}")
    return block


def _paths(data: Mapping[str, Any], before: str = "", depth: int = 0) -> set[str]:
    """Fields and blocks of a spec by their dotted paths."""
    found: set[str] = set()
    for key, value in data.items():
        path = f"{before}{key}"
        found.add(path)
        if isinstance(value, Mapping) and depth < 8:
            found |= _paths(value, f"{path}.", depth + 1)
    return found
