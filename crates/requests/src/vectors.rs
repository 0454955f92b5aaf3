//! Reads files with embedding vectors into a [`TextCorpus`].

use bleuprint::eval::evaluation::{CorpusVectors, TextCorpus};
use bleuprint::text::read::read_vectors;
use bleuprint::{InputError, InputErrorKind};

use crate::failure::{Result, fail};
use crate::request::vectors::VectorsRequest;

pub(super) fn alone(request: &VectorsRequest) -> Result<TextCorpus> {
    let vectors = read(request)?;
    if vectors.references.segments() == 0 {
        return Err(InputError::from(InputErrorKind::EmptyCorpus).into());
    }
    let systems = request.systems.iter().map(|(name, file)| name.as_deref().unwrap_or(file));
    let mut corpus = TextCorpus::of_numbers(systems, vectors.references.segments());
    corpus.set_vectors(vectors)?;
    Ok(corpus)
}

/// Reads files with embedding vectors and adds the vectors to the corpus. The files are in the order of the
/// corpus's systems.
pub(super) fn add(corpus: &mut TextCorpus, request: &VectorsRequest) -> Result<()> {
    if request.is_empty() || corpus.vectors.is_some() {
        return Ok(());
    }
    for ((name, file), system) in request.systems.iter().zip(&corpus.systems) {
        if let Some(name) = name.as_ref().filter(|name| *name != system) {
            fail!("--vectors {name}={file} is in the position of the system {system}");
        }
    }
    Ok(corpus.set_vectors(read(request)?)?)
}

fn read(request: &VectorsRequest) -> Result<CorpusVectors> {
    let references = match &request.references[..] {
        [references] => references,
        [] => fail!("--vectors needs --reference-vectors FILE"),
        several => fail!(
            "{} files of --reference-vectors are given, but systems share one; several references of a segment are in one file \
             (groups)",
            several.len()
        ),
    };
    let systems = request.systems.iter().map(|(_, file)| read_vectors(file)).collect::<Result<_, _>>()?;
    Ok(CorpusVectors::new(systems, read_vectors(references)?)?)
}
