//! Parsed hypothesis and references of a segment, with their syntax trees and data flows.

use bleuprint_core::{InputError, Result};

use crate::comments::{is_space, strip};
use crate::flow::Flows;
use crate::syntax::Shapes;
use crate::tree::SyntaxTree;
use crate::{CodeBleu, Language, NameColumns};

/// Maximum length in bytes of the source code of a hypothesis or reference, because the parser counts bytes
/// with 32 bits.
const MAX_BYTES: usize = 1 << 30;

pub(crate) struct CodeReference {
    pub(crate) text: String,
    pub(crate) shapes: Shapes,
    pub(crate) flows: Flows,
    pub(crate) broken: bool,
}

impl CodeReference {
    pub(crate) fn from_text(metric: &CodeBleu, text: &str) -> Result<Self> {
        let text = text.trim_matches(is_space);
        let (tree, flows) = parse(metric, &strip(metric.language, text))?;
        Ok(CodeReference {
            text: text.to_owned(),
            shapes: Shapes::from_tree(&tree),
            flows,
            broken: tree.broken,
        })
    }
}

/// Parsed references of one segment, with the options of the metric that affect the parse.
pub(crate) struct ParsedReferences {
    language: Language,
    columns: NameColumns,
    pub(crate) references: Vec<CodeReference>,
}

impl ParsedReferences {
    pub(crate) fn from_parsed(metric: &CodeBleu, references: Vec<CodeReference>) -> Self {
        ParsedReferences { language: metric.language, columns: metric.columns, references }
    }

    /// Returns `true` if these are the references that `metric` would parse from `texts`.
    pub(crate) fn are_of(&self, metric: &CodeBleu, texts: &[&str]) -> bool {
        let texts = texts.iter().map(|text| text.trim_matches(is_space));
        self.language == metric.language
            && self.columns == metric.columns
            && texts.eq(self.references.iter().map(|reference| reference.text.as_str()))
    }
}

pub(crate) struct Hypothesis {
    text: String,
    pub(crate) tree: SyntaxTree,
    pub(crate) flows: Flows,
}

impl Hypothesis {
    pub(crate) fn from_text(metric: &CodeBleu, text: &str) -> Result<Self> {
        let text = strip(metric.language, text.trim_matches(is_space)).into_owned();
        let (tree, flows) = parse(metric, &text)?;
        Ok(Hypothesis { text, tree, flows })
    }

    /// Removes comments from the hypothesis again, as the original CodeBLEU script does for every further
    /// reference.
    pub(crate) fn strip_again(&mut self, metric: &CodeBleu) -> Result<()> {
        if !metric.language.strips_again() {
            return Ok(());
        }
        let text = strip(metric.language, &self.text).into_owned();
        // Most texts do not change, and need no second parse.
        if text != self.text {
            (self.tree, self.flows) = parse(metric, &text)?;
            self.text = text;
        }
        Ok(())
    }
}

fn parse(metric: &CodeBleu, text: &str) -> Result<(SyntaxTree, Flows)> {
    if text.len() > MAX_BYTES {
        let given = format!("{} bytes", text.len());
        let limit = format!("at most {MAX_BYTES} bytes");
        return Err(InputError::limit("a program", given, limit));
    }
    let tree = SyntaxTree::parse(metric.language, text)?;
    let flows = Flows::from_tree(metric.language, metric.columns, text, &tree);
    Ok((tree, flows))
}
