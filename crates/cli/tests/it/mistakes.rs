//! Mistakes of newcomers: each message names the remedy.

use crate::common::{Folder, refused};

#[test]
fn names_behind_a_feature_are_known() {
    let folder = Folder::new();
    let (reference, system) = (folder.file("ref", "a\n"), folder.file("hyp", "a\n"));
    let build = "cargo install bleuprint-cli --features";
    for (name, feature, there) in [
        ("-m=codebleu", "code", cfg!(feature = "code")),
        ("-m=codebleu:lang=python", "code", cfg!(feature = "code")),
        ("--tokenize=zh-jieba", "jieba", cfg!(feature = "jieba")),
        ("--tokenize=hf:tokenizer.json", "hf", cfg!(feature = "hf")),
    ] {
        if !there {
            refused(&["score", &reference, "-i", &system, name], &[&format!("{build} {feature}")]);
        }
    }
    if !cfg!(feature = "code") {
        for command in [&["help", "codebleu"][..], &["list", "metrics", "codebleu"], &["cite", "codebleu"]] {
            refused(command, &[build]);
        }
    }
}
