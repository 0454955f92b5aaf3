//! Generated inputs: the same bytes in every run and on every machine.

/// A seeded generator (SplitMix64).
pub(crate) struct Generator(u64);

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Generator(seed)
    }

    /// Draws a number below `limit`, which is at least 1.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        // Constants and shifts are from the published SplitMix64, so the inputs never change with a dependency.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) % limit.max(1) as u64) as usize
    }

    /// Draws a number below `limit`; small ones are more frequent, as the ranks of words are.
    fn rank(&mut self, limit: usize) -> usize {
        let bound = self.below(limit) + 1;
        self.below(bound)
    }
}

/// The number of different words.
const VOCABULARY: usize = 1200;

/// Returns pairs of token ids: a hypothesis, and the reference that it was made from by edits.
pub(crate) fn ids(seed: u64, segments: usize) -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut draws = Generator::new(seed);
    let pair = |_| {
        let length = 6 + draws.below(30);
        let reference: Vec<u32> = (0..length).map(|_| draws.rank(VOCABULARY) as u32).collect();
        let mut hypothesis = Vec::with_capacity(length + 4);
        for &token in &reference {
            match draws.below(10) {
                0 => {}
                1 => hypothesis.push(draws.rank(VOCABULARY) as u32),
                2 => hypothesis.extend([token, draws.rank(VOCABULARY) as u32]),
                _ => hypothesis.push(token),
            }
        }
        // A block that moves, for metrics of the order of words.
        if hypothesis.len() > 8 && draws.below(3) == 0 {
            hypothesis.rotate_left(3);
        }
        (hypothesis, reference)
    };
    (0..segments).map(pair).collect()
}

/// Returns the spelling of a word; equal ids give equal words.
fn word(id: u32) -> String {
    const ONSETS: [&str; 12] = ["b", "d", "f", "g", "k", "l", "m", "n", "r", "s", "t", "st"];
    const RIMES: [&str; 10] = ["a", "e", "i", "o", "u", "en", "ing", "er", "\u{e4}", "ar"];
    let mut rest = id as usize + 1;
    let mut word = String::new();
    while rest > 0 {
        word.push_str(ONSETS[rest % ONSETS.len()]);
        word.push_str(RIMES[(rest / ONSETS.len()) % RIMES.len()]);
        // Dividing by a quarter of the syllables makes rare words, which have large ids, longer.
        rest /= ONSETS.len() * RIMES.len() / 4;
    }
    word
}

/// Writes ids as a sentence with punctuation.
fn sentence(ids: &[u32]) -> String {
    let mut sentence = String::new();
    for (position, &id) in ids.iter().enumerate() {
        if position > 0 {
            sentence.push_str(if id % 17 == 0 { ", " } else { " " });
        }
        sentence.push_str(&word(id));
    }
    sentence.push('.');
    sentence
}

/// Returns pairs of sentences: hypotheses and references.
pub(crate) fn sentences(seed: u64, segments: usize) -> Vec<(String, String)> {
    ids(seed, segments).iter().map(|(own, other)| (sentence(own), sentence(other))).collect()
}

/// Returns pairs of tags in the scheme IOB2, of the same number in both.
pub(crate) fn tags(seed: u64, segments: usize) -> Vec<(String, String)> {
    let mut draws = Generator::new(seed);
    let mut line = |length: usize| {
        let mut tags = Vec::with_capacity(length);
        while tags.len() < length {
            let kind = ["PER", "LOC", "ORG", "MISC"][draws.below(4)];
            match draws.below(4) {
                0 => tags.push(format!("B-{kind}")),
                1 if tags.len() + 1 < length => tags.extend([format!("B-{kind}"), format!("I-{kind}")]),
                _ => tags.push("O".to_owned()),
            }
        }
        tags
    };
    let lines = (0..segments).map(|segment| {
        let reference = line(8 + segment % 20);
        let mut hypothesis = line(reference.len());
        // Most tags are right.
        for (place, tag) in hypothesis.iter_mut().enumerate().filter(|(place, _)| place % 5 != 0) {
            tag.clone_from(&reference[place]);
        }
        (hypothesis.join(" "), reference.join(" "))
    });
    lines.collect()
}

/// Returns JSON Lines of segments; with `escaped` every letter beyond ASCII and some others are escapes.
pub(crate) fn json_lines(escaped: bool) -> String {
    let text = |text: &str| -> String {
        if !escaped {
            return text.to_owned();
        }
        let escape = |letter: char| match letter {
            // JSON permits escapes of ASCII letters, which a reader must decode although no writer needs them.
            'a' | 'e' => format!("\\u{:04x}", u32::from(letter)),
            _ if !letter.is_ascii() => format!("\\u{:04x}", u32::from(letter)),
            _ => letter.to_string(),
        };
        text.chars().map(escape).collect()
    };
    let line = |(id, (hypothesis, reference)): (usize, &(String, String))| {
        let (hypothesis, reference) = (text(hypothesis), text(reference));
        format!("{{\"id\": {id}, \"hypothesis\": \"{hypothesis}\", \"references\": [\"{reference}\"]}}\n")
    };
    sentences(11, 1_500).iter().enumerate().map(line).collect()
}
