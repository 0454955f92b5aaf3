"""The program `bleuprint`: `python -m bleuprint`, and the command that the wheel installs."""

import signal
import sys
from typing import NoReturn

from ._native import program


def main() -> NoReturn:
    """Runs the program with the arguments of the process, and ends with its exit code."""
    if sys.stdout is None:
        # A closed descriptor may by now be another file of the interpreter.
        print("bleuprint: error: standard output is closed", file=sys.stderr)
        sys.exit(2)
    # As in the program: an interrupt ends it at once, also in a kernel.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(program(["bleuprint", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
