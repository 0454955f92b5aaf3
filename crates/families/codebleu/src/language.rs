//! The languages: their names, grammars and keywords.

use bleuprint_core::Choice;

use crate::keywords;

macro_rules! languages {
    ($($(#[$doc:meta])* $feature:literal $variant:ident $name:literal $grammar:path, $version:literal, $keywords:ident;)*) => {
        /// The language of the programs. Each language is a feature of this package and exists only with it.
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
            /// Returns the version of the grammar, on which scores depend.
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
    /// C.
    "c" C "c" tree_sitter_c::LANGUAGE, "0.24.2", C;
    /// C#.
    "c-sharp" CSharp "c_sharp" tree_sitter_c_sharp::LANGUAGE, "0.23.5", C_SHARP;
    /// C++.
    "cpp" Cpp "cpp" tree_sitter_cpp::LANGUAGE, "0.23.4", CPP;
    /// Go.
    "go" Go "go" tree_sitter_go::LANGUAGE, "0.25.0", GO;
    /// Java.
    "java" Java "java" tree_sitter_java::LANGUAGE, "0.23.5", JAVA;
    /// JavaScript.
    "javascript" JavaScript "javascript" tree_sitter_javascript::LANGUAGE, "0.25.0", JAVASCRIPT;
    /// PHP, with its opening tag.
    "php" Php "php" tree_sitter_php::LANGUAGE_PHP, "0.25.1", PHP;
    /// Python.
    "python" Python "python" tree_sitter_python::LANGUAGE, "0.25.0", PYTHON;
    /// Ruby.
    "ruby" Ruby "ruby" tree_sitter_ruby::LANGUAGE, "0.23.1", RUBY;
    /// Rust.
    "rust" Rust "rust" tree_sitter_rust::LANGUAGE, "0.24.2", RUST;
}

impl Language {
    /// Returns `true` if comments are removed again for each reference: each removal may drop another string.
    pub(crate) fn strips_again(self) -> bool {
        self.name() == "python"
    }
}
