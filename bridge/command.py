"""What every command shares around its work: its parser, its output, and how it ends when it is cut short."""

import argparse
import io
import os
import sys
from collections.abc import Callable
from typing import NoReturn


class CommandParser(argparse.ArgumentParser):
    """A parser whose help is the module's docstring, and whose errors are one line."""

    def __init__(self, prog: str, docstring: str | None) -> None:
        summary, _, details = (docstring or "").partition("\n\n")
        super().__init__(prog=prog, description=summary, epilog=details, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message: str) -> NoReturn:
        """One line, and exit code 2."""
        self.exit(2, f"{self.prog.removeprefix('python -m ')}: {message}; {self.prog} --help tells more\n")


def finish(main: Callable[[], int]) -> NoReturn:
    """Run a command and end the process with its exit code.

    Output is UTF-8 whatever the environment says: pages hold any letter. Ctrl-C ends with 130, a reader that closes the
    pipe with 0, an output that cannot be written with 1: each without a traceback.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        code = 130
    except BrokenPipeError:
        code = 0
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        code = 1
    _drop_output_left()
    sys.exit(code)


def _drop_output_left() -> None:
    """Let the interpreter's own last flush go nowhere, if the output is gone."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
