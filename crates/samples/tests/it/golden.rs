//! Numbers of other programs for prompts of our own (`data/README.md`).

use bleuprint_core::Accumulator;
use bleuprint_registry::{Data, Registry};
use bleuprint_samples::{ENTRIES, Prompt, Sample};
use serde_json::Value;

#[test]
fn prompts_have_the_numbers_of_other_programs() {
    let registry = Registry::from_entries(ENTRIES).unwrap();
    let (mut same, mut contrasts) = (0, 0);
    for line in include_str!("../../data/golden.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let metric = registry.build(row["spec"].as_str().unwrap()).unwrap();
        let gold: Vec<Sample> =
            row["gold"].as_str().map(|gold| Sample::Text(gold.to_owned())).into_iter().collect();
        let gold: Vec<&Data> = gold.iter().map(|gold| gold as &Data).collect();
        for (prompt, each) in row["prompts"].as_array().unwrap().iter().zip(row["each"].as_array().unwrap()) {
            let prompt: Prompt = serde_json::from_value(prompt.clone()).unwrap();
            let mut one = Accumulator::<_, Data>::new(&metric);
            one.push(&prompt, &gold).unwrap();
            let found = one.score().map(|scored| scored.value());
            let (theirs, tolerance) = (each.as_f64().unwrap(), row["tolerance"].as_f64().unwrap());
            let near = found.as_ref().is_ok_and(|ours| (ours - theirs).abs() <= tolerance);
            assert_eq!(near, row.get("contrast").is_none(), "{row}: {found:?}");
            (same, contrasts) = (same + usize::from(near), contrasts + usize::from(!near));
        }
    }
    assert_eq!((same, contrasts), (522, 2));
}
