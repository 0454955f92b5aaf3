//! Files of people's ratings, against the rows of other programs' outputs.

use bleuprint::text::LineReader;
use bleuprint_testkit::Folder;
use bleuprint_testkit::recorded::{near, rows_of as recorded};
use serde_json::Value;

use super::people::{ErrorWeights, averaged, marked_scores, standardized_ratings};
use super::ratings::{Rating, ScoreFile, ScoreLevel, read_errors};

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_files_of_scores_are_read_as_the_toolkit_reads_them() {
    for row in recorded("score-file") {
        let text = row["inputs"]["text"].as_str().unwrap().to_owned();
        let read =
            ScoreFile::read(LineReader::new(std::io::Cursor::new(text.clone()), "f"), ScoreLevel::Segment);
        // NaN, which the toolkit accepts, is refused.
        if row["outputs"].get("error").is_some() || text.contains("nan") {
            read.unwrap_err();
            continue;
        }
        let read = read.unwrap();
        let found: serde_json::Map<String, Value> = read
            .systems
            .iter()
            .map(|system| (system.name.clone(), serde_json::to_value(&system.scores).unwrap()))
            .collect();
        assert_eq!(Value::from(found), row["outputs"], "{text}");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_marked_errors_weigh_what_the_toolkit_says() {
    let folder = Folder::new();
    for (at, row) in recorded("mqm-score").iter().enumerate() {
        let text = row["inputs"]["text"].as_str().unwrap();
        let file = folder.file(format!("mqm-{at}.tsv"), text);
        let errors = read_errors(file.to_str().unwrap()).unwrap();
        let mut weights = ErrorWeights::default();
        if text.contains("Critical") {
            let error = marked_scores(&errors, &weights).unwrap_err().to_string();
            let message =
                "line 2: the severity `Critical` has no weight; give one with --weight Critical=NUMBER";
            assert_eq!(error, message);
            weights.set("critical=0").unwrap();
        }
        // "Source error" is a category of severity Minor.
        let scored = marked_scores(&errors, &weights);
        if row["outputs"].get("error").is_some() {
            let message = "system `A`, document `d`: segment 2 is missing, but segment 3 is there";
            assert_eq!(scored.unwrap_err().to_string(), message);
            continue;
        }
        let expected = row["outputs"]["lines"].as_str().unwrap().lines();
        let expected: Vec<Vec<&str>> = expected.map(|line| line.split('\t').take(4).collect()).collect();
        let found: Vec<Vec<String>> = scored
            .unwrap()
            .into_iter()
            .map(|cell| {
                vec![cell.system, cell.document, cell.within.to_string(), format!("{:?}", cell.score)]
            })
            .collect();
        assert_eq!(found, expected, "row {at}");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_direct_assessments_are_standardized_by_rater() {
    for row in recorded("da-standardized") {
        let rating = |rating: &Value| Rating {
            system: rating["system"].as_str().unwrap().to_owned(),
            item: rating["item"].to_string(),
            score: rating["score"].as_f64(),
            rater: rating["rater"].as_str().map(str::to_owned),
            ..Rating::default()
        };
        let ratings: Vec<Rating> = row["inputs"]["ratings"].as_array().unwrap().iter().map(rating).collect();
        let cells = averaged(&standardized_ratings(&ratings).unwrap().0);
        let expected = row["outputs"]["items"].as_object().unwrap();
        assert_eq!(cells.len(), expected.len());
        for (system, item, score) in &cells {
            near(*score, &expected[&format!("{system}/{item}")], 1e-12, "standardized");
        }
        for (system, mean) in row["outputs"]["systems"].as_object().unwrap() {
            let scores: Vec<f64> =
                cells.iter().filter(|cell| cell.0 == *system).filter_map(|cell| cell.2).collect();
            near(Some(bleuprint_math::exact_mean(&scores)), mean, 1e-12, "of a system");
        }
    }
    let nobody = Rating { line: 7, score: Some(1.0), ..Rating::default() };
    let error = standardized_ratings(&[nobody]).unwrap_err();
    assert_eq!(error.to_string(), "line 7: the rating has no rater: --standardize needs one");
}
