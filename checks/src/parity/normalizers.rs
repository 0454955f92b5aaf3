//! Normalizers against Whisper's, its fork on PyPI, jiwer's transformations and Python's forms: every character, and random
//! texts of number words, contractions and several scripts. The ratio of processor times is printed.

use std::rc::Rc;

use bleuprint::text::{Chain, Normalizers};
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};
use xtask::Result;

use super::outcome::ParityReport;
use super::topic::{AnyPart, ParityTopic, PartSize, TopicNeeds, TopicPart};
use crate::pieces;

/// Characters in one text, if the comparison covers every Unicode character.
const CHARACTERS: usize = 12;

/// Texts in one question to the oracle.
const BLOCK: usize = 2_000;

const SEED: u64 = 20_220_921;

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("normalizers.py"),
    needs: TopicNeeds::Versions("normalizers of ", "programs"),
    seed: SEED,
    parts: |comparison, oracle| {
        let mut rng = comparison.rng(SEED);
        let random = (0..comparison.cases(20_000)).map(|_| ("random texts", text(&mut rng)));
        let mut texts: Vec<(&str, String)> = random.collect();
        if comparison.given.promised {
            let characters: Vec<char> = ('\0'..=char::MAX).collect();
            let about = |c: &char| format!("{c} a{c} {c}1{c}");
            let about = |some: &[char]| ("every character", some.iter().map(about).collect());
            // Neighbouring characters have alike classes, so a run with a share of the cases draws evenly among them.
            texts.extend(characters.chunks(CHARACTERS).map(about).step_by(comparison.given.share.get()));
        } else {
            println!("  skipped: every character, which follows the Unicode tables of the interpreter");
        }
        let blocks: Rc<[Vec<(&str, String)>]> = texts.chunks(BLOCK).map(<[_]>::to_vec).collect();
        let steps: Vec<String> = serde_json::from_value(oracle.about["steps"].take())?;
        let part = |step: String| -> Result<Box<dyn AnyPart>> {
            let chain = Normalizers::default().build(&step)?;
            let blocks = Rc::clone(&blocks);
            Ok(Box::new(NormalizerPart { step, chain, blocks, next: 0, theirs_took: 0.0, ours_took: 0.0 }))
        };
        steps.into_iter().map(part).collect()
    },
};

/// One normalizer over all texts, and the processor times of both programs.
struct NormalizerPart {
    step: String,
    chain: Chain,
    /// Blocks of texts with their kinds.
    blocks: Rc<[Vec<(&'static str, String)>]>,
    next: usize,
    theirs_took: f64,
    ours_took: f64,
}

impl TopicPart for NormalizerPart {
    type Shared = ();
    /// Place of a block.
    type Case = usize;
    /// The normalized texts of the block, and the seconds that they took.
    type Answer = (Vec<String>, f64);

    fn size(&self) -> PartSize {
        PartSize::given(self.blocks.len(), 1)
    }

    fn share(&mut self, _rng: &mut Rng) -> Result {
        Ok(())
    }

    fn draw(&mut self, _rng: &mut Rng, _shared: &()) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn question(&self, _shared: &(), places: &[usize]) -> Result<Value> {
        let texts: Vec<&str> =
            places.iter().flat_map(|&place| &self.blocks[place]).map(|(_, text)| &**text).collect();
        Ok(json!({ "step": self.step, "texts": texts }))
    }

    fn compare(
        &mut self,
        report: &mut ParityReport,
        _shared: &(),
        &place: &usize,
        (theirs, seconds): (Vec<String>, f64),
    ) -> Result {
        let block = &self.blocks[place];
        if theirs.len() != block.len() {
            return Err(format!("{} texts, but the oracle normalized {}", block.len(), theirs.len()).into());
        }
        let start = processor_seconds();
        let ours: Vec<String> = block.iter().map(|(_, text)| self.chain.apply(text)).collect();
        self.ours_took += processor_seconds() - start;
        self.theirs_took += seconds;
        for (((what, text), theirs), ours) in block.iter().zip(&theirs).zip(&ours) {
            let case = || format!("{}: {text:?}", self.step);
            report.same(&format!("normalizers, {what}"), theirs, ours, case);
        }
        Ok(())
    }

    fn end(&mut self, _report: &mut ParityReport, _cases: usize) {
        let times = self.theirs_took / self.ours_took.max(1e-9);
        println!("  {}: {times:.0} times as fast as Python", self.step);
    }
}

fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Returns words with and without a space between them, and sometimes a random character.
fn text(rng: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..rng.below(24) {
        if rng.chance(20) {
            text.extend(char::from_u32(rng.below(0x3000) as u32));
        } else {
            let word = *rng.pick(pieces::pieces("normalizers"));
            text.push_str(word);
        }
        if !rng.chance(120) {
            text.push(' ');
        }
    }
    if rng.chance(100) { text.to_uppercase() } else { text }
}
