"""The page inside a unit that says what it is, what is fixed in it and what can be set."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from flank._version import __version__
from flank.fmi.unit import Stepping, Unit
from flank.io.ownership import GENERATOR
from flank.io.shown import prose

STYLE = """
body { font: 1rem/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #ccc; }
td.number { text-align: right; }
"""

OF_STEPS = """States can be saved, restored and serialized. A step that cannot be done is discarded
with a sentence in the log, and the state is that before it."""

OF_EVALUATION = """Outputs follow from the inputs at hand: there are no states. Derivatives of all
outputs by all inputs are offered; with damping they leave out how what damps changes when gears
move."""


def documentation_html(unit: Unit, version: int, platform: str, needs: str) -> str:
    """documentation/index.html."""
    needed = f" It needs {needs} or newer." if needs else ""
    title = escape(prose(unit.title))
    steps = isinstance(unit.way, Stepping)
    use = "co-simulation" if steps else "model exchange and for co-simulation"
    fixed = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in unit.fixed
    )
    return f"""<!DOCTYPE html>
<html lang='en'><head><meta charset='utf-8'>
<meta name='generator' content='{GENERATOR} {__version__}'>
<title>{title}</title><style>{STYLE}</style></head><body>
<h1>{title}</h1>
<p>{escape(prose(unit.description))}. A unit for {use}, FMI {version}, written by {GENERATOR}
{__version__}.</p>
<h2>Fixed at export</h2>
<table>{fixed}</table>
<p>The machine as a spec file is in <a href='spec.yaml'>spec.yaml</a>; export it again to change
what is fixed.</p>
<h2>Platforms</h2>
<p>This unit holds a binary for <b>{escape(platform)}</b> and for no other platform.{needed} It
calls the C library and nothing else: no Python is needed, and instances are independent of each
other.</p>
<h2>Variables</h2>
<p>All are real numbers in SI units. Inputs and parameters may be set at any time; a number that is
not finite, or less than its least one, is refused.
{OF_STEPS if steps else OF_EVALUATION}</p>
<table><tr><th>reference</th><th>name</th><th>unit</th><th>kind</th><th>at the start</th>
<th>least</th><th>meaning</th></tr>
{"".join(_rows(unit))}</table>
</body></html>
"""


def _rows(unit: Unit) -> Iterable[str]:
    for reference, variable in enumerate(unit.listed):
        start = "" if variable.start is None else f"{variable.start:.9g}"
        least = "" if variable.minimum == -math.inf else f"{variable.minimum:.9g}"
        yield (
            f"<tr><td class='number'>{reference}</td><td><code>{escape(variable.name)}</code></td>"
            f"<td>{escape(variable.unit)}</td><td>{variable.kind}</td>"
            f"<td class='number'>{start}</td><td class='number'>{least}</td>"
            f"<td>{escape(variable.description)}</td></tr>\n"
        )
