//! Tests of rejected files, whose errors name the line, and of hostile data.

use std::fmt::Write as _;

use bleuprint_core::{Accumulator, State};
use bleuprint_subtitles::{Suber, Subtitle, Subtitles};

const ONE: &str = "1\n00:00:01,000 --> 00:00:02,500\na b\n\n";

fn opened(srt: &str) -> Result<Subtitles, String> {
    let folder = bleuprint_testkit::Folder::new();
    let path = folder.file("film.srt", srt).display().to_string();
    Subtitles::open(&path).map_err(|error| error.to_string().replace(&path, "film.srt"))
}

#[test]
fn files_are_refused_with_the_line() {
    let block = |number: &str, times: &str| format!("{ONE}{number}\n{times}\nc\n");
    let hostile = |times: &str| {
        (1..=1001).fold(String::new(), |mut all, number| {
            write!(all, "{number}\n{times}\nx\n\n").unwrap();
            all
        })
    };
    for (srt, message) in [
        (block("x", "00:00:03,000 --> 00:00:04,000"), "line 5: the number of a subtitle is `x`"),
        (block("2", "00:00:03,000 -> 00:00:04,000"), "line 6: the times are `00:00:03,000 -> 00:00:04,000`"),
        (block("2", "00:60:03,000 --> 00:61:04,000"), "line 6: the times are"),
        (block("2", "00:00:03 --> 00:00:04"), "line 6: the times are"),
        (block("2", "00:00:nan,000 --> 00:00:04,000"), "line 6: the times are"),
        (block("2", "00:00:03,0000000 --> 00:00:04,000"), "line 6: the times are"),
        (
            block("2", "999999:00:03,000 --> 999999:00:04,000"),
            "line 6: the start is 3599996403, but must be from 0 to 1e8 s",
        ),
        (
            block("2", "00:00:03,000 --> 00:00:02,999"),
            "line 6: the subtitle ends at 2.999 s, before its start at 3 s",
        ),
        (
            block("2", "00:00:00,999 --> 00:00:04,000"),
            "line 6: the subtitle starts at 0.999 s, but the previous one at 1 s",
        ),
        (
            format!("{}{}", ONE.trim_end(), "\n2\n00:00:03,000 --> 00:00:04,000\nc\n"),
            "line 5: the text of a subtitle contains the times `00:00:03,000 --> 00:00:04,000`",
        ),
        (format!("{ONE}2\n"), "film.srt: line 5: the last subtitle has a number, but no times"),
        (
            hostile("00:00:01,000 --> 00:00:09,000"),
            "line 4002: the number of subtitles at 1 s is 1001, but must be at most 1000",
        ),
        // It would not even overlap an equal subtitle.
        (
            block("2", "00:00:03,000 --> 00:00:03,000"),
            "line 7: the subtitle starts and ends at 3 s, so it overlaps no other",
        ),
    ] {
        let error = opened(&srt).unwrap_err();
        assert!(error.contains(message) && error.starts_with("film.srt: line "), "{error}");
    }
    // The text has a byte order mark, carriage returns, decimal points, blank lines in the head of a block, tags,
    // and no final line feed.
    let other =
        "\u{FEFF}1\r\n\r\n0:00:01.0 --> 00:00:02,5\r\n a b \r\n \r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000";
    assert_eq!(opened(other), opened(ONE));
    assert_eq!(Subtitles::from_text(other).unwrap(), opened(ONE).unwrap());
    for empty in ["", "\n\n", "1\n00:00:01,000 --> 00:00:02,000\n\n"] {
        assert_eq!(opened(empty), Ok(Subtitles::default()), "{empty:?}");
    }
}

#[test]
fn wrong_times_change_nothing_and_long_parts_are_told() {
    let subtitle = |start, end, text: &str| Subtitle { start, end, text: text.to_owned() };
    let good = Subtitles(vec![subtitle(0.0, 1.0, "a")]);
    // A subtitle that is shown for no time, but has no text, is no subtitle.
    let blank = Subtitles(vec![subtitle(0.0, 1.0, "a"), subtitle(1.0, 1.0, " ")]);
    let mut same = Accumulator::<_, Subtitles>::new(Suber::default());
    same.push(&blank, &[&blank]).unwrap();
    assert_eq!(same.score().unwrap().value(), 0.0);
    let refused = |wrong: Subtitles, message: &str| {
        let mut all = Accumulator::<_, Subtitles>::new(Suber::default());
        let error = all.push(&good, &[&wrong]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        let error = all.push(&wrong, &[&good]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(all.total(), &State::zero(&Suber::default()));
    };
    refused(Subtitles(vec![subtitle(f64::NAN, 1.0, "a")]), "the start is NaN");
    refused(Subtitles(vec![subtitle(0.0, f64::INFINITY, "a")]), "the end is inf");
    refused(Subtitles(vec![subtitle(-0.5, 1.0, "a")]), "the start is -0.5");
    let chain = (0..66_000).map(|number| subtitle(f64::from(number), f64::from(number + 2), "x")).collect();
    refused(Subtitles(chain), "one after another is 132000, but must be at most 131072");
}
