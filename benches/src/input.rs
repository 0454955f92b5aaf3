//! Inputs: real WMT23 system outputs if they are present next to the checkout, otherwise generated text of
//! the same shape.

use std::collections::HashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};

use bleuprint::text::{FileText, TokenBuffer};
use bleuprint::{TokenizerOptions, tokenizer};

use crate::zipf::{self, ZipfShape};

/// Lines of text: a hypothesis and its references for each segment.
#[derive(Debug, Clone)]
pub struct BenchCorpus {
    /// Language pair.
    pub name: &'static str,
    /// `true` if the text is real, `false` if it is generated.
    pub real: bool,
    /// Hypotheses, one line per segment.
    pub hypotheses: Vec<String>,
    /// Reference streams, each with one line per segment.
    pub streams: Vec<Vec<String>>,
}

/// Hypothesis with its references, as tokens.
pub type Segment<T> = (Vec<T>, Vec<Vec<T>>);

/// Folder of real data, relative to the root of the workspace.
pub const REAL: &str = "../shared/data/wmt23";

struct CorpusSource {
    name: &'static str,
    hypothesis: &'static str,
    references: &'static [&'static str],
    shape: ZipfShape,
}

#[rustfmt::skip]
const SOURCES: &[CorpusSource] = &[
    CorpusSource {
        name: "en-cs",
        hypothesis: "generaltest2023.en-cs.hyp.CUNI-Transformer.cs",
        references: &["generaltest2023.en-cs.ref.refA.cs"],
        shape: ZipfShape { seed: 1, segments: 2074, mean_len: 17, references: 1, han: false },
    },
    CorpusSource {
        name: "zh-en",
        hypothesis: "generaltest2023.zh-en.hyp.GPT4-5shot.en",
        references: &["generaltest2023.zh-en.ref.refA.en"],
        shape: ZipfShape { seed: 2, segments: 1976, mean_len: 27, references: 1, han: false },
    },
    CorpusSource {
        name: "he-en",
        hypothesis: "generaltest2023.he-en.hyp.GPT4-5shot.en",
        references: &["generaltest2023.he-en.ref.refA.en", "generaltest2023.he-en.ref.refB.en"],
        shape: ZipfShape { seed: 3, segments: 1910, mean_len: 23, references: 2, han: false },
    },
    CorpusSource {
        name: "en-zh",
        hypothesis: "generaltest2023.en-zh.hyp.GPT4-5shot.zh",
        references: &["generaltest2023.en-zh.ref.refA.zh"],
        shape: ZipfShape { seed: 4, segments: 2074, mean_len: 28, references: 1, han: true },
    },
];

/// Returns all corpora: en-cs, zh-en, he-en with two references, en-zh.
pub fn corpora() -> Vec<BenchCorpus> {
    SOURCES.iter().map(CorpusSource::corpus).collect()
}

/// Returns the same corpora, always generated.
pub fn generated() -> Vec<BenchCorpus> {
    SOURCES.iter().map(CorpusSource::generated).collect()
}

/// Returns the corpus of this name, or the first one.
pub fn corpus(name: &str) -> BenchCorpus {
    SOURCES.iter().find(|source| source.name == name).unwrap_or(&SOURCES[0]).corpus()
}

impl CorpusSource {
    fn corpus(&self) -> BenchCorpus {
        // Everybody can run the benchmarks: without the real data, generated text of the same shape takes
        // its place.
        self.real().unwrap_or_else(|| self.generated())
    }

    fn real(&self) -> Option<BenchCorpus> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(REAL);
        let lines = |file: &&str| -> Option<Vec<String>> {
            Some(
                FileText::open(folder.join(file), Default::default())
                    .ok()?
                    .iter()
                    .map(str::to_owned)
                    .collect(),
            )
        };
        let streams = self.references.iter().map(lines).collect::<Option<_>>()?;
        Some(BenchCorpus { name: self.name, real: true, hypotheses: lines(&self.hypothesis)?, streams })
    }

    fn generated(&self) -> BenchCorpus {
        let ZipfShape { han, references, .. } = self.shape;
        let ranks = zipf::ranks(self.shape);
        let stream = |index: usize| ranks.iter().map(|(_, r)| zipf::line(&r[index], han)).collect();
        BenchCorpus {
            name: self.name,
            real: false,
            hypotheses: ranks.iter().map(|(hypothesis, _)| zipf::line(hypothesis, han)).collect(),
            streams: (0..references).map(stream).collect(),
        }
    }
}

impl BenchCorpus {
    /// Returns a description of the text for headings.
    pub fn describe(&self) -> String {
        let kind = if self.real { "WMT23" } else { "generated" };
        let references = if self.streams.len() == 1 { "reference" } else { "references" };
        format!("{} ({kind}, {} segments, {} {references})", self.name, self.len(), self.streams.len())
    }

    /// Returns the text with a Cyrillic letter for every Latin one, so that a letter takes two bytes.
    pub fn in_cyrillic(&self, name: &'static str) -> BenchCorpus {
        let letter = |c: char| match c {
            'a'..='z' => char::from_u32('а' as u32 + c as u32 - 'a' as u32).unwrap_or(c),
            'A'..='Z' => char::from_u32('А' as u32 + c as u32 - 'A' as u32).unwrap_or(c),
            _ => c,
        };
        let lines =
            |lines: &Vec<String>| lines.iter().map(|line| line.chars().map(letter).collect()).collect();
        let streams = self.streams.iter().map(lines).collect();
        BenchCorpus { name, real: self.real, hypotheses: lines(&self.hypotheses), streams }
    }

    /// Returns the number of segments.
    pub fn len(&self) -> usize {
        self.hypotheses.len()
    }

    /// Returns `true` if there are no segments.
    pub fn is_empty(&self) -> bool {
        self.hypotheses.is_empty()
    }

    /// Returns every line: the hypotheses, then the references.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.hypotheses.iter().chain(self.streams.iter().flatten()).map(String::as_str)
    }

    /// Writes one file per stream into the folder, hypotheses first, and returns the paths.
    ///
    /// # Errors
    /// Returns the errors of the operating system.
    pub fn write(&self, folder: &Path) -> std::io::Result<(PathBuf, Vec<PathBuf>)> {
        std::fs::create_dir_all(folder)?;
        let write = |name: String, lines: &[String]| -> std::io::Result<PathBuf> {
            let path = folder.join(name);
            let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
            std::fs::write(&path, text)?;
            Ok(path)
        };
        let references = self.streams.iter().enumerate();
        let references = references.map(|(index, lines)| write(format!("{}.ref{index}", self.name), lines));
        Ok((write(format!("{}.hyp", self.name), &self.hypotheses)?, references.collect::<Result<_, _>>()?))
    }

    /// Returns the tokens of all segments, by a tokenizer of the registry.
    ///
    /// # Panics
    /// Panics if there is no such tokenizer, or if it rejects a line.
    pub fn tokens(&self, name: &str) -> Vec<Segment<String>> {
        let tokenizer = tokenizer(name, &TokenizerOptions::default()).expect("a tokenizer of the registry");
        let mut buffer = TokenBuffer::default();
        let mut cut = |line: &String| -> Vec<String> {
            let tokens = tokenizer.tokenize(line, &mut buffer).expect("no line is 4 GiB long");
            tokens.iter().map(str::to_owned).collect()
        };
        (0..self.len())
            .map(|index| {
                let references = self.streams.iter().map(|stream| cut(&stream[index])).collect();
                (cut(&self.hypotheses[index]), references)
            })
            .collect()
    }
}

/// Converts tokens to ids. Equal tokens of the whole corpus have equal ids, numbered by first occurrence.
pub fn ids<'t, T: Hash + Eq>(segments: &'t [Segment<T>]) -> Vec<Segment<u32>> {
    let mut known: HashMap<&T, u32> = HashMap::new();
    let mut convert = |tokens: &'t [T]| -> Vec<u32> {
        let id = |token| {
            // Ids are numbered by first occurrence, so equal corpora have equal ids.
            let next = known.len() as u32;
            *known.entry(token).or_insert(next)
        };
        tokens.iter().map(id).collect()
    };
    let mut all = Vec::with_capacity(segments.len());
    for (hypothesis, references) in segments {
        let hypothesis = convert(hypothesis);
        all.push((hypothesis, references.iter().map(|tokens| convert(tokens)).collect()));
    }
    all
}

/// Joins neighbouring segments until the hypothesis has about `tokens` tokens, like paragraphs and
/// documents. A shorter rest at the end is dropped.
pub fn joined<T: Clone>(segments: &[Segment<T>], tokens: usize) -> Vec<Segment<T>> {
    let mut all = Vec::new();
    let mut open: Segment<T> = (Vec::new(), Vec::new());
    for (hypothesis, references) in segments {
        open.0.extend_from_slice(hypothesis);
        open.1.resize_with(references.len(), Vec::new);
        open.1.iter_mut().zip(references).for_each(|(all, more)| all.extend_from_slice(more));
        if open.0.len() >= tokens {
            all.push(std::mem::take(&mut open));
        }
    }
    all
}

/// Returns generated ids with any number of references and any mean length, about `tokens` tokens in total.
pub fn generated_ids(mean_len: usize, references: usize, tokens: usize) -> Vec<Segment<u32>> {
    // Fewer, longer segments keep the number of tokens constant over all lengths.
    let segments = (tokens / mean_len).max(1);
    zipf::ranks(ZipfShape { seed: mean_len as u64, segments, mean_len, references, han: false })
}

/// Returns the input of a training step: `items` hypotheses of `len` ids in groups of `group_size`, and the
/// references of each group. All sequences of a group are edits of one source, like the rollouts of a
/// prompt.
pub fn training_step(
    items: usize,
    group_size: usize,
    len: usize,
    references: usize,
) -> (Vec<Vec<u32>>, Vec<Vec<Vec<u32>>>) {
    let segments = items / group_size;
    let drawn = group_size + references;
    // Sequences are drawn at twice the length and cut, so that all have the same length.
    let groups =
        zipf::ranks(ZipfShape { seed: 7, segments, mean_len: 2 * len, references: drawn, han: false });
    let cut = |mut ids: Vec<u32>| {
        while ids.len() < len {
            ids.extend_from_within(..ids.len().min(len - ids.len()));
        }
        ids.truncate(len);
        ids
    };
    let mut hypotheses = Vec::with_capacity(items);
    let mut all_references = Vec::with_capacity(segments);
    for (_, mut edits) in groups {
        let own = edits.split_off(group_size);
        hypotheses.extend(edits.into_iter().map(cut));
        all_references.push(own.into_iter().map(cut).collect());
    }
    (hypotheses, all_references)
}

/// Returns two long lines of generated words; the second line is the reference, and the first has one edit
/// in 20 words.
pub fn long_line() -> [String; 2] {
    const WORDS: usize = 100_000;
    let ranks =
        zipf::ranks(ZipfShape { seed: 8, segments: WORDS / 25, mean_len: 27, references: 0, han: false });
    let reference: Vec<u32> = ranks.into_iter().flat_map(|(words, _)| words).take(WORDS).collect();
    let mut hypothesis = Vec::with_capacity(reference.len());
    for (at, &word) in reference.iter().enumerate() {
        match at % 60 {
            // In turn, a word is replaced, left out, or inserted.
            7 => hypothesis.push(u32::MAX),
            27 => {}
            47 => hypothesis.extend([u32::MAX, word]),
            _ => hypothesis.push(word),
        }
    }
    [hypothesis, reference].map(|words| zipf::line(&words, false))
}

/// Returns a segment as slices, the form that metrics take.
pub fn slices<T>((hypothesis, references): &Segment<T>) -> (&[T], Vec<&[T]>) {
    (hypothesis, references.iter().map(Vec::as_slice).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bleuprint::{Accumulator, Bleu};

    #[test]
    fn generated_text_has_the_shape_of_real_text() {
        for source in SOURCES {
            let corpus = source.generated();
            assert_eq!(
                (corpus.len(), corpus.streams.len()),
                (source.shape.segments, source.references.len())
            );
            let segments = corpus.tokens(if source.shape.han { "zh" } else { "13a" });
            let tokens: usize = segments.iter().map(|(hypothesis, _)| hypothesis.len()).sum();
            let mean = tokens / corpus.len();
            assert!((10..60).contains(&mean), "{}: {mean} tokens", source.name);
            let mut bleu = Accumulator::<_, [String]>::new(Bleu::default());
            for segment in &segments {
                let (hypothesis, references) = slices(segment);
                bleu.push(hypothesis, &references).unwrap();
            }
            let score = bleu.score().unwrap().score.score;
            assert!((20.0..70.0).contains(&score), "{}: {score}", source.name);
        }
    }

    #[test]
    fn ids_stand_for_tokens() {
        let segments = vec![(vec!["a", "b"], vec![vec!["b"]]), (vec!["c", "a"], vec![vec![]])];
        assert_eq!(ids(&segments), [(vec![0, 1], vec![vec![1]]), (vec![2, 0], vec![vec![]])]);
    }

    #[test]
    fn joining_keeps_the_tokens_in_order() {
        let segments = vec![(vec![1], vec![vec![2]]), (vec![3, 4], vec![vec![5]]), (vec![6], vec![vec![7]])];
        assert_eq!(joined(&segments, 2), [(vec![1, 3, 4], vec![vec![2, 5]])]);
    }
}
