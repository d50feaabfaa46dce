"""The tutorials: their commands run, with what they print and draw, as pages of the site.

    python pages/tutorials.py      writes docs/tutorials/NAME.md for each pages/tutorials/NAME.md

All commands of a page run one after the other in one empty folder. After a block of commands
stands `<!-- output -->`, or `<!-- output: 12 lines -->`, in whose place comes what they print;
pictures are those that they write. A command that fails ends it. Git does not know the pages that
are written.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = Path(__file__).parent / "tutorials"
FOLDER = Path(__file__).parent.parent / "docs" / "tutorials"
STEP = re.compile(
    r"```sh\n(?P<commands>.+?)\n```(?:\n\n<!-- output(?:: (?P<lines>\d+) lines)? -->)?", re.DOTALL
)
PICTURE = re.compile(r"!\[(?P<words>[^]]+)\]\((?P<file>[^)]+\.png)\)")


def commands(text: str) -> list[str]:
    """All commands of a page."""
    return [line for step in STEP.finditer(text) for line in step["commands"].splitlines()]


def printed(command: str, folder: Path) -> str:
    """What a command writes to the terminal."""
    program, *words = shlex.split(command)
    if program == "cat":
        return "".join((folder / word).read_text(encoding="utf-8") for word in words)
    ended = subprocess.run(
        [Path(sys.executable).with_name("flank"), *words],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    red = words[0] == "check" and ended.returncode == 2 and ended.stdout
    if ended.returncode and not red:
        sys.exit(f"{command}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def page(name: str, text: str, folder: Path) -> tuple[str, dict[str, bytes]]:
    """The page with its outputs, and its pictures by file name."""
    pictures: dict[str, bytes] = {}

    def ran(step: re.Match[str]) -> str:
        output = "\n".join(printed(line, folder) for line in step["commands"].splitlines())
        lines = output.rstrip().splitlines()
        most = int(step["lines"] or len(lines))
        shown = lines[:most] + ["..."] * (len(lines) > most)
        block = f"```sh\n{step['commands']}\n```"
        return block + "\n\n```text\n" + "\n".join(shown) + "\n```"

    def drawn(found: re.Match[str]) -> str:
        file = f"{name}-{found['file'].replace('/', '-')}"
        pictures[file] = (folder / found["file"]).read_bytes()
        return f"![{found['words']}]({file})"

    return PICTURE.sub(drawn, STEP.sub(ran, text)), pictures


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    for source in sorted(SOURCES.glob("*.md")):
        with tempfile.TemporaryDirectory() as folder:
            text, pictures = page(source.stem, source.read_text("utf-8"), Path(folder))
        for name, content in pictures.items():
            (FOLDER / name).write_bytes(content)
        (FOLDER / source.name).write_text(text, encoding="utf-8")
        print(f"{source.name}: {len(pictures)} pictures")


if __name__ == "__main__":
    main()
