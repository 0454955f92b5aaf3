//! The words of a report, which are aligned as `align` does; its other parts are in `cases/report.case`.

use crate::common::{Folder, stdout};
use serde_json::Value;

const REF: &str =
    "The dog bit the man.\nIt was not unexpected.\nThe man bit him first.\n<b>Fourth</b> one & more.\n";
const ONE: &str =
    "The dog bit the man.\nIt wasn't surprising.\nThe man had just bitten him.\n<b>Fourth</b> one.\n";
const OTHER: &str = "A dog bit a man.\nIt was unsurprising.\nThe man bit it.\n</script>Fourth one & more.\n";

struct Files {
    folder: Folder,
    reference: String,
    one: String,
    other: String,
}

fn files() -> Files {
    let folder = Folder::new();
    let (reference, one) = (folder.file("r.en", REF), folder.file("hyp.one.en", ONE));
    let other = folder.file("hyp.other.en", OTHER);
    Files { folder, reference, one, other }
}

impl Files {
    fn json(&self, options: &[&str]) -> Value {
        let place = self.folder.path("report.json");
        let usual = ["report", &self.reference, "-i", &self.one, &self.other, "-o", &place, "-f", "json"];
        stdout(&[&usual[..], options].concat());
        serde_json::from_str(&std::fs::read_to_string(place).unwrap()).unwrap()
    }
}

#[test]
fn words_are_aligned_as_align_does() {
    let files = files();
    let page =
        files.json(&["-m", "bleu", "cer", "mer", "wer", "wer:norm=lower+punct", "wer:compounds=merge"]);
    let places: Vec<&Value> =
        page["metrics"].as_array().unwrap().iter().map(|metric| &metric["words"]).collect();
    // One for each tokenization; merged compounds have another alignment.
    assert_eq!(places, [&Value::Null, &0.into(), &1.into(), &1.into(), &2.into(), &Value::Null]);
    for (place, system, options) in [
        (1, &files.one, &[][..]),
        (1, &files.other, &[]),
        (0, &files.other, &["--tokenize", "jiwer-char"]),
        (2, &files.one, &["--norm", "lower+punct"]),
    ] {
        let words = &page["words"][place];
        assert_eq!(words["characters"], place == 0);
        let column = usize::from(system == &files.other);
        let usual = ["align", &files.reference, "-i", system, "--all", "-f", "json", "--top", "1000"];
        let out = stdout(&[&usual[..], options].concat());
        let mut lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let tables = lines.pop().unwrap();
        for line in &lines {
            let segment = line["segment"].as_u64().unwrap() as usize - 1;
            let [chosen, steps] = &words["alignments"][column][segment].as_array().unwrap()[..] else {
                panic!()
            };
            assert_eq!(chosen, 0);
            assert_eq!(tokens(&words["references"][0][segment]), tokens(&line["reference"]));
            assert_eq!(tokens(&words["hypotheses"][column][segment]), tokens(&line["hypothesis"]));
            let step = |operation: &Value| {
                let at = |place: usize| operation[place].as_u64().unwrap();
                let letter = match operation[0].as_str().unwrap() {
                    "hit" => '=',
                    "substitution" => 'S',
                    "deletion" => 'D',
                    _ => 'I',
                };
                format!("{}{letter}", (at(2) - at(1)).max(at(4) - at(3)))
            };
            let expected: String = line["operations"].as_array().unwrap().iter().map(step).collect();
            assert_eq!(steps, &Value::from(expected));
        }
        let mut listed: Vec<(String, String, u64, u64)> = Vec::new();
        for (kind, table) in [("S", "confusions"), ("D", "deletions"), ("I", "insertions")] {
            for row in tables[table].as_array().unwrap().iter().take(15) {
                let word =
                    |key: &str| row[key].as_str().or(row["word"].as_str()).unwrap_or_default().to_owned();
                let (own, other) = (word("reference"), word("hypothesis"));
                let number = |key: &str| row[key].as_u64().unwrap();
                listed.push((format!("{kind} {own}"), other, number("count"), number("in_references")));
            }
        }
        for (key, other, count, of) in listed {
            let same = |error: &&Value| {
                let kind = error["kind"].as_str().unwrap();
                let word =
                    |key: &str| error[key].as_str().or(error["hypothesis"].as_str()).unwrap_or_default();
                let second = error["hypothesis"].as_str().or(error["reference"].as_str());
                format!("{kind} {}", word("reference")) == key && second == Some(&other)
            };
            let error = words["errors"]
                .as_array()
                .unwrap()
                .iter()
                .find(same)
                .unwrap_or_else(|| panic!("{key} {other}"));
            assert_eq!(
                (&error["times"][column], &error["in_references"][column]),
                (&count.into(), &of.into())
            );
        }
    }
    // Without texts there are no words.
    let hidden = files.json(&["-m", "wer", "--no-texts"]);
    assert_eq!((&hidden["words"], &hidden["metrics"][0]["words"]), (&serde_json::json!([]), &Value::Null));
    let sampled = files.json(&["-m", "wer", "--sample", "1"]);
    let kept = sampled["words"][0]["alignments"][0].as_array().unwrap();
    assert_eq!(kept.iter().filter(|one| !one.is_null()).count(), 1);
    // Without scripts the errors are tables.
    let page = files.folder.path("words.html");
    stdout(&["report", &files.reference, "-i", &files.one, &files.other, "-m", "wer", "-o", &page]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("<h2>Errors by word under WER</h2>"));
    assert!(page.contains("<td dir=\"auto\">The</td><td dir=\"auto\">A</td>"));
}

fn tokens(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        list => list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect(),
    }
}
