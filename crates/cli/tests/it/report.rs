//! The report as a user makes it: what it holds, what it leaves out, and what it does not write over.

use crate::common::{Folder, refused, stdout};
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
fn the_data_are_counts_and_texts() {
    let files = files();
    let label = files.folder.file("domain", "news\nchat\nnews\nchat\n");
    let data = files.json(&["--label", &format!("domain={label}"), "-m", "bleu", "exact_match", "distinct"]);
    assert_eq!(
        (&data["format"], &data["systems"]),
        (&"bleuprint-report/1".into(), &serde_json::json!(["one", "other"]))
    );
    assert_eq!((data["metrics"].as_array().unwrap().len(), &data["metrics"][0]["name"]), (3, &"BLEU".into()));
    let bleu = &data["metrics"][0];
    assert_eq!((&bleu["finisher"]["kind"], bleu["rows"][0].as_array().unwrap().len()), (&"bleu".into(), 24));
    let exact = data["metrics"].as_array().unwrap().iter().find(|metric| metric["name"] == "EM").unwrap();
    assert_eq!(
        (&exact["finisher"]["kind"], &exact["rows"][0]),
        (&"ratio".into(), &serde_json::json!([1, 1, 0, 1, 0, 1, 0, 1]))
    );
    let slices: Vec<&String> = bleu["slices"].as_object().unwrap().keys().collect();
    assert_eq!(slices, ["domain", "length"]);
    assert_eq!(data["identical"], serde_json::json!([1, 0]));
    // Borders of tokens travel within the text.
    assert_eq!(data["texts"]["references"][0][0], "The dog bit the man\u{2063}.");
    assert_eq!(
        data["texts"]["hypotheses"][1][3],
        "<\u{2063}/\u{2063}script\u{2063}>\u{2063}Fourth one & more\u{2063}."
    );
}

#[test]
fn texts_may_be_left_out() {
    let files = files();
    assert!(files.json(&["--no-texts"])["texts"].is_null());
    let sampled = files.json(&["--sample", "1"]);
    let kept = |list: &Value| list.as_array().unwrap().iter().filter(|text| !text.is_null()).count();
    assert_eq!(kept(&sampled["texts"]["references"][0]), 1);
    assert_eq!(
        (kept(&sampled["texts"]["hypotheses"][1]), &sampled["texts"]["whole"]),
        (1, &Value::from(false))
    );
    // The share of the first segment is by far the largest.
    assert!(!sampled["texts"]["references"][0][0].is_null());
    let stats = |name: &str, output: &str| {
        let place = files.folder.path(name);
        stdout(&["stats", &files.reference, "-i", output, "-o", &place]);
        place
    };
    let (one, other) = (stats("a.stats", &files.one), stats("b.stats", &files.other));
    let place = files.folder.path("stored.html");
    stdout(&["report", "--stats", &one, &other, "-o", &place]);
    let page = std::fs::read_to_string(place).unwrap();
    assert!(page.contains("\"texts\":null") && !page.contains("unexpected"));
}

#[test]
fn the_page_holds_no_markup_of_texts() {
    let files = files();
    let place = files.folder.path("report.html");
    let arguments =
        ["report", &files.reference, "-i", &files.one, &files.other, "-o", &place, "--title", "<i>\"T\"</i>"];
    let said = stdout(&arguments);
    assert!(said.contains("2 systems, 4 segments"), "{said}");
    let page = std::fs::read_to_string(&place).unwrap();
    assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (2, 2));
    assert!(page.contains("<h1>&lt;i&gt;&quot;T&quot;&lt;/i&gt;</h1>"));
    assert!(page.contains("default-src 'none'; style-src 'sha256-") && !page.contains("unsafe-"));
    let printed = stdout(&[&arguments[..5], &["-o", "-"], &arguments[7..]].concat());
    assert_eq!(printed, page, "standard output is told by `-`");
    // The same again writes over it, because it is a report; another file is left alone.
    stdout(&arguments);
    let precious = files.folder.file("precious.txt", "mine");
    let refuse = ["report", &files.reference, "-i", &files.one, "-o", &precious];
    refused(&refuse, &["precious.txt is there already and is no report"]);
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine");
}

#[test]
fn data_may_be_compressed() {
    let files = files();
    let (plain, packed) = (files.folder.path("plain.html"), files.folder.path("packed.html"));
    let usual = ["report", &files.reference, "-i", &files.one, &files.other];
    stdout(&[&usual[..], &["-o", &plain]].concat());
    stdout(&[&usual[..], &["-o", &packed, "--compress"]].concat());
    let [plain, packed] = [plain, packed].map(|place| std::fs::read_to_string(place).unwrap());
    assert!(plain.contains("wasn") && !packed.split("<script").nth(1).unwrap().contains("wasn"));
    assert!(packed.contains("data-packed=\"deflate\">") && packed.len() < plain.len());
    let refuse = [&usual[..], &["-o", "x.json", "--compress", "-f", "json"]].concat();
    refused(&refuse, &["--compress is for the page"]);
}

#[test]
fn resamples_are_enough_for_all_pairs() {
    let files = files();
    let systems: Vec<String> =
        (0..9).map(|system| files.folder.file(&format!("s{system}"), [ONE, OTHER][system % 2])).collect();
    let systems: Vec<&str> = systems.iter().map(String::as_str).collect();
    let place = files.folder.path("many.json");
    let usual = [&["report", &files.reference, "-i"], &systems[..], &["-f", "json", "-o", &place]].concat();
    let few = [&usual[..], &["--resamples", "500"]].concat();
    refused(&few, &["--resamples 500 cannot show p \u{2264} 0.05 among 36 pairs of systems; it takes 720"]);
    stdout(&usual);
    let data: Value = serde_json::from_str(&std::fs::read_to_string(place).unwrap()).unwrap();
    assert!(data["test"].as_str().unwrap().contains("bootstrap of 1440 resamples"));
    // N-grams have the matches of every system, from which any pair is listed.
    let ngrams = &data["ngrams"];
    assert_eq!(ngrams["matches"].as_array().unwrap().len(), 9);
    assert_eq!(ngrams["matches"][8].as_array().unwrap().len(), ngrams["texts"].as_array().unwrap().len());
}

#[test]
fn what_is_asked_for_must_be_there() {
    let files = files();
    let place = files.folder.path("x.html");
    let usual = ["report", &files.reference, "-i", &files.one, "-o", &place];
    refused(&[&usual[..], &["--by", "domian"]].concat(), &["no label `domian`; they have: length"]);
    let glues = files.folder.file("glues", "\u{2063}\u{2064}\u{e000}\u{f8ff}\n\n\n\n");
    refused(&["report", &files.reference, "-i", &glues, "-o", &place], &["could mark borders of tokens"]);
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
