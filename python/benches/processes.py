"""Processor time and memory of this process and all that it started, as Spark starts a Java machine and workers in Python."""

import os
import pathlib


def own_processes():
    """The fields of `/proc/PROCESS/stat` from the state on, of each process."""
    fields = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields[int(folder.name)] = (folder / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        except OSError:
            continue

    def is_own(process):
        while process > 1 and process != os.getpid():
            process = int(fields[process][1]) if process in fields else 0
        return process == os.getpid()

    return [own for process, own in fields.items() if is_own(process)]


def processor_seconds():
    """Their processor time in seconds; of processes that ended, with that of their parents."""
    return sum(sum(map(int, fields[11:15])) for fields in own_processes()) / os.sysconf("SC_CLK_TCK")


def resident_megabytes():
    """Their resident memory in MB; pages that several share count several times."""
    return sum(int(fields[21]) for fields in own_processes()) * os.sysconf("SC_PAGE_SIZE") / 2**20
