//! Random corpora: texts over a small vocabulary with punctuation, so that n-grams match, and odd segments among them.

use bleuprint_testkit::random::Rng;

/// Files of a corpus: references, systems, a label.
pub(super) struct Corpus {
    pub(super) files: Vec<(&'static str, String)>,
}

const WORDS: [&str; 14] = [
    "the",
    "dog",
    "bit",
    "a",
    "man",
    ",",
    "it's",
    "not",
    "(unexpected)",
    "2,000",
    "שלום",
    "是的",
    "sat",
    ".",
];

/// References `r1` and `r2`, systems `s1` to `s3`, labels `domain` with two values.
pub(super) fn corpus(seed: u64, segments: usize) -> Corpus {
    let mut random = Rng::new(seed);
    let mut texts: Vec<Vec<String>> = vec![Vec::new(); 5];
    let mut domain = Vec::new();
    for segment in 0..segments {
        let length = 1 + random.below(24);
        let reference: Vec<&str> = (0..length).map(|_| WORDS[random.below(WORDS.len())]).collect();
        for (place, text) in texts.iter_mut().enumerate() {
            // The first is the reference, the others are ever farther from it; some outputs are empty, some equal.
            let noise = [0, 10, 8, 5, 3][place];
            let word = |word: &&str| -> Option<String> {
                if noise == 0 {
                    return Some((*word).to_owned());
                }
                match random.below(noise) {
                    0 => Some(WORDS[random.below(WORDS.len())].to_owned()),
                    1 if noise < 10 => None,
                    _ => Some((*word).to_owned()),
                }
            };
            let words: Vec<String> = reference.iter().filter_map(word).collect();
            let empty = place > 1 && random.below(25) == 0;
            text.push(if empty { String::new() } else { words.join(" ") });
        }
        domain.push(if segment % 3 == 0 { "news" } else { "chat \u{202e}x" }.to_owned());
    }
    let joined = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let mut files: Vec<(&'static str, String)> = ["r1", "r2", "s1", "s2", "s3"]
        .into_iter()
        .zip(&texts)
        .map(|(name, lines)| (name, joined(lines)))
        .collect();
    files.push(("domain", joined(&domain)));
    Corpus { files }
}
