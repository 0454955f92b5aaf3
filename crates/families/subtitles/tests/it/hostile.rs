//! Times that JSON does not have, long chains of subtitles, and texts without a file.

use bleuprint_core::{Accumulator, State};
use bleuprint_subtitles::{Suber, Subtitle, Subtitles};

#[test]
fn nan_infinities_and_long_chains_change_nothing() {
    let subtitle = |start, end, text: &str| Subtitle { start, end, text: text.to_owned() };
    let good = Subtitles(vec![subtitle(0.0, 1.0, "a")]);
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
    let chain = (0..66_000).map(|number| subtitle(f64::from(number), f64::from(number + 2), "x")).collect();
    refused(Subtitles(chain), "one after another is 132000, but must be at most 131072");
}

#[test]
fn texts_and_files_have_the_same_subtitles() {
    let text =
        "\u{FEFF}1\r\n\r\n0:00:01.0 --> 00:00:02,5\r\n a b \r\n \r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000";
    let folder = bleuprint_testkit::Folder::new();
    let open = |text: &str| Subtitles::open(&folder.file("film.srt", text).display().to_string()).unwrap();
    assert_eq!(Subtitles::from_text(text).unwrap(), open(text));
    assert_eq!(open(text), open("1\n00:00:01,000 --> 00:00:02,500\na b\n\n"));
    for empty in ["", "\n\n", "1\n00:00:01,000 --> 00:00:02,000\n\n"] {
        assert_eq!(open(empty), Subtitles::default(), "{empty:?}");
    }
}
