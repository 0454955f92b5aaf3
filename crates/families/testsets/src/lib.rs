//! Test sets of translation with mark-up: SGML of mteval, and XML of WMT.
//!
//! | file | parts of a segment |
//! |---|---|
//! | SGML or XML of mteval | sources in `<srcset>`, references in `<refset>`, outputs in `<tstset>` |
//! | XML of WMT | all three in one `<dataset>`: `<src>`, `<ref translator>`, `<hyp system>` |
//!
//! A segment is identified by its document and its id. It keeps its document and its domain as labels. Runs
//! of white space in a text are one space, and white space at its ends is dropped, as in sacreBLEU. Character
//! references are replaced by their characters: `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`, and numbers such
//! as `&#x41;` for `A`.
//!
//! ```
//! let folder = bleuprint_testkit::Folder::new();
//! let path = folder.file(
//!     "wmt.xml",
//!     r#"<dataset><doc id="d"><ref translator="A"><seg id="1">a &lt; b</seg></ref>
//!        <hyp system="X"><seg id="1">a  b</seg></hyp></doc></dataset>"#,
//! );
//! let all = bleuprint_testsets::marked_texts(&path.to_string_lossy())?;
//! assert_eq!((&*all[0].text, &*all[1].text, &*all[1].name), ("a < b", "a b", "X"));
//! # Ok::<(), bleuprint_core::InputError>(())
//! ```

mod markup;
mod reader;
mod sets;

pub use markup::{MarkedPart, MarkedText, marked_texts};

use bleuprint_text::Family;

/// Returns the readers of this crate as a family, for [`Families::with`](bleuprint_text::Families::with).
pub fn family() -> Family {
    Family::new("testsets", "Test sets in SGML of mteval and XML of WMT").readers(reader::READERS)
}
