"""Reading files."""

from __future__ import annotations

import gzip


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8"):
    """Opens a file of lines that end in LF, unpacking `.gz`."""
    if file.endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")
