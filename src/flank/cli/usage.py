"""What is wrong with a command line, in Flank's own sentences."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from flank.cli.terminal import REFUSED, complain
from flank.errors import LONGEST_SENTENCE, suggestion
from flank.texts import shortened

UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # of the click that typer comes with
_QUOTED = re.compile(r"'(.*)'", re.DOTALL)
_BRACKETS = re.compile(r" \((.*)\)$", re.DOTALL)


class FlankGroup(TyperGroup):
    """The command and its commands; a wrong line ends with one sentence and status 2."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        with _in_sentences():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        with _in_sentences():
            return super().invoke(ctx)


@contextmanager
def _in_sentences() -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            raise
        complain(shortened(sentence(error), LONGEST_SENTENCE))
        raise typer.Exit(REFUSED) from None


def sentence(error: Any) -> str:
    """One sentence on a usage error: what is wrong and what to write instead."""
    context, message = error.ctx, error.format_message()
    path = _path(context)
    if message.startswith("No such command"):
        return _unknown_command(context, path, message)
    if message.startswith("Got unexpected extra"):
        return _extra_words(context, path, message)
    if message.startswith("No such option"):
        return _unknown_option(context, path, error.option_name)
    if message.startswith("Missing"):
        hint = getattr(error.param, "help", None) or message
        return f"{path} needs {_name(error.param)}: {_lower(hint)} See {path} --help"
    if message.endswith("requires an argument."):
        return f"{error.option_name} needs a value after it; see {path} --help"
    if getattr(error, "param", None) is not None:
        return f"{_name(error.param)}: {_lower(error.message).rstrip('.')}; see {path} --help"
    return f"{path}: {_lower(message).rstrip('.')}; see {path} --help"


def _path(context: Any) -> str:
    """'flank design planetary', however the program was started."""
    names: list[str] = []
    while context is not None and context.parent is not None:
        names.insert(0, context.info_name)
        context = context.parent
    return " ".join(["flank", *names])


def _unknown_command(context: Any, path: str, message: str) -> str:
    match = _QUOTED.search(message)
    given = match[1].partition("'")[0] if match else "this"
    known = list(context.command.commands)
    if context.command.name == "design":
        return (
            f"'{given}' cannot be designed yet{suggestion(given, known)} "
            f"What can be: {', '.join(known)}, as in {path} planetary --ratio 5.55"
        )
    if "run" in known and given.endswith((".yaml", ".yml")):
        return f"'{given}' is a file, not a command of {path}; did you mean {path} run {given}?"
    return (
        f"'{given}' is not a command of {path}{suggestion(given, known)} "
        f"Commands: {', '.join(known)}"
    )


def _extra_words(context: Any, path: str, message: str) -> str:
    """Mostly a change that was written with spaces and without quotes."""
    match = _BRACKETS.search(message)
    words = match[1] if match else ""
    given = [
        (option, value)
        for name, option in (("changes", "--set"), ("options", "--option"))
        for value in context.params.get(name) or ()
    ]
    if not given:
        return f"'{words}' is more than {path} asks for; see {path} --help"
    option, value = given[0]
    example = f"{value} {words}" if len(given) == 1 else "eccentricity=1.3 mm"
    return (
        f"'{words}' is more than {path} asks for; put quotes round a change with spaces, as in "
        f"{option} '{example}'"
    )


def _unknown_option(context: Any, path: str, given: str) -> str:
    names = (name for parameter in context.command.params for name in parameter.opts)
    known = [name for name in names if name.startswith("--")]
    return f"{given} is not an option of {path}{suggestion(given, known)} See {path} --help"


def _name(parameter: Any) -> str:
    options: list[str] = [name for name in parameter.opts if name.startswith("--")]
    return options[0] if options else str(parameter.metavar or parameter.name)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
