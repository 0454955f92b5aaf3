//! Recorded rows of the original programs: SPICE over tuples, and the texts of FACTUAL.

use bleuprint_captions::family;
use bleuprint_captions::spice::{Spice, SynsetTable, TupleSimilarity};
use bleuprint_core::Accumulator;
use bleuprint_registry::Registry;
use bleuprint_testkit::recorded;
use bleuprint_text::{Families, TokenBuffer, Tokenizer, TokenizerOptions, Tokenizers};
use serde_json::Value;

fn rows(metric: &str) -> Vec<Value> {
    let mut rows = recorded::rows("code-and-vectors-golden.json", "rows");
    rows.retain(|row| row["metric"] == metric && row["outputs"]["error"].is_null());
    rows
}

fn tuples() -> Box<dyn Tokenizer> {
    let families = Families::new(Registry::default(), Tokenizers::default()).with(family()).unwrap();
    families.tokenizers().build("tuples", &TokenizerOptions::default()).unwrap()
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_spice() {
    let tuples = tuples();
    let mut compared = 0;
    for row in rows("spice") {
        let synsets: std::collections::BTreeMap<String, Vec<u64>> =
            serde_json::from_value(row["options"]["synsets"].clone()).unwrap();
        // The rows have words as written, but sources of synsets have them in their lookup form.
        let synsets = synsets.into_iter().map(|(word, ids)| (word.to_lowercase().replace(' ', "_"), ids));
        let similar = row["options"]["synonyms_and_merging"] == true;
        let similarity = if similar { TupleSimilarity::Similar } else { TupleSimilarity::Equal };
        let spice = Spice::default().with_synsets(std::sync::Arc::new(SynsetTable::new(synsets)));
        let cut = |text: &Value| -> Vec<String> {
            let (text, mut buffer) = (text.to_string(), TokenBuffer::default());
            tuples.tokenize(&text, &mut buffer).unwrap().iter().map(str::to_owned).collect()
        };
        let references: Vec<Vec<String>> = row["references"].as_array().unwrap().iter().map(cut).collect();
        let mut whole = Accumulator::<_, [String]>::new(spice.with_similarity(similarity));
        let references: Vec<&[String]> = references.iter().map(Vec::as_slice).collect();
        whole.push(&cut(&row["hypotheses"]), &references).unwrap();
        let (stats, scores) = (*whole.total().stats(), &row["outputs"]["scores"]);
        let all = &scores["All"];
        let count = |key: &str| all[key].as_i64().unwrap();
        let theirs = [count("tp"), count("tp") + count("fp"), count("tp") + count("fn")];
        let ours = [stats.matched, stats.hypothesis, stats.reference].map(|count| count as i64);
        assert_eq!(ours, theirs, "{row}");
        let number = |value: &Value| value.as_f64();
        let ours = [&stats.precision, &stats.recall, &stats.f].map(|sum| Some(sum.to_f64()));
        assert_eq!(ours, [&all["pr"], &all["re"], &all["f"]].map(number), "{row}");
        for (sum, part) in
            [(stats.objects, "Object"), (stats.attributes, "Attribute"), (stats.relations, "Relation")]
        {
            let ours = (sum.count() > 0).then(|| sum.to_f64());
            assert_eq!(ours, number(&scores[part]["f"]), "{part}: {row}");
        }
        compared += 1;
    }
    assert!(compared > 0);
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_factual() {
    let tuples = tuples();
    let mut compared = 0;
    for row in rows("factual-text") {
        let text = row["text"].as_str().unwrap();
        let mut buffer = TokenBuffer::default();
        let Ok(tokens) = tuples.tokenize(text, &mut buffer) else {
            // The program accepts text without brackets, and `is` without an attribute.
            assert!(["no brackets", "( man , is )"].contains(&text), "{text}");
            continue;
        };
        // The program also lists the ends of tuples as objects, and an empty object for the empty text.
        let mut ours = std::collections::BTreeSet::new();
        for token in tokens.iter() {
            let parts: Vec<String> = token.split('\u{1F}').map(str::to_owned).collect();
            ours.insert(vec![parts[0].clone()]);
            if parts.len() == 3 {
                ours.insert(vec![parts[2].clone()]);
            }
            ours.insert(parts);
        }
        let theirs: std::collections::BTreeSet<Vec<String>> =
            serde_json::from_value(row["outputs"].clone()).unwrap();
        assert!(ours == theirs || text.is_empty() && ours.is_empty(), "{ours:?}: {row}");
        compared += 1;
    }
    assert!(compared > 0);
}
