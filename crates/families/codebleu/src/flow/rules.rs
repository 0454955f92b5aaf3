//! Data-flow rules of a programming language: which kinds of syntax nodes define, assign, branch and repeat.
//! The rules are the original CodeBLEU program's, with its gaps.
//!
//! Rules for kinds that no grammar has are left out. C and C++ use the rules of C#, so that they have no
//! definitions. Rust's functions are definitions whose body is not walked. `:=` of Go and `let` of Rust are
//! nodes without a rule.

use crate::Language;

#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "all"), allow(dead_code, reason = "languages that need it may be absent"))]
pub(super) enum Definition {
    /// The defined variable is in the syntax node's field `name`. Its value is in the field whose name this
    /// variant contains.
    Fields(&'static str),
    /// The first child of the syntax node is the defined variable, and the second is its value. A node with
    /// more children has no value.
    Two,
    SecondAndThird,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "all"), allow(dead_code, reason = "languages that need it may be absent"))]
pub(super) enum RuleFamily {
    Python,
    Ruby,
    Other,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct FlowRules {
    pub(super) family: RuleFamily,
    pub(super) definitions: &'static [&'static str],
    pub(super) definition: Definition,
    pub(super) assignments: &'static [&'static str],
    pub(super) increments: &'static [&'static str],
    pub(super) branches: &'static [&'static str],
    /// `true` if values from before an `if` statement remain possible after it even if it has an `else`.
    /// Without an `else`, they remain possible in every language.
    pub(super) keeps_before: bool,
    pub(super) fors: &'static [&'static str],
    /// Kind of the syntax node that begins a `for` loop, such as its initialization. The children of the loop
    /// after this node are walked twice, because the second round sees the values of the first.
    pub(super) trigger: &'static str,
    pub(super) each: &'static [&'static str],
    pub(super) whiles: &'static [&'static str],
}

const NONE: FlowRules = FlowRules {
    family: RuleFamily::Other,
    definitions: &[],
    definition: Definition::Fields("value"),
    assignments: &[],
    increments: &[],
    branches: &[],
    keeps_before: false,
    fors: &[],
    trigger: "",
    each: &[],
    whiles: &[],
};

impl FlowRules {
    pub(super) fn for_language(language: Language) -> FlowRules {
        match language {
            #[cfg(feature = "python")]
            Language::Python => FlowRules {
                family: RuleFamily::Python,
                definitions: &["default_parameter"],
                assignments: &["assignment", "augmented_assignment", "for_in_clause"],
                branches: &["if_statement"],
                fors: &["for_statement"],
                whiles: &["while_statement"],
                ..NONE
            },
            #[cfg(feature = "java")]
            Language::Java => FlowRules {
                definitions: &["variable_declarator"],
                assignments: &["assignment_expression"],
                increments: &["update_expression"],
                branches: &["if_statement", "else"],
                fors: &["for_statement"],
                trigger: "local_variable_declaration",
                each: &["enhanced_for_statement"],
                whiles: &["while_statement"],
                ..NONE
            },
            #[cfg(feature = "javascript")]
            Language::JavaScript => FlowRules {
                definitions: &["variable_declarator"],
                assignments: &["assignment_pattern", "augmented_assignment_expression"],
                increments: &["update_expression"],
                branches: &["if_statement", "else"],
                keeps_before: true,
                fors: &["for_statement"],
                trigger: "variable_declaration",
                whiles: &["while_statement"],
                ..NONE
            },
            #[cfg(feature = "c-sharp")]
            Language::CSharp => C_SHARP,
            #[cfg(feature = "c")]
            Language::C => C_SHARP,
            #[cfg(feature = "cpp")]
            Language::Cpp => C_SHARP,
            #[cfg(feature = "php")]
            Language::Php => FlowRules {
                definitions: &["simple_parameter"],
                definition: Definition::Fields("default_value"),
                assignments: &["assignment_expression", "augmented_assignment_expression"],
                increments: &["update_expression"],
                branches: &["if_statement", "else_clause"],
                keeps_before: true,
                fors: &["for_statement"],
                trigger: "assignment_expression",
                each: &["foreach_statement"],
                whiles: &["while_statement"],
                ..NONE
            },
            #[cfg(feature = "go")]
            Language::Go => FlowRules {
                definitions: &["var_spec"],
                assignments: &["assignment_statement"],
                increments: &["inc_statement"],
                branches: &["if_statement", "else"],
                keeps_before: true,
                fors: &["for_statement"],
                trigger: FOR_CLAUSE,
                ..NONE
            },
            #[cfg(feature = "ruby")]
            Language::Ruby => FlowRules {
                family: RuleFamily::Ruby,
                definitions: &["keyword_parameter"],
                assignments: &["assignment", "operator_assignment"],
                branches: &["if", "elsif", "else", "unless", "when"],
                fors: &["for"],
                whiles: &["while_modifier", "until"],
                ..NONE
            },
            #[cfg(feature = "rust")]
            Language::Rust => FlowRules {
                definitions: &["function_item"],
                definition: Definition::SecondAndThird,
                assignments: &["assignment_expression", "compound_assignment_expr"],
                branches: &["if_expression", "match_expression", "else"],
                fors: &["for_expression"],
                whiles: &["while_expression", "loop_expression"],
                ..NONE
            },
        }
    }
}

/// Kind of the syntax node for the head of Go's `for` loop: initialization, condition and update. CodeBLEU's
/// search for data flow visits the update twice, like the loop's body.
pub(super) const FOR_CLAUSE: &str = "for_clause";

#[cfg(any(feature = "c", feature = "c-sharp", feature = "cpp"))]
const C_SHARP: FlowRules = FlowRules {
    definitions: &["variable_declarator"],
    definition: Definition::Two,
    assignments: &["assignment_expression"],
    increments: &["postfix_unary_expression"],
    branches: &["if_statement", "else"],
    fors: &["for_statement"],
    whiles: &["while_statement"],
    ..NONE
};
