"""The laws of metrics hold for subtitles of a user."""

import bleuprint


def test_laws_hold_for_subtitles():
    films = [[{"start": 0, "end": at, "text": "a b c"[:at]}] for at in range(1, 6)]
    bleuprint.metric("suber").check_laws(films, [[film] for film in films[::-1]])
