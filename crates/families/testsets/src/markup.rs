//! [`marked_texts`]: reads the texts of a file in SGML of mteval or in XML of WMT.

use bleuprint_core::{InputError, Location, Result};
use bleuprint_text::{Encoding, LineReader, whitespace};
use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};

/// The part of a segment that a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "closed: the parts of a segment")]
pub enum MarkedPart {
    /// The text to translate.
    Source,
    /// A translation by a person.
    Reference,
    /// The output of a system.
    Hypothesis,
}

/// A text of a file with mark-up, with the segment to which it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkedText {
    /// The part of the segment.
    pub part: MarkedPart,
    /// The name of the system or of the translator; empty if the file has none.
    pub name: String,
    /// The id of the document.
    pub document: String,
    /// The domain or genre of the document.
    pub domain: Option<String>,
    /// The id of the segment within its document: its attribute `id`, or its number from 1.
    pub segment: String,
    /// The text without mark-up.
    pub text: String,
    /// The line of the file on which the segment begins.
    pub line: u64,
}

/// Reads all texts of a file in SGML of mteval or in XML of WMT, in the order of the file.
///
/// # Errors
/// Returns an error with file and line if the file cannot be read or is malformed, if a segment is in no set, or if a
/// segment has mark-up or an entity that is not known.
pub fn marked_texts(path: &str) -> Result<Vec<MarkedText>> {
    let mut lines = LineReader::open(path, Encoding::Utf8Sig)?;
    let mut content = String::new();
    while lines.advance()? {
        content.push_str(lines.line());
        content.push('\n');
    }
    let mut parser = MarkupParser::default();
    parser.read(&content).map_err(|MarkupError { message, at }| {
        let line = 1 + memchr_count(&content.as_bytes()[..at.min(content.len())]);
        InputError::malformed(message).at(Location::line(path, line))
    })?;
    for text in &mut parser.texts {
        // The place in bytes was kept until now, so that lines are counted once.
        let at = usize::try_from(text.line).unwrap_or(usize::MAX).min(content.len());
        text.line = 1 + memchr_count(&content.as_bytes()[..at]);
    }
    Ok(parser.texts)
}

fn memchr_count(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// An error of the mark-up, with its place in bytes.
struct MarkupError {
    message: String,
    at: usize,
}

/// State of reading a file: the element that each text belongs to.
#[derive(Debug, Default)]
struct MarkupParser {
    texts: Vec<MarkedText>,
    /// Part and name by the set, which is around documents in mteval.
    set: Option<(MarkedPart, String)>,
    /// Part and name by the block, which is within documents in WMT.
    block: Option<(MarkedPart, String)>,
    document: String,
    domain: Option<String>,
    /// Name of the system of the document, in mteval.
    system: Option<String>,
    /// Number of segments in the current block or document.
    count: usize,
    /// The segment that is open.
    open: Option<MarkedText>,
}

impl MarkupParser {
    fn read(&mut self, content: &str) -> Result<(), MarkupError> {
        let mut reader = Reader::from_str(content);
        // SGML leaves out ends of paragraphs, and has ampersands that begin no entity.
        let is_xml = content.trim_start().starts_with("<?xml");
        let config = reader.config_mut();
        config.allow_dangling_amp = !is_xml;
        config.check_end_names = is_xml;
        config.allow_unmatched_ends = !is_xml;
        loop {
            let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
            let failed = |message: String| MarkupError { message, at };
            match reader.read_event() {
                Err(error) => {
                    let at = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
                    return Err(MarkupError { message: format!("the mark-up is malformed: {error}"), at });
                }
                Ok(Event::Start(tag)) => self.start(&tag, at).map_err(failed)?,
                Ok(Event::Empty(tag)) => {
                    let name = tag.name().0.to_ascii_lowercase();
                    self.start(&tag, at).map_err(failed)?;
                    self.end(&name).map_err(failed)?;
                }
                Ok(Event::End(tag)) => self.end(&tag.name().0.to_ascii_lowercase()).map_err(failed)?,
                Ok(Event::Text(text)) => self.push(&text),
                Ok(Event::CData(text)) => self.push(&text),
                Ok(Event::GeneralRef(entity)) => {
                    let meant = referred(&entity);
                    if let (Some(_), None) = (&self.open, &meant) {
                        return Err(failed(format!(
                            "the entity `&{};` is not known; write the character",
                            &*entity
                        )));
                    }
                    self.push(&meant.unwrap_or_default());
                }
                Ok(Event::Eof) => break,
                Ok(_) => {}
            }
        }
        match &self.open {
            None => Ok(()),
            Some(open) => Err(MarkupError {
                message: format!("the segment `{}` has no end", open.segment),
                at: usize::try_from(open.line).unwrap_or(usize::MAX),
            }),
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(open) = &mut self.open {
            open.text.push_str(text);
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, at: usize) -> Result<(), String> {
        let name = tag.name().0.to_ascii_lowercase();
        if let Some(open) = &self.open {
            return Err(format!(
                "the segment `{}` contains the tag `<{name}>`, but must have text alone",
                open.segment
            ));
        }
        let attribute = |wanted: &[&str]| attribute(tag, wanted);
        match name.as_str() {
            "srcset" => self.set = Some((MarkedPart::Source, String::new())),
            "refset" => {
                self.set = Some((MarkedPart::Reference, attribute(&["refid", "sysid"]).unwrap_or_default()));
            }
            "tstset" => self.set = Some((MarkedPart::Hypothesis, attribute(&["sysid"]).unwrap_or_default())),
            "doc" => {
                self.document = attribute(&["docid", "id"]).unwrap_or_default();
                self.domain = attribute(&["domain", "genre"]).filter(|domain| !domain.is_empty());
                self.system = attribute(&["sysid"]);
                self.count = 0;
            }
            "src" => self.begin_block(MarkedPart::Source, None),
            "ref" => self.begin_block(MarkedPart::Reference, attribute(&["translator"])),
            "hyp" => self.begin_block(MarkedPart::Hypothesis, attribute(&["system"])),
            "seg" => {
                self.count += 1;
                let (part, name) = self.part().ok_or_else(|| {
                    "a segment in no set: it must be in srcset, refset or tstset, or in src, ref or hyp"
                        .to_owned()
                })?;
                self.open = Some(MarkedText {
                    part,
                    name,
                    document: self.document.clone(),
                    domain: self.domain.clone(),
                    segment: attribute(&["id"]).unwrap_or_else(|| self.count.to_string()),
                    text: String::new(),
                    line: at as u64,
                });
            }
            _ => {}
        }
        Ok(())
    }

    fn begin_block(&mut self, part: MarkedPart, name: Option<String>) {
        self.block = Some((part, name.unwrap_or_default()));
        self.count = 0;
    }

    /// Returns the part and the name of the current segment. A document may name the system, and the block is nearer
    /// than the set.
    fn part(&self) -> Option<(MarkedPart, String)> {
        match (&self.block, &self.set) {
            (Some(block), _) => Some(block.clone()),
            (None, Some((part, name))) => {
                let own = self.system.clone().filter(|own| !own.is_empty());
                Some((*part, own.unwrap_or_else(|| name.clone())))
            }
            (None, None) => None,
        }
    }

    fn end(&mut self, name: &str) -> Result<(), String> {
        match name {
            "seg" => {
                let mut open = self.open.take().ok_or("an end of a segment without its start")?;
                open.text = whitespace::split(&open.text).collect::<Vec<_>>().join(" ");
                self.texts.push(open);
            }
            name if self.open.is_some() => {
                return Err(format!("a segment contains `</{name}>` before its own end"));
            }
            "srcset" | "refset" | "tstset" => self.set = None,
            "src" | "ref" | "hyp" => self.block = None,
            _ => {}
        }
        Ok(())
    }
}

/// Returns the value of the first attribute with one of these names.
fn attribute(tag: &BytesStart<'_>, wanted: &[&str]) -> Option<String> {
    // SGML leaves out quotes, and attributes that repeat are harmless here.
    let all = || tag.html_attributes().with_checks(false).filter_map(Result::ok).collect::<Vec<_>>();
    let named = |name: &&str| {
        let of = |one: &quick_xml::events::attributes::Attribute<'_>| {
            let value = unescape(&one.value).unwrap_or(one.value.clone());
            one.key.0.eq_ignore_ascii_case(name).then(|| value.into_owned())
        };
        all().iter().find_map(of)
    };
    wanted.iter().find_map(named)
}

/// Returns the text that an entity or a character reference means.
fn referred(entity: &BytesRef<'_>) -> Option<String> {
    if entity.is_char_ref() {
        return entity.resolve_char_ref().ok().flatten().map(String::from);
    }
    resolve_xml_entity(entity).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use bleuprint_testkit::Folder;

    use super::*;

    fn read(name: &str, content: &str) -> Result<Vec<String>, String> {
        let folder = Folder::new();
        let path = folder.file(name, content).to_string_lossy().into_owned();
        let all = marked_texts(&path).map_err(|error| error.to_string().replace(&path, name))?;
        let show = |one: &MarkedText| {
            let MarkedText { part, name, document, segment, text, line, .. } = one;
            format!("{part:?} {name} {document}/{segment} line {line}: {text}")
        };
        Ok(all.iter().map(show).collect())
    }

    #[test]
    fn sgml_has_sets_around_documents() {
        let sgml = "<!DOCTYPE mteval SYSTEM \"x.dtd\">\n<REFSET setid=\"t\" trglang=en refid='r1'>\n<DOC docid=d1 genre=\"nw\">\n<hl>\n\
            <seg id=1> AT&T &amp; co </seg>\n</hl><p>\n<seg id=\"2\">two\nlines</seg>\n</DOC>\n</REFSET>\n\
            <tstset setid=t><doc docid=d1 sysid=X><seg>a</seg><seg>b &#x41;</seg></doc></tstset>\n";
        assert_eq!(
            read("a.sgm", sgml).unwrap(),
            [
                "Reference r1 d1/1 line 5: AT&T & co",
                "Reference r1 d1/2 line 7: two lines",
                "Hypothesis X d1/1 line 11: a",
                "Hypothesis X d1/2 line 11: b A"
            ]
        );
    }

    #[test]
    fn faults_name_their_line() {
        for (content, message) in [
            (
                "<refset><doc docid=\"d\">\n<seg id=\"1\">a <b>c</b></seg>",
                "line 2: the segment `1` contains the tag `<b>`",
            ),
            ("<seg id=\"1\">a</seg>", "line 1: a segment in no set"),
            ("<refset>\n<seg id=\"1\">a", "line 2: the segment `1` has no end"),
            ("<refset>\n\n<seg id=\"1\">x&eacute;</seg>", "line 3: the entity `&eacute;` is not known"),
            ("<?xml version=\"1.0\"?>\n<dataset>\n<doc></dataset>", "line 3: the mark-up is malformed"),
            (
                "<?xml version=\"1.0\"?>\n<dataset><ref><seg>R&D</seg></ref></dataset>",
                "the mark-up is malformed",
            ),
            ("<refset><seg id=\"1\">a</doc></seg>", "a segment contains `</doc>` before its own end"),
        ] {
            let error = read("a.xml", content).unwrap_err();
            assert!(error.contains(message), "{content}: {error}");
        }
    }
}
