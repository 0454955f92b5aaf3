//! [`ParityTopic`]: a comparison with other programs as data, and the one loop that draws its cases, asks the oracle and
//! compares the answers. A topic's file has the drawing of cases ([`TopicPart`]) and our answers.

use serde::de::DeserializeOwned;
use serde_json::Value;
use xtask::Result;

use bleuprint_testkit::random::Rng;

use super::ParityRun;
use super::oracle::Oracle;
use super::outcome::ParityReport;

/// A comparison: the oracle's script, the programs that it needs, and its parts.
pub(super) struct ParityTopic {
    /// Python code that answers the questions.
    pub(super) script: &'static str,
    pub(super) needs: TopicNeeds,
    /// Seed of the random cases, which are drawn by one generator for all parts.
    pub(super) seed: u64,
    /// Returns the parts that can be compared here, in order.
    pub(super) parts: TopicParts,
}

/// Returns parts, given the run and the oracle, which has said its versions.
pub(super) type TopicParts = fn(&ParityRun<'_>, &mut Oracle) -> Result<Vec<Box<dyn AnyPart>>>;

/// Programs without which a topic is not compared.
pub(super) enum TopicNeeds {
    /// Nothing; the line of versions has this text and the field of the oracle's first answer.
    Versions(&'static str, &'static str),
    /// Nothing, and no line of versions.
    Nothing,
    /// The program with this name, which the oracle's first answer has with its version.
    Program(&'static str),
}

/// Number of cases of a part, and number in one question to the oracle.
#[derive(Clone, Copy)]
pub(super) struct PartSize {
    cases: usize,
    batch: usize,
    rule: SizeRule,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SizeRule {
    /// Random cases, whose last question is filled up to a whole batch.
    Whole,
    /// Random cases, whose last question may be short, because each case or each start is slow.
    Exact,
    /// Given cases, which every run compares.
    Given,
}

impl PartSize {
    /// Returns the size of a part of random cases that always asks whole batches.
    pub(super) const fn whole(cases: usize, batch: usize) -> Self {
        PartSize { cases, batch, rule: SizeRule::Whole }
    }

    /// Returns the size of a part of random cases whose last question may be short.
    pub(super) const fn exact(cases: usize, batch: usize) -> Self {
        PartSize { cases, batch, rule: SizeRule::Exact }
    }

    /// Returns the size of a part of given cases.
    pub(super) const fn given(cases: usize, batch: usize) -> Self {
        PartSize { cases, batch, rule: SizeRule::Given }
    }

    /// Returns the number of cases of a run, which may compare a share of the random cases.
    fn drawn(self, comparison: &ParityRun<'_>) -> usize {
        match self.rule {
            SizeRule::Whole => comparison.cases(self.cases).next_multiple_of(self.batch),
            SizeRule::Exact => comparison.cases(self.cases),
            SizeRule::Given => self.cases,
        }
    }

    /// Returns the number of cases of the next question, if `left` cases are left.
    fn asked(self, left: usize) -> usize {
        if self.rule == SizeRule::Whole { self.batch } else { left.min(self.batch) }
    }
}

/// Cases of one kind: how they are drawn and asked, and the differences of our answers.
pub(super) trait TopicPart {
    /// Data that all cases of one question share, such as the flags of the program.
    type Shared;
    type Case;
    type Answer: DeserializeOwned;

    fn size(&self) -> PartSize;

    /// Draws what the cases of the next question have in common.
    fn share(&mut self, rng: &mut Rng) -> Result<Self::Shared>;

    fn draw(&mut self, rng: &mut Rng, shared: &Self::Shared) -> Self::Case;

    /// Returns the number of cases of the size that this case counts as, such as the segments of a corpus.
    fn weight(&self, _case: &Self::Case) -> usize {
        1
    }

    /// Returns the question, to which the oracle gives a list with one answer for each case.
    fn question(&self, shared: &Self::Shared, cases: &[Self::Case]) -> Result<Value>;

    /// Compares our answer to one case with theirs.
    fn compare(
        &mut self,
        report: &mut ParityReport,
        shared: &Self::Shared,
        case: &Self::Case,
        theirs: Self::Answer,
    ) -> Result;

    /// Compares what only all cases together show, such as a number of exceptions.
    fn end(&mut self, _report: &mut ParityReport, _cases: usize) {}
}

/// A [`TopicPart`] whose types the loop need not know.
pub(super) trait AnyPart {
    fn size(&self) -> PartSize;

    /// Draws, asks and compares the cases of one question, and returns their weight.
    fn ask(
        &mut self,
        oracle: &mut Oracle,
        rng: &mut Rng,
        report: &mut ParityReport,
        cases: usize,
    ) -> Result<usize>;

    fn end(&mut self, report: &mut ParityReport, cases: usize);
}

impl<P: TopicPart> AnyPart for P {
    fn size(&self) -> PartSize {
        TopicPart::size(self)
    }

    fn ask(
        &mut self,
        oracle: &mut Oracle,
        rng: &mut Rng,
        report: &mut ParityReport,
        cases: usize,
    ) -> Result<usize> {
        let shared = self.share(rng)?;
        let cases: Vec<P::Case> = (0..cases).map(|_| self.draw(rng, &shared)).collect();
        let answers: Vec<P::Answer> = oracle.ask(&self.question(&shared, &cases)?)?;
        // An oracle that leaves cases out would shrink the comparison silently.
        if answers.len() != cases.len() {
            return Err(
                format!("{} cases, but the oracle gave {} answers", cases.len(), answers.len()).into()
            );
        }
        for (case, theirs) in cases.iter().zip(answers) {
            self.compare(report, &shared, case, theirs)?;
        }
        Ok(cases.iter().map(|case| self.weight(case)).sum())
    }

    fn end(&mut self, report: &mut ParityReport, cases: usize) {
        TopicPart::end(self, report, cases);
    }
}

/// Runs a topic: the one loop over the questions of all parts.
pub(super) fn run(topic: &ParityTopic, comparison: &mut ParityRun<'_>) -> Result {
    let Some(mut oracle) = oracle(topic, comparison)? else { return Ok(()) };
    let mut rng = comparison.rng(topic.seed);
    for mut part in (topic.parts)(comparison, &mut oracle)? {
        let drawn = part.size().drawn(comparison);
        let mut left = drawn;
        while left > 0 {
            let asked = part.size().asked(left);
            left = left.saturating_sub(part.ask(&mut oracle, &mut rng, &mut comparison.report, asked)?);
        }
        part.end(&mut comparison.report, drawn);
    }
    Ok(())
}

fn oracle(topic: &ParityTopic, comparison: &ParityRun<'_>) -> Result<Option<Oracle>> {
    match topic.needs {
        TopicNeeds::Program(program) => {
            let oracle = comparison.oracle(topic.script)?;
            Ok(oracle.has(program).then_some(oracle))
        }
        TopicNeeds::Nothing => comparison.oracle(topic.script).map(Some),
        TopicNeeds::Versions(what, field) => {
            let oracle = comparison.oracle(topic.script)?;
            println!("  {what}{}", oracle.about[field]);
            Ok(Some(oracle))
        }
    }
}

/// Returns a part that compares given cases in order.
pub(super) fn given_part<C: 'static, A: DeserializeOwned + 'static>(
    cases: Vec<C>,
    batch: usize,
    question: impl Fn(&[C]) -> Value + 'static,
    compare: impl FnMut(&mut ParityReport, &C, A) -> Result + 'static,
) -> Box<dyn AnyPart> {
    Box::new(SinglePart {
        size: PartSize::given(cases.len(), batch),
        draw: in_order(cases),
        question: Box::new(question),
        compare: Box::new(compare),
    })
}

/// Returns given cases in order.
pub(super) fn in_order<C: 'static>(cases: Vec<C>) -> DrawCase<C> {
    let mut cases = cases.into_iter();
    // The loop draws as many cases as the size says.
    Box::new(move |_| cases.next().expect("as many cases as the size says"))
}

/// Draws a case.
pub(super) type DrawCase<C> = Box<dyn FnMut(&mut Rng) -> C>;

/// Returns the question of cases.
type CasesQuestion<C> = Box<dyn Fn(&[C]) -> Value>;

/// Compares our answer to a case with theirs.
type CompareCase<C, A> = Box<dyn FnMut(&mut ParityReport, &C, A) -> Result>;

/// A [`TopicPart`] whose cases have nothing in common.
pub(super) struct SinglePart<C, A> {
    pub(super) size: PartSize,
    pub(super) draw: DrawCase<C>,
    pub(super) question: CasesQuestion<C>,
    pub(super) compare: CompareCase<C, A>,
}

impl<C, A: DeserializeOwned> TopicPart for SinglePart<C, A> {
    type Shared = ();
    type Case = C;
    type Answer = A;

    fn size(&self) -> PartSize {
        self.size
    }

    fn share(&mut self, _rng: &mut Rng) -> Result {
        Ok(())
    }

    fn draw(&mut self, rng: &mut Rng, _shared: &()) -> C {
        (self.draw)(rng)
    }

    fn question(&self, _shared: &(), cases: &[C]) -> Result<Value> {
        Ok((self.question)(cases))
    }

    fn compare(&mut self, report: &mut ParityReport, _shared: &(), case: &C, theirs: A) -> Result {
        (self.compare)(report, case, theirs)
    }
}
