//! [`TestSets`]: joins the texts of files with mark-up to segments with references and outputs.

use std::collections::HashMap;

use bleuprint_core::{InputError, Location, Result, counted};
use bleuprint_text::read::{LeftOut, ReadSegment, SystemFiles};

use crate::markup::{MarkedPart, MarkedText, marked_texts};

/// A segment is identified by its document and its id.
type SegmentKey = [String; 2];

/// Files and choices of the user.
pub(crate) struct TestSetFiles<'f> {
    pub(crate) reference: &'f str,
    /// Files of outputs; empty if the file of references has the outputs.
    pub(crate) systems: &'f [String],
    /// File of sources, if the file of references has none.
    pub(crate) sources: Option<&'f str>,
    /// The only translator whose references are taken.
    pub(crate) translator: Option<&'f str>,
    /// `true` if a segment that a system lacks has an empty output.
    pub(crate) empty: bool,
}

/// The segments of all systems, one system after the other.
#[derive(Debug, Default)]
pub(crate) struct TestSets {
    pub(crate) rows: Vec<ReadSegment>,
    pub(crate) left_out: Vec<LeftOut>,
}

/// A segment with references.
struct ReferredSegment {
    key: SegmentKey,
    domain: Option<String>,
    source: Option<String>,
    references: Vec<String>,
}

/// Outputs of one system by segment, with the line of each.
struct SystemOutputs {
    name: String,
    file: String,
    texts: HashMap<SegmentKey, MarkedText>,
    /// Segments in the order of the file.
    order: Vec<SegmentKey>,
}

fn key(text: &MarkedText) -> SegmentKey {
    [text.document.clone(), text.segment.clone()]
}

fn shown([document, segment]: &SegmentKey) -> String {
    if document.is_empty() {
        format!("`{segment}`")
    } else {
        format!("`{segment}` of the document `{document}`")
    }
}

impl TestSets {
    /// Reads the files and joins their texts.
    ///
    /// # Errors
    /// Returns an error if a file is malformed, has a text twice, or has no text of the part that it must have. Also
    /// returns an error if a system lacks a segment of the references, or has others.
    pub(crate) fn open(files: &TestSetFiles<'_>) -> Result<Self> {
        let texts = marked_texts(files.reference)?;
        let mut sources = of_sources(&texts);
        if let Some(path) = files.sources {
            sources.extend(of_sources(&marked_texts(path)?));
        }
        let (segments, lacking) = references(files, &texts, &sources)?;
        let mut systems = Vec::new();
        if files.systems.is_empty() {
            systems.extend(outputs(files.reference, None, texts)?);
        }
        for given in files.systems {
            let SystemFiles { name, paths } = SystemFiles::parse(given);
            let mut texts = Vec::new();
            for path in &paths {
                texts.extend(marked_texts(path)?);
            }
            systems.extend(outputs(&paths[0], Some(&name), texts)?);
        }
        let mut all = TestSets::default();
        if lacking > 0 {
            let what = "segments have no reference, and are left out".to_owned();
            all.left_out.push(LeftOut { count: lacking, of: lacking + segments.len() as u64, what });
        }
        for system in &systems {
            let absent = system.rows(files, &segments, &mut all.rows)?;
            if absent > 0 {
                let what = format!("segments have an empty output, because {} lacks them", system.name);
                all.left_out.push(LeftOut { count: absent, of: segments.len() as u64, what });
            }
        }
        Ok(all)
    }
}

/// Returns the sources by segment.
fn of_sources(texts: &[MarkedText]) -> HashMap<SegmentKey, String> {
    let sources = texts.iter().filter(|text| text.part == MarkedPart::Source);
    sources.map(|text| (key(text), text.text.clone())).collect()
}

/// Returns the segments with references, in the order of the file, and the number of other segments of the file.
fn references(
    files: &TestSetFiles<'_>,
    texts: &[MarkedText],
    sources: &HashMap<SegmentKey, String>,
) -> Result<(Vec<ReferredSegment>, u64)> {
    let mut segments: Vec<ReferredSegment> = Vec::new();
    let mut places: HashMap<SegmentKey, usize> = HashMap::new();
    let mut seen: HashMap<(SegmentKey, &str), u64> = HashMap::new();
    let mut translators: Vec<&str> = Vec::new();
    for text in texts {
        let place = *places.entry(key(text)).or_insert_with(|| {
            let key = key(text);
            let source = sources.get(&key).cloned();
            segments.push(ReferredSegment {
                key,
                domain: text.domain.clone(),
                source,
                references: Vec::new(),
            });
            segments.len() - 1
        });
        if text.part != MarkedPart::Reference {
            continue;
        }
        if !translators.contains(&&*text.name) {
            translators.push(&text.name);
        }
        if files.translator.is_some_and(|wanted| wanted != text.name) {
            continue;
        }
        if let Some(before) = seen.insert((key(text), &text.name), text.line) {
            return Err(twice(files.reference, text, "a reference", before));
        }
        segments[place].references.push(text.text.clone());
    }
    let refused = |message: String| Err(InputError::malformed(message).at(Location::file(files.reference)));
    if translators.is_empty() {
        return refused("no reference: the file has no text in `refset` or `ref`".to_owned());
    }
    if let Some(wanted) = files.translator.filter(|wanted| !translators.contains(wanted)) {
        let names = translators.join(", ");
        return refused(format!("no reference of the translator `{wanted}`; the translators are: {names}"));
    }
    let before = segments.len();
    segments.retain(|segment| !segment.references.is_empty());
    let lacking = (before - segments.len()) as u64;
    Ok((segments, lacking))
}

fn twice(path: &str, text: &MarkedText, what: &str, before: u64) -> InputError {
    let of = if text.name.is_empty() { String::new() } else { format!(" of `{}`", text.name) };
    let message = format!("the segment {} has {what}{of} twice, first on line {before}", shown(&key(text)));
    InputError::malformed(message).at(Location::line(path, text.line))
}

/// Returns the outputs of each system of a file, in the order of the file. The name that the user `given` names the
/// only system.
fn outputs(path: &str, given: Option<&str>, texts: Vec<MarkedText>) -> Result<Vec<SystemOutputs>> {
    let mut systems: Vec<SystemOutputs> = Vec::new();
    let all = texts.len();
    for text in texts.into_iter().filter(|text| text.part == MarkedPart::Hypothesis) {
        let place = systems.iter().position(|system| system.name == text.name);
        let place = place.unwrap_or_else(|| {
            let name = text.name.clone();
            systems.push(SystemOutputs {
                name,
                file: path.to_owned(),
                texts: HashMap::new(),
                order: Vec::new(),
            });
            systems.len() - 1
        });
        let system = &mut systems[place];
        let key = key(&text);
        if let Some(before) = system.texts.get(&key) {
            return Err(twice(path, &text, "an output", before.line));
        }
        system.order.push(key.clone());
        system.texts.insert(key, text);
    }
    if systems.is_empty() {
        let found = match all {
            0 => "no segment".to_owned(),
            all => format!("{} of other parts", counted(all, "text")),
        };
        let hint = if given.is_some() { "" } else { "; -i SYS names the files of outputs" };
        let message = format!("no output: the file has no text in `tstset` or `hyp`, but {found}{hint}");
        return Err(InputError::malformed(message).at(Location::file(path)));
    }
    if let ([only], Some(given)) = (&mut systems[..], given) {
        given.clone_into(&mut only.name);
    }
    if let Some(unnamed) = systems.iter_mut().find(|system| system.name.is_empty()) {
        path.clone_into(&mut unnamed.name);
    }
    Ok(systems)
}

impl SystemOutputs {
    /// Adds the segments of the system to `rows`, and returns the number of segments that it lacks.
    fn rows(
        &self,
        files: &TestSetFiles<'_>,
        segments: &[ReferredSegment],
        rows: &mut Vec<ReadSegment>,
    ) -> Result<u64> {
        let mut absent = 0;
        for segment in segments {
            let hypothesis = match self.texts.get(&segment.key) {
                Some(text) => text.text.clone(),
                None if files.empty => {
                    absent += 1;
                    String::new()
                }
                None => {
                    let message = format!(
                        "the system `{}` has no output for the segment {}; --missing empty counts it as empty",
                        self.name,
                        shown(&segment.key)
                    );
                    return Err(InputError::malformed(message).at(Location::file(&*self.file)));
                }
            };
            let [document, id] = segment.key.clone();
            rows.push(ReadSegment {
                hypothesis: Some(hypothesis),
                references: segment.references.iter().cloned().map(Some).collect(),
                source: segment.source.clone(),
                id: Some(id),
                system: Some(self.name.clone()),
                document: Some(document).filter(|document| !document.is_empty()),
                domain: segment.domain.clone(),
                ..ReadSegment::default()
            });
        }
        self.require_known(files, segments)?;
        Ok(absent)
    }

    /// Returns an error for an output whose segment the references lack. A file that has both leaves out such
    /// segments, which are counted.
    fn require_known(&self, files: &TestSetFiles<'_>, segments: &[ReferredSegment]) -> Result<()> {
        if files.systems.is_empty() || self.file == files.reference {
            return Ok(());
        }
        let known: std::collections::HashSet<&SegmentKey> = segments.iter().map(|one| &one.key).collect();
        let Some(extra) = self.order.iter().find(|key| !known.contains(key)) else { return Ok(()) };
        let line = self.texts.get(extra).map_or(0, |text| text.line);
        let message = format!("`{}` has no reference for the segment {}", files.reference, shown(extra));
        Err(InputError::malformed(message).at(Location::line(&*self.file, line)))
    }
}
