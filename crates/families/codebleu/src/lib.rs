//! CodeBLEU: similarity of a generated program to reference programs in n-grams, syntax and data flow.
//!
//! ```text
//! CodeBLEU = w₁ · BLEU + w₂ · BLEU of the references' n-grams, keywords with five times the weight
//!          + w₃ · (sub-trees of the references that the hypothesis has) / (sub-trees of the references)
//!          + w₄ · (flows of the references that the hypothesis has) / (flows of the references)
//! ```
//!
//! All four parts are quotients of sums over the corpus, so the statistics of parts of a corpus can be
//! merged. White space separates tokens. Sub-trees are nodes with children, compared by kinds and fields.
//! Names, literals and operators do not count, and a sub-tree may match any number of times. A flow says
//! which variables the value of a variable comes from. Flows number the variables in order of occurrence, so
//! names do not matter.
//!
//! | singular case | result |
//! |---|---|
//! | the data-flow part is 0 | it counts as 1, as in the program, unless [`FlowZero`] is set |
//! | code that does not parse | its tree counts, errors included; the score reports the number of such texts |
//! | an incomplete program that has more than 8,192 bytes, or needs more than 100 progress reports of a hundred steps plus one for every 25 bytes; any program that needs more than 1,000 reports plus one for every 8 bytes | the parse is given up: the tree is a root that matches nothing, and there is no flow; reported in `broken_` and `flows_given_up` |
//! | a program of more than 16 MiB | error |
//! | a tree of more than 900 levels, or a walk of more than two million steps | no flow; the score reports the number |
//! | empty hypothesis | 0 for both n-gram parts; its tree has a root |
//! | several references | n-grams: as BLEU, and summed in the weighted part; trees and flows: summed |
//! | no reference | error |
//! | nothing observed | 0 for all parts |
//!
//! Range 0 to the sum of the weights, 1 by default; higher is better. Source: Ren et al. 2020, CodeBLEU: a
//! Method for Automatic Evaluation of Code Synthesis. Numbers match the Python package codebleu 0.7.0 with
//! tree-sitter 0.26 and the same grammars, whose version is in the signature. Four things differ:
//!
//! * Sets of names keep the order of first occurrence. In the package they have no order, so its scores vary
//!   from run to run. With three hash seeds, the data flow of 358 of 10,000 mutated programs varied. If the
//!   package is changed to keep the same order, random programs that parse have equal numbers in all
//!   languages (`cargo xtask parity --only CodeBLEU`). For 2 of 10,000 programs, both with syntax errors, the
//!   package had a different tree.
//! * Names are extracted by byte columns. The package takes byte columns as character columns
//!   ([`NameColumns::Characters`]).
//! * Ruby's grammar calls the C library to find out which characters are letters. A Rust program sets no
//!   locale, so that letters are only ASCII here. Python sets the user's locale, so that `f(é:x)` has another
//!   tree there (2 of 30,000 mutated programs).
//! * Programs with syntax errors are counted and reported.
//!
//! The limits bound the time and the memory of a parse. The parser alone takes 8 s and 800 MB for 23 kB of
//! Python made of `/*` and `.`, and more than 3 GB for 12 kB of Java made of `%w(`. Such texts are incomplete
//! programs. Whole programs may be longer. The parser runs in a thread with a large stack if the program has
//! more than 1 KiB, because the parser frees its data by recursion. The parser ends the process if the system
//! refuses memory. Each level of
//! nested loops doubles the time of the search for data flow, as in the program.
//!
//! ```
//! # #[cfg(feature = "python")] {
//! use bleuprint_codebleu::{CodeBleu, Language};
//! use bleuprint_core::Accumulator;
//!
//! let codebleu = CodeBleu::builder(Language::Python).build().unwrap();
//! let mut codebleu = Accumulator::<_, str>::new(codebleu);
//! codebleu.push("def f(n):\n    m = n + 1\n    return m", &["def f(x):\n    y = x + 1\n    return y"]).unwrap();
//! let score = codebleu.score().unwrap().score;
//! assert_eq!((score.syntax, score.data_flow), (1.0, 1.0));
//! assert!(score.codebleu > 0.5 && score.ngram < 0.2);
//! # }
//! ```
//!
//! Each language is a feature, because its grammar is a large program in C. Build a registry with the metric
//! from [`ENTRY`]:
//!
//! ```
//! let registry = bleuprint_registry::Registry::from_entries(&[bleuprint_codebleu::ENTRY]).unwrap();
//! let error = registry.build("codebleu:lang=cobol").err().unwrap().to_string();
//! assert!(error.starts_with("unknown codebleu-lang `cobol`; expected one of: "));
//! ```

mod builder;
mod comments;
mod complete;
mod entry;
mod flow;
mod grams;
mod keywords;
mod language;
mod options;
mod parser;
mod score;
mod stats;
mod syntax;
#[cfg(test)]
mod tests;
mod text;
mod tree;

use bleuprint_core::{
    Identity, InputErrorKind, Metric, Observe, Prepared, Result, Scale, Segment, SegmentCounts, Stats,
};

pub use builder::CodeBleuBuilder;
pub use entry::{ENTRY, family};
use grams::Keywords;
pub use language::Language;
use options::CodeBleuSettings;
pub use options::{FlowZero, NameColumns};
pub use score::CodeBleuScore;
pub use stats::CodeBleuStats;
use text::{CodeReference, Hypothesis, ParsedReferences};

#[cfg(not(any(
    feature = "c",
    feature = "c-sharp",
    feature = "cpp",
    feature = "go",
    feature = "java",
    feature = "javascript",
    feature = "php",
    feature = "python",
    feature = "ruby",
    feature = "rust"
)))]
compile_error!("bleuprint-codebleu needs the feature of at least one language");

/// Metric CodeBLEU for programs in one programming language; [the crate](self) has the definition.
#[derive(Debug, Clone)]
pub struct CodeBleu {
    language: Language,
    weights: [f64; 4],
    flow_zero: FlowZero,
    columns: NameColumns,
    keywords: Keywords,
}

/// Working memory of CodeBLEU, tables that are reused from segment to segment.
#[derive(Default)]
pub struct CodeBleuScratch {
    ngrams: bleuprint_ngram::Scratch,
    /// References of the last segment. Several systems have the same references, which are parsed once.
    last: Option<ParsedReferences>,
}

impl CodeBleu {
    /// Returns a builder of CodeBLEU for this programming language, with the original program's settings.
    pub fn builder(language: Language) -> CodeBleuBuilder {
        CodeBleuBuilder::new(language)
    }

    /// Returns the programming language of the programs that this metric compares.
    pub fn language(&self) -> Language {
        self.language
    }

    fn references(&self, references: &[&str]) -> Result<Vec<CodeReference>> {
        if references.is_empty() {
            return Err(InputErrorKind::NoReferences.into());
        }
        let mut reference = |text: &&str| CodeReference::from_text(self, text);
        references.iter().map(&mut reference).collect()
    }

    fn count(
        &self,
        ngrams: &mut bleuprint_ngram::Scratch,
        stats: &mut CodeBleuStats,
        hypothesis: &str,
        references: &[CodeReference],
    ) -> Result<()> {
        let mut own = CodeBleuStats::default();
        let tokens: Vec<Vec<&str>> =
            references.iter().map(|reference| grams::tokens(&reference.text)).collect();
        let hypothesis_tokens = grams::tokens(hypothesis);
        grams::count(ngrams, &self.keywords, &hypothesis_tokens, &tokens, &mut own);
        let mut hypothesis = Hypothesis::from_text(self, hypothesis)?;
        own.broken_hypotheses = u64::from(hypothesis.tree.broken);
        own.flows_given_up = u64::from(hypothesis.flows.given_up);
        for (index, reference) in references.iter().enumerate() {
            // The program strips the hypothesis in place once per reference; only later references see the
            // shorter text.
            if index > 0 {
                hypothesis.strip_again(self)?;
            }
            if !hypothesis.tree.given_up {
                own.syntax_matched += reference.shapes.matched(&hypothesis.tree);
            }
            own.syntax_total += reference.shapes.total;
            own.flow_matched += reference.flows.matched(&hypothesis.flows);
            own.flow_total += reference.flows.total();
            own.broken_references += u64::from(reference.broken);
            own.flows_given_up += u64::from(reference.flows.given_up);
        }
        stats.merge(&own)
    }
}

impl Metric for CodeBleu {
    type Stats = CodeBleuStats;
    type Score = CodeBleuScore;
    type Scratch = CodeBleuScratch;

    fn identity(&self) -> Identity {
        let scale = Scale { max: self.weights.iter().sum(), ..Scale::UNIT };
        let weights = (self.weights != builder::UNIFORM).then(|| self.weights.to_vec());
        let identity = Identity::new("codebleu", 1, scale)
            .named("CodeBLEU")
            .option(CodeBleuSettings::OPTION.language, Some(self.language))
            .counted("grammar", "g", self.language.grammar_version())
            .option(CodeBleuSettings::OPTION.columns, self.columns)
            .option(CodeBleuSettings::OPTION.weights, weights)
            .option(CodeBleuSettings::OPTION.flow_zero, self.flow_zero);
        if self.language.strips_again() {
            identity.needing(|needs| needs.reference_order = true)
        } else {
            identity
        }
    }

    fn finalize(&self, stats: &CodeBleuStats, counts: &SegmentCounts) -> Result<CodeBleuScore> {
        CodeBleuScore::from_counts(self.weights, self.flow_zero, stats, counts.segments)
    }
}

impl Observe<str> for CodeBleu {
    fn observe(
        &self,
        scratch: &mut CodeBleuScratch,
        stats: &mut CodeBleuStats,
        segment: Segment<'_, str>,
    ) -> Result<()> {
        let texts = segment.references()?;
        let CodeBleuScratch { ngrams, last } = scratch;
        let known = last.take().filter(|last| last.are_of(self, texts));
        let parsed = match known {
            Some(parsed) => parsed,
            None => ParsedReferences::from_parsed(self, self.references(texts)?),
        };
        self.count(ngrams, stats, segment.hypothesis, &last.insert(parsed).references)
    }

    fn prepare(&self, _: &mut CodeBleuScratch, references: &[&str]) -> Result<Prepared> {
        Ok(Prepared::new(references.len(), self.references(references)?))
    }

    fn observe_prepared(
        &self,
        scratch: &mut CodeBleuScratch,
        stats: &mut CodeBleuStats,
        segment: Segment<'_, str>,
        prepared: &Prepared,
    ) -> Result<()> {
        match prepared.get::<Vec<CodeReference>>() {
            Some(references) => self.count(&mut scratch.ngrams, stats, segment.hypothesis, references),
            None => self.observe(scratch, stats, segment),
        }
    }
}
