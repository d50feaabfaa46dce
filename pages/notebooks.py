"""The notebooks of docs/notebooks/, executed, as pages of the site.

    python pages/notebooks.py      writes docs/notebooks/NAME.md and pictures for each NAME.ipynb

What is in the repository has no outputs. Git does not know what is written here: it says what the
code says now. A cell that fails ends it with what the cell said.
"""

import base64
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
LONGEST = 600
"""Seconds that a cell may take."""

COLOUR_CODES = re.compile(r"\x1b\[[0-9;]*m")


def notebooks() -> list[Path]:
    """All of them, by name."""
    return sorted(FOLDER.glob("*.ipynb"))


def executed(path: Path) -> Any:
    """A notebook with its outputs, from a kernel of its own."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=LONGEST,
        resources={"metadata": {"path": FOLDER}},
        extra_arguments=["--log-level=ERROR"],
    )
    try:
        return client.execute()
    except CellExecutionError as error:
        sys.exit(f"{path.name}: a cell failed.\n{COLOUR_CODES.sub('', str(error))}")


def page(name: str, notebook: Any) -> tuple[str, dict[str, bytes]]:
    """The Markdown of an executed notebook, and its pictures by file name."""
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    heading = name
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            parts.append(cell["source"])
            headings = re.findall(r"^#+ (.+)$", cell["source"], re.MULTILINE)
            heading = headings[-1] if headings else heading
        elif cell["cell_type"] == "code":
            parts.append(f"```python\n{cell['source']}\n```")
            parts += _outputs(cell["outputs"], f"{name}-{len(parts)}", heading, pictures)
    title, _, rest = parts[0].partition("\n")
    source = f"*The notebook: [{name}.ipynb]({name}.ipynb), run when this page was made.*"
    return "\n\n".join([title, source, rest.strip(), *parts[1:]]) + "\n", pictures


def _outputs(
    outputs: list[Any], name: str, heading: str, pictures: dict[str, bytes]
) -> Iterator[str]:
    """The best form of each: a picture, a table, or text."""
    for number, output in enumerate(outputs):
        if output["output_type"] == "stream":
            yield _text(output["text"])
            continue
        data = output["data"]
        if "image/png" in data:
            file = f"{name}-{number}.png"
            pictures[file] = base64.b64decode(data["image/png"])
            yield f"![{heading}]({file})"
        elif "text/html" in data:
            yield _html(data["text/html"])
        else:
            yield _text(data["text/plain"])


def _text(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def _html(text: str) -> str:
    """As one block, which Markdown leaves alone."""
    text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
    text = text.replace(' border="1" class="dataframe"', "")  # tables look as all others
    lines = (line.strip() for line in text.splitlines())
    return "<div class='output'>\n" + "\n".join(filter(None, lines)) + "\n</div>"


def main() -> None:
    for old in (*FOLDER.glob("*.md"), *FOLDER.glob("*.png")):
        old.unlink()
    for path in notebooks():
        text, pictures = page(path.stem, executed(path))
        for name, content in pictures.items():
            (FOLDER / name).write_bytes(content)
        (FOLDER / f"{path.stem}.md").write_text(text, encoding="utf-8")
        print(f"{path.name}: {len(pictures)} pictures")


if __name__ == "__main__":
    main()
