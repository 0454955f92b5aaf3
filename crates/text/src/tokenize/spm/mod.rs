//! `spm`, `flores101`, `flores200` and `spBLEU-1K`: tokenizers that split text into pieces of SentencePiece
//! models.
//!
//! Rule: the line is normalized by the model's rules and split into pieces of the model. A unigram model
//! takes the path of highest score; a BPE model joins pieces. Unknown characters are joined to unknown
//! pieces, or replaced by byte pieces if the model has them. A piece that contains whitespace is split at the
//! whitespace.
//!
//! Tokens are texts, as in sacreBLEU: unknown pieces share an id, but are equal only if their texts are
//! equal.
//!
//! The model is the given file, or otherwise sacreBLEU's file in `$SACREBLEU/models` (`~/.sacrebleu/models`
//! if the variable is not set). Nothing is downloaded. `spm` accepts any model. Without a model, `spm` is
//! `flores101`, as in sacreBLEU; with a model, signatures name it `spm#` and a hash of the file.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: Creating the tokenizer fails if the model
//! file is missing; the error names the searched places. It also fails if the model is neither a unigram nor
//! a BPE model.
//!
//! Source: sacreBLEU 2.6.0 and SentencePiece 0.2.3, compared on models of both kinds that were trained for
//! the purpose, not on the published models.

mod bpe;
mod encode;
mod model;
mod normalize;
mod trie;
mod unigram;

pub(crate) use encode::EncodedPieces;

use super::buffer::{TokenBuffer, Tokens};
use super::hash::hash;
use super::{Takes, Tokenizer, TokenizerEntry, TokenizerOptions};
use crate::whitespace::{self, rstrip};
use bleuprint_core::{ConfigError, Result};
use model::Model;
use std::path::{Path, PathBuf};

pub(super) const SPM: TokenizerEntry = TokenizerEntry::new(
    "spm",
    "pieces of a SentencePiece model, by default that of flores101; has ids",
    |request| build("spm", request.options),
)
.aliases(&["sentencepiece"])
.agrees_with("sacreBLEU 2.6.0")
.takes(&[Takes::Model]);

pub(super) const FLORES101: TokenizerEntry =
    TokenizerEntry::new("flores101", "pieces of the SentencePiece model of FLORES-101; has ids", |request| {
        build("flores101", request.options)
    })
    .agrees_with("sacreBLEU 2.6.0; compared on other models, not on the published one")
    .takes(&[Takes::Model]);

pub(super) const FLORES200: TokenizerEntry =
    TokenizerEntry::new("flores200", "pieces of the SentencePiece model of FLORES-200; has ids", |request| {
        build("flores200", request.options)
    })
    .agrees_with("sacreBLEU 2.6.0; compared on other models, not on the published one")
    .takes(&[Takes::Model]);

pub(super) const SPBLEU_1K: TokenizerEntry =
    TokenizerEntry::new("spBLEU-1K", "pieces of the SentencePiece model of spBLEU-1K; has ids", |request| {
        build("spBLEU-1K", request.options)
    })
    .agrees_with("sacreBLEU 2.6.0; compared on other models, not on the published one")
    .takes(&[Takes::Model]);

/// Returns the file name of the model that sacreBLEU uses for a tokenizer, and the address from which it is
/// available.
fn published(name: &str) -> (&'static str, &'static str) {
    match name {
        "flores200" => ("flores200sacrebleuspm", "tinyurl.com/flores200sacrebleuspm"),
        "spBLEU-1K" => {
            ("spbleu-1k_tokenizer_spm.model", "www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model")
        }
        _ => (
            "sacrebleu_tokenizer_spm.model",
            "dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
        ),
    }
}

fn build(name: &'static str, options: &TokenizerOptions) -> Result<Box<dyn Tokenizer>, ConfigError> {
    let (file, address) = published(name);
    let path = options.model.clone().unwrap_or_else(|| models_folder().join(file));
    let unusable = |reason: String| ConfigError::Resource {
        what: format!("the SentencePiece model for `{name}`"),
        reason: format!("{}: {reason}", path.display()),
        hint: format!("put https://{address} there yourself, or give the path of a model"),
    };
    let bytes = std::fs::read(&path).map_err(|error| unusable(error.to_string()))?;
    let model = Model::parse(&bytes).map_err(unusable)?;
    let token_space = match (name, &options.model) {
        ("spm", Some(_)) => format!("spm#{:016x}", hash(&bytes)),
        ("spm", None) => "flores101".to_owned(),
        _ => name.to_owned(),
    };
    Ok(Box::new(SentencePiece { model, token_space }))
}

/// Returns the folder with sacreBLEU's model files: `$SACREBLEU/models`, or by default `~/.sacrebleu/models`.
fn models_folder() -> PathBuf {
    let folder = |variable| std::env::var_os(variable).filter(|value| !value.is_empty());
    let sacrebleu = folder("SACREBLEU").map(PathBuf::from);
    let home = || Path::new(&folder("HOME").unwrap_or_default()).join(".sacrebleu");
    sacrebleu.unwrap_or_else(home).join("models")
}

struct SentencePiece {
    model: Model,
    token_space: String,
}

impl Tokenizer for SentencePiece {
    fn token_space(&self) -> &str {
        &self.token_space
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        let TokenBuffer { text, spans, scratches, .. } = &mut *buffer;
        let pieces = scratches.get::<EncodedPieces>();
        self.model.encode(rstrip(line), text, pieces);
        super::buffer::check_len(text)?;
        spans.clear();
        for piece in pieces.iter() {
            // sacreBLEU joins the pieces by spaces and splits the result at whitespace, which this loop
            // reproduces.
            spans.push_pieces(text, text.get(piece.start..piece.end).into_iter().flat_map(whitespace::split));
        }
        buffer.own_tokens()
    }

    fn has_ids(&self) -> bool {
        true
    }

    fn ids(&self, line: &str, buffer: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
        let TokenBuffer { text, scratches, .. } = buffer;
        let pieces = scratches.get::<EncodedPieces>();
        self.model.encode(rstrip(line), text, pieces);
        ids.extend(pieces.iter().map(|piece| piece.id));
        Ok(())
    }
}
