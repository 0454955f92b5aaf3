//! [`Captions`]: reads the annotation and result files of the COCO image-caption evaluation as segments.

use std::collections::HashMap;
use std::sync::Arc;

use bleuprint_core::{InputError, Location, Result, counted};
use bleuprint_text::read::{Field, FieldReader, Findings, ReadSegment, SegmentReader};
use bleuprint_text::{ReadSegments, ReaderEntry, SegmentKind};

pub(crate) static READERS: &[ReaderEntry] = &[ReaderEntry {
    name: "results",
    help: "Captions as COCO has them, one file of results per system; the file of --segments are then the annotations",
    of: "captions of images",
    metrics: "coco",
    gives: SegmentKind::Texts,
    value: Some("FILE"),
    has_outputs: false,
    options: &[],
    open: |files| Ok(ReadSegments::Texts(Box::new(Captions::open(files.reference, files.systems)?))),
}];

/// Image captions of systems together with the reference captions that people wrote: one segment for each
/// system and image.
///
/// The references are the `annotations` of a JSON document,
/// `{"annotations": [{"image_id": 7, "caption": ".."}, ..]}`. All annotations of an image belong to its
/// segments. A file of results is an array, `[{"image_id": 7, "caption": ".."}, ..]`, with one caption for
/// each image. Both kinds of files may have `tuples`, an array of tuples for SPICE, instead of `caption`.
/// Other keys are ignored. A line feed in a caption becomes a space, as in the COCO evaluation.
///
/// Only images with a result become segments, in the order of the annotations. Annotations usually cover a
/// whole collection, and results only a split of it. The reader's findings report the number of images
/// without a result.
///
/// ```no_run
/// use bleuprint_captions::Captions;
/// use bleuprint_text::read::{ReadSegment, SegmentReader};
/// let mut captions = Captions::open("captions_val.json", &["results.json"])?;
/// let mut segment = ReadSegment::default();
/// while captions.next(&mut segment)? {
///     println!("{:?} {:?} {:?}", segment.id, segment.hypothesis, segment.references);
/// }
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct Captions {
    references: Arc<str>,
    images: Vec<Image>,
    systems: Vec<Results>,
    /// Number of annotated images for which the systems have no result.
    left_out: usize,
    at: (usize, usize),
}

#[derive(Debug)]
struct Image {
    id: String,
    references: Vec<String>,
}

#[derive(Debug)]
struct Results {
    path: Arc<str>,
    /// Captions by image id, each with its line number in the result file.
    captions: HashMap<String, (String, u64)>,
}

impl Captions {
    /// Reads the annotation file and the result file of each system.
    ///
    /// # Errors
    /// Returns an error with file and line for a file that is not JSON in the format of the COCO evaluation,
    /// and for a record without an image or a caption. Also returns an error for an image with two results,
    /// or for a result of an image without annotations. Also returns an error if systems have results of
    /// different images, or if there is no result.
    pub fn open(references: &str, systems: &[impl AsRef<str>]) -> Result<Self> {
        let mut images = read_annotations(references)?;
        let known: HashMap<&str, ()> = images.iter().map(|image| (image.id.as_str(), ())).collect();
        let mut all = Vec::new();
        for path in systems {
            all.push(read_results(path.as_ref(), &known, references)?);
        }
        let Some(first) = all.first() else {
            let message = "captions need at least one file of results";
            return Err(InputError::malformed(message).at(Location::file(references)));
        };
        // Compare in both directions: every system must caption exactly the same images, or their scores
        // would not be comparable.
        for other in &all[1..] {
            require_all(other, first)?;
            require_all(first, other)?;
        }
        if first.captions.is_empty() {
            let message = "no result: the array is empty";
            return Err(InputError::malformed(message).at(Location::file(first.path.clone())));
        }
        let before = images.len();
        images.retain(|image| first.captions.contains_key(&image.id));
        let left_out = before - images.len();
        Ok(Captions { references: references.into(), images, systems: all, left_out, at: (0, 0) })
    }
}

impl SegmentReader for Captions {
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool> {
        let (system, image) = self.at;
        let (Some(results), Some(Image { id, references })) =
            (self.systems.get(system), self.images.get(image))
        else {
            return Ok(false);
        };
        *segment = ReadSegment {
            hypothesis: results.captions.get(id).map(|(caption, _)| caption.clone()),
            references: references.iter().cloned().map(Some).collect(),
            id: Some(id.clone()),
            system: Some(results.path.to_string()),
            ..ReadSegment::default()
        };
        self.at = if image + 1 == self.images.len() { (system + 1, 0) } else { (system, image + 1) };
        Ok(true)
    }

    fn findings(&self) -> Findings {
        let note = || {
            format!("{}: {} no result, and left out", self.references, counted(self.left_out, "image has"))
        };
        let notes = (self.left_out > 0).then(note).into_iter().collect();
        Findings { notes, ..Findings::default() }
    }

    fn location(&self) -> Location {
        let (system, image) = match self.at {
            // `at` already points to the next segment, so the segment just read is one step before it.
            (system, 0) => (system.saturating_sub(1), self.images.len().saturating_sub(1)),
            (system, image) => (system, image - 1),
        };
        let found = self.systems.get(system).zip(self.images.get(image));
        let line = found.and_then(|(results, image)| {
            results.captions.get(&image.id).map(|(_, line)| Location::line(results.path.clone(), *line))
        });
        line.unwrap_or_else(|| Location::file(self.references.clone()))
    }
}

fn read_annotations(path: &str) -> Result<Vec<Image>> {
    let mut fields = FieldReader::open(path, Some("annotations"))?;
    let (mut images, mut places) = (Vec::<Image>::new(), HashMap::<String, usize>::new());
    while fields.advance()? {
        let (id, caption) = record(&fields, "an annotation")?;
        // An image's annotations need not be adjacent in the file; the first one fixes the place of the
        // image.
        let place = *places.entry(id.clone()).or_insert(images.len());
        if place == images.len() {
            images.push(Image { id, references: Vec::new() });
        }
        images[place].references.push(caption);
    }
    Ok(images)
}

fn read_results(path: &str, known: &HashMap<&str, ()>, references: &str) -> Result<Results> {
    let mut fields = FieldReader::open(path, None)?;
    let mut captions = HashMap::new();
    while fields.advance()? {
        let (id, caption) = record(&fields, "a result")?;
        let refused = |message: String| Err(InputError::malformed(message).at(fields.location()));
        if !known.contains_key(id.as_str()) {
            return refused(format!("a result of image {id}, which has no annotation in {references}"));
        }
        let line = fields.location().line.unwrap_or(1);
        if captions.insert(id.clone(), (caption, line)).is_some() {
            return refused(format!("two results of image {id}, which has one caption"));
        }
    }
    Ok(Results { path: path.into(), captions })
}

fn record(fields: &FieldReader, what: &str) -> Result<(String, String)> {
    let at = |error: InputError| error.at(fields.location());
    let lacks = |key: &str| at(InputError::malformed(format!("{what} without `{key}`")));
    let id = fields.field("image_id").and_then(|field| field.label()).map_err(at)?;
    let id = id.ok_or_else(|| lacks("image_id"))?;
    match fields.field("caption").map_err(at)? {
        // COCO's tokenizer reads a line for each caption, and its script replaces line feeds with spaces
        // first.
        Field::Json(serde_json::Value::String(caption)) => Ok((id, caption.replace('\n', " "))),
        Field::Text(caption) => Ok((id, caption.replace('\n', " "))),
        Field::Absent => match fields.field("tuples").map_err(at)? {
            Field::Json(tuples @ serde_json::Value::Array(_)) => Ok((id, tuples.to_string())),
            Field::Absent => Err(lacks("caption")),
            other => {
                let message = format!("the tuples of image {id} are {other}, but tuples are an array");
                Err(at(InputError::malformed(message)))
            }
        },
        other => Err(at(InputError::malformed(format!(
            "the caption of image {id} is {other}, but a caption is a text"
        )))),
    }
}

/// Returns an error if one system has a result for an image and the other does not.
fn require_all(system: &Results, other: &Results) -> Result<()> {
    // Report the missing result that comes first in the other file, because a map has no order and messages
    // must not vary.
    let missing = other.captions.iter().filter(|(id, _)| !system.captions.contains_key(*id));
    match missing.min_by_key(|(id, (_, line))| (*line, (*id).clone())) {
        None => Ok(()),
        Some((id, _)) => {
            let message = format!("no result of image {id}, which {} has", other.path);
            Err(InputError::malformed(message).at(Location::file(system.path.clone())))
        }
    }
}

#[cfg(test)]
mod tests {
    use bleuprint_testkit::Folder;

    use super::*;

    const ANNOTATIONS: &str = r#"{"info": {}, "images": [{"id": 1}], "annotations": [
        {"image_id": 2, "id": 5, "caption": "a dog\nruns"},
        {"image_id": 1, "id": 6, "caption": "a cat"},
        {"image_id": 2, "id": 7, "caption": "the dog"}, {"image_id": 3, "id": 8, "caption": "rain"}]}"#;

    fn write(folder: &Folder, name: &str, text: &str) -> String {
        folder.file(name, text).to_string_lossy().into_owned()
    }

    #[test]
    fn images_with_a_result_are_segments_in_the_order_of_the_annotations() {
        let folder = Folder::new();
        let references = write(&folder, "val.json", ANNOTATIONS);
        let results = r#"[{"image_id": 1, "caption": "one cat"}, {"image_id": 2, "caption": "one dog"}]"#;
        let [one, other] = ["a.json", "b.json"].map(|name| write(&folder, name, results));
        let mut captions = Captions::open(&references, &[&one, &other]).unwrap();
        let mut segment = ReadSegment::default();
        let mut seen = Vec::new();
        while captions.next(&mut segment).unwrap() {
            let references: Vec<&str> = segment.present_references().collect();
            seen.push(format!("{:?} {:?} {references:?}", segment.id, segment.hypothesis));
            assert_eq!(captions.location().line, Some(1));
        }
        let rows = [
            r#"Some("2") Some("one dog") ["a dog runs", "the dog"]"#,
            r#"Some("1") Some("one cat") ["a cat"]"#,
        ];
        assert_eq!(seen, [rows, rows].concat());
        let left_out = format!("{references}: 1 image has no result, and left out");
        assert_eq!(captions.findings().notes, [left_out]);
    }

    #[test]
    fn faults_are_told_with_their_place() {
        let folder = Folder::new();
        let references = write(&folder, "val.json", ANNOTATIONS);
        let good = write(&folder, "good.json", r#"[{"image_id": 1, "caption": "x"}]"#);
        let rows = [
            (
                r#"[{"image_id": 9, "caption": "x"}]"#,
                "line 1: a result of image 9, which has no annotation in",
            ),
            (
                "[{\"image_id\": 1, \"caption\": \"x\"},\n{\"image_id\": 1, \"caption\": \"y\"}]",
                "line 2: two results of image 1",
            ),
            (r#"[{"caption": "x"}]"#, "line 1: a result without `image_id`"),
            (r#"[{"image_id": 1}]"#, "line 1: a result without `caption`"),
            (r#"[{"image_id": 1, "caption": 7}]"#, "the caption of image 1 is `7`, but a caption is a text"),
            (r#"[{"image_id": 2, "caption": "x"}]"#, "no result of image 1, which"),
            ("[]", "no result of image 1, which"),
        ];
        for (text, expected) in rows {
            let bad = write(&folder, "bad.json", text);
            let error = Captions::open(&references, &[&good, &bad]).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("bad.json"), "{text}: {error}");
        }
        let none =
            Captions::open(&references, &[write(&folder, "empty.json", "[]")]).unwrap_err().to_string();
        assert!(none.contains("empty.json: no result: the array is empty"), "{none}");
        let other = Captions::open(&good, &[&good]).unwrap_err().to_string();
        assert!(other.contains("good.json") && other.contains("annotations"), "{other}");
    }
}
