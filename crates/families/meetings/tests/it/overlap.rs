//! Comparison of the times in which speakers overlap themselves with every recorded row of MeetEval.

use bleuprint_meetings::{parse_session, self_overlap};
use bleuprint_testkit::recorded;

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_self_overlap_is_meetevals() {
    let mut compared = 0;
    for row in recorded::rows("speech-golden.json", "speakers") {
        for side in ["reference", "hypothesis"] {
            let Some(theirs) = row["out"][format!("{side}_self_overlap")].as_array() else { continue };
            let own = self_overlap(&parse_session(&row[side].to_string()).unwrap());
            for (own, theirs) in own.iter().zip(theirs) {
                assert!((own - theirs.as_f64().unwrap()).abs() < 1e-9, "{row}");
            }
            compared += 1;
        }
    }
    assert!(compared > 400, "{compared}");
}
