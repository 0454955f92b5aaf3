"""Calls as people write them: see `python/tests/types/calls.py`."""

import bleuprint

turns = bleuprint.from_files("turns", "ref.rttm", ["a.rttm"], metrics="der", uem="all.uem")
bleuprint.from_files("turns", "ref.rttm", ["a.rttm"])  # wrong
