//! MIMO-WER has no more errors than ORC-WER, and ORC-WER no more than cpWER; times and the greedy search
//! never lower errors.

use bleuprint_meetings::TimeConstraint;
use bleuprint_testkit::random::Rng;

use crate::{Spoken, outcome};

fn talk(rng: &mut Rng, label: &str) -> Spoken {
    let mut now = 0.0;
    (0..rng.below(6))
        .map(|_| {
            let start: f64 = now + rng.below(40) as f64 / 10.0;
            let end = start + rng.below(30) as f64 / 10.0;
            now = if rng.chance(300) { start } else { end };
            let words = (0..rng.below(5)).map(|_| (*rng.pick(&["a", "b", "c"])).to_owned()).collect();
            (format!("{label}{}", rng.below(2)), Some([start, end]), words)
        })
        .collect()
}

#[test]
fn more_freedom_is_no_more_errors() {
    let mut rng = Rng::new(36);
    let time = TimeConstraint::new(0.5).ok();
    for _ in 0..bleuprint_testkit::draws(2_000, 200) {
        let (reference, hypothesis) = (talk(&mut rng, "r"), talk(&mut rng, "h"));
        let errors = |metric: &str, time| -> u64 {
            outcome(metric, time, &reference, &hypothesis).unwrap().0[..3].iter().sum()
        };
        for (time, names) in [
            (None, ["mimower", "orcwer", "cpwer", "orcwer:search=greedy", "dicpwer"]),
            (time, ["tcmimower", "tcorcwer", "tcpwer", "tcorcwer:search=greedy", "ditcpwer"]),
        ] {
            let [mimo, orc, cp, greedy, di] = names.map(|name| errors(name, time));
            assert!(mimo <= orc && orc <= cp && orc <= greedy, "{names:?}: {reference:?} {hypothesis:?}");
            assert!(greedy <= cp && (di <= cp || time.is_some()), "{names:?}: {reference:?} {hypothesis:?}");
            let untimed = errors(names[0].trim_start_matches("tc"), None);
            assert!(untimed <= mimo, "{names:?}: {reference:?} {hypothesis:?}");
        }
    }
}
