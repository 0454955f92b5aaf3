"""Counts of a service in a ledger: each event once, from any thread and process, with the scores of all its segments."""

import json
import os
import pickle
import sqlite3
import threading
from datetime import datetime, timedelta, timezone

import pytest

import bleuprint

NOON = datetime(2026, 11, 21, 12, tzinfo=timezone.utc)
EVENT = {"stream": "support", "version": "m1", "time": NOON}


@pytest.fixture
def place(tmp_path):
    return tmp_path / "scores.db"


def hour(*texts, metric="bleu", **options):
    accumulator = bleuprint.metric(metric, **options).accumulator()
    accumulator.update(list(texts), ["the dog had bit the man"] * len(texts))
    return accumulator


def test_an_event_counts_once(place):
    track = bleuprint.Ledger(place)
    counted = hour("the dog bit the man", "the dog had bit the man")
    assert track.add(counted, key="a", slice={"lang": "de"}, **EVENT) is True
    assert track.add(counted, key="a", slice={"lang": "de"}, **EVENT) is False
    for other in ({"version": "m2"}, {"slice": {"lang": "fr"}}, {"time": NOON + timedelta(seconds=1)}):
        with pytest.raises(ValueError, match="the key `a` already exists with other content"):
            track.add(counted, key="a", **{"slice": {"lang": "de"}, **EVENT, **other})
    (group,) = track.show("1h", by=["version", "lang"])
    assert group["score"] == counted.compute() and group["score"].signature == counted.compute().signature
    del group["score"]
    assert group == {
        "stream": "support", "metric": "bleu", "labels": {"version": "m1", "lang": "de"},
        "until": "2026-11-21T13:00:00Z", "segments": 2, "error": None,
    }
    assert track.verify() == []


def test_the_line_is_that_of_the_shell(place):
    """The name of the metric without its tokens, which are the key's; the row as `Accumulator.row` has it."""
    track = bleuprint.Ledger(place)
    counted = hour("the dog bit", metric="chrf", word_order=2, lowercase=True)
    track.add(counted, key="a", slice={"b": "2", "a": "1"}, **EVENT)
    with sqlite3.connect(place) as database:
        (row,) = database.execute("SELECT key, stream, version, slice, spec, state_key, row, time FROM event").fetchall()
    assert row[:4] == ("a", "support", "m1", '{"a":"1","b":"2"}')
    assert row[4] == "chrf:chrf-word-order=2" and row[5] == counted.state_key
    assert json.loads(row[6]) == list(counted.row().values())
    assert row[7] == int(NOON.timestamp()) * 10**9


def test_windows_merge_and_late_events_count(place):
    track = bleuprint.Ledger(place)
    parts = [hour("the dog bit the man"), hour("a dog bit"), hour("the dog had bit the man")]
    for at, part in enumerate(parts):
        track.add(part, key=f"k{at}", **{**EVENT, "time": NOON + timedelta(hours=at)})
    # An hour without requests, and one that comes late.
    track.add(bleuprint.metric("bleu").accumulator(), key="empty", **EVENT)
    late = hour("the man bit the dog")
    track.add(late, key="late", **{**EVENT, "time": "2026-11-21T14:30:00+01:00"})
    shown = {window: track.show(window)[0]["score"] for window in ("1h", "2h", "24h")}
    assert shown["1h"] == parts[2].compute()
    assert shown["2h"] == (parts[1] + late + parts[2]).compute()
    assert shown["24h"] == sum([*parts, late]).compute()
    assert track.show("24h", as_of=3)[0]["score"] == sum(parts).compute()
    assert track.verify() == []


def test_corrections(place):
    track = bleuprint.Ledger(place)
    bad, good, more = hour("x"), hour("the dog had bit the man"), hour("the dog bit the man")
    track.add(bad, key="a", **EVENT)
    track.add(good, key="a2", retracts="a", **EVENT)
    assert track.show()[0]["score"] == good.compute()
    assert track.add(more, key="a2", upsert=True, **EVENT) and not track.add(more, key="a2", upsert=True, **EVENT)
    assert track.show()[0]["score"] == more.compute()
    assert track.retract("a2#2", key="off", time=NOON) and not track.retract("a2#2", key="off", time=NOON)
    assert track.show() == []
    with pytest.raises(ValueError, match="it retracts `nothing`, which is not there"):
        track.retract("nothing", key="b")
    assert track.verify() == []


def test_one_correction_of_an_event(place):
    track = bleuprint.Ledger(place)
    track.add(hour("x"), key="a", **EVENT)
    track.add(hour("the dog had bit the man"), key="b", retracts="a", **EVENT)
    with pytest.raises(ValueError, match="it corrects `a`, which `b` corrects already: correct `b`"):
        track.add(hour("the dog"), key="c", retracts="a", **EVENT)
    assert track.show()[0]["segments"] == 1


def test_an_upsert_leaves_other_events_alone(place):
    track = bleuprint.Ledger(place)
    track.add(hour("x"), key="req", **EVENT)
    track.add(hour("the dog", "a man"), key="req#2", **EVENT)
    for _ in range(2):
        track.add(hour("the dog had bit the man"), key="req", upsert=True, **EVENT)
        assert track.show()[0]["segments"] == 3
    assert track.verify() == []


def test_additions_without_a_time_are_harmless_when_repeated(place):
    track = bleuprint.Ledger(place)
    counted = hour("the dog")
    event = {"key": "a", "stream": "support", "version": "m1"}
    assert [track.add(counted, **event) for _ in range(3)] == [True, False, False]
    assert [track.retract("a", key="off") for _ in range(2)] == [True, False]


def test_a_clock_that_was_ahead(place):
    track = bleuprint.Ledger(place)
    track.add(hour("x"), key="a", **EVENT)
    with sqlite3.connect(place) as database:
        database.execute("UPDATE event SET received = received + 86400000000000")
    with pytest.raises(ValueError, match="reset_clock=True"):
        track.add(hour("x"), key="b", **EVENT)
    assert track.add(hour("x"), key="b", reset_clock=True, **EVENT)
    assert track.add(hour("x"), key="c", **EVENT)


def test_windows_and_slices(place):
    track = bleuprint.Ledger(place)
    for at, labels in enumerate(({"a": "1", "b": "2"}, {"a": "1,b=2"})):
        track.add(hour("x"), key=f"k{at}", slice=labels, **EVENT)
    shown = track.show("1h", by=["slice"])
    assert [group["labels"]["slice"] for group in shown] == ["a=1,b=2", "a=1\\,b=2"]
    for window in ("90m", "30m"):
        with pytest.raises(ValueError, match=f"a window of {window}, but the ledger has buckets of 1h"):
            track.show(window)
    for stream, message in (("support ", "begins or ends with white space"), ("Support", "differs by case alone")):
        with pytest.raises(ValueError, match=message):
            track.add(hour("x"), key="c", **{**EVENT, "stream": stream})
    with pytest.raises(ValueError, match="an offset of a day or more"):
        track.add(hour("x"), key="c", **{**EVENT, "time": "2026-11-21T12:00:00+25:00"})


def test_sums_have_a_checksum(place):
    track = bleuprint.Ledger(place)
    track.add(hour("x"), key="a", **EVENT)
    with sqlite3.connect(place) as database:
        (sha256,) = database.execute("SELECT sha256 FROM bucket").fetchone()
        database.execute("UPDATE bucket SET sha256 = NULL")
    with pytest.warns(UserWarning, match="1 sum has no checksum"):
        track.show()
    assert track.verify() == []
    with sqlite3.connect(place) as database:
        assert database.execute("SELECT sha256 FROM bucket").fetchone() == (sha256,)
        database.execute("UPDATE bucket SET row = replace(row, '[1,', '[2,')")
    with pytest.raises(ValueError, match="its checksum differs"):
        track.show()


def test_statistics_and_numbers_of_other_programs(place):
    track = bleuprint.Ledger(place, bucket="15m")
    assert track.bucket == "15m"
    marks = bleuprint.given("mark", [0.5, None, 1.0], scale=(0, 1), producer="judge", missing="skip")
    counted = bleuprint.metric("wer").statistics(["a b"], ["a c"])
    track.add(marks, key="marks", **EVENT)
    track.add(counted, key="wer", **EVENT)
    found = {group["metric"].split(":")[0]: group for group in track.show("15m")}
    assert found["given"]["score"] == marks.score() and found["given"]["score"].parts["missing"] == 1
    assert found["wer"]["score"] == counted.score()
    assert bleuprint.Ledger(place).bucket == pickle.loads(pickle.dumps(track)).bucket == "15m"
    with pytest.raises(ValueError, match="its buckets are of 15m, not of 1h"):
        bleuprint.Ledger(place, bucket="1h")


def test_ids_and_learned_metrics(place):
    track = bleuprint.Ledger(place)
    ids = bleuprint.metric("bleu").accumulator()
    ids.update([[1, 2, 3, 4]], [[1, 2, 3, 5]])
    track.add(ids, key="ids", **EVENT)
    assert track.show()[0]["score"] == ids.compute()
    nist = bleuprint.metric("nist").learn(["the dog had bit the man"]).accumulator()
    nist.update(["the dog bit the man"], ["the dog had bit the man"])
    track.add(nist, key="nist", **EVENT)
    (group,) = [group for group in track.show() if group["metric"] == "nist"]
    # What it learned is no part of the counts.
    assert group["score"] is None and group["error"]


class Own(bleuprint.Metric):
    name = "own"
    columns = ("length",)

    def observe(self, state, hypothesis, references):
        return [state[0] + len(hypothesis)]

    def finalize(self, state, segments):
        return float(state[0])


def test_what_is_no_event_is_refused(place):
    track = bleuprint.Ledger(place)
    counted = hour("the dog")
    for thing, error, message in (
        (counted.compute(), TypeError, "a score does not merge"),
        (0.5, TypeError, "float is given, but an event is of an accumulator or of statistics"),
        (hour("the dog", metric="distinct"), ValueError, "distinct.*be an event"),
    ):
        with pytest.raises(error, match=message):
            track.add(thing, key="a", **EVENT)
    for options, error, message in (
        ({"key": ""}, ValueError, "an empty key"),
        ({"key": "k" * 2000}, ValueError, "a key of 2000 bytes; the limit is 1024"),
        ({"key": 5}, TypeError, "str"),
        ({"time": datetime(2026, 11, 21)}, ValueError, "time is 2026-11-21T00:00:00, without a time zone"),
        ({"time": "yesterday"}, ValueError, "the time `yesterday` is not of the form RFC 3339"),
        ({"time": 5}, TypeError, "time is int"),
        ({"time": datetime.now(timezone.utc) + timedelta(days=2)}, ValueError, "a clock is wrong"),
        ({"stream": ""}, ValueError, "an empty stream"),
        ({"retracts": "a"}, ValueError, "an event that retracts itself"),
        ({"slice": {"": "x"}}, ValueError, "an empty label"),
    ):
        with pytest.raises(error, match=message):
            track.add(counted, **{"key": "a", **EVENT, **options})
    with pytest.raises(ValueError, match="the ledger has no events with counts"):
        track.show()
    track.add(counted, key="a", **EVENT)
    for options, error, message in (
        ({"window": "a day"}, ValueError, "`a day` is not a length of time"),
        ({"by": ["topic"]}, ValueError, "no slice has the label `topic`; there are: version, slice"),
        ({"by": "version"}, TypeError, "a str is given where a list is meant"),
        ({"stream": "other"}, ValueError, "no stream `other`; it has: support"),
        ({"as_of": 9}, ValueError, "the ledger has 1 events, not 9"),
        ({"as_of": -1}, ValueError, "-1"),
    ):
        with pytest.raises(error, match=message):
            track.show(**options)
    assert track.verify() == []


def test_a_metric_of_ones_own_is_refused(place):
    own = Own()
    accumulator = own.accumulator()
    accumulator.update(["abc"], ["abd"])
    with pytest.raises(ValueError, match="own is a metric of this program alone"):
        bleuprint.Ledger(place).add(accumulator, key="a", **EVENT)


def test_places(tmp_path):
    with pytest.raises(ValueError, match="cannot be written"):
        bleuprint.Ledger(tmp_path / "nowhere" / "scores.db")
    text = tmp_path / "text"
    text.write_text("no ledger\n" * 200)
    with pytest.raises(ValueError, match="this file is not a ledger"):
        bleuprint.Ledger(text)
    with sqlite3.connect(tmp_path / "other.db") as database:
        database.execute("CREATE TABLE mine (x)")
    with pytest.raises(ValueError, match="this database is not a ledger of bleuprint"):
        bleuprint.Ledger(tmp_path / "other.db")
    gone = bleuprint.Ledger(tmp_path / "gone.db")
    for end in ("", "-wal", "-shm"):
        (tmp_path / f"gone.db{end}").unlink(missing_ok=True)
    with pytest.raises(ValueError, match="gone.db: there is no ledger"):
        gone.add(hour("x"), key="a", **EVENT)


def test_a_changed_ledger_is_found(place):
    track = bleuprint.Ledger(place)
    track.add(hour("the dog"), key="a", **EVENT)
    with sqlite3.connect(place) as database:
        database.execute("UPDATE event SET version = 'm2'")
    found = track.verify()
    assert any("the event `a` is not what was added" in line for line in found), found


def test_threads_and_forked_processes_share_a_ledger(place):
    track = bleuprint.Ledger(place)
    counted = hour("the dog bit the man")
    new = []

    def add(worker):
        # Neighbours add the same keys.
        for at in range(worker * 5, worker * 5 + 10):
            new.append(track.add(counted, key=f"k{at}", **EVENT))

    workers = [threading.Thread(target=add, args=(worker,)) for worker in range(4)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert (len(new), sum(new)) == (40, 25)
    if hasattr(os, "fork"):
        child = os.fork()
        if child == 0:
            os._exit(0 if track.add(counted, key="child", **EVENT) else 1)
        assert track.add(counted, key="parent", **EVENT)
        assert os.waitpid(child, 0)[1] == 0
        assert track.show()[0]["segments"] == 27
    assert track.verify() == []
