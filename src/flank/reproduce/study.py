"""A published study computed anew: what its paper has, as data, and whether ours agrees.

What is published, how closely it is to be met and why, and the sentences stand in a file
`paper.yaml` beside the code of a study. The code computes numbers; every verdict is a comparison of
them, and every sentence follows from the verdict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np
import yaml

from flank._version import __version__
from flank.arrays import Floats
from flank.io.tables import NOTE, Column, Table, table
from flank.report.document import STUDY, Alert, Document
from flank.texts import joined

if TYPE_CHECKING:
    from flank.dynamics.run import Progress
    from flank.plots.style import Picture

Numbers = Mapping[str, Any]
"""What was computed and what is published, by the names that `paper.yaml` uses."""


def _rises(values: Floats) -> bool:
    """Never less than before, and more in the end."""
    return bool(np.all(np.diff(values) >= 0) and values[-1] > values[0])


RELATIONS: dict[str, tuple[Callable[[Floats, Any, float], Any], str]] = {
    "within": (lambda ours, limit, published: abs(ours - published) <= limit, "within {} asked"),
    "within_percent": (
        lambda ours, limit, published: abs(100 * (ours / published - 1)) <= limit,
        "within {} asked",
    ),
    "at_most": (lambda ours, limit, _: ours <= limit, "at most {} asked"),
    "above": (lambda ours, limit, _: ours > limit, "above {}"),
    "below": (lambda ours, limit, _: ours < limit, "below {}"),
    "between": (lambda ours, limit, _: (limit[0] <= ours) & (ours <= limit[1]), "between {}"),
    "equal": (lambda ours, limit, _: ours == limit, "{} asked"),
    "rising": (lambda ours, _, __: _rises(ours), "rising"),
    "falling": (lambda ours, _, __: _rises(-ours), "falling"),
}
"""How ours may be compared: with what is published and a limit, and in which words."""


class _Run(Protocol):
    """What may fail."""

    @property
    def complete(self) -> bool: ...


Computed = TypeVar("Computed", bound=_Run)


class Claim(NamedTuple):
    """A statement of the paper, what is published and what came out here.

    `relation` is one of RELATIONS, or empty where `reason` says why nothing can be compared; else
    it says why the `limit` is what it is. `form` is that of ours in print, `unit` that of all.
    """

    says: str
    ours: Floats
    relation: str = ""
    limit: Any = None
    published: Any = None
    form: str = ".3g"
    unit: str = ""
    reason: str = ""

    @property
    def met(self) -> bool | None:
        """None where nothing is to be compared, or a computation failed."""
        if not self.relation or not np.isfinite(self.ours).all():
            return None
        compare, _ = RELATIONS[self.relation]
        return bool(np.all(compare(self.ours, self.limit, self.published)))

    @property
    def sentence(self) -> str:
        """`says` with ours in the place of {ours}, or after it, and what it is compared with."""
        ours = self._text(self.ours, self.form)
        inside = "{ours}" in self.says
        text = self.says.replace("{ours}", ours) if inside else f"{self.says}: {ours} here"
        if self.published is not None:
            text += f", {self._text(self.published)} in the paper"
        if self.relation:
            unit = " %" if self.relation == "within_percent" else self.unit
            phrase = RELATIONS[self.relation][1].format(self._text(self.limit, unit=unit))
            return f"{text} ({phrase}{f', {self.reason}' if self.reason else ''})"
        return f"{text}, {self.reason}"

    def _text(self, value: Any, form: str = ".4g", unit: str | None = None) -> str:
        if value is None or isinstance(value, str):
            return value or ""
        numbers = joined((f"{each:{form}}" for each in np.atleast_1d(value)), "and")
        return numbers + (self.unit if unit is None else unit)


@dataclass(frozen=True)
class Finding:
    """Claims on one `place` of the paper and a remark; a `mistake` of the paper has a number."""

    remark: str
    place: str = ""
    claims: Sequence[Claim] = ()
    mistake: int = 0

    @property
    def verdict(self) -> str:
        """'met', 'not met', 'met in part', or nothing where nothing is compared."""
        verdicts = {claim.met for claim in self.claims if claim.met is not None}
        if not verdicts:
            return ""
        return "met in part" if len(verdicts) > 1 else "met" if verdicts.pop() else "not met"

    @property
    def sentence(self) -> str:
        return self._mistake() if self.mistake else " ".join(self._parts())

    def _mistake(self) -> str:
        """What is printed is a mistake as long as our numbers do not bear it out."""
        if self.verdict in ("", "not met"):
            return f"Mistake {self.mistake}. {self.remark}"
        return f"Mistake {self.mistake} is not confirmed: {self._listed(self.claims)}"

    def _parts(self) -> Iterable[str]:
        groups = {"met": True, "not met": False, "no verdict": None}
        several = self.place.startswith(("Figs.", "Tables"))
        if self.verdict:
            verb = f"{'are' if several else 'is'} {self.verdict}"
        else:
            verb = f"{'have' if several else 'has'} no verdict"
        if self.claims:
            yield f"{self.place} {verb}{'.' if self.verdict == 'met in part' else ':'}"
        for word, met in groups.items():
            claims = [claim for claim in self.claims if claim.met is met]
            if claims:
                named = word == (self.verdict or "no verdict")
                yield ("" if named else f"{word.capitalize()}: ") + self._listed(claims)
        if self.remark:
            yield self.remark if self.claims or not self.place else f"{self.place}: {self.remark}"

    @staticmethod
    def _listed(claims: Iterable[Claim]) -> str:
        return "; ".join(claim.sentence for claim in claims) + "."


@dataclass(frozen=True)
class Paper:
    """The file `paper.yaml` of a study.

    `published` are the paper's numbers, and `cases` what is computed, each as its study says;
    `tables` and `pictures` are by the names of their files; `notes` are cited by their number.

    A table has a title and lines of columns: heading | value | form | formula. The value is a path
    into a row, as `rigid.angle`; the formula, as `less paper, over paper, times 100`, makes it
    times (value - less)/over. All rows cite the `note` of a table, or else each its own.
    """

    title: str
    lead: str
    published: dict[str, Any]
    tables: dict[str, dict[str, str]]
    pictures: dict[str, dict[str, Any]]
    notes: dict[str, str]
    findings: list[dict[str, Any]]
    mistakes: list[dict[str, Any]] = field(default_factory=list)
    cases: dict[str, Any] = field(default_factory=dict)

    @property
    def marks(self) -> dict[str, str]:
        """The numbers by which tables cite notes."""
        return {name: str(number) for number, name in enumerate(self.notes, start=1)}

    def study(
        self,
        rows: Mapping[str, Sequence[Numbers]],
        findings: list[Finding],
        pictures: dict[str, Picture],
        spec: Mapping[str, Any],
        complete: bool,
        computed: Numbers | None = None,
    ) -> Study:
        """The study with its tables, from `rows` by name, and all else that was computed; notes may
        name the paper's numbers and those that are given."""
        tables = {name: self._table(name, each) for name, each in rows.items()}
        named = {**self.published, **(computed or {})}
        notes = {self.marks[name]: note.format_map(named) for name, note in self.notes.items()}
        return Study(self.title, self.lead, tables, notes, findings, pictures, spec, complete)

    def _table(self, name: str, rows: Sequence[Numbers]) -> Table:
        layout = self.tables[name]
        columns = [_column(line.split(" | "), rows) for line in layout["columns"].splitlines()]
        notes = [row.get("note", layout.get("note")) for row in rows]
        if all(notes):
            columns.append(Column(NOTE, [self.marks[note] for note in notes]))
        return table(layout["title"].format_map(self.published), columns)

    def judged(self, computed: Numbers) -> list[Finding]:
        """All findings with the numbers that were computed, mistakes last."""
        numbers = {**self.published, **computed}
        findings = [_finding(each, numbers) for each in self.findings]
        mistakes = enumerate(self.mistakes, start=1)
        return [*findings, *(_finding(each, numbers, number) for number, each in mistakes)]


def read_paper(package: str) -> Paper:
    """The paper of a study's package."""
    return Paper(**yaml.safe_load(files(package).joinpath("paper.yaml").read_text("utf-8")))


def _column(parts: Sequence[str], rows: Sequence[Numbers]) -> Column:
    heading, path, form, formula = (*parts, "", "")[:4]
    terms = dict(term.split(" ") for term in formula.split(", ") if term)
    return Column(heading, [_value(path, terms, row) for row in rows], form)


def _value(path: str, terms: Mapping[str, str], row: Numbers) -> Any:
    """What stands at the path, times (value - less)/over; words as they are."""
    value = _number(path, row)
    if not terms or isinstance(value, str):
        return value
    less, over, times = (_number(terms.get(k, n), row) for k, n in NEUTRAL.items())
    return float(times) * (value - float(less)) / float(over)


NEUTRAL = {"less": 0.0, "over": 1.0, "times": 1.0}
"""Terms of a formula that change nothing."""


def _finding(entry: Mapping[str, Any], numbers: Numbers, mistake: int = 0) -> Finding:
    claims = tuple(_claim(dict(claim), numbers) for claim in entry.get("claims", ()))
    remark = entry.get("remark", "").format_map(numbers)
    return Finding(remark, entry.get("place", ""), claims, mistake)


def _claim(entry: dict[str, Any], numbers: Numbers) -> Claim:
    relation = next((name for name in RELATIONS if name in entry), "")
    limit = entry.pop(relation, None)
    return Claim(
        entry.pop("says").format_map({**numbers, "ours": "{ours}"}),
        np.atleast_1d(np.asarray(_number(entry.pop("ours"), numbers), float)),
        relation,
        None if limit is True else _number(limit, numbers),
        _number(entry.pop("published", None), numbers),
        **entry,
    )


def _number(entry: Any, numbers: Numbers) -> Any:
    """A number itself, or that of a path such as `share`, `static.backlash` or `spins[0]`."""
    if isinstance(entry, list):
        return [_number(each, numbers) for each in entry]
    if not isinstance(entry, str):
        return entry
    try:
        return float(entry)
    except ValueError:
        return Formatter().get_field(entry, (), numbers)[0]


@dataclass(frozen=True)
class Study:
    """`tables` and `pictures` by the name of their file; `notes` by the number that tables cite.

    `lead` says what was done and `findings` what came out; `complete` is False where a computation
    failed and its figures are missing.
    """

    title: str
    lead: str
    tables: dict[str, Table]
    notes: dict[str, str]
    findings: list[Finding]
    pictures: dict[str, Picture]
    spec: Mapping[str, Any] = field(default_factory=dict)
    complete: bool = True

    @property
    def sentences(self) -> list[str]:
        return [finding.sentence for finding in self.findings]

    @property
    def document(self) -> Document:
        """What is written of it."""
        failed = [Alert(["Not every computation completed."], failure=True)]
        return Document(
            STUDY,
            "Reproduction",
            self.title,
            self.lead,
            f"Computed by Flank {__version__}.",
            self.tables,
            self.pictures,
            {name: partial(self.tables.__getitem__, name) for name in self.tables},
            alerts=[] if self.complete else failed,
            findings=self.sentences,
            notes=self.notes,
            spec=self.spec,
        )


class StudyRuns:
    """Computes everything once, and says how much of `expected` computations is done."""

    def __init__(self, fineness: Any, expected: int, progress: Progress | None = None) -> None:
        self.fineness = fineness
        self.complete = True
        self._expected, self._progress = expected, progress
        self._done: dict[tuple[str, str], Any] = {}

    def once(self, compute: Callable[..., Computed], *arguments: Any) -> Computed:
        """What `compute` gives of these arguments, computed at the first call with them."""
        key = (compute.__name__, repr(arguments))
        if key not in self._done:
            self._done[key] = computed = compute(*arguments)
            self.complete &= computed.complete
            if self._progress is not None:
                self._progress(min(len(self._done) / self._expected, 1.0))
        known: Computed = self._done[key]
        return known


def largest(values: Iterable[float]) -> float:
    """Size of the largest; not known where one is not."""
    sizes = np.abs(list(values))
    return float(sizes.max()) if len(sizes) else math.nan
