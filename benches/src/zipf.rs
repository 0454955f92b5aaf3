//! Generated text in the shape of real system outputs, for machines without the real ones. Seeds make it
//! reproducible.
//!
//! Words follow the law of Zipf and Mandelbrot, `p(rank) ~ 1 / (rank + 2.7)`. A source sentence is drawn.
//! The references and the hypothesis are edits of it: substitutions, deletions, insertions and swaps, in
//! runs. About half of the words and an eighth of the 4-grams of a hypothesis therefore occur in a
//! reference.

use bleuprint_testkit::random::Rng;

#[derive(Debug, Clone, Copy)]
pub(crate) struct ZipfShape {
    pub(crate) seed: u64,
    pub(crate) segments: usize,
    /// Mean length of a sentence in words; lengths are between a quarter of it and twice it.
    pub(crate) mean_len: usize,
    pub(crate) references: usize,
    /// `true` for Han characters without spaces instead of spelled words.
    pub(crate) han: bool,
}

const VOCABULARY: usize = 30_000;

/// Number of words in a thousand that begin an edit.
const EDIT_PER_MILLE: usize = 170;

struct Zipf {
    /// Cumulative weights of the ranks, scaled to 32 bits.
    cumulative: Vec<u64>,
}

impl Zipf {
    fn new(words: usize) -> Self {
        let mut sum = 0.0;
        let sums: Vec<f64> = (0..words)
            .map(|rank| {
                sum += 1.0 / (rank as f64 + 2.7);
                sum
            })
            .collect();
        Zipf { cumulative: sums.iter().map(|part| (part / sum * f64::from(u32::MAX)) as u64).collect() }
    }

    fn draw(&self, rng: &mut Rng) -> u32 {
        let at = rng.next_u64() >> 32;
        self.cumulative.partition_point(|&sum| sum < at).min(self.cumulative.len() - 1) as u32
    }
}

/// Sentences of one segment as word ranks: the hypothesis, and the references.
pub(crate) type Ranks = (Vec<u32>, Vec<Vec<u32>>);

pub(crate) fn ranks(shape: ZipfShape) -> Vec<Ranks> {
    let mut rng = Rng::new(shape.seed);
    let zipf = Zipf::new(VOCABULARY);
    let mean = shape.mean_len;
    (0..shape.segments)
        .map(|_| {
            // The length combines two draws, so that lengths near the mean are the most frequent.
            let len = (rng.between(mean / 4, 2 * mean) + rng.between(mean / 2, mean)) / 2;
            let source: Vec<u32> = (0..len.max(1)).map(|_| zipf.draw(&mut rng)).collect();
            let references = (0..shape.references).map(|_| edited(&source, &zipf, &mut rng)).collect();
            (edited(&source, &zipf, &mut rng), references)
        })
        .collect()
}

fn edited(source: &[u32], zipf: &Zipf, rng: &mut Rng) -> Vec<u32> {
    let mut words = Vec::with_capacity(source.len() + 8);
    let mut rest = source;
    while let Some((&word, others)) = rest.split_first() {
        rest = others;
        if !rng.chance(EDIT_PER_MILLE) {
            words.push(word);
            continue;
        }
        // Edits come in runs, as they do in real outputs, so that some long n-grams stay intact.
        let run = rng.between(1, 4);
        match rng.below(4) {
            0 => words.extend((0..run).map(|_| zipf.draw(rng))),
            1 => rest = rest.get(run - 1..).unwrap_or_default(),
            2 => {
                words.extend((0..run).map(|_| zipf.draw(rng)));
                rest = rest.get(run - 1..).unwrap_or_default();
            }
            _ => {
                let run = run.min(rest.len());
                words.extend(&rest[..run]);
                words.push(word);
                rest = &rest[run..];
            }
        }
    }
    words
}

/// Returns a sentence as a line of text: a capital at its start, some commas and figures, a full stop.
pub(crate) fn line(ranks: &[u32], han: bool) -> String {
    let mut text = String::new();
    for (position, &rank) in ranks.iter().enumerate() {
        if han {
            text.extend(char::from_u32(0x4E00 + rank % 5000));
            if rank % 17 == 3 {
                text.push('，');
            }
            continue;
        }
        if position > 0 {
            text.push(' ');
        }
        match rank % 97 {
            13 => text.push_str(&format!("{}.{}", rank % 100, rank % 10)),
            29 => text.push_str(&format!("{},{:03}", rank % 90, rank % 1000)),
            _ => spell(rank, position == 0, &mut text),
        }
        if rank % 19 == 5 {
            text.push(',');
        }
    }
    text.push(if han { '。' } else { '.' });
    text
}

/// Appends a word of one to four syllables; frequent words are short.
fn spell(rank: u32, capital: bool, text: &mut String) {
    const ONSETS: [&str; 16] =
        ["t", "s", "n", "r", "l", "d", "k", "m", "p", "v", "st", "tr", "b", "h", "g", "ž"];
    const RIMES: [&str; 8] = ["e", "a", "o", "i", "en", "er", "u", "á"];
    let start = text.len();
    let mut rest = rank;
    loop {
        text.push_str(ONSETS[(rest % 16) as usize]);
        text.push_str(RIMES[(rest / 16 % 8) as usize]);
        rest /= 128;
        if rest == 0 {
            break;
        }
        // Without this step, words of different lengths could be spelled alike.
        rest -= 1;
    }
    if let Some(first) = text.get_mut(start..=start).filter(|_| capital) {
        first.make_ascii_uppercase();
    }
}
