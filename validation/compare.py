"""Whether the validation pages still say what they said at another commit.

    python validation/compare.py COMMIT

Figures may differ by one in their last printed digit, as on another processor; all else must be
equal. Prints what differs; leaves with 1 if something does.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NUMBER = r"[-−+]?\d+(?:\.\d+)?(?:e[-+]\d+)?"

ROUND_OFF = 1e-9
"""A smaller error in a table is that of the last digits of its figures, and theirs alone."""


def differences(before: str, after: str) -> list[str]:
    """Lines of a page that do not say the same."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) != len(new):
        return [f"{len(old)} lines became {len(new)}"]
    return [f"- {a}\n+ {b}" for a, b in zip(old, new, strict=True) if not same_line(a, b)]


def same_line(first: str, second: str) -> bool:
    one, other = (re.split(f"({NUMBER})", line) for line in (first, second))
    if one[::2] != other[::2]:
        return False
    return all(same_number(a, b) for a, b in zip(one[1::2], other[1::2], strict=True))


def same_number(first: str, second: str) -> bool:
    a, b = (float(text.replace("−", "-")) for text in (first, second))
    unit = max(_last_digit(first), _last_digit(second))
    return abs(a - b) <= 1.001 * unit or max(abs(a), abs(b)) < ROUND_OFF


def _last_digit(number: str) -> float:
    mantissa, _, exponent = number.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - decimals) if decimals or exponent else 0.0


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    failed = 0
    for page in sorted((ROOT / "docs" / "validation").glob("*.md")):
        place = page.relative_to(ROOT).as_posix()
        shown = subprocess.run(
            ["git", "show", f"{sys.argv[1]}:{place}"], cwd=ROOT, capture_output=True, text=True
        )
        if shown.returncode:
            print(f"{place}: not there before")
            continue
        changed = differences(shown.stdout, page.read_text(encoding="utf-8"))
        failed += len(changed)
        print(f"{place}: {len(changed) or 'no'} lines differ", *changed, sep="\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
