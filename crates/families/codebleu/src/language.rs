//! Programming languages that CodeBLEU supports: their names, grammars and keywords.

use bleuprint_core::Choice;

use crate::keywords;

macro_rules! languages {
    ($($(#[$doc:meta])* $feature:literal $variant:ident $name:literal $grammar:path, $version:literal, $keywords:ident;)*) => {
        /// Programming language of the compared programs. Each variant exists only if the package's feature
        /// for this language is enabled.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Language {
            $($(#[$doc])* #[cfg(feature = $feature)] $variant,)*
        }

        impl Choice for Language {
            const NAMES: &'static [&'static str] = &[$(#[cfg(feature = $feature)] $name),*];
            const ALL: &'static [Self] = &[$(#[cfg(feature = $feature)] Language::$variant),*];
        }

        impl Language {
            /// Returns the version of the language's tree-sitter grammar, on which scores depend.
            pub fn grammar_version(self) -> &'static str {
                match self {
                    $(#[cfg(feature = $feature)] Language::$variant => $version,)*
                }
            }

            pub(crate) fn grammar(self) -> tree_sitter::Language {
                match self {
                    $(#[cfg(feature = $feature)] Language::$variant => $grammar.into(),)*
                }
            }

            pub(crate) fn keywords(self) -> &'static str {
                match self {
                    $(#[cfg(feature = $feature)] Language::$variant => keywords::$keywords,)*
                }
            }
        }
    };
}

languages! {
    /// The programming language C.
    "c" C "c" tree_sitter_c::LANGUAGE, "0.24.2", C;
    /// The programming language C#.
    "c-sharp" CSharp "c_sharp" tree_sitter_c_sharp::LANGUAGE, "0.23.5", C_SHARP;
    /// The programming language C++.
    "cpp" Cpp "cpp" tree_sitter_cpp::LANGUAGE, "0.23.4", CPP;
    /// The programming language Go.
    "go" Go "go" tree_sitter_go::LANGUAGE, "0.25.0", GO;
    /// The programming language Java.
    "java" Java "java" tree_sitter_java::LANGUAGE, "0.23.5", JAVA;
    /// The programming language JavaScript.
    "javascript" JavaScript "javascript" tree_sitter_javascript::LANGUAGE, "0.25.0", JAVASCRIPT;
    /// The programming language PHP; programs begin with its opening tag `<?php`.
    "php" Php "php" tree_sitter_php::LANGUAGE_PHP, "0.25.1", PHP;
    /// The programming language Python.
    "python" Python "python" tree_sitter_python::LANGUAGE, "0.25.0", PYTHON;
    /// The programming language Ruby.
    "ruby" Ruby "ruby" tree_sitter_ruby::LANGUAGE, "0.23.1", RUBY;
    /// The programming language Rust.
    "rust" Rust "rust" tree_sitter_rust::LANGUAGE, "0.24.2", RUST;
}

impl Language {
    /// Returns `true` only for Python. There, the original program removes the hypothesis's comments again
    /// for each further reference. Each time, another string may count as a docstring and be removed, too.
    pub(crate) fn strips_again(self) -> bool {
        self.name() == "python"
    }
}
