//! Re-segmentation: the numbers of mweralign.

use bleuprint::metrics::edit::{Borders, resegment};
use bleuprint_testkit::recorded::json;
use serde_json::Value;

fn golden() -> Value {
    json("speech-golden.json")
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn golden_cuts_are_met() {
    let golden = golden();
    let rows = golden["resegment"].as_array().unwrap();
    let words = |text: &Value| -> Vec<String> {
        text.as_str().unwrap().split_whitespace().map(str::to_ascii_lowercase).collect()
    };
    let mut not_minimal = 0;
    for row in rows {
        let owned: Vec<Vec<Vec<String>>> = row["references"]
            .as_array()
            .unwrap()
            .iter()
            .map(|segment| segment.as_array().unwrap().iter().map(words).collect())
            .collect();
        let references: Vec<Vec<&[String]>> =
            owned.iter().map(|segment| segment.iter().map(Vec::as_slice).collect()).collect();
        let hypothesis = words(&row["hypothesis"]);
        for (borders, key) in [(Borders::Words, "clean"), (Borders::AsMweralign, "mweralign")] {
            let cut = resegment(&references, &hypothesis, borders).unwrap();
            let pieces: Vec<Vec<String>> = row[key].as_array().unwrap().iter().map(words).collect();
            let own: Vec<Vec<String>> = cut.pieces().map(|piece| hypothesis[piece].to_vec()).collect();
            assert_eq!(own, pieces, "{key}: {row}");
            assert_eq!(
                cut.edits.iter().sum::<u64>(),
                row[format!("{key}_edits")].as_u64().unwrap(),
                "{key}: {row}"
            );
        }
        not_minimal += usize::from(row["clean_edits"] != row["mweralign_edits"]);
    }
    assert_eq!((rows.len(), not_minimal), (170, 17));
}
