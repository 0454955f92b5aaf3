//! Sections of `benches/README.md` that say what was tried for the targets of a task, and where its limit is.
//! A target that is missed links to its section.

/// Tasks of engines, scripts and `targets`, with the heading of their section.
#[rustfmt::skip]
const SECTIONS: &[(&str, &[&str])] = &[
    ("Text from files", &["corpus-files", "command-line", "steady"]),
    ("JSON Lines", &["json-lines"]),
    ("From the shell", &["two-lines"]),
    ("WER and CER", &["wer", "cer", "wer-long", "long-lines"]),
    ("Similarities of characters", &["levenshtein", "indel", "jaro-winkler", "difflib"]),
    ("ROUGE", &["rouge1", "rouge2", "rougeL", "rouge", "rougeL-long", "rouge-skip"]),
    ("NIST, SQuAD and extractive fragments", &["nist", "squad-f1", "extractive"]),
    ("Bootstrap", &["bootstrap"]),
    ("Several metrics in one pass", &["composition", "mixture"]),
    ("Calls from Python", &["python-sentences", "call-by-call"]),
    ("A second core", &[
        "second-core-score", "second-core-tests", "second-core-sessions", "second-core-python", "threads",
    ]),
    ("Token ids, rewards and sentences", &["ids", "rewards", "sentences"]),
    ("Vectors", &["cosine", "bertscore"]),
    ("CodeBLEU", &["code"]),
    ("METEOR 1.5 and captions", &["meteor15", "captions", "ptb"]),
    ("Alignments and normalizers", &["alignments", "normalizers", "alternatives"]),
    ("Meetings", &["speakers", "meetings", "turns"]),
    ("Keywords", &["keywords"]),
    ("Resegmentation", &["segments"]),
];

/// Returns `met` with a link to the section of the task if a target is missed.
pub(crate) fn linked(met: &str, task: &str) -> String {
    let section = SECTIONS.iter().find(|(_, tasks)| tasks.contains(&task));
    match section {
        Some((heading, _)) if met.contains("no") => {
            format!("{met} ([tried](../README.md#{}))", anchor(heading))
        }
        _ => met.to_owned(),
    }
}

/// Returns the name of a heading in links, as GitHub derives it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || [' ', '-'].contains(letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_section_is_in_the_readme() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        let readme = std::fs::read_to_string(path).unwrap();
        for (heading, _) in SECTIONS {
            let mut lines = readme.lines().skip_while(|line| *line != format!("### {heading}"));
            assert!(lines.next().is_some(), "no section `### {heading}`");
            let text = lines.take_while(|line| !line.starts_with('#'));
            assert!(text.map(str::len).sum::<usize>() > 200, "`{heading}` says nothing");
        }
    }

    #[test]
    fn every_miss_of_the_newest_record_says_what_was_tried() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("records").join("latest.md");
        let latest = std::fs::read_to_string(path).unwrap();
        let misses: Vec<&str> = latest.lines().filter(|line| line.contains("**no**")).collect();
        assert!(!misses.is_empty());
        for miss in misses {
            assert!(miss.contains("([tried](../README.md#"), "{miss}");
        }
    }

    #[test]
    fn only_misses_are_linked() {
        assert_eq!(linked("yes", "cer"), "yes");
        assert_eq!(linked("", "cer"), "");
        assert_eq!(linked("yes, **no**", "cer"), "yes, **no** ([tried](../README.md#wer-and-cer))");
        assert_eq!(
            linked("**no**", "nist"),
            "**no** ([tried](../README.md#nist-squad-and-extractive-fragments))"
        );
    }
}
