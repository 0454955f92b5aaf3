"""Calls as people write them: see `python/tests/types/calls.py`."""

import bleuprint

bleuprint.metric("pass", k="1/10")
bleuprint.metric("pass", k=[1, 10])
bleuprint.metric("pass", k=["one"])  # wrong
